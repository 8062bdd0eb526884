"""Weighted sums of features in whole numbers, compiled for one size of game.

Searches that score millions of states a second need no list of features: the
sum is rearranged into one whole coefficient for each count the board keeps, and
tables for what depends on cells and cascades in use. It equals the sum of
``heuristics.measure`` up to rounding.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numba import int64

from hsd.board import (
    BOTTOMS,
    BREAKS,
    COLUMNS,
    DROPS,
    EXPOSED,
    INVERSIONS,
    KINGS,
    LOOPS,
    NO_CARD,
    SORTED,
    STRIDE_BITS,
)
from hsd.heuristics import HSDH_RANGE, MOVES_MADE, NAMES
from solving.runtime import kernel

UNIT = 1 << 24
"""A score of 1."""
LARGEST = 127
"""Scores stay below it, so that they fit in 32 bits."""
DEEPEST = 10_000
"""Moves made are weighed up to here."""

# Coefficients by index; from ROOM and EACH_EXPOSED on, tables by cells and cascades in use.
(
    HOMES, LOWEST, HIGHEST, ABOVE, HSDH, SECOND, LEAST, OWN_SUIT, BREAK, INVERSION, DROP,
    UNSORTED, SORT, BOTTOM, BURIED, RANKS, MADE, EACH_EXPOSED,
) = range(18)  # fmt: skip
ROOM = EACH_EXPOSED + 10
SIZE = ROOM + 8 * 10


@lru_cache(maxsize=1000)
def compiled(weights: bytes, cascades: int, cells: int) -> np.ndarray:
    """The coefficients (int64[108]) of an evaluator for a game of this size.

    Args:
        weights: float64[25], of every feature in order.
        cascades, cells: the game's size. Only the proportions of weights count, so
            very large ones are halved until no score can leave its range.
    """
    given = np.frombuffer(weights)
    weight = dict(zip(NAMES, np.ldexp(given, -halvings(given)).tolist(), strict=True))
    out = np.zeros(SIZE)
    placed = weight["NotPlaced"] / 52
    well = weight["NumberWellPlaced"] / 52
    lowest, highest = weight["LowestHomeCard"] / 13, weight["HighestHomeCard"] / 13
    spread = weight["DifferenceHome"] / 13
    top = weight["DifferenceFromTop"] / 26
    out[HOMES] = -well - weight["NumCardsNotAtFoundations"] / 52 - top / 4
    out[LOWEST] = -lowest - spread
    out[HIGHEST] = spread - highest
    out[ABOVE] = weight["AboveNext"] / 48
    out[HSDH] = weight["HSDH"] / HSDH_RANGE
    out[SECOND] = weight["AboveSecond"] / 48
    out[LEAST] = weight["LeastAboveNext"] / 18
    out[OWN_SUIT] = weight["OwnSuitBelow"] / 48
    out[BREAK] = weight["SequenceBreaks"] / 51
    out[INVERSION] = weight["Inversions"] / 51
    out[DROP] = weight["InversionDepth"] / 200
    out[UNSORTED] = placed
    out[SORT] = -well
    out[BOTTOM] = -weight["SumOfBottomCards"] / 100
    out[BURIED] = weight["KingsBuried"] / 4
    out[RANKS] = weight["CellRanks"] / (12 * max(cells, 1))
    out[MADE] = weight["MovesMade"] / 100
    fixed = 52 * well + weight["NumCardsNotAtFoundations"] + 13 * (lowest + highest) + 13 * top
    for columns in range(cascades + 1):
        out[EACH_EXPOSED + columns] = top / columns if columns else 0
        best = 13 * min(columns, 4) + 12 * min(max(columns - 4, 0), 4) + 11 * max(columns - 8, 0)
        for used in range(cells + 1):
            share, occupied = used / max(cells, 1), columns / cascades
            free = cells - used + cascades - columns
            out[ROOM + 10 * used + columns] = (
                fixed
                - used * well
                + used * placed
                + weight["FreeCells"] * (1 - free / (cells + cascades))
                + weight["SumOfBottomCards"] * best / 100
                + weight["CellsUsed"] * share
                + weight["CellsUsedSquared"] * share**2
                + weight["CellsFull"] * (used == cells)
                + weight["OccupiedColumns"] * occupied
                + weight["CellsTimesColumns"] * share * occupied
            )
    return np.rint(out * UNIT).astype(np.int64)


def halvings(weights: np.ndarray) -> int:
    """How often the weights are halved so that every score stays below ``LARGEST``."""
    peak = float(np.abs(weights).max())
    if peak == 0:
        return 0
    shares = np.abs(weights / peak)
    shares[NAMES.index(MOVES_MADE)] *= DEEPEST / 100
    total = float(shares.sum())
    if peak * total <= LARGEST:
        return 0
    # By its exponents: the product itself may be too large for a float.
    return math.frexp(peak)[1] + math.frexp(total / LARGEST)[1]


@kernel
def linear_score(board, k, made):
    """The compiled weighted sum of a position's features, in units of ``1 / UNIT``.

    Args:
        k: int64[108], the coefficients.
        made: moves of single cards so far.
    """
    home = board.home
    used = board.size[2]
    sums = board.total[0]
    columns = (sums >> COLUMNS) & 15
    above = 0
    second = 0
    least = 52 if home[0] + home[1] + home[2] + home[3] < 52 else 0
    kings = 4
    for s in range(4):
        if home[s] == 13:
            kings -= 1
            continue
        at = board.where[4 * (home[s] + 1) + s]
        over = 0
        if at >= 0:
            over = board.height[at >> STRIDE_BITS] - 1 - (at & 63)
        above += over
        least = min(least, over)
        # One above a king's number nothing lies: its place is never set.
        at = board.where[4 * (home[s] + 2) + s]
        if at >= 0:
            second += board.height[at >> STRIDE_BITS] - 1 - (at & 63)
    score = k[ROOM + 10 * used + columns] + min(made, DEEPEST) * k[MADE]
    if used > 0:
        ranks = 0
        for i in range(board.size[1]):
            card = board.cell[i]
            if card != NO_CARD:
                ranks += int64(card >> 2) - 1 - home[card & 3]
        score += ranks * k[RANKS]
    stuck = used == board.size[1] and columns == board.size[0]
    score += above * k[ABOVE] + min(2 * above if stuck else above, HSDH_RANGE) * k[HSDH]
    score += second * k[SECOND] + least * k[LEAST]
    score += (home[0] + home[1] + home[2] + home[3]) * k[HOMES]
    score += min(home[0], home[1], home[2], home[3]) * k[LOWEST]
    score += max(home[0], home[1], home[2], home[3]) * k[HIGHEST]
    score += (kings - ((sums >> KINGS) & 7)) * k[BURIED]
    score += (sums & 63) * k[UNSORTED] + ((sums >> LOOPS) & 63) * k[OWN_SUIT]
    score += ((sums >> BREAKS) & 63) * k[BREAK] + ((sums >> INVERSIONS) & 63) * k[INVERSION]
    score += ((sums >> DROPS) & 1023) * k[DROP] + ((sums >> SORTED) & 63) * k[SORT]
    score += ((sums >> EXPOSED) & 127) * k[EACH_EXPOSED + columns]
    score += ((sums >> BOTTOMS) & 127) * k[BOTTOM]
    return score
