"""A solution step by step: draws, and the moves that a search made by itself, included."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel
from gafreecell.solitaire.patience.kernels.state import (
    AT,
    CELLS,
    DRAW,
    FROM_CELL,
    FROM_PILE,
    FROM_RESERVE,
    FROM_TALON,
    LEFT,
    RESERVE,
    TALON,
    TO_HOME,
    Code,
    State,
    can_go_home,
    card_of,
    in_reach,
    move_of,
    play,
    settle,
)

SOURCE, TARGET, PLACE, TO, NUMBER, CARD, SPACES = range(7)
"""The columns of a step. The card is the deepest of those that move, and the last are the piles
that are empty before, as bits."""
COLUMNS = 7
ROOM = 512
"""More steps than a move can have: draws, itself, and cards that go home."""


@kernel
def _write(steps: np.ndarray, end: int, move: int, card: int) -> int:
    """Write a move and its card as a step; returns the number of steps."""
    steps[end, SOURCE] = move & 7
    steps[end, TARGET] = (move >> 3) & 3
    steps[end, PLACE] = (move >> 5) & 127
    steps[end, TO] = (move >> 12) & 31
    steps[end, NUMBER] = move >> 17
    steps[end, CARD] = card
    steps[end, SPACES] = 0
    return end + 1


@kernel
def _play(code: Code, state: State, steps: np.ndarray, end: int, move: int) -> int:
    """Write a move as a step and make it; returns the number of steps."""
    end = _write(steps, end, move, card_of(state, move))
    if move & 7 == DRAW:
        # Whether it turns the waste over.
        steps[end - 1, TO] = state.counts[AT] == state.counts[TALON]
    for p in range(code.piles):
        steps[end - 1, SPACES] |= int64(state.size[p] == 0) << p
    play(code, state, move)
    return end


@kernel
def _make(code: Code, state: State, steps: np.ndarray, end: int, move: int) -> int:
    """Make a move of a search, with the draws before it and what happens by itself after it."""
    if move & 7 == FROM_TALON:
        place = (move >> 5) & 127
        draw = move_of(int64(DRAW), int64(0), int64(0), int64(0), int64(0))
        turned_over = in_reach(code, state, place)
        while state.counts[AT] != place or not turned_over:
            turned_over = turned_over or state.counts[AT] == state.counts[TALON]
            end = _play(code, state, steps, end, draw)
    end = _play(code, state, steps, end, move)
    return _made_by_itself(code, state, steps, end)


@kernel
def _made_by_itself(code: Code, state: State, steps: np.ndarray, end: int) -> int:
    """Settle a position, with the cards that went home as steps; returns their number."""
    settle(code, state)
    for i in range(1, state.log[0] + 1):
        end = _write(steps, end, state.log[i], state.card[i])
    return end


@kernel
def write_steps(
    code: Code, state: State, moves: np.ndarray, first: int, steps: np.ndarray
) -> tuple[int, int]:
    """Play moves and write them as steps, until all are played or there is no room for one more.

    Args:
        state: the position before the first of them, which is settled if it is the first of all.
        moves: int64, the moves of a search.
        first: the first to play; 0 settles the position, and their number brings home what is left.
        steps: int64[many, columns], filled.

    Returns:
        The number of steps, and the next move; one more than their number at the end.
    """
    end = int64(0)
    if first == 0:
        end = _made_by_itself(code, state, steps, end)
    while first < moves.size:
        if end + ROOM > steps.shape[0]:
            return end, first
        end = _make(code, state, steps, end, moves[first])
        first += 1
    while state.counts[LEFT] > 0:
        if end + ROOM > steps.shape[0]:
            return end, first
        move = _move_home(code, state)
        if move < 0:
            break
        end = _make(code, state, steps, end, move)
    return end, first + 1


@kernel
def _move_home(code: Code, state: State) -> int:
    """A move that brings a card home; -1 if there is none."""
    home, one, none = int64(TO_HOME), int64(1), int64(0)
    for p in range(code.piles):
        size = state.size[p]
        if size > 0 and can_go_home(code, state, int64(state.piles[p, size - 1])):
            return move_of(int64(FROM_PILE), home, p, none, one)
    for i in range(state.counts[CELLS]):
        if can_go_home(code, state, int64(state.cell[i])):
            return move_of(int64(FROM_CELL), home, i, none, one)
    for i in range(state.counts[RESERVE]):
        if can_go_home(code, state, int64(state.reserve[i])):
            return move_of(int64(FROM_RESERVE), home, i, none, one)
    for i in range(state.counts[TALON]):
        if can_go_home(code, state, int64(state.talon[i])):
            return move_of(int64(FROM_TALON), home, i + 1, none, one)
    return int64(-1)
