"""A* with the deadlock bound: solutions with the fewest moves of single cards.

After Paul and Helmert, "Optimal Solitaire Game Solutions using A* Search and
Deadlock Analysis" (2016). Every card goes home once, so a solution is as long
as the cards not home at first, plus the g moves that are not home moves; home
moves cost nothing. The bound v on what is left of g is consistent, so a state is
expanded with its least g, and the first state with v = 0 whose g does not
exceed the least f = g + v of all open states ends a shortest solution. Runs of
cards move card by card. Forcing safe home moves makes no solution longer.

The search drops nothing and tells states apart by 128 bits: run dry, it has
proved the deal unsolvable (see ``hsd.best_first``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numba import int64

from hsd.best_first import HOME_MOVES, MOVE, QUIET, finish_home, not_zero, successors
from hsd.board import (
    CELL,
    HOME,
    LOOPS,
    PACKED,
    STRIDE_BITS,
    empty_board,
    load,
    play,
    play_safe_home,
    reload,
    store,
    unplay,
    unplay_home,
)
from hsd.deadlock import Graph, deadlock_bound, new_graph
from hsd.moves import MOST_MOVES, moved_card
from hsd.notation import write_out
from hsd.search import DRY, GROW, NODE_LIMIT, RUNNING, SOLVED, Found, FreeCellSearch, drive
from solving.heap import pop_key, push_key
from solving.outcome import Limits, Nodes, Status
from solving.parameters import Parameter, Value
from solving.runtime import kernel
from solving.table import find_pair

# Indices of the registers. FLOOR is the least f of all open states, NOT_HOME the
# cards that were not home at first, MET the states met, however often.
GENERATED, EXPANDED, HEAP, BOARD, GOAL, LENGTH, FLOOR, NOT_HOME, MET = range(9)

SLICE_MOVES = 5_000
"""Successors looked at in a slice, some ten milliseconds."""

ENOUGH = 255
_LOW = 0xFFFFFFFF


class AStarWork(NamedTuple):
    """The arrays of an A* search; the driver enlarges those that fill up.

    Attributes:
        registers: int64[9].
        table: uint64, the states met: both words of their hashes.
        numbers: int32, for each place of the table the entry that lies there.
        moves, keys, trail, chosen, path: as in ``hsd.best_first``.
        node_entry: for each expanded state, which entry it was.
        node_board: packed boards.
        entry_parent, entry_move: the best way to each state met, a move from an
            expanded state; the parent of the root is -1.
        entry_g, entry_v: uint16 and uint8, moves made and bound on those left, home moves left out.
        entry_closed: uint8, whether it was expanded.
        heap: int64, open states: f << 40 | v << 32 | ~entry, some out of date.
    """

    registers: np.ndarray
    table: np.ndarray
    numbers: np.ndarray
    moves: np.ndarray
    keys: np.ndarray
    trail: np.ndarray
    chosen: np.ndarray
    path: np.ndarray
    node_entry: np.ndarray
    node_board: np.ndarray
    entry_parent: np.ndarray
    entry_move: np.ndarray
    entry_g: np.ndarray
    entry_v: np.ndarray
    entry_closed: np.ndarray
    heap: np.ndarray


@kernel
def _order(g, v, entry):
    """Where a state stands in the queue: least f, then least v, then the latest."""
    return ((g + v) << 40) | (v << 32) | (_LOW - entry)


@kernel
def _begin(board, work, graph, packed, size, automatic):
    """Set up a search from a packed position: it is the first and only open state."""
    registers = work.registers
    for i in range(work.table.size):
        work.table[i] = 0
    load(board, packed, 0, size[0], size[1])
    home = board.home
    registers[NOT_HOME] = 52 - (home[0] + home[1] + home[2] + home[3])
    if automatic:
        play_safe_home(board, work.trail, 0)
    key = not_zero(board.key[0])
    place = -1 - find_pair(work.table, key, board.key[1])
    work.table[place] = key
    work.table[place + 1] = board.key[1]
    work.numbers[place >> 1] = 0
    store(board, work.node_board, 0)
    v = deadlock_bound(board, graph, ENOUGH)
    work.entry_parent[0] = -1
    work.entry_g[0] = 0
    work.entry_v[0] = v
    work.entry_closed[0] = 0
    registers[GENERATED] = 1
    registers[MET] = 1
    registers[EXPANDED] = 0
    registers[GOAL] = 0
    registers[FLOOR] = v
    registers[HEAP] = push_key(work.heap, 0, _order(0, v, 0))
    registers[BOARD] = -1
    return v


@kernel
def _finish(board, work, packed, size, automatic):
    """Write the whole solution to ``work.path`` and its length to the registers."""
    length = 0
    entry = work.registers[GOAL]
    while work.entry_parent[entry] >= 0:
        length += 1
        entry = int64(work.node_entry[work.entry_parent[entry]])
    work.registers[LENGTH] = length
    if length + HOME_MOVES > work.path.size:
        return GROW
    at = length
    entry = work.registers[GOAL]
    while work.entry_parent[entry] >= 0:
        at -= 1
        work.chosen[at] = work.entry_move[entry]
        entry = int64(work.node_entry[work.entry_parent[entry]])
    at = write_out(board, packed, size, automatic, work.chosen, length, work.path)
    work.registers[LENGTH] = finish_home(board, work.path, at)
    return SOLVED


@kernel
def _bound_after(board, graph, move, alone, before):
    """The bound after a move, which is on the board now.

    Args:
        move: the move.
        alone: whether the moved card lay above a lower one of its suit.
        before: the bound before it.
    """
    target = (move >> 5) & 31
    if target == HOME:
        # What goes home waits for nobody.
        return before
    away = target >= CELL or board.height[target] == 1
    if away and alone:
        return before - 1
    # Into a cell or an empty cascade the bound cannot rise, elsewhere by one at most.
    return deadlock_bound(board, graph, before if away else before + 1)


@kernel
def _lies_above_own(board, move):
    """Whether the card a move takes lies above a lower one of its suit."""
    source = move & 31
    if source >= CELL:
        return False
    at = (source << STRIDE_BITS) + board.height[source] - 1
    return (board.part[at] >> LOOPS) & 1 == 1


@kernel
def advance(board, work, graph, packed, size, automatic, node_limit, pause):
    """Search on until the deal is decided or ``pause`` successors were looked at.

    Args:
        board: scratch ``Board``; its content belongs to the search.
        work: ``AStarWork``, its registers zero before the first slice.
        graph: scratch of the bound.
        packed: the position the search starts from.
        size: int64[2], cascades and cells.
        automatic: whether safe home moves are forced.
        node_limit: states that may be generated.
        pause: successors at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with a shortest solution in ``work.path``, ``DRY``,
        ``NODE_LIMIT``, ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    registers = work.registers
    moves = work.moves
    trail = work.trail
    if registers[GENERATED] == 0 and _begin(board, work, graph, packed, size, automatic) == 0:
        return _finish(board, work, packed, size, automatic)
    if registers[GOAL] > 0:
        return _finish(board, work, packed, size, automatic)
    while True:
        if registers[HEAP] == 0:
            return DRY
        if registers[GENERATED] >= node_limit:
            return NODE_LIMIT
        node = registers[EXPANDED]
        if (
            4 * (registers[GENERATED] + MOST_MOVES) >= work.table.size
            or registers[GENERATED] + MOST_MOVES >= work.entry_parent.size
            or registers[HEAP] + MOST_MOVES >= work.heap.size
            or node >= work.node_entry.size
        ):
            return GROW
        if registers[MET] >= pause:
            return RUNNING
        order = work.heap[0]
        registers[HEAP] = pop_key(work.heap, registers[HEAP])
        entry = _LOW - (order & _LOW)
        g = int64(work.entry_g[entry])
        v = int64(work.entry_v[entry])
        if work.entry_closed[entry] or order != _order(g, v, entry):
            continue
        work.entry_closed[entry] = 1
        registers[FLOOR] = g + v
        parent = int64(work.entry_parent[entry])
        forced = 0
        move = int64(0)
        if parent < 0:
            load(board, work.node_board, 0, size[0], size[1])
        else:
            if parent != registers[BOARD]:
                reload(board, work.node_board, parent * PACKED)
            move = int64(work.entry_move[entry])
            play(board, move)
            if automatic:
                forced = play_safe_home(board, trail, 0)
            store(board, work.node_board, node * PACKED)
        work.node_entry[node] = entry
        registers[EXPANDED] += 1
        registers[BOARD] = node
        end = successors(board, work, automatic, 1, move if forced == 0 else 0)
        registers[MET] += end
        for i in range(end):
            move = moves[i] & MOVE
            quiet = moves[i] & QUIET != 0
            suit = int64(0)
            forced = 0
            alone = _lies_above_own(board, move)
            if quiet:
                key = work.keys[2 * i]
                second = work.keys[2 * i + 1]
            else:
                if ((move >> 5) & 31) == HOME:
                    suit = int64(moved_card(board, move) & 3)
                play(board, move)
                forced = play_safe_home(board, trail, 0)
                key = not_zero(board.key[0])
                second = board.key[1]
            far = g if ((move >> 5) & 31) == HOME else g + 1
            place = find_pair(work.table, key, second)
            if place >= 0:
                entry = int64(work.numbers[place >> 1])
                if far < work.entry_g[entry]:
                    work.entry_g[entry] = far
                    work.entry_parent[entry] = node
                    work.entry_move[entry] = move
                    again = _order(far, int64(work.entry_v[entry]), entry)
                    registers[HEAP] = push_key(work.heap, registers[HEAP], again)
                if quiet:
                    continue
            else:
                entry = registers[GENERATED]
                registers[GENERATED] += 1
                work.table[-1 - place] = key
                work.table[-place] = second
                work.numbers[(-1 - place) >> 1] = entry
                if quiet:
                    if ((move >> 5) & 31) == HOME:
                        suit = int64(moved_card(board, move) & 3)
                    play(board, move)
                new_v = _bound_after(board, graph, move, alone, v)
                work.entry_parent[entry] = node
                work.entry_move[entry] = move
                work.entry_g[entry] = far
                work.entry_v[entry] = new_v
                work.entry_closed[entry] = 0
                if new_v == 0 and far <= registers[FLOOR]:
                    registers[GOAL] = entry
                    return _finish(board, work, packed, size, automatic)
                registers[HEAP] = push_key(work.heap, registers[HEAP], _order(far, new_v, entry))
            unplay_home(board, trail, forced, 0)
            unplay(board, move, suit)


@kernel
def _rehash(table, numbers, larger, larger_numbers):
    for i in range(0, table.size, 2):
        if table[i] != 0:
            place = -1 - find_pair(larger, table[i], table[i + 1])
            larger[place] = table[i]
            larger[place + 1] = table[i + 1]
            larger_numbers[place >> 1] = numbers[i >> 1]


def new_work() -> AStarWork:
    """Arrays for a search that stays small; they grow as a search needs."""
    nodes, entries = 1 << 10, 1 << 12
    return AStarWork(
        registers=np.zeros(9, np.int64),
        table=np.zeros(4 * entries, np.uint64),
        numbers=np.zeros(2 * entries, np.int32),
        moves=np.zeros(MOST_MOVES, np.int64),
        keys=np.zeros(2 * MOST_MOVES, np.uint64),
        trail=np.zeros(128, np.int64),
        chosen=np.zeros(1024, np.int64),
        path=np.zeros(1024, np.int64),
        node_entry=np.zeros(nodes, np.int32),
        node_board=np.zeros(nodes * PACKED, np.uint8),
        entry_parent=np.zeros(entries, np.int32),
        entry_move=np.zeros(entries, np.uint16),
        entry_g=np.zeros(entries, np.uint16),
        entry_v=np.zeros(entries, np.uint8),
        entry_closed=np.zeros(entries, np.uint8),
        heap=np.zeros(entries, np.int64),
    )


_NODE_ARRAYS = ("node_entry", "node_board")
_ENTRY_ARRAYS = ("entry_parent", "entry_move", "entry_g", "entry_v", "entry_closed")


def enlarge(work: AStarWork) -> AStarWork:
    """The same search with larger arrays in place of those that are full."""
    registers = work.registers
    larger: dict[str, np.ndarray] = {}
    generated = registers[GENERATED] + MOST_MOVES
    if 4 * generated >= work.table.size:
        larger["table"] = np.zeros(2 * work.table.size, np.uint64)
        larger["numbers"] = np.zeros(2 * work.numbers.size, np.int32)
        _rehash(work.table, work.numbers, larger["table"], larger["numbers"])
    if registers[LENGTH] + HOME_MOVES > work.path.size:
        for name in ("chosen", "path"):
            larger[name] = np.zeros(2 * registers[LENGTH] + HOME_MOVES, np.int64)
    full: tuple[str, ...] = _ENTRY_ARRAYS if generated >= work.entry_parent.size else ()
    if registers[EXPANDED] >= work.node_entry.size:
        full += _NODE_ARRAYS
    if registers[HEAP] + MOST_MOVES >= work.heap.size:
        full += ("heap",)
    for name in full:
        array = getattr(work, name)
        larger[name] = np.empty(2 * array.shape[0], array.dtype)
        larger[name][: array.shape[0]] = array
    return work._replace(**larger)


class AStar(FreeCellSearch):
    """A* as a search of this package; it is complete and its solutions are shortest.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "a-star"
    guided = False
    parameters = (
        Parameter("automatic", "safe", "home moves that are forced", choices=("safe", "none")),
    )

    def __init__(self) -> None:
        self._board = empty_board()
        self._small = new_work()
        self._graph: Graph = new_graph()

    def run(
        self,
        packed: np.ndarray,
        size: np.ndarray,
        weights: np.ndarray,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        """Search from a packed position; see ``hsd.search`` for the meaning of the arguments."""
        automatic = values["automatic"] == "safe"
        started = time.thread_time()
        work = self._small
        registers = work.registers
        registers[:] = 0

        def next_slice() -> int:
            pause = registers[MET] + SLICE_MOVES
            return int(
                advance(
                    self._board, work, self._graph, packed, size, automatic, limits.nodes, pause
                )
            )

        def make_room(memory: int) -> bool:
            nonlocal work
            if 2 * sum(array.nbytes for array in work) > memory:
                return False
            work = enlarge(work)
            return True

        status = drive(RUNNING, next_slice, make_room, limits, started)
        if status is Status.EXHAUSTED:
            status = Status.UNSOLVABLE
        moves = work.path[: registers[LENGTH]].copy() if status is Status.SOLVED else None
        return Found(
            status=status,
            moves=moves,
            nodes=Nodes(int(registers[EXPANDED]), int(registers[GENERATED])),
            seconds=time.thread_time() - started,
            # What was found is a shortest solution.
            bound=int(registers[NOT_HOME] + registers[FLOOR]) if moves is not None else None,
        )
