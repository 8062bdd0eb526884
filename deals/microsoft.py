"""The Microsoft shuffle: deal numbers 1 to 2^31 - 1.

The generator is that of Microsoft's C run-time library, as published by Jim
Horne, who wrote the Windows FreeCell, and as ``pysol-cards`` and fc-solve use it.
"""

from __future__ import annotations

from deals.cards import DECK, DealError
from deals.checks import deal_number

LARGEST_DEAL = 2**31 - 1


def check_number(number: int) -> int:
    """The number itself if it is a Microsoft deal number.

    Raises:
        DealError: if it is no whole number between 1 and 2^31 - 1.
    """
    return deal_number(number, LARGEST_DEAL, DealError)


def shuffled_deck(number: int) -> tuple[int, ...]:
    """The 52 cards of a Microsoft deal in the order they are dealt.

    Raises:
        DealError: if the number is not between 1 and 2^31 - 1.
    """
    state = check_number(number)
    left = list(DECK)
    dealt = []
    while left:
        state = (state * 214013 + 2531011) & 0x7FFFFFFF
        pick = (state >> 16) % len(left)
        dealt.append(left[pick])
        left[pick] = left[-1]
        left.pop()
    return tuple(dealt)
