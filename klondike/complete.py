"""A complete search with all cards known: it wins a deal or proves that it cannot be won.

It searches depth first through the equivalence classes of ``klondike.states``. The keys of
its transposition table are one-to-one with the states, in eight bytes each. So if it ends
without a win, it has proved that there is none.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
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
    drive,
    enlarged,
)
from klondike.board import PILES, empty_board, load
from klondike.dead_ends import find_twins, is_lost
from klondike.order import ORDER, order_weights, sort_moves
from klondike.playback import play_back
from klondike.position import new_position, unpack
from klondike.shorten import SHORTEN, load_kernels, shortened
from klondike.states import (
    MOST_MOVES,
    after_move,
    is_won,
    list_moves,
    settled,
)
from solving.outcome import Limits, Nodes, Status
from solving.parameters import Parameter, Value
from solving.search import Found, GameSearch

# Registers, which a kernel keeps between slices: counts, the depth of the current state, the moves
# tried, whether a list of moves was cut short, and whether moves are ordered by weights.
GENERATED, EXPANDED, DEPTH, TRIED, CUT_SHORT, ORDERED = range(6)
SLICE_TRIES = 20_000
"""Moves tried in a slice, at most some twenty milliseconds."""


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
        deal: as ``klondike.position`` makes it.
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


@kernel
def _lost_at_once(board, at, twins, packed):
    """Whether a dead-end test proves a position lost; the other arguments are scratch."""
    load(board, packed)
    find_twins(board, twins)
    return is_lost(board, at, twins, True)


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
        order=np.zeros(len(ORDER), np.int64),
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


class Complete(GameSearch[np.ndarray]):
    """The complete search; one instance serves one thread and keeps its arrays."""

    name = "complete"
    guided = False
    weighs = frozenset(feature.name for feature in ORDER)
    parameters = (
        Parameter(
            "safe-home",
            "yes",
            "bases that no card will need go home at once",
            choices=("yes", "no"),
        ),
        Parameter(
            "still-bottoms",
            "yes",
            "bottom cards leave their pile only while a king waits for one",
            choices=("yes", "no"),
        ),
        Parameter(
            "dead-ends",
            "yes",
            "deals that a test proves lost are not searched",
            choices=("yes", "no"),
        ),
        SHORTEN,
    )

    def __init__(self) -> None:
        self._position = new_position()
        self._small = new_work()
        self._tests = empty_board(), np.zeros(PILES, np.int64), np.zeros(8 * PILES, np.uint64)

    def warm_up(self, position: np.ndarray, weights: np.ndarray) -> None:
        """Load what only large searches need."""
        rehash(self._small.table[:0], self._small.table[:0])

    def run(
        self, position: np.ndarray, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a packed position (``klondike.packed``); see ``solving.search``."""
        if values["shorten"]:
            load_kernels(position)
        started = time.thread_time()
        deal, table = self._position
        root = np.uint64(unpack(self._position, position))
        switches = ("safe-home", "still-bottoms")
        options = sum(1 << i for i, name in enumerate(switches) if values[name] == "yes")
        self._small.registers[:] = 0
        self._small.order[:] = order_weights(weights[-len(ORDER) :])
        self._small.registers[ORDERED] = self._small.order.any()

        def advance_slice(work: Work) -> int:
            pause = work.registers[TRIED] + SLICE_TRIES
            return int(advance(deal, work, root, options, limits.nodes, pause))

        code = RUNNING
        # The tests hardly ever prove a later state lost if they do not prove the first one lost.
        if values["dead-ends"] == "yes" and _lost_at_once(*self._tests, position):
            code = UNSOLVABLE
            self._small.registers[GENERATED] = 1
        status, work = drive(self._small, advance_slice, enlarge, limits, started, code)
        registers = work.registers
        moves = None
        if status is Status.SOLVED:
            depth = int(registers[DEPTH])
            # A move takes at most some dozens on the table: draws, and cards that come back.
            written = np.zeros(64 * (depth + 2), np.int64)
            moves = written[: play_back(deal, table, work.state, work.made, depth, written)]
            moves = shortened(position, moves, int(values["shorten"]), limits, started)
        nodes = Nodes(int(registers[EXPANDED]), int(registers[GENERATED]))
        return Found(status, moves, nodes, time.thread_time() - started)
