"""Ways in which people and programs write cards, and strategies that choose among them."""

from __future__ import annotations

from functools import cache
from random import Random

from hypothesis import strategies as st

from deals.cards import RANKS, SUITS

SYMBOLS = {
    "C": ("♣", "♧", "♣\ufe0f", "♣\ufe0e"),
    "D": ("♦", "♢", "♦\ufe0f"),
    "H": ("♥", "♡", "♥\ufe0f"),
    "S": ("♠", "♤", "♠\ufe0e"),
}


@cache
def spellings(card: int) -> list[str]:
    """Every way to write a card."""
    rank, suit = RANKS[(card >> 2) - 1], SUITS[card & 3]
    ranks = {rank, rank.lower(), rank.replace("T", "10")}
    suits = {suit, suit.lower(), *SYMBOLS[suit]}
    return sorted({word for r in ranks for s in suits for word in (r + s, s + r)})


def spelled(card: int) -> st.SearchStrategy[str]:
    """One of them."""
    return st.sampled_from(spellings(card))


@st.composite
def all_spelled(draw: st.DrawFn, cards: list[int]) -> list[str]:
    """Words for cards: each in its own way, or all in the same."""
    # One choice, not 52: hypothesis is slow at many.
    chooser = Random(draw(st.integers(0, 10_000)))
    if draw(st.booleans()):
        return [chooser.choice(spellings(card)) for card in cards]
    way = chooser.random()
    return [spellings(card)[int(way * len(spellings(card)))] for card in cards]
