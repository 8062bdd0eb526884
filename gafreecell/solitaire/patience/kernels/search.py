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
    is_won,
    measure,
    score_moves,
    score_of,
)
from gafreecell.solitaire.patience.kernels.moves import MOST_MOVES, list_moves
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
    settle,
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


@large_kernel
def _clear_table(table: np.ndarray) -> None:
    for i in range(table.size):
        table[i] = 0


@large_kernel
def _take(code: Code, work: Work, row: int) -> None:
    """Read a position from a row."""
    unpack(code, work.state, work.row[row])
    for i in range(2 * code.piles):
        work.state.key[i] = work.row_key[row, i]


@large_kernel
def _keep(code: Code, work: Work, row: int) -> None:
    """Write the position at hand to a row."""
    pack(code, work.state, work.row[row])
    for i in range(2 * code.piles):
        work.row_key[row, i] = work.state.key[i]


@large_kernel
def _enter(code: Code, work: Work) -> bool:
    """Enter the position at hand in the table; returns whether it is new."""
    first, second = hash_of(code, work.state)
    slot = find_pair(work.table, first, second)
    if slot >= 0:
        return False
    work.table[-1 - slot] = first
    work.table[-slot] = second
    work.counts.generated += 1
    return True


@kernel
def _is_known(code: Code, work: Work, move: int) -> bool:
    """Whether a move of the position at hand is seen to lead to one in the table."""
    if work.counts.generated < FEW:
        return False
    first = hash_after(code, work.state, move, int64(0))
    second = hash_after(code, work.state, move, int64(1))
    return first != 0 and find_pair(work.table, first, second) >= 0


@kernel
def best_first(code: Code, work: Work, weights: np.ndarray, limit: int, slice_size: int) -> int:
    """Search on, best first, for a slice; returns how it ended.

    A search begins anew, from the first row, if nothing is generated.

    Args:
        weights: int64[features].
        limit: how many positions may be generated.
        slice_size: how many positions a slice generates.
    """
    counts, state = work.counts, work.state
    if counts.generated == 0:
        if _start(code, work):
            return int64(SOLVED)
        _expand(code, work, weights, int64(0))
    pause = counts.generated + slice_size
    while True:
        if counts.generated >= limit:
            return int64(NODE_LIMIT)
        if counts.open == 0:
            return int64(UNSOLVABLE)
        if (
            4 * (counts.generated + 1) >= work.table.size
            or counts.generated + 1 >= work.row.shape[0]
            or max(counts.open, counts.children) + MOST_MOVES >= work.heap.size
        ):
            return int64(GROW)
        if counts.generated >= pause:
            return int64(RUNNING)
        child = entry_of(work.heap[0])
        counts.open = pop_key(work.heap, counts.open)
        parent = int64(work.parent[child])
        _take(code, work, parent)
        play(code, state, int64(work.move[child]))
        settle(code, state)
        if _enter(code, work):
            row = counts.generated - 1
            _keep(code, work, row)
            work.row_parent[row] = parent
            work.row_move[row] = work.move[child]
            work.row_made[row] = work.row_made[parent] + 1
            measure(code, state, work.values)
            if is_won(code, state, work.values):
                counts.goal = row
                return int64(SOLVED)
            _expand(code, work, weights, row)


@kernel
def _moves(code: Code, work: Work) -> int:
    """List the moves of the position at hand, which is measured; none if it is lost."""
    if code.hole and work.state.counts[DEAD]:
        return int64(0)
    return list_moves(code, work.state, work.moves)


@large_kernel
def _expand(code: Code, work: Work, weights: np.ndarray, row: int) -> None:
    """Score the moves of the position at hand, which is measured, and open them."""
    counts = work.counts
    score = score_of(work.values, weights) + weights[MADE] * (work.row_made[row] + 1)
    number = _moves(code, work)
    score_moves(code, work.state, work.moves, number, weights, work.scores)
    counts.scored += number
    for i in range(number):
        if _is_known(code, work, work.moves[i]):
            continue
        child = counts.children
        counts.children += 1
        work.parent[child] = row
        work.move[child] = work.moves[i]
        counts.open = push_key(work.heap, counts.open, key_of(score + work.scores[i], child))


@large_kernel
def _start(code: Code, work: Work) -> bool:
    """Clear the arrays and enter the first row, settled and measured; whether it is won."""
    counts, state = work.counts, work.state
    counts.generated = counts.open = counts.children = counts.depth = 0
    _clear_table(work.table)
    unpack(code, state, work.row[0])
    make_keys(code, state)
    settle(code, state)
    _keep(code, work, int64(0))
    _enter(code, work)
    work.row_parent[0] = -1
    work.row_made[0] = 0
    measure(code, state, work.values)
    won = is_won(code, state, work.values)
    counts.goal = -1 + won
    return won


@kernel
def path_to(work: Work, row: int, moves: np.ndarray) -> int:
    """Write the moves that lead to a row of a best-first search, the last first; their number."""
    number = int64(0)
    while row > 0:
        if number < moves.size:
            moves[number] = work.row_move[row]
        number += 1
        row = int64(work.row_parent[row])
    return number


@large_kernel
def _list_children(code: Code, work: Work, weights: np.ndarray, row: int) -> None:
    """Put the moves of the position at hand on the stack, the best last, for a row of the path."""
    counts = work.counts
    number = _moves(code, work)
    score_moves(code, work.state, work.moves, number, weights, work.scores)
    counts.scored += number
    first = counts.children
    work.row_parent[row] = first
    last = first
    for i in range(number):
        move, score = work.moves[i], work.scores[i]
        if _is_known(code, work, move):
            continue
        # Sorted by insertion, the least score last; of equal ones the move listed first.
        place = last
        last += 1
        while place > first and work.heap[place - 1] <= score:
            work.heap[place] = work.heap[place - 1]
            work.move[place] = work.move[place - 1]
            place -= 1
        work.heap[place] = score
        work.move[place] = move
    counts.children = last


@kernel
def depth_first(code: Code, work: Work, weights: np.ndarray, limit: int, slice_size: int) -> int:
    """Search on, depth first, for a slice; arguments and result as of ``best_first``."""
    counts, state = work.counts, work.state
    if counts.generated == 0:
        if _start(code, work):
            return int64(SOLVED)
        _list_children(code, work, weights, int64(0))
    pause = counts.generated + slice_size
    tried = int64(0)
    while True:
        if counts.generated >= limit:
            return int64(NODE_LIMIT)
        if (
            4 * (counts.generated + 1) >= work.table.size
            or counts.depth + 2 >= work.row.shape[0]
            or counts.children + MOST_MOVES >= work.heap.size
        ):
            return int64(GROW)
        if counts.generated >= pause or tried >= 16 * slice_size:
            return int64(RUNNING)
        row = counts.depth
        if counts.children == work.row_parent[row]:
            if row == 0:
                return int64(UNSOLVABLE)
            counts.depth -= 1
            continue
        tried += 1
        counts.children -= 1
        move = int64(work.move[counts.children])
        _take(code, work, row)
        play(code, state, move)
        settle(code, state)
        if _enter(code, work):
            counts.depth += 1
            _keep(code, work, row + 1)
            work.row_move[row + 1] = move
            measure(code, state, work.values)
            if is_won(code, state, work.values):
                counts.goal = row + 1
                return int64(SOLVED)
            _list_children(code, work, weights, row + 1)
