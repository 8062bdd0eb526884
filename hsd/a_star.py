"""A* with the deadlock bound: solutions with the fewest moves of single cards.

After Paul and Helmert, "Optimal Solitaire Game Solutions using A* Search and
Deadlock Analysis" (2016). Every card goes home once, so a solution is as long
as the cards not home at first, plus the g moves that are not home moves; home
moves cost nothing. The bound v on what is left of g is consistent, so a state is
expanded with its least g, and the first state with v = 0 whose g does not
exceed the least f = g + v of all open states ends a shortest solution. Runs of
cards move card by card. Forcing safe home moves makes no solution longer.

The search drops nothing and tells states apart by 128 bits: run dry, it has
proved the deal unsolvable (see ``hsd.tree``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numba import int64

from hsd.beam import NO_LENGTH, WIDER, Beam, settle_entry
from hsd.board import HOME, empty_board
from hsd.deadlock import ASSUMED, ENOUGH, Graph, bound_after, deadlock_bound, new_graph
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
    arrive,
    back,
    enlarge_tree,
    enter,
    expand,
    found,
    is_full,
    look,
    new_tree,
    not_zero,
    plant,
    warm_up_tree,
    write_solution,
)
from solving.heap import pop_key, push_key
from solving.outcome import Limits, Nodes, Status
from solving.parameters import Parameter, Value
from solving.runtime import kernel
from solving.slices import GROW, NODE_LIMIT, RUNNING, UNSOLVABLE, Found, drive, enlarged
from solving.transposition import find_pair

# Further registers: HEAP the length of the heap, FLOOR the least f of all open states.
HEAP, FLOOR = range(OWN, OWN + 2)

SLICE_LOOKS = 5_000
"""Successors looked at in a slice, some ten milliseconds."""

_LOW = 0xFFFFFFFF


class AStarWork(NamedTuple):
    """The arrays of an A* search; the driver enlarges those that fill up.

    Attributes:
        tree: the states met, each with the best way there.
        numbers: int32, for each pair of the tree's table the entry that lies there.
        entry_g, entry_v: uint16 and uint8, moves made and bound on those left, home moves left out.
        node_breakers, node_circled: uint64, for each node what ``hsd.deadlock`` tells of it.
        entry_closed: uint8, whether it was expanded.
        heap: int64, open states: f << 40 | v << 32 | ~entry, some out of date.
    """

    tree: Tree
    numbers: np.ndarray
    entry_g: np.ndarray
    entry_v: np.ndarray
    entry_closed: np.ndarray
    node_breakers: np.ndarray
    node_circled: np.ndarray
    heap: np.ndarray


@kernel
def _order(g, v, entry):
    """Where a state stands in the queue: least f, then least v, then the latest."""
    least = v & ~ASSUMED
    return ((g + least) << 40) | (least << 32) | (_LOW - entry)


@kernel
def advance(board, work, graph, packed, size, automatic, upper, node_limit, pause):
    """Search on until the deal is decided or ``pause`` successors were looked at.

    Args:
        board: scratch ``Board``; its content belongs to the search.
        work: ``AStarWork``, the tree's registers zero before the first slice.
        graph: scratch of the bound.
        packed: the position the search starts from.
        size: int64[2], cascades and cells.
        automatic: whether safe home moves are forced.
        upper: moves, home moves left out, that a solution must stay below.
        node_limit: states that may be generated.
        pause: successors at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with a shortest solution in the tree, ``UNSOLVABLE``,
        ``NODE_LIMIT``, ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    tree = work.tree
    registers = tree.registers
    if registers[GENERATED] == 0:
        plant(board, tree, packed, size, automatic)
        work.numbers[find_pair(tree.table, not_zero(board.key[0]), board.key[1]) >> 1] = 0
        work.entry_g[0] = 0
        work.entry_v[0] = deadlock_bound(board, graph, ENOUGH)
        work.entry_closed[0] = 0
        registers[FLOOR] = work.entry_v[0]
        registers[HEAP] = push_key(work.heap, 0, _order(0, int64(work.entry_v[0]), 0))
        if registers[FLOOR] == 0:
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
            or tree.node_entry.size > work.node_breakers.size
            or tree.table.size > 2 * work.numbers.size
            or registers[HEAP] + MOST_MOVES >= work.heap.size
        ):
            return GROW
        if registers[LOOKED] >= pause:
            return RUNNING
        order = work.heap[0]
        registers[HEAP] = pop_key(work.heap, registers[HEAP])
        entry = _LOW - (order & _LOW)
        g = int64(work.entry_g[entry])
        told = int64(work.entry_v[entry])
        if work.entry_closed[entry] or order != _order(g, told, entry):
            continue
        registers[FLOOR] = g + (told & ~ASSUMED)
        if registers[FLOOR] >= upper:
            return UNSOLVABLE
        forced = arrive(board, tree, entry, size, automatic)
        v = settle_entry(board, tree, graph, entry, told, work.node_breakers, work.node_circled)
        work.entry_v[entry] = v
        if v > told & ~ASSUMED:
            work.entry_v[entry] = v | ASSUMED
            registers[HEAP] = push_key(work.heap, registers[HEAP], _order(g, v, entry))
            continue
        if v == 0:
            registers[GOAL] = entry
            return write_solution(board, tree, packed, size, automatic)
        work.entry_closed[entry] = 1
        breakers, circled = graph.breakers[0], graph.circled[0]
        work.node_breakers[registers[EXPANDED]] = breakers
        work.node_circled[registers[EXPANDED]] = circled
        end = expand(board, tree, entry, forced, automatic, 1)
        for i in range(end):
            move = tree.moves[i] & MOVE
            place, suit, forced = look(board, tree, i, automatic)
            if tree.moves[i] & QUIET == 0:
                back(board, tree, i, suit, forced)
            far = g if ((move >> 5) & 31) == HOME else g + 1
            bound = bound_after(board, move, v, breakers, circled)
            if far + (bound & ~ASSUMED) >= upper:
                continue
            if place >= 0:
                entry = int64(work.numbers[place >> 1])
                if far >= work.entry_g[entry]:
                    continue
                # ``settle_entry`` has to go on from the new parent.
                tree.entry_parent[entry] = registers[EXPANDED] - 1
                tree.entry_move[entry] = move
            else:
                entry = enter(tree, i, place)
                work.numbers[(-1 - place) >> 1] = entry
                work.entry_closed[entry] = 0
            work.entry_g[entry] = far
            work.entry_v[entry] = bound
            again = _order(far, int64(work.entry_v[entry]), entry)
            registers[HEAP] = push_key(work.heap, registers[HEAP], again)


@kernel
def _renumber(table, numbers, larger, larger_numbers):
    """Take the entries' numbers along to a larger table with the same keys."""
    for i in range(0, table.size, 2):
        if table[i] != 0:
            place = find_pair(larger, table[i], table[i + 1])
            larger_numbers[place >> 1] = numbers[i >> 1]


def new_work() -> AStarWork:
    """Arrays for a search that stays small; they grow as a search needs."""
    nodes, entries = 1 << 10, 1 << 12
    return AStarWork(
        tree=new_tree(nodes, entries),
        numbers=np.zeros(2 * entries, np.int32),
        entry_g=np.zeros(entries, np.uint16),
        entry_v=np.zeros(entries, np.uint8),
        entry_closed=np.zeros(entries, np.uint8),
        node_breakers=np.zeros(nodes, np.uint64),
        node_circled=np.zeros(nodes, np.uint64),
        heap=np.zeros(entries, np.int64),
    )


def enlarge(work: AStarWork) -> AStarWork:
    """The same search with larger arrays in place of those that are full."""
    table = work.tree.table
    work = work._replace(tree=enlarge_tree(work.tree))
    if work.tree.table.size > table.size:
        numbers = np.zeros(work.tree.table.size // 2, np.int32)
        _renumber(table, work.numbers, work.tree.table, numbers)
        work = work._replace(numbers=numbers)
    if work.tree.entry_parent.size > work.entry_g.size:
        work = enlarged(work, "entry_g", "entry_v", "entry_closed")
    if work.tree.node_entry.size > work.node_breakers.size:
        work = enlarged(work, "node_breakers", "node_circled")
    if work.tree.registers[HEAP] + MOST_MOVES >= work.heap.size:
        work = enlarged(work, "heap")
    return work


class AStar(FreeCellSearch):
    """A* as a search of this package; it is complete and its solutions are shortest.

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
        table, numbers = self._small.tree.table[:0], self._small.numbers[:0]
        _renumber(table, numbers, table, numbers)
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

        With a first solution in hand, a limit that is reached leaves the best one,
        with a bound that is proved.
        """
        packed, size = position
        automatic = values["automatic"] == "safe"
        started = time.thread_time()
        first = None
        upper = NO_LENGTH
        if int(values["width"]) > 0:
            beam_values = {**values, "supermoves": "no", "shorten": "yes"}
            first = self._beam.run(position, weights, beam_values, limits)
            if first.moves is None:
                return first
            upper = int(moves_not_home(first.moves))
        spent = first.nodes if first else Nodes(0, 0)
        self._small.tree.registers[:] = 0

        def advance_slice(work: AStarWork) -> int:
            pause = work.tree.registers[LOOKED] + SLICE_LOOKS
            return int(
                advance(
                    self._board, work, self._graph, packed, size, automatic, upper,
                    limits.nodes - spent.generated, pause,
                )
            )  # fmt: skip

        status, work = drive(self._small, advance_slice, enlarge, limits, started)
        registers = work.tree.registers
        best = found(work.tree, status, time.thread_time() - started)
        bound = int(registers[NOT_HOME] + registers[FLOOR])
        if first is not None and best.moves is None:
            # Nothing is shorter, or a limit was reached before that was known.
            if status is Status.UNSOLVABLE:
                bound = int(registers[NOT_HOME]) + upper
            best = replace(best, status=Status.SOLVED, moves=first.moves)
        # Without a first solution, what was found is a shortest one.
        return replace(
            best, nodes=best.nodes + spent, bound=bound if best.moves is not None else None
        )
