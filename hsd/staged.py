"""Heineman's staged deepening (2009), the HSD algorithm of GA-FreeCell's section 3.1.3.

It is best-first search by stages. A stage removes the best state from the open list and
searches depth first from there; its frontier, the new states exactly K moves away, joins
the open list. The open list is a map from a score to one state: a state of equal score
replaces the older one, so an empty list proves nothing. All stages share one transposition
table of visited states, which may be wiped when it grows too large. With K = 1 this is
best-first search with such a map.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from hsd.board import (
    HOME,
    PACKED,
    empty_board,
    is_home,
    load,
    play,
    play_safe_home,
    store,
    unplay,
    unplay_home,
)
from hsd.heuristics import NAMES, score
from hsd.moves import ANY, MOST_MOVES, key_after, list_moves, moved_card, stays_quiet
from hsd.notation import solution
from hsd.search import AUTOMATIC, FreeCellSearch, Position
from jit import kernel
from jit.kernels.heap import pop, push
from jit.kernels.transposition import find, rehash
from jit.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, SOLVED, drive, enlarged
from solving.outcome import Limits, Nodes, Status
from solving.parameters import Parameter, Value
from solving.search import Found

DEEPEST_STAGE = 16
SLICE = 20_000
"""States generated in a slice, some ten milliseconds."""

# Indices of the registers, which the kernel keeps between slices.
GENERATED, EXPANDED, DEPTH, ENTRIES, STAGES, SLOTS, HEAP, KEYS = range(8)


class StagedWork(NamedTuple):
    """The arrays of a staged search; the driver enlarges those that fill up.

    Attributes:
        registers: int64[8], counters and stack depth.
        table: uint64, the transposition table of visited states.
        moves: int64[17 * 256], the moves of the state at each depth of the stage.
        stack: int64[4, 17], for each depth: next move, end of moves, suit sent
            home by the move made there, start of its forced home moves.
        made: int64[17], the moves made in this stage.
        trail: int64[128], forced home moves made in this stage.
        stage_parent, stage_moves, stage_board: for each stage, the stage before it (-1 for
            the first), the K moves from there, and the packed board that it starts from.
        slot_parent, slot_moves, slot_open: the states in the open list.
        heap_scores, heap_slots: the open list as a heap.
        map_scores, map_slots: hash map from score to slot.
        values: float64[26], scratch.
    """

    registers: np.ndarray
    table: np.ndarray
    moves: np.ndarray
    stack: np.ndarray
    made: np.ndarray
    trail: np.ndarray
    stage_parent: np.ndarray
    stage_moves: np.ndarray
    stage_board: np.ndarray
    slot_parent: np.ndarray
    slot_moves: np.ndarray
    slot_open: np.ndarray
    heap_scores: np.ndarray
    heap_slots: np.ndarray
    map_scores: np.ndarray
    map_slots: np.ndarray
    values: np.ndarray


@kernel
def _index_of_score(scores, value):
    """Index of a score in the map, or of the empty slot (NaN) where it belongs."""
    mask = uint64(scores.size - 1)
    # Scores are sums of few small fractions: spread their bits before masking.
    bits = uint64(int64(value * 9007199254740992.0)) * uint64(0x9E3779B97F4A7C15)
    i = (bits >> uint64(29)) & mask
    while not np.isnan(scores[i]) and scores[i] != value:
        i = (i + uint64(1)) & mask
    return int64(i)


@kernel
def _remap(scores, slots, larger_scores, larger_slots):
    for i in range(scores.size):
        if not np.isnan(scores[i]):
            index = _index_of_score(larger_scores, scores[i])
            larger_scores[index] = scores[i]
            larger_slots[index] = slots[i]


@kernel
def _open_slot(work, value):
    """The slot in the open list for a state of this score: the replaced state's, or a new one."""
    registers = work.registers
    index = _index_of_score(work.map_scores, value)
    if np.isnan(work.map_scores[index]):
        work.map_scores[index] = value
        registers[KEYS] += 1
    else:
        slot = work.map_slots[index]
        if work.slot_open[slot]:
            return int64(slot)
    slot = registers[SLOTS]
    registers[SLOTS] += 1
    work.map_slots[index] = slot
    work.slot_open[slot] = 1
    registers[HEAP] = push(work.heap_scores, work.heap_slots, registers[HEAP], value, slot)
    return slot


@kernel
def _begin_stage(board, work, size, depth_limit, automatic):
    """Take the best state off the open list and set the board to it."""
    registers = work.registers
    slot = int64(work.heap_slots[0])
    registers[HEAP] = pop(work.heap_scores, work.heap_slots, registers[HEAP])
    work.slot_open[slot] = 0
    parent = int64(work.slot_parent[slot])
    load(board, work.stage_board, max(parent, 0) * PACKED, size[0], size[1])
    if parent >= 0:
        for d in range(depth_limit):
            play(board, int64(work.slot_moves[slot, d]))
            if automatic:
                play_safe_home(board, work.trail, 0)
    stage = registers[STAGES]
    registers[STAGES] += 1
    work.stage_parent[stage] = parent
    for d in range(depth_limit):
        work.stage_moves[stage, d] = work.slot_moves[slot, d]
    store(board, work.stage_board, stage * PACKED)
    registers[DEPTH] = 0
    work.stack[3, 0] = 0
    work.stack[0, 0] = 0
    work.stack[1, 0] = list_moves(board, work.moves, 0, ANY)
    registers[EXPANDED] += 1


@kernel
def begin(board, work, packed, size, weights, automatic):
    """Set up a search from a packed position: it is the first and only open state."""
    registers = work.registers
    for i in range(registers.size):
        registers[i] = 0
    registers[DEPTH] = -1
    for i in range(work.table.size):
        work.table[i] = 0
    for i in range(work.map_scores.size):
        work.map_scores[i] = np.nan
    load(board, packed, 0, size[0], size[1])
    if automatic:
        play_safe_home(board, work.trail, 0)
    store(board, work.stage_board, 0)
    key = board.key[0]
    if key == 0:
        key = uint64(1)
    work.table[-1 - find(work.table, key)] = key
    registers[ENTRIES] = 1
    registers[GENERATED] = 1
    slot = _open_slot(work, score(board, weights, work.values))
    work.slot_parent[slot] = -1
    if is_home(board):
        return SOLVED
    return RUNNING


@kernel
def advance(board, work, size, depth_limit, automatic, wipe, weights, node_limit, pause):
    """Search on until the deal is decided or ``pause`` states are generated.

    Args:
        board: scratch ``Board``; its content belongs to the search.
        work: ``StagedWork`` as ``begin`` or the last slice left it.
        size: int64[2], cascades and cells.
        depth_limit: K, the moves from a state to its frontier.
        automatic: whether safe home moves are forced.
        wipe: states in the table at which it is wiped before the next stage; 0 for never.
        weights: float64[26].
        node_limit: states that may be generated.
        pause: states generated at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the goal on the board, ``EXHAUSTED``, ``NODE_LIMIT``,
        ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    registers = work.registers
    moves = work.moves
    stack = work.stack
    trail = work.trail
    while True:
        depth = registers[DEPTH]
        if depth < 0:
            if registers[HEAP] == 0:
                return EXHAUSTED
            if registers[STAGES] >= work.stage_parent.size:
                return GROW
            if wipe > 0 and registers[ENTRIES] >= wipe:
                for i in range(work.table.size):
                    work.table[i] = 0
                registers[ENTRIES] = 0
            _begin_stage(board, work, size, depth_limit, automatic)
            continue
        if stack[0, depth] == stack[1, depth]:
            registers[DEPTH] -= 1
            if depth > 0:
                start = stack[3, depth - 1]
                unplay_home(board, trail, stack[3, depth], start)
                unplay(board, int64(work.made[depth - 1]), stack[2, depth - 1])
            continue
        if (
            2 * registers[ENTRIES] >= work.table.size
            or 2 * registers[KEYS] >= work.map_scores.size
            or registers[SLOTS] >= work.slot_parent.size
        ):
            return GROW
        if registers[GENERATED] >= pause:
            return RUNNING
        move = moves[stack[0, depth]]
        stack[0, depth] += 1
        start = stack[3, depth]
        end = start
        quiet = not automatic or stays_quiet(board, move)
        suit = int64(0)
        if quiet:
            key = key_after(board, move, 0)
        else:
            if ((move >> 5) & 31) == HOME:
                suit = int64(moved_card(board, move) & 3)
            play(board, move)
            end = play_safe_home(board, trail, start)
            key = board.key[0]
        if key == 0:
            key = uint64(1)
        index = find(work.table, key)
        if index >= 0:
            if not quiet:
                unplay_home(board, trail, end, start)
                unplay(board, move, suit)
            continue
        if registers[GENERATED] >= node_limit:
            return NODE_LIMIT
        work.table[-1 - index] = key
        registers[ENTRIES] += 1
        registers[GENERATED] += 1
        if quiet:
            if ((move >> 5) & 31) == HOME:
                suit = int64(moved_card(board, move) & 3)
            play(board, move)
        work.made[depth] = move
        if is_home(board):
            return SOLVED
        if depth + 1 < depth_limit:
            stack[2, depth] = suit
            depth += 1
            registers[DEPTH] = depth
            stack[3, depth] = end
            stack[0, depth] = stack[1, depth - 1]
            stack[1, depth] = list_moves(board, moves, stack[1, depth - 1], ANY)
            registers[EXPANDED] += 1
            continue
        slot = _open_slot(work, score(board, weights, work.values))
        work.slot_parent[slot] = registers[STAGES] - 1
        for d in range(depth_limit):
            work.slot_moves[slot, d] = work.made[d]
        unplay_home(board, trail, end, start)
        unplay(board, move, suit)


@kernel
def path_length(work, depth_limit):
    """The number of moves that the search chose on the path from the root to the goal."""
    length = work.registers[DEPTH] + 1
    stage = work.registers[STAGES] - 1
    while stage >= 0 and work.stage_parent[stage] >= 0:
        length += depth_limit
        stage = int64(work.stage_parent[stage])
    return length


@kernel
def write_path(work, depth_limit, path):
    """Write the moves that the search chose into ``path``, whose size is ``path_length``."""
    at = path.size
    for d in range(work.registers[DEPTH], -1, -1):
        at -= 1
        path[at] = work.made[d]
    stage = work.registers[STAGES] - 1
    while stage >= 0 and work.stage_parent[stage] >= 0:
        for d in range(depth_limit - 1, -1, -1):
            at -= 1
            path[at] = work.stage_moves[stage, d]
        stage = int64(work.stage_parent[stage])


def new_work() -> StagedWork:
    """Small arrays, which grow as a search needs."""
    depth, stages, slots = DEEPEST_STAGE, 1 << 11, 1 << 14
    return StagedWork(
        registers=np.zeros(8, np.int64),
        table=np.zeros(1 << 15, np.uint64),
        moves=np.zeros((depth + 1) * MOST_MOVES, np.int64),
        stack=np.zeros((4, depth + 1), np.int64),
        made=np.zeros(depth + 1, np.int64),
        trail=np.zeros(128, np.int64),
        stage_parent=np.zeros(stages, np.int32),
        stage_moves=np.zeros((stages, depth), np.uint16),
        stage_board=np.zeros(stages * PACKED, np.uint64),
        slot_parent=np.zeros(slots, np.int32),
        slot_moves=np.zeros((slots, depth), np.uint16),
        slot_open=np.zeros(slots, np.uint8),
        heap_scores=np.zeros(slots, np.float64),
        heap_slots=np.zeros(slots, np.int32),
        map_scores=np.zeros(1 << 13, np.float64),
        map_slots=np.zeros(1 << 13, np.int32),
        values=np.zeros(len(NAMES), np.float64),
    )


def enlarge(work: StagedWork) -> StagedWork:
    """The same search with larger arrays in index of those that are full."""
    registers = work.registers
    if 2 * registers[ENTRIES] >= work.table.size:
        table = np.zeros(4 * work.table.size, np.uint64)
        rehash(work.table, table)
        work = work._replace(table=table)
    if 2 * registers[KEYS] >= work.map_scores.size:
        scores = np.full(4 * work.map_scores.size, np.nan)
        slots = np.zeros(4 * work.map_slots.size, np.int32)
        _remap(work.map_scores, work.map_slots, scores, slots)
        work = work._replace(map_scores=scores, map_slots=slots)
    if registers[SLOTS] >= work.slot_parent.size:
        work = enlarged(work, "slot_parent", "slot_moves", "slot_open", "heap_scores", "heap_slots")
    if registers[STAGES] >= work.stage_parent.size:
        work = enlarged(work, "stage_parent", "stage_moves", "stage_board")
    return work


class StagedDeepening(FreeCellSearch):
    """The search ``staged``.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "staged"
    guided = True
    parameters = (
        Parameter("depth", 2, "K: moves from a state to its frontier", 1, DEEPEST_STAGE),
        AUTOMATIC,
        Parameter("table", 0, "states at which the visited set is wiped; 0 for never", 0, 10**12),
    )

    def __init__(self) -> None:
        self._board = empty_board()
        self._small = new_work()

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load what only large searches need."""
        table = self._small.table[:0]
        scores, slots = self._small.map_scores[:0], self._small.map_slots[:0]
        rehash(table, table)
        _remap(scores, slots, scores, slots)

    def run(
        self,
        position: Position,
        weights: np.ndarray,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        """Search from a packed position; see ``hsd.search`` for the meaning of the arguments."""
        packed, size = position
        depth, wipe = int(values["depth"]), int(values["table"])
        automatic = values["automatic"] == "safe"
        started = time.thread_time()
        # Every deal starts with small arrays: clearing large ones would take longer than most
        # deals, and the memory of one deal must not count for another.
        code = begin(self._board, self._small, packed, size, weights, automatic)

        def advance_slice(work: StagedWork) -> int:
            pause = work.registers[GENERATED] + SLICE
            return int(
                advance(
                    self._board, work, size, depth, automatic, wipe, weights, limits.nodes, pause
                )
            )

        status, work = drive(self._small, advance_slice, enlarge, limits, started, code)
        moves = None
        if status is Status.SOLVED:
            path = np.zeros(path_length(work, depth), np.int64)
            write_path(work, depth, path)
            moves = solution(self._board, packed, size, automatic, path)
        nodes = Nodes(int(work.registers[EXPANDED]), int(work.registers[GENERATED]))
        return Found(status, moves, nodes, time.thread_time() - started)
