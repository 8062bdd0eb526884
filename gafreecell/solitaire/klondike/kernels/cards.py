"""Sets of cards as words of 52 bits (``klondike.cards``).

The two cards of the same rank and colour are a *pair*. A set of pairs has one bit for each pair,
the even one of its two.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel, uint64

DECK = uint64((1 << 52) - 1)
PAIRS = uint64(0x5555555555555)
BLACK = uint64(0x1111111111111)
RED = uint64(0x4444444444444)
KINGS = uint64(0xF << 48)
ACES = uint64(0xF)


def _home_masks() -> np.ndarray:
    """At 16 * suit + rank: the cards of a suit up to this rank."""
    masks = np.zeros(4 * 16, np.uint64)
    for suit in range(4):
        for rank in range(1, 14):
            masks[16 * suit + rank] = masks[16 * suit + rank - 1] | np.uint64(
                1 << (4 * (rank - 1) + suit)
            )
    return masks


_HOME = _home_masks()


@kernel
def home_set(home: int) -> int:
    """The set of cards home; ``home`` has four bits for each suit, its highest rank home."""
    return (
        _HOME[home & 15]
        | _HOME[16 + ((home >> 4) & 15)]
        | _HOME[32 + ((home >> 8) & 15)]
        | _HOME[48 + ((home >> 12) & 15)]
    )


@kernel
def next_set(home: int) -> int:
    """The next card to go home of each suit that is not complete."""
    cards = home_set(home)
    return ((cards << uint64(4)) | ACES) & ~cards & DECK


@kernel
def rank_home(home: int, suit: int) -> int:
    """The highest rank home of a suit, 0 to 13."""
    return (home >> (4 * suit)) & 15


@kernel
def bit(i: int) -> int:
    """The set of one card, from its bit number."""
    return uint64(1) << uint64(i)


@kernel
def whole(pairs: int) -> int:
    """Both cards of each pair."""
    return pairs | (pairs << uint64(1))


@kernel
def pairs_of(cards: int) -> int:
    """The pairs with at least one card in a set."""
    return (cards | (cards >> uint64(1))) & PAIRS


@kernel
def followers(pairs: int) -> int:
    """The cards that may lie on a card of these pairs."""
    return whole(((pairs & BLACK) >> uint64(2)) | ((pairs & RED) >> uint64(6))) & DECK


@kernel
def room(open_cards: int, loose: int) -> tuple[int, int]:
    """The pairs that have room for another card: they have more cards than lie on them.

    If only one of a pair's two cards is covered, the cards on it can move to the other one. So
    either of them can be uncovered.

    Args:
        open_cards: the cards that lie face up in the piles.
        loose: those of them that lie on another face-up card, and kings at the bottom of
            their pile. Each loose card but a king lies on a card of the pair that is one rank
            higher and of the other colour.

    Returns:
        The pairs with more open cards than loose cards on them, and the pairs with fewer. A
        possible position has none of the latter.
    """
    some = pairs_of(open_cards)
    both = open_cards & (open_cards >> uint64(1)) & PAIRS
    lying = pairs_of(loose)
    two = loose & (loose >> uint64(1)) & PAIRS
    lying = ((lying & RED) << uint64(2)) | ((lying & BLACK) << uint64(6))
    two = ((two & RED) << uint64(2)) | ((two & BLACK) << uint64(6))
    free = (some & ~lying) | (both & ~two)
    lacking = ((lying & ~some) | (two & ~both)) & DECK
    return free, lacking


@kernel
def takers_of(i: int) -> int:
    """The even bit number of the pair that a card may lie on; 52 or more for kings."""
    # A red card lies on the black pair one rank higher, a black card on the red one.
    return (i & ~3) + 4 + (0 if i & 2 else 2)


@kernel
def pair_of(i: int) -> int:
    """The even bit number of a card's own pair."""
    return i & ~1


@kernel
def rank(i: int) -> int:
    """Rank of a card, 1 to 13."""
    return (int64(i) >> 2) + 1
