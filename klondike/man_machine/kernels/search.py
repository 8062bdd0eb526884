"""Iterated rollouts of Yan, Diaconis, Rusmevichientong and Van Roy (2005), ``man-machine``.

The rollout strategy h' of a strategy h tries each legal move and plays on by h. If some of these
games are won, it makes one of their first moves, chosen at random, else the move of h. The
rollout strategy of h' is h'', and so on: n *nestings* of the strategy of
``klondike.man_machine.kernels.strategy``.

Some consequences of that definition make n = 5 a matter of milliseconds.

- A game that h' wins in a simulation is won: it can be played out as it was simulated.
- If no simulation wins, h' moves as h does, and h'' as h'. So all of them follow the path of h
  until one departs from it and wins: n nestings win a game if at most n departures from h do.
  That is limited discrepancy search (Harvey and Ginsberg 1995).
- So the result of n nestings depends on the state and n alone, and a failure with n implies
  a failure with fewer. A state that was entered with n or more nestings need not be entered
  with n again. Either it was lost, or it is on the current path, and then any win from it
  will be found from there. A transposition table holds the states with their nestings.
- To choose at random among the moves that win, it suffices to try the moves in random order
  up to the first that wins.

A repeated state ends a simulation, as h would cycle for ever. In the game itself such states
are avoided: the best move to a state not yet passed is made, and the game ends if there is
none. The parameter ``avoid`` has two other readings. If simulations avoid states as well,
they depend on the game before them, and the third point is a shortcut that may miss a win.

There is no recursion: games being simulated lie on a stack, one for each number of nestings, and
the moves of the current path on a trail. ``advance`` can stop after any step and continue when
it is called again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from jit import kernel
from jit.kernels.transposition import find, rehash_values
from jit.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, SOLVED, enlarged
from klondike.cards import PILES
from klondike.kernels.cards import rank
from klondike.man_machine.kernels.block_game import (
    MOST_MOVES,
    SOURCE,
    TARGET,
    is_won,
    list_moves,
    load,
    make,
    top,
    unmake,
)
from klondike.man_machine.kernels.strategy import (
    EVERYWHERE,
    IN_THE_GAME,
    REPEATS,
    SEED,
    choose,
    number,
)
from klondike.moves import PILE_HOME

MOST_NESTINGS = 5
FIRST_TRAIL, FIRST_SLOTS = 1 << 10, 1 << 12
"""Moves, and states, that a search has room for at first."""
_MARGIN = 64
"""A step adds one move to the trail, and a win the remaining home moves."""

# Registers: states generated (entered), states expanded (whose moves were listed), length of the
# trail, games on the stack, entries of the transposition table, random numbers drawn, whether the
# search has begun.
GENERATED, EXPANDED, TRAIL, GAMES, ENTRIES, DRAWN, BEGUN, REGISTERS = range(8)
# A game on the stack: length of the trail where it starts; its next move to try and the one after
# the last, NEXT being -1 before they are listed.
START, NEXT, END, WIDTH = range(4)


class Work(NamedTuple):
    """The arrays of a search.

    Attributes:
        registers: int64[7], zero before the first slice.
        games: int64[(most nestings + 1) * 3], the stack: n nestings, then n - 1, and so on.
        moves: int64[(most nestings + 1) * 64], the moves listed for each of them.
        trail: int64, the moves that led to the current state.
        keys: uint64, the hash of the state before each of them.
        left, waste: uint64, the rest of the talon and the waste before each of them.
        table: uint64, the transposition table.
        table_nestings: int8, for each of its slots the most nestings its state was entered with.
    """

    registers: np.ndarray
    games: np.ndarray
    moves: np.ndarray
    trail: np.ndarray
    keys: np.ndarray
    left: np.ndarray
    waste: np.ndarray
    table: np.ndarray
    table_nestings: np.ndarray


@kernel
def _push(game, work, move):
    """Make a move and add it to the trail."""
    t = work.registers[TRAIL]
    work.trail[t] = move
    work.keys[t] = game.key[0]
    work.left[t] = game.left[0]
    work.waste[t] = game.left[1]
    work.registers[TRAIL] = t + 1
    make(game, move)


@kernel
def _pop(game, work, length):
    """Undo the moves of the trail beyond a length."""
    for t in range(work.registers[TRAIL] - 1, length - 1, -1):
        unmake(game, work.trail[t], work.left[t], work.waste[t], work.keys[t])
    work.registers[TRAIL] = length


@kernel
def _is_new(game, work, nestings):
    """Whether a state is to be played with so many nestings; if so, it is entered in the table."""
    key = game.key[0] | uint64(1)
    slot = find(work.table, key)
    if slot < 0:
        slot = -1 - slot
        work.table[slot] = key
        work.registers[ENTRIES] += 1
    elif work.table_nestings[slot] >= nestings:
        return False
    work.table_nestings[slot] = nestings
    return True


@kernel
def _has_passed(game, work):
    """Whether the current state is on its own path."""
    t = work.registers[TRAIL] - 1
    while t >= 0 and work.keys[t] != game.key[0]:
        t -= 1
    return t >= 0


@kernel
def _list_shuffled(game, work, readings, start):
    """List the legal moves in random order; returns the index after the last one."""
    moves = work.moves
    end = list_moves(game, moves, start)
    for i in range(end - 1, start, -1):
        work.registers[DRAWN] += 1
        chance = number(readings[SEED], work.registers[DRAWN])
        j = start + int64(chance % uint64(i - start + 1))
        moves[i], moves[j] = moves[j], moves[i]
    return end


@kernel
def _play(game, work, readings, depth):
    """Make the strategy's own move; returns whether there is one."""
    moves, start = work.moves, MOST_MOVES * depth
    avoids = readings[REPEATS] == EVERYWHERE or (readings[REPEATS] == IN_THE_GAME and depth == 0)
    end = list_moves(game, moves, start)
    while end > start:
        i = choose(game, readings, moves, start, end)
        _push(game, work, moves[i])
        if not (avoids and _has_passed(game, work)):
            return True
        _pop(game, work, work.registers[TRAIL] - 1)
        end -= 1
        for j in range(i, end):
            moves[j] = moves[j + 1]
    return False


@kernel
def _step(game, work, readings, nesting):
    """Advance the game on top of the stack by one move tried or made.

    Returns:
        ``SOLVED``, ``EXHAUSTED`` or ``RUNNING``.
    """
    registers, games = work.registers, work.games
    depth = registers[GAMES] - 1
    nestings, g, start = nesting - depth, WIDTH * depth, MOST_MOVES * depth
    if games[g + NEXT] < 0:
        registers[EXPANDED] += 1
        games[g + NEXT] = start
        # Without nestings there is nothing to try.
        games[g + END] = _list_shuffled(game, work, readings, start) if nestings > 0 else start
    if games[g + NEXT] < games[g + END]:
        _push(game, work, work.moves[games[g + NEXT]])
        games[g + NEXT] += 1
        registers[GENERATED] += 1
        if is_won(game):
            return SOLVED
        if _is_new(game, work, nestings - 1):
            games[g + WIDTH + START] = registers[TRAIL]
            games[g + WIDTH + NEXT] = -1
            registers[GAMES] += 1
        else:
            _pop(game, work, registers[TRAIL] - 1)
        return RUNNING
    if _play(game, work, readings, depth):
        registers[GENERATED] += 1
        if is_won(game):
            return SOLVED
        if _is_new(game, work, nestings):
            games[g + NEXT] = -1
            return RUNNING
    if depth == 0:
        return EXHAUSTED
    _pop(game, work, games[g + START] - 1)
    registers[GAMES] -= 1
    return RUNNING


@kernel
def _finish(game, work):
    """Add the remaining home moves of a won game to the trail."""
    again = True
    while again:
        again = False
        for p in range(PILES):
            i = top(game, p)
            if i >= 0 and game.home[i & 3] == rank(i) - 1:
                _push(game, work, PILE_HOME | (p << SOURCE) | ((i & 3) << TARGET))
                again = True


@kernel
def advance(game, work, readings, nesting, packed, node_limit, pause):
    """Play on until the game is won, nothing is left, or ``pause`` states were generated.

    Args:
        game: scratch ``Game``; its content belongs to the search.
        work: ``Work``, its registers zero before the first slice.
        readings: int64[8] (``klondike.man_machine.kernels.strategy``).
        nesting: nestings, 0 to ``MOST_NESTINGS``.
        packed: the position the game starts from (``klondike.packed``).
        node_limit: states that may be generated.
        pause: states at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the moves on the trail, ``EXHAUSTED``, ``NODE_LIMIT``, ``RUNNING``,
        or ``GROW`` if an array must be enlarged first.
    """
    registers = work.registers
    if registers[BEGUN] == 0:
        registers[BEGUN] = 1
        registers[GENERATED] = 1
        registers[GAMES] = 1
        work.games[START] = 0
        work.games[NEXT] = -1
        for i in range(work.table.size):
            work.table[i] = 0
        load(game, packed)
        if is_won(game):
            _finish(game, work)
            return SOLVED
        _is_new(game, work, nesting)
    while True:
        if registers[GENERATED] >= node_limit:
            return NODE_LIMIT
        if registers[TRAIL] + _MARGIN > work.trail.size:
            return GROW
        if 2 * (registers[ENTRIES] + 1) > work.table.size:
            return GROW
        if registers[GENERATED] >= pause:
            return RUNNING
        ended = _step(game, work, readings, nesting)
        if ended == SOLVED:
            _finish(game, work)
        if ended != RUNNING:
            return ended


def new_work() -> Work:
    """Small arrays, which grow as a search needs."""
    depth = MOST_NESTINGS + 1
    return Work(
        registers=np.zeros(REGISTERS, np.int64),
        games=np.zeros(depth * WIDTH, np.int64),
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
    if work.registers[TRAIL] + _MARGIN > work.trail.size:
        return enlarged(work, "trail", "keys", "left", "waste")
    table, nestings = (np.zeros(2 * a.size, a.dtype) for a in (work.table, work.table_nestings))
    rehash_values(work.table, work.table_nestings, table, nestings)
    return work._replace(table=table, table_nestings=nestings)
