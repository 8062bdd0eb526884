"""The features of a position, each declared here once, with its name, meaning, kernel and terms.

A feature is a distance: 0 at the goal, at most 1, smaller is better. A kernel computes it from the
counts of a board. Its *terms* express it by coefficients of these counts; ``hsd.kernels.linear``
makes weighted sums in whole numbers from them. Ranks run from 1 (ace) to 13 (king).

The first nine are GA-FreeCell's (Elyasaf, Hauptman and Sipper 2011, section 3.2 and Table 1). In
the paper, several of them grow with progress, and their scales are not given. Here all of them
shrink towards the goal, and each is divided by its range.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel
from gafreecell.solving.features import Feature
from hsd.kernels.board import STRIDE_BITS, Board
from hsd.kernels.sums import (
    BOTTOMS,
    BREAKS,
    COLUMNS,
    DROPS,
    EXPOSED,
    INVERSIONS,
    KINGS,
    LOOPS,
    OUTSIDE,
    SORTED,
)
from hsd.kernels.zobrist import NO_CARD

HSDH_RANGE = 96
"""At most 48 cards lie above the next needed cards of the four suits; their number may double."""


class Counted(NamedTuple):
    """The counts of a board, all whole numbers.

    Attributes:
        cascades, cells: the game's size.
        used: cells in use.
        columns: cascades that are not empty.
        free: empty cells and cascades.
        home: cards home.
        lowest, highest: the lowest and the highest foundation rank.
        above, second: cards above the next needed card of each suit, and above the one after it.
        least: the fewest cards above a next needed card.
        kings: kings not home.
        ranks: summed over the cards in cells, how many cards of the card's suit must go home
            before it.
        best: the largest possible sum of the ranks of the columns' deepest cards.
        sums: the board's packed sums (``hsd.kernels.sums``).
    """

    cascades: int
    cells: int
    used: int
    columns: int
    free: int
    home: int
    lowest: int
    highest: int
    above: int
    second: int
    least: int
    kings: int
    ranks: int
    best: int
    sums: int


def _best_bottoms(columns: int) -> int:
    """The largest sum of ranks of deepest cards: four kings, four queens and a jack."""
    return 13 * min(columns, 4) + 12 * min(max(columns - 4, 0), 4) + 11 * max(columns - 8, 0)


best_bottoms = kernel(_best_bottoms)


@dataclass(frozen=True)
class Room:
    """The cells and cascades in use, and the game's size."""

    used: int
    columns: int
    cells: int
    cascades: int

    @property
    def free(self) -> int:
        """Empty cells and cascades."""
        return self.cells - self.used + self.cascades - self.columns

    @property
    def share(self) -> float:
        """The share of cells in use."""
        return self.used / max(self.cells, 1)


Terms = Callable[[Room], Mapping[str, float]]
"""Returns a feature's coefficients by the names of counts.

The counts are those of ``linear.Coefficients``, ``exposed`` (the sum of the ranks of exposed cards)
and ``one`` (a constant). The coefficient of ``one`` may depend on the whole room, that of
``exposed`` on the columns in use, the others only on the game's size.
"""

_declared: list[tuple[Feature, Terms, Callable[[Counted], float] | None]] = []


def _feature(
    name: str, meaning: str, terms: Terms, baseline: float = 0.0
) -> Callable[[Callable[[Counted], float]], Callable[[Counted], float]]:
    """Declare a feature; the function computes it from the counts."""

    def declare(function: Callable[[Counted], float]) -> Callable[[Counted], float]:
        compute = kernel(function)
        _declared.append((Feature(name, meaning, baseline=baseline), terms, compute))
        return compute

    return declare


@_feature(
    "HSDH",
    "cards above the next needed card of each suit, doubled without a free cell or an empty "
    "cascade, / 96",
    lambda room: {"hsdh": 1 / HSDH_RANGE},
    baseline=1.0,
)
def hsdh(c: Counted) -> float:
    return min((2 * c.above if c.free == 0 else c.above) / HSDH_RANGE, 1.0)


@_feature(
    "NumberWellPlaced",
    "cards in cascades that are not sorted throughout, / 52",
    lambda room: {"one": (52 - room.used) / 52, "home": -1 / 52, "sorted": -1 / 52},
)
def number_well_placed(c: Counted) -> float:
    return (52 - c.home - c.used - ((c.sums >> SORTED) & 63)) / 52


@_feature(
    "NumCardsNotAtFoundations", "cards not home, / 52", lambda room: {"one": 1.0, "home": -1 / 52}
)
def cards_not_home(c: Counted) -> float:
    return (52 - c.home) / 52


@_feature(
    "FreeCells",
    "share of cells and cascades that are occupied",
    lambda room: {"one": 1 - room.free / (room.cells + room.cascades)},
)
def free_cells(c: Counted) -> float:
    return 1.0 - c.free / (c.cells + c.cascades)


@_feature(
    "DifferenceFromTop",
    "mean rank of exposed cards less mean foundation rank, + 13, / 26",
    lambda room: {
        "one": 13 / 26,
        "home": -1 / 4 / 26,
        "exposed": 1 / room.columns / 26 if room.columns else 0.0,
    },
)
def difference_from_top(c: Counted) -> float:
    exposed = (c.sums >> EXPOSED) & 127
    mean_exposed = exposed / c.columns if c.columns > 0 else 0.0
    return (13.0 + mean_exposed - c.home / 4) / 26


@_feature(
    "LowestHomeCard",
    "13 less the lowest foundation rank, / 13",
    lambda room: {"one": 1.0, "lowest": -1 / 13},
)
def lowest_home_card(c: Counted) -> float:
    return (13 - c.lowest) / 13


@_feature(
    "HighestHomeCard",
    "13 less the highest foundation rank, / 13",
    lambda room: {"one": 1.0, "highest": -1 / 13},
)
def highest_home_card(c: Counted) -> float:
    return (13 - c.highest) / 13


@_feature(
    "DifferenceHome",
    "highest less lowest foundation rank, / 13",
    lambda room: {"highest": 1 / 13, "lowest": -1 / 13},
)
def difference_home(c: Counted) -> float:
    return (c.highest - c.lowest) / 13


@_feature(
    "SumOfBottomCards",
    "largest possible sum of ranks of the cascades' deepest cards, less the actual sum, / 100",
    lambda room: {"one": _best_bottoms(room.columns) / 100, "bottoms": -1 / 100},
)
def sum_of_bottom_cards(c: Counted) -> float:
    return (c.best - ((c.sums >> BOTTOMS) & 127)) / 100


_NINE = len(_declared)


@_feature(
    "AboveNext",
    "cards above the next needed card of each suit, / 48",
    lambda room: {"above": 1 / 48},
)
def above_next(c: Counted) -> float:
    return c.above * (1 / 48)


@_feature(
    "AboveSecond",
    "cards above the card after the next needed one of each suit, / 48",
    lambda room: {"second": 1 / 48},
)
def above_second(c: Counted) -> float:
    return c.second * (1 / 48)


@_feature(
    "LeastAboveNext", "fewest cards above a next needed card, / 18", lambda room: {"least": 1 / 18}
)
def least_above_next(c: Counted) -> float:
    return c.least * (1 / 18) if c.home < 52 else 0.0


@_feature(
    "OwnSuitBelow",
    "cards above a lower one of their suit: each must move first, / 48",
    lambda room: {"loops": 1 / 48},
)
def own_suit_below(c: Counted) -> float:
    return ((c.sums >> LOOPS) & 63) * (1 / 48)


@_feature(
    "SequenceBreaks",
    "cards that do not fit on the card beneath them, / 51",
    lambda room: {"breaks": 1 / 51},
)
def sequence_breaks(c: Counted) -> float:
    return ((c.sums >> BREAKS) & 63) * (1 / 51)


@_feature(
    "Inversions",
    "cards with a lower one somewhere beneath them, / 51",
    lambda room: {"inversions": 1 / 51},
)
def inversions(c: Counted) -> float:
    return ((c.sums >> INVERSIONS) & 63) * (1 / 51)


@_feature(
    "InversionDepth",
    "by how many ranks the cards of Inversions exceed the lowest beneath them, / 200",
    lambda room: {"drops": 1 / 200},
)
def inversion_depth(c: Counted) -> float:
    return ((c.sums >> DROPS) & 1023) * (1 / 200)


@_feature(
    "NotPlaced",
    "cards neither home nor in the sorted run at a cascade's bottom, / 52",
    lambda room: {"one": room.used / 52, "outside": 1 / 52},
)
def not_placed(c: Counted) -> float:
    return (((c.sums >> OUTSIDE) & 63) + c.used) * (1 / 52)


@_feature(
    "KingsBuried",
    "kings neither home nor deepest in their cascade, / 4",
    lambda room: {"buried": 1 / 4},
)
def kings_buried(c: Counted) -> float:
    return (c.kings - ((c.sums >> KINGS) & 7)) * (1 / 4)


@_feature("CellsUsed", "cards in free cells, / cells", lambda room: {"one": room.share})
def cells_used(c: Counted) -> float:
    return c.used / max(c.cells, 1)


@_feature(
    "CellsUsedSquared",
    "the square of CellsUsed: the last cell is worth most",
    lambda room: {"one": room.share**2},
)
def cells_used_squared(c: Counted) -> float:
    share = c.used / max(c.cells, 1)
    return share * share


@_feature("CellsFull", "1 if no cell is free", lambda room: {"one": float(room.used == room.cells)})
def cells_full(c: Counted) -> float:
    return 1.0 if c.used == c.cells else 0.0


@_feature(
    "CellRanks",
    "for each card in a cell, the cards of its suit that must go home first, / (12 * cells)",
    lambda room: {"ranks": 1 / (12 * max(room.cells, 1))},
)
def cell_ranks(c: Counted) -> float:
    return c.ranks / (12 * max(c.cells, 1))


@_feature(
    "OccupiedColumns",
    "cascades that are not empty, / cascades",
    lambda room: {"one": room.columns / room.cascades},
)
def occupied_columns(c: Counted) -> float:
    return c.columns / c.cascades


@_feature(
    "CellsTimesColumns",
    "CellsUsed times OccupiedColumns: room of one kind makes up for the other",
    lambda room: {"one": room.share * room.columns / room.cascades},
)
def cells_times_columns(c: Counted) -> float:
    return c.used / max(c.cells, 1) * (c.columns / c.cascades)


ON_BOARD = len(_declared)
"""The number of features that are computed from a board alone, which come first. The searches
compute the others."""

MOVES_MADE = "MovesMade"
DEADLOCK_BOUND = "DeadlockBound"
BREAKS_RUN = "BreaksRun"
_declared += [
    (
        Feature(MOVES_MADE, "single-card moves so far, home moves not counted, / 100"),
        lambda room: {"made": 1 / 100},
        None,
    ),
    (
        Feature(DEADLOCK_BOUND, "lower bound on the remaining moves except home moves, / 48"),
        lambda room: {"bound": 1 / 48},
        None,
    ),
    (
        Feature(BREAKS_RUN, "1 if the last move took cards off a card on which they fit, / 100"),
        lambda room: {"off": 1 / 100},
        None,
    ),
]

FEATURES = tuple(feature for feature, _, _ in _declared)
"""Every feature, in the order of the evaluators' weights."""
NINE = FEATURES[:_NINE]
NAMES = tuple(feature.name for feature in FEATURES)
TERMS = tuple(terms for _, terms, _ in _declared)
"""The terms of each feature."""


# Numba does not unroll loops over functions, so kernels that call all features are generated.
_functions = [function for _, _, function in _declared if function is not None]


def _generated(name: str, arguments: str, lines: list[str]) -> Callable[..., Any]:
    """A kernel with these lines, which call features."""
    scope: dict[str, Any] = {"__name__": __name__}
    scope |= {function.__name__: function for function in _functions}
    exec("\n".join([f"def {name}({arguments}):", *lines]), scope)
    written: Callable[..., Any] = kernel(scope[name])
    return written


write_each: Callable[[Counted, np.ndarray], None] = _generated(
    "each",
    "c, values",
    [f"    values[{i}] = {function.__name__}(c)" for i, function in enumerate(_functions)],
)
weighted: Callable[[Counted, np.ndarray], float] = _generated(
    "weighted",
    "c, weights",
    [
        "    total = 0.0",
        *(
            f"    if weights[{i}] != 0.0:\n        total += weights[{i}] * {function.__name__}(c)"
            for i, function in enumerate(_functions)
        ),
        "    return total",
    ],
)
"""The weighted sum of the first ``ON_BOARD`` features, from the counts and the weights (float64) of
every feature. It computes only those that have a weight: the others would add 0."""
feature_at: Callable[[Counted, int], float] = _generated(
    "one",
    "c, place",
    [
        f"    if place == {i}:\n        return {function.__name__}(c)"
        for i, function in enumerate(_functions)
    ]
    + ["    return 0.0"],
)
"""Computes the feature at an index in ``FEATURES``, below ``ON_BOARD``, from the counts."""


@kernel
def counted(board: Board) -> Counted:
    """The counts of a position."""
    home = board.home
    cascades = board.numbers.cascades
    cells = board.numbers.cells
    used = board.numbers.used
    sums = board.numbers.sums
    columns = (sums >> COLUMNS) & 15
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
            card = int64(board.cell[i])
            if card != NO_CARD:
                ranks += (card >> 2) - 1 - home[card & 3]
    return Counted(
        cascades, cells, used, columns, cells - used + cascades - columns,
        home[0] + home[1] + home[2] + home[3],
        min(home[0], home[1], home[2], home[3]), max(home[0], home[1], home[2], home[3]),
        above, second, least, kings, ranks, best_bottoms(columns), sums,
    )  # fmt: skip


@kernel
def measure(board: Board, values: np.ndarray) -> None:
    """Write the first ``ON_BOARD`` features of a position into ``values`` (float64)."""
    write_each(counted(board), values)
