"""Cards of Klondike as bits of a word, so that sets of cards are numbers.

The bit of a card is ``4 * (rank - 1) + s`` with s 0 to 3 for clubs, spades,
diamonds, hearts: the two suits of a colour are adjacent.
"""

from __future__ import annotations

SUIT_PLACE = (0, 2, 3, 1)
"""Where the suits of ``deals.cards`` (clubs, diamonds, hearts, spades) lie."""
PILES = 7
STRIDE = 32
"""In arrays the cards of pile p begin at ``STRIDE * p``; a pile has 19 cards at most."""


def bit_of(card: int) -> int:
    """The bit of a card of ``deals.cards``."""
    return 4 * ((card >> 2) - 1) + SUIT_PLACE[card & 3]
