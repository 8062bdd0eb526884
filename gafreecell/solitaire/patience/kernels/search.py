"""The searches: best first until a limit, then depth first to the end.

A best-first search scores the moves of an expanded position by what they change, and builds the
position behind a move only when it is the best of all that are open. So ``generated`` counts the
positions that were built and new, ``scored`` the moves.
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
    DEAD,
    Code,
    State,
    hash_after,
    hash_of,
    make_keys,
    new_state,
    pack,
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
        open: the length of the heap.
        children: moves kept for the open list.
        goal: the row of the solved position; -1 for none.
        depth: the row of the path on which a depth-first search is.
    """

    generated: int
    scored: int
    open: int
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
        heap: int64, keys of children (``key_of``).
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
    parent: np.ndarray
    move: np.ndarray
    row: np.ndarray
    row_key: np.ndarray
    row_parent: np.ndarray
    row_move: np.ndarray
    row_made: np.ndarray


def new_work(row_bytes: int, piles: int, entries: int = 1 << 10) -> Work:
    """Arrays for a search.

    Args:
        row_bytes: the bytes of a position.
        piles: how many it has.
        entries: room for so many positions at first, a power of two.
    """
    return Work(
        counts=new_registers(Counts),
        state=new_state(),
        values=np.zeros(FEATURES, np.int64),
        moves=np.zeros(MOST_MOVES, np.int64),
        scores=np.zeros(MOST_MOVES, np.int64),
        table=np.zeros(4 * entries, np.uint64),
        heap=np.zeros(2 * MOST_MOVES, np.int64),
        parent=np.zeros(2 * MOST_MOVES, np.int32),
        move=np.zeros(2 * MOST_MOVES, np.int32),
        row=np.zeros((entries, row_bytes), np.uint8),
        row_key=np.zeros((entries, 2 * piles), np.uint64),
        row_parent=np.zeros(entries, np.int32),
        row_move=np.zeros(entries, np.int32),
        row_made=np.zeros(entries, np.int32),
    )


def enlarge(work: Work) -> Work:
    """Larger arrays in place of those that are full."""
    counts = work.counts
    if 4 * (counts.generated + 1) >= work.table.size:
        table = np.zeros(2 * work.table.size, np.uint64)
        rehash_pairs(work.table, table)
        work = work._replace(table=table)
    if max(counts.generated, counts.depth) + 1 >= work.row.shape[0]:
        work = enlarged(work, "row", "row_key", "row_parent", "row_move", "row_made")
    if max(counts.open, counts.children) + MOST_MOVES >= work.heap.size:
        work = enlarged(work, "heap", "parent", "move")
    return work


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
        if counts.open == 0:
            return int64(UNSOLVABLE)
        if _is_full(work, row):
            return int64(GROW)
        if row >= pause:
            return int64(RUNNING)
        child = entry_of(work.heap[0])
        counts.open = pop_key(work.heap, counts.open)
        parent, move = int64(work.parent[child]), int64(work.move[child])
        work.row_parent[row] = parent
        work.row_move[row] = move
        work.row_made[row] = work.row_made[parent] + 1
        if _leads_on(code, work, parent, move, row):
            _expand(code, work, weights, row)
    return int64(SOLVED)


@large_kernel
def _expand(code: Code, work: Work, weights: np.ndarray, row: int) -> None:
    """Score the moves of the position at hand, which is measured, and open them."""
    counts = work.counts
    score = score_of(work.values, weights) + weights[MADE] * (work.row_made[row] + 1)
    for i in range(_score_moves(code, work, weights)):
        child = counts.children
        counts.children += 1
        work.parent[child] = row
        work.move[child] = work.moves[i]
        counts.open = push_key(work.heap, counts.open, key_of(score + work.scores[i], child))


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
        or max(counts.open, counts.children) + MOST_MOVES >= work.heap.size
    )


@large_kernel
def _starts(code: Code, work: Work) -> bool:
    """Clear the arrays and enter the first row, settled; as ``_leads_on``."""
    counts, state = work.counts, work.state
    counts.generated = counts.open = counts.children = counts.depth = 0
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
