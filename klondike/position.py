"""Positions as numbers, and as the arrays that searches work on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from deals import DealError, KlondikeBoard
from deals.klondike import UNKNOWN
from klondike.cards import SUIT_PLACE, bit, bit_of, rank
from klondike.playback import STRIDE, Table
from klondike.states import HOME_SHIFT, PILE_SHIFT, TALON_SHIFT, WASTE_SHIFT, Deal, turned
from solving.runtime import kernel

# A packed position, int64[71]: the heights of the piles, how many of their cards lie face down,
# cards in the talon and in the waste, what is home (four bits a suit), then the bits of the cards,
# pile by pile, and of the talon, waste first.
_DOWN, _TALON, _WASTE, _HOME, _CARDS = 7, 14, 15, 16, 17
PACKED = _CARDS + 54


class Position(NamedTuple):
    """The arrays of a position: what a search knows of it, and as it lies on the table."""

    deal: Deal
    table: Table


def pack_board(board: KlondikeBoard) -> np.ndarray:
    """The packed numbers of a position.

    Raises:
        DealError: if a card is unknown.
    """
    cards = [card for pile in board.piles for card in pile] + [*board.waste, *board.stock]
    if UNKNOWN in cards:
        raise DealError("a card is unknown (??): this solver has to know all cards")
    home = sum(rank << (4 * SUIT_PLACE[suit]) for suit, rank in enumerate(board.foundations))
    waste = len(board.waste)
    sizes = [*map(len, board.piles), *board.face_down, waste + len(board.stock), waste, home]
    return _filled(sizes, cards)


def pack_deck(deck: tuple[int, ...]) -> np.ndarray:
    """The packed numbers of a deal: piles 1 to 7, each bottom to top, then the stock."""
    return _filled([*range(1, 8), *range(7), 24, 0, 0], deck)


def _filled(sizes: list[int], cards: list[int] | tuple[int, ...]) -> np.ndarray:
    packed = np.zeros(PACKED, np.int64)
    packed[:_CARDS] = sizes
    packed[_CARDS : _CARDS + len(cards)] = _BIT_OF[list(cards)]
    return packed


_BIT_OF = np.array([bit_of(max(card, 4)) for card in range(56)])


def new_position() -> Position:
    """Arrays to unpack positions into."""
    deal = Deal(
        np.zeros(7 * 8, np.int64), np.zeros(7 * 8, np.uint64), np.zeros(24, np.int64),
        np.zeros(64, np.int64), np.zeros(64, np.uint64), np.zeros(64, np.int64),
    )  # fmt: skip
    return Position(
        deal,
        Table(
            np.zeros(7 * STRIDE, np.int64), np.zeros(7, np.int64), np.zeros(24, np.int64),
            np.zeros(3, np.int64),
        ),
    )  # fmt: skip


@kernel
def unpack(position, packed):
    """Set the arrays to a packed position; returns its state, which is not settled."""
    deal, table = position.deal, position.table
    at = _CARDS
    state = int64(0)
    for p in range(7):
        height = packed[p]
        table.height[p] = height
        held = packed[_DOWN + p] + 1 if height > 0 else int64(0)
        beneath = uint64(0)
        for k in range(height):
            i = packed[at + k]
            table.pile[STRIDE * p + k] = i
            if k < held:
                deal.pile[i] = p
                deal.beneath[i] = bit(packed[at + k - 1]) if k > 0 else uint64(0)
                deal.base[8 * p + k + 1] = i
                deal.hidden[8 * p + k + 1] = beneath
                beneath |= bit(i)
        # A king at the bottom of its pile is as good as a loose one.
        if held == 1 and rank(packed[at]) == 13:
            held = int64(0)
        state |= held << PILE_SHIFT[p]
        at += height
    many, waste = packed[_TALON], packed[_WASTE]
    for k in range(many):
        deal.talon[k] = packed[at + k]
        deal.place[packed[at + k]] = k
        table.talon[k] = packed[at + k]
    table.size[0] = many
    table.size[1] = waste
    table.size[2] = packed[_HOME]
    talon = (int64(1) << many) - 1
    state |= (packed[_HOME] << HOME_SHIFT) | (talon << TALON_SHIFT)
    return uint64(state | (turned(talon, waste) << WASTE_SHIFT))
