"""Moves on the table, draws and redeals included, as people make them."""

from __future__ import annotations

# A move: kind | from << 3 | to << 6 | count << 9; places are piles 0 to 6 or the suits of
# ``klondike.cards``.
DRAW, REDEAL, WASTE_DOWN, WASTE_HOME, PILE_HOME, PILE_PILE, HOME_DOWN = range(7)

_SUITS = "CSDH"


def token(move: int) -> str:
    """A move on the table in the notation of Klondike; the count is hexadecimal."""
    kind, source, target, count = move & 7, (move >> 3) & 7, (move >> 6) & 7, move >> 9
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
