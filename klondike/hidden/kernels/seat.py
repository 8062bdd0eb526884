"""What players of K+ share: a seat, determinizations, and the end of a game.

A *determinization* of a view is a position that the player cannot tell from the true one: the
unseen cards lie in a random order where they may lie. Actions are those of 2007
(``klondike.rollouts.kernels.actions``). An action that would bring back a state of the same game
or trajectory is not allowed (Bjarnason, Fern and Tadepalli 2009, "Planning in Klondike"). No state
can come back after a card was turned up or left the talon, so only later states are compared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64

from jit import kernel, large_kernel
from jit.kernels.draws import below, shuffle
from klondike.cards import PILES
from klondike.kernels.board import (
    ONE,
    PILE_HOME,
    SECOND,
    SOURCE,
    TALON_HOME,
    TALON_PILE,
    TARGET,
    TURNS,
    Board,
    empty_board,
    is_won,
    load,
    make,
    pack,
    top,
    unmake,
)
from klondike.kernels.cards import rank
from klondike.packed import PACKED
from klondike.rollouts.kernels.actions import list_actions, new_lists

# Registers: unseen cards; states on the path; the index there of the first that could come back;
# choices made; actions made in this turn.
UNSEEN_CARDS, PASSED, SINCE, CHOICES, MADE = range(5)
LONGEST = 4096
"""Room for the path of a game and a trajectory."""
MOST_STEPS = 1000
"""Actions after which a trajectory is given up; none has ever come near."""
MOST_ACTIONS = 1024


class Seat(NamedTuple):
    """The arrays of a player of K+.

    Attributes:
        registers: int64[5].
        draws: uint64[1], the player's random number generator (``jit.kernels.draws``).
        determinization: int64[71], a packed position that fits the view.
        places: int64[52], where the unseen cards lie in it.
        path: uint64[4096], the hashes of the states passed.
        made: int64[4096], the actions made, as ``unmake`` takes them.
        actions: int64[1024], those of the current state.
        lists: scratch of ``list_actions``.
        board: scratch.
    """

    registers: np.ndarray
    draws: np.ndarray
    determinization: np.ndarray
    places: np.ndarray
    path: np.ndarray
    made: np.ndarray
    actions: np.ndarray
    lists: np.ndarray
    board: Board


def new_seat() -> Seat:
    """A seat for one player; see ``sit`` for a new game and ``show`` for a new view."""
    return Seat(
        registers=np.zeros(5, np.int64),
        draws=np.zeros(1, np.uint64),
        determinization=np.zeros(PACKED, np.int64),
        places=np.zeros(52, np.int64),
        path=np.zeros(LONGEST, np.uint64),
        made=np.zeros(LONGEST, np.int64),
        actions=np.zeros(MOST_ACTIONS, np.int64),
        lists=new_lists(),
        board=empty_board(),
    )


@kernel
def determinize(seat):
    """Draw a determinization: shuffle the unseen cards, and set up the board."""
    shuffle(seat.determinization, seat.places, seat.registers[UNSEEN_CARDS], seat.draws)
    load(seat.board, seat.determinization)


@kernel
def determinize_after(seat, action, packed):
    """The position after an action in a random determinization."""
    determinize(seat)
    make(seat.board, action)
    pack(seat.board, packed)


@kernel
def _lasts(move):
    """Whether a move cannot be undone, because it turns a card up or takes one from the talon."""
    kind = move & 7
    return (move >> TURNS) & 1 == 1 or kind in (TALON_HOME, TALON_PILE)


@kernel
def lasts(action):
    """Whether the state before an action can never come back after it."""
    second = (action >> SECOND) & ONE
    return _lasts(action & ONE) or (second != 0 and _lasts(second))


@kernel
def turns_up(action):
    """Whether an action turns a card up."""
    return ((action >> TURNS) | (action >> (SECOND + TURNS))) & 1 == 1


@large_kernel
def list_allowed(seat, since, passed):
    """List the actions of the current state that bring back none of ``path[since:passed]``.

    The state itself must be the last on the path. Returns how many there are.
    """
    actions, board = seat.actions, seat.board
    many = list_actions(board, seat.lists, actions, 0)
    kept = 0
    for i in range(many):
        action = actions[i]
        back = False
        if not lasts(action):
            made = make(board, action)
            for k in range(since, passed):
                back = back or seat.path[k] == board.key[0]
            unmake(board, made)
        if not back:
            actions[kept] = action
            kept += 1
    return kept


@large_kernel
def finish(seat, since, passed):
    """The greedy search for the goal, for states without face-down cards.

    Args:
        since, passed: the range of states on the path that must not come back.

    Returns:
        The number of actions, written to ``made`` from index ``passed`` on, that bring all cards
        home; -1 if the search fails. The board is unchanged.
    """
    board = seat.board
    start = passed
    won = is_won(board)
    while not won and passed + 64 < seat.path.size:
        seat.path[passed] = board.key[0]
        if list_allowed(seat, since, passed + 1) == 0:
            break
        action = seat.actions[0]
        if lasts(action):
            since = passed + 1
        seat.made[passed] = make(board, action)
        passed += 1
        won = is_won(board)
    again = won
    while again:
        again = False
        for p in range(PILES):
            i = top(board, p)
            if i >= 0 and board.home[i & 3] == rank(i) - 1:
                move = PILE_HOME | (p << SOURCE) | ((i & 3) << TARGET)
                seat.made[passed] = make(board, move)
                passed += 1
                again = True
    for k in range(passed - 1, start - 1, -1):
        unmake(board, seat.made[k])
    return passed - start if won else int64(-1)


WON_END = -1
"""The result of ``open_turn`` if the greedy search brings all cards home."""


@kernel
def open_turn(seat):
    """Set up the current state.

    Returns:
        The number of actions allowed, listed in ``actions``; ``WON_END`` if nothing is face
        down and the greedy search wins, with ``registers[MADE]`` actions in ``made``.
    """
    registers = seat.registers
    since = registers[SINCE]
    passed = registers[PASSED] - since
    for k in range(passed):
        seat.path[k] = seat.path[since + k]
    registers[SINCE] = 0
    registers[PASSED] = passed
    load(seat.board, seat.determinization)
    registers[MADE] = 0
    if seat.board.hidden[0] == 0:
        found = finish(seat, int64(0), passed)
        if found >= 0:
            for k in range(found):
                seat.made[k] = seat.made[passed + k]
            registers[MADE] = found
            return int64(WON_END)
    seat.path[passed] = seat.board.key[0]
    return list_allowed(seat, int64(0), passed + 1)


@kernel
def close_turn(seat, action):
    """Leave the current state by an action."""
    registers = seat.registers
    registers[PASSED] += 1
    if lasts(action):
        registers[SINCE] = registers[PASSED]


@kernel
def play_turn(seat, at_random):
    """Play on until a card turns up or the game is over.

    Args:
        at_random: whether to draw each action at random; if not, play the first one.

    The actions are in ``made``, ``registers[MADE]`` of them.
    """
    registers, board = seat.registers, seat.board
    many = open_turn(seat)
    if many == WON_END:
        return
    passed, since, made = registers[PASSED], registers[SINCE], int64(0)
    while many > 0 and passed + 256 < seat.path.size:
        registers[CHOICES] += int64(many > 1)
        action = seat.actions[below(seat.draws, many) if at_random and many > 1 else int64(0)]
        seat.made[made] = make(board, action)
        made += 1
        passed += 1
        if lasts(action):
            since = passed
        if turns_up(action):
            break
        many = int64(0)
        if board.hidden[0] == 0:
            found = finish(seat, since, passed)
            if found >= 0:
                for k in range(found):
                    seat.made[made + k] = seat.made[passed + k]
                made += found
                break
        seat.path[passed] = board.key[0]
        many = list_allowed(seat, since, passed + 1)
    registers[MADE] = made
    registers[PASSED] = passed
    registers[SINCE] = since
