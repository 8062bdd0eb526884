"""Finds the number of a board that is a numbered deal.

Microsoft's shuffle can be inverted, so the order of the cards of a FreeCell deal gives its number
(``deals.microsoft``). Klondike and Pyramid use PySol FC's numbers. Up to 32,000 these are the same
shuffle. Larger numbers seed a Mersenne twister through Python's ``random.seed``: its 19,937 bits
are a hash of the number's 67, and each card reveals at most six of them. We know no way but to try
one number after another, a hundred thousand a second.
"""

from __future__ import annotations

from collections.abc import Sequence

from deals.cards import DealError
from deals.checks import expected
from deals.freecell_board import FreeCellBoard
from deals.klondike_board import KlondikeBoard, shuffled_klondike
from deals.microsoft import number_of_deck
from deals.pyramid_deck import PyramidDeck
from deals.pyramid_position import PyramidPosition
from deals.pysol import LARGEST_MICROSOFT
from deals.signs import dealt_over

Board = FreeCellBoard | KlondikeBoard | PyramidDeck | PyramidPosition


class NotNumbered(DealError):
    """A board without a deal number, or without one that can be found; the message says why."""


def number_of(board: Board) -> int | None:
    """The number of a deal; None if there is none or it cannot be found.

    This is the number from which ``freecell``, with the board's cascades and cells, ``klondike``,
    with the board's rules, or ``pyramid`` makes the board. It takes some milliseconds.
    """
    try:
        return recognised(board)
    except NotNumbered:
        return None


def recognised(board: Board) -> int:
    """The number of a deal, as ``number_of`` finds it.

    Raises:
        NotNumbered: saying why there is no number, or why it cannot be found.
    """
    if isinstance(board, FreeCellBoard):
        return _freecell(board)
    if isinstance(board, PyramidPosition):
        raise NotNumbered("expected a deal, got a position in the middle of a game")
    if isinstance(board, PyramidDeck):
        return _pysol(board.cards)
    expected(board, KlondikeBoard, "expected a board of the package deals", DealError)
    try:
        return _pysol(shuffled_klondike(board))
    except DealError as error:
        raise NotNumbered(str(error)) from None


def _freecell(board: FreeCellBoard) -> int:
    if board.cells or any(board.foundations):
        raise NotNumbered("expected a deal, got a position with cards in the cells or home")
    lengths = [len(column) for column in board.cascades]
    used = len(lengths) - lengths.count(0)
    if lengths[:used] != dealt_over(used):
        raise NotNumbered("expected a deal, got cascades of lengths that no deal has")
    rows = range(lengths[0])
    number = number_of_deck(
        [column[row] for row in rows for column in board.cascades if row < len(column)]
    )
    if number is None:
        raise NotNumbered("no Microsoft deal has these cards in this order")
    if used < len(lengths):
        raise NotNumbered(
            f"this is deal {number} over {used} cascades, not {len(lengths)}: say --cascades {used}"
        )
    return number


def _pysol(deck: Sequence[int]) -> int:
    number = number_of_deck(deck)
    if number is None:
        raise NotNumbered(
            f"not one of the deals 1 to {LARGEST_MICROSOFT:,}; larger numbers cannot be found "
            "from the cards"
        )
    if number > LARGEST_MICROSOFT:
        raise NotNumbered(
            f"not one of the deals 1 to {LARGEST_MICROSOFT:,}, but Microsoft's shuffle {number}, "
            f"which PySol FC calls ms{number}"
        )
    return number
