"""Sets of cards as words of 52 bits (``klondike.cards``).

The two cards of a rank and colour are a *pair*. A set of pairs uses the even bit of each.
"""

from __future__ import annotations

import numpy as np

from jit import int64, kernel, uint64

DECK = uint64((1 << 52) - 1)
PAIRS = uint64(0x5555555555555)
BLACK = uint64(0x1111111111111)
RED = uint64(0x4444444444444)
KINGS = uint64(0xF << 48)
ACES = uint64(0xF)


def _home_masks() -> np.ndarray:
    """For each suit and highest rank home the set of its cards that are home."""
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
    """The cards that are home; ``home`` has four bits for each suit, its highest rank home."""
    return (
        _HOME[home & 15]
        | _HOME[16 + ((home >> 4) & 15)]
        | _HOME[32 + ((home >> 8) & 15)]
        | _HOME[48 + ((home >> 12) & 15)]
    )


@kernel
def next_set(home: int) -> int:
    """The next card of each suit that is not complete."""
    cards = home_set(home)
    return ((cards << uint64(4)) | ACES) & ~cards & DECK


@kernel
def rank_home(home: int, suit: int) -> int:
    """The highest rank home of a suit, 0 to 13."""
    return (home >> (4 * suit)) & 15


@kernel
def bit(i: int) -> int:
    """The set of one card."""
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
    """The pairs with a card that can be freed of the card on it.

    Args:
        open_cards: the cards that lie face up in the piles.
        loose: those of them that lie on another face-up card, and kings at the bottom of
            their pile. Except for kings, each loose card lies on a card of the pair of the
            other colour one rank higher.

    Returns:
        The pairs with more cards than lie on them, and the pairs with fewer. In a possible
        position there are none of the latter.
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
    """The even bit of the pair that a card may lie on; past the deck for kings."""
    # Of a red card the black pair one rank higher, of a black one the red pair.
    return (i & ~3) + 4 + (0 if i & 2 else 2)


@kernel
def pair_of(i: int) -> int:
    """The even bit of a card's own pair."""
    return i & ~1


@kernel
def rank(i: int) -> int:
    """Rank of a card, 1 to 13."""
    return (int64(i) >> 2) + 1
