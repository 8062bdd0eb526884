"""Standard notation: cascades ``1``-``9``, cells ``a``-``g``, ``h`` home, ``26v3`` for runs."""

from __future__ import annotations

import numpy as np

from hsd.kernels.board import HOME
from hsd.kernels.moves import count_moves

_PLACES = "123456789abcdefgh"


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
