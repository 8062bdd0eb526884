"""A game of a third party, made for tests: no cards, no kernels, only the protocol.

A deal is a number. A search needs the more nodes the further its weights are from
a hidden vector, and the harder the deal is; both are pure functions, so a run on
this game takes milliseconds and its outcomes can be worked out by hand. The folder
``data/toy`` holds the metadata that an installed package would have.

``TOY_PAUSE`` in the environment makes every deal take so many seconds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import Any

from deals.errors import BadInput
from gafreecell.solving import stopping
from gafreecell.solving.features import Feature, Scales
from gafreecell.solving.outcome import Evaluator, Limits, Nodes, Outcome, Search, Status, Task
from gafreecell.solving.parameters import Parameter, Value, read_parameters
from gafreecell.solving.solver import weight_vector
from gafreecell.solving.weights import Weights

HIDDEN = (0.2, 0.9, 0.5)
LARGEST = 10_000
NEVER = 13
"""A deal that no weights solve, known to be unsolvable."""
PARAMETERS = (
    Parameter("effort", 1000, "nodes that a unit of distance costs", 1, 10**9),
    Parameter("mood", "calm", "does nothing", choices=("calm", "wild")),
)


class ToyError(BadInput):
    """Something that the toy game does not have."""


def hardness(deal: int) -> int:
    """How hard a deal is, 1 to 10."""
    return 1 + deal * 7 % 10


def nodes_needed(deal: int, weights: Sequence[float], effort: int = 1000) -> int:
    """Nodes that solve a deal with these weights of ``near``, ``middle`` and ``far``."""
    return 10 * hardness(deal) + int(effort * hardness(deal) * dist(weights, HIDDEN))


def solution(deal: int) -> tuple[str, ...]:
    """The one solution of a deal: as many steps as it is hard."""
    return ("go",) * hardness(deal)


@dataclass(frozen=True)
class Toy:
    """The toy game; ``slow`` multiplies what every deal costs."""

    slow: int = 1
    name = "toy"
    title = "Toy"
    engine = "toy-1"
    features = (
        Feature("near", "the first weight", baseline=1.0),
        Feature("middle", "the second weight"),
        Feature("far", "the third weight", low=-1.0, high=2.0),
    )
    default_features = ("near", "middle", "far")
    scales = Scales(nodes=300, moves=200)
    training = "31-90"
    validation = "few"
    searches = ("think",)
    unguided = ()
    presets = ("guess", "known")
    default_preset = "known"
    comparison_presets = ("guess",)

    @property
    def variant(self) -> Mapping[str, Value]:
        return {"slow": self.slow}

    def vary(self, **options: Value) -> Toy:
        for name in options:
            if name != "slow":
                raise ToyError(f"Toy has no option {name}; it has slow")
        return replace(self, **options)  # type: ignore[arg-type]

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        return [self._solve(task) for task in tasks]

    def _solve(self, task: Task) -> Outcome:
        stopping.check()
        if pause := os.environ.get("TOY_PAUSE"):
            time.sleep(float(pause))
        effort = int(read_parameters("think", PARAMETERS, task.search.parameters)["effort"])
        deal = int(task.deal)  # type: ignore[call-overload]
        assert task.evaluator is not None
        weights = weight_vector(self.title, self.features, task.evaluator).tolist()
        nodes = self.slow * nodes_needed(deal, weights, effort)
        if deal == NEVER or nodes > task.limits.nodes:
            spent = task.limits.nodes
            return Outcome(Status.NODE_LIMIT, None, None, Nodes(spent // 2, spent), 0.001)
        moves = solution(deal)
        return Outcome(Status.SOLVED, moves, {"steps": len(moves)}, Nodes(nodes // 2, nodes), 0.001)

    def check(self, search: Search, features: Sequence[str] = ()) -> None:
        if search.name not in self.searches:
            raise ToyError(f"there is no search {search.name!r}; there are think")
        read_parameters("the search think", PARAMETERS, search.parameters)

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        return PARAMETERS

    def preset(self, name: str) -> Weights:
        vectors = {"guess": (1.0, 0.0, 0.0), "known": HIDDEN}
        if name not in vectors:
            raise ToyError(f"there is no preset {name!r}; Toy has guess, known")
        names = tuple(feature.name for feature in self.features)
        evaluator = Evaluator(names, vectors[name])
        return Weights("toy", {"slow": 1}, evaluator, Search("think"), Limits(nodes=100_000))

    def deal_set(self, name: str) -> tuple[int, ...]:
        if name == "few":
            return tuple(range(1, 31))
        first, _, last = name.partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            raise ToyError(f"there is no set of deals {name!r}: there is few")
        deals = tuple(range(int(first), int(last or first) + 1))
        if not deals or deals[0] < 1 or deals[-1] > LARGEST:
            raise ToyError(f"there are no deals {name}: deals are numbered 1 to {LARGEST}")
        return deals

    def deals(self, name: str) -> tuple[int, ...]:
        return tuple(deal for deal in self.deal_set(name) if deal != NEVER)

    def read_deal(self, number: int) -> int:
        if not 1 <= number <= LARGEST:
            raise ToyError(f"there is no deal {number}: deals are numbered 1 to {LARGEST}")
        return number

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[Any]:
        boards = []
        for number, line in enumerate(text.splitlines(), start=1):
            word, _, rest = line.partition(" ")
            if word != "toy" or not rest.isdecimal():
                raise ToyError(f"line {number}: {line!r} is not a board, write toy 17")
            boards.append(int(rest))
        return boards

    def write_board(self, board: Any) -> str:
        return f"toy {board}"

    def write_solution(self, board: Any, outcome: Outcome) -> Iterable[str]:
        yield " ".join(outcome.moves or ())

    def verify(self, board: Any, moves: Sequence[str], goal: Any = None) -> str:
        wanted = solution(board)
        return "" if tuple(moves) == wanted else f"it takes {len(wanted)} times go"

    def read_moves(self, text: str) -> list[str]:
        return text.split()


GAME = Toy()
