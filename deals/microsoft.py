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
"""How many of the lowest bits of its state the generator does not output."""


def shuffled_deck(number: int) -> tuple[int, ...]:
    """The 52 cards of a Microsoft deal in the order in which they are dealt.

    Raises:
        DealError: if the number is not between 1 and 2^31 - 1.
    """
    state = deal_number(number, LARGEST_DEAL, DealError)
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
    """The number of the Microsoft deal whose cards come in this order; None if there is none.

    It takes some milliseconds. The lowest bits of the generator's state do not depend on the
    higher ones, and a pick among an even number of cards reveals the lowest bit of the output.
    So we first find the 16 lowest bits, which are not part of the output, and then the others,
    instead of searching all 2^31 states.

    Args:
        deck: the cards of one full deck.
    """
    import numpy as np

    picks = _picks(deck)
    # The first pick is among 52 cards, so it reveals two bits. We use no more of any other pick.
    known = 2
    low = np.arange(2**_DRAWN, dtype=np.int64) | (picks[0] % 2**known) << _DRAWN
    low = _with_picks(low, picks, known)
    high = np.arange(2 ** (31 - _DRAWN - known), dtype=np.int64) << (_DRAWN + known)
    first = _with_picks((low[:, None] | high).ravel(), picks, 31 - _DRAWN)
    numbers = (first - _TERM) * pow(_FACTOR, -1, _MODULUS) % _MODULUS
    return min((n for n in numbers.tolist() if n), default=None)


def _picks(deck: Sequence[int]) -> list[int]:
    """For each card of a deck, its index among the cards that were left when it was dealt."""
    left = list(DECK)
    picks = []
    for card in deck:
        picks.append(left.index(card))
        left[picks[-1]] = left[-1]
        left.pop()
    return picks


def _with_picks(first: np.ndarray, picks: Sequence[int], bits: int) -> np.ndarray:
    """Those states at the first pick that lead to all picks, as far as their lowest bits tell.

    Args:
        first: candidates for the state at the first pick.
        picks: indices among 52, 51, ... cards.
        bits: how many bits of the output are known, from the lowest; 15 are all.
    """
    state = first.copy()
    for place, pick in enumerate(picks):
        # All bits give the remainder by any number, some of them only that by a power of two.
        left = len(picks) - place
        told = left if bits == 31 - _DRAWN else gcd(left, 2**bits)
        if told > 1:
            agree = (state >> _DRAWN) % told == pick % told
            first, state = first[agree], state[agree]
        state = (state * _FACTOR + _TERM) % 2 ** (_DRAWN + bits)
    return first
