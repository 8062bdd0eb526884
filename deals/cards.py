"""Playing cards as small integers.

A card is ``4 * rank + suit`` with rank 1 (ace) to 13 (king) and suit 0 to 3 in
the order clubs, diamonds, hearts, spades: 4 (AC) to 55 (KS). Zero is no card.
With this numbering rank and suit are a shift and a mask, and a suit is red if
its two bits differ.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from deals.checks import shown, text_of, whole
from deals.errors import BadInput

RANKS = "A23456789TJQK"
SUITS = "CDHS"
_SYMBOLS = ("♣♦♥♠", "♧♢♡♤")
# Invisible characters after a suit symbol that choose how it is drawn: as text or as an emoji.
_VARIATIONS = "\ufe0e\ufe0f"

RANK = "(?:10|[A2-9TJQK])"
"""Pattern of a rank. Ignore case when you match it; the same goes for suits and cards."""
SUIT_SYMBOL = f"(?:[{''.join(_SYMBOLS)}][{_VARIATIONS}]?)"
SUIT = f"(?:[CDHS]|{SUIT_SYMBOL})"
CARD = f"(?:{RANK}{SUIT}|{SUIT}{RANK})"
"""Pattern of a card. No text can be split into such cards in two ways."""

SEPARATORS = "|,;"
"""Characters that people write between cards, besides white space."""

_AS_LETTERS = str.maketrans(
    dict.fromkeys(_VARIATIONS) | {s: SUITS[i] for kind in _SYMBOLS for i, s in enumerate(kind)}
)

_NUMBERED = {"0": "T", "1": "A", "11": "J", "12": "Q", "13": "K"}
_BY_NUMBER = re.compile(r"([CDHS])(0|1[123]?)|(0|1[123]?)([CDHS])")

DECK: tuple[int, ...] = tuple(4 * rank + suit for rank in range(1, 14) for suit in range(4))


_KNOWN = {RANKS[one // 4 - 1] + SUITS[one % 4]: one for one in DECK}
_KNOWN |= {name.capitalize(): one for name, one in _KNOWN.items()}


class DealError(BadInput):
    """A deal, position or card that cannot be read; the message says where and why."""


def card(rank: int, suit: int) -> int:
    """The card of a rank (1 to 13) and a suit (0 to 3)."""
    if not (1 <= rank <= 13 and 0 <= suit <= 3):
        raise ValueError(f"rank must be 1 to 13 and suit 0 to 3, got {rank} and {suit}")
    return 4 * rank + suit


def rank_of(card: int) -> int:
    """Rank of a card, 1 (ace) to 13 (king)."""
    return card >> 2


def suit_of(card: int) -> int:
    """Suit of a card, 0 to 3 for clubs, diamonds, hearts, spades."""
    return card & 3


def is_red(card: int) -> bool:
    """Whether a card is a diamond or a heart."""
    return (card & 3) in (1, 2)


def fits(above: int, beneath: int) -> bool:
    """Whether a card may lie on another: one rank lower and of the other colour."""
    return rank_of(above) + 1 == rank_of(beneath) and is_red(above) != is_red(beneath)


def card_name(card: int) -> str:
    """Two characters, rank then suit: ``TD``, ``AS``.

    Raises:
        DealError: if it is not a card.
    """
    if whole(card) not in DECK:
        raise DealError(f"a card is a number from {DECK[0]} to {DECK[-1]}, got {shown(card)}")
    return RANKS[(card >> 2) - 1] + SUITS[card & 3]


def suits_as_letters(text: str) -> str:
    """The text with letters in place of suit symbols, filled or outlined."""
    return text.translate(_AS_LETTERS)


def parse_card(text: str) -> int:
    """The card written as rank and suit or as suit and rank: ``TD``, ``10d``, ``D10``, ``10♦``.

    Raises:
        DealError: if the text is not a card.
    """
    known = _KNOWN.get(text) if isinstance(text, str) else None
    if known is not None:
        return known
    text_of(text, "a card", DealError)
    word = suits_as_letters(text.strip()).upper().replace("10", "T", 1)
    if len(word) == 2:
        rank, suit = (word[0], word[1]) if word[0] in RANKS else (word[1], word[0])
        if rank in RANKS and suit in SUITS:
            return 4 * (RANKS.index(rank) + 1) + SUITS.index(suit)
    raise DealError(
        f"{shown(text)} is not a card: a card is a rank of {RANKS} and a suit of {SUITS}, as in TD"
        f"{_meant(word)}"
    )


def _meant(word: str) -> str:
    """The end of a message about a word that gives a rank by a number that cards do not have."""
    match = _BY_NUMBER.fullmatch(word)
    if match is None:
        return ""
    suit, rank = (match[1], match[2]) if match[1] else (match[4], match[3])
    return f" ({_NUMBERED[rank]}{suit}?)"


def is_card(text: str) -> bool:
    """Whether ``parse_card`` accepts the text."""
    try:
        parse_card(text)
    except DealError:
        return False
    return True


def deck_faults(cards: Iterable[int]) -> str:
    """Which cards are missing or doubled, in words; empty if the cards are one full deck."""
    count = Counter(cards)
    missing = [card_name(c) for c in DECK if count[c] == 0]
    doubled = [card_name(c) for c in DECK if count[c] > 1]
    parts = []
    if missing:
        parts.append("missing " + _some(missing))
    if doubled:
        parts.append("doubled " + _some(doubled))
    return "; ".join(parts)


def _some(names: list[str], most: int = 10) -> str:
    shown = " ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
