"""The kernel of the search ``schedule`` (``hsd.searches.schedule``)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel
from gafreecell.jit.kernels.heap import entry_of, key_of, pop_key, push_key, replace_key
from gafreecell.jit.slices import GROW, NODE_LIMIT, RUNNING, UNSOLVABLE, enlarged
from hsd.kernels.board import Board
from hsd.kernels.replay import Root
from hsd.searches.kernels.nodes import after_move, build, set_root
from hsd.searches.kernels.open_lists import (
    BY_ENTRY,
    DEEPEST,
    OpenLists,
    clear_lists,
    new_open_lists,
    queue,
    take_best,
)
from hsd.searches.kernels.partial import (
    COUNTS,
    MADE,
    NODE,
    NONE,
    SOLUTION,
    UNKNOWN,
    Partial,
    enlarge_partial,
    find,
    is_full,
    new_partial,
    widen_table,
)
from hsd.searches.kernels.solutions import write_solution
from hsd.searches.kernels.successors import expand


class Phases(NamedTuple):
    """The phases of a schedule, compiled for one size of game.

    Attributes:
        rows: int64[phases, ``columns.ROW``], the coefficients of each phase.
        limits: int64[phases], the nodes that each phase may generate; 0 for no limit.
        in_turn: int64[phases], whether depths take turns in the phase.
    """

    rows: np.ndarray
    limits: np.ndarray
    in_turn: np.ndarray


class ScheduleWork(NamedTuple):
    """The arrays of the search; the driver enlarges those that fill up.

    Attributes:
        tree: the search tree.
        lists: the open lists by depth, for phases in which depths take turns.
    """

    tree: Partial
    lists: OpenLists


def new_work(nodes: int = 1 << 13) -> ScheduleWork:
    """Small arrays, which grow as needed."""
    return ScheduleWork(new_partial(nodes), new_open_lists(nodes))


def enlarge(work: ScheduleWork) -> ScheduleWork:
    """The same search with larger arrays in place of those that are full."""
    work = work._replace(tree=enlarge_partial(work.tree))
    if work.tree.first.size > work.lists.key.size:
        work = work._replace(lists=enlarged(work.lists, *BY_ENTRY))
    return work


@kernel
def _best_after(tree: Partial, node: int, taken: int) -> int:
    """A node's next best successor after ``taken``; ``NONE`` if that was the last."""
    start = int64(tree.first[node])
    best = int64(NONE)
    for i in range(start, start + int64(tree.width[node])):
        successor = tree.successors[i]
        best = min(best, successor if successor > taken else int64(NONE))
    return best


@kernel
def _wait_in_turn(work: ScheduleWork, node: int, successor: int) -> None:
    """Queue a node in the open list of its depth, under the score of a successor."""
    tree = work.tree
    tree.next[node] = successor
    depth = min(tree.nodes[NODE * node + COUNTS] >> MADE, DEEPEST)
    queue(work.lists, depth, node, key_of(successor >> 16, node))


@kernel
def _next_in_turn(work: ScheduleWork) -> bool:
    """Make the best node of the next depth that has one the current node.

    Returns:
        Whether any depth has one.
    """
    registers = work.tree.registers
    for _ in range(DEEPEST + 1):
        registers.turn = (registers.turn + 1) & DEEPEST
        if work.lists.roots[registers.turn] >= 0:
            registers.node = take_best(work.lists, registers.turn)
            registers.next = work.tree.next[registers.node]
            registers.after = UNKNOWN
            return True
    return False


@kernel
def _next_of_all(tree: Partial) -> bool:
    """Make the best node of the open list the current node; returns whether there is any."""
    registers = tree.registers
    if registers.heap == 0:
        return False
    registers.node = entry_of(tree.heap[0])
    registers.next = tree.next[registers.node]
    registers.after = UNKNOWN
    registers.heap = pop_key(tree.heap, registers.heap)
    return True


@kernel
def _take_better(tree: Partial) -> None:
    """Make the best waiting node current if it is better than the one just expanded."""
    registers = tree.registers
    key = key_of(registers.next >> 16, registers.node)
    if registers.heap > 0 and tree.heap[0] < key:
        tree.next[registers.node] = registers.next
        registers.node = entry_of(tree.heap[0])
        registers.next = tree.next[registers.node]
        registers.after = UNKNOWN
        replace_key(tree.heap, registers.heap, key)


@kernel
def advance(
    board: Board, work: ScheduleWork, root: Root, phases: Phases, node_limit: int, pause: int
) -> int:
    """Continue until the deal is decided or ``pause`` nodes were expanded.

    Args:
        board: scratch.
        work: its tree has generated no state before the first slice.
        root: where the search starts.
        phases: the last one has no limit.
        node_limit: states that all phases together may generate.
        pause: nodes expanded by all phases at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the solution in the tree, ``UNSOLVABLE``, ``NODE_LIMIT``,
        ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    tree = work.tree
    registers = tree.registers
    if registers.generated == 0:
        registers.phase = -1
        registers.expanded = registers.scored = registers.nodes = 0
        registers.records = registers.successors = 0
        registers.next = 0
        registers.goal = -1
        registers.length = 0
    if registers.goal >= 0:
        return write_solution(board, tree, root)
    w = phases.rows[max(registers.phase, 0)]
    in_turn = phases.in_turn[max(registers.phase, 0)] != 0
    limit = phases.limits[max(registers.phase, 0)]
    while True:
        if registers.next == NONE:
            found = _next_in_turn(work) if in_turn else _next_of_all(tree)
            if not found:
                return UNSOLVABLE
        if registers.generated >= node_limit:
            return NODE_LIMIT
        if is_full(tree) or tree.first.size > work.lists.key.size:
            return GROW
        if registers.expanded >= pause:
            return RUNNING
        moved = 0
        if registers.phase < 0 or (limit > 0 and registers.nodes >= limit):
            registers.phase += 1
            w = phases.rows[registers.phase]
            in_turn = phases.in_turn[registers.phase] != 0
            limit = phases.limits[registers.phase]
            set_root(tree, board, root, w)
            if in_turn:
                clear_lists(work.lists)
                registers.turn = DEEPEST
        else:
            parent = registers.node
            taken = registers.next
            registers.next = NONE
            waits = registers.after
            if waits == UNKNOWN:
                waits = _best_after(tree, parent, taken)
            if waits != NONE:
                if in_turn:
                    _wait_in_turn(work, parent, waits)
                else:
                    tree.next[parent] = waits
                    key = key_of(waits >> 16, parent)
                    registers.heap = push_key(tree.heap, registers.heap, key)
            first, second, moved, quiet = after_move(tree, parent, taken & 65535, root)
            place = find(tree, first, second) if quiet else -1
            if place >= 0:
                continue
            records = registers.records
            build(tree, parent, taken & 65535, root, w, first, second, moved, quiet)
            if not quiet:
                moved = 0
                node = registers.nodes
                place = find(tree, tree.keys[2 * node], tree.keys[2 * node + 1])
                if place >= 0:
                    registers.records = records
                    continue
            tree.table[-1 - place] = registers.nodes + 1
            registers.nodes += 1
            registers.generated += 1
            widen_table(tree)
        node = registers.nodes - 1
        best = expand(tree, node, root, w, moved)
        if best == SOLUTION:
            registers.goal = node
            return write_solution(board, tree, root)
        if best == NONE:
            registers.next = NONE
        elif in_turn:
            registers.next = NONE
            _wait_in_turn(work, node, best)
        else:
            registers.node = node
            registers.next = best
            _take_better(tree)
