"""Pyramid as a game of the framework (see ``gafreecell.game.Game``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deals import parse_range
from deals.cards import RANKS, DealError
from deals.pyramid import PyramidDeck, pyramid, read_pyramid_decks
from deals.pysol import LARGEST_PYSOL
from pyramid_solitaire.goals import goal_parameters
from pyramid_solitaire.presets import DEFAULT
from pyramid_solitaire.presets import NAMES as PRESETS
from pyramid_solitaire.solver import SOLVER
from pyramid_solitaire.verifier import Position, verify
from solving.features import Feature
from solving.games import SearchedGame
from solving.outcome import Outcome
from solving.parameters import NO_GOAL, ParameterError, Value
from solving.solutions import read_moves

ENGINE = "1"
"""Raised whenever a search returns other counts or steps than before."""
_STEP = re.compile(r"\bdraw\b|\brecycle\b|\bremove\s+\w+(?:\s+and\s+\w+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Pyramid(SearchedGame):
    """Pyramid with three cycles through the stock. It has no features: its search is exact."""

    name = "pyramid"
    title = "Pyramid"
    solver = SOLVER
    engine = ENGINE
    features: tuple[Feature, ...] = ()
    default_features: tuple[str, ...] = ()
    searches = tuple(SOLVER.searches)
    unguided = tuple(SOLVER.searches)
    presets = PRESETS
    default_preset = DEFAULT
    comparison_presets: tuple[str, ...] = ()
    draws = True

    def deal_set(self, name: str) -> Sequence[int]:
        numbers = parse_range(name, LARGEST_PYSOL)
        if numbers is None:
            raise DealError(f"there is no set of deals {name!r}: write a range such as 1-1500")
        return numbers

    def read_deal(self, number: int) -> PyramidDeck:
        return pyramid(number)

    def goal(self, text: str) -> Mapping[str, Value]:
        return goal_parameters(text)

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[PyramidDeck | None]:
        return read_pyramid_decks(text, faults)

    def write_board(self, board: Any, mark_reachable: bool = False) -> str:
        if mark_reachable:
            raise ParameterError("Pyramid marks no cards: its stock can be seen")
        return str(board)

    def write_solution(self, board: Any, outcome: Outcome, draw: bool = False) -> Iterable[str]:
        moves = outcome.moves or ()
        width = len(str(len(moves)))
        position = Position(board)
        if draw:
            yield from position.drawing()
        for number, step in enumerate(moves, start=1):
            yield f"{number:{width}}. {step}"
            if draw:
                position.play(step)
                yield from position.drawing()

    def verify(self, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL) -> str:
        verdict = verify(board, moves)
        kind, least = goal.get("goal", "clear"), int(goal.get("least", 0))
        if kind == "clear" or not verdict.legal:
            return verdict.reason
        if kind == "cards" and goal.get("clearing") == "yes" and not verdict.cleared:
            return verdict.reason
        rank = RANKS.index(str(goal.get("rank", "Q"))) + 1
        reached = verdict.score if kind == "score" else verdict.count(rank)
        what = "points" if kind == "score" else f"cards of rank {goal.get('rank', 'Q')}"
        return f"expected at least {least} {what}, got {reached}" if reached < least else ""

    def read_moves(self, text: str) -> list[str]:
        """The steps in a text, numbered or not; ``ValueError`` if it holds none."""
        if text.lstrip().startswith(("{", "[")):
            return read_moves(text)
        steps = [" ".join(step.split()) for step in _STEP.findall(text)]
        if not steps:
            raise ValueError("expected steps such as Draw, Recycle, Remove Kd, Remove 6d and 7h")
        return steps


GAME = Pyramid()
