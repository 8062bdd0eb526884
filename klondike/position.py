"""Positions as the arrays of the search and of the table."""

from __future__ import annotations

import numpy as np

from deals import DealError, KlondikeBoard
from deals.klondike import UNKNOWN
from klondike.cards import SUIT_PLACE, bit_of
from klondike.playback import STRIDE, Table
from klondike.states import HOME_SHIFT, PILE_SHIFT, TALON_SHIFT, WASTE_SHIFT, Deal


def as_arrays(board: KlondikeBoard) -> tuple[Deal, np.uint64, Table]:
    """What the search knows of a position, its state, and the position as it lies on the table.

    The state is not settled: loose cards that can go home are where they are.

    Raises:
        DealError: if a card is unknown.
    """
    talon = [*board.waste, *board.stock]
    if UNKNOWN in talon or any(UNKNOWN in pile for pile in board.piles):
        raise DealError(
            "a card is unknown (??): with all cards known, or with a hidden-card policy"
        )
    base, hidden = np.zeros(7 * 8, np.int64), np.zeros(7 * 8, np.uint64)
    lying, height = np.zeros(7 * STRIDE, np.int64), np.zeros(7, np.int64)
    state = 0
    for p, (pile, down) in enumerate(zip(board.piles, board.face_down, strict=True)):
        bits = [bit_of(card) for card in pile]
        lying[STRIDE * p : STRIDE * p + len(bits)] = bits
        height[p] = len(bits)
        held = down + 1 if pile else 0
        for cards in range(1, held + 1):
            base[8 * p + cards] = bits[cards - 1]
            hidden[8 * p + cards] = sum(1 << i for i in bits[: cards - 1])
        # A king at the bottom of its pile is as good as a loose one.
        state |= (0 if held == 1 and pile[0] >> 2 == 13 else held) << int(PILE_SHIFT[p])
    home = sum(rank << (4 * SUIT_PLACE[suit]) for suit, rank in enumerate(board.foundations))
    waste, many = len(board.waste), len(talon)
    reached = 0 if waste % 3 == 0 or waste == many else waste
    state |= home << HOME_SHIFT | ((1 << many) - 1) << TALON_SHIFT | reached << WASTE_SHIFT
    cards = np.zeros(24, np.int64)
    cards[:many] = [bit_of(card) for card in talon]
    table = Table(lying, height, cards.copy(), np.array([many, waste, home]))
    return Deal(base, hidden, cards), np.uint64(state), table
