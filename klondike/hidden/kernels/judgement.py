"""A judgement of moves from what the player sees, before any determinization is drawn.

A move's *worth* is a weighted sum of terms: an estimate of by how much it is better or worse than
the average move of its state, as a share of the determinizations that the solver wins. No term
depends on the place of a hidden card; that a card is among the hidden ones is known.
"""

from __future__ import annotations

import numpy as np

from jit import int64, kernel, uint64
from jit.kernels.bits import count_bits, lowest_bit
from klondike.cards import PILES
from klondike.complete.kernels.states import (
    AFTER_SHIFT,
    BASE_DOWN,
    BASE_HOME,
    CARD_SHIFT,
    SWAP,
    TALON_DOWN,
    TALON_HOME,
    Deal,
    after_move,
    held,
    home_of,
    reachable,
    settle,
    talon_of,
)
from klondike.kernels.cards import (
    DECK,
    KINGS,
    bit,
    followers,
    home_set,
    next_set,
    rank,
    rank_home,
    room,
)

TERMS = 24
"""The number of terms, in the order of ``klondike.hidden.judgement.TERMS``."""
DRAW_STOCK = SWAP + 1
"""The kind of a draw from an unseen stock, besides the kinds of the complete search's moves."""


@kernel
def _openings(up: int, bases: int, home: int) -> tuple[int, int]:
    """The cards that find a place, in the piles or at home, and the number of empty piles."""
    open_cards = up & ~home_set(home)
    loose = open_cards & ~bases
    free, _ = room(open_cards, loose)
    takes = followers(free) | next_set(home)
    empty = PILES - count_bits(bases) - count_bits(loose & KINGS)
    return takes | KINGS if empty > 0 else takes, empty


@kernel
def _talon_cards(deal: Deal, places: int) -> int:
    """The set of the talon's cards at some places."""
    cards, left = uint64(0), uint64(places)
    while left:
        cards |= bit(deal.talon[lowest_bit(left)])
        left &= left - uint64(1)
    return cards


@kernel
def judge(
    deal: Deal,
    state: int,
    up: int,
    bases: int,
    moves: np.ndarray,
    many: int,
    weights: np.ndarray,
    terms: np.ndarray,
    worths: np.ndarray,
) -> None:
    """Write the worth of each of a state's moves, above or below their mean.

    Args:
        deal, state, up, bases: of a determinization.
        moves: int64, the moves.
        many: how many there are, at most the length of ``worths``.
        weights: float64[``TERMS``].
        terms: float64[``TERMS``], scratch: in the end the terms of the last move.
        worths: float64, receives the worths.
    """
    home = home_of(state)
    lowest = int64(13)
    for suit in range(4):
        lowest = min(lowest, rank_home(home, suit))
    talon = talon_of(state)
    hidden = DECK & ~up & ~_talon_cards(deal, talon)
    unseen = max(1, count_bits(hidden))
    most, least, down = int64(0), int64(7), int64(0)
    for p in range(PILES):
        below = held(state, p) - 1
        if below > 0:
            most, least, down = max(most, below), min(least, below), down + below
    takes, empty = _openings(up, bases, home)
    reached = _talon_cards(deal, reachable(deal.rules, state))
    mean = 0.0
    for m in range(many):
        move = moves[m]
        kind = move & 7
        terms[:] = 0.0
        if kind == DRAW_STOCK:
            terms[17] = 1.0
        else:
            i = (move >> CARD_SHIFT) & 63
            card = bit(i)
            after = (move >> AFTER_SHIFT) & 0xFFFF
            high = rank(i) / 13.0
            now_up, now_bases, now_reached = up, bases, reached
            filled = int64(0)
            if kind in (BASE_DOWN, BASE_HOME):
                below = held(state, deal.pile[i]) - 1
                now_bases = bases & ~card
                if below > 0:
                    # The card that turns up is not known yet; its pile is not empty, though.
                    filled = int64(1)
                    terms[0] = 1.0
                    terms[1] = below / 6.0
                    terms[2] = down / 21.0
                    terms[3] = 1.0 if below == most else 0.0
                    terms[4] = 1.0 if below == least else 0.0
                else:
                    terms[5] = 1.0
                if kind == BASE_DOWN:
                    terms[15] = high
            elif kind != SWAP:
                now_up = up | card
                rest, _, _ = after_move(deal, state, up, bases, move)
                now_reached = _talon_cards(deal, reachable(deal.rules, rest))
                terms[11] = deal.place[i] / 24.0
                terms[12] = count_bits(uint64(talon)) / 24.0
                if kind == TALON_DOWN:
                    terms[9] = 1.0
                    terms[10] = high
            else:
                terms[13] = 1.0
            terms[14] = count_bits(home_set(home) & ~home_set(after))
            if kind in (BASE_HOME, TALON_HOME, SWAP):
                after += 1 << (4 * (i & 3))
                terms[6 if kind == BASE_HOME else 7] += 0.0 if kind == SWAP else 1.0
                terms[8] = 0.0 if kind == SWAP else (rank(i) - 1 - lowest) / 13.0
            elif card & KINGS:
                terms[16] = 1.0
            after = settle(now_up, now_bases, after)
            now_takes, now_empty = _openings(now_up, now_bases, after)
            if now_empty == filled:
                now_takes &= ~KINGS | next_set(after)
            fits = count_bits(hidden & now_takes) - count_bits(hidden & takes)
            terms[18] = fits / unseen
            terms[19] = (count_bits(now_reached) - count_bits(reached)) / 24.0
            fits = count_bits(now_reached & now_takes) - count_bits(reached & takes)
            terms[20] = fits / 24.0
            fits = count_bits(now_bases & now_takes) - count_bits(bases & ~card & takes)
            terms[21] = fits / 7.0
            terms[22] = now_empty - filled - empty
            terms[23] = 1.0 if hidden & bit(i ^ 1) else 0.0
        worth = 0.0
        for t in range(TERMS):
            worth += weights[t] * terms[t]
        worths[m] = worth
        mean += worth
    for m in range(many):
        worths[m] -= mean / many
