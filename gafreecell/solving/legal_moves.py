"""Lists of legal moves, for all games.

A game proposes every move that may be legal, and its verifier decides which are. So both follow
the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from gafreecell.solving.notations import IllegalMove


class Plays(Protocol):
    """A position on which moves are played."""

    def play(self, token: str, /) -> object:
        """Play a move; ``IllegalMove`` if the position does not allow it."""
        ...


def legal_among(tokens: Iterable[str], start: Callable[[], Plays]) -> list[str]:
    """The legal ones among the moves, in order.

    Args:
        tokens: moves to try.
        start: returns a new copy of the position. A refused move must leave it unchanged.
    """
    found = []
    position = start()
    for token in tokens:
        try:
            position.play(token)
        except IllegalMove:
            continue
        found.append(token)
        position = start()
    return found


def first_empty(piles: Sequence[Sequence[Any]]) -> str:
    """The number of the first empty pile, from 1; an empty string if there is none."""
    return next((str(number) for number, pile in enumerate(piles, start=1) if not pile), "")
