"""Microsoft's shuffle as a kernel (``deals.microsoft`` is its plain Python twin)."""

from __future__ import annotations

import numpy as np

from deals.cards import DECK
from gafreecell.jit.compiling import kernel

_FACTOR, _TERM, _MASK = 214013, 2531011, 2**31 - 1
_CARDS = len(DECK)
# Shuffled decks are dealt from their ends.
_FIRST = np.array(DECK[::-1], np.int64)


@kernel
def shuffle(number: int, deck: np.ndarray) -> None:
    """Shuffle the deck of a deal.

    Args:
        number: 1 to 2^31 - 1.
        deck: int64[52], gets the cards (``deals.cards``) in the order in which they are dealt.
    """
    for i in range(_CARDS):
        deck[i] = _FIRST[i]
    state = number
    for i in range(_CARDS - 1):
        state = (state * _FACTOR + _TERM) & _MASK
        other = _CARDS - 1 - (state >> 16) % (_CARDS - i)
        deck[i], deck[other] = deck[other], deck[i]
