"""Sums over the cards in cascades, updated with each move (delta evaluation).

A card's share in the sums depends only on the cards beneath it, so heuristics need no loop over the
cards. All sums are fields of one word; none overflows its field.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import kernel, uint64
from gafreecell.jit.kernels.bits import lowest_bit

# The fields, each named by its lowest bit.
OUTSIDE, LOOPS, BREAKS, INVERSIONS, DROPS = 0, 6, 12, 18, 24
SORTED, EXPOSED, BOTTOMS, KINGS, COLUMNS = 34, 40, 47, 54, 57


@kernel
def fits(card: int, target: int) -> bool:
    """Whether a card may lie on another in a cascade: one rank lower, other colour."""
    if (target >> 2) != (card >> 2) + 1:
        return False
    return (((card ^ (card >> 1)) ^ (target ^ (target >> 1))) & 1) != 0


OF_SUIT = np.array([sum(1 << (4 * r + s) for r in range(1, 14)) for s in range(4)], np.int64)
"""The set of the cards of each suit, one bit each."""


@kernel
def part_at_bottom(card: int) -> int:
    """The share in the sums of a card that is the deepest of its cascade."""
    rank = card >> 2
    part = (1 << SORTED) | (rank << EXPOSED) | (rank << BOTTOMS) | (1 << COLUMNS)
    if rank == 13:
        part |= 1 << KINGS
    return part


@kernel
def part_on(card: int, beneath: int, under: int, part_beneath: int, depth: int) -> int:
    """The share in the sums of a card that lies on another.

    Args:
        card, beneath: the card, and the one it lies on.
        under: the set of the cards beneath it.
        part_beneath: the share of the card beneath.
        depth: how many cards lie beneath it.
    """
    rank = card >> 2
    lowest = lowest_bit(under) >> 2
    part = (rank - (beneath >> 2)) << EXPOSED
    outside = part_beneath & 1
    if not fits(card, beneath):
        part += 1 << BREAKS
        if not outside:
            # The cascade was sorted so far: its cards no longer count as sorted.
            part -= depth << SORTED
            outside = 1
    elif not outside:
        part += 1 << SORTED
    part += outside
    if rank > lowest:
        part += (1 << INVERSIONS) + ((rank - lowest) << DROPS)
        if under & uint64(OF_SUIT[card & 3]) & ((uint64(1) << uint64(card)) - uint64(1)):
            part += 1 << LOOPS
    return part
