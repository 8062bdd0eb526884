"""Klondike deals written as digits, the format of Klondike-Solver by ShootMe.

A card is three digits: its rank, 01 to 13, and its suit, 1 to 4 for clubs, diamonds, hearts,
spades. The cards come in the order in which they are dealt. First come the rows of the tableau,
from left to right: pile 1 to 7, then pile 2 to 7, and so on; the first card of a row is face up.
Then comes the stock, first turned first.
Source: README.txt, and ``ResetGame`` in Solitaire.cpp, of github.com/ShootMe/Klondike-Solver.
"""

from __future__ import annotations

import re

from deals.cards import DECK, DealError, card, card_name, deck_faults

WIDTH = 3
"""Digits per card."""
_PILES = 7
DIGITS = r"[0-9]{100,200}"
"""Pattern of a deck, with some cards too few or too many. Deal numbers are shorter."""


def is_deck(word: str) -> bool:
    """Whether a word looks like a deck in digits, right or wrong."""
    return re.fullmatch(DIGITS, word) is not None


def read_deck(word: str, line: int) -> tuple[int, ...]:
    """The cards in digits: piles 1 to 7, each bottom to top, then the stock.

    Args:
        word: a word for which ``is_deck`` holds.
        line: its number, for messages.

    Raises:
        DealError: naming the card that is wrong or missing.
    """
    if len(word) % WIDTH:
        raise DealError(
            f"line {line}: expected 156 digits, three for each of 52 cards, got {len(word)}"
        )
    dealt: list[int] = []
    for start in range(0, len(word), WIDTH):
        digits = word[start : start + WIDTH]
        rank, suit = int(digits[:2]), int(digits[2])
        where = f"line {line}, card {len(dealt) + 1}"
        if not (1 <= rank <= 13 and 1 <= suit <= 4):
            raise DealError(
                f"{where}: {digits!r} is not a card in digits: a card is two digits of rank, "
                "01 to 13, and one of suit, 1 to 4 for CDHS, as in 102"
            )
        one = card(rank, suit - 1)
        if one in dealt:
            raise DealError(
                f"{where}: {digits} ({card_name(one)}) appears twice, also card "
                f"{dealt.index(one) + 1}"
            )
        dealt.append(one)
    if len(dealt) != len(DECK):
        raise DealError(
            f"line {line}: expected 52 cards of three digits, got {len(dealt)}: "
            f"{deck_faults(dealt)}"
        )
    piles: list[list[int]] = [[] for _ in range(_PILES)]
    left = iter(dealt)
    for row in range(_PILES):
        for pile in piles[row:]:
            pile.append(next(left))
    return (*(one for pile in piles for one in pile), *left)
