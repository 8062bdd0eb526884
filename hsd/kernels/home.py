"""Home moves: which are safe, how all safe ones are made, and the goal."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel
from hsd.kernels.board import CELL, HOME, Board, take, top, undo, unplay
from hsd.kernels.zobrist import NO_CARD


@kernel
def is_needed(rank: int, first: int, second: int, twin: int) -> bool:
    """Whether another card may still need the next card of a suit to lie on (dominance).

    No card does if both cards of the other colour one rank lower are home. Nor does one if both
    cards of the other colour two ranks lower are home, and so is the other card of the same colour
    three ranks lower: then whatever could lie on the card can go home instead.

    Args:
        rank: the card's rank.
        first, second: the highest ranks home of the other colour's suits.
        twin: the highest rank home of the other suit of its colour.
    """
    lower = min(first, second)
    return not (lower >= rank - 1 or (lower >= rank - 2 and twin >= rank - 3))


@kernel
def is_safe(board: Board, card: int) -> bool:
    """Whether a card can go home and no other card will ever need it."""
    rank = card >> 2
    suit = card & 3
    if board.home[suit] != rank - 1:
        return False
    # Clubs 0 and spades 3 are black, diamonds 1 and hearts 2 are red.
    black = suit == 0 or suit == 3
    first = board.home[1 if black else 0]
    second = board.home[2 if black else 3]
    return not is_needed(rank, first, second, board.home[3 - suit])


@kernel
def send_home(board: Board, source: int) -> int:
    """Move one card home; returns the move with the card's suit as its count, for ``unplay``."""
    card = take(board, source)
    board.home[card & 3] += 1
    return source | (HOME << 5) | ((card & 3) << 10)


@kernel
def play_safe_home(board: Board, trail: np.ndarray, at: int) -> int:
    """Send safe cards home until none is left.

    Args:
        trail: int64 array that receives the moves from index ``at`` on, as
            ``send_home`` returns them.

    Returns:
        The index after the last move written.
    """
    again = True
    while again:
        again = False
        for c in range(board.numbers.cascades):
            while board.height[c] > 0 and is_safe(board, top(board, c)):
                trail[at] = send_home(board, c)
                at += 1
                again = True
        for i in range(board.numbers.cells):
            if board.cell[i] != NO_CARD and is_safe(board, int64(board.cell[i])):
                trail[at] = send_home(board, CELL + i)
                at += 1
                again = True
    return at


@kernel
def unplay_home(board: Board, trail: np.ndarray, at: int, start: int) -> None:
    """Unmake the home moves of ``trail[start:at]``, last first."""
    while at > start:
        at -= 1
        unplay(board, trail[at] & 1023, trail[at] >> 10)


@kernel
def undo_home(board: Board, trail: np.ndarray, at: int) -> None:
    """Unmake the home moves of ``trail[:at]``, last first, without updating the hash."""
    while at > 0:
        at -= 1
        undo(board, (trail[at] & 1023) | (1 << 10), trail[at] >> 10)


@kernel
def is_home(board: Board) -> bool:
    """Whether all 52 cards are home: the goal."""
    return board.home[0] + board.home[1] + board.home[2] + board.home[3] == 52
