"""Zobrist hashing: one random number for each pair of a card and the card beneath it.

A hash therefore does not depend on the order of the cascades or of the cells: boards that differ
only in that order are the same state. Cards home need no number, as they are the ones that lie
nowhere else. A hash has 128 bits in two words; searches that prove nothing use only the first word.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import kernel

NO_CARD, IN_CELL = 0, 1
"""What lies beneath the deepest card of a cascade, and beneath a card in a cell."""


def _zobrist_numbers() -> np.ndarray:
    """2 * 64 * 64 numbers by SplitMix64 (Steele, Lea and Flood 2014), the same on every machine."""
    mask = 2**64 - 1
    numbers = []
    state = 0x46726565_43656C6C
    for _ in range(2 * 64 * 64):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        numbers.append(z ^ (z >> 31))
    return np.array(numbers, np.uint64)


# The two words of a pair are adjacent.
_ZOBRIST = np.ascontiguousarray(_zobrist_numbers().reshape(2, -1).T).ravel()


@kernel
def zobrist(card: int, beneath: int, word: int) -> int:
    """A word of the Zobrist number of a card on another card, on no card or in a cell."""
    return _ZOBRIST[(card << 7) | (beneath << 1) | word]
