"""Microsoft's and PySol FC's shuffles as kernels.

``deals.microsoft`` and ``deals.pysol`` are their plain Python twins. PySol FC's numbers up to
32,000 use Microsoft's shuffle, larger ones the Mersenne twister (Matsumoto and Nishimura 1998),
seeded as in CPython.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deals.cards import DECK
from deals.pysol import LARGEST_MICROSOFT, NEW_DECK
from gafreecell.jit.compiling import int64, kernel

_SIZE, _AHEAD = 624, 397
_WORD, _HIGHEST = 2**32 - 1, 2**31
_CARDS = len(DECK)
# Shuffled decks are dealt from their ends.
_MICROSOFTS, _PYSOLS = (np.array(deck[::-1], np.int64) for deck in (DECK, NEW_DECK))


@kernel
def shuffle_microsoft(number: int, deck: np.ndarray) -> None:
    """Shuffle the deck of one of Microsoft's deals.

    Args:
        number: 1 to 2^31 - 1.
        deck: int64[52], gets the cards (``deals.cards``) in the order in which they are dealt.
    """
    for i in range(_CARDS):
        deck[i] = _MICROSOFTS[i]
    state = number
    for i in range(_CARDS - 1):
        state = (state * 214013 + 2531011) & (_HIGHEST - 1)
        other = _CARDS - 1 - (state >> 16) % (_CARDS - i)
        deck[i], deck[other] = deck[other], deck[i]


def _seeded(seed: int) -> np.ndarray:
    """The Mersenne twister's state (int64[624]) for a seed of one word."""
    state = [seed]
    for i in range(1, _SIZE):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & _WORD)
    return np.array(state, np.int64)


_SEEDED = _seeded(19650218)


class Shuffled(NamedTuple):
    """A shuffled deck.

    Attributes:
        deck: int64[52], the cards (``deals.cards``) in the order in which they are dealt.
        twister: int64[624], scratch.
    """

    deck: np.ndarray
    twister: np.ndarray


def new_shuffled() -> Shuffled:
    """Arrays for a shuffled deck."""
    return Shuffled(np.zeros(_CARDS, np.int64), np.zeros(_SIZE, np.int64))


@kernel
def shuffle_pysol(number: int, shuffled: Shuffled) -> None:
    """Shuffle the deck of one of PySol FC's deals.

    Args:
        number: 1 to 2^63 - 1.
        shuffled: gets the deck.
    """
    deck, twister = shuffled.deck, shuffled.twister
    if number <= LARGEST_MICROSOFT:
        shuffle_microsoft(number, deck)
        return
    for i in range(_CARDS):
        deck[i] = _PYSOLS[i]
    _seed(number, twister)
    for i in range(_CARDS - 1):
        high, low = _word(twister, 2 * i) >> 5, _word(twister, 2 * i + 1) >> 6
        # A fraction of 53 bits, as from ``random.random``.
        pick = int64((high * 67108864.0 + low) / 9007199254740992.0 * (_CARDS - i))
        other = _CARDS - 1 - pick
        deck[i], deck[other] = deck[other], deck[i]


@kernel
def _seed(number: int, state: np.ndarray) -> None:
    """Seed the twister with the one or two words of a number (its authors' ``init_by_array``)."""
    two = int64(number > _WORD)
    for i in range(_SIZE):
        state[i] = _SEEDED[i]
    before, i = state[0], 1
    for turn in range(_SIZE):
        j = turn & two
        key = ((number >> (32 * j)) & _WORD) + j
        before = ((state[i] ^ ((before ^ (before >> 30)) * 1664525)) + key) & _WORD
        state[i] = before
        i = i + 1 if i + 1 < _SIZE else 1
    for _ in range(_SIZE - 1):
        before = ((state[i] ^ ((before ^ (before >> 30)) * 1566083941)) - i) & _WORD
        state[i] = before
        i = i + 1 if i + 1 < _SIZE else 1
    state[0] = _HIGHEST


@kernel
def _word(state: np.ndarray, k: int) -> int:
    """The k-th word that the twister draws; k is below 227."""
    both = (state[k] & _HIGHEST) | (state[k + 1] & (_HIGHEST - 1))
    word = state[k + _AHEAD] ^ (both >> 1) ^ (-(both & 1) & 0x9908B0DF)
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)
