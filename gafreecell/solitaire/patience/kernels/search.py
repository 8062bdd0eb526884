"""The searches: best first until a limit, then depth first to the end.

A best-first search scores the moves of an expanded position by what they change, and builds the
position behind a move only when it is the best of those that are open. So ``generated`` counts the
positions that were built and new, ``scored`` the moves.

A position looks worse once cards are dealt or turned for good, even if that was the right move. A
search that always takes the best open position deals last, or at once if a weight rewards dealing.
So positions with about as much of the stock left are a level, and the search takes the best of each
level in turn, a typed open list (Xie, Müller, Holte and Imai 2014, "Type-Based Exploration with
Multiple Search Queues for Satisficing Planning"). Where the stock comes back without end, all
positions are one level.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import (
    GROW,
    NODE_LIMIT,
    RUNNING,
    SOLVED,
    UNSOLVABLE,
    Registers,
    enlarged,
    entry_of,
    find_pair,
    int64,
    kernel,
    key_of,
    large_kernel,
    new_registers,
    pop_key,
    push_key,
    rehash_pairs,
)
from gafreecell.solitaire.patience.kernels.features import (
    FEATURES,
    MADE,
    change,
    is_won,
    measure,
    score_of,
)
from gafreecell.solitaire.patience.kernels.moves import MOST_MOVES, list_moves, settle
from gafreecell.solitaire.patience.kernels.state import (
    AT,
    DEAD,
    DEAL,
    DRAW,
    FROM_TALON,
    REDEALS,
    TALON,
    TO_PILES,
    TO_WASTE,
    Code,
    State,
    hash_after,
    hash_of,
    in_reach,
    make_keys,
    new_state,
    pack,
    parts_of,
    play,
    unpack,
)

FEW = 500
"""With fewer positions in the table, looking up where moves lead costs more than it spares."""


class Counts(Registers):
    """What a search counts.

    Attributes:
        generated: positions entered in the table.
        scored: moves scored.
        level: that of the position that was taken last.
        crowded: whether a level's heap may have no room for the moves of a position.
        children: moves kept for the open list.
        goal: the row of the solved position; -1 for none.
        depth: the row of the path on which a depth-first search is.
    """

    generated: int
    scored: int
    level: int
    crowded: int
    children: int
    goal: int
    depth: int


class Work(NamedTuple):
    """The arrays of a search.

    Attributes:
        counts: ``Counts``.
        state, values, moves, scores: the position at hand, its features, its moves, and what each
            changes.
        table: uint64, the hashes of the positions met.
        heap: int64, keys of children (``key_of``), a heap for each level.
        first: int64[levels + 1], where the heaps begin and end.
        open: int64[levels], how many keys they have.
        parent, move: int32, for each child the row of its parent and the move.
        row: uint8, the positions, by the order in which they were generated. Of a depth-first
            search those on its path.
        row_key: uint64, the keys of their piles.
        row_parent, row_move: int32, for each row that of its parent, and the move from there. Of a
            depth-first search the first is the index of its first child.
        row_made: int32, the moves that lead to each row; not used depth first, where it is alike
            for all moves.
    """

    counts: Counts
    state: State
    values: np.ndarray
    moves: np.ndarray
    scores: np.ndarray
    table: np.ndarray
    heap: np.ndarray
    first: np.ndarray
    open: np.ndarray
    parent: np.ndarray
    move: np.ndarray
    row: np.ndarray
    row_key: np.ndarray
    row_parent: np.ndarray
    row_move: np.ndarray
    row_made: np.ndarray


def new_work(
    row_bytes: int, piles: int, levels: int, alike: bool = False, entries: int = 1 << 10
) -> Work:
    """Arrays for a search.

    Args:
        row_bytes: the bytes of a position.
        piles: how many it has.
        levels: how many levels the game has.
        alike: whether the hash tells cards by their ranks alone.
        entries: room for so many positions at first, a power of two.
    """
    return Work(
        counts=new_registers(Counts),
        state=new_state(alike),
        values=np.zeros(FEATURES, np.int64),
        moves=np.zeros(MOST_MOVES, np.int64),
        scores=np.zeros(MOST_MOVES, np.int64),
        table=np.zeros(4 * entries, np.uint64),
        heap=np.zeros(levels * 2 * MOST_MOVES, np.int64),
        first=np.arange(levels + 1) * (2 * MOST_MOVES),
        open=np.zeros(levels, np.int64),
        parent=np.zeros(2 * MOST_MOVES, np.int32),
        move=np.zeros(2 * MOST_MOVES, np.int32),
        row=np.zeros((entries, row_bytes), np.uint8),
        row_key=np.zeros((entries, 2 * piles), np.uint64),
        row_parent=np.zeros(entries, np.int32),
        row_move=np.zeros(entries, np.int32),
        row_made=np.zeros(entries, np.int32),
    )


def enlarge(work: Work) -> Work:
    """Larger arrays in place of those that are full, for a best-first search."""
    return _enlarged(work, int(work.counts.generated))


def enlarge_path(work: Work) -> Work:
    """The same for a depth-first search, whose rows are only those of its path."""
    return _enlarged(work, int(work.counts.depth) + 1)


def _enlarged(work: Work, row: int) -> Work:
    """Larger arrays in place of those without room for a position in this row, or its moves."""
    counts = work.counts
    if 4 * (counts.generated + 1) >= work.table.size:
        table = np.zeros(2 * work.table.size, np.uint64)
        rehash_pairs(work.table, table)
        work = work._replace(table=table)
    if row + 1 >= work.row.shape[0]:
        work = enlarged(work, "row", "row_key", "row_parent", "row_move", "row_made")
    if counts.children + MOST_MOVES >= work.move.size:
        work = enlarged(work, "parent", "move")
    spare = work.heap.size - work.open.sum() - work.open.size * 2 * MOST_MOVES
    if work.heap.size < work.move.size or (counts.crowded and spare < work.open.sum()):
        work = enlarged(work, "heap")
        counts.crowded = 1
    return _shared_out(work) if counts.crowded else work


def _shared_out(work: Work) -> Work:
    """The heaps with room in proportion to their lengths, and for the moves of a position."""
    lengths, levels = work.open, work.open.size
    spare = work.heap.size - lengths.sum() - levels * MOST_MOVES
    room = lengths + MOST_MOVES + spare * (lengths + 1) // (lengths.sum() + levels)
    first = np.concatenate(([0], np.cumsum(room)))
    heap = work.heap
    if levels > 1:
        heap = np.empty_like(work.heap)
        for begin, before, length in zip(first, work.first, lengths, strict=False):
            heap[begin : begin + length] = work.heap[before : before + length]
    work.counts.crowded = 0
    return work._replace(heap=heap, first=first)


@kernel
def best_first(code: Code, work: Work, weights: np.ndarray, limit: int, slice_size: int) -> int:
    """Search on, best first, for a slice; returns how it ended.

    A search begins anew, from the first row, if nothing is generated.

    Args:
        weights: int64[features].
        limit: how many positions may be generated.
        slice_size: how many positions a slice generates.
    """
    counts = work.counts
    if counts.generated == 0 and _starts(code, work):
        _expand(code, work, weights, int64(0))
    pause = counts.generated + slice_size
    while counts.goal < 0:
        row = counts.generated
        if row >= limit:
            return int64(NODE_LIMIT)
        level = _next_level(work)
        if level < 0:
            return int64(UNSOLVABLE)
        if _is_full(work, row):
            return int64(GROW)
        if row >= pause:
            return int64(RUNNING)
        heap = work.heap[work.first[level] : work.first[level + 1]]
        child = entry_of(heap[0])
        work.open[level] = pop_key(heap, work.open[level])
        counts.level = level
        parent, move = int64(work.parent[child]), int64(work.move[child])
        work.row_parent[row] = parent
        work.row_move[row] = move
        work.row_made[row] = work.row_made[parent] + 1
        if _leads_on(code, work, parent, move, row):
            _expand(code, work, weights, row)
    return int64(SOLVED)


@kernel
def _next_level(work: Work) -> int:
    """The next level in turn that has open children; -1 if none has."""
    level = work.counts.level
    for _ in range(work.open.size):
        level = level - 1 if level > 0 else int64(work.open.size - 1)
        if work.open[level] > 0:
            return level
    return int64(-1)


@kernel
def stock_left(code: Code, state: State, move: int) -> int:
    """How much of the stock is left behind a move, unless it comes back without end.

    That is the number of rows for the piles, of cards for the hole, or of cards that can still be
    turned to the waste, redeals included.
    """
    source, _, place, _, _ = parts_of(move)
    talon, redeals = state.counts[TALON], state.counts[REDEALS]
    if code.to == TO_PILES:
        return (talon + code.piles - 1) // code.piles - int64(source == DEAL)
    if code.to != TO_WASTE:
        return talon - int64(source == DEAL)
    left = talon - state.counts[AT]
    if source == FROM_TALON:
        left = talon - place
        talon -= 1
        redeals -= int64(not in_reach(code, state, place))
    elif source == DRAW and left == 0:
        left = talon
        redeals -= 1
    elif source == DRAW:
        left = max(left - code.draw, int64(0))
    return redeals * talon + left


@large_kernel
def _expand(code: Code, work: Work, weights: np.ndarray, row: int) -> None:
    """Score the moves of the position at hand, which is measured, and open them."""
    counts = work.counts
    score = score_of(work.values, weights) + weights[MADE] * (work.row_made[row] + 1)
    level, heap = int64(0), work.heap[work.first[0] : work.first[1]]
    for i in range(_score_moves(code, work, weights)):
        child = counts.children
        counts.children += 1
        work.parent[child] = row
        work.move[child] = work.moves[i]
        if code.levels > 1:
            level = stock_left(code, work.state, work.moves[i]) * code.levels // (code.dealt + 1)
            heap = work.heap[work.first[level] : work.first[level + 1]]
        length = push_key(heap, work.open[level], key_of(score + work.scores[i], child))
        work.open[level] = length
        if heap.size - length < MOST_MOVES:
            counts.crowded = int64(1)


@kernel
def depth_first(code: Code, work: Work, weights: np.ndarray, limit: int, slice_size: int) -> int:
    """Search on, depth first, for a slice; arguments and result as of ``best_first``."""
    counts = work.counts
    if counts.generated == 0 and _starts(code, work):
        _list_children(code, work, weights, int64(0))
    pause = counts.generated + slice_size
    tried = int64(0)
    while counts.goal < 0:
        row = counts.depth
        if counts.generated >= limit:
            return int64(NODE_LIMIT)
        if _is_full(work, row + 1):
            return int64(GROW)
        if counts.generated >= pause or tried >= 16 * slice_size:
            return int64(RUNNING)
        if counts.children == work.row_parent[row]:
            if row == 0:
                return int64(UNSOLVABLE)
            counts.depth -= 1
            continue
        tried += 1
        counts.children -= 1
        move = int64(work.move[counts.children])
        work.row_move[row + 1] = move
        if _leads_on(code, work, row, move, row + 1):
            counts.depth += 1
            _list_children(code, work, weights, row + 1)
    return int64(SOLVED)


@large_kernel
def _list_children(code: Code, work: Work, weights: np.ndarray, row: int) -> None:
    """Put the moves of the position at hand on the stack, the best last, for a row of the path."""
    first = last = work.counts.children
    work.row_parent[row] = first
    for i in range(_score_moves(code, work, weights)):
        score = work.scores[i]
        # Sorted by insertion, the least score last; of equal ones the move listed first.
        place = last
        last += 1
        while place > first and work.heap[place - 1] <= score:
            work.heap[place] = work.heap[place - 1]
            work.move[place] = work.move[place - 1]
            place -= 1
        work.heap[place] = score
        work.move[place] = work.moves[i]
    work.counts.children = last


@kernel
def _is_full(work: Work, row: int) -> bool:
    """Whether there may be no room to keep a position in a row, or for its moves."""
    counts = work.counts
    return (
        4 * (counts.generated + 1) >= work.table.size
        or row + 1 >= work.row.shape[0]
        or counts.children + MOST_MOVES >= work.move.size
        or counts.crowded != 0
    )


@large_kernel
def _starts(code: Code, work: Work) -> bool:
    """Clear the arrays and enter the first row, settled; as ``_leads_on``."""
    counts, state = work.counts, work.state
    counts.generated = counts.children = counts.depth = counts.level = counts.crowded = 0
    work.open[:] = 0
    counts.goal = -1
    work.table[:] = 0
    work.row_parent[0] = -1
    work.row_made[0] = 0
    unpack(code, state, work.row[0])
    make_keys(code, state)
    settle(code, state)
    return _enter(code, work, int64(0))


@large_kernel
def _leads_on(code: Code, work: Work, parent: int, move: int, row: int) -> bool:
    """Build the position behind a move of that in a row, and if it is new, keep it in another.

    Returns whether it is new and the search goes on from there. It is measured then.
    """
    state = work.state
    unpack(code, state, work.row[parent])
    for i in range(2 * code.piles):
        state.key[i] = work.row_key[parent, i]
    play(code, state, move)
    settle(code, state)
    return _enter(code, work, row)


@kernel
def _enter(code: Code, work: Work, row: int) -> bool:
    """Enter the position at hand in the table; if it is new, keep it in a row and measure it."""
    counts, state = work.counts, work.state
    first, second = hash_of(code, state)
    slot = find_pair(work.table, first, second)
    if slot >= 0:
        return False
    work.table[-1 - slot] = first
    work.table[-slot] = second
    counts.generated += 1
    pack(code, state, work.row[row])
    for i in range(2 * code.piles):
        work.row_key[row, i] = state.key[i]
    measure(code, state, work.values)
    if is_won(code, state, work.values):
        counts.goal = row
    return counts.goal < 0


@large_kernel
def _score_moves(code: Code, work: Work, weights: np.ndarray) -> int:
    """List and score the moves of the position at hand, which is measured.

    Returns the number of those that are not seen to lead to positions in the table.
    """
    if code.hole and work.state.counts[DEAD]:
        return int64(0)
    number = list_moves(code, work.state, work.moves)
    work.counts.scored += number
    kept = int64(0)
    for i in range(number):
        move = work.moves[i]
        score = change(code, work.state, move, weights)
        if not _is_known(code, work, move):
            work.moves[kept] = move
            work.scores[kept] = score
            kept += 1
    return kept


@kernel
def _is_known(code: Code, work: Work, move: int) -> bool:
    """Whether a move of the position at hand is seen to lead to one in the table."""
    if work.counts.generated < FEW:
        return False
    first = hash_after(code, work.state, move, int64(0))
    second = hash_after(code, work.state, move, int64(1))
    return first != 0 and find_pair(work.table, first, second) >= 0
