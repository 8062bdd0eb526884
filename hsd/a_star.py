"""A* with the deadlock bound: solutions with the fewest moves of single cards.

After Paul and Helmert, "Optimal Solitaire Game Solutions using A* Search and
Deadlock Analysis" (2016). Every card goes home once, so the length of a solution is
the number of cards not home at first, plus g, the number of moves that are not home
moves. Home moves cost nothing. The heuristic h is the deadlock bound, a lower bound
on the rest of g. It is admissible and consistent, so a state is expanded with its least
g, and none is reopened. The first state expanded with h = 0 ends a shortest solution,
as its g does not exceed the least f = g + h of all open states. Runs of cards move card
by card. Forcing safe home moves makes no solution longer.

With an incumbent, a solution of a beam search, A* becomes branch and bound: it prunes
states whose f is no less than the incumbent's g.

The search drops nothing and identifies states by 128 bits, so an empty open list proves
the deal unsolvable (see ``hsd.tree``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numba import int64

from hsd.beam import NO_INCUMBENT, WIDER, Beam, settle_entry
from hsd.board import HOME, empty_board
from hsd.deadlock import ASSUMED, NO_CUTOFF, Graph, bound_after, deadlock_bound, new_graph
from hsd.heuristics import DEADLOCK_BOUND
from hsd.moves import MOST_MOVES
from hsd.notation import moves_not_home
from hsd.search import AUTOMATIC, FreeCellSearch, Position
from hsd.tree import (
    EXPANDED,
    GENERATED,
    GOAL,
    LOOKED,
    MOVE,
    NOT_HOME,
    OWN,
    QUIET,
    Tree,
    build,
    enlarge_tree,
    enter,
    expand,
    found,
    is_full,
    look_up,
    new_tree,
    not_zero,
    set_root,
    take_back,
    warm_up_tree,
    write_solution,
)
from jit import kernel
from jit.kernels.heap import pop_key, push_key
from jit.kernels.transposition import find_pair
from jit.slices import GROW, NODE_LIMIT, RUNNING, UNSOLVABLE, drive, enlarged
from solving.outcome import Limits, Nodes, Status
from solving.parameters import Parameter, Value
from solving.search import Found

# Further registers: HEAP is the length of the heap, LOWER_BOUND the least f of all open states.
HEAP, LOWER_BOUND = range(OWN, OWN + 2)

SLICE_LOOKS = 5_000
"""Successors looked up in a slice, some ten milliseconds."""

_LOW = 0xFFFFFFFF


class AStarWork(NamedTuple):
    """The arrays of an A* search; the driver enlarges those that fill up.

    Attributes:
        tree: the search tree, each entry with its best path so far.
        slot_entry: int32, for each slot of the transposition table its entry.
        entry_g, entry_h: uint16 and uint8, for each entry the moves made, not counting home
            moves, and the bound on those left.
        entry_closed: uint8, whether an entry was expanded.
        closed_feedback, closed_cycles: uint64, for each closed state its two sets of
            ``hsd.deadlock``.
        heap: int64, the open list: f << 40 | h << 32 | ~entry; outdated keys are skipped.
    """

    tree: Tree
    slot_entry: np.ndarray
    entry_g: np.ndarray
    entry_h: np.ndarray
    entry_closed: np.ndarray
    closed_feedback: np.ndarray
    closed_cycles: np.ndarray
    heap: np.ndarray


@kernel
def _order(g, h, entry):
    """A state's key in the open list: least f first, then least h, then the latest."""
    least = h & ~ASSUMED
    return ((g + least) << 40) | (least << 32) | (_LOW - entry)


@kernel
def advance(board, work, graph, packed, size, automatic, incumbent, node_limit, pause):
    """Search on until the deal is decided or ``pause`` successors were looked up.

    Args:
        board: scratch ``Board``; its content belongs to the search.
        work: ``AStarWork``, the tree's registers zero before the first slice.
        graph: scratch of the bound.
        packed: the position the search starts from.
        size: int64[2], cascades and cells.
        automatic: whether safe home moves are forced.
        incumbent: the g of the incumbent, which a solution must beat; ``NO_INCUMBENT`` for none.
        node_limit: states that may be generated.
        pause: successors at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with a shortest solution in the tree, ``UNSOLVABLE`` if there is none that
        beats the incumbent, ``NODE_LIMIT``, ``RUNNING``, or ``GROW`` if an array must be
        enlarged first.
    """
    tree = work.tree
    registers = tree.registers
    if registers[GENERATED] == 0:
        set_root(board, tree, packed, size, automatic)
        work.slot_entry[find_pair(tree.table, not_zero(board.key[0]), board.key[1]) >> 1] = 0
        work.entry_g[0] = 0
        work.entry_h[0] = deadlock_bound(board, graph, NO_CUTOFF)
        work.entry_closed[0] = 0
        registers[LOWER_BOUND] = work.entry_h[0]
        registers[HEAP] = push_key(work.heap, 0, _order(0, int64(work.entry_h[0]), 0))
        if registers[LOWER_BOUND] == 0:
            return write_solution(board, tree, packed, size, automatic)
    if registers[GOAL] > 0:
        return write_solution(board, tree, packed, size, automatic)
    while True:
        if registers[HEAP] == 0:
            return UNSOLVABLE
        if registers[GENERATED] >= node_limit:
            return NODE_LIMIT
        if (
            is_full(tree)
            or tree.entry_parent.size > work.entry_g.size
            or tree.closed_entry.size > work.closed_feedback.size
            or tree.table.size > 2 * work.slot_entry.size
            or registers[HEAP] + MOST_MOVES >= work.heap.size
        ):
            return GROW
        if registers[LOOKED] >= pause:
            return RUNNING
        order = work.heap[0]
        registers[HEAP] = pop_key(work.heap, registers[HEAP])
        entry = _LOW - (order & _LOW)
        g = int64(work.entry_g[entry])
        estimate = int64(work.entry_h[entry])
        if work.entry_closed[entry] or order != _order(g, estimate, entry):
            continue
        registers[LOWER_BOUND] = g + (estimate & ~ASSUMED)
        if registers[LOWER_BOUND] >= incumbent:
            return UNSOLVABLE
        forced = build(board, tree, entry, size, automatic)
        h = settle_entry(
            board, tree, graph, entry, estimate, work.closed_feedback, work.closed_cycles
        )
        work.entry_h[entry] = h
        if h > estimate & ~ASSUMED:
            work.entry_h[entry] = h | ASSUMED
            registers[HEAP] = push_key(work.heap, registers[HEAP], _order(g, h, entry))
            continue
        if h == 0:
            registers[GOAL] = entry
            return write_solution(board, tree, packed, size, automatic)
        work.entry_closed[entry] = 1
        feedback_set, cycle_cards = graph.feedback_set[0], graph.cycle_cards[0]
        work.closed_feedback[registers[EXPANDED]] = feedback_set
        work.closed_cycles[registers[EXPANDED]] = cycle_cards
        end = expand(board, tree, entry, forced, automatic, 1)
        for i in range(end):
            move = tree.moves[i] & MOVE
            slot, suit, forced = look_up(board, tree, i, automatic)
            if tree.moves[i] & QUIET == 0:
                take_back(board, tree, i, suit, forced)
            child_g = g if ((move >> 5) & 31) == HOME else g + 1
            child_h = bound_after(board, move, h, feedback_set, cycle_cards)
            if child_g + (child_h & ~ASSUMED) >= incumbent:
                continue
            if slot >= 0:
                entry = int64(work.slot_entry[slot >> 1])
                if child_g >= work.entry_g[entry]:
                    continue
                # ``settle_entry`` needs the new parent.
                tree.entry_parent[entry] = registers[EXPANDED] - 1
                tree.entry_move[entry] = move
            else:
                entry = enter(tree, i, slot)
                work.slot_entry[(-1 - slot) >> 1] = entry
                work.entry_closed[entry] = 0
            work.entry_g[entry] = child_g
            work.entry_h[entry] = child_h
            again = _order(child_g, int64(work.entry_h[entry]), entry)
            registers[HEAP] = push_key(work.heap, registers[HEAP], again)


@kernel
def _rehash_entries(table, slot_entry, larger, larger_entries):
    """Carry the entries of a table's slots over to a larger table with the same keys."""
    for i in range(0, table.size, 2):
        if table[i] != 0:
            slot = find_pair(larger, table[i], table[i + 1])
            larger_entries[slot >> 1] = slot_entry[i >> 1]


def new_work() -> AStarWork:
    """Small arrays, which grow as a search needs."""
    closed, entries = 1 << 10, 1 << 12
    return AStarWork(
        tree=new_tree(closed, entries),
        slot_entry=np.zeros(2 * entries, np.int32),
        entry_g=np.zeros(entries, np.uint16),
        entry_h=np.zeros(entries, np.uint8),
        entry_closed=np.zeros(entries, np.uint8),
        closed_feedback=np.zeros(closed, np.uint64),
        closed_cycles=np.zeros(closed, np.uint64),
        heap=np.zeros(entries, np.int64),
    )


def enlarge(work: AStarWork) -> AStarWork:
    """The same search with larger arrays in place of those that are full."""
    table = work.tree.table
    work = work._replace(tree=enlarge_tree(work.tree))
    if work.tree.table.size > table.size:
        slot_entry = np.zeros(work.tree.table.size // 2, np.int32)
        _rehash_entries(table, work.slot_entry, work.tree.table, slot_entry)
        work = work._replace(slot_entry=slot_entry)
    if work.tree.entry_parent.size > work.entry_g.size:
        work = enlarged(work, "entry_g", "entry_h", "entry_closed")
    if work.tree.closed_entry.size > work.closed_feedback.size:
        work = enlarged(work, "closed_feedback", "closed_cycles")
    if work.tree.registers[HEAP] + MOST_MOVES >= work.heap.size:
        work = enlarged(work, "heap")
    return work


class AStar(FreeCellSearch):
    """The search ``a-star``; it is complete, and its solutions are shortest.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "a-star"
    guided = False
    weighs = frozenset({DEADLOCK_BOUND})
    parameters = (
        AUTOMATIC,
        Parameter(
            "width", 0, "width of a beam search that gives a first solution; 0 for none", 0, 10**6
        ),
        WIDER,
    )

    def __init__(self) -> None:
        self._board = empty_board()
        self._small = new_work()
        self._graph: Graph = new_graph()
        self._beam = Beam()

    def needs_weights(self, values: Mapping[str, Value]) -> bool:
        return int(values["width"]) > 0

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load what only large searches need."""
        table, slot_entry = self._small.tree.table[:0], self._small.slot_entry[:0]
        _rehash_entries(table, slot_entry, table, slot_entry)
        warm_up_tree(self._small.tree)
        values = {parameter.name: parameter.default for parameter in Beam.parameters}
        values[AUTOMATIC.name] = "none"
        self._beam.run(position, weights, values, Limits())
        self._beam.warm_up(position, weights)

    def run(
        self,
        position: Position,
        weights: np.ndarray,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        """Search from a packed position; see ``hsd.search`` for the meaning of the arguments.

        If there is an incumbent when a limit is reached, it is returned with a proved lower bound.
        """
        packed, size = position
        automatic = values["automatic"] == "safe"
        started = time.thread_time()
        first = None
        incumbent = NO_INCUMBENT
        if int(values["width"]) > 0:
            beam_values = {**values, "supermoves": "no", "shorten": "yes"}
            first = self._beam.run(position, weights, beam_values, limits)
            if first.moves is None:
                return first
            incumbent = int(moves_not_home(first.moves))
        spent = first.nodes if first else Nodes(0, 0)
        self._small.tree.registers[:] = 0

        def advance_slice(work: AStarWork) -> int:
            pause = work.tree.registers[LOOKED] + SLICE_LOOKS
            return int(
                advance(
                    self._board, work, self._graph, packed, size, automatic, incumbent,
                    limits.nodes - spent.generated, pause,
                )
            )  # fmt: skip

        status, work = drive(self._small, advance_slice, enlarge, limits, started)
        registers = work.tree.registers
        best = found(work.tree, status, time.thread_time() - started)
        bound = int(registers[NOT_HOME] + registers[LOWER_BOUND])
        if first is not None and best.moves is None:
            # The incumbent is shortest, or a limit was reached before that was known.
            if status is Status.UNSOLVABLE:
                bound = int(registers[NOT_HOME]) + incumbent
            best = replace(best, status=Status.SOLVED, moves=first.moves)
        # Without an incumbent, a solution found is shortest.
        return replace(
            best, nodes=best.nodes + spent, bound=bound if best.moves is not None else None
        )
