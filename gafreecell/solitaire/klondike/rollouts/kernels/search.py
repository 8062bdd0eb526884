"""Multistage nested rollouts (Bjarnason, Tadepalli and Fern 2007, figure 9).

A *walk* has a heuristic and a level of nesting n. It evaluates each action of its state by a
walk of level n - 1 of the same heuristic from the next state, or for n = 0 by the value of
the next state itself. It makes the best action, the first among equals, and continues from there.
When the best value is no better than that of its current state, a walk of the next heuristic takes
over; the last heuristic continues until only losses are left.

The paper leaves some points open. We resolve them as follows.

- A state that the walk itself has passed counts as a loss, and so do dead ends.
- The value of a walk is the last heuristic's value of the state where it ends.
- A transposition table holds the states from which walks of a level above 0 started, 5,000
  for each heuristic. If a walk of at least the same level has started from a state before, the
  next heuristic takes over at once; a walk of the last heuristic has the state's value.
- A plateau is a local maximum, too. Line 11 says ``val < h0(s)``. But H1 does not see the
  talon, so its walks would cross plateaus until no action is left. With the printed sign,
  n0 = n1 = 1 wins 63 % of deals, with ``<=`` 74 %; table 2 has 74.94.
- The first win ends the search.

There is no recursion. Walks lie on a stack, and the actions on the current path on a trail.
``advance`` can stop after any step and continue when it is called again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell import jit
from gafreecell.jit import int64, kernel, new_registers, uint64
from gafreecell.jit.kernels.transposition import find
from gafreecell.jit.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, SOLVED, UNSOLVABLE, enlarged
from gafreecell.solitaire.klondike.cards import PILES
from gafreecell.solitaire.klondike.kernels.board import Board, is_won, load, make, unmake, wins
from gafreecell.solitaire.klondike.kernels.dead_ends import (
    find_twins,
    is_lost,
    relaxed_dead,
    twins_dead,
)
from gafreecell.solitaire.klondike.rollouts.kernels.actions import (
    MOST_ACTIONS,
    Lists,
    home_move,
    list_actions,
    new_lists,
)
from gafreecell.solitaire.klondike.rollouts.kernels.values import Values, delta, prepare, value

CACHED = 5_000
"""The most states of each heuristic in the transposition table."""
_SLOTS = 1 << 14
_SALT = uint64(0x9E3779B97F4A7C15)
FIRST_TRAIL = 1 << 12
"""The actions that a search has room for at first."""
_MARGIN = 64
"""A step adds one action to the trail, and a win at most 52 home moves."""

WIN, LOSS = 1 << 62, -(1 << 62)


class Registers(jit.Registers):
    """What the search keeps between slices, zero before the first.

    Attributes:
        generated: states entered.
        expanded: states whose actions were listed.
        trail: length of the trail.
        stack: how many walks are on the stack.
        begun: whether the search has begun.
    """

    generated: int
    expanded: int
    trail: int
    stack: int
    begun: int


class Walks(NamedTuple):
    """The stack of walks, int64 each.

    A walk of level n calls one of level n - 1 of its heuristic. A walk that ends gives its place to
    a walk of a later heuristic. So a heuristic has at most as many walks on the stack as its level,
    plus one.

    Attributes:
        heuristic, level: the walk's heuristic and level.
        called: length of the trail when the walk was called.
        start: length of the trail where the walk starts.
        first, next, end: indices in ``Work.actions`` of its first action, of the next one to try
            (-1 before the actions are listed), and after the last one.
        best, best_value: the best of the actions tried, and its value.
        here: the value of its current state.
    """

    heuristic: np.ndarray
    level: np.ndarray
    called: np.ndarray
    start: np.ndarray
    first: np.ndarray
    next: np.ndarray
    end: np.ndarray
    best: np.ndarray
    best_value: np.ndarray
    here: np.ndarray


class Work(NamedTuple):
    """The arrays of a search.

    Attributes:
        registers: named numbers.
        level: int64[h], the level of nesting of each heuristic.
        walks: the stack.
        actions: int64, the remaining actions of each walk on the stack, end to end.
        trail: int64, the actions that led to the current state, as ``unmake`` takes them.
        keys: uint64, the hash of the state before each of them.
        table: uint64, the transposition table of all heuristics.
        table_level: int8, for each of its slots the level of the walk.
        table_count: int64[h], how many states of each heuristic the table has.
        lists: scratch of ``list_actions``.
        at: int64[7], scratch.
        twins: uint64[56], the deal's sets; see ``find_twins``.
    """

    registers: Registers
    level: np.ndarray
    walks: Walks
    actions: np.ndarray
    trail: np.ndarray
    keys: np.ndarray
    table: np.ndarray
    table_level: np.ndarray
    table_count: np.ndarray
    lists: Lists
    at: np.ndarray
    twins: np.ndarray


@kernel
def is_dead(board: Board, work: Work) -> bool:
    """Whether one of the tests proves the position lost."""
    return twins_dead(board, work.twins) or relaxed_dead(board, work.at)


@kernel
def _has_passed(work: Work, w: int, end: int, key: int) -> bool:
    """Whether a walk has passed a state on its path before index ``end`` of the trail."""
    i = work.walks.start[w]
    while i < end and work.keys[i] != key:
        i += 1
    return i < end


@kernel
def _push(board: Board, work: Work, action: int) -> None:
    """Make an action and add it to the trail."""
    t = work.registers.trail
    work.keys[t] = board.key[0]
    work.trail[t] = make(board, action)
    work.registers.trail = t + 1


@kernel
def _pop(board: Board, work: Work, length: int) -> None:
    """Undo the actions of the trail beyond a length."""
    for t in range(work.registers.trail - 1, length - 1, -1):
        unmake(board, work.trail[t])
    work.registers.trail = length


@kernel
def _is_cached(work: Work, key: int, h: int, level: int) -> bool:
    """Whether the heuristic has started a walk of at least this level here; if not, caches it."""
    key = (key + uint64(h) * _SALT) | uint64(1)
    slot = find(work.table, key)
    if slot >= 0:
        if work.table_level[slot] >= level:
            return True
        work.table_level[slot] = level
    elif level > 0 and work.table_count[h] < CACHED:
        work.table_count[h] += 1
        work.table[-1 - slot] = key
        work.table_level[-1 - slot] = level
    return False


@kernel
def _call(board: Board, work: Work, values: Values, h: int, level: int, called: int) -> int:
    """Begin a walk here, or a walk of a later heuristic if this one is cached.

    Args:
        called: length of the trail to return to when the walk ends.

    Returns:
        ``WIN`` if a walk was put on the stack, else the state's value.
    """
    while _is_cached(work, board.key[0], h, level):
        if h == work.level.size - 1:
            return value(board, values, h)
        h += 1
        level = work.level[h]
    w = work.registers.stack
    work.registers.stack += 1
    walks = work.walks
    walks.heuristic[w] = h
    walks.level[w] = level
    walks.called[w] = called
    walks.start[w] = work.registers.trail
    walks.first[w] = walks.end[w - 1] if w > 0 else int64(0)
    walks.next[w] = -1
    return int64(WIN)


@kernel
def _return(board: Board, work: Work, result: int) -> None:
    """Give the walk on top of the stack the value of the action that it tried last."""
    w = work.registers.stack - 1
    walks = work.walks
    if result > walks.best_value[w]:
        walks.best_value[w] = result
        walks.best[w] = work.trail[work.registers.trail - 1] & (2**32 - 1)
    _pop(board, work, work.registers.trail - 1)


@kernel
def _look(board: Board, work: Work, values: Values, w: int) -> int:
    """At level 0, find the best action by the value of the next state.

    Returns:
        An action that wins, or 0.
    """
    walks, t = work.walks, work.registers.trail
    h = walks.heuristic[w]
    key = board.key[0]
    for i in range(walks.first[w], walks.end[w]):
        action = work.actions[i]
        work.registers.generated += 1
        if wins(board, action):
            return action
        result = walks.here[w] + delta(board, values, h, action)
        # Dead ends matter only among actions that would be the best.
        if result > walks.best_value[w]:
            made = make(board, action)
            lost = (
                board.key[0] == key or _has_passed(work, w, t, board.key[0]) or is_dead(board, work)
            )
            unmake(board, made)
            if not lost:
                walks.best_value[w] = result
                walks.best[w] = action
    walks.next[w] = walks.end[w]
    return int64(0)


@kernel
def _step(board: Board, work: Work, values: Values) -> int:
    """Try or make one action of the walk on top of the stack.

    Returns:
        ``SOLVED``, ``EXHAUSTED`` or ``RUNNING``.
    """
    registers, walks = work.registers, work.walks
    w = registers.stack - 1
    h, level = walks.heuristic[w], walks.level[w]
    if walks.next[w] < 0:
        registers.expanded += 1
        walks.end[w] = list_actions(board, work.lists, work.actions, walks.first[w])
        walks.next[w] = walks.first[w]
        walks.best_value[w] = LOSS
        walks.here[w] = value(board, values, h)
        if level == 0:
            winner = _look(board, work, values, w)
            if winner:
                _push(board, work, winner)
                return SOLVED
        return RUNNING
    if walks.next[w] < walks.end[w]:
        action = work.actions[walks.next[w]]
        walks.next[w] += 1
        registers.generated += 1
        _push(board, work, action)
        if is_won(board):
            return SOLVED
        t = registers.trail
        if _has_passed(work, w, t, board.key[0]) or is_dead(board, work):
            _pop(board, work, t - 1)
            return RUNNING
        result = _call(board, work, values, h, level - 1, t)
    else:
        last = h == work.level.size - 1
        best = walks.best_value[w]
        if best != LOSS and (last or best > walks.here[w]):
            _push(board, work, walks.best[w])
            walks.next[w] = -1
            return RUNNING
        called = walks.called[w]
        registers.stack -= 1
        if last:
            result = walks.here[w]
        else:
            result = _call(board, work, values, h + 1, work.level[h + 1], called)
        if result != WIN:
            _pop(board, work, called)
    if result != WIN:
        if registers.stack == 0:
            return EXHAUSTED
        _return(board, work, result)
    return RUNNING


@kernel
def _finish(board: Board, work: Work) -> None:
    """Add the remaining home moves of a won game to the trail."""
    again = True
    while again:
        again = False
        for p in range(PILES):
            move = home_move(board, p)
            if move:
                _push(board, work, move)
                again = True


@kernel
def restart(work: Work) -> None:
    """Begin a new search."""
    registers = work.registers
    registers.generated = 0
    registers.expanded = 0
    registers.trail = 0
    registers.stack = 0
    registers.begun = 0


@kernel
def advance(
    board: Board, work: Work, values: Values, packed: np.ndarray, node_limit: int, pause: int
) -> int:
    """Continue until the game is won, nothing is left to try, or ``pause`` states were generated.

    Args:
        board: scratch ``Board``; its content belongs to the search.
        work: ``Work``, its registers zero before the first slice.
        values: ``Values`` with weights for each heuristic.
        packed: the position the search starts from (``klondike.packed``).
        node_limit: states that may be generated.
        pause: states at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the actions on the trail, ``UNSOLVABLE`` if the first position is dead,
        ``EXHAUSTED``, ``NODE_LIMIT``, ``RUNNING``, or ``GROW`` if an array must be enlarged
        first.
    """
    registers = work.registers
    if registers.begun == 0:
        registers.begun = 1
        registers.generated = 1
        load(board, packed)
        find_twins(board, work.twins)
        prepare(board, values)
        for i in range(work.table.size):
            work.table[i] = 0
        for h in range(work.level.size):
            work.table_count[h] = 0
        if is_won(board):
            _finish(board, work)
            return SOLVED
        if is_lost(board, work.at, work.twins, False):
            return UNSOLVABLE
        _call(board, work, values, 0, work.level[0], 0)
    while True:
        if registers.generated >= node_limit:
            return NODE_LIMIT
        if registers.trail + _MARGIN > work.trail.size:
            return GROW
        if registers.generated >= pause:
            return RUNNING
        ended = _step(board, work, values)
        if ended == SOLVED:
            _finish(board, work)
        if ended != RUNNING:
            return ended


def new_work(levels: tuple[int, ...]) -> Work:
    """Arrays for walks of these levels of nesting."""
    heuristics = len(levels)
    walks = sum(levels) + heuristics
    slots = _SLOTS << (heuristics - 1).bit_length()
    return Work(
        registers=new_registers(Registers),
        level=np.array(levels, np.int64),
        walks=Walks(*(np.zeros(walks, np.int64) for _ in Walks._fields)),
        actions=np.zeros(walks * MOST_ACTIONS, np.int64),
        trail=np.zeros(FIRST_TRAIL, np.int64),
        keys=np.zeros(FIRST_TRAIL, np.uint64),
        table=np.zeros(slots, np.uint64),
        table_level=np.zeros(slots, np.int8),
        table_count=np.zeros(heuristics, np.int64),
        lists=new_lists(),
        at=np.zeros(PILES, np.int64),
        twins=np.zeros(8 * PILES, np.uint64),
    )


def enlarge(work: Work) -> Work:
    """The same search with a longer trail."""
    return enlarged(work, "trail", "keys")
