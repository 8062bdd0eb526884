"""PySol FC's deal numbers, shuffled by its own package, ``pysol-cards``.

Numbers up to 32,000 use Microsoft's shuffle, larger ones PySol FC's Mersenne twister.
A game takes the cards in the order of ``shuffled_pysol`` and lays them out in its own
way.
"""

from __future__ import annotations

from deals.cards import DealError, card
from deals.checks import deal_number

LARGEST_MICROSOFT = 32_000
"""The largest number with Microsoft's shuffle. PySol FC writes larger Microsoft deals ``ms...``."""
LARGEST_PYSOL = 10**20
"""The largest number that PySol FC accepts; its package does not check this."""

NEW_DECK = tuple(card(rank, suit) for suit in (0, 3, 2, 1) for rank in range(1, 14))
"""The package's deck before the shuffle: suit by suit, ace to king."""


def shuffled_pysol(number: int) -> tuple[int, ...]:
    """The 52 cards of a PySol FC deal in the order in which they are dealt.

    Args:
        number: 1 to 10^20.

    Raises:
        DealError: if the number is out of range.
    """
    number = deal_number(number, LARGEST_PYSOL, DealError)
    # Imported here because boards read from text do not need it.
    from pysol_cards.random import shuffle
    from pysol_cards.random_base import RandomBase

    # PySol FC deals from the end of the shuffled deck.
    return tuple(reversed(shuffle(list(NEW_DECK), number, RandomBase.DEALS_PYSOLFC)))
