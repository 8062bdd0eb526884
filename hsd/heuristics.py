"""The paper's nine heuristics as distances: 0 at the goal, at most 1, smaller is better.

GA-FreeCell (Elyasaf, Hauptman and Sipper 2011, section 3.2 and Table 1) lists
them. Several of them grow with progress there, and their scales are left open. Here
all of them shrink towards the goal, and each is divided by its range. Ranks run from
1 (ace) to 13 (king).
"""

from __future__ import annotations

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
from jit import kernel
from solving.features import Feature

HSDH_RANGE = 96
"""At most 48 cards lie above the next ones of the four suits; that number is doubled."""

NINE = (
    Feature(
        "HSDH",
        "cards above the next needed card of each suit, doubled without a free cell or an empty "
        "cascade, / 96",
        baseline=1.0,
    ),
    Feature("NumberWellPlaced", "cards in cascades that are not sorted from top to bottom, / 52"),
    Feature("NumCardsNotAtFoundations", "cards not home, / 52"),
    Feature("FreeCells", "share of cells and cascades that are occupied"),
    Feature(
        "DifferenceFromTop", "mean rank of exposed cards less mean foundation rank, + 13, / 26"
    ),
    Feature("LowestHomeCard", "13 less the lowest foundation rank, / 13"),
    Feature("HighestHomeCard", "13 less the highest foundation rank, / 13"),
    Feature("DifferenceHome", "highest less lowest foundation rank, / 13"),
    Feature(
        "SumOfBottomCards",
        "best sum of ranks the cascades' deepest cards could have, less theirs, / 100",
    ),
)
MOVES_MADE = "MovesMade"
DEADLOCK_BOUND = "DeadlockBound"
NOT_OF_BOARD = frozenset({MOVES_MADE, DEADLOCK_BOUND})
"""Features that are not computed from a board alone, so that a search has to support them."""
FURTHER = (
    Feature("AboveNext", "cards above the next needed card of each suit, / 48"),
    Feature("AboveSecond", "cards above the card after the next needed one of each suit, / 48"),
    Feature("LeastAboveNext", "fewest cards above a next needed card, / 18"),
    Feature("OwnSuitBelow", "cards above a lower one of their suit: each must move first, / 48"),
    Feature("SequenceBreaks", "cards that do not fit on the card beneath them, / 51"),
    Feature("Inversions", "cards with a lower one somewhere beneath them, / 51"),
    Feature("InversionDepth", "by how many ranks those exceed the lowest beneath, / 200"),
    Feature("NotPlaced", "cards neither home nor in the sorted run at a cascade's bottom, / 52"),
    Feature("KingsBuried", "kings neither home nor deepest in their cascade, / 4"),
    Feature("CellsUsed", "cards in free cells, / cells"),
    Feature("CellsUsedSquared", "the square of CellsUsed: the last cell is worth most"),
    Feature("CellsFull", "1 if no cell is free"),
    Feature("CellRanks", "how far the cards in cells are from their turn home, / (12 * cells)"),
    Feature("OccupiedColumns", "cascades that are not empty, / cascades"),
    Feature("CellsTimesColumns", "CellsUsed times OccupiedColumns: room of one kind makes good"),
    Feature(MOVES_MADE, "moves of single cards so far, home moves left out, / 100"),
    Feature(DEADLOCK_BOUND, "lower bound on the moves left that are not home moves, / 48"),
)
FEATURES = NINE + FURTHER
NAMES = tuple(feature.name for feature in FEATURES)


@kernel
def measure(board, values):
    """Write all features of a position but the last two into ``values`` (float64[26])."""
    home = board.home
    cascades = board.size[0]
    cells = board.size[1]
    used = board.size[2]
    sums = board.total[0]
    columns = (sums >> COLUMNS) & 15
    total = home[0] + home[1] + home[2] + home[3]
    in_columns = 52 - total - used
    above = 0
    second = 0
    least = 99
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
        if home[s] < 12:
            at = board.where[4 * (home[s] + 2) + s]
            if at >= 0:
                second += board.height[at >> STRIDE_BITS] - 1 - (at & 63)
    ranks = 0
    if used > 0:
        for i in range(cells):
            card = board.cell[i]
            if card != NO_CARD:
                ranks += int64(card >> 2) - 1 - home[card & 3]
    free = cells - used + cascades - columns
    lowest = min(home[0], home[1], home[2], home[3])
    highest = max(home[0], home[1], home[2], home[3])
    # The best sum of ranks: four of the deepest cards are kings, four are queens, one is a jack.
    best = 13 * min(columns, 4) + 12 * min(max(columns - 4, 0), 4) + 11 * max(columns - 8, 0)
    exposed = (sums >> EXPOSED) & 127
    mean_exposed = exposed / columns if columns > 0 else 0.0
    values[0] = min((2 * above if free == 0 else above) / HSDH_RANGE, 1.0)
    values[1] = (in_columns - ((sums >> SORTED) & 63)) / 52
    values[2] = (52 - total) / 52
    values[3] = 1.0 - free / (cells + cascades)
    values[4] = (13.0 + mean_exposed - total / 4) / 26
    values[5] = (13 - lowest) / 13
    values[6] = (13 - highest) / 13
    values[7] = (highest - lowest) / 13
    values[8] = (best - ((sums >> BOTTOMS) & 127)) / 100
    share = used / max(cells, 1)
    occupied = columns / cascades
    values[9] = above * (1 / 48)
    values[10] = second * (1 / 48)
    values[11] = least * (1 / 18) if total < 52 else 0.0
    values[12] = ((sums >> LOOPS) & 63) * (1 / 48)
    values[13] = ((sums >> BREAKS) & 63) * (1 / 51)
    values[14] = ((sums >> INVERSIONS) & 63) * (1 / 51)
    values[15] = ((sums >> DROPS) & 1023) * (1 / 200)
    values[16] = ((sums & 63) + used) * (1 / 52)
    values[17] = (kings - ((sums >> KINGS) & 7)) * (1 / 4)
    values[18] = share
    values[19] = share * share
    values[20] = 1.0 if used == cells else 0.0
    values[21] = ranks / (12 * max(cells, 1))
    values[22] = occupied
    values[23] = share * occupied


@kernel
def score(board, weights, values):
    """The weighted sum of a position's features.

    Args:
        weights: float64[26], of every feature in order.
        values: float64[26], scratch; MovesMade and DeadlockBound are set by the caller.
    """
    measure(board, values)
    total = 0.0
    for i in range(weights.size):
        total += weights[i] * values[i]
    return total
