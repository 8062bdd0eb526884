"""Standard notation: cascades ``1``-``9``, cells ``a``-``g``, ``h`` home, ``26v3`` for runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deals import FreeCellBoard
from hsd.kernels.board import CELL, HOME
from hsd.kernels.moves import count_moves
from hsd.verifier import single_moves

UNITS = "single", "column", "manual"
"""The units in which solutions are counted."""
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


def lengths_of_runs(moves: np.ndarray, unit: str, cascades: int, cells: int) -> dict[str, int]:
    """``lengths`` of a solution whose runs moved at once, however long; ``unit`` comes first.

    Args:
        moves: int64, all moves of a solution.
        unit: one of ``UNITS``.
        cascades, cells: the game's size.
    """
    # From the goal backwards, only the heights of the cascades and the free cells matter.
    heights = [0] * cascades
    free = cells
    single = 0
    for move in reversed(moves.tolist()):
        source, target, count = move & 31, (move >> 5) & 31, move >> 10
        if CELL <= target < HOME:
            free += 1
        elif target < CELL:
            heights[target] -= count
        empty = heights.count(0)
        if source >= CELL:
            free -= 1
        else:
            emptied = heights[source] == 0
            heights[source] += count
            empty -= emptied
        if count > 1:
            alone = heights[target] == 0
            single += single_moves(count, free, empty - alone, alone, emptied)
        else:
            single += 1
    found = {**lengths(moves), "single": single}
    return {unit: found.pop(unit), **found}


def moves_not_home(moves: np.ndarray, runs: bool = False) -> int:
    """A solution's moves that are not home moves: single cards, or with ``runs`` as printed."""
    return int(count_moves(moves)[0 if runs else 1])


assert len(_PLACES) == HOME + 1
