"""A solution step by step: draws, and the moves that a search made by itself, included."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel
from gafreecell.solitaire.patience.kernels.moves import home_moves, settle
from gafreecell.solitaire.patience.kernels.state import (
    AT,
    DRAW,
    FROM_TALON,
    LEFT,
    TALON,
    TO_HOME,
    Code,
    State,
    can_go_home,
    card_of,
    in_reach,
    move_of,
    parts_of,
    play,
)

SOURCE, TARGET, PLACE, TO, NUMBER, CARD, SPACES = range(7)
"""The columns of a step. The card is the deepest of those that move, and the last are the piles
that are empty before, as bits."""
COLUMNS = 7


@kernel
def write_steps(code: Code, state: State, moves: np.ndarray, steps: np.ndarray) -> int:
    """Play the moves of a search and write them as steps, with what it did by itself.

    Args:
        state: the position before the first of them, not settled.
        moves: int64.
        steps: int64[many, columns], filled as far as there is room.

    Returns:
        The number of steps.
    """
    end = _settle(code, state, steps, int64(0))
    for i in range(moves.size):
        end = _make(code, state, steps, end, moves[i])
    while state.counts[LEFT] > 0:
        move = _move_home(code, state)
        if move < 0:
            break
        end = _make(code, state, steps, end, move)
    return end


@kernel
def _make(code: Code, state: State, steps: np.ndarray, end: int, move: int) -> int:
    """Make a move of a search, with the draws before it and what happens by itself after it."""
    source, _, place, _, _ = parts_of(move)
    if source == FROM_TALON:
        turned_over = in_reach(code, state, place)
        while state.counts[AT] != place or not turned_over:
            turned_over = turned_over or state.counts[AT] == state.counts[TALON]
            end = _play(code, state, steps, end, int64(DRAW))
    end = _play(code, state, steps, end, move)
    return _settle(code, state, steps, end)


@kernel
def _play(code: Code, state: State, steps: np.ndarray, end: int, move: int) -> int:
    """Write a move as a step and make it; returns the number of steps."""
    _write(steps, end, move, card_of(state, move))
    if end < steps.shape[0]:
        if move == DRAW:
            # Whether it turns the waste over.
            steps[end, TO] = state.counts[AT] == state.counts[TALON]
        for p in range(code.piles):
            steps[end, SPACES] |= int64(state.size[p] == 0) << p
    play(code, state, move)
    return end + 1


@kernel
def _settle(code: Code, state: State, steps: np.ndarray, end: int) -> int:
    """Settle a position, with the moves made by itself as steps; returns their number."""
    settle(code, state)
    for i in range(1, state.log[0] + 1):
        _write(steps, end, state.log[i], state.card[i])
        end += 1
    return end


@kernel
def _write(steps: np.ndarray, end: int, move: int, card: int) -> None:
    """Write a move and its card as a step."""
    if end < steps.shape[0]:
        source, target, place, to, number = parts_of(move)
        steps[end, SOURCE] = source
        steps[end, TARGET] = target
        steps[end, PLACE] = place
        steps[end, TO] = to
        steps[end, NUMBER] = number
        steps[end, CARD] = card
        steps[end, SPACES] = 0


@kernel
def _move_home(code: Code, state: State) -> int:
    """A move that brings a card home; -1 if there is none."""
    if home_moves(code, state, state.free) > 0:
        return state.free[0]
    for i in range(state.counts[TALON]):
        if can_go_home(code, state, int64(state.talon[i])):
            return move_of(FROM_TALON, TO_HOME, i + 1, 0, 1)
    return int64(-1)
