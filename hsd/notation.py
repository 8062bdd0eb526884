"""Standard notation: cascades ``1``-``9``, cells ``a``-``g``, ``h`` home, ``26v3`` for runs."""

from __future__ import annotations

import numpy as np

from hsd.board import CELL, HOME, Board, load, play, play_safe_home
from jit import kernel

_PLACES = "123456789abcdefgh"


def token(move: int) -> str:
    """A move of the engine in standard notation; the count is hexadecimal."""
    source, target, count = move & 31, (move >> 5) & 31, move >> 10
    run = f"v{count:x}" if count > 1 else ""
    return _PLACES[source] + _PLACES[target] + run


@kernel
def write_out(board, packed, size, automatic, path, start, length, written):
    """Replay the moves that a search chose and write them with the forced home moves between them.

    Args:
        board: scratch ``Board``; left at the end of the path.
        packed: the position the path starts from.
        size: int64[2], cascades and cells.
        automatic: whether safe home moves are forced.
        path: the chosen moves, ``length`` of them from index ``start`` on.
        written: int64 array that receives all moves. It may be ``path`` itself if all of them
            fit before ``start``.

    Returns:
        The number of moves written.
    """
    load(board, packed, 0, size[0], size[1])
    at = 0
    for i in range(length + 1):
        if i > 0:
            move = path[start + i - 1]
            play(board, move)
            written[at] = move
            at += 1
        if automatic:
            end = play_safe_home(board, written, at)
            while at < end:
                written[at] = (written[at] & 1023) | (1 << 10)
                at += 1
    return at


def solution(
    board: Board, packed: np.ndarray, size: np.ndarray, automatic: bool, path: np.ndarray
) -> np.ndarray:
    """All moves of a solution, forced home moves included, as engine moves."""
    written = np.zeros(path.size + 64, np.int64)
    return written[: write_out(board, packed, size, automatic, path, 0, path.size, written)]


def lengths(moves: np.ndarray) -> dict[str, int]:
    """A solution's lengths: ``single`` counts cards moved, ``column`` the moves as printed.

    The engine moves a run of n cards only where n <= free cells + empty
    cascades other than the target + 1, which costs 2n - 1 moves of single cards.
    """
    between = ((moves & 31) < CELL) & (((moves >> 5) & 31) < CELL)
    counts = np.where(between, moves >> 10, 1)
    return {"single": int((2 * counts - 1).sum()), "column": int(moves.size)}


def moves_not_home(moves: np.ndarray) -> int:
    """The number of single-card moves in a solution that are not home moves."""
    return lengths(moves)["single"] - int((((moves >> 5) & 31) == HOME).sum())


assert len(_PLACES) == HOME + 1
