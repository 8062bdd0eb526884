"""Foundations packed into one word: the highest rank home of each suit, four bits a suit."""

from __future__ import annotations

from gafreecell.jit import kernel
from hsd.kernels.home import is_needed


@kernel
def wait_of(homes: int, card: int) -> int:
    """How many cards of a card's suit must go home before it."""
    return (card >> 2) - 1 - ((homes >> (4 * (card & 3))) & 15)


@kernel
def next_cards(homes: int) -> tuple[int, int]:
    """The sets of the next needed cards and of those after them."""
    following = 0
    after = 0
    for s in range(4):
        rank = (homes >> (4 * s)) & 15
        if rank < 13:
            following |= 1 << (4 * rank + 4 + s)
        if rank < 12:
            after |= 1 << (4 * rank + 8 + s)
    return following, after


@kernel
def no_card_needs(homes: int, card: int) -> bool:
    """Whether a card that can go home is safe (``hsd.kernels.home.is_safe``)."""
    suit = card & 3
    black = suit == 0 or suit == 3
    first = (homes >> (4 if black else 0)) & 15
    second = (homes >> (8 if black else 12)) & 15
    twin = (homes >> (4 * (3 - suit))) & 15
    return not is_needed(card >> 2, first, second, twin)


@kernel
def goes_home_safely(homes: int, card: int) -> bool:
    """Whether a card can go home and is safe there."""
    return wait_of(homes, card) == 0 and no_card_needs(homes, card)
