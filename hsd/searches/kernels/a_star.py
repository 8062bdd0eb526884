"""The kernel of A* (``hsd.searches.a_star``)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, new_registers, uint64
from gafreecell.jit.kernels.bits import prefetch
from gafreecell.jit.kernels.heap import entry_of, key_of, pop_key, push_key, replace_key
from gafreecell.jit.kernels.transposition import find_pair, not_zero
from gafreecell.jit.slices import GROW, NODE_LIMIT, RUNNING, UNSOLVABLE, enlarged
from hsd.kernels.board import Board
from hsd.kernels.deadlock import ASSUMED, NO_CUTOFF, Graph
from hsd.kernels.moves import AT_ONCE, MOST_MOVES, charge
from hsd.kernels.replay import Root
from hsd.searches.kernels.bounds import (
    BY_CLOSED,
    Bounds,
    bound_after,
    keep_sets,
    new_bounds,
    node_bound,
    settle_entry,
)
from hsd.searches.kernels.foundations import next_cards
from hsd.searches.kernels.linked import (
    KEY,
    NODE,
    OTHERS,
    LinkedTree,
    build,
    enlarge_linked,
    homes_of,
    is_full,
    new_linked,
    set_root,
)
from hsd.searches.kernels.linked_moves import expand, look_up
from hsd.searches.kernels.solutions import write_path
from hsd.searches.kernels.tree import MOVE, QUIET, enter


class AStarRegisters(Registers):
    """What the search remembers besides its tree.

    Attributes:
        heap: length of the heap.
        lower_bound: the least f of the open states.
    """

    heap: int
    lower_bound: int


class AStarWork(NamedTuple):
    """The arrays of an A* search; the driver enlarges those that fill up.

    Attributes:
        tree: the search tree, each entry with its best path so far.
        registers: ``AStarRegisters``.
        slot_entry: int32, for each slot of the transposition table its entry.
        entry_g: uint16, for each entry the number of moves made, home moves not counted.
        entry_closed: uint8, for each entry whether it was expanded.
        bounds: the bounds of the states.
        heap: int64, the open list as keys; outdated ones are skipped.
    """

    tree: LinkedTree
    registers: AStarRegisters
    slot_entry: np.ndarray
    entry_g: np.ndarray
    entry_closed: np.ndarray
    bounds: Bounds
    heap: np.ndarray


@kernel
def _order(g: int, h: int, entry: int) -> int:
    """A state's key in the open list: least f first, then least h, then the latest entry."""
    least = h & ~ASSUMED
    return key_of(((g + least) << 8) | least, entry)


@kernel
def advance(
    board: Board,
    work: AStarWork,
    graph: Graph,
    root: Root,
    longest: int,
    incumbent: int,
    node_limit: int,
    pause: int,
) -> int:
    """Continue until the deal is decided or ``pause`` successors were looked up.

    Args:
        board: scratch; its content belongs to the search.
        work: its tree has generated no state before the first slice.
        graph: scratch of the bound.
        root: where the search starts.
        longest: the most cards that a move may take: 1; or ``AT_ONCE``.
        incumbent: the g of the incumbent, which a solution must beat; ``NO_INCUMBENT`` for none.
        node_limit: states that may be generated.
        pause: successors at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with a shortest solution in the tree, ``UNSOLVABLE`` if there is none that
        beats the incumbent, ``NODE_LIMIT``, ``RUNNING``, or ``GROW`` if an array must be
        enlarged first.
    """
    tree = work.tree
    bounds = work.bounds
    registers = work.registers
    if tree.registers.generated == 0:
        set_root(board, tree, root)
        slot = find_pair(tree.table, not_zero(tree.nodes[KEY]), tree.nodes[KEY + 1])
        work.slot_entry[slot >> 1] = 0
        work.entry_g[0] = 0
        bounds.entry_h[0] = node_bound(tree, 0, root, graph, longest == AT_ONCE, NO_CUTOFF)
        work.entry_closed[0] = 0
        registers.lower_bound = bounds.entry_h[0]
        registers.heap = push_key(work.heap, 0, _order(0, int64(bounds.entry_h[0]), 0))
        if registers.lower_bound == 0:
            return write_path(board, tree, root)
    if tree.registers.goal > 0:
        return write_path(board, tree, root)
    taken = False
    while True:
        if taken:
            registers.heap = pop_key(work.heap, registers.heap)
            taken = False
        if registers.heap == 0:
            return UNSOLVABLE
        if tree.registers.generated >= node_limit:
            return NODE_LIMIT
        if (
            is_full(tree)
            or tree.entry_parent.size > work.entry_g.size
            or tree.closed_entry.size > bounds.closed_feedback.size
            or tree.table.size > 2 * work.slot_entry.size
            or registers.heap + MOST_MOVES >= work.heap.size
        ):
            return GROW
        if tree.registers.looked >= pause:
            return RUNNING
        order = work.heap[0]
        # The top is not popped yet: the next key queued may replace it, which saves most of the
        # way down the heap.
        taken = True
        entry = entry_of(order)
        g = int64(work.entry_g[entry])
        estimate = int64(bounds.entry_h[entry])
        if work.entry_closed[entry] or order != _order(g, estimate, entry):
            continue
        registers.lower_bound = g + (estimate & ~ASSUMED)
        if registers.lower_bound >= incumbent:
            return UNSOLVABLE
        forced = build(tree, entry, root)
        h = settle_entry(tree, bounds, graph, root, longest == AT_ONCE, entry)
        bounds.entry_h[entry] = h
        if h > estimate & ~ASSUMED:
            bounds.entry_h[entry] = h | ASSUMED
            if g + h >= incumbent:
                continue
            replace_key(work.heap, registers.heap, _order(g, h, entry))
            taken = False
            continue
        if h == 0:
            tree.registers.goal = entry
            return write_path(board, tree, root)
        work.entry_closed[entry] = 1
        feedback_set, cycle_cards = graph.feedback_set[0], graph.cycle_cards[0]
        keep_sets(tree, bounds, graph)
        node = tree.registers.expanded
        others = int64(tree.nodes[NODE * node + OTHERS])
        following, _ = next_cards(homes_of(tree, node))
        end = expand(tree, entry, forced, root, longest)
        for i in range(end):
            if tree.moves[i] & QUIET:
                slot = tree.keys[2 * i] & uint64(work.slot_entry.size - 1)
                prefetch(work.slot_entry, int64(slot))
        for i in range(end):
            move = tree.moves[i] & MOVE
            child_g = g + charge(move, longest)
            child_h = bound_after(
                tree,
                node,
                others,
                following,
                move,
                h,
                feedback_set,
                cycle_cards,
                longest == AT_ONCE,
            )
            if child_g + (child_h & ~ASSUMED) >= incumbent:
                continue
            slot = look_up(tree, i, root)
            if slot >= 0:
                entry = int64(work.slot_entry[slot >> 1])
                if child_g >= work.entry_g[entry]:
                    continue
                # ``settle_entry`` needs the parent on the shorter path.
                tree.entry_parent[entry] = tree.registers.expanded - 1
                tree.entry_move[entry] = move
            else:
                entry = enter(tree, i, slot, move)
                work.slot_entry[(-1 - slot) >> 1] = entry
                work.entry_closed[entry] = 0
            work.entry_g[entry] = child_g
            bounds.entry_h[entry] = child_h
            again = _order(child_g, int64(bounds.entry_h[entry]), entry)
            if taken:
                replace_key(work.heap, registers.heap, again)
                taken = False
            else:
                registers.heap = push_key(work.heap, registers.heap, again)


@kernel
def rehash_entries(
    table: np.ndarray, slot_entry: np.ndarray, larger: np.ndarray, larger_entries: np.ndarray
) -> None:
    """Copy the entries of a table's slots to the slots of a larger table with the same keys."""
    for i in range(0, table.size, 2):
        if table[i] != 0:
            slot = find_pair(larger, table[i], table[i + 1])
            larger_entries[slot >> 1] = slot_entry[i >> 1]


def new_work(closed: int = 1 << 10, entries: int = 1 << 12) -> AStarWork:
    """Small arrays, which grow as needed.

    Args:
        closed, entries: how many closed states and entries fit at first; powers of two.
    """
    return AStarWork(
        tree=new_linked(closed, entries),
        registers=new_registers(AStarRegisters),
        slot_entry=np.zeros(2 * entries, np.int32),
        entry_g=np.zeros(entries, np.uint16),
        entry_closed=np.zeros(entries, np.uint8),
        bounds=new_bounds(closed, entries),
        heap=np.zeros(entries, np.int64),
    )


def enlarge(work: AStarWork) -> AStarWork:
    """The same search with larger arrays in place of those that are full."""
    table = work.tree.table
    work = work._replace(tree=enlarge_linked(work.tree))
    if work.tree.table.size > table.size:
        slot_entry = np.zeros(work.tree.table.size // 2, np.int32)
        rehash_entries(table, work.slot_entry, work.tree.table, slot_entry)
        work = work._replace(slot_entry=slot_entry)
    if work.tree.entry_parent.size > work.entry_g.size:
        work = enlarged(work, "entry_g", "entry_closed")
        work = work._replace(bounds=enlarged(work.bounds, "entry_h"))
    if work.tree.closed_entry.size > work.bounds.closed_feedback.size:
        work = work._replace(bounds=enlarged(work.bounds, *BY_CLOSED))
    if work.registers.heap + MOST_MOVES >= work.heap.size:
        work = enlarged(work, "heap")
    return work
