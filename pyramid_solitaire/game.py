"""Pyramid as a game of the framework (see ``gafreecell.game.Game``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deals import parse_range
from deals.cards import DealError
from deals.pyramid import PyramidDeck, pyramid, read_pyramid_decks
from pyramid_solitaire import solver
from pyramid_solitaire.presets import DEFAULT, preset
from pyramid_solitaire.presets import NAMES as PRESETS
from pyramid_solitaire.verifier import verify
from solving.features import Feature
from solving.outcome import Outcome, Search, Task
from solving.parameters import Parameter, ParameterError
from solving.solutions import read_moves
from solving.weights import Weights

ENGINE = "1"
"""Raised whenever a search returns other counts or steps than before."""
_STEP = re.compile(r"\bdraw\b|\brecycle\b|\bremove\s+\w+(?:\s+and\s+\w+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Pyramid:
    """Pyramid with three cycles through the stock. It has no features: its search is exact."""

    name = "pyramid"
    title = "Pyramid"
    engine = ENGINE
    features: tuple[Feature, ...] = ()
    default_features: tuple[str, ...] = ()
    searches = tuple(solver.SEARCHES)
    unguided = tuple(solver.SEARCHES)
    presets = PRESETS
    default_preset = DEFAULT
    comparison_presets: tuple[str, ...] = ()

    @property
    def variant(self) -> Mapping[str, int]:
        return {}

    def vary(self, **options: int) -> Pyramid:
        if options:
            raise ParameterError(f"Pyramid has no option {', '.join(sorted(options))}")
        return self

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        return [solver.run(t.deal, t.evaluator, t.search, t.limits) for t in tasks]  # type: ignore[arg-type]

    def check(self, search: Search, features: Sequence[str] = ()) -> None:
        solver.check_search(search, features)

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        return solver.SEARCHES[search].parameters

    def preset(self, name: str) -> Weights:
        return preset(name)

    def deal_set(self, name: str) -> Sequence[int]:
        numbers = parse_range(name)
        if numbers is None:
            raise DealError(f"there is no set of deals {name!r}: write a range such as 1-1500")
        return numbers

    def unsolvable(self) -> frozenset[int]:
        # Every third deal is: searches find out in milliseconds.
        return frozenset()

    def read_deal(self, number: int) -> PyramidDeck:
        return pyramid(number)

    def read_boards(self, text: str) -> list[PyramidDeck]:
        return read_pyramid_decks(text)

    def write_board(self, board: Any) -> str:
        return str(board)

    def write_solution(self, board: Any, outcome: Outcome) -> Iterable[str]:
        moves = outcome.moves or ()
        width = len(str(len(moves)))
        for number, step in enumerate(moves, start=1):
            yield f"{number:{width}}. {step}"

    def verify(self, board: Any, moves: Sequence[str]) -> str:
        return verify(board, moves).reason

    def read_moves(self, text: str) -> list[str]:
        """The steps in a text, numbered or not; ``ValueError`` if it holds none."""
        if text.lstrip().startswith(("{", "[")):
            return read_moves(text)
        steps = [" ".join(step.split()) for step in _STEP.findall(text)]
        if not steps:
            raise ValueError("expected steps such as Draw, Recycle, Remove Kd, Remove 6d and 7h")
        return steps


GAME = Pyramid()
