"""Where a search starts: a deck, or a position late in a game, as an array."""

from __future__ import annotations

import numpy as np

from deals.cards import rank_of
from deals.pyramid import PyramidDeck
from pyramid_solitaire.shapes import STOCK, WHOLE

ALL_STOCK = (1 << STOCK) - 1
PLACES = 52
"""After the ranks come the shape, the stock cards left, the stock's top and the cycle."""


def pack(
    ranks: list[int], shape: int = WHOLE, left: int = ALL_STOCK, at: int = 0, cycle: int = 0
) -> np.ndarray:
    """A position as searches take it.

    Args:
        ranks: of the 52 cards by position, 1 to 13.
        shape: of the pyramid, see ``pyramid_solitaire.shapes``.
        left: stock and waste cards that are left, as bits.
        at: the stock's top, 0 to 24; the cards before it are the waste.
        cycle: how many times the waste was recycled, 0 to 2.

    Returns:
        int64[56].
    """
    while at < STOCK and not left >> at & 1:
        at += 1
    return np.array([*ranks, shape, left, at, cycle], np.int64)


def pack_deck(deck: PyramidDeck) -> np.ndarray:
    """The first position of a game as searches take it."""
    return pack([rank_of(card) for card in deck.cards])
