"""Where a search starts: a deck, or a position late in a game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deals.cards import rank_of
from deals.pyramid import PyramidDeck
from pyramid_solitaire.shapes import STOCK, WHOLE

ALL_STOCK = (1 << STOCK) - 1


class Start(NamedTuple):
    """A position as searches take it.

    Attributes:
        ranks: int64[52], of the cards by position, 1 to 13.
        shape: of the pyramid, see ``pyramid_solitaire.shapes``.
        left: stock and waste cards that are left, as bits.
        at: the stock's top, 24 if it is empty; the cards before it are the waste.
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
        ranks, shape, left, cycle: as ``Start`` has them.
        at: any place from the waste's top to the stock's, 0 to 24.
    """
    while at < STOCK and not left >> at & 1:
        at += 1
    return Start(np.array(ranks, np.int64), shape, left, at, cycle)


def pack_deck(deck: PyramidDeck) -> Start:
    """The first position of a game as searches take it."""
    return pack([rank_of(card) for card in deck.cards])
