"""The kernel of depth-first search (``hsd.searches.depth_first``)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, large_kernel, new_registers
from gafreecell.jit.kernels.transposition import find_pair, not_zero, prefetch_pair, rehash_pairs
from gafreecell.jit.slices import (
    GROW,
    NODE_LIMIT,
    RUNNING,
    SOLVED,
    UNSOLVABLE,
    enlarged,
    take_room,
)
from hsd.kernels.board import HOME, Board, play, unplay
from hsd.kernels.home import play_safe_home, unplay_home
from hsd.kernels.linear import Linear, linear_score, prepare, score_after
from hsd.kernels.moves import (
    ANY,
    MOST_MOVES,
    cost,
    key_after,
    list_moves,
    stays_quiet,
    suit_home,
    takes_again,
)
from hsd.kernels.replay import Root, load_root
from hsd.searches.kernels.tree import without_inversions


class DepthFirstRegisters(Registers):
    """What the search counts and remembers between slices.

    Attributes:
        generated, expanded: states.
        depth: of the current state.
        entries: states in the table, those in the older one not counted.
        waiting: moves on the stack.
        tried: moves scored or taken from the stack.
    """

    generated: int
    expanded: int
    depth: int
    entries: int
    waiting: int
    tried: int


class DepthFirstWork(NamedTuple):
    """The arrays of a depth-first search; the driver enlarges those that fill up.

    Attributes:
        registers: ``DepthFirstRegisters``.
        table: uint64, both words of the hashes of the states met, the only thing kept of those that
            are not on the path.
        older: uint64, the full table before, if there was no room for one of twice its size; else
            one empty slot.
        stack: uint16, the moves to try of all states on the path, the next one last.
        first: int64, for each depth where its moves begin on the stack.
        made: uint16, for each depth the move made there.
        suit: uint8, for each depth the suit that this move sent home.
        forced: uint8, for each depth the number of forced home moves on the path to it.
        trail: int64[128], the forced home moves on the path.
        listed, scores: int64[256], scratch: the moves of a state, and the scores after them.
        keys: uint64[512], scratch: both words of the hash after each of these moves.
    """

    registers: DepthFirstRegisters
    table: np.ndarray
    older: np.ndarray
    stack: np.ndarray
    first: np.ndarray
    made: np.ndarray
    suit: np.ndarray
    forced: np.ndarray
    trail: np.ndarray
    listed: np.ndarray
    scores: np.ndarray
    keys: np.ndarray


def new_work(states: int = 1 << 13) -> DepthFirstWork:
    """Arrays with room for so many states (a power of two) at first."""
    return DepthFirstWork(
        registers=new_registers(DepthFirstRegisters),
        table=np.zeros(2 * states, np.uint64),
        older=np.zeros(2, np.uint64),
        stack=np.zeros(2 * MOST_MOVES, np.uint16),
        first=np.zeros(256, np.int64),
        made=np.zeros(256, np.uint16),
        suit=np.zeros(256, np.uint8),
        forced=np.zeros(256, np.uint8),
        trail=np.zeros(128, np.int64),
        listed=np.zeros(MOST_MOVES, np.int64),
        scores=np.zeros(MOST_MOVES, np.int64),
        keys=np.zeros(2 * MOST_MOVES, np.uint64),
    )


def enlarge(work: DepthFirstWork) -> DepthFirstWork:
    """The same search with larger arrays in place of those that are full.

    Raises:
        MemoryError: if they would exceed the memory limit, to which both tables count while the
            larger one is filled.
    """
    if is_crowded(work.registers.entries, work.table.size):
        work = _with_room_in_table(work)
    if work.registers.waiting + MOST_MOVES > work.stack.size:
        work = enlarged(work, "stack")
    if work.registers.depth + 1 >= work.first.size:
        work = enlarged(work, "first", "made", "suit", "forced")
    return work


def _with_room_in_table(work: DepthFirstWork) -> DepthFirstWork:
    """The same search with a table of twice the size, or with a second one beside a full one."""
    if work.older.size > 2:
        raise MemoryError("both tables are full")
    try:
        take_room(2 * work.table.nbytes)
    except MemoryError:
        take_room(work.table.nbytes)
        work.registers.entries = 0
        return work._replace(table=np.zeros_like(work.table), older=work.table)
    table = np.zeros(2 * work.table.size, np.uint64)
    rehash_pairs(work.table, table)
    return work._replace(table=table)


@kernel
def is_crowded(states: int, size: int) -> bool:
    """Whether states take three quarters of the slots of a table of this size."""
    return 8 * states >= 3 * size


@kernel
def _is_full(work: DepthFirstWork) -> bool:
    """Whether there may be no room for another state."""
    registers = work.registers
    return (
        is_crowded(registers.entries, work.table.size)
        or registers.waiting + MOST_MOVES > work.stack.size
        or registers.depth + 1 >= work.first.size
    )


@large_kernel
def begin(board: Board, work: DepthFirstWork, root: Root) -> None:
    """Set up a search: the root, after forced home moves, is on the board and not yet entered."""
    registers = work.registers
    work.table[:] = 0
    work.older[:] = 0
    load_root(board, root)
    work.forced[0] = play_safe_home(board, work.trail, 0) if root.automatic else 0
    registers.generated = registers.expanded = registers.depth = 0
    registers.entries = registers.waiting = registers.tried = 0


@kernel
def _find(work: DepthFirstWork, key: int, second: int) -> int:
    """Look a hash up: at least 0 if either table has it, else -1 - the slot where it belongs."""
    slot = find_pair(work.table, key, second)
    if slot < 0 and work.older.size > 2 and find_pair(work.older, key, second) >= 0:
        return int64(0)
    return slot


@kernel
def _find_here(board: Board, work: DepthFirstWork) -> int:
    """``_find`` for the state on the board."""
    return _find(work, not_zero(board.key[0]), board.key[1])


@kernel
def _enter(board: Board, work: DepthFirstWork, slot: int) -> None:
    """Enter the new state on the board in the empty slot that ``_find`` returned."""
    work.table[-1 - slot] = not_zero(board.key[0])
    work.table[-slot] = board.key[1]
    work.registers.generated += 1
    work.registers.entries += 1


@kernel
def _expand(board: Board, work: DepthFirstWork, k: Linear, root: Root) -> None:
    """Put the moves of the state on the board on the stack, the one with the least score last.

    Moves to states met before are left out, and so are moves of the cards that the last move took.
    Of the moves made, the score counts only the last.
    """
    registers = work.registers
    listed, keys, scores, stack = work.listed, work.keys, work.scores, work.stack
    depth = registers.depth
    start = int64(work.forced[depth])
    last = int64(0)
    if depth > 0 and int64(work.forced[depth - 1]) == start:
        last = int64(work.made[depth - 1])
    end = 0
    for i in range(list_moves(board, listed, 0, ANY)):
        move = listed[i]
        goes_home = ((move >> 5) & 31) == HOME
        if takes_again(last, move):
            continue
        listed[end] = move
        # Zero stands for a move that sends a card home, at once or by force.
        keys[2 * end] = 0
        if not goes_home and (not root.automatic or stays_quiet(board, move)):
            keys[2 * end] = not_zero(key_after(board, move, 0))
            keys[2 * end + 1] = key_after(board, move, 1)
            prefetch_pair(work.table, keys[2 * end])
            prefetch_pair(work.older, keys[2 * end])
        end += 1
    registers.expanded += 1
    registers.tried += 1 + end
    notes = prepare(board, k)
    first = at = registers.waiting
    work.first[depth] = first
    for i in range(end):
        move = listed[i]
        if keys[2 * i] != 0:
            if _find(work, keys[2 * i], keys[2 * i + 1]) >= 0:
                continue
            score, _ = score_after(board, k, None, notes, move, cost(move))
        else:
            suit = suit_home(board, move)
            play(board, move)
            forced = play_safe_home(board, work.trail, start) if root.automatic else start
            met = _find_here(board, work) >= 0
            score = linear_score(board, k, None, cost(move))
            unplay_home(board, work.trail, forced, start)
            unplay(board, move, suit)
            if met:
                continue
        # Sorted by insertion, the least score last; of equal ones the move listed first.
        place = at
        while place > first and scores[place - first - 1] <= score:
            scores[place - first] = scores[place - first - 1]
            stack[place] = stack[place - 1]
            place -= 1
        scores[place - first] = score
        stack[place] = move
        at += 1
    registers.waiting = at


@kernel
def advance(
    board: Board, work: DepthFirstWork, root: Root, k: Linear, node_limit: int, pause: int
) -> int:
    """Continue until the deal is decided or ``pause`` moves were tried.

    Args:
        board: scratch; its content belongs to the search.
        work: as ``begin`` or the last slice left it.
        root: where the search starts.
        k: the compiled weighted sum.
        node_limit: states that may be generated.
        pause: moves tried at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the goal on the board, ``UNSOLVABLE``, ``NODE_LIMIT``, ``RUNNING``, or
        ``GROW`` if an array must be enlarged first.
    """
    registers = work.registers
    if registers.generated == 0:
        if node_limit == 0:
            return NODE_LIMIT
        _enter(board, work, _find_here(board, work))
        if without_inversions(board.numbers.sums):
            return SOLVED
        _expand(board, work, k, root)
    while True:
        depth = registers.depth
        start = int64(work.forced[depth])
        if registers.waiting == work.first[depth]:
            if depth == 0:
                return UNSOLVABLE
            registers.depth -= 1
            unplay_home(board, work.trail, start, int64(work.forced[depth - 1]))
            unplay(board, int64(work.made[depth - 1]), int64(work.suit[depth - 1]))
            continue
        if registers.generated >= node_limit:
            return NODE_LIMIT
        if _is_full(work):
            return GROW
        if registers.tried >= pause:
            return RUNNING
        registers.tried += 1
        registers.waiting -= 1
        move = int64(work.stack[registers.waiting])
        suit = suit_home(board, move)
        quiet = ((move >> 5) & 31) != HOME and (not root.automatic or stays_quiet(board, move))
        end = start
        if quiet:
            key = not_zero(key_after(board, move, 0))
            slot = _find(work, key, key_after(board, move, 1))
            if slot >= 0:
                continue
            play(board, move)
        else:
            play(board, move)
            if root.automatic:
                end = play_safe_home(board, work.trail, start)
            slot = _find_here(board, work)
            if slot >= 0:
                unplay_home(board, work.trail, end, start)
                unplay(board, move, suit)
                continue
        _enter(board, work, slot)
        work.made[depth] = move
        work.suit[depth] = suit
        registers.depth = depth + 1
        work.forced[depth + 1] = end
        if without_inversions(board.numbers.sums):
            return SOLVED
        _expand(board, work, k, root)


@large_kernel
def _cut_short(
    board: Board,
    root: Root,
    trail: np.ndarray,
    listed: np.ndarray,
    path: np.ndarray,
    table: np.ndarray,
    places: np.ndarray,
) -> int:
    """Cut a path short in place; returns how many moves it has then.

    Args:
        board, trail, listed: scratch.
        root: where the path starts.
        path: the moves chosen; overwritten.
        table: uint64, zeros, an empty transposition table for the states on the path.
        places: int64, half as long, for each of these how many moves lead there.
    """
    load_root(board, root)
    for i in range(path.size + 1):
        if i > 0:
            play(board, path[i - 1])
        if root.automatic:
            play_safe_home(board, trail, 0)
        slot = -1 - find_pair(table, not_zero(board.key[0]), board.key[1])
        table[slot] = not_zero(board.key[0])
        table[slot + 1] = board.key[1]
        places[slot >> 1] = i
    load_root(board, root)
    if root.automatic:
        play_safe_home(board, trail, 0)
    here = at = 0
    while here < path.size:
        best, farthest = int64(0), int64(here)
        for i in range(list_moves(board, listed, 0, ANY)):
            move = listed[i]
            suit = suit_home(board, move)
            play(board, move)
            forced = play_safe_home(board, trail, 0) if root.automatic else 0
            slot = find_pair(table, not_zero(board.key[0]), board.key[1])
            if slot >= 0 and places[slot >> 1] > farthest:
                best, farthest = move, places[slot >> 1]
            unplay_home(board, trail, forced, 0)
            unplay(board, move, suit)
        play(board, best)
        if root.automatic:
            play_safe_home(board, trail, 0)
        path[at] = best
        at += 1
        here = farthest
    return at


def cut_short(board: Board, root: Root, work: DepthFirstWork, path: np.ndarray) -> np.ndarray:
    """A path without the detours between its own states.

    From each state it takes the move that leads farthest along the path. A million moves take less
    than a second, which nothing interrupts, and some 100 MB beyond the search's memory limit.

    Args:
        board: scratch.
        root: where the path starts.
        work: its scratch is used.
        path: int64, the moves chosen; overwritten.
    """
    slots = 1 << (2 * path.size + 1).bit_length()
    table, places = np.zeros(2 * slots, np.uint64), np.zeros(slots, np.int64)
    return path[: _cut_short(board, root, work.trail, work.listed, path, table, places)]
