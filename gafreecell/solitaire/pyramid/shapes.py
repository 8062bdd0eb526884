"""Tables that are the same for every deck: the shapes of a pyramid, and small matchings.

Positions 0 to 27 are the pyramid row by row from its tip, 28 to 51 the stock from its top.
A *shape* is a set of pyramid cards that can be left: with each card it has all cards
beneath it. There are 1,430 shapes, ordered by their sets as binary numbers: shape 0 is the
cleared pyramid, shape 1 its tip alone, shape 1,429 the whole pyramid.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

CARDS = 28
STOCK = 24
ROWS = 7
SHAPES = 1430
CLEARED, TIP, WHOLE = 0, 1, SHAPES - 1

ROW_POINTS = (25, 50, 75, 100, 150, 250, 500)
"""The points of the score challenge for clearing a row, the bottom row first."""
REMOVAL_POINTS = 5


class Shapes(NamedTuple):
    """Tables by shape, by position, and by graph between four and four cards.

    Sets of positions have one bit for each.

    Attributes:
        cards: int64[1430], for each shape the set of positions left.
        open: int64[1430], for each shape the set of the uncovered ones.
        without: int16[1430 * 28], for each shape and uncovered position the shape without it.
        paid: int64[1430], for each shape the points for its cleared rows, in units of a removal's
            5 points.
        upon: int64[28], for each position the set of those that lie on it, directly or not.
        under: int64[28], for each position the set of those that lie beneath it, directly or not.
        matched: uint8[65536], for each graph the size of a maximum matching. The graph has an edge
            from row i to column j (0 to 3) if bit 4 i + j is set.
    """

    cards: np.ndarray
    open: np.ndarray
    without: np.ndarray
    paid: np.ndarray
    upon: np.ndarray
    under: np.ndarray
    matched: np.ndarray


def row_of(position: int) -> int:
    """Row of a pyramid position, 0 for the tip to 6."""
    return next(row for row in range(ROWS) if position < (row + 1) * (row + 2) // 2)


def covers(position: int) -> tuple[int, ...]:
    """The two positions that lie directly on a position of the pyramid; none for the last row."""
    row = row_of(position)
    return (position + row + 1, position + row + 2) if row < ROWS - 1 else ()


@cache
def shapes() -> Shapes:
    """The tables, computed once in a process."""
    on = [sum(1 << above for above in covers(c)) for c in range(CARDS)]
    upon = [0] * CARDS
    for c in reversed(range(CARDS)):
        upon[c] = on[c]
        for above in covers(c):
            upon[c] |= upon[above]
    under = [sum(1 << d for d in range(CARDS) if upon[d] >> c & 1) for c in range(CARDS)]
    opens: dict[int, list[int]] = {}
    waiting = [(1 << CARDS) - 1]
    while waiting:
        cards = waiting.pop()
        if cards not in opens:
            opens[cards] = [c for c in range(CARDS) if cards >> c & 1 and not cards & on[c]]
            waiting += [cards & ~(1 << c) for c in opens[cards]]
    number = {cards: n for n, cards in enumerate(sorted(opens))}
    without = np.zeros((SHAPES, CARDS), np.int16)
    for cards, n in number.items():
        for c in opens[cards]:
            without[n, c] = number[cards & ~(1 << c)]
    rows = [sum(1 << c for c in range(CARDS) if row_of(c) == ROWS - 1 - i) for i in range(ROWS)]
    paid = [
        sum(ROW_POINTS[i] // REMOVAL_POINTS for i in range(ROWS) if not cards & rows[i])
        for cards in number
    ]
    return Shapes(
        cards=np.array(list(number), np.int64),
        open=np.array([sum(1 << c for c in opens[cards]) for cards in number], np.int64),
        without=without.reshape(-1),
        paid=np.array(paid, np.int64),
        upon=np.array(upon, np.int64),
        under=np.array(under, np.int64),
        matched=_matchings(),
    )


def _matchings() -> np.ndarray:
    """``Shapes.matched``: of all assignments of columns to rows, the one with most edges."""
    graphs = np.arange(1 << 16, dtype=np.uint16)
    edges = [(graphs >> place & 1).astype(np.uint8) for place in range(16)]
    found = np.zeros(graphs.size, np.uint8)
    for i, j, k, m in permutations(range(4)):
        np.maximum(found, edges[i] + edges[4 + j] + edges[8 + k] + edges[12 + m], out=found)
    return found
