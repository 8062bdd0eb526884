"""The Microsoft shuffle: deal numbers 1 to 2^31 - 1, and the number of a shuffled deck.

The generator is that of Microsoft's C run-time library, as published by Jim
Horne, who wrote the Windows FreeCell, and as ``pysol-cards`` and fc-solve use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING

from deals.cards import DECK, DealError
from deals.checks import deal_number

if TYPE_CHECKING:
    import numpy as np

LARGEST_DEAL = 2**31 - 1

_FACTOR, _TERM = 214013, 2531011
_MODULUS = 2**31
_DRAWN = 16
"""The lowest bits of the generator's state, which it does not give out."""


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
        state = (state * _FACTOR + _TERM) % _MODULUS
        pick = (state >> _DRAWN) % len(left)
        dealt.append(left[pick])
        left[pick] = left[-1]
        left.pop()
    return tuple(dealt)


def number_of_deck(deck: Sequence[int]) -> int | None:
    """The deal whose 52 cards come in this order; None if no Microsoft deal has it.

    It takes some milliseconds. The lowest bits of the state run on without the others, and a
    pick among an even number of cards tells the lowest of the bits given out. So the 2^16 bits
    that are not given out are found first, alone, and then the others, instead of all 2^31 at
    once.

    Args:
        deck: the cards of one full deck.
    """
    import numpy as np

    picks = _picks(deck)
    # The first pick is among 52 cards, so it tells two bits; of any other pick no more is used.
    known = 2
    low = np.arange(2**_DRAWN, dtype=np.int64) | (picks[0] % 2**known) << _DRAWN
    low = _with_picks(low, picks, known)
    high = np.arange(2 ** (31 - _DRAWN - known), dtype=np.int64) << (_DRAWN + known)
    first = _with_picks((low[:, None] | high).ravel(), picks, 31 - _DRAWN)
    numbers = (first - _TERM) * pow(_FACTOR, -1, _MODULUS) % _MODULUS
    return min((n for n in numbers.tolist() if n), default=None)


def _picks(deck: Sequence[int]) -> list[int]:
    """Which of the cards left was dealt, for each card of a deck."""
    left = list(DECK)
    picks = []
    for card in deck:
        picks.append(left.index(card))
        left[picks[-1]] = left[-1]
        left.pop()
    return picks


def _with_picks(first: np.ndarray, picks: Sequence[int], bits: int) -> np.ndarray:
    """The states at the first pick that lead to all picks, as far as some bits can tell.

    Args:
        first: states, of which the bits not given out and so many others are right.
        picks: among 52, 51, ... cards.
        bits: how many of the bits given out are right, the lowest ones; 15 are all.
    """
    state = first.copy()
    for place, pick in enumerate(picks):
        # All the bits tell the remainder, some of them only that by a power of two.
        left = len(picks) - place
        told = left if bits == 31 - _DRAWN else gcd(left, 2**bits)
        if told > 1:
            agree = (state >> _DRAWN) % told == pick % told
            first, state = first[agree], state[agree]
        state = (state * _FACTOR + _TERM) % 2 ** (_DRAWN + bits)
    return first
