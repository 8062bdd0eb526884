"""A complete search with all cards known: it wins a deal or proves that it cannot be won.

It searches depth first through the equivalence classes of ``klondike.complete.kernels.states``.
The keys of its transposition table are one-to-one with the states, in eight bytes each. So if it
ends without a win, it has proved that there is none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64

from jit import kernel
from jit.kernels.transposition import find, rehash
from jit.slices import (
    EXHAUSTED,
    GROW,
    NODE_LIMIT,
    RUNNING,
    SOLVED,
    UNSOLVABLE,
    enlarged,
)
from klondike.complete.kernels.order import WEIGHTS, sort_moves
from klondike.complete.kernels.states import (
    MOST_MOVES,
    after_move,
    is_won,
    list_moves,
    settled,
)

# Registers, which a kernel keeps between slices: counts, the depth of the current state, the moves
# tried, whether a list of moves was cut short, and whether moves are ordered by weights.
GENERATED, EXPANDED, DEPTH, TRIED, CUT_SHORT, ORDERED = range(6)


class Work(NamedTuple):
    """The arrays of a search.

    Attributes:
        registers: int64[8].
        table: uint64, the transposition table (``jit.kernels.transposition``).
        state: uint64, the states on the current path.
        up, bases: uint64, for each of them the face-up cards and the bases.
        first, last: int64, the range of ``moves`` still to be tried there.
        made: int64, the move made there.
        moves: int64, the moves listed for each state on the path, end to end.
        found: int64[2048], scratch of ``list_moves``.
        order: int64[11], the weights of move ordering; all zero for the order of the list.
        scores: int64[1024], scratch of ``sort_moves``.
    """

    registers: np.ndarray
    table: np.ndarray
    state: np.ndarray
    up: np.ndarray
    bases: np.ndarray
    first: np.ndarray
    last: np.ndarray
    made: np.ndarray
    moves: np.ndarray
    found: np.ndarray
    order: np.ndarray
    scores: np.ndarray


@kernel
def _key(state):
    """A state's key in the table: one-to-one, not zero, its bits well mixed."""
    key = state + uint64(1)
    key = (key ^ (key >> uint64(31))) * uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> uint64(29))


@kernel
def _enter(work, state):
    """Enter a state in the table; returns whether it is new."""
    key = _key(state)
    slot = find(work.table, key)
    if slot >= 0:
        return False
    work.table[-1 - slot] = key
    work.registers[GENERATED] += 1
    return True


@kernel
def _list(deal, work, options, depth, at):
    """List the moves of the state at a depth from index ``at`` on."""
    work.first[depth] = at
    state, up, bases = work.state[depth], work.up[depth], work.bases[depth]
    end = list_moves(deal, state, up, bases, options, work.moves, at, work.found)
    work.last[depth] = end
    if work.registers[ORDERED]:
        sort_moves(deal, state, up, work.order, work.moves, work.scores, at, end)
    if end - at >= MOST_MOVES - 100:
        work.registers[CUT_SHORT] = 1


@kernel
def advance(deal, work, root, options, limit, pause):
    """Search on until the deal is decided or ``pause`` moves were tried.

    Args:
        deal: as ``klondike.complete.kernels.unpacked`` makes it.
        work: ``Work``, its registers zero before the first slice.
        root: the position the search starts from.
        options: bits, see ``klondike.states.list_moves``.
        limit: states that may be generated.
        pause: moves tried at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the path in ``state`` and ``made``, ``UNSOLVABLE``, ``EXHAUSTED``,
        ``NODE_LIMIT``, ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    registers = work.registers
    if registers[GENERATED] == 0:
        for i in range(work.table.size):
            work.table[i] = 0
        state, up, bases = settled(deal, root)
        _enter(work, state)
        registers[DEPTH] = 0
        work.state[0], work.up[0], work.bases[0] = state, up, bases
        if is_won(state):
            return SOLVED
        registers[EXPANDED] = 1
        _list(deal, work, options, 0, 0)
    while registers[DEPTH] >= 0:
        d = registers[DEPTH]
        if work.last[d] == work.first[d]:
            registers[DEPTH] -= 1
            continue
        if registers[GENERATED] >= limit:
            return NODE_LIMIT
        if (
            8 * registers[GENERATED] >= 7 * work.table.size
            or d + 2 >= work.state.size
            or work.last[d] + MOST_MOVES >= work.moves.size
        ):
            return GROW
        if registers[TRIED] >= pause:
            return RUNNING
        registers[TRIED] += 1
        work.last[d] -= 1
        move = work.moves[work.last[d]]
        state, up, bases = after_move(deal, work.state[d], work.up[d], work.bases[d], move)
        if not _enter(work, state):
            continue
        work.made[d] = move
        d += 1
        registers[DEPTH] = d
        work.state[d], work.up[d], work.bases[d] = state, up, bases
        if is_won(state):
            return SOLVED
        registers[EXPANDED] += 1
        _list(deal, work, options, d, work.last[d - 1])
    return EXHAUSTED if registers[CUT_SHORT] else UNSOLVABLE


def new_work() -> Work:
    """Small arrays, which grow as a search needs."""
    deep = 1 << 8
    return Work(
        registers=np.zeros(8, np.int64),
        table=np.zeros(1 << 12, np.uint64),
        state=np.zeros(deep, np.uint64),
        up=np.zeros(deep, np.uint64),
        bases=np.zeros(deep, np.uint64),
        first=np.zeros(deep, np.int64),
        last=np.zeros(deep, np.int64),
        made=np.zeros(deep, np.int64),
        moves=np.zeros(1 << 13, np.int64),
        found=np.zeros(2048, np.int64),
        order=np.zeros(WEIGHTS, np.int64),
        scores=np.zeros(MOST_MOVES, np.int64),
    )


def enlarge(work: Work) -> Work:
    """The same search with larger arrays in place of those that are full."""
    registers = work.registers
    if 8 * registers[GENERATED] >= 7 * work.table.size:
        table = np.zeros(2 * work.table.size, np.uint64)
        rehash(work.table, table)
        work = work._replace(table=table)
    if registers[DEPTH] + 2 >= work.state.size:
        work = enlarged(work, "state", "up", "bases", "first", "last", "made")
    if work.last[registers[DEPTH]] + MOST_MOVES >= work.moves.size:
        work = enlarged(work, "moves")
    return work
