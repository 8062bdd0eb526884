"""The number of a board that is a numbered deal.

Microsoft's shuffle can be undone: a deal of FreeCell has its number written in the order of its
cards (``deals.microsoft``). Klondike and Pyramid are dealt by PySol FC's numbers. Up to 32,000
those are the same shuffle. Above, a Mersenne twister shuffles, that Python's ``random.seed`` sets
by the number: its 19,937 bits are a hash of the number's 67, and each card tells at most six of
them. Nothing is known but to try one number after another, a hundred thousand a second.
"""

from __future__ import annotations

from collections.abc import Sequence

from deals.cards import DECK, DealError
from deals.checks import expected
from deals.freecell import FreeCellBoard
from deals.klondike import KlondikeBoard, shuffled_klondike
from deals.microsoft import number_of_deck
from deals.pyramid import PyramidDeck
from deals.pyramid_position import PyramidPosition
from deals.pysol import LARGEST_MICROSOFT

Board = FreeCellBoard | KlondikeBoard | PyramidDeck | PyramidPosition


class NotNumbered(DealError):
    """A board that is no numbered deal, or none whose number can be found; the message says why."""


def number_of(board: Board) -> int | None:
    """The number of a deal, in some milliseconds; None if there is none, or none can be found.

    It is the one that ``freecell``, with the board's cascades and cells, ``klondike`` or
    ``pyramid`` deal the board of.
    """
    try:
        return recognised(board)
    except NotNumbered:
        return None


def recognised(board: Board) -> int:
    """The number of a deal, as ``number_of`` finds it.

    Raises:
        NotNumbered: saying why there is none, or none can be found.
    """
    if isinstance(board, FreeCellBoard):
        return _freecell(board)
    if isinstance(board, PyramidPosition):
        raise NotNumbered("expected a deal, got a position in the middle of a game")
    if isinstance(board, PyramidDeck):
        return _pysol(board.cards)
    expected(board, KlondikeBoard, "a board is one of deals' boards", DealError)
    try:
        return _pysol(shuffled_klondike(board))
    except DealError as error:
        raise NotNumbered(str(error)) from None


def _freecell(board: FreeCellBoard) -> int:
    if board.cells or any(board.foundations):
        raise NotNumbered("expected a deal, got a position with cards in the cells or home")
    lengths = [len(column) for column in board.cascades]
    used = len(lengths) - lengths.count(0)
    if lengths[:used] != [len(range(place, len(DECK), used)) for place in range(used)]:
        raise NotNumbered("expected a deal, got cascades that are not as long as those of one")
    rows = range(lengths[0])
    number = number_of_deck(
        [column[row] for row in rows for column in board.cascades if row < len(column)]
    )
    if number is None:
        raise NotNumbered("no Microsoft deal has these cards in this order")
    if used < len(lengths):
        raise NotNumbered(
            f"it is deal {number} over {used} cascades, not {len(lengths)}: say --cascades {used}"
        )
    return number


def _pysol(deck: Sequence[int]) -> int:
    number = number_of_deck(deck)
    if number is None:
        raise NotNumbered(
            f"none of the deals 1 to {LARGEST_MICROSOFT:,}, and larger numbers cannot be told "
            "by the cards"
        )
    if number > LARGEST_MICROSOFT:
        raise NotNumbered(
            f"none of the deals 1 to {LARGEST_MICROSOFT:,}, but Microsoft's shuffle {number}, "
            f"which PySol FC calls ms{number}"
        )
    return number
