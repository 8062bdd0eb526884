"""A game under test, and what it is tested on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from deals.errors import BadInput
from deals.words import plural
from gafreecell.solitaire.abilities import HasPresets, Numbered, Searches
from gafreecell.solitaire.game import Deal
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Search, Status, Task
from gafreecell.testing.contract import require

DEALS = 4
"""How many deals are solved if none are given."""


@dataclass(frozen=True)
class Subject:
    """A game under test.

    Attributes:
        game: the game; any of its members may be missing.
        given: the deals to solve; empty for the first training deals.
        chosen: the search to run; None for one that can weigh the default features.
        nodes: budget of each deal.
    """

    game: Any
    given: Sequence[Deal]
    chosen: Search | None
    nodes: int

    @cached_property
    def deals(self) -> list[Deal]:
        """The deals to solve."""
        return list(self.given or self.game.deals(self.game.training)[:DEALS])

    @cached_property
    def search(self) -> Search:
        """The search to run."""
        game, usual = self.game, self.game.default_features
        if self.chosen is not None:
            return self.chosen
        if isinstance(game, Searches):
            able = [name for name in game.searches if self._weighs(Search(name), usual)]
            guided = [name for name in able if name not in game.unguided]
            return Search((guided or able or game.searches)[0])
        require(
            isinstance(game, HasPresets),
            "check_game must be told which search to run",
            "a game that lists none",
            "pass search=Search(...), or give the game the members of abilities.Searches",
        )
        preset: Search = game.preset(game.default_preset).search
        return preset

    @cached_property
    def features(self) -> list[Feature]:
        """The features that the search can weigh."""
        return [f for f in self.game.features if self._weighs(self.search, (f.name,))]

    def _weighs(self, search: Search, features: Sequence[str]) -> bool:
        try:
            self.game.check(search, features)
        except BadInput:
            return False
        return True

    def evaluator(self, weights: Iterable[float]) -> Evaluator | None:
        """The evaluator with these weights; None if the search can weigh no feature."""
        names = tuple(feature.name for feature in self.features)
        return Evaluator(names, tuple(weights)) if names else None

    def task(self, deal: Any, evaluator: Evaluator | None, nodes: int = 0) -> Task:
        """A task of one deal; ``nodes`` is 0 for the usual budget."""
        return Task(deal, evaluator, self.search, Limits(nodes=nodes or self.nodes))

    @cached_property
    def evaluators(self) -> list[Evaluator | None]:
        """The baseline, both ends of the weights' ranges, and random weights."""
        rng, features = np.random.default_rng(1), self.features
        vectors = [[getattr(f, which) for f in features] for which in ("baseline", "low", "high")]
        vectors += [[float(rng.uniform(f.low, f.high)) for f in features]]
        return [self.evaluator(weights) for weights in vectors[: 4 if features else 1]]

    @cached_property
    def tasks(self) -> list[Task]:
        """Every deal with every evaluator."""
        return [self.task(deal, one) for one in self.evaluators for deal in self.deals]

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """The outcomes of the tasks, run one by one."""
        return [self.run(task) for task in self.tasks]

    def run(self, task: Task) -> Outcome:
        """The outcome of a task that is run by itself."""
        found = self.game.run([task])
        fine = isinstance(found, list) and len(found) == 1 and isinstance(found[0], Outcome)
        asked = "run(tasks) must return a list with an Outcome for each task"
        require(fine, asked, found, "return one")
        outcome: Outcome = found[0]
        return outcome

    @cached_property
    def solved(self) -> tuple[Any, Task, Outcome]:
        """The board with the longest solution found, its task and its outcome."""
        found = next(self.all_solved, None)
        require(
            found,
            f"check_game needs a deal that is solved within {plural(self.nodes, 'node')}",
            ", ".join(sorted({str(outcome.status) for outcome in self.outcomes})),
            "give it easier ones with deals=, or more nodes with nodes=",
        )
        assert found
        return found

    @property
    def all_solved(self) -> Iterator[tuple[Any, Task, Outcome]]:
        """The same for each task that was solved, the longest solution first."""
        pairs = zip(self.tasks, self.outcomes, strict=True)
        solved = [pair for pair in pairs if pair[1].status is Status.SOLVED]
        for task, outcome in sorted(solved, key=lambda pair: -len(pair[1].moves or ())):
            numbered = isinstance(self.game, Numbered) and isinstance(task.deal, int)
            yield self.game.read_deal(task.deal) if numbered else task.deal, task, outcome

    def require_same(
        self, tasks: Sequence[Task], first: Sequence[Outcome], how: str, mend: str
    ) -> None:
        """Require that tasks, run one by one, have the outcomes ``first``."""
        require_same_outcomes(tasks, [self.run(task) for task in tasks], first, how, mend)


def require_same_outcomes(
    tasks: Sequence[Task], found: Sequence[Outcome], first: Sequence[Outcome], how: str, mend: str
) -> None:
    """Require that outcomes are the same as ``first``, except for their seconds."""
    many = f"{len(found)} of {len(tasks)}"
    require(len(found) == len(tasks), f"{how} must give each task an outcome", many, mend)
    for task, one, other in zip(tasks, found, first, strict=True):
        same = replace(one, seconds=0.0) == replace(other, seconds=0.0)
        asked = f"{how} must give the same outcome of {task.deal!r}, {brief(other)}"
        came = brief(one) if brief(one) != brief(other) else f"other moves, {one.moves}"
        require(same, asked, came, mend)


def brief(outcome: Outcome) -> str:
    """An outcome in words."""
    moves = f", {plural(len(outcome.moves), 'move')}" if outcome.moves is not None else ""
    nodes = (
        f"{plural(outcome.nodes.generated, 'node')} generated, {outcome.nodes.expanded:,} expanded"
    )
    return f"{outcome.status} ({nodes}{moves})"
