"""Iterative deepening and IDA*, the searches of GA-FreeCell's sections 3.1.1 and 3.1.2.

Both search depth first within a bound that rises from iteration to iteration (Korf
1985). A transposition table holds every state met in an iteration, with the least cost it
was reached at. A state reached again at no smaller cost is pruned. At a smaller cost it is
searched again, as more states lie within the bound from there, but it is not counted again.
So an iteration meets every state within its bound and counts each once. The next iteration
begins with an empty table.

There are two costs g, and two bounds:

- depth: g counts the moves chosen, without forced home moves, and the bound is on g
  alone. The paper's "IDA*" is this search with the successors in the order of their
  scores: "move ordering is the only phase wherein the heuristic function is used".
- f, the textbook's IDA*: the bound is on f = g + h, where h is the number of cards not
  home, and g counts all moves, forced home moves too. A move brings at most one card home,
  so h is admissible and consistent: it never exceeds the moves left, and f never falls
  along a path. (It would not be admissible if forced home moves were free.) The next bound
  is the least f beyond the last one, so the first solution has the fewest moves (length
  ``column``) of all that the engine's moves allow. Forcing safe home moves does not
  lengthen it: each is needed once, and any card that could have lain on a safe card can go
  home.

An iteration that leaves no state beyond its bound has met all states. That counts as
exhausted, not as a proof, because states are identified by 64 bits.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from hsd.board import (
    HOME,
    empty_board,
    is_home,
    load,
    play,
    play_safe_home,
    unplay,
    unplay_home,
)
from hsd.heuristics import NAMES, score
from hsd.moves import ANY, MOST_MOVES, key_after, list_moves, moved_card, stays_quiet
from hsd.notation import solution
from hsd.search import AUTOMATIC, FreeCellSearch, Position
from jit import kernel
from jit.kernels.transposition import find, rehash_values
from jit.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, SOLVED, drive
from solving.outcome import Limits, Nodes, Status
from solving.parameters import Parameter, Value
from solving.search import Found

DEEPEST = 250
"""The largest bound; costs are kept in bytes."""

SLICE_MOVES = 50_000
"""Moves listed in a slice, some ten milliseconds. States that are searched again are not
counted as generated, so a slice cannot be bounded by that."""

# Indices of the registers, which the kernel keeps between slices. BEYOND counts what the
# iteration left beyond its bound: states at the bound itself, or successors pruned.
GENERATED, EXPANDED, DEPTH, ENTRIES, LISTED, BOUND, NEXT_BOUND, BEYOND = range(8)

_NOT_LISTED = -1


class DeepeningWork(NamedTuple):
    """The arrays of a search by iterative deepening; the driver enlarges the table.

    Attributes:
        registers: int64[8], counters, stack depth and bounds.
        table: uint64, the transposition table of this iteration.
        costs: uint8, for each slot of the table the least cost so far.
        moves: int64[251 * 256], the moves of the state at each depth, end to end.
        scores: float64[251 * 256], the scores of the states they lead to.
        stack: int64[4, 251], for each depth: next move, end of moves, suit sent
            home by the move made there, forced home moves made so far.
        made: int64[251], the moves chosen: the current path.
        trail: int64[128], the forced home moves, those at the root first.
        values: float64[26], scratch.
    """

    registers: np.ndarray
    table: np.ndarray
    costs: np.ndarray
    moves: np.ndarray
    scores: np.ndarray
    stack: np.ndarray
    made: np.ndarray
    trail: np.ndarray
    values: np.ndarray


@kernel
def _find(table, key):
    """Index of a hash in the table, or -1 - index of the empty slot where it belongs."""
    return find(table, key if key != 0 else uint64(1))


@kernel
def _enter(work, slot, key, cost):
    """Enter a new state in the empty slot that ``_find`` returned."""
    registers = work.registers
    work.table[-1 - slot] = key if key != 0 else uint64(1)
    work.costs[-1 - slot] = cost
    registers[ENTRIES] += 1
    registers[GENERATED] += 1


@kernel
def _not_home(board):
    """The number of cards not home: h."""
    return 52 - (board.home[0] + board.home[1] + board.home[2] + board.home[3])


@kernel
def begin(board, work, packed, size, by_length):
    """Set up a search from a packed position, before its first iteration."""
    registers = work.registers
    for i in range(registers.size):
        registers[i] = 0
    load(board, packed, 0, size[0], size[1])
    registers[DEPTH] = -1
    registers[NEXT_BOUND] = _not_home(board) if by_length else 1
    registers[BEYOND] = 1


@kernel
def _begin_iteration(board, work, packed, size, automatic, by_length):
    """Raise the bound, empty the table, and enter the root as its first state."""
    registers = work.registers
    for i in range(work.table.size):
        work.table[i] = 0
    load(board, packed, 0, size[0], size[1])
    forced = play_safe_home(board, work.trail, 0) if automatic else 0
    registers[BOUND] = registers[NEXT_BOUND]
    registers[NEXT_BOUND] = DEEPEST + 1 if by_length else registers[BOUND] + 1
    registers[BEYOND] = 0
    registers[ENTRIES] = 0
    key = board.key[0]
    _enter(work, _find(work.table, key), key, forced if by_length else 0)
    registers[DEPTH] = 0
    work.stack[3, 0] = forced
    work.stack[0, 0] = 0
    work.stack[1, 0] = _NOT_LISTED


@kernel
def _order_children(board, work, depth, automatic, by_length, weights):
    """Sort the moves at a depth by the scores of the states they lead to, least first.

    Ties stay in the order of the move list. States reached before at no larger
    cost and states beyond the bound on f are dropped.
    """
    registers = work.registers
    moves = work.moves
    scores = work.scores
    first = work.stack[0, depth]
    forced = work.stack[3, depth]
    kept = first
    for i in range(first, work.stack[1, depth]):
        move = moves[i]
        quiet = not automatic or stays_quiet(board, move)
        cost = depth + 1
        if quiet:
            if by_length:
                cost += forced
            slot = _find(work.table, key_after(board, move, 0))
            if slot >= 0 and work.costs[slot] <= cost:
                continue
        suit = int64(0)
        if ((move >> 5) & 31) == HOME:
            suit = int64(moved_card(board, move) & 3)
        play(board, move)
        end = forced
        dropped = False
        if not quiet:
            end = play_safe_home(board, work.trail, forced)
            if by_length:
                cost += end
            slot = _find(work.table, board.key[0])
            dropped = slot >= 0 and work.costs[slot] <= cost
        f = cost + _not_home(board)
        if by_length and not dropped and f > registers[BOUND]:
            registers[BEYOND] += 1
            registers[NEXT_BOUND] = min(registers[NEXT_BOUND], f)
            dropped = True
        if not dropped:
            value = score(board, weights, work.values)
            at = kept
            while at > first and scores[at - 1] > value:
                scores[at] = scores[at - 1]
                moves[at] = moves[at - 1]
                at -= 1
            scores[at] = value
            moves[at] = move
            kept += 1
        unplay_home(board, work.trail, end, forced)
        unplay(board, move, suit)
    work.stack[1, depth] = kept


@kernel
def advance(
    board, work, packed, size, deepest, automatic, guided, by_length, weights, node_limit, pause
):
    """Search on until the deal is decided or ``pause`` moves are listed.

    Args:
        board: scratch ``Board``; its content belongs to the search.
        work: ``DeepeningWork`` as ``begin`` or the last slice left it.
        packed: the position the search starts from.
        size: int64[2], cascades and cells.
        deepest: the largest bound, at most ``DEEPEST``.
        automatic: whether safe home moves are forced.
        guided: whether moves are ordered by the score of the state they lead to.
        by_length: whether the bound is on f and not on depth; then ``guided`` too.
        weights: float64[26].
        node_limit: states that may be generated.
        pause: moves listed at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the goal on the board, ``EXHAUSTED``, ``NODE_LIMIT``,
        ``RUNNING``, or ``GROW`` if the table must be enlarged first.
    """
    registers = work.registers
    moves = work.moves
    stack = work.stack
    trail = work.trail
    while True:
        depth = registers[DEPTH]
        if depth < 0:
            if registers[BEYOND] == 0 or registers[NEXT_BOUND] > deepest:
                return EXHAUSTED
            if registers[GENERATED] >= node_limit:
                return NODE_LIMIT
            _begin_iteration(board, work, packed, size, automatic, by_length)
            if is_home(board):
                registers[DEPTH] = -1
                return SOLVED
            continue
        if stack[1, depth] == _NOT_LISTED:
            if registers[LISTED] >= pause:
                return RUNNING
            stack[1, depth] = list_moves(board, moves, stack[0, depth], ANY)
            registers[EXPANDED] += 1
            registers[LISTED] += 1 + stack[1, depth] - stack[0, depth]
            if guided:
                _order_children(board, work, depth, automatic, by_length, weights)
        if stack[0, depth] == stack[1, depth]:
            registers[DEPTH] -= 1
            if depth > 0:
                unplay_home(board, trail, stack[3, depth], stack[3, depth - 1])
                unplay(board, work.made[depth - 1], stack[2, depth - 1])
            continue
        if 2 * registers[ENTRIES] >= work.table.size:
            return GROW
        move = moves[stack[0, depth]]
        stack[0, depth] += 1
        start = stack[3, depth]
        end = start
        quiet = not automatic or stays_quiet(board, move)
        suit = int64(0)
        if ((move >> 5) & 31) == HOME:
            suit = int64(moved_card(board, move) & 3)
        if quiet:
            key = key_after(board, move, 0)
        else:
            play(board, move)
            end = play_safe_home(board, trail, start)
            key = board.key[0]
        cost = depth + 1 + end if by_length else depth + 1
        at_bound = not by_length and cost == registers[BOUND]
        slot = _find(work.table, key)
        if slot >= 0 and work.costs[slot] <= cost:
            if not quiet:
                unplay_home(board, trail, end, start)
                unplay(board, move, suit)
            continue
        if slot >= 0:
            if not by_length and work.costs[slot] == registers[BOUND]:
                registers[BEYOND] -= 1
            work.costs[slot] = cost
        else:
            if registers[GENERATED] >= node_limit:
                return NODE_LIMIT
            _enter(work, slot, key, cost)
            if at_bound:
                registers[BEYOND] += 1
        if quiet:
            play(board, move)
        work.made[depth] = move
        if is_home(board):
            return SOLVED
        if at_bound:
            unplay_home(board, trail, end, start)
            unplay(board, move, suit)
            continue
        stack[2, depth] = suit
        registers[DEPTH] = depth + 1
        stack[3, depth + 1] = end
        stack[0, depth + 1] = stack[1, depth]
        stack[1, depth + 1] = _NOT_LISTED


def new_work() -> DeepeningWork:
    """Small arrays, of which the table grows as a search needs."""
    depths, places = DEEPEST + 1, 1 << 15
    return DeepeningWork(
        registers=np.zeros(8, np.int64),
        table=np.zeros(places, np.uint64),
        costs=np.zeros(places, np.uint8),
        moves=np.zeros(depths * MOST_MOVES, np.int64),
        scores=np.zeros(depths * MOST_MOVES, np.float64),
        stack=np.zeros((4, depths), np.int64),
        made=np.zeros(depths, np.int64),
        trail=np.zeros(128, np.int64),
        values=np.zeros(len(NAMES), np.float64),
    )


def enlarge(work: DeepeningWork) -> DeepeningWork:
    """The same search with a larger table."""
    table = np.zeros(4 * work.table.size, np.uint64)
    costs = np.zeros(4 * work.costs.size, np.uint8)
    rehash_values(work.table, work.costs, table, costs)
    return work._replace(table=table, costs=costs)


_DEPTH = Parameter("depth", 200, "largest bound; a search that passes it is exhausted", 1, DEEPEST)


class _Deepening(FreeCellSearch):
    """The part that both searches share: the driver of the kernel.

    One instance serves one thread and keeps its arrays from deal to deal, but
    not a table that grew: clearing a large one takes longer than most deals.
    """

    def __init__(self) -> None:
        self._board = empty_board()
        self._work = new_work()

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load what only large searches need."""
        table, costs = self._work.table[:0], self._work.costs[:0]
        rehash_values(table, costs, table, costs)

    def run(
        self,
        position: Position,
        weights: np.ndarray,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        """Search from a packed position; see ``hsd.search`` for the meaning of the arguments."""
        packed, size = position
        deepest = int(values["depth"])
        automatic = values["automatic"] == "safe"
        by_length = values.get("bound") == "f"
        started = time.thread_time()
        begin(self._board, self._work, packed, size, by_length)

        def advance_slice(work: DeepeningWork) -> int:
            pause = work.registers[LISTED] + SLICE_MOVES
            return int(
                advance(
                    self._board, work, packed, size, deepest, automatic, self.guided, by_length,
                    weights, limits.nodes, pause,
                )
            )  # fmt: skip

        status, work = drive(self._work, advance_slice, enlarge, limits, started)
        moves = None
        if status is Status.SOLVED:
            path = work.made[: work.registers[DEPTH] + 1]
            moves = solution(self._board, packed, size, automatic, path)
        nodes = Nodes(int(work.registers[EXPANDED]), int(work.registers[GENERATED]))
        return Found(status, moves, nodes, time.thread_time() - started)


class IterativeDeepening(_Deepening):
    """The paper's enhanced iterative deepening (section 3.1.1), without a heuristic."""

    name = "iterative-deepening"
    guided = False
    parameters = (_DEPTH, AUTOMATIC)


class IdaStar(_Deepening):
    """The paper's IDA* (section 3.1.2), or with ``bound`` = ``f`` the textbook's."""

    name = "ida-star"
    guided = True
    parameters = (
        Parameter(
            "bound",
            "depth",
            "what the bound is on: moves chosen, as in the paper, or moves made + cards not home",
            choices=("depth", "f"),
        ),
        _DEPTH,
        AUTOMATIC,
    )
