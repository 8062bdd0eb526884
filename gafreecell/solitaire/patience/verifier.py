"""Replays solutions of any game in plain Python, sharing nothing with the solver."""

from __future__ import annotations

from collections.abc import Iterable

from deals.cards import DealError
from deals.checks import expected, words
from gafreecell.solitaire.patience.moves import NOTATION, after, is_won
from gafreecell.solitaire.patience.position import Position
from gafreecell.solving.notations import IllegalMove


def verify(position: Position, tokens: Iterable[str]) -> str:
    """What is wrong with moves; empty if they win the game.

    Args:
        position: where the game stands.
        tokens: moves, as ``patience.moves`` writes them.

    Raises:
        DealError: if ``position`` is none, or ``tokens`` is not a list of words that are moves.
    """
    expected(position, Position, "a board is a Position of patience", DealError)
    played = 0
    for token in NOTATION.tokens(words(tokens, "moves", DealError), DealError):
        try:
            position = after(position, token)
        except IllegalMove as fault:
            return f"move {played + 1} {token!r}: {fault}"
        played += 1
    if is_won(position):
        return ""
    cards = position.rules.cards
    home = cards - len(position.unplayed)
    where = "in the hole" if position.hole else "home"
    return f"after move {played}: expected {cards} cards {where}, got {home}"
