"""Where a search starts: a deck, or a position in mid-game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deals.cards import rank_of
from deals.pyramid_deck import PyramidDeck
from deals.pyramid_position import GONE, PyramidBoard
from gafreecell.solitaire.pyramid.shapes import STOCK, WHOLE, shapes

ALL_STOCK = (1 << STOCK) - 1


class Start(NamedTuple):
    """A position as searches take it.

    Attributes:
        ranks: int64[52], the rank of the card at each position, 1 to 13.
        shape: the shape of the pyramid, see ``pyramid.shapes``.
        left: the cards left in stock and waste, one bit each.
        at: the index of the stock's top card, 24 if the stock is empty; the cards before it are
            the waste.
        cycle: how many times the waste was recycled, 0 to 2.
    """

    ranks: np.ndarray
    shape: int
    left: int
    at: int
    cycle: int


def pack(
    ranks: list[int], shape: int = WHOLE, left: int = ALL_STOCK, at: int = 0, cycle: int = 0
) -> Start:
    """A position as searches take it.

    Args:
        ranks, shape, left, cycle: as in ``Start``.
        at: any index after the waste's top card, up to the stock's top card; 0 to 24.
    """
    while at < STOCK and not left >> at & 1:
        at += 1
    return Start(np.array(ranks, np.int64), shape, left, at, cycle)


def filled_in(board: PyramidBoard) -> PyramidDeck:
    """A deck that a board could come from, as far as searches are concerned; a deck itself.

    Its stock begins with the waste and stock of the position, in the order in which they are
    turned. The cards that are gone fill all other places, in any order.
    """
    if isinstance(board, PyramidDeck):
        return board
    gone = list(board.gone)
    pyramid = [gone.pop() if card == GONE else card for card in board.pyramid]
    return PyramidDeck((*pyramid, *board.waste, *board.stock, *gone))


def pack_board(board: PyramidBoard) -> Start:
    """A board as searches take it, with the ranks of ``filled_in``."""
    ranks = [rank_of(card) for card in filled_in(board).cards]
    if isinstance(board, PyramidDeck):
        return pack(ranks)
    cards = sum(1 << place for place, card in enumerate(board.pyramid) if card != GONE)
    return pack(
        ranks,
        int(np.searchsorted(shapes().cards, cards)),
        (1 << (len(board.waste) + len(board.stock))) - 1,
        len(board.waste),
        board.recycles,
    )
