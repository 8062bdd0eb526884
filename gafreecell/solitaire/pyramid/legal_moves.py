"""Lists and plays the legal steps of Pyramid in plain Python.

The module follows the rules of the verifier and shares nothing with the solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from deals.cards import parse_card, rank_of
from deals.pyramid_deck import pyramid_card_name
from deals.pyramid_position import PyramidBoard, PyramidPosition
from gafreecell.solitaire.pyramid.verifier import Position
from gafreecell.solving.legal_moves import legal_among


def legal_moves(board: PyramidBoard) -> list[str]:
    """Every legal step: removals, then ``Draw`` or ``Recycle``."""
    return legal_among(_steps(Position(board)), lambda: Position(board))


def listed(board: PyramidBoard, move: str) -> str:
    """The equivalent step in ``legal_moves``, which may name the cards in the other order."""
    cards = set(_cards(move))
    for other in legal_moves(board):
        if (set(_cards(other)) if cards else other.lower()) == (cards or move.lower()):
            return other
    return move


def after(board: PyramidBoard, move: str) -> PyramidPosition:
    """The position after a step.

    Raises:
        IllegalStep: if the step is malformed or illegal here.
    """
    position = Position(board)
    position.play(move)
    return position.board


def _steps(position: Position) -> Iterator[str]:
    """Candidates for legal steps."""
    cards = position.playable()
    yield from (f"Remove {pyramid_card_name(card)}" for card in cards)
    for one, other in combinations(cards, 2):
        if rank_of(one) + rank_of(other) == 13:
            yield f"Remove {pyramid_card_name(one)} and {pyramid_card_name(other)}"
    yield from ("Draw", "Recycle")


def _cards(step: str) -> list[int]:
    """The cards that a step removes."""
    words = step.lower().replace(" and ", " ").split()[1:]
    return [parse_card(word) for word in words]
