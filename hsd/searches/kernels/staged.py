"""The kernel of staged deepening (``hsd.searches.staged``)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, new_registers, uint64
from gafreecell.jit.kernels.bits import prefetch
from gafreecell.jit.kernels.heap import pop, push
from gafreecell.jit.kernels.transposition import find, not_zero, prefetch_slot, rehash
from gafreecell.jit.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, SOLVED, enlarged
from hsd.kernels.board import HOME, Board, play, play_unhashed, undo, unplay, unplay_unhashed
from hsd.kernels.deltas import counted_after, least_above, needed_cards
from hsd.kernels.features import NAMES, Counted, counted
from hsd.kernels.home import is_home, play_safe_home, unplay_home
from hsd.kernels.moves import ANY, MOST_MOVES, key_after, list_moves, stays_quiet, suit_home
from hsd.kernels.packed import PACKED, load, store
from hsd.kernels.policy import Rules, score_by, score_of
from hsd.kernels.replay import Root, load_root

DEEPEST_STAGE = 16
TRIED = -1
"""That all moves of a state were tried."""
LEAST = NAMES.index("LeastAboveNext")


class StagedRegisters(Registers):
    """What the search counts and remembers between slices.

    Attributes:
        generated, expanded: states.
        depth: of the current state in its stage, -1 between stages.
        entries: states in the transposition table.
        stages: stages begun so far.
        slots: slots of the open list used so far.
        heap: length of the heap.
        keys: scores in the map.
    """

    generated: int
    expanded: int
    depth: int
    entries: int
    stages: int
    slots: int
    heap: int
    keys: int


class StagedWork(NamedTuple):
    """The arrays of a staged search; the driver enlarges those that fill up.

    Attributes:
        registers: ``StagedRegisters``.
        table: uint64, the transposition table of visited states.
        moves: int64[17 * 256], the moves of the state at each depth of the stage.
        next, end: int64[17], for each depth the index of the next move to try, and the index
            after the last one.
        suit: int64[17], for each depth the suit that the move made there sent home.
        forced: int64[17], for each depth where the forced home moves of the move made there start
            in ``trail``.
        made: int64[17], the moves made in this stage.
        trail: int64[128], forced home moves made in this stage.
        stage_parent, stage_moves, stage_board: for each stage, the stage in which its first
            state was found (-1 for the root), the K moves from there, and the packed board of
            its first state.
        slot_parent, slot_moves, slot_open: for each slot of the open list, the stage in which its
            state was found, the K moves from there, and whether the state is open.
        heap_scores, heap_slots: the open list as a heap.
        map_scores, map_slots: the open list as a hash map from score to slot.
        values: float64, of every feature, scratch.
    """

    registers: StagedRegisters
    table: np.ndarray
    moves: np.ndarray
    next: np.ndarray
    end: np.ndarray
    suit: np.ndarray
    forced: np.ndarray
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


class Ahead(NamedTuple):
    """What a stage knows of states that it has not reached or not yet opened.

    These arrays never grow. They are not part of ``StagedWork``, whose size decides at which node
    a search reaches its memory limit.

    Attributes:
        keys: uint64[17 * 256], the first word of the hash after each move in ``StagedWork.moves``,
            without the home moves that it forces.
        here: uint64[17], the same of the state at each depth of the stage.
        scores: float64[256], of the states found on the frontier that wait to be opened.
        last: int64[256], the last move to each of them.
    """

    keys: np.ndarray
    here: np.ndarray
    scores: np.ndarray
    last: np.ndarray


@kernel
def _place_of(scores: np.ndarray, value: float) -> int:
    """Index at which the search for a score in the map begins."""
    # Scores are sums of a few small fractions: spread their bits before masking.
    bits = uint64(int64(value * 9007199254740992.0)) * uint64(0x9E3779B97F4A7C15)
    return int64((bits >> uint64(29)) & uint64(scores.size - 1))


@kernel
def _index_of_score(scores: np.ndarray, value: float) -> int:
    """Index of a score in the map, or of the empty slot (NaN) where it belongs."""
    i = _place_of(scores, value)
    while not np.isnan(scores[i]) and scores[i] != value:
        i = (i + 1) & (scores.size - 1)
    return i


@kernel
def remap(
    scores: np.ndarray, slots: np.ndarray, larger_scores: np.ndarray, larger_slots: np.ndarray
) -> None:
    for i in range(scores.size):
        if not np.isnan(scores[i]):
            index = _index_of_score(larger_scores, scores[i])
            larger_scores[index] = scores[i]
            larger_slots[index] = slots[i]


@kernel
def _open_slot(work: StagedWork, value: float) -> int:
    """The open list's slot for a score: that of the open state it replaces, or else a new one."""
    registers = work.registers
    index = _index_of_score(work.map_scores, value)
    if np.isnan(work.map_scores[index]):
        work.map_scores[index] = value
        registers.keys += 1
    else:
        slot = work.map_slots[index]
        if work.slot_open[slot]:
            return int64(slot)
    slot = registers.slots
    registers.slots += 1
    work.map_slots[index] = slot
    work.slot_open[slot] = 1
    registers.heap = push(work.heap_scores, work.heap_slots, registers.heap, value, slot)
    return slot


@kernel
def _expand(board: Board, work: StagedWork, ahead: Ahead) -> None:
    """List the moves of the state on the board, which is the next of its stage.

    The hashes after them are computed at once, so that their slots of the table are in the
    processor's cache when they are looked up.
    """
    registers = work.registers
    registers.depth += 1
    registers.expanded += 1
    depth = registers.depth
    start = work.end[depth - 1] if depth > 0 else 0
    end = list_moves(board, work.moves, start, ANY)
    work.next[depth] = start
    work.end[depth] = end
    ahead.here[depth] = board.key[0]
    for i in range(start, end):
        key = key_after(board, work.moves[i], 0)
        ahead.keys[i] = key
        prefetch_slot(work.table, key)


@kernel
def _begin_stage(
    board: Board, work: StagedWork, ahead: Ahead, root: Root, depth_limit: int
) -> None:
    """Begin a stage: remove the best state from the open list and set the board to it."""
    registers = work.registers
    slot = int64(work.heap_slots[0])
    registers.heap = pop(work.heap_scores, work.heap_slots, registers.heap)
    work.slot_open[slot] = 0
    parent = int64(work.slot_parent[slot])
    load(board, work.stage_board, max(parent, 0) * PACKED, root.cascades, root.cells)
    if parent >= 0:
        for d in range(depth_limit):
            play(board, int64(work.slot_moves[slot, d]))
            if root.automatic:
                play_safe_home(board, work.trail, 0)
    stage = registers.stages
    registers.stages += 1
    work.stage_parent[stage] = parent
    for d in range(depth_limit):
        work.stage_moves[stage, d] = work.slot_moves[slot, d]
    store(board, work.stage_board, stage * PACKED)
    work.forced[0] = 0
    _expand(board, work, ahead)


@kernel
def begin(
    board: Board, work: StagedWork, root: Root, weights: np.ndarray, rules: Rules | None
) -> int:
    """Set up a search whose root is the only open state."""
    registers = work.registers
    registers.generated = 0
    registers.expanded = 0
    registers.depth = -1
    registers.entries = 0
    registers.stages = 0
    registers.slots = 0
    registers.heap = 0
    registers.keys = 0
    for i in range(work.table.size):
        work.table[i] = 0
    for i in range(work.map_scores.size):
        work.map_scores[i] = np.nan
    load_root(board, root)
    if root.automatic:
        play_safe_home(board, work.trail, 0)
    store(board, work.stage_board, 0)
    key = not_zero(board.key[0])
    work.table[-1 - find(work.table, key)] = key
    registers.entries = 1
    registers.generated = 1
    slot = _open_slot(work, score_by(board, weights, rules, work.values))
    work.slot_parent[slot] = -1
    if is_home(board):
        return SOLVED
    return RUNNING


@kernel
def _is_full(work: StagedWork, waiting: int) -> bool:
    """Whether one more state might not fit, if each that waits takes a slot and a key."""
    registers = work.registers
    return (
        2 * registers.entries >= work.table.size
        or 2 * (registers.keys + waiting) >= work.map_scores.size
        or registers.slots + waiting >= work.slot_parent.size
    )


@kernel
def _open_waiting(work: StagedWork, ahead: Ahead, waiting: int, depth: int) -> None:
    """Put the states that wait into the open list; ``depth`` is that of their parent."""
    for i in range(waiting):
        slot = _open_slot(work, ahead.scores[i])
        work.slot_parent[slot] = work.registers.stages - 1
        for d in range(depth):
            work.slot_moves[slot, d] = work.made[d]
        work.slot_moves[slot, depth] = ahead.last[i]


@kernel
def _enter(work: StagedWork, index: int, key: int) -> None:
    """Count a new state and enter it in the table; ``index`` is what ``find`` returned."""
    work.table[-1 - index] = key
    work.registers.entries += 1
    work.registers.generated += 1


@kernel
def _score_after(
    board: Board,
    before: Counted,
    needed: tuple[int, int],
    move: int,
    weights: np.ndarray,
    rules: Rules | None,
    values: np.ndarray,
) -> float:
    """The score after a move between cascades and cells, without making it.

    Args:
        before: the counts of the board.
        needed: from ``needed_cards``.
    """
    least = 0
    if rules is not None or weights[LEAST] != 0:
        least = least_above(board, move)
    after = counted_after(board, before, needed[0], needed[1], least, move)
    return score_of(after, weights, rules, values)


@kernel
def _reach_frontier(
    board: Board,
    work: StagedWork,
    ahead: Ahead,
    root: Root,
    weights: np.ndarray,
    rules: Rules | None,
    node_limit: int,
    pause: int,
) -> int:
    """Try the last moves of a stage from the state on the board.

    Most states that a search generates lie on a frontier. Their boards are not built unless the
    last move sends a card home. The open list takes them only after all of them are scored, so
    that the slots of its map are in the processor's cache by then.

    Returns:
        ``TRIED``, or how the slice ends.
    """
    registers = work.registers
    trail = work.trail
    depth = registers.depth
    start = work.forced[depth]
    before = counted(board)
    needed = needed_cards(board)
    waiting = 0
    while work.next[depth] < work.end[depth] and registers.generated < pause:
        if _is_full(work, waiting):
            _open_waiting(work, ahead, waiting, depth)
            waiting = 0
            if _is_full(work, 0):
                return GROW
        i = work.next[depth]
        work.next[depth] = i + 1
        move = work.moves[i]
        key = not_zero(ahead.keys[i])
        known = not root.automatic or stays_quiet(board, move)
        suit = int64(0)
        end = start
        if not known:
            suit = suit_home(board, move)
            play(board, move)
            end = play_safe_home(board, trail, start)
            key = not_zero(board.key[0])
        index = find(work.table, key)
        if index < 0:
            if registers.generated >= node_limit:
                return NODE_LIMIT
            _enter(work, index, key)
            if known and ((move >> 5) & 31) != HOME:
                value = _score_after(board, before, needed, move, weights, rules, work.values)
            else:
                if known:
                    suit = suit_home(board, move)
                    play_unhashed(board, move)
                if is_home(board):
                    work.made[depth] = move
                    return SOLVED
                value = score_by(board, weights, rules, work.values)
                if known:
                    undo(board, move, suit)
            prefetch(work.map_scores, _place_of(work.map_scores, value))
            ahead.scores[waiting] = value
            ahead.last[waiting] = move
            waiting += 1
        if not known:
            unplay_home(board, trail, end, start)
            unplay(board, move, suit)
    _open_waiting(work, ahead, waiting, depth)
    return TRIED if work.next[depth] == work.end[depth] else RUNNING


@kernel
def _step_back(board: Board, work: StagedWork, ahead: Ahead) -> None:
    """Return to the state before the current one of the stage; end the stage at its first."""
    registers = work.registers
    registers.depth -= 1
    depth = registers.depth
    if depth >= 0:
        unplay_home(board, work.trail, work.forced[depth + 1], work.forced[depth])
        unplay_unhashed(board, int64(work.made[depth]), work.suit[depth])
        board.key[0] = ahead.here[depth]


@kernel
def _try_next(board: Board, work: StagedWork, ahead: Ahead, root: Root, node_limit: int) -> int:
    """Try the next move from the state on the board, and expand the state after it if it is new.

    Returns:
        ``TRIED``, or how the slice ends.
    """
    registers = work.registers
    depth = registers.depth
    i = work.next[depth]
    work.next[depth] = i + 1
    move = work.moves[i]
    start = work.forced[depth]
    end = start
    known = not root.automatic or stays_quiet(board, move)
    if known and find(work.table, not_zero(ahead.keys[i])) >= 0:
        return TRIED
    suit = suit_home(board, move)
    play_unhashed(board, move)
    board.key[0] = ahead.keys[i]
    if not known:
        end = play_safe_home(board, work.trail, start)
    key = not_zero(board.key[0])
    index = find(work.table, key)
    work.made[depth] = move
    work.suit[depth] = suit
    work.forced[depth + 1] = end
    if index >= 0:
        registers.depth += 1
        _step_back(board, work, ahead)
        return TRIED
    if registers.generated >= node_limit:
        return NODE_LIMIT
    _enter(work, index, key)
    if is_home(board):
        return SOLVED
    _expand(board, work, ahead)
    return TRIED


@kernel
def advance(
    board: Board,
    work: StagedWork,
    ahead: Ahead,
    root: Root,
    depth_limit: int,
    wipe: int,
    weights: np.ndarray,
    rules: Rules | None,
    node_limit: int,
    pause: int,
) -> int:
    """Continue until the deal is decided or ``pause`` states were generated.

    Args:
        board: scratch; its content belongs to the search.
        work, ahead: as ``begin`` or the last slice left them.
        root: where the search starts.
        depth_limit: K, the moves from a state to its frontier.
        wipe: states in the table at which it is wiped before the next stage; 0 for never.
        weights: float64, of every feature; for a policy, those of its default.
        rules: a policy's rules, or None.
        node_limit: states that may be generated.
        pause: states generated at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the goal on the board, ``EXHAUSTED``, ``NODE_LIMIT``,
        ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    registers = work.registers
    code = TRIED
    while code == TRIED:
        depth = registers.depth
        if depth < 0:
            if registers.heap == 0:
                return EXHAUSTED
            if registers.stages >= work.stage_parent.size:
                return GROW
            if wipe > 0 and registers.entries >= wipe:
                for i in range(work.table.size):
                    work.table[i] = 0
                registers.entries = 0
            _begin_stage(board, work, ahead, root, depth_limit)
        elif work.next[depth] == work.end[depth]:
            _step_back(board, work, ahead)
        elif depth + 1 == depth_limit:
            code = _reach_frontier(board, work, ahead, root, weights, rules, node_limit, pause)
        elif _is_full(work, 0):
            code = GROW
        elif registers.generated >= pause:
            code = RUNNING
        else:
            code = _try_next(board, work, ahead, root, node_limit)
    return code


@kernel
def path_length(registers: StagedRegisters, stage_parent: np.ndarray, depth_limit: int) -> int:
    """The number of moves that the search chose on the path from the root to the goal.

    It takes two fields of ``StagedWork``, because passing all of them takes longer than the work.
    """
    length = registers.depth + 1
    stage = registers.stages - 1
    while stage >= 0 and stage_parent[stage] >= 0:
        length += depth_limit
        stage = int64(stage_parent[stage])
    return length


@kernel
def write_path(
    registers: StagedRegisters,
    made: np.ndarray,
    stage_parent: np.ndarray,
    stage_moves: np.ndarray,
    depth_limit: int,
    path: np.ndarray,
) -> None:
    """Write the moves that the search chose into ``path``, which holds ``path_length`` moves."""
    at = path.size
    for d in range(registers.depth, -1, -1):
        at -= 1
        path[at] = made[d]
    stage = registers.stages - 1
    while stage >= 0 and stage_parent[stage] >= 0:
        for d in range(depth_limit - 1, -1, -1):
            at -= 1
            path[at] = stage_moves[stage, d]
        stage = int64(stage_parent[stage])


def new_work(stages: int = 1 << 11, slots: int = 1 << 14) -> StagedWork:
    """Small arrays, which grow as needed.

    Args:
        stages, slots: how many stages and open states fit at first.
    """
    depth = DEEPEST_STAGE
    return StagedWork(
        registers=new_registers(StagedRegisters),
        table=np.zeros(1 << 15, np.uint64),
        moves=np.zeros((depth + 1) * MOST_MOVES, np.int64),
        next=np.zeros(depth + 1, np.int64),
        end=np.zeros(depth + 1, np.int64),
        suit=np.zeros(depth + 1, np.int64),
        forced=np.zeros(depth + 1, np.int64),
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


def new_ahead() -> Ahead:
    depths = DEEPEST_STAGE + 1
    return Ahead(
        keys=np.zeros(depths * MOST_MOVES, np.uint64),
        here=np.zeros(depths, np.uint64),
        scores=np.zeros(MOST_MOVES, np.float64),
        last=np.zeros(MOST_MOVES, np.int64),
    )


def enlarge(work: StagedWork) -> StagedWork:
    """The same search with larger arrays in place of those that are full."""
    registers = work.registers
    if 2 * registers.entries >= work.table.size:
        table = np.zeros(4 * work.table.size, np.uint64)
        rehash(work.table, table)
        work = work._replace(table=table)
    if 2 * registers.keys >= work.map_scores.size:
        scores = np.full(4 * work.map_scores.size, np.nan)
        slots = np.zeros(4 * work.map_slots.size, np.int32)
        remap(work.map_scores, work.map_slots, scores, slots)
        work = work._replace(map_scores=scores, map_slots=slots)
    if registers.slots >= work.slot_parent.size:
        work = enlarged(work, "slot_parent", "slot_moves", "slot_open", "heap_scores", "heap_slots")
    if registers.stages >= work.stage_parent.size:
        work = enlarged(work, "stage_parent", "stage_moves", "stage_board")
    return work
