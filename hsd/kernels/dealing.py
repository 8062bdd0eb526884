"""Microsoft deals as packed boards, made in a kernel."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.shuffles import shuffle_microsoft
from hsd.kernels.packed import CARDS, HEIGHT_BITS


@kernel
def deal(number: int, cascades: int, packed: np.ndarray, start: int, deck: np.ndarray) -> None:
    """Write the packed board of a deal.

    Args:
        number: 1 to 2^31 - 1.
        cascades: the number of cascades, to which the cards are dealt in turn.
        packed: uint64, receives 16 words from ``start`` on.
        deck: int64[52], scratch.
    """
    shuffle_microsoft(number, deck)
    for i in range(16):
        packed[start + i] = 0
    at = start + CARDS
    heights = 0
    for c in range(cascades):
        height = (51 - c) // cascades + 1
        heights |= height << (HEIGHT_BITS * c)
        for i in range(height):
            card = uint64(deck[c + cascades * i])
            packed[at + (i >> 3)] |= card << uint64(8 * (i & 7))
        at += (height + 7) >> 3
    packed[start] = uint64(int64(heights))
