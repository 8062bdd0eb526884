"""Iterated rollouts of Yan, Diaconis, Rusmevichientong and Van Roy (2005), ``man-machine``.

The rollout strategy h' of a strategy h tries each legal move and plays on by h. If it wins some of
these games, it makes the first move of one of them, chosen at random. Otherwise it makes the move
of h. The rollout strategy of h' is h'', and so on: n *nestings* of the strategy of
``klondike.man_machine.kernels.strategy``.

Four consequences of this definition make n = 5 a matter of milliseconds.

- A game that h' wins in a simulation is won: it can be played out as it was simulated.
- If no simulation wins, h' moves as h does, and h'' as h'. So all of them follow the path of h
  until one departs from it and wins. So n nestings win a game if it can be won by at most n
  departures from h. That is limited discrepancy search (Harvey and Ginsberg 1995).
- So the result of n nestings depends on the state and n alone, and a failure with n implies
  a failure with fewer. A state that was entered with n or more nestings need not be entered
  with n again. Either it was lost, or it is on the current path, and then any win from it
  will be found from there. A transposition table holds the states with their nestings.
- To choose at random among the moves that win, it suffices to try the moves in random order
  up to the first that wins.

A repeated state ends a simulation, as h would cycle for ever. The game itself avoids such states:
it makes the best move to a state not yet passed, and ends if there is none. The parameter
``avoid`` has two other readings. If simulations avoid states as well, they depend on the game
before them. Then the third point no longer holds, and the table may miss a win.

There is no recursion. The games being simulated lie on a stack, one for each number of nestings,
and the moves of the current path on a trail. ``advance`` can stop after any step and continue when
it is called again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell import jit
from gafreecell.jit import int64, kernel, new_registers, uint64
from gafreecell.jit.kernels.transposition import find, rehash_values
from gafreecell.jit.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, SOLVED, enlarged
from gafreecell.solitaire.klondike.cards import PILES
from gafreecell.solitaire.klondike.kernels.cards import rank
from gafreecell.solitaire.klondike.man_machine.kernels.block_game import (
    MOST_MOVES,
    BlockGame,
    is_won,
    list_moves,
    load,
    make,
    top,
    unmake,
)
from gafreecell.solitaire.klondike.man_machine.kernels.strategy import (
    EVERYWHERE,
    IN_THE_GAME,
    Readings,
    choose,
    number,
)
from gafreecell.solitaire.klondike.moves import FROM_SHIFT, PILE_HOME, TO_SHIFT

MOST_NESTINGS = 5
FIRST_TRAIL, FIRST_SLOTS = 1 << 10, 1 << 12
"""The moves, and the states, that a search has room for at first."""
_MARGIN = 64
"""A step adds one move to the trail, and a win at most 52 home moves."""


class Registers(jit.Registers):
    """What the search keeps between slices, zero before the first.

    Attributes:
        generated: states entered.
        expanded: states whose moves were listed.
        trail: length of the trail.
        games: how many games are on the stack.
        entries: states in the transposition table.
        drawn: random numbers drawn.
        begun: whether the search has begun.
    """

    generated: int
    expanded: int
    trail: int
    games: int
    entries: int
    drawn: int
    begun: int


class Work(NamedTuple):
    """The arrays of a search.

    Attributes:
        registers: named numbers.
        start: int64[most nestings + 1], for each game on the stack the length of the trail where it
            starts. The first game has n nestings, the next one n - 1 and so on.
        next, end: int64[most nestings + 1], for each game the index in ``moves`` of its next move
            to try (-1 before its moves are listed), and the index after its last move.
        moves: int64[(most nestings + 1) * 32], the moves listed for each of them.
        trail: int64, the moves that led to the current state.
        keys: uint64, the hash of the state before each of them.
        left, waste: uint64, the rest of the talon and the waste before each of them.
        table: uint64, the transposition table.
        table_nestings: int8, for each of its slots the most nestings its state was entered with.
    """

    registers: Registers
    start: np.ndarray
    next: np.ndarray
    end: np.ndarray
    moves: np.ndarray
    trail: np.ndarray
    keys: np.ndarray
    left: np.ndarray
    waste: np.ndarray
    table: np.ndarray
    table_nestings: np.ndarray


@kernel
def _push(game: BlockGame, work: Work, move: int) -> None:
    """Make a move and add it to the trail."""
    t = work.registers.trail
    work.trail[t] = move
    work.keys[t] = game.key[0]
    work.left[t] = game.left[0]
    work.waste[t] = game.waste[0]
    work.registers.trail = t + 1
    make(game, move)


@kernel
def _pop(game: BlockGame, work: Work, length: int) -> None:
    """Undo the moves of the trail beyond a length."""
    for t in range(work.registers.trail - 1, length - 1, -1):
        unmake(game, work.trail[t], work.left[t], work.waste[t], work.keys[t])
    work.registers.trail = length


@kernel
def _is_new(game: BlockGame, work: Work, nestings: int) -> bool:
    """Whether the state has not been entered with so many nestings; if so, enters it."""
    key = game.key[0] | uint64(1)
    slot = find(work.table, key)
    if slot < 0:
        slot = -1 - slot
        work.table[slot] = key
        work.registers.entries += 1
    elif work.table_nestings[slot] >= nestings:
        return False
    work.table_nestings[slot] = nestings
    return True


@kernel
def _has_passed(game: BlockGame, work: Work) -> bool:
    """Whether the current state occurs earlier on its path."""
    t = work.registers.trail - 1
    while t >= 0 and work.keys[t] != game.key[0]:
        t -= 1
    return t >= 0


@kernel
def _list_shuffled(game: BlockGame, work: Work, readings: Readings, start: int) -> int:
    """List the legal moves in random order; returns the index after the last one."""
    moves = work.moves
    end = list_moves(game, moves, start)
    for i in range(end - 1, start, -1):
        work.registers.drawn += 1
        chance = number(readings.seed, work.registers.drawn)
        j = start + int64(chance % uint64(i - start + 1))
        moves[i], moves[j] = moves[j], moves[i]
    return end


@kernel
def _play(game: BlockGame, work: Work, readings: Readings, depth: int) -> bool:
    """Make the strategy's own move; returns whether there is one."""
    moves, start = work.moves, MOST_MOVES * depth
    avoids = readings.avoid == EVERYWHERE or (readings.avoid == IN_THE_GAME and depth == 0)
    end = list_moves(game, moves, start)
    while end > start:
        i = choose(game, readings, moves, start, end)
        _push(game, work, moves[i])
        if not (avoids and _has_passed(game, work)):
            return True
        _pop(game, work, work.registers.trail - 1)
        end -= 1
        for j in range(i, end):
            moves[j] = moves[j + 1]
    return False


@kernel
def _step(game: BlockGame, work: Work, readings: Readings, nesting: int) -> int:
    """Try or make one move of the game on top of the stack.

    Returns:
        ``SOLVED``, ``EXHAUSTED`` or ``RUNNING``.
    """
    registers = work.registers
    depth = registers.games - 1
    nestings, start = nesting - depth, MOST_MOVES * depth
    if work.next[depth] < 0:
        registers.expanded += 1
        work.next[depth] = start
        # Without nestings there is nothing to try.
        work.end[depth] = _list_shuffled(game, work, readings, start) if nestings > 0 else start
    if work.next[depth] < work.end[depth]:
        _push(game, work, work.moves[work.next[depth]])
        work.next[depth] += 1
        registers.generated += 1
        if is_won(game):
            return SOLVED
        if _is_new(game, work, nestings - 1):
            work.start[depth + 1] = registers.trail
            work.next[depth + 1] = -1
            registers.games += 1
        else:
            _pop(game, work, registers.trail - 1)
        return RUNNING
    if _play(game, work, readings, depth):
        registers.generated += 1
        if is_won(game):
            return SOLVED
        if _is_new(game, work, nestings):
            work.next[depth] = -1
            return RUNNING
    if depth == 0:
        return EXHAUSTED
    _pop(game, work, work.start[depth] - 1)
    registers.games -= 1
    return RUNNING


@kernel
def _finish(game: BlockGame, work: Work) -> None:
    """Add the remaining home moves of a won game to the trail."""
    again = True
    while again:
        again = False
        for p in range(PILES):
            i = top(game, p)
            if i >= 0 and game.home[i & 3] == rank(i) - 1:
                _push(game, work, PILE_HOME | (p << FROM_SHIFT) | ((i & 3) << TO_SHIFT))
                again = True


@kernel
def advance(
    game: BlockGame,
    work: Work,
    readings: Readings,
    nesting: int,
    packed: np.ndarray,
    node_limit: int,
    pause: int,
) -> int:
    """Play on until the game is won, nothing is left to try, or ``pause`` states were generated.

    Args:
        game: scratch; its content belongs to the search.
        work: ``Work``, its registers zero before the first slice.
        readings: the strategy's readings.
        nesting: number of nestings, 0 to ``MOST_NESTINGS``.
        packed: the position the game starts from (``klondike.packed``).
        node_limit: states that may be generated.
        pause: states at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the moves on the trail, ``EXHAUSTED``, ``NODE_LIMIT``, ``RUNNING``,
        or ``GROW`` if an array must be enlarged first.
    """
    registers = work.registers
    if registers.begun == 0:
        registers.begun = 1
        registers.generated = 1
        registers.games = 1
        work.start[0] = 0
        work.next[0] = -1
        for i in range(work.table.size):
            work.table[i] = 0
        load(game, packed)
        if is_won(game):
            _finish(game, work)
            return SOLVED
        _is_new(game, work, nesting)
    while True:
        if registers.generated >= node_limit:
            return NODE_LIMIT
        if registers.trail + _MARGIN > work.trail.size:
            return GROW
        if 2 * (registers.entries + 1) > work.table.size:
            return GROW
        if registers.generated >= pause:
            return RUNNING
        ended = _step(game, work, readings, nesting)
        if ended == SOLVED:
            _finish(game, work)
        if ended != RUNNING:
            return ended


def new_work() -> Work:
    """Small arrays for a search, which grow as it needs."""
    depth = MOST_NESTINGS + 1
    return Work(
        registers=new_registers(Registers),
        start=np.zeros(depth, np.int64),
        next=np.zeros(depth, np.int64),
        end=np.zeros(depth, np.int64),
        moves=np.zeros(depth * MOST_MOVES, np.int64),
        trail=np.zeros(FIRST_TRAIL, np.int64),
        keys=np.zeros(FIRST_TRAIL, np.uint64),
        left=np.zeros(FIRST_TRAIL, np.uint64),
        waste=np.zeros(FIRST_TRAIL, np.uint64),
        table=np.zeros(FIRST_SLOTS, np.uint64),
        table_nestings=np.zeros(FIRST_SLOTS, np.int8),
    )


def enlarge(work: Work) -> Work:
    """The same search with a longer trail, or more room for states."""
    if work.registers.trail + _MARGIN > work.trail.size:
        return enlarged(work, "trail", "keys", "left", "waste")
    table, nestings = (np.zeros(2 * a.size, a.dtype) for a in (work.table, work.table_nestings))
    rehash_values(work.table, work.table_nestings, table, nestings)
    return work._replace(table=table, table_nestings=nestings)
