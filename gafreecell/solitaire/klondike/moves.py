"""Moves as people make them on the table, including draws and redeals."""

from __future__ import annotations

from functools import cache

import numpy as np

# A move: kind | source << 3 | target << 6 | count << 9. Source and target are piles 0 to 6 or
# suits as in ``klondike.cards``.
FROM_SHIFT, TO_SHIFT, COUNT_SHIFT = 3, 6, 9
DRAW, REDEAL, WASTE_DOWN, WASTE_HOME, PILE_HOME, PILE_PILE, HOME_DOWN = range(7)

_SUITS = "CSDH"


def token(move: int) -> str:
    """A move on the table in Klondike notation; the count is hexadecimal."""
    kind, count = move & 7, move >> COUNT_SHIFT
    source, target = (move >> FROM_SHIFT) & 7, (move >> TO_SHIFT) & 7
    if kind == DRAW:
        return "draw"
    if kind == REDEAL:
        return "redeal"
    if kind == WASTE_HOME:
        return "wh"
    if kind == WASTE_DOWN:
        return f"w{target + 1}"
    if kind == PILE_HOME:
        return f"{source + 1}h"
    if kind == HOME_DOWN:
        return f"{_SUITS[source]}{target + 1}"
    return f"{source + 1}{target + 1}" + (f"v{count:x}" if count > 1 else "")


def tokens(moves: np.ndarray) -> tuple[str, ...]:
    """Moves on the table (int64) in Klondike notation."""
    return tuple(_tokens()[moves].tolist())


@cache
def _tokens() -> np.ndarray:
    """All tokens, indexed by move: a look-up is twenty times as fast as ``token``."""
    every = np.empty(1 << (COUNT_SHIFT + 4), object)
    for move in range(every.size):
        kind, suit = move & 7, (move >> FROM_SHIFT) & 7
        counts = kind == PILE_PILE or move >> COUNT_SHIFT == 0
        if counts and kind <= HOME_DOWN and (kind != HOME_DOWN or suit < len(_SUITS)):
            every[move] = token(move)
    return every
