"""The deadlock bounds of a tree's states, evaluated lazily.

An entry has the least bound that its move allows until it reaches the front of the open list. Then
its exact bound is computed, mostly from the two sets of its parent (``hsd.kernels.deadlock``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hsd.kernels.board import Board
from hsd.kernels.deadlock import NO_CUTOFF, Graph, deadlock_bound, settle
from hsd.searches.kernels.tree import Tree
from jit import int64, kernel

NO_INCUMBENT = 1 << 20
"""The g of an incumbent where there is none."""


class Bounds(NamedTuple):
    """The bounds of the states of a tree.

    Attributes:
        entry_h: uint8, for each entry the bound on the moves left that are not home moves, or its
            least possible value with ``ASSUMED`` added.
        closed_feedback, closed_cycles: uint64, for each closed state its two sets.
    """

    entry_h: np.ndarray
    closed_feedback: np.ndarray
    closed_cycles: np.ndarray


BY_CLOSED = "closed_feedback", "closed_cycles"
"""The arrays that grow with the closed states; ``entry_h`` grows with the entries."""


def new_bounds(closed: int, entries: int) -> Bounds:
    """Bounds with room for so many closed states and entries."""
    return Bounds(
        entry_h=np.zeros(entries, np.uint8),
        closed_feedback=np.zeros(closed, np.uint64),
        closed_cycles=np.zeros(closed, np.uint64),
    )


@kernel
def settle_entry(board: Board, tree: Tree, bounds: Bounds, graph: Graph, entry: int) -> int:
    """The exact bound of the entry that the board shows; ``graph`` then has its two sets."""
    parent = int64(tree.entry_parent[entry])
    if parent < 0:
        return deadlock_bound(board, graph, NO_CUTOFF)
    return settle(
        board, graph, int64(tree.entry_move[entry]), tree.registers.card,
        int64(bounds.entry_h[entry]), bounds.closed_feedback[parent], bounds.closed_cycles[parent],
    )  # fmt: skip


@kernel
def keep_sets(tree: Tree, bounds: Bounds, graph: Graph) -> None:
    """Keep the two sets of ``graph`` for the state that is closed next."""
    closed = tree.registers.expanded
    bounds.closed_feedback[closed] = graph.feedback_set[0]
    bounds.closed_cycles[closed] = graph.cycle_cards[0]
