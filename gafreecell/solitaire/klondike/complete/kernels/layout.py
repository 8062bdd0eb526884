"""Positions as they lie on the table: unpacked for a search, whose path is then played on them.

A path through equivalence classes becomes moves on the table, draw by draw.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, large_kernel, new_registers, uint64
from gafreecell.jit.kernels.bits import lowest_bit
from gafreecell.solitaire.klondike.cards import PILES, STRIDE
from gafreecell.solitaire.klondike.complete.kernels.states import (
    AFTER_SHIFT,
    BASE_DOWN,
    BASE_HOME,
    CARD_SHIFT,
    HOME_SHIFT,
    PILE_SHIFT,
    REDEALS_SHIFT,
    SWAP,
    TALON_DOWN,
    TALON_SHIFT,
    WASTE_SHIFT,
    Deal,
    Rules,
    turned,
)
from gafreecell.solitaire.klondike.kernels.cards import (
    bit,
    home_set,
    next_set,
    pair_of,
    rank,
    rank_home,
    room,
    takers_of,
    whole,
)
from gafreecell.solitaire.klondike.moves import (
    COUNT_SHIFT,
    DRAW,
    FROM_SHIFT,
    HOME_DOWN,
    PILE_HOME,
    PILE_PILE,
    REDEAL,
    TO_SHIFT,
    WASTE_DOWN,
    WASTE_HOME,
)
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

MOST_SETTLED = 104
"""The most moves on the table that ``settle_layout`` writes: two for each of 52 cards."""
MOST_MADE = 103
"""The most moves on the table that ``make_move`` writes.

At most 52 cards come back from their foundations. At most 49 draws and redeals bring up a talon
card: with 24 cards drawn one by one, 24 draws to the end of the talon, the redeal, and 24 more
draws. The move itself takes at most two.
"""


@kernel
def most_written(depth: int) -> int:
    """The most moves on the table that ``play_back`` writes for a path of ``depth`` moves.

    The first state and the state after each move are settled, and at the end all cards go home.
    """
    return (MOST_MADE + MOST_SETTLED) * depth + 2 * MOST_SETTLED


def new_written(depth: int) -> np.ndarray:
    """Room (int64) for what ``play_back`` writes for a path of ``depth`` moves."""
    return np.zeros(int(most_written(depth)), np.int64)


class LayoutCounts(Registers):
    """The counts of a layout.

    Attributes:
        talon: how many cards are in the talon.
        waste: how many of them lie in the waste.
        home: the cards home, four bits a suit.
        draw: how many cards a draw turns.
    """

    talon: int
    waste: int
    home: int
    draw: int


class Layout(NamedTuple):
    """A position as it lies on the table.

    Attributes:
        pile: int64[7 * 32], the bits of the cards of pile p from ``32 * p`` up.
        height: int64[7], cards in each pile.
        talon: int64[24], the bits of the talon's cards, waste first, bottom to top.
        counts: the sizes of talon and waste, and the cards home.
    """

    pile: np.ndarray
    height: np.ndarray
    talon: np.ndarray
    counts: LayoutCounts


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


@kernel
def _top(layout: Layout, p: int) -> int:
    """The exposed card of a pile, -1 if it is empty."""
    return layout.pile[STRIDE * p + layout.height[p] - 1] if layout.height[p] > 0 else int64(-1)


@kernel
def _pile_with(layout: Layout, pair: int) -> int:
    """A pile whose exposed card is one of a pair; for a king's pair (52 or more), an empty pile."""
    for p in range(PILES):
        i = _top(layout, p)
        if pair >= 52:
            if i < 0:
                return p
        elif i >= 0 and pair_of(i) == pair:
            return p
    return -1


@kernel
def _find(layout: Layout, i: int) -> tuple[int, int]:
    """The place of a card: its pile and the number of cards beneath it."""
    # Look at the exposed cards first, as most cards asked for are exposed.
    for p in range(PILES):
        if _top(layout, p) == i:
            return p, layout.height[p] - 1
    for p in range(PILES):
        for k in range(layout.height[p]):
            if layout.pile[STRIDE * p + k] == i:
                return p, k
    return -1, 0


@kernel
def _shift(layout: Layout, p: int, start: int, target: int, written: np.ndarray, at: int) -> int:
    """Move the cards of a pile from index ``start`` up to another pile."""
    count = layout.height[p] - start
    for k in range(count):
        layout.pile[STRIDE * target + layout.height[target] + k] = layout.pile[
            STRIDE * p + start + k
        ]
    layout.height[p] -= count
    layout.height[target] += count
    written[at] = PILE_PILE | (p << FROM_SHIFT) | (target << TO_SHIFT) | (count << COUNT_SHIFT)
    return at + 1


@large_kernel
def _send_home(layout: Layout, i: int, written: np.ndarray, at: int) -> int:
    """Send a card of a pile home, after moving the cards on it to the other card of its pair."""
    p, k = _find(layout, i)
    if k + 1 < layout.height[p]:
        at = _shift(layout, p, k + 1, _pile_with(layout, pair_of(i)), written, at)
    layout.height[p] -= 1
    layout.counts.home += 1 << (4 * (i & 3))
    written[at] = PILE_HOME | (p << FROM_SHIFT)
    return at + 1


@kernel
def _turn_up(layout: Layout, j: int, written: np.ndarray, at: int) -> int:
    """Draw until the j-th card of the talon lies on the waste."""
    many, waste, draw = layout.counts.talon, layout.counts.waste, layout.counts.draw
    ahead = j + 1 - waste
    if ahead < 0 or (ahead % draw != 0 and j + 1 != many):
        # Draw through the rest of the stock, then start over.
        while waste < many:
            waste = min(waste + draw, many)
            written[at] = DRAW
            at += 1
        waste = 0
        written[at] = REDEAL
        at += 1
    while waste < j + 1:
        waste = min(waste + draw, many)
        written[at] = DRAW
        at += 1
    layout.counts.waste = waste
    return at


@kernel
def _leave_talon(layout: Layout, j: int) -> None:
    """Remove the j-th card of the talon, which is the top of the waste."""
    layout.counts.talon -= 1
    layout.counts.waste -= 1
    for k in range(j, layout.counts.talon):
        layout.talon[k] = layout.talon[k + 1]


@kernel
def _come_down(layout: Layout, after: int, written: np.ndarray, at: int) -> int:
    """Bring cards back from their foundations until only those of ``after`` are home."""
    if layout.counts.home == after:
        return at
    for i in range(51, -1, -1):
        suit = i & 3
        if rank_home(after, suit) < rank(i) <= rank_home(layout.counts.home, suit):
            target = _pile_with(layout, takers_of(i))
            layout.pile[STRIDE * target + layout.height[target]] = i
            layout.height[target] += 1
            layout.counts.home -= 1 << (4 * suit)
            written[at] = HOME_DOWN | (suit << FROM_SHIFT) | (target << TO_SHIFT)
            at += 1
    return at


@kernel
def settle_layout(layout: Layout, up: int, bases: int, written: np.ndarray, at: int) -> int:
    """Send loose cards home in the same order as the search; returns the end.

    Args:
        layout: the position.
        up, bases: as ``klondike.complete.kernels.states.look`` returns them.
        written: int64, receives the moves from index ``at`` on.
    """
    while True:
        open_cards = up & ~home_set(layout.counts.home)
        loose = open_cards & ~bases
        free, _ = room(open_cards, loose)
        ready = next_set(layout.counts.home) & loose & whole(free)
        if ready == 0:
            return at
        at = _send_home(layout, lowest_bit(ready), written, at)


@kernel
def make_move(layout: Layout, move: int, written: np.ndarray, at: int) -> int:
    """Make a move of the search on the table; returns the end."""
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
        written[at] = WASTE_DOWN | (target << TO_SHIFT)
    else:
        layout.counts.home += 1 << (4 * (i & 3))
        written[at] = WASTE_HOME
    return at + 1


@kernel
def play_back(
    layout: Layout,
    up: np.ndarray,
    bases: np.ndarray,
    made: np.ndarray,
    depth: int,
    written: np.ndarray,
) -> int:
    """Write the moves on the table that follow a path through states.

    Args:
        layout: the position before the first state is settled; becomes the last position.
        up, bases, made: for each state on the path the face-up cards, the bases and, except for
            the last state, the move made there.
        depth: the index of the last state.
        written: int64, receives the moves; made by ``new_written``.

    Returns:
        The number of moves written.
    """
    at = int64(0)
    for d in range(depth + 1):
        if d > 0:
            at = make_move(layout, made[d - 1], written, at)
        at = settle_layout(layout, up[d], bases[d], written, at)
    return _finish(layout, written, at)


@kernel
def _finish(layout: Layout, written: np.ndarray, at: int) -> int:
    """Send all cards home, if none is face down and the talon is empty."""
    again = True
    while again:
        again = False
        for p in range(PILES):
            i = _top(layout, p)
            while i >= 0 and rank_home(layout.counts.home, i & 3) == rank(i) - 1:
                at = _send_home(layout, i, written, at)
                again = True
                i = _top(layout, p)
    return at
