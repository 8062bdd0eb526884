"""What the lists of legal moves of all games have in common.

A game proposes every move that may be legal; its verifier says which are, so that both follow
one set of rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from solving.solutions import IllegalMove


class Plays(Protocol):
    """A position that moves are played on."""

    def play(self, token: str, /) -> object:
        """Play a move; ``IllegalMove`` if the position does not allow it."""
        ...


def legal_among(tokens: Iterable[str], start: Callable[[], Plays]) -> list[str]:
    """Those of the moves that are legal, in their order.

    Args:
        tokens: moves to try.
        start: a new copy of the position. A move that is refused leaves it as it was.
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
    """The number of the first empty pile, from 1; empty if there is none."""
    return next((str(number) for number, pile in enumerate(piles, start=1) if not pile), "")
