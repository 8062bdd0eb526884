"""Where a search starts, and how the moves that it chose become a whole solution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel
from hsd.kernels.board import CELL, HOME, Board, play, top
from hsd.kernels.home import play_safe_home
from hsd.kernels.packed import load
from hsd.kernels.zobrist import NO_CARD


class Root(NamedTuple):
    """Where a search starts.

    Attributes:
        packed: uint64[16], the position (``hsd.kernels.packed``).
        cascades, cells: the game's size.
        automatic: whether safe home moves are forced.
    """

    packed: np.ndarray
    cascades: int
    cells: int
    automatic: bool


@kernel
def load_root(board: Board, root: Root) -> None:
    """Set the board to the position, without forced home moves."""
    load(board, root.packed, 0, root.cascades, root.cells)


@kernel
def write_safe_home(board: Board, written: np.ndarray, at: int) -> int:
    """Make the safe home moves and write them from ``written[at]`` on; returns the end."""
    end = play_safe_home(board, written, at)
    while at < end:
        written[at] = (written[at] & 1023) | (1 << 10)
        at += 1
    return at


@kernel
def write_out(
    board: Board, root: Root, path: np.ndarray, start: int, length: int, written: np.ndarray
) -> int:
    """Replay the moves that a search chose and write them with the forced home moves between them.

    Args:
        board: scratch; left at the end of the path.
        path: the chosen moves, ``length`` of them from index ``start`` on.
        written: int64 array that receives all moves. It may be ``path`` itself if all of them
            fit before ``start``.

    Returns:
        The number of moves written.
    """
    load_root(board, root)
    at = 0
    for i in range(length + 1):
        if i > 0:
            move = path[start + i - 1]
            play(board, move)
            written[at] = move
            at += 1
        if root.automatic:
            at = write_safe_home(board, written, at)
    return at


@kernel
def finish_home(board: Board, path: np.ndarray, at: int) -> int:
    """Make home moves until none is possible and write them to ``path``; returns the end."""
    again = True
    while again:
        again = False
        for place in range(CELL + board.numbers.cells):
            if place >= CELL:
                card = int64(board.cell[place - CELL])
            elif place < board.numbers.cascades:
                card = top(board, place)
            else:
                continue
            if card != NO_CARD and board.home[card & 3] == (card >> 2) - 1:
                path[at] = place | (HOME << 5) | (1 << 10)
                play(board, int64(path[at]))
                at += 1
                again = True
    return at


def solution(board: Board, root: Root, path: np.ndarray) -> np.ndarray:
    """All moves of a solution (int64): those chosen, those forced, and those that finish."""
    # Every card goes home once, so these are at most 52.
    written = np.zeros(path.size + 64, np.int64)
    end = write_out(board, root, path, 0, path.size, written)
    return written[: finish_home(board, written, end)]
