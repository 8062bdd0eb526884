"""Standard notation: cascades ``1``-``9``, cells ``a``-``g``, ``h`` home, ``26v3`` for runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deals import FreeCellBoard
from hsd.kernels.board import HOME
from hsd.kernels.moves import count_moves

_CELLS = "abcdefg"
_PLACES = f"123456789{_CELLS}h"


def token(move: int) -> str:
    """A move of the engine in standard notation; the count is hexadecimal."""
    source, target, count = move & 31, (move >> 5) & 31, move >> 10
    run = f"v{count:x}" if count > 1 else ""
    return _PLACES[source] + _PLACES[target] + run


class _Tokens(dict[int, str]):
    """The tokens of moves met so far."""

    def __missing__(self, move: int) -> str:
        self[move] = written = token(move)
        return written


_TOKENS = _Tokens()


def tokens(moves: np.ndarray) -> tuple[str, ...]:
    """Moves of the engine in standard notation."""
    return tuple(map(_TOKENS.__getitem__, moves.tolist()))


def with_cells_of(board: FreeCellBoard, moves: Sequence[str]) -> tuple[str, ...]:
    """Moves from a board with its names of cells.

    Searches take the held cards to lie in the first cells. Cells are alike, so the moves are as
    good with other names.
    """
    row = board.cell_row
    order = [
        place
        for is_empty in (False, True)
        for place, card in enumerate(row)
        if (card is None) == is_empty
    ]
    names = str.maketrans(_CELLS[: len(order)], "".join(_CELLS[place] for place in order))
    # The count of a run can be a letter, too.
    return tuple(move[:2].translate(names) + move[2:] for move in moves)


def lengths(moves: np.ndarray) -> dict[str, int]:
    """A solution's lengths.

    ``single`` counts single-card moves, ``column`` the moves as printed, and ``manual`` the
    printed moves that are not home moves: those left to a player whose program makes the home
    moves.

    The engine moves a run of n cards only if n <= free cells + empty cascades other than the
    target + 1. Such a move takes 2n - 1 single-card moves.
    """
    # Without the JIT the kernel returns numpy integers, which JSON cannot write.
    not_home, cards = map(int, count_moves(moves))
    column = int(moves.size)
    return {"single": column - not_home + cards, "column": column, "manual": not_home}


def moves_not_home(moves: np.ndarray) -> int:
    """The number of single-card moves in a solution that are not home moves."""
    return int(count_moves(moves)[1])


assert len(_PLACES) == HOME + 1
