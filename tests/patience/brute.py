"""A slow complete search of any game."""

from __future__ import annotations

from collections.abc import Hashable

from gafreecell.solitaire.patience.moves import after, is_won, legal_moves
from gafreecell.solitaire.patience.position import Position
from gafreecell.solitaire.patience.rules import TO_PILES

SOLVED, UNSOLVABLE = "solved", "unsolvable"


def search(position: Position, most: int = 20_000) -> str | None:
    """Whether a game can be won: ``solved``, ``unsolvable``, or None if that was not found.

    Args:
        position: where the game stands.
        most: positions to meet, up to the order of places that are alike.
    """
    if is_won(position):
        return SOLVED
    met, left = {kind(position)}, [position]
    while left:
        here = left.pop()
        # Moves home come first in the list, so they are tried first from the stack.
        for move in reversed(legal_moves(here)):
            there = after(here, move)
            if is_won(there):
                return SOLVED
            if (name := kind(there)) not in met:
                if len(met) == most:
                    return None
                met.add(name)
                left.append(there)
    return UNSOLVABLE


def kind(position: Position) -> Hashable:
    """The same for positions that differ only in the order of piles, cells or reserve."""
    piles = [*zip(position.piles, position.down, strict=True)]
    if position.rules.stock.to != TO_PILES or not position.stock:
        piles.sort()
    reserve = position.reserve
    if not position.rules.reserve.stacked:
        reserve = tuple(sorted(reserve))
    return (
        tuple(piles),
        tuple(sorted(position.cells)),
        position.home,
        position.base,
        reserve,
        position.stock,
        position.waste,
        position.hole,
        position.redeals,
    )
