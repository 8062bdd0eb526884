"""Best-first search: always expand the open state with the least score.

Nothing is overwritten, dropped or wiped, so a search that runs dry has met every
state there is: that proves the deal unsolvable. States are told apart by 128
bits, so the chance that a search over n states ever took two for one is below
n^2 / 2^129, less than 10^-24 for ten million. Forced home moves lose no
solution: a safe card is of no use where it lies.

Where a score misjudges a region, best-first search floods it before it looks
elsewhere. With ``patience``, after so many expansions every second one takes the
best open state of the next depth in turn, as cyclic best-first search does
(Kao, Sewell and Jacobson 2009). Easy deals are solved before that; of hard ones
it takes off the long tail. Depth counts moves of single cards, home moves left out.

Successors are scored when they are generated but built only when it is their
turn: an open state is a move from an expanded one. A position without
inversions, where no card lies above a lower one, counts as solved, for home
moves alone finish it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from hsd.board import (
    CELL,
    HOME,
    INVERSIONS,
    NO_CARD,
    PACKED,
    empty_board,
    load,
    play,
    play_safe_home,
    reload,
    store,
    top,
    unplay,
    unplay_home,
)
from hsd.linear import compiled, linear_score
from hsd.moves import ANY, MOST_MOVES, cost, key_after, list_moves, moved_card, stays_quiet
from hsd.notation import write_out
from hsd.search import DRY, GROW, NODE_LIMIT, RUNNING, SOLVED, Found, FreeCellSearch, drive
from solving.heap import meld, pop_key, push_key
from solving.outcome import Limits, Nodes, Status
from solving.parameters import Parameter, Value
from solving.runtime import SLICE, kernel
from solving.table import expect_pair, find_pair, rehash_pairs

# Indices of the registers: what the kernel keeps between slices. BOARD is the
# expanded state that the board shows, GOAL the entry that solves, LENGTH moves of the solution,
# TURN the depth whose turn it was last, -1 before the search loses patience, and OPEN the states
# not yet expanded.
GENERATED, EXPANDED, HEAP, BOARD, GOAL, LENGTH, TURN, OPEN = range(8)

DEEPEST = 255
"""Deeper states take their turn as if they lay here."""

HOME_MOVES = 64
"""Room for the home moves of a solution."""

_LOW = 0xFFFFFFFF
QUIET = 1 << 16
MOVE = QUIET - 1


class BestFirstWork(NamedTuple):
    """The arrays of a best-first search; the driver enlarges those that fill up.

    Attributes:
        registers: int64[8].
        table: uint64, the states met: both words of their hashes.
        moves: int64[256], the moves of the state being expanded.
        keys: uint64[512], for each of them both words of the hash it leads to.
        trail: int64[128], forced home moves.
        chosen, path: the solution without and with forced home moves.
        node_entry: for each expanded state, which entry it was.
        node_made: moves of single cards made to get there, home moves left out.
        node_board: packed boards.
        entry_parent, entry_move: for each state met, a move from an expanded
            state; the parent of the root is -1.
        entry_depth: uint8, moves of single cards made to get there, at most 255.
        entry_closed: uint8, whether it was expanded.
        heap: int64, the open states: score << 32 | ~entry; closed ones are passed over.
        order, left, right: the open states of each depth as skew heaps.
        roots: int32[256], the root of each depth, -1 for none.
    """

    registers: np.ndarray
    table: np.ndarray
    moves: np.ndarray
    keys: np.ndarray
    trail: np.ndarray
    chosen: np.ndarray
    path: np.ndarray
    node_entry: np.ndarray
    node_made: np.ndarray
    node_board: np.ndarray
    entry_parent: np.ndarray
    entry_move: np.ndarray
    entry_depth: np.ndarray
    entry_closed: np.ndarray
    heap: np.ndarray
    order: np.ndarray
    left: np.ndarray
    right: np.ndarray
    roots: np.ndarray


@kernel
def not_zero(key):
    return key if key != 0 else uint64(1)


@kernel
def _begin(board, work, packed, size, automatic):
    """Set up a search from a packed position: it is the first and only open state."""
    registers = work.registers
    for i in range(work.table.size):
        work.table[i] = 0
    load(board, packed, 0, size[0], size[1])
    if automatic:
        play_safe_home(board, work.trail, 0)
    key = not_zero(board.key[0])
    place = -1 - find_pair(work.table, key, board.key[1])
    work.table[place] = key
    work.table[place + 1] = board.key[1]
    store(board, work.node_board, 0)
    work.entry_parent[0] = -1
    registers[GENERATED] = 1
    registers[EXPANDED] = 0
    registers[GOAL] = 0
    registers[HEAP] = push_key(work.heap, 0, _LOW)
    registers[BOARD] = -1
    registers[TURN] = -1
    registers[OPEN] = 1
    work.entry_depth[0] = 0
    work.entry_closed[0] = 0


@kernel
def without_inversions(board):
    """Whether no card lies above a lower one, so that home moves alone finish."""
    return (board.total[0] >> INVERSIONS) & 63 == 0


@kernel
def finish_home(board, path, at):
    """Write the home moves that finish a position without inversions; returns the end.

    The lowest card not home is always exposed there.
    """
    again = True
    while again:
        again = False
        for place in range(CELL + board.size[1]):
            if place >= CELL:
                card = board.cell[place - CELL]
            elif place < board.size[0]:
                card = top(board, place)
            else:
                continue
            if card != NO_CARD and board.home[card & 3] == (card >> 2) - 1:
                path[at] = place | (HOME << 5) | (1 << 10)
                play(board, int64(path[at]))
                at += 1
                again = True
    return at


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
def successors(board, work, automatic, longest, last):
    """List the moves of the position, those that stay quiet marked, with the hashes they lead to.

    Moving what has just been moved once more is left out: it could have gone
    there at once, or goes back.
    """
    moves = work.moves
    keys = work.keys
    listed = list_moves(board, moves, 0, longest)
    came, count = (last >> 5) & 31, last >> 10
    end = 0
    for i in range(listed):
        move = moves[i]
        again = last != 0 and move & 31 == came and move >> 10 == count
        if again and came < HOME and ((move >> 5) & 31) != HOME:
            continue
        if automatic and not stays_quiet(board, move):
            moves[end] = move
        else:
            moves[end] = move | QUIET
            keys[2 * end] = not_zero(key_after(board, move, 0))
            keys[2 * end + 1] = key_after(board, move, 1)
            expect_pair(work.table, keys[2 * end])
        end += 1
    return end


@kernel
def _queue_by_depth(work, entry, order):
    """Add an open state to the heap of its depth."""
    depth = work.entry_depth[entry]
    work.order[entry] = order
    work.left[entry] = -1
    work.right[entry] = -1
    work.roots[depth] = meld(
        work.order, work.left, work.right, int64(work.roots[depth]), int64(entry)
    )


@kernel
def _lose_patience(work):
    """Sort the open states by depth, from now on beside the one heap of all."""
    registers = work.registers
    for depth in range(DEEPEST + 1):
        work.roots[depth] = -1
    for i in range(registers[HEAP]):
        _queue_by_depth(work, _LOW - (work.heap[i] & _LOW), work.heap[i])
    registers[TURN] = DEEPEST


@kernel
def _next_in_turn(work):
    """Take the best state of the next depth that has one; closed ones are taken too."""
    registers = work.registers
    depth = (registers[TURN] + 1) & DEEPEST
    while work.roots[depth] < 0:
        depth = (depth + 1) & DEEPEST
    registers[TURN] = depth
    entry = int64(work.roots[depth])
    work.roots[depth] = meld(
        work.order, work.left, work.right, int64(work.left[entry]), int64(work.right[entry])
    )
    return entry


@kernel
def advance(board, work, packed, size, automatic, longest, patience, k, node_limit, pause):
    """Search on until the deal is decided or ``pause`` states are generated.

    Args:
        board: scratch ``Board``; its content belongs to the search.
        work: ``BestFirstWork``, its registers zero before the first slice.
        packed: the position the search starts from.
        size: int64[2], cascades and cells.
        automatic: whether safe home moves are forced.
        longest: cards that a move may take, 1 or ``ANY``.
        patience: expansions after which every second one goes to the next depth
            in turn; 0 for never.
        k: int64[108], the compiled evaluator.
        node_limit: states that may be generated.
        pause: states generated at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the solution in ``work.path``, ``DRY``, ``NODE_LIMIT``,
        ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    registers = work.registers
    moves = work.moves
    trail = work.trail
    if registers[GENERATED] == 0:
        _begin(board, work, packed, size, automatic)
        if without_inversions(board):
            return _finish(board, work, packed, size, automatic)
    if registers[GOAL] > 0:
        return _finish(board, work, packed, size, automatic)
    while True:
        if registers[OPEN] == 0:
            return DRY
        if registers[GENERATED] >= node_limit:
            return NODE_LIMIT
        node = registers[EXPANDED]
        if (
            4 * (registers[GENERATED] + MOST_MOVES) >= work.table.size
            or registers[GENERATED] + MOST_MOVES >= work.entry_parent.size
            or node >= work.node_entry.size
        ):
            return GROW
        if registers[GENERATED] >= pause:
            return RUNNING
        if patience > 0 and node == patience and registers[TURN] < 0:
            _lose_patience(work)
        if registers[TURN] >= 0 and node & 1 == 0:
            entry = _next_in_turn(work)
        else:
            entry = _LOW - (work.heap[0] & _LOW)
            registers[HEAP] = pop_key(work.heap, registers[HEAP])
        if work.entry_closed[entry]:
            continue
        work.entry_closed[entry] = 1
        registers[OPEN] -= 1
        parent = int64(work.entry_parent[entry])
        made = 0
        forced = 0
        if parent < 0:
            load(board, work.node_board, 0, size[0], size[1])
        else:
            if parent != registers[BOARD]:
                reload(board, work.node_board, parent * PACKED)
            move = int64(work.entry_move[entry])
            made = work.node_made[parent] + cost(move)
            play(board, move)
            if automatic:
                forced = play_safe_home(board, trail, 0)
            store(board, work.node_board, node * PACKED)
        work.node_entry[node] = entry
        work.node_made[node] = made
        registers[EXPANDED] += 1
        registers[BOARD] = node
        last = int64(work.entry_move[entry]) if parent >= 0 and not forced else 0
        end = successors(board, work, automatic, longest, last)
        for i in range(end):
            move = moves[i] & MOVE
            quiet = moves[i] & QUIET != 0
            suit = int64(0)
            forced = 0
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
            place = find_pair(work.table, key, second)
            if place < 0:
                work.table[-1 - place] = key
                work.table[-place] = second
                entry = registers[GENERATED]
                registers[GENERATED] += 1
                work.entry_parent[entry] = node
                work.entry_move[entry] = move
                if quiet:
                    if ((move >> 5) & 31) == HOME:
                        suit = int64(moved_card(board, move) & 3)
                    play(board, move)
                if without_inversions(board):
                    registers[GOAL] = entry
                    return _finish(board, work, packed, size, automatic)
                # Of equal scores the state met last comes first.
                depth = made + cost(move)
                order = (linear_score(board, k, depth) << 32) | (_LOW - entry)
                registers[HEAP] = push_key(work.heap, registers[HEAP], order)
                registers[OPEN] += 1
                work.entry_depth[entry] = min(depth, DEEPEST)
                work.entry_closed[entry] = 0
                if registers[TURN] >= 0:
                    _queue_by_depth(work, entry, order)
            elif quiet:
                continue
            unplay_home(board, trail, forced, 0)
            unplay(board, move, suit)


def new_work() -> BestFirstWork:
    """Arrays for a search that stays small; they grow as a search needs."""
    nodes, entries = 1 << 10, 1 << 12
    return BestFirstWork(
        registers=np.zeros(8, np.int64),
        table=np.zeros(4 * entries, np.uint64),
        moves=np.zeros(MOST_MOVES, np.int64),
        keys=np.zeros(2 * MOST_MOVES, np.uint64),
        trail=np.zeros(128, np.int64),
        chosen=np.zeros(1024, np.int64),
        path=np.zeros(1024, np.int64),
        node_entry=np.zeros(nodes, np.int32),
        node_made=np.zeros(nodes, np.int32),
        node_board=np.zeros(nodes * PACKED, np.uint8),
        entry_parent=np.zeros(entries, np.int32),
        entry_move=np.zeros(entries, np.uint16),
        entry_depth=np.zeros(entries, np.uint8),
        entry_closed=np.zeros(entries, np.uint8),
        heap=np.zeros(entries, np.int64),
        order=np.zeros(entries, np.int64),
        left=np.zeros(entries, np.int32),
        right=np.zeros(entries, np.int32),
        roots=np.zeros(DEEPEST + 1, np.int32),
    )


_NODE_ARRAYS = ("node_entry", "node_made", "node_board")
_ENTRY_ARRAYS = (
    "entry_parent", "entry_move", "entry_depth", "entry_closed", "heap", "order", "left", "right",
)  # fmt: skip


def enlarge(work: BestFirstWork) -> BestFirstWork:
    """The same search with larger arrays in place of those that are full."""
    registers = work.registers
    larger: dict[str, np.ndarray] = {}
    generated = registers[GENERATED] + MOST_MOVES
    if 4 * generated >= work.table.size:
        larger["table"] = np.zeros(4 * work.table.size, np.uint64)
        rehash_pairs(work.table, larger["table"])
    if registers[LENGTH] + HOME_MOVES > work.path.size:
        for name in ("chosen", "path"):
            larger[name] = np.zeros(2 * registers[LENGTH] + HOME_MOVES, np.int64)
    full: tuple[str, ...] = _ENTRY_ARRAYS if generated >= work.entry_parent.size else ()
    if registers[EXPANDED] >= work.node_entry.size:
        full += _NODE_ARRAYS
    for name in full:
        array = getattr(work, name)
        larger[name] = np.empty((2 * array.shape[0], *array.shape[1:]), array.dtype)
        larger[name][: array.shape[0]] = array
    return work._replace(**larger)


class BestFirst(FreeCellSearch):
    """Best-first search as a search of this package; it is complete.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "best-first"
    guided = True
    weighs_moves = True
    parameters = (
        Parameter("automatic", "safe", "home moves that are forced", choices=("safe", "none")),
        Parameter("supermoves", "yes", "whether runs move as one", choices=("yes", "no")),
        Parameter(
            "patience",
            0,
            "expansions after which every second one goes to the next depth in turn; 0 for never",
            0,
            10**9,
        ),
    )

    def __init__(self) -> None:
        self._board = empty_board()
        self._small = new_work()

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
        patience = int(values["patience"])
        longest = ANY if values["supermoves"] == "yes" else 1
        started = time.thread_time()
        k = compiled(weights.tobytes(), int(size[0]), int(size[1]))
        work = self._small
        registers = work.registers
        registers[:] = 0

        def next_slice() -> int:
            pause = registers[GENERATED] + SLICE
            return int(
                advance(
                    self._board,
                    work,
                    packed,
                    size,
                    automatic,
                    longest,
                    patience,
                    k,
                    limits.nodes,
                    pause,
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
        )
