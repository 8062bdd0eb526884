"""The kernel of beam search (``hsd.searches.beam``)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, new_registers
from gafreecell.jit.kernels.heap import entry_of, key_of, make_heap, pop_key, push_key
from gafreecell.jit.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, UNSOLVABLE, enlarged
from hsd.kernels.board import Board
from hsd.kernels.deadlock import ASSUMED, NO_CUTOFF, Graph
from hsd.kernels.linear import Linear
from hsd.kernels.moves import AT_ONCE, charge
from hsd.kernels.replay import Root
from hsd.searches.kernels.bounds import (
    BY_CLOSED,
    NO_INCUMBENT,
    Bounds,
    bound_after,
    keep_sets,
    new_bounds,
    node_bound,
    settle_entry,
)
from hsd.searches.kernels.linked import (
    LinkedTree,
    build,
    enlarge_linked,
    is_full,
    new_linked,
    set_root,
)
from hsd.searches.kernels.linked_moves import expand, look_up
from hsd.searches.kernels.linked_scores import node_score, prepare, score_after
from hsd.searches.kernels.open_lists import DEEPEST
from hsd.searches.kernels.solutions import write_path
from hsd.searches.kernels.tree import MOVE, QUIET, enter, without_inversions


class BeamRegisters(Registers):
    """What the search remembers besides its tree.

    Attributes:
        level: the current level.
        heap: length of the heap.
        taken: states expanded on the current level in this sweep.
        open: number of open states.
        root_bound: the deadlock bound of the root.
    """

    level: int
    heap: int
    taken: int
    open: int
    root_bound: int


class BeamWork(NamedTuple):
    """The arrays of a beam search; the driver enlarges those that fill up.

    Attributes:
        tree: the search tree.
        registers: ``BeamRegisters``.
        entry_g: uint16, for each entry the number of single-card moves on its path, home moves
            not counted.
        keys: int64, for each entry its key (``heap.key_of``).
        following: int32, for each entry the next one in the list of its level, -1 for none.
        heads: int32[256], for each level the first entry of its list of open states, -1 if it is
            empty.
        heap: int64, the open states of the current level, as keys.
        bounds: the bounds of the states.
    """

    tree: LinkedTree
    registers: BeamRegisters
    entry_g: np.ndarray
    keys: np.ndarray
    following: np.ndarray
    heads: np.ndarray
    heap: np.ndarray
    bounds: Bounds


@kernel
def _queue(work: BeamWork, entry: int, g: int, key: int) -> None:
    """Add an entry to the open states of its level."""
    level = min(g, DEEPEST)
    work.keys[entry] = key
    if level == work.registers.level:
        work.registers.heap = push_key(work.heap, work.registers.heap, key)
    else:
        work.following[entry] = work.heads[level]
        work.heads[level] = entry


@kernel
def _open_level(work: BeamWork, level: int) -> None:
    """Make a level the current one: move its open states from its list to the heap."""
    registers = work.registers
    size = 0
    entry = int64(work.heads[level])
    while entry >= 0:
        work.heap[size] = work.keys[entry]
        size += 1
        entry = int64(work.following[entry])
    make_heap(work.heap, size)
    work.heads[level] = -1
    registers.heap = size
    registers.level = level
    registers.taken = 0


@kernel
def _close_level(work: BeamWork) -> None:
    """Leave the current level: move the states that are left back to its list."""
    registers = work.registers
    level = registers.level
    for i in range(registers.heap):
        entry = entry_of(work.heap[i])
        work.following[entry] = work.heads[level]
        work.heads[level] = entry


@kernel
def advance(
    board: Board,
    work: BeamWork,
    graph: Graph,
    root: Root,
    longest: int,
    width: int,
    bounded: bool,
    incumbent: int,
    k: Linear,
    limit: int,
    pause: int,
) -> int:
    """Continue until the deal is decided or ``pause`` successors were looked up.

    Args:
        board: scratch; its content belongs to the search.
        work: its tree has generated no state before the first slice.
        graph: scratch of the bound.
        root: where the search starts.
        longest: the most cards that a move may take: 1 or ``ANY``; or ``AT_ONCE``.
        width: states expanded on each level in a sweep.
        bounded: whether to compute the deadlock bound.
        incumbent: the g of the incumbent, which a solution must beat in a single sweep;
            ``NO_INCUMBENT`` for none.
        k: the compiled evaluator.
        limit: states that may be generated.
        pause: successors at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the solution in the tree, ``EXHAUSTED`` after a single sweep,
        ``UNSOLVABLE``, ``NODE_LIMIT``, ``RUNNING``, or ``GROW`` if an array must be
        enlarged first.
    """
    tree = work.tree
    bounds = work.bounds
    registers = work.registers
    if tree.registers.generated == 0:
        set_root(board, tree, root)
        for level in range(DEEPEST + 1):
            work.heads[level] = -1
        registers.heap = 0
        registers.level = 0
        registers.taken = 0
        registers.open = 1
        work.entry_g[0] = 0
        bounds.entry_h[0] = 0
        if bounded:
            bounds.entry_h[0] = node_bound(tree, 0, root, graph, longest == AT_ONCE, NO_CUTOFF)
        registers.root_bound = bounds.entry_h[0]
        _, sums = node_score(tree, 0, root, k, 0)
        if without_inversions(sums) or (bounded and bounds.entry_h[0] == 0):
            return write_path(board, tree, root)
        _queue(work, 0, 0, key_of(0, 0))
    if tree.registers.goal > 0:
        return write_path(board, tree, root)
    while True:
        if registers.open == 0:
            return UNSOLVABLE
        if tree.registers.generated >= limit:
            return NODE_LIMIT
        if (
            is_full(tree)
            or tree.entry_parent.size > work.entry_g.size
            or tree.closed_entry.size > bounds.closed_feedback.size
        ):
            return GROW
        if tree.registers.looked >= pause:
            return RUNNING
        while registers.taken == width or registers.heap == 0:
            if incumbent == NO_INCUMBENT:
                _close_level(work)
            elif registers.level == DEEPEST:
                return EXHAUSTED
            _open_level(work, (registers.level + 1) & DEEPEST)
        key = work.heap[0]
        registers.heap = pop_key(work.heap, registers.heap)
        entry = entry_of(key)
        forced = build(tree, entry, root)
        g = int64(work.entry_g[entry])
        h = 0
        if bounded:
            estimate = int64(bounds.entry_h[entry])
            h = settle_entry(tree, bounds, graph, root, longest == AT_ONCE, entry)
            bounds.entry_h[entry] = h
            if g + h >= incumbent:
                registers.open -= 1
                continue
            if h == 0:
                tree.registers.goal = entry
                return write_path(board, tree, root)
            if estimate & ASSUMED:
                risen = h - (estimate & ~ASSUMED)
                key = key_of((key >> 32) + risen * k.of.bound, entry)
                if registers.heap > 0 and key > work.heap[0]:
                    bounds.entry_h[entry] = h | ASSUMED
                    _queue(work, entry, g, key)
                    continue
            keep_sets(tree, bounds, graph)
        registers.open -= 1
        registers.taken += 1
        node = tree.registers.expanded
        end = expand(tree, entry, forced, root, longest)
        notes = prepare(tree, node, root, k)
        feedback_set = graph.feedback_set[0]
        cycle_cards = graph.cycle_cards[0]
        for i in range(end):
            move = tree.moves[i] & MOVE
            quiet = tree.moves[i] & QUIET != 0
            child_g = g + charge(move, longest)
            child_h = 0
            if bounded:
                child_h = bound_after(
                    tree, node, notes.others, notes.following, move, h, feedback_set, cycle_cards,
                    longest == AT_ONCE,
                )  # fmt: skip
                if child_g + (child_h & ~ASSUMED) >= incumbent:
                    continue
            slot = look_up(tree, i, root)
            if slot >= 0:
                continue
            entry = enter(tree, i, slot, move)
            work.entry_g[entry] = child_g
            bounds.entry_h[entry] = child_h
            if quiet:
                score, sums = score_after(tree, node, root, k, notes, move, child_g)
            else:
                score, sums = node_score(tree, node + 1, root, k, child_g)
            if without_inversions(sums) or (bounded and child_h == 0):
                tree.registers.goal = entry
                return write_path(board, tree, root)
            registers.open += 1
            score += (child_h & ~ASSUMED) * k.of.bound
            _queue(work, entry, child_g, key_of(score, entry))


def new_work(closed: int = 1 << 10, entries: int = 1 << 12) -> BeamWork:
    """Small arrays, which grow as needed.

    Args:
        closed, entries: how many closed states and entries fit at first; powers of two.
    """
    return BeamWork(
        tree=new_linked(closed, entries),
        registers=new_registers(BeamRegisters),
        entry_g=np.zeros(entries, np.uint16),
        keys=np.zeros(entries, np.int64),
        following=np.zeros(entries, np.int32),
        heads=np.zeros(DEEPEST + 1, np.int32),
        heap=np.zeros(entries, np.int64),
        bounds=new_bounds(closed, entries),
    )


def enlarge(work: BeamWork) -> BeamWork:
    """The same search with larger arrays in place of those that are full."""
    work = work._replace(tree=enlarge_linked(work.tree))
    if work.tree.entry_parent.size > work.entry_g.size:
        work = enlarged(work, "entry_g", "keys", "following", "heap")
        work = work._replace(bounds=enlarged(work.bounds, "entry_h"))
    if work.tree.closed_entry.size > work.bounds.closed_feedback.size:
        work = work._replace(bounds=enlarged(work.bounds, *BY_CLOSED))
    return work
