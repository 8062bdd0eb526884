"""FreeCell games of players who look a move or two ahead.

They use the engine's moves and make safe home moves, as most programs do. They never return to a
position that they have seen; if every move leads to one, they are stuck.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, large_kernel
from gafreecell.jit.kernels.draws import below
from hsd.kernels.board import CELL, HOME, STRIDE_BITS, Board, empty_board, play, unplay
from hsd.kernels.home import is_home, play_safe_home, unplay_home
from hsd.kernels.moves import ANY, MOST_MOVES, list_moves, moved_card
from hsd.kernels.packed import load
from hsd.kernels.sums import fits
from players.kernels.chance import noise

MOST_TURNS = 400
"""After so many turns a player gives up."""
STUCK = -1
_MOST_HOME = 64
_NEVER = -1e18
_WON = 1e6


class Taste(NamedTuple):
    """What a player likes in a position, in points.

    Attributes:
        home: for each card at home.
        cell: for each empty cell.
        last_cell: for having an empty cell at all.
        column: for each empty column.
        run: for each card on a card that it fits.
        next_buried, second_buried: against each card above the next card of a suit, or above the
            one after it.
        inversion: against each card above a lower one.
    """

    home: float
    cell: float
    last_cell: float
    column: float
    run: float
    next_buried: float = 0.0
    second_buried: float = 0.0
    inversion: float = 0.0


class Table(NamedTuple):
    """The arrays of a game.

    Attributes:
        board: the position.
        moves: int64, scratch for two lists of moves.
        trail: int64, scratch for home moves.
        seen: uint64, the hashes of the positions seen.
        written: int64, the moves of the game.
        marks: int64, where each turn's moves begin in ``written``.
    """

    board: Board
    moves: np.ndarray
    trail: np.ndarray
    seen: np.ndarray
    written: np.ndarray
    marks: np.ndarray


def new_table() -> Table:
    """A table; it can be used for one game after another."""
    return Table(
        board=empty_board(),
        moves=np.zeros(2 * MOST_MOVES, np.int64),
        trail=np.zeros(3 * _MOST_HOME, np.int64),
        seen=np.zeros(MOST_TURNS + 1, np.uint64),
        written=np.zeros(MOST_TURNS + 1 + _MOST_HOME, np.int64),
        marks=np.zeros(MOST_TURNS + 2, np.int64),
    )


@large_kernel
def liking(board: Board, taste: Taste) -> float:
    """How much a player likes a position."""
    if is_home(board):
        return _WON
    free = board.numbers.cells - board.numbers.used
    points = taste.cell * free + (taste.last_cell if free > 0 else 0.0)
    for suit in range(4):
        points += taste.home * board.home[suit]
        points -= taste.next_buried * _above(board, 4 * (board.home[suit] + 1) + suit)
        points -= taste.second_buried * _above(board, 4 * (board.home[suit] + 2) + suit)
    for c in range(board.numbers.cascades):
        if board.height[c] == 0:
            points += taste.column
            continue
        start = c << STRIDE_BITS
        least = int64(board.column[start]) >> 2
        for i in range(start + 1, start + board.height[c]):
            card = int64(board.column[i])
            if fits(card, int64(board.column[i - 1])):
                points += taste.run
            if (card >> 2) > least:
                points -= taste.inversion
            least = min(least, card >> 2)
    return points


@kernel
def _above(board: Board, card: int) -> int:
    """How many cards lie on a card; 0 if it is in a cell or does not exist."""
    at = board.where[card] if card < 56 else int64(-1)
    if at < 0:
        return 0
    return board.height[at >> STRIDE_BITS] - (at & 63) - 1


@kernel
def _try(board: Board, move: int, trail: np.ndarray, at: int) -> tuple[int, int]:
    """Make a move and the safe home moves after it; returns what ``_take_back`` needs."""
    suit = moved_card(board, move) & 3 if ((move >> 5) & 31) == HOME else int64(0)
    play(board, move)
    return play_safe_home(board, trail, at), suit


@kernel
def _take_back(board: Board, move: int, suit: int, trail: np.ndarray, end: int, at: int) -> None:
    """Take back a move and the home moves after it."""
    unplay_home(board, trail, end, at)
    unplay(board, move, suit)


@kernel
def _turn(table: Table, turn: int, at: int, move: int) -> int:
    """Make a turn's move, if any, and safe home moves; returns the number of moves so far."""
    board, written = table.board, table.written
    table.marks[turn] = at
    if move >= 0:
        play(board, move)
        written[at] = move
        at += 1
    end = play_safe_home(board, written, at)
    for i in range(at, end):
        written[i] = (written[i] & 1023) | (1 << 10)
    return end


@kernel
def _begin(table: Table, packed: np.ndarray) -> int:
    load(table.board, packed, 0, 8, 4)
    at = _turn(table, 0, 0, STUCK)
    table.seen[0] = table.board.key[0]
    return at


@kernel
def _has_seen(table: Table, positions: int) -> bool:
    i = positions - 1
    while i >= 0 and table.seen[i] != table.board.key[0]:
        i -= 1
    return i >= 0


@large_kernel
def play_by_eye(
    table: Table,
    packed: np.ndarray,
    taste: Taste,
    ahead: int,
    heat: float,
    second_thoughts: int,
    draws: np.ndarray,
) -> int:
    """Play a game, choosing moves by the positions they lead to; returns the number of moves.

    Args:
        table: its ``written`` gets the moves, including home moves.
        packed: the deal.
        taste: what the player likes.
        ahead: how many moves the player thinks ahead, 1 or 2.
        heat: the amount of randomness in its choices.
        second_thoughts: how often, when stuck, it takes back up to a dozen moves.
        draws: its random numbers.
    """
    board, moves, trail = table.board, table.moves, table.trail
    at = _begin(table, packed)
    turn = int64(0)
    positions = int64(1)
    while positions <= MOST_TURNS and not is_home(board):
        chosen, most = int64(STUCK), _NEVER
        end = list_moves(board, moves, 0, ANY)
        for i in range(end):
            sent, suit = _try(board, moves[i], trail, 0)
            if not _has_seen(table, positions):
                points = liking(board, taste)
                if ahead == 2:
                    points = max(points, _best_reply(table, taste, end, sent))
                points += heat * noise(draws)
                if points > most:
                    chosen, most = moves[i], points
            _take_back(board, moves[i], suit, trail, sent, 0)
        if chosen != STUCK:
            turn += 1
            at = _turn(table, turn, at, chosen)
            table.seen[positions] = board.key[0]
            positions += 1
        elif second_thoughts > 0 and turn > 0:
            second_thoughts -= 1
            turn = max(int64(0), turn - 1 - below(draws, 12))
            at = table.marks[turn + 1]
            load(board, packed, 0, 8, 4)
            for i in range(at):
                play(board, table.written[i])
        else:
            break
    return at


@large_kernel
def _best_reply(table: Table, taste: Taste, start: int, sent: int) -> float:
    """The points of the best position that one more move leads to."""
    board, moves, trail = table.board, table.moves, table.trail
    most = _NEVER
    for i in range(start, list_moves(board, moves, start, ANY)):
        end, suit = _try(board, moves[i], trail, sent)
        most = max(most, liking(board, taste))
        _take_back(board, moves[i], suit, trail, end, sent)
    return most


@large_kernel
def play_by_plan(
    table: Table, packed: np.ndarray, stubborn: float, heat: float, draws: np.ndarray
) -> int:
    """Play a game by rules of thumb; returns the number of moves.

    The player digs in one column at a time, the one in which the next card of some suit has the
    fewest cards above it. It ranks moves by what they do, not by the positions they lead to.

    Args:
        table, packed, draws: as for ``play_by_eye``.
        stubborn: the player only turns to another column if it has this many fewer cards to dig.
        heat: the amount of randomness in its choices.
    """
    board, moves, trail = table.board, table.moves, table.trail
    at = _begin(table, packed)
    turn = int64(0)
    digs = int64(-1)
    while turn < MOST_TURNS and not is_home(board):
        digs = _column_to_dig(board, digs, stubborn, heat, draws)
        chosen, most = int64(STUCK), _NEVER
        for i in range(list_moves(board, moves, 0, ANY)):
            points = _use(board, moves[i], digs) + heat * noise(draws)
            if points > most:
                sent, suit = _try(board, moves[i], trail, 0)
                if not _has_seen(table, turn + 1):
                    chosen, most = moves[i], points
                _take_back(board, moves[i], suit, trail, sent, 0)
        if chosen == STUCK:
            break
        turn += 1
        at = _turn(table, turn, at, chosen)
        table.seen[turn] = board.key[0]
    return at


@kernel
def _column_to_dig(board: Board, digs: int, stubborn: float, heat: float, draws: np.ndarray) -> int:
    """The column with the fewest cards above the next card of some suit; -1 if there is none."""
    found, least = int64(-1), -_NEVER
    for suit in range(4):
        card = 4 * (board.home[suit] + 1) + suit
        if card >= 56 or board.where[card] < 0:
            continue
        column = board.where[card] >> STRIDE_BITS
        depth = _above(board, card) + 0.5 * heat * noise(draws)
        if column == digs:
            depth -= stubborn
        if depth < least:
            found, least = column, depth
    return found


@kernel
def _use(board: Board, move: int, digs: int) -> float:
    """The worth of a move by rules of thumb, for a player who digs in a column."""
    source, target, count = move & 31, (move >> 5) & 31, move >> 10
    free = board.numbers.cells - board.numbers.used
    if target == HOME:
        return 9.0
    if target >= CELL:
        return 0.5 + (3.0 if source == digs else 0.0) - (1.0 if free == 1 else 0.0)
    if board.height[target] == 0:
        clears = source >= CELL and free == 0
        return 1.5 + (1.0 if source == digs else 0.0) + (1.0 if clears else 0.0)
    if source >= CELL:
        return 6.0
    points = 5.0
    lowest = (source << STRIDE_BITS) + board.height[source] - count
    if board.height[source] > count and fits(
        int64(board.column[lowest]), int64(board.column[lowest - 1])
    ):
        points = 0.5
    if source == digs:
        points += 2.0
    if target == digs:
        points -= 3.0
    return points
