"""Standard notation: cascades ``1``-``9``, cells ``a``-``g``, ``h`` home, ``26v3`` for runs."""

from __future__ import annotations

import numpy as np

from hsd.kernels.board import CELL, HOME

_PLACES = "123456789abcdefgh"


def token(move: int) -> str:
    """A move of the engine in standard notation; the count is hexadecimal."""
    source, target, count = move & 31, (move >> 5) & 31, move >> 10
    run = f"v{count:x}" if count > 1 else ""
    return _PLACES[source] + _PLACES[target] + run


def lengths(moves: np.ndarray) -> dict[str, int]:
    """A solution's lengths.

    ``single`` counts cards moved, ``column`` the moves as printed, ``manual`` those of them that
    bring no card home: where a program plays the home moves, what is left to a person.

    The engine moves a run of n cards only where n <= free cells + empty
    cascades other than the target + 1, which costs 2n - 1 moves of single cards.
    """
    targets = (moves >> 5) & 31
    counts = np.where(((moves & 31) < CELL) & (targets < CELL), moves >> 10, 1)
    return {
        "single": int((2 * counts - 1).sum()),
        "column": int(moves.size),
        "manual": int((targets != HOME).sum()),
    }


def moves_not_home(moves: np.ndarray) -> int:
    """The number of single-card moves in a solution that are not home moves."""
    counted = lengths(moves)
    return counted["single"] - counted["column"] + counted["manual"]


assert len(_PLACES) == HOME + 1
