"""Foundations as text, ``C-0 D-5 H-K S-A``, shared by the games."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deals.cards import RANKS, SEPARATORS, SUITS, DealError, suits_as_letters

Foundations = tuple[int, int, int, int]
"""The highest rank on the foundation of clubs, diamonds, hearts, spades; 0 for none."""

NOTHING = frozenset({"-", "--", "---", "\u2013", "\u2014"})
"""Words for a place without a card: hyphens, and the dashes that editors make of two of them."""

EMPTY = NOTHING | {"[]", "()", "empty", "(empty)", "[empty]"}
"""Words on the line of an empty pile or cascade, in small letters."""

_AROUND = re.compile(r"(?<!\s)\s*+([:=])\s*+")
_RANK_HOME = re.compile(r"([CDHS])[-:=]?(1[0-3]|[0-9ATJQK])|(10|[A2-9TJQK]|-)([CDHS])")


def foundations_text(home: Sequence[int], ace: str = "A") -> str:
    """Foundations as text: suit, hyphen and highest rank, in the order of suits."""
    ranks = "0" + ace + RANKS[1:]
    return " ".join(f"{suit}-{ranks[rank]}" for suit, rank in zip(SUITS, home, strict=True))


def read_foundations(text: str, line: int) -> Foundations:
    """The highest rank on each foundation; suits may come in any order, and some may be missing.

    A rank is written as on a card, or as its number: ``S-A`` is ``S-1``. Its suit comes before
    it, with a hyphen, a colon or nothing between, or after it, as on the top card: ``H-3``,
    ``H:3``, ``H3`` and ``3H`` are the same. ``-`` and ``-H`` are foundations without a card.

    Args:
        text: what follows ``Foundations:``.
        line: number of that line, for messages.

    Raises:
        DealError: if a word is not a foundation, or a suit comes twice.
    """
    home = [0, 0, 0, 0]
    named = set()
    for word in re.split(rf"[\s{SEPARATORS}]+", _AROUND.sub(r"\1", text.strip())):
        if not word or word in NOTHING:
            continue
        match = _RANK_HOME.fullmatch(suits_as_letters(word).upper())
        if not match:
            raise DealError(
                f"line {line}: {word!r} is not a foundation: write suit, hyphen and the "
                "highest rank home, as in C-0 D-5 H-K S-A"
            )
        suit, rank = match.group(1, 2) if match.group(1) else match.group(4, 3)
        if suit in named:
            raise DealError(f"line {line}: two foundations of suit {suit}")
        named.add(suit)
        if rank != "-":
            home[SUITS.index(suit)] = int(rank) if rank.isdecimal() else 1 + RANKS.index(rank)
    return (home[0], home[1], home[2], home[3])
