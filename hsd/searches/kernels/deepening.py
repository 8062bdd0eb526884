"""The kernel of iterative deepening and IDA* (``hsd.searches.deepening``)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, new_registers
from gafreecell.jit.kernels.transposition import find, not_zero, rehash_values
from gafreecell.jit.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, SOLVED
from hsd.kernels.board import Board, play, unplay
from hsd.kernels.features import NAMES
from hsd.kernels.home import is_home, play_safe_home, unplay_home
from hsd.kernels.moves import ANY, MOST_MOVES, key_after, list_moves, stays_quiet, suit_home
from hsd.kernels.policy import Rules, score_by
from hsd.kernels.replay import Root, load_root

DEEPEST = 250
"""The largest bound; costs are kept in bytes."""

_NOT_LISTED = -1


class DeepeningRegisters(Registers):
    """What the search counts and remembers between slices.

    Attributes:
        generated, expanded: states.
        depth: of the current state, -1 between iterations.
        entries: states in this iteration's table.
        listed: moves listed, and one for each state expanded.
        bound, next_bound: of this iteration and of the next one.
        beyond: what this iteration did not search because of its bound: the number of states
            exactly at a bound on depth, or of successors beyond a bound on f.
    """

    generated: int
    expanded: int
    depth: int
    entries: int
    listed: int
    bound: int
    next_bound: int
    beyond: int


class DeepeningWork(NamedTuple):
    """The arrays of a search by iterative deepening; the driver enlarges the table.

    Attributes:
        registers: ``DeepeningRegisters``.
        table: uint64, the transposition table of this iteration.
        costs: uint8, for each slot of the table the least cost so far.
        moves: int64[251 * 256], the moves of the state at each depth, end to end.
        scores: float64[251 * 256], the scores of the states to which they lead.
        next, end: int64[251], for each depth the index of the next move to try, and the index
            after the last one (``_NOT_LISTED`` before they are listed).
        suit: int64[251], for each depth the suit that the move made there sent home.
        forced: int64[251], for each depth the number of forced home moves on the path to it.
        made: int64[251], the moves chosen: the current path.
        trail: int64[128], the forced home moves, those at the root first.
        values: float64, of every feature, scratch.
    """

    registers: DeepeningRegisters
    table: np.ndarray
    costs: np.ndarray
    moves: np.ndarray
    scores: np.ndarray
    next: np.ndarray
    end: np.ndarray
    suit: np.ndarray
    forced: np.ndarray
    made: np.ndarray
    trail: np.ndarray
    values: np.ndarray


@kernel
def _find(table: np.ndarray, key: int) -> int:
    """The slot of a hash in the table, or -1 - slot for the empty slot where it belongs."""
    return find(table, not_zero(key))


@kernel
def _enter(work: DeepeningWork, slot: int, key: int, cost: int) -> None:
    """Enter a new state in the empty slot that ``_find`` returned."""
    registers = work.registers
    work.table[-1 - slot] = not_zero(key)
    work.costs[-1 - slot] = cost
    registers.entries += 1
    registers.generated += 1


@kernel
def _not_home(board: Board) -> int:
    """The heuristic h: the number of cards not home."""
    return 52 - (board.home[0] + board.home[1] + board.home[2] + board.home[3])


@kernel
def begin(board: Board, work: DeepeningWork, root: Root, by_length: bool) -> None:
    """Set up a search before its first iteration."""
    registers = work.registers
    registers.generated = 0
    registers.expanded = 0
    registers.entries = 0
    registers.listed = 0
    registers.bound = 0
    load_root(board, root)
    registers.depth = -1
    registers.next_bound = _not_home(board) if by_length else 1
    registers.beyond = 1


@kernel
def _begin_iteration(board: Board, work: DeepeningWork, root: Root, by_length: bool) -> None:
    """Raise the bound, empty the table, and enter the root in it."""
    registers = work.registers
    for i in range(work.table.size):
        work.table[i] = 0
    load_root(board, root)
    forced = play_safe_home(board, work.trail, 0) if root.automatic else 0
    registers.bound = registers.next_bound
    registers.next_bound = DEEPEST + 1 if by_length else registers.bound + 1
    registers.beyond = 0
    registers.entries = 0
    key = board.key[0]
    _enter(work, _find(work.table, key), key, forced if by_length else 0)
    registers.depth = 0
    work.forced[0] = forced
    work.next[0] = 0
    work.end[0] = _NOT_LISTED


@kernel
def _order_children(
    board: Board,
    work: DeepeningWork,
    depth: int,
    root: Root,
    by_length: bool,
    weights: np.ndarray,
    rules: Rules | None,
) -> None:
    """Sort the moves at a depth by the scores of the states to which they lead, least first.

    Ties stay in the order of the move list. Moves are dropped if their states were reached
    before at no larger cost, or lie beyond the bound on f.
    """
    registers = work.registers
    moves = work.moves
    scores = work.scores
    first = work.next[depth]
    forced = work.forced[depth]
    kept = first
    for i in range(first, work.end[depth]):
        move = moves[i]
        quiet = not root.automatic or stays_quiet(board, move)
        cost = depth + 1
        if quiet:
            if by_length:
                cost += forced
            slot = _find(work.table, key_after(board, move, 0))
            if slot >= 0 and int64(work.costs[slot]) <= cost:
                continue
        suit = suit_home(board, move)
        play(board, move)
        end = forced
        dropped = False
        if not quiet:
            end = play_safe_home(board, work.trail, forced)
            if by_length:
                cost += end
            slot = _find(work.table, board.key[0])
            dropped = slot >= 0 and int64(work.costs[slot]) <= cost
        f = cost + _not_home(board)
        if by_length and not dropped and f > registers.bound:
            registers.beyond += 1
            registers.next_bound = min(registers.next_bound, f)
            dropped = True
        if not dropped:
            value = score_by(board, weights, rules, work.values)
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
    work.end[depth] = kept


@kernel
def advance(
    board: Board,
    work: DeepeningWork,
    root: Root,
    deepest: int,
    guided: bool,
    by_length: bool,
    weights: np.ndarray,
    rules: Rules | None,
    node_limit: int,
    pause: int,
) -> int:
    """Continue until the deal is decided or ``pause`` moves were listed.

    Args:
        board: scratch; its content belongs to the search.
        work: as ``begin`` or the last slice left it.
        root: where the search starts.
        deepest: the largest bound, at most ``DEEPEST``.
        guided: whether moves are ordered by the scores of the states to which they lead.
        by_length: whether the bound is on f instead of depth; requires ``guided``.
        weights: float64, of every feature; for a policy, those of its default.
        rules: a policy's rules, or None.
        node_limit: states that may be generated.
        pause: moves listed at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the goal on the board, ``EXHAUSTED``, ``NODE_LIMIT``,
        ``RUNNING``, or ``GROW`` if the table must be enlarged first.
    """
    registers = work.registers
    moves = work.moves
    trail = work.trail
    while True:
        depth = registers.depth
        if depth < 0:
            if registers.beyond == 0 or registers.next_bound > deepest:
                return EXHAUSTED
            if registers.generated >= node_limit:
                return NODE_LIMIT
            _begin_iteration(board, work, root, by_length)
            if is_home(board):
                registers.depth = -1
                return SOLVED
            continue
        if work.end[depth] == _NOT_LISTED:
            if registers.listed >= pause:
                return RUNNING
            work.end[depth] = list_moves(board, moves, work.next[depth], ANY)
            registers.expanded += 1
            registers.listed += 1 + work.end[depth] - work.next[depth]
            if guided:
                _order_children(board, work, depth, root, by_length, weights, rules)
        if work.next[depth] == work.end[depth]:
            registers.depth -= 1
            if depth > 0:
                unplay_home(board, trail, work.forced[depth], work.forced[depth - 1])
                unplay(board, work.made[depth - 1], work.suit[depth - 1])
            continue
        if 2 * registers.entries >= work.table.size:
            return GROW
        move = moves[work.next[depth]]
        work.next[depth] += 1
        start = work.forced[depth]
        end = start
        quiet = not root.automatic or stays_quiet(board, move)
        suit = suit_home(board, move)
        if quiet:
            key = key_after(board, move, 0)
        else:
            play(board, move)
            end = play_safe_home(board, trail, start)
            key = board.key[0]
        cost = depth + 1 + end if by_length else depth + 1
        at_bound = not by_length and cost == registers.bound
        slot = _find(work.table, key)
        if slot >= 0 and int64(work.costs[slot]) <= cost:
            if not quiet:
                unplay_home(board, trail, end, start)
                unplay(board, move, suit)
            continue
        if slot >= 0:
            if not by_length and int64(work.costs[slot]) == registers.bound:
                registers.beyond -= 1
            work.costs[slot] = cost
        else:
            if registers.generated >= node_limit:
                return NODE_LIMIT
            _enter(work, slot, key, cost)
            if at_bound:
                registers.beyond += 1
        if quiet:
            play(board, move)
        work.made[depth] = move
        if is_home(board):
            return SOLVED
        if at_bound:
            unplay_home(board, trail, end, start)
            unplay(board, move, suit)
            continue
        work.suit[depth] = suit
        registers.depth = depth + 1
        work.forced[depth + 1] = end
        work.next[depth + 1] = work.end[depth]
        work.end[depth + 1] = _NOT_LISTED


def new_work() -> DeepeningWork:
    """Small arrays; only the table grows."""
    depths, places = DEEPEST + 1, 1 << 15
    return DeepeningWork(
        registers=new_registers(DeepeningRegisters),
        table=np.zeros(places, np.uint64),
        costs=np.zeros(places, np.uint8),
        moves=np.zeros(depths * MOST_MOVES, np.int64),
        scores=np.zeros(depths * MOST_MOVES, np.float64),
        next=np.zeros(depths, np.int64),
        end=np.zeros(depths, np.int64),
        suit=np.zeros(depths, np.int64),
        forced=np.zeros(depths, np.int64),
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
