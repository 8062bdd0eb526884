"""Unpacks positions into the arrays that the complete search works on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, new_registers, uint64
from gafreecell.solitaire.klondike.cards import PILES, STRIDE
from gafreecell.solitaire.klondike.complete.kernels.playback import Layout, LayoutCounts
from gafreecell.solitaire.klondike.complete.kernels.states import (
    HOME_SHIFT,
    PILE_SHIFT,
    REDEALS_SHIFT,
    TALON_SHIFT,
    WASTE_SHIFT,
    Deal,
    Rules,
    turned,
)
from gafreecell.solitaire.klondike.kernels.cards import bit, rank
from gafreecell.solitaire.klondike.packed import (
    CARDS_AT,
    DOWNS_AT,
    DRAW_AT,
    HOME_AT,
    REDEALS_AT,
    TALON_AT,
    UNLIMITED,
    WASTE_AT,
)


class Unpacked(NamedTuple):
    """The arrays of a position: the facts for a search, and its cards as they lie on the table."""

    deal: Deal
    layout: Layout


def new_unpacked() -> Unpacked:
    """Arrays to unpack positions into."""
    words = [np.zeros(length, np.uint64) for length in (8 * PILES, 64)]
    lengths = 8 * PILES, 24, 64, 64, STRIDE * PILES, PILES, 24
    base, talon, pile, place, cards, height, rest = (np.zeros(n, np.int64) for n in lengths)
    rules = new_registers(Rules)
    deal = Deal(rules, base, words[0], talon, pile, words[1], place)
    return Unpacked(deal, Layout(cards, height, rest, new_registers(LayoutCounts)))


@kernel
def unpack(unpacked: Unpacked, packed: np.ndarray) -> int:
    """Unpack a position into the arrays; returns its state, not yet settled."""
    deal, layout = unpacked.deal, unpacked.layout
    at = CARDS_AT
    state = int64(0)
    for p in range(PILES):
        height = packed[p]
        layout.height[p] = height
        held = packed[DOWNS_AT + p] + 1 if height > 0 else int64(0)
        beneath = uint64(0)
        for k in range(height):
            i = packed[at + k]
            layout.pile[STRIDE * p + k] = i
            if k < held:
                deal.pile[i] = p
                deal.beneath[i] = bit(packed[at + k - 1]) if k > 0 else uint64(0)
                deal.base[8 * p + k + 1] = i
                deal.hidden[8 * p + k + 1] = beneath
                beneath |= bit(i)
        # A king at the bottom of its pile counts as loose.
        if held == 1 and rank(packed[at]) == 13:
            held = int64(0)
        state |= held << PILE_SHIFT[p]
        at += height
    many, waste = packed[TALON_AT], packed[WASTE_AT]
    for k in range(many):
        deal.talon[k] = packed[at + k]
        deal.place[packed[at + k]] = k
        layout.talon[k] = packed[at + k]
    layout.counts.talon = many
    layout.counts.waste = waste
    layout.counts.home = packed[HOME_AT]
    layout.counts.draw = packed[DRAW_AT]
    deal.rules.draw = packed[DRAW_AT]
    deal.rules.limited = int64(packed[REDEALS_AT] != UNLIMITED)
    talon = (int64(1) << many) - 1
    state |= (packed[HOME_AT] << HOME_SHIFT) | (talon << TALON_SHIFT)
    if deal.rules.limited:
        state |= packed[REDEALS_AT] << REDEALS_SHIFT
    return uint64(state | (turned(deal.rules, talon, waste) << WASTE_SHIFT))
