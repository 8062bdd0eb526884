"""The sizes of maximum matchings in all graphs between four and four cards."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel


@kernel
def match_all(matched: np.ndarray) -> None:
    """Fill ``Shapes.matched`` by recursion on the first row with edges.

    That row is matched with one of its columns, or with none.

    Args:
        matched: uint8[65536], receives the sizes.
    """
    matched[0] = 0
    for graph in range(1, matched.size):
        row = 0
        while (graph >> (4 * row)) & 15 == 0:
            row += 1
        rest = graph & ~(15 << (4 * row))
        best = int64(matched[rest])
        for column in range(4):
            if (graph >> (4 * row + column)) & 1:
                best = max(best, 1 + int64(matched[rest & ~(0x1111 << column)]))
        matched[graph] = best
