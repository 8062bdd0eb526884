"""Packed positions as the arrays that the complete search works on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from jit import kernel
from klondike.cards import STRIDE
from klondike.complete.kernels.playback import Layout
from klondike.complete.kernels.states import (
    HOME_SHIFT,
    PILE_SHIFT,
    TALON_SHIFT,
    WASTE_SHIFT,
    Deal,
    turned,
)
from klondike.kernels.cards import bit, rank
from klondike.packed import CARDS, DOWN, HOME, TALON, WASTE


class Unpacked(NamedTuple):
    """The arrays of a position: the facts for a search, and the cards as they lie on the table."""

    deal: Deal
    layout: Layout


def new_unpacked() -> Unpacked:
    """Arrays to unpack positions into."""
    deal = Deal(
        np.zeros(7 * 8, np.int64), np.zeros(7 * 8, np.uint64), np.zeros(24, np.int64),
        np.zeros(64, np.int64), np.zeros(64, np.uint64), np.zeros(64, np.int64),
    )  # fmt: skip
    return Unpacked(
        deal,
        Layout(
            np.zeros(7 * STRIDE, np.int64), np.zeros(7, np.int64), np.zeros(24, np.int64),
            np.zeros(3, np.int64),
        ),
    )  # fmt: skip


@kernel
def unpack(unpacked, packed):
    """Set the arrays to a packed position; returns its state, which is not settled."""
    deal, layout = unpacked.deal, unpacked.layout
    at = CARDS
    state = int64(0)
    for p in range(7):
        height = packed[p]
        layout.height[p] = height
        held = packed[DOWN + p] + 1 if height > 0 else int64(0)
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
        # A king at the bottom of its pile is as good as a loose one.
        if held == 1 and rank(packed[at]) == 13:
            held = int64(0)
        state |= held << PILE_SHIFT[p]
        at += height
    many, waste = packed[TALON], packed[WASTE]
    for k in range(many):
        deal.talon[k] = packed[at + k]
        deal.place[packed[at + k]] = k
        layout.talon[k] = packed[at + k]
    layout.size[0] = many
    layout.size[1] = waste
    layout.size[2] = packed[HOME]
    talon = (int64(1) << many) - 1
    state |= (packed[HOME] << HOME_SHIFT) | (talon << TALON_SHIFT)
    return uint64(state | (turned(talon, waste) << WASTE_SHIFT))
