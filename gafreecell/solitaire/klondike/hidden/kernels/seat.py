"""What players of K+ share: a seat (their arrays), determinizations, and the end of a game.

A *determinization* of a view is a position that the player cannot tell from the true one: the
unseen cards lie in a random order in the hidden places. Actions are those of 2007
(``klondike.rollouts.kernels.actions``); from a stock that nobody has seen, draws are actions of
their own. An action that would bring back a state of the same game
or trajectory is not allowed (Bjarnason, Fern and Tadepalli 2009, "Planning in Klondike"). Once a
card turns up or leaves the talon, no earlier state can come back. So only later states are
compared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell import jit
from gafreecell.jit import int64, kernel, large_kernel, new_registers
from gafreecell.jit.kernels.draws import below, shuffle
from gafreecell.solitaire.klondike.cards import PILES
from gafreecell.solitaire.klondike.hidden.kernels.trees import LONGEST
from gafreecell.solitaire.klondike.kernels.board import (
    ONE,
    SECOND,
    TALON_TO_HOME,
    TALON_TO_PILE,
    TURNS,
    Board,
    empty_board,
    hide_stock,
    is_won,
    load,
    make,
    unmake,
)
from gafreecell.solitaire.klondike.packed import PACKED, UNSEEN_AT
from gafreecell.solitaire.klondike.rollouts.kernels.actions import (
    MOST_ACTIONS,
    Lists,
    home_move,
    list_actions,
    new_lists,
)

PATH = 4096
"""Room for the path of a game and a trajectory."""
_HOMEWARD = 52
"""The most home moves that a won game still takes."""


class Registers(jit.Registers):
    """The numbers that a player keeps from turn to turn, zero before a game.

    Attributes:
        unseen: how many cards are unseen.
        passed: how many states are on the path.
        since: the index on the path of the first state that could come back.
        made: how many actions win the game, if ``open_turn`` has found them.
    """

    unseen: int
    passed: int
    since: int
    made: int


class Seat(NamedTuple):
    """The arrays of a player of K+.

    Attributes:
        registers: named numbers.
        draws: uint64[1], the player's random number generator (``jit.kernels.draws``).
        determinization: int64[74], a packed position that fits the view.
        places: int64[52], where the unseen cards lie in it.
        path: uint64[4096], the hashes of the states passed.
        made: int64[4096], the actions made, as ``unmake`` takes them.
        actions: int64[``MOST_ACTIONS``], those of the current state.
        lists: scratch of ``list_actions``.
        board: scratch.
    """

    registers: Registers
    draws: np.ndarray
    determinization: np.ndarray
    places: np.ndarray
    path: np.ndarray
    made: np.ndarray
    actions: np.ndarray
    lists: Lists
    board: Board


def new_seat(path: int = PATH) -> Seat:
    """A seat for one player, with room for so many states on its path."""
    return Seat(
        registers=new_registers(Registers),
        draws=np.zeros(1, np.uint64),
        determinization=np.zeros(PACKED, np.int64),
        places=np.zeros(52, np.int64),
        path=np.zeros(path, np.uint64),
        made=np.zeros(path, np.int64),
        actions=np.zeros(MOST_ACTIONS, np.int64),
        lists=new_lists(),
        board=empty_board(),
    )


@kernel
def set_up(seat: Seat) -> None:
    """Set up the board, for one who sees what the player sees."""
    load(seat.board, seat.determinization)
    if seat.determinization[UNSEEN_AT] == 1:
        hide_stock(seat.board)


@kernel
def determinize(seat: Seat) -> None:
    """Draw a determinization: shuffle the unseen cards, and set up the board."""
    shuffle(seat.determinization, seat.places, seat.registers.unseen, seat.draws)
    set_up(seat)


@kernel
def all_seen(board: Board) -> bool:
    """Whether the player has seen all cards."""
    return board.hidden[0] == 0 and board.implied[0] > 0


@kernel
def _lasts(move: int) -> bool:
    """Whether a move cannot be undone, because it turns a card up or takes one from the talon."""
    kind = move & 7
    return (move >> TURNS) & 1 == 1 or kind in (TALON_TO_HOME, TALON_TO_PILE)


@kernel
def lasts(action: int) -> bool:
    """Whether the state before an action can never come back after it."""
    second = (action >> SECOND) & ONE
    return _lasts(action & ONE) or (second != 0 and _lasts(second))


@kernel
def turns_up(action: int) -> bool:
    """Whether an action turns a card up."""
    return ((action >> TURNS) | (action >> (SECOND + TURNS))) & 1 == 1


@large_kernel
def list_allowed(seat: Seat, since: int, passed: int) -> int:
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
def finish(seat: Seat, since: int, passed: int) -> int:
    """Search greedily for the goal, in a state without unseen cards.

    Args:
        since, passed: the range of states on the path that must not come back.

    Returns:
        The number of actions, written to ``made`` from index ``passed`` on, that bring all cards
        home; -1 if the search fails. The board is unchanged.
    """
    board = seat.board
    start = passed
    won = is_won(board)
    while not won and passed + _HOMEWARD < seat.path.size:
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
            move = home_move(board, p)
            if move:
                seat.made[passed] = make(board, move)
                passed += 1
                again = True
    for k in range(passed - 1, start - 1, -1):
        unmake(board, seat.made[k])
    return passed - start if won else int64(-1)


WON_END = -1
"""The result of ``open_turn`` if the greedy search brings all cards home."""


@kernel
def open_turn(seat: Seat) -> int:
    """Set up the current state.

    Returns:
        The number of actions allowed, listed in ``actions``. ``WON_END`` if nothing is unseen
        and the greedy search wins, by ``registers.made`` actions in ``made``. It is also 0 if the
        path has no room for a trajectory and the home moves of a won game; no game has come near
        that.
    """
    registers = seat.registers
    since = registers.since
    passed = registers.passed - since
    for k in range(passed):
        seat.path[k] = seat.path[since + k]
    registers.since = 0
    registers.passed = passed
    set_up(seat)
    registers.made = 0
    if passed + LONGEST + _HOMEWARD > seat.path.size:
        return int64(0)
    if all_seen(seat.board):
        found = finish(seat, int64(0), passed)
        if found >= 0:
            for k in range(found):
                seat.made[k] = seat.made[passed + k]
            registers.made = found
            return int64(WON_END)
    seat.path[passed] = seat.board.key[0]
    return list_allowed(seat, int64(0), passed + 1)


@kernel
def close_turn(seat: Seat, action: int) -> None:
    """Leave the current state by an action."""
    registers = seat.registers
    registers.passed += 1
    if lasts(action):
        registers.since = registers.passed


@kernel
def play_turn(seat: Seat, at_random: bool) -> tuple[int, int]:
    """Play on until a card turns up or the game is over.

    Args:
        at_random: whether to choose each action at random; if not, the first one is played.

    Returns:
        The number of actions, written to ``made``, and how often there were two or more.
    """
    registers, board = seat.registers, seat.board
    many = open_turn(seat)
    if many == WON_END:
        return registers.made, int64(0)
    passed, since, made, choices = registers.passed, registers.since, int64(0), int64(0)
    while many > 0 and passed + _HOMEWARD < seat.path.size:
        choices += int64(many > 1)
        action = seat.actions[below(seat.draws, many) if at_random and many > 1 else int64(0)]
        seat.made[made] = make(board, action)
        made += 1
        passed += 1
        if lasts(action):
            since = passed
        if turns_up(action):
            break
        many = int64(0)
        if all_seen(board):
            found = finish(seat, since, passed)
            if found >= 0:
                for k in range(found):
                    seat.made[made + k] = seat.made[passed + k]
                made += found
                break
        seat.path[passed] = board.key[0]
        many = list_allowed(seat, since, passed + 1)
    registers.passed = passed
    registers.since = since
    return made, choices
