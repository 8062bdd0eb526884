"""Weighted sums of features in whole numbers, compiled for one size of game.

Searches that score millions of states a second do not compute the features one by one.
The sum is rearranged into one whole coefficient for each count that the board keeps, and
tables for all that depends on the numbers of cells and cascades in use. It equals the
weighted sum of ``heuristics.measure`` up to rounding. ``score_after`` computes the score
after a move from the differences that the move makes (delta evaluation).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numba import int64, uint64

from hsd.board import (
    BOTTOMS,
    BREAKS,
    CELL,
    COLUMNS,
    DROPS,
    EXPOSED,
    INVERSIONS,
    KINGS,
    LOOPS,
    NO_CARD,
    SORTED,
    STRIDE_BITS,
    part_at_bottom,
    part_on,
)
from hsd.heuristics import HSDH_RANGE, MOVES_MADE, NAMES
from jit import kernel
from jit.kernels.bits import count_bits

UNIT = 1 << 24
"""A score of 1."""
LARGEST = 127
"""An upper bound on scores, so that they fit in 32 bits."""
DEEPEST = 10_000
"""The most moves made that a score counts."""

# Coefficients by index; tables by cells and cascades in use begin at ROOM and EACH_EXPOSED.
(
    HOMES, LOWEST, HIGHEST, ABOVE, HSDH, SECOND, LEAST, OWN_SUIT, BREAK, INVERSION, DROP,
    UNSORTED, SORT, BOTTOM, BURIED, RANKS, MADE, BOUND, EACH_EXPOSED,
) = range(19)  # fmt: skip
ROOM = EACH_EXPOSED + 10
SIZE = ROOM + 8 * 10


@lru_cache(maxsize=1000)
def compiled(weights: bytes, cascades: int, cells: int) -> np.ndarray:
    """The coefficients (int64[109]) of an evaluator for a game of this size.

    Args:
        weights: float64[26], of every feature in order.
        cascades, cells: the game's size.

    Only the proportions of weights matter, so very large ones are halved until no score
    can exceed ``LARGEST``.
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
    out[BOUND] = weight["DeadlockBound"] / 48
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
    # From the exponents, as the product itself may be too large for a float.
    return math.frexp(peak)[1] + math.frexp(total / LARGEST)[1]


# The notes that ``prepare`` makes of a position.
_HOME_PART, _ABOVE, _SECOND, _RANKS, _NEXT_CARDS, _SECOND_CARDS = range(6)
NOTES = 6

# From no place to no place.
_NO_MOVE = 31 | (31 << 5)


@kernel
def _least_above(board, move):
    """Fewest cards above a next needed card after a move within the board; 0 if all are home."""
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    least = 52
    for s in range(4):
        if board.home[s] < 13:
            at = board.where[4 * (board.home[s] + 1) + s]
            over = 0
            if at >= 0:
                column = at >> STRIDE_BITS
                over = board.height[column] - 1 - (at & 63)
                # Cards that lie above it in the moved run stay above it.
                if column == source and over >= count:
                    over -= count
                elif column == target:
                    over += count
            least = min(least, over)
    return least if least < 52 else 0


@kernel
def prepare(board, k, notes):
    """Note what ``score_after`` needs to know of a position (``notes`` is int64[6])."""
    home = board.home
    above = 0
    second = 0
    next_cards = uint64(0)
    second_cards = uint64(0)
    kings = 4
    for s in range(4):
        if home[s] == 13:
            kings -= 1
            continue
        card = 4 * (home[s] + 1) + s
        next_cards |= uint64(1) << uint64(card)
        at = board.where[card]
        if at >= 0:
            above += board.height[at >> STRIDE_BITS] - 1 - (at & 63)
        if home[s] < 12:
            card += 4
            second_cards |= uint64(1) << uint64(card)
            at = board.where[card]
            if at >= 0:
                second += board.height[at >> STRIDE_BITS] - 1 - (at & 63)
    ranks = 0
    if board.size[2] > 0:
        for i in range(board.size[1]):
            card = board.cell[i]
            if card != NO_CARD:
                ranks += int64(card >> 2) - 1 - home[card & 3]
    notes[_HOME_PART] = (
        (home[0] + home[1] + home[2] + home[3]) * k[HOMES]
        + min(home[0], home[1], home[2], home[3]) * k[LOWEST]
        + max(home[0], home[1], home[2], home[3]) * k[HIGHEST]
        + kings * k[BURIED]
    )
    notes[_ABOVE] = above
    notes[_SECOND] = second
    notes[_RANKS] = ranks
    notes[_NEXT_CARDS] = int64(next_cards)
    notes[_SECOND_CARDS] = int64(second_cards)


@kernel
def _weigh(board, k, home_part, above, second, ranks, least, used, sums, made):
    columns = (sums >> COLUMNS) & 15
    stuck = used == board.size[1] and columns == board.size[0]
    return (
        home_part
        + k[ROOM + 10 * used + columns]
        + min(made, DEEPEST) * k[MADE]
        + ranks * k[RANKS]
        + above * k[ABOVE]
        + min(2 * above if stuck else above, HSDH_RANGE) * k[HSDH]
        + second * k[SECOND]
        + least * k[LEAST]
        - ((sums >> KINGS) & 7) * k[BURIED]
        + (sums & 63) * k[UNSORTED]
        + ((sums >> LOOPS) & 63) * k[OWN_SUIT]
        + ((sums >> BREAKS) & 63) * k[BREAK]
        + ((sums >> INVERSIONS) & 63) * k[INVERSION]
        + ((sums >> DROPS) & 1023) * k[DROP]
        + ((sums >> SORTED) & 63) * k[SORT]
        + ((sums >> EXPOSED) & 127) * k[EACH_EXPOSED + columns]
        + ((sums >> BOTTOMS) & 127) * k[BOTTOM]
    )


@kernel
def linear_score(board, k, notes, made):
    """The compiled weighted sum of a position's features, in units of ``1 / UNIT``.

    Args:
        k: int64[109], the coefficients.
        notes: int64[6], receives the notes of ``prepare``.
        made: moves of single cards so far.
    """
    prepare(board, k, notes)
    least = _least_above(board, _NO_MOVE) if k[LEAST] != 0 else 0
    return _weigh(
        board, k, notes[_HOME_PART], notes[_ABOVE], notes[_SECOND], notes[_RANKS], least,
        board.size[2], board.total[0], made,
    )  # fmt: skip


@kernel
def score_after(board, k, notes, move, made):
    """``linear_score`` after a move between cascades and cells, without making it.

    Args:
        notes: of the position before the move, by ``prepare``.
        move: the move.
        made: moves of single cards so far, this one included.

    Returns:
        The score, and the board's sums after the move.
    """
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    sums = board.total[0]
    above = notes[_ABOVE]
    second = notes[_SECOND]
    ranks = notes[_RANKS]
    used = board.size[2]
    next_cards = uint64(notes[_NEXT_CARDS])
    second_cards = uint64(notes[_SECOND_CARDS])
    first = 0
    if source >= CELL:
        card = board.cell[source - CELL]
        used -= 1
        ranks -= int64(card >> 2) - 1 - board.home[card & 3]
    else:
        end = (source << STRIDE_BITS) + board.height[source]
        first = end - count
        card = board.column[first]
        for i in range(first, end):
            sums -= board.part[i]
        if board.height[source] > count:
            left = board.under[first - 1]
            above -= count * count_bits(left & next_cards)
            second -= count * count_bits(left & second_cards)
    if target >= CELL:
        used += 1
        ranks += int64(card >> 2) - 1 - board.home[card & 3]
    else:
        depth = board.height[target]
        if depth == 0:
            under = uint64(1) << uint64(card)
            part = part_at_bottom(card)
        else:
            at = (target << STRIDE_BITS) + depth - 1
            met = board.under[at]
            above += count * count_bits(met & next_cards)
            second += count * count_bits(met & second_cards)
            part = part_on(card, board.column[at], met, board.part[at], depth)
            under = met | (uint64(1) << uint64(card))
        sums += part
        for i in range(1, count):
            beneath = card
            card = board.column[first + i]
            part = part_on(card, beneath, under, part, depth + i)
            under |= uint64(1) << uint64(card)
            sums += part
    least = _least_above(board, move) if k[LEAST] != 0 else 0
    score = _weigh(board, k, notes[_HOME_PART], above, second, ranks, least, used, sums, made)
    return score, sums
