"""The kernel of best-first search (``hsd.searches.best_first``)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, new_registers
from gafreecell.jit.kernels.heap import entry_of, key_of, pop_key, push_key
from gafreecell.jit.kernels.tree import is_full
from gafreecell.jit.slices import GROW, NODE_LIMIT, RUNNING, UNSOLVABLE, enlarged
from hsd.kernels.board import Board
from hsd.kernels.linear import Linear, LinearRules, linear_score, prepare, score_after
from hsd.kernels.moves import cost
from hsd.kernels.replay import Root
from hsd.searches.kernels.open_lists import (
    BY_ENTRY,
    DEEPEST,
    OpenLists,
    clear_lists,
    new_open_lists,
    queue,
    take_best,
)
from hsd.searches.kernels.solutions import write_path
from hsd.searches.kernels.tree import (
    MOVE,
    QUIET,
    Tree,
    build,
    enlarge_tree,
    enter,
    expand,
    look_up,
    new_tree,
    set_root,
    take_back,
    without_inversions,
)


class BestFirstRegisters(Registers):
    """What the search remembers besides its tree.

    Attributes:
        heap: length of the heap.
        turn: the depth from which a state was last taken in turn, -1 before patience runs out.
        open: number of open states.
    """

    heap: int
    turn: int
    open: int


class BestFirstWork(NamedTuple):
    """The arrays of a best-first search; the driver enlarges those that fill up.

    Attributes:
        tree: the search tree.
        registers: ``BestFirstRegisters``.
        closed_g: int32, for each closed state the number of single-card moves on its path, home
            moves not counted.
        entry_depth: uint8, the same for each entry, at most 255.
        entry_closed: uint8, for each entry whether it was expanded.
        heap: int64, the open list of all states, as keys; closed entries in it are skipped.
        in_turn: the open lists by depth.
    """

    tree: Tree
    registers: BestFirstRegisters
    closed_g: np.ndarray
    entry_depth: np.ndarray
    entry_closed: np.ndarray
    heap: np.ndarray
    in_turn: OpenLists


@kernel
def _lose_patience(work: BestFirstWork) -> None:
    """Add the open states to the open lists by depth; they stay in the open list of all states."""
    clear_lists(work.in_turn)
    for i in range(work.registers.heap):
        entry = entry_of(work.heap[i])
        queue(work.in_turn, int64(work.entry_depth[entry]), entry, work.heap[i])
    work.registers.turn = DEEPEST


@kernel
def _next_in_turn(work: BestFirstWork) -> int:
    """Remove and return the best open state of the next depth that has one, -1 if none has."""
    depth = work.registers.turn
    for _ in range(DEEPEST + 1):
        depth = (depth + 1) & DEEPEST
        while work.in_turn.roots[depth] >= 0:
            entry = take_best(work.in_turn, depth)
            if not work.entry_closed[entry]:
                work.registers.turn = depth
                return entry
    return -1


@kernel
def advance(
    board: Board,
    work: BestFirstWork,
    root: Root,
    longest: int,
    patience: int,
    k: Linear,
    rules: LinearRules | None,
    node_limit: int,
    pause: int,
) -> int:
    """Continue until the deal is decided or ``pause`` successors were looked up.

    Args:
        board: scratch; its content belongs to the search.
        work: its tree has generated no state before the first slice.
        root: where the search starts.
        longest: the most cards that a move may take, 1 or ``ANY``.
        patience: expansions after which every second one goes to the next depth
            in turn; 0 for never.
        k: the compiled weighted sum; for a policy, that of its default.
        rules: a policy's rules, or None.
        node_limit: states that may be generated.
        pause: successors at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the solution in the tree, ``UNSOLVABLE``, ``NODE_LIMIT``,
        ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    tree = work.tree
    registers = work.registers
    if tree.registers.generated == 0:
        set_root(board, tree, root)
        registers.heap = push_key(work.heap, 0, key_of(0, 0))
        registers.turn = -1
        registers.open = 1
        work.entry_depth[0] = 0
        work.entry_closed[0] = 0
        if without_inversions(board.numbers.sums):
            return write_path(board, tree, root)
    if tree.registers.goal > 0:
        return write_path(board, tree, root)
    while True:
        if registers.open == 0:
            return UNSOLVABLE
        if tree.registers.generated >= node_limit:
            return NODE_LIMIT
        closed = tree.registers.expanded
        if (
            is_full(tree)
            or tree.entry_parent.size > work.heap.size
            or tree.closed_entry.size > work.closed_g.size
        ):
            return GROW
        if tree.registers.looked >= pause:
            return RUNNING
        if patience > 0 and closed == patience and registers.turn < 0:
            _lose_patience(work)
        in_turn = registers.turn >= 0 and closed & 1 == 0
        entry = _next_in_turn(work) if in_turn else -1
        if entry < 0:
            in_turn = False
            entry = entry_of(work.heap[0])
            registers.heap = pop_key(work.heap, registers.heap)
            if work.entry_closed[entry]:
                continue
        work.entry_closed[entry] = 1
        registers.open -= 1
        g = 0
        if entry > 0:
            g = int64(work.closed_g[tree.entry_parent[entry]]) + cost(int64(tree.entry_move[entry]))
        work.closed_g[closed] = g
        forced = build(board, tree, entry, root)
        end = expand(board, tree, entry, forced, root, longest)
        notes = prepare(board, k)
        for i in range(end):
            slot, suit, forced = look_up(board, tree, i, root)
            move = tree.moves[i] & MOVE
            quiet = tree.moves[i] & QUIET != 0
            if slot < 0:
                entry = enter(tree, i, slot, move)
                child_g = g + cost(move)
                if quiet:
                    score, sums = score_after(board, k, rules, notes, move, child_g)
                else:
                    score = linear_score(board, k, rules, child_g)
                    sums = board.numbers.sums
                if without_inversions(sums):
                    tree.registers.goal = entry
                    return write_path(board, tree, root)
                key = key_of(score, entry)
                registers.heap = push_key(work.heap, registers.heap, key)
                registers.open += 1
                work.entry_depth[entry] = min(child_g, DEEPEST)
                work.entry_closed[entry] = 0
                if in_turn:
                    queue(work.in_turn, min(child_g, DEEPEST), entry, key)
            if not quiet:
                take_back(board, tree, i, suit, forced)


def new_work(closed: int = 1 << 11, entries: int = 1 << 13) -> BestFirstWork:
    """Small arrays, which grow as needed.

    Args:
        closed, entries: how many closed states and entries fit at first; powers of two.
    """
    return BestFirstWork(
        tree=new_tree(closed, entries),
        registers=new_registers(BestFirstRegisters),
        closed_g=np.zeros(closed, np.int32),
        entry_depth=np.zeros(entries, np.uint8),
        entry_closed=np.zeros(entries, np.uint8),
        heap=np.zeros(entries, np.int64),
        in_turn=new_open_lists(entries),
    )


def enlarge(work: BestFirstWork) -> BestFirstWork:
    """The same search with larger arrays in place of those that are full."""
    work = work._replace(tree=enlarge_tree(work.tree))
    if work.tree.entry_parent.size > work.heap.size:
        work = enlarged(work, "entry_depth", "entry_closed", "heap")
        work = work._replace(in_turn=enlarged(work.in_turn, *BY_ENTRY))
    if work.tree.closed_entry.size > work.closed_g.size:
        work = enlarged(work, "closed_g")
    return work
