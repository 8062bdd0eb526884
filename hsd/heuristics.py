"""The paper's nine heuristics as distances: 0 at the goal, at most 1, smaller is better.

GA-FreeCell (Elyasaf, Hauptman and Sipper 2011, section 3.2 and Table 1) lists
them; several of them grow with progress there and scales are left open. Here
each is turned so that it shrinks on the way to the goal, and divided by its
range. Ranks run from 1 (ace) to 13 (king).
"""

from __future__ import annotations

from hsd.board import STRIDE_BITS, fits
from solving.features import Feature
from solving.runtime import kernel

HSDH_RANGE = 96
"""48 cards can lie above the four next ones in four cascades; doubled."""

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
NAMES = tuple(feature.name for feature in NINE)


@kernel
def measure(board, values):
    """Write the nine distances of a position into ``values`` (float64[9]), in Table 1's order."""
    home = board.home
    cascades = board.size[0]
    columns = 0
    exposed = 0
    bottoms = 0
    sorted_cards = 0
    in_columns = 0
    for c in range(cascades):
        height = board.height[c]
        if height == 0:
            continue
        base = c << STRIDE_BITS
        columns += 1
        in_columns += height
        exposed += board.column[base + height - 1] >> 2
        bottoms += board.column[base] >> 2
        i = 1
        while i < height and fits(board.column[base + i], board.column[base + i - 1]):
            i += 1
        if i == height:
            sorted_cards += height
    above = 0
    for s in range(4):
        if home[s] < 13:
            at = board.where[4 * (home[s] + 1) + s]
            if at >= 0:
                c = at >> STRIDE_BITS
                above += (c << STRIDE_BITS) + board.height[c] - 1 - at
    free = board.size[1] - board.size[2] + cascades - columns
    if free == 0:
        above *= 2
    lowest = min(home[0], home[1], home[2], home[3])
    highest = max(home[0], home[1], home[2], home[3])
    total = home[0] + home[1] + home[2] + home[3]
    # Of m deepest cards at most four can be kings, four queens, one a jack.
    best = 13 * min(columns, 4) + 12 * min(max(columns - 4, 0), 4) + 11 * max(columns - 8, 0)
    mean_exposed = exposed / columns if columns > 0 else 0.0
    values[0] = min(above / HSDH_RANGE, 1.0)
    values[1] = (in_columns - sorted_cards) / 52
    values[2] = (52 - total) / 52
    values[3] = 1.0 - free / (board.size[1] + cascades)
    values[4] = (13.0 + mean_exposed - total / 4) / 26
    values[5] = (13 - lowest) / 13
    values[6] = (13 - highest) / 13
    values[7] = (highest - lowest) / 13
    values[8] = (best - bottoms) / 100


@kernel
def score(board, weights, values):
    """The weighted sum of a position's distances.

    Args:
        weights: float64[9].
        values: float64[9], written.
    """
    measure(board, values)
    total = 0.0
    for i in range(weights.size):
        total += weights[i] * values[i]
    return total
