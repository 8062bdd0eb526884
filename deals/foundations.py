"""What lies on the foundations, as the boards of several games write it: ``C-0 D-5 H-K S-A``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from deals.cards import RANKS, SUITS, DealError

Foundations = tuple[int, int, int, int]
"""The highest rank home of clubs, diamonds, hearts, spades; 0 for none."""


def foundations_text(home: Sequence[int], ace: str = "A") -> str:
    """The highest ranks home, 0 to 13 in the order of suits, as suit, hyphen and rank."""
    ranks = "0" + ace + RANKS[1:]
    return " ".join(f"{suit}-{ranks[rank]}" for suit, rank in zip(SUITS, home, strict=True))


def read_foundations(words: Iterable[str], line: int) -> Foundations:
    """The highest ranks home; suits in any order, 0 for one that is not named.

    A rank is written as on a card, or as its number: ``S-A`` is ``S-1``.

    Args:
        words: what follows ``Foundations:``.
        line: number of that line, for messages.

    Raises:
        DealError: if a word is no foundation, or a suit comes twice.
    """
    home = [0, 0, 0, 0]
    named = set()
    for word in words:
        match = re.fullmatch(r"([CDHS])-?(1[0-3]|[0-9ATJQK])", word.upper())
        if not match:
            raise DealError(
                f"line {line}: {word!r} is not a foundation: write suit, hyphen and the "
                "highest rank home, as in C-0 D-5 H-K S-A"
            )
        if match.group(1) in named:
            raise DealError(f"line {line}: two foundations of suit {match.group(1)}")
        named.add(match.group(1))
        rank = match.group(2)
        home[SUITS.index(match.group(1))] = int(rank) if rank.isdecimal() else 1 + RANKS.index(rank)
    return (home[0], home[1], home[2], home[3])
