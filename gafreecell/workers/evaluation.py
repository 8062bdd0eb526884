"""Runs many tasks on a pool of workers, each distinct one once.

An outcome depends only on its task (budgets are nodes). So outcomes are cached in memory, and
backend, number of workers and order make no difference to results.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from socket import gethostname
from typing import Any

from gafreecell.solitaire.game import Deal, Game
from gafreecell.solitaire.replaying import check_moves
from gafreecell.solving.cache import cache_directory, read_kept, say_unwritten
from gafreecell.solving.checksums import sealed
from gafreecell.solving.contract import called, kept_outcome
from gafreecell.solving.files import write_atomically
from gafreecell.solving.games import UNSAVED, solved_by
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Search, Task
from gafreecell.solving.stopping import interruptible
from gafreecell.workers.errors import WorkersError
from gafreecell.workers.pools import Pool, WorkerLost, blamed
from gafreecell.workers.unfinished import key_of

BATCH = 16
"""Deals in one piece of work: some tens of milliseconds, so that dispatch costs little."""
REMEMBERED = 200_000
"""Outcomes cached in memory, some 100 MB; the oldest are dropped first. No result depends on it."""


def _solve(game: Game, engine: str, piece: tuple[Sequence[Task], bool]) -> list[Outcome]:
    """Solve one piece of work, in any thread, process or machine.

    Solutions are replayed here, if the piece says so, because moves are not sent back.

    Args:
        game: the game, as it is here.
        engine: its engine number where the work comes from.
        piece: tasks, and whether to replay their solutions.

    Raises:
        WorkersError: if the game has another engine number here.
    """
    check_engine(game, engine)
    tasks, replayed = piece
    outcomes = solved_by(game, tasks)
    if replayed:
        for task, outcome in zip(tasks, outcomes, strict=True):
            check_moves(task.deal, outcome.moves, task.search, game)
    return [outcome.without_moves() for outcome in outcomes]


def check_engine(game: Game, engine: str) -> None:
    """Refuse work that comes from where the game has another engine number than here.

    Raises:
        WorkersError: naming both.
    """
    compared = not engine.startswith(UNSAVED) and _is_imported(type(game))
    if compared and game.engine != engine:
        raise WorkersError(
            f"the game {game.name!r} of a worker on {gethostname()} has the engine {game.engine}, "
            f"not {engine}: install there what is installed here, and restart the worker"
        )


def _is_imported(kind: type[Any]) -> bool:
    """Whether a class comes from a module of this process, and was not sent here by value."""
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind


@dataclass
class Evaluation:
    """Solves tasks of one game and caches the outcomes.

    Attributes:
        game: the game.
        pool: from ``Workers.started``.
        asked: tasks asked for, cached or not.
        computed: tasks that were run.
        nodes: states that those runs generated.
        on_progress: called as work comes back, with the tasks done and the tasks asked for in
            the present call.
        kept: outcomes that an earlier process computed, by ``unfinished.key_of(task)``.
        fresh: outcomes computed since the owner last cleared it.
    """

    game: Game
    pool: Pool
    asked: int = 0
    computed: int = 0
    nodes: int = 0
    on_progress: Callable[[int, int], None] = lambda done, total: None
    kept: Mapping[str, Outcome] = field(default_factory=dict)
    fresh: dict[Task, Outcome] = field(default_factory=dict)
    _known: dict[Task, Outcome] = field(default_factory=dict)

    def evaluate(self, task: Task) -> Outcome:
        """The outcome of one task, solved here and now."""
        return solved_by(self.game, [task])[0].without_moves()

    def map(self, evaluate: Callable[[Task], Outcome], tasks: Sequence[Task]) -> list[Outcome]:
        """The outcome of each task, in order, as ``map`` of a DEAP toolbox.

        Args:
            evaluate: solves a task. For ``self.evaluate`` the workers solve pieces of several tasks
                in one call, and none that is cached. Any other function is called here, task by
                task.
            tasks: what to solve.
        """
        if getattr(evaluate, "func", evaluate) == self.evaluate:
            return self.outcomes(tasks)
        return [evaluate(task) for task in tasks]

    def outcomes(self, tasks: Sequence[Task], replayed: bool = False) -> list[Outcome]:
        """The outcome of each task, in order, without its moves.

        Args:
            tasks: what to solve.
            replayed: whether the game's verifier replays the solutions of the first ``BATCH``
                tasks that have to be computed. This costs little and exposes a search that cheats.

        Raises:
            WrongSolution: if the verifier refuses one.
        """
        self.asked += len(tasks)
        new = [task for task in dict.fromkeys(tasks) if task not in self._known]
        if self.kept:
            found = {task: self.kept[key] for task in new if (key := key_of(task)) in self.kept}
            self._known |= found
            self.fresh |= found
            new = [task for task in new if task not in found]
        pieces = [new[i : i + BATCH] for i in range(0, len(new), BATCH)]
        done = len(tasks) - len(new)
        self.on_progress(done, len(tasks))
        if pieces:
            with closing(self.as_they_come(pieces, replayed)) as results:
                for piece, solved in results:
                    # Kept at once, so that an interruption loses no outcome that has arrived.
                    came = dict(zip(piece, solved, strict=True))
                    self._known |= came
                    self.fresh |= came
                    self.computed += len(solved)
                    self.nodes += sum(outcome.nodes.generated for outcome in solved)
                    done += len(solved)
                    self.on_progress(done, len(tasks))
        outcomes = [self._known[task] for task in tasks]
        for oldest in list(islice(self._known, max(0, len(self._known) - REMEMBERED))):
            del self._known[oldest]
        return outcomes

    def as_they_come(
        self, pieces: Iterable[Sequence[Task]], replayed: bool = False
    ) -> Generator[tuple[Sequence[Task], list[Outcome]], None, None]:
        """Pieces of work with their outcomes, in any order; nothing is cached or counted.

        Args:
            pieces: lists of tasks to solve one after another; workers take them as they get free.
            replayed: whether the game's verifier replays the solutions of the first piece.

        Raises:
            WrongSolution: if the verifier refuses one.
        """
        given = ((piece, replayed and not place) for place, piece in enumerate(pieces))
        with interruptible() as call:
            engine, what = self.game.engine, f"the game {self.game.name!r}"
            work = partial(_solve, self.game, engine)
            try:
                with closing(self.pool(call, work, given, what, engine)) as results:
                    for (piece, _), solved in results:
                        yield piece, solved
            except WorkerLost as lost:
                tasks = [task for (piece, _) in lost.pieces for task in piece]
                names = [called(task.deal) for task in tasks]
                singles = [([task], False) for task in tasks]
                raise WorkersError(blamed(lost, work, singles, what, names)) from None

    def known(self, task: Task) -> Outcome | None:
        """A task's outcome if it is cached."""
        return self._known.get(task)


def cache_file(
    folder: str, game: Game, evaluator: Evaluator | None, search: Search, limits: Limits
) -> Path:
    """The file in the user's cache for a solver's outcomes on deals.

    Its name depends on everything that decides them: the game, its variant and engine, and the
    solver.

    Args:
        folder: the cache's folder for this kind of content.
        game, evaluator, search, limits: the solver; limits in seconds are not allowed.
    """
    key = repr((game.name, game.engine, sorted(game.variant.items()), evaluator))
    key += repr((search.name, sorted(search.parameters.items()), limits.nodes, limits.memory))
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    return cache_directory() / folder / f"{Path(game.name).stem}-{digest}.json"


class Baseline:
    """The baseline's outcome on each deal, computed once and kept in the user's cache."""

    def __init__(
        self, evaluation: Evaluation, evaluator: Evaluator | None, search: Search, limits: Limits
    ) -> None:
        self._evaluation = evaluation
        self._evaluator, self._search, self._limits = evaluator, search, limits
        self._file = cache_file("baselines", evaluation.game, evaluator, search, limits)
        self._known: dict[Deal, Outcome] = read_kept(self._file, _baseline_outcomes, {})

    def outcomes(self, deals: Sequence[Deal]) -> dict[Deal, Outcome]:
        """The baseline's outcome on each of the deals."""
        missing = [one for one in dict.fromkeys(deals) if one not in self._known]
        if missing:
            tasks = [Task(one, self._evaluator, self._search, self._limits) for one in missing]
            found: Sequence[Outcome | None] = ()
            try:
                found = self._evaluation.outcomes(tasks)
            finally:
                # After an interruption, keep the outcomes that have arrived.
                self._keep(missing, found or [self._evaluation.known(task) for task in tasks])
        return {one: self._known[one] for one in deals}

    def _keep(self, deals: Sequence[Deal], outcomes: Sequence[Outcome | None]) -> None:
        for deal, found in zip(deals, outcomes, strict=True):
            if found is not None:
                # Keep only what the file keeps: results must not depend on whether it existed.
                nodes = replace(found.nodes, scored=None)
                self._known[deal] = replace(found, lengths=None, nodes=nodes)
        if self._evaluation.game.engine.startswith(UNSAVED):
            return
        kept = [
            [deal, o.status.value, o.nodes.expanded, o.nodes.generated, o.cost, o.seconds]
            for deal, o in self._known.items()
        ]
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._file, json.dumps(sealed({"outcomes": kept})))
        except OSError as error:
            say_unwritten(error)


def _baseline_outcomes(document: Any) -> dict[Deal, Outcome]:
    """The outcomes in a baseline's file."""
    rows = document["outcomes"]
    if not all(isinstance(deal, int | str) for deal, *_ in rows):
        raise ValueError("a deal must be a number or a name")
    return {
        deal: kept_outcome(status, None, (expanded, generated), seconds, cost)
        for deal, status, expanded, generated, cost, seconds in rows
    }
