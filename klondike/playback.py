"""From a path through equivalence classes to moves on the table, draw by draw."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64

from jit import kernel
from jit.kernels.bits import lowest_bit
from klondike.cards import home_set, next_set, pair_of, rank, rank_home, room, takers_of, whole
from klondike.moves import (
    DRAW,
    HOME_DOWN,
    PILE_HOME,
    PILE_PILE,
    REDEAL,
    WASTE_DOWN,
    WASTE_HOME,
)
from klondike.states import (
    AFTER_SHIFT,
    BASE_DOWN,
    BASE_HOME,
    CARD_SHIFT,
    SWAP,
    TALON_DOWN,
    look,
)

STRIDE = 20


class Table(NamedTuple):
    """A position as it lies on the table.

    Attributes:
        pile: int64[7 * 20], the bits of the cards of pile p from ``20 * p`` up.
        height: int64[7], cards in each pile.
        talon: int64[24], the bits of the talon's cards, waste first, bottom to top.
        size: int64[3], cards in the talon, in the waste, and the cards home.
    """

    pile: np.ndarray
    height: np.ndarray
    talon: np.ndarray
    size: np.ndarray


@kernel
def _top(table, p):
    """The exposed card of a pile, -1 if it is empty."""
    return table.pile[STRIDE * p + table.height[p] - 1] if table.height[p] > 0 else int64(-1)


@kernel
def _pile_with(table, pair):
    """A pile whose exposed card is one of a pair; an empty pile if a king needs one."""
    for p in range(7):
        i = _top(table, p)
        if pair >= 52:
            if i < 0:
                return p
        elif i >= 0 and pair_of(i) == pair:
            return p
    return -1


@kernel
def _find(table, i):
    """The place of a card: its pile and the number of cards beneath it."""
    for p in range(7):
        for k in range(table.height[p]):
            if table.pile[STRIDE * p + k] == i:
                return p, k
    return -1, 0


@kernel
def _shift(table, p, start, target, written, at):
    """Move the cards of a pile from an index on to another pile."""
    count = table.height[p] - start
    for k in range(count):
        table.pile[STRIDE * target + table.height[target] + k] = table.pile[STRIDE * p + start + k]
    table.height[p] -= count
    table.height[target] += count
    written[at] = PILE_PILE | (p << 3) | (target << 6) | (count << 9)
    return at + 1


@kernel
def _send_home(table, i, written, at):
    """Send a card of a pile home, after moving the cards on it to the other card of its pair."""
    p, k = _find(table, i)
    if k + 1 < table.height[p]:
        at = _shift(table, p, k + 1, _pile_with(table, pair_of(i)), written, at)
    table.height[p] -= 1
    table.size[2] += 1 << (4 * (i & 3))
    written[at] = PILE_HOME | (p << 3)
    return at + 1


@kernel
def _turn_up(table, j, written, at):
    """Draw until the j-th card of the talon lies on the waste."""
    many, waste = table.size[0], table.size[1]
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
    table.size[1] = waste
    return at


@kernel
def _leave_talon(table, j):
    """Remove the j-th card of the talon, which is the top of the waste."""
    table.size[0] -= 1
    table.size[1] -= 1
    for k in range(j, table.size[0]):
        table.talon[k] = table.talon[k + 1]


@kernel
def _come_down(table, after, written, at):
    """Bring cards back from their foundations until only those of ``after`` are home."""
    for i in range(51, -1, -1):
        suit = i & 3
        if rank_home(after, suit) < rank(i) <= rank_home(table.size[2], suit):
            target = _pile_with(table, takers_of(i))
            table.pile[STRIDE * target + table.height[target]] = i
            table.height[target] += 1
            table.size[2] -= 1 << (4 * suit)
            written[at] = HOME_DOWN | (suit << 3) | (target << 6)
            at += 1
    return at


@kernel
def settle_table(deal, table, state, written, at):
    """Send loose cards home in the same order as the search."""
    up, bases = look(deal, state)
    while True:
        open_cards = up & ~home_set(table.size[2])
        loose = open_cards & ~bases
        free, _ = room(open_cards, loose)
        ready = next_set(table.size[2]) & loose & whole(free)
        if ready == 0:
            return at
        at = _send_home(table, lowest_bit(ready), written, at)


@kernel
def make_move(deal, table, move, written, at):
    """Make a move between states of ``klondike.states`` on the table; returns the end."""
    kind = move & 7
    i = (move >> CARD_SHIFT) & 63
    at = _come_down(table, (move >> AFTER_SHIFT) & 0xFFFF, written, at)
    if kind in (BASE_HOME, SWAP):
        return _send_home(table, i, written, at)
    if kind == BASE_DOWN:
        p, k = _find(table, i)
        return _shift(table, p, k, _pile_with(table, takers_of(i)), written, at)
    j = int64(0)
    while table.talon[j] != i:
        j += 1
    at = _turn_up(table, j, written, at)
    _leave_talon(table, j)
    if kind == TALON_DOWN:
        target = _pile_with(table, takers_of(i))
        table.pile[STRIDE * target + table.height[target]] = i
        table.height[target] += 1
        written[at] = WASTE_DOWN | (target << 6)
    else:
        table.size[2] += 1 << (4 * (i & 3))
        written[at] = WASTE_HOME
    return at + 1


@kernel
def play_back(deal, table, state, made, depth, written):
    """Write the moves on the table that follow a path through states.

    Args:
        deal: as of the search.
        table: the position before the first state was settled; left at the end.
        state, made: the states on the path, and the move made in each but the last.
        depth: index of the last state.
        written: int64, receives the moves.

    Returns:
        The number of moves written.
    """
    at = settle_table(deal, table, state[0], written, int64(0))
    for d in range(depth):
        at = make_move(deal, table, made[d], written, at)
        at = settle_table(deal, table, state[d + 1], written, at)
    return _finish(table, written, at)


@kernel
def _finish(table, written, at):
    """Send all cards home, if none is face down and the talon is empty."""
    again = True
    while again:
        again = False
        for p in range(7):
            i = _top(table, p)
            while i >= 0 and rank_home(table.size[2], i & 3) == rank(i) - 1:
                at = _send_home(table, i, written, at)
                again = True
                i = _top(table, p)
    return at
