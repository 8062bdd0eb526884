"""Klondike's cards as bits of a 64-bit word, so that a set of cards is one integer.

The bit number of a card is ``4 * (rank - 1) + s`` with s 0 to 3 for clubs, spades,
diamonds, hearts. So the two suits of a colour are adjacent.
"""

from __future__ import annotations

SUIT_PLACE = (0, 2, 3, 1)
"""``s`` of each suit of ``deals.cards`` (clubs, diamonds, hearts, spades)."""
PILES = 7
STRIDE = 32
"""In arrays, pile p begins at index ``STRIDE * p``; a pile has at most 19 cards."""


def bit_of(card: int) -> int:
    """The bit number of a card of ``deals.cards``."""
    return 4 * ((card >> 2) - 1) + SUIT_PLACE[card & 3]
