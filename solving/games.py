"""What games have in common for the framework (``gafreecell.game.Game``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from solving.outcome import Outcome, Search, Task
from solving.parameters import Parameter, ParameterError, Value
from solving.solutions import read_moves
from solving.solver import Solver
from solving.weights import Weights

_IN_A_ROW = 16
"""Moves on a line."""


class SearchedGame:
    """A game as its solver has it; a game says here what is different.

    Attributes:
        title: its name for people.
        solver: its searches and presets.
    """

    title: str
    solver: ClassVar[Solver[Any]]

    @property
    def variant(self) -> Mapping[str, int]:
        return {}

    def vary(self, **options: int) -> Self:
        if options:
            raise ParameterError(f"{self.title} has no option {', '.join(sorted(options))}")
        return self

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        run, variant = self.solver.run, self.variant
        return [run(t.deal, t.evaluator, t.search, t.limits, variant) for t in tasks]

    def check(self, search: Search, features: Sequence[str] = ()) -> None:
        self.solver.check(search, features)

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        return self.solver.searches[search].parameters

    def preset(self, name: str) -> Weights:
        return self.solver.presets.read(name)

    def unsolvable(self) -> frozenset[int]:
        return frozenset()

    def goal(self, text: str) -> Mapping[str, Value]:
        raise ParameterError(f"{self.title} has one goal only: all cards home")

    def write_solution(self, board: Any, outcome: Outcome, draw: bool = False) -> Iterable[str]:
        moves = outcome.moves or ()
        for i in range(0, len(moves), _IN_A_ROW):
            yield " ".join(moves[i : i + _IN_A_ROW])

    def read_moves(self, text: str) -> list[str]:
        return read_moves(text)
