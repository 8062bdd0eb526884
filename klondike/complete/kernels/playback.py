"""From a path through equivalence classes to moves on the table, draw by draw."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64

from jit import kernel
from jit.kernels.bits import lowest_bit
from klondike.cards import STRIDE
from klondike.complete.kernels.states import (
    AFTER_SHIFT,
    BASE_DOWN,
    BASE_HOME,
    CARD_SHIFT,
    SWAP,
    TALON_DOWN,
    look,
)
from klondike.kernels.cards import (
    home_set,
    next_set,
    pair_of,
    rank,
    rank_home,
    room,
    takers_of,
    whole,
)
from klondike.moves import (
    DRAW,
    HOME_DOWN,
    PILE_HOME,
    PILE_PILE,
    REDEAL,
    WASTE_DOWN,
    WASTE_HOME,
)


class Layout(NamedTuple):
    """A position as it lies on the table.

    Attributes:
        pile: int64[7 * 32], the bits of the cards of pile p from ``32 * p`` up.
        height: int64[7], cards in each pile.
        talon: int64[24], the bits of the talon's cards, waste first, bottom to top.
        size: int64[3], cards in the talon, in the waste, and the cards home.
    """

    pile: np.ndarray
    height: np.ndarray
    talon: np.ndarray
    size: np.ndarray


@kernel
def _top(layout, p):
    """The exposed card of a pile, -1 if it is empty."""
    return layout.pile[STRIDE * p + layout.height[p] - 1] if layout.height[p] > 0 else int64(-1)


@kernel
def _pile_with(layout, pair):
    """A pile whose exposed card is one of a pair; an empty pile if a king needs one."""
    for p in range(7):
        i = _top(layout, p)
        if pair >= 52:
            if i < 0:
                return p
        elif i >= 0 and pair_of(i) == pair:
            return p
    return -1


@kernel
def _find(layout, i):
    """The place of a card: its pile and the number of cards beneath it."""
    for p in range(7):
        for k in range(layout.height[p]):
            if layout.pile[STRIDE * p + k] == i:
                return p, k
    return -1, 0


@kernel
def _shift(layout, p, start, target, written, at):
    """Move the cards of a pile from an index on to another pile."""
    count = layout.height[p] - start
    for k in range(count):
        layout.pile[STRIDE * target + layout.height[target] + k] = layout.pile[
            STRIDE * p + start + k
        ]
    layout.height[p] -= count
    layout.height[target] += count
    written[at] = PILE_PILE | (p << 3) | (target << 6) | (count << 9)
    return at + 1


@kernel
def _send_home(layout, i, written, at):
    """Send a card of a pile home, after moving the cards on it to the other card of its pair."""
    p, k = _find(layout, i)
    if k + 1 < layout.height[p]:
        at = _shift(layout, p, k + 1, _pile_with(layout, pair_of(i)), written, at)
    layout.height[p] -= 1
    layout.size[2] += 1 << (4 * (i & 3))
    written[at] = PILE_HOME | (p << 3)
    return at + 1


@kernel
def _turn_up(layout, j, written, at):
    """Draw until the j-th card of the talon lies on the waste."""
    many, waste = layout.size[0], layout.size[1]
    ahead = j + 1 - waste
    if ahead < 0 or (ahead % 3 != 0 and j + 1 != many):
        # Through the rest of the stock, then from its start.
        while waste < many:
            waste = min(waste + 3, many)
            written[at] = DRAW
            at += 1
        waste = 0
        written[at] = REDEAL
        at += 1
    while waste < j + 1:
        waste = min(waste + 3, many)
        written[at] = DRAW
        at += 1
    layout.size[1] = waste
    return at


@kernel
def _leave_talon(layout, j):
    """Remove the j-th card of the talon, which is the top of the waste."""
    layout.size[0] -= 1
    layout.size[1] -= 1
    for k in range(j, layout.size[0]):
        layout.talon[k] = layout.talon[k + 1]


@kernel
def _come_down(layout, after, written, at):
    """Bring cards back from their foundations until only those of ``after`` are home."""
    for i in range(51, -1, -1):
        suit = i & 3
        if rank_home(after, suit) < rank(i) <= rank_home(layout.size[2], suit):
            target = _pile_with(layout, takers_of(i))
            layout.pile[STRIDE * target + layout.height[target]] = i
            layout.height[target] += 1
            layout.size[2] -= 1 << (4 * suit)
            written[at] = HOME_DOWN | (suit << 3) | (target << 6)
            at += 1
    return at


@kernel
def settle_layout(deal, layout, state, written, at):
    """Send loose cards home in the same order as the search."""
    up, bases = look(deal, state)
    while True:
        open_cards = up & ~home_set(layout.size[2])
        loose = open_cards & ~bases
        free, _ = room(open_cards, loose)
        ready = next_set(layout.size[2]) & loose & whole(free)
        if ready == 0:
            return at
        at = _send_home(layout, lowest_bit(ready), written, at)


@kernel
def make_move(deal, layout, move, written, at):
    """Make a move between states on the table; returns the end."""
    kind = move & 7
    i = (move >> CARD_SHIFT) & 63
    at = _come_down(layout, (move >> AFTER_SHIFT) & 0xFFFF, written, at)
    if kind in (BASE_HOME, SWAP):
        return _send_home(layout, i, written, at)
    if kind == BASE_DOWN:
        p, k = _find(layout, i)
        return _shift(layout, p, k, _pile_with(layout, takers_of(i)), written, at)
    j = int64(0)
    while layout.talon[j] != i:
        j += 1
    at = _turn_up(layout, j, written, at)
    _leave_talon(layout, j)
    if kind == TALON_DOWN:
        target = _pile_with(layout, takers_of(i))
        layout.pile[STRIDE * target + layout.height[target]] = i
        layout.height[target] += 1
        written[at] = WASTE_DOWN | (target << 6)
    else:
        layout.size[2] += 1 << (4 * (i & 3))
        written[at] = WASTE_HOME
    return at + 1


@kernel
def play_back(deal, layout, state, made, depth, written):
    """Write the moves on the table that follow a path through states.

    Args:
        deal: as of the search.
        layout: the position before the first state was settled; left at the end.
        state, made: the states on the path, and the move made in each but the last.
        depth: index of the last state.
        written: int64, receives the moves.

    Returns:
        The number of moves written.
    """
    at = settle_layout(deal, layout, state[0], written, int64(0))
    for d in range(depth):
        at = make_move(deal, layout, made[d], written, at)
        at = settle_layout(deal, layout, state[d + 1], written, at)
    return _finish(layout, written, at)


@kernel
def _finish(layout, written, at):
    """Send all cards home, if none is face down and the talon is empty."""
    again = True
    while again:
        again = False
        for p in range(7):
            i = _top(layout, p)
            while i >= 0 and rank_home(layout.size[2], i & 3) == rank(i) - 1:
                at = _send_home(layout, i, written, at)
                again = True
                i = _top(layout, p)
    return at
