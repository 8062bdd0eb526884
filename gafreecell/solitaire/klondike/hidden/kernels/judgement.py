"""A judgement of moves from what the player sees, before any determinization is drawn.

A move's *worth* is a weighted sum of terms: an estimate of by how much it is better or worse than
the average move of its state, as a share of the determinizations that the solver wins. No term
depends on the place of a hidden card; that a card is among the hidden ones is known. All cards of
the talon must have been seen.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.bits import count_bits
from gafreecell.solitaire.klondike.cards import PILES
from gafreecell.solitaire.klondike.complete.kernels.states import (
    AFTER_SHIFT,
    BASE_DOWN,
    BASE_HOME,
    CARD_SHIFT,
    SWAP,
    TALON_DOWN,
    TALON_HOME,
    Deal,
    after_move,
    cards_at,
    held,
    home_of,
    reachable,
    settle,
    talon_of,
)
from gafreecell.solitaire.klondike.kernels.cards import (
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
(
    TURNS, TURNS_DEEP, TURNS_EARLY, TURNS_MOST,
    TURNS_FEWEST, EMPTIES, HOME_FROM_PILE, HOME_FROM_TALON,
    HOME_AHEAD, TALON, TALON_RANK, TALON_PLACE,
    TALON_LEFT, SWAPS, BACK, PILE_RANK,
    KING, DRAWS, HIDDEN_FITS, TALON_REACH,
    TALON_FITS, PILES_FIT, EMPTY_PILES, TWIN_HIDDEN,
) = range(TERMS)  # fmt: skip
"""The terms, in the order of ``klondike.hidden.judgement.TERMS``, which says what they mean."""
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
    hidden = DECK & ~up & ~cards_at(deal, talon)
    unseen = max(1, count_bits(hidden))
    most, least, down = int64(0), int64(7), int64(0)
    for p in range(PILES):
        below = held(state, p) - 1
        if below > 0:
            most, least, down = max(most, below), min(least, below), down + below
    takes, empty = _openings(up, bases, home)
    reached = cards_at(deal, reachable(deal.rules, state))
    mean = 0.0
    for m in range(many):
        move = moves[m]
        kind = move & 7
        terms[:] = 0.0
        if kind == DRAW_STOCK:
            terms[DRAWS] = 1.0
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
                    terms[TURNS] = 1.0
                    terms[TURNS_DEEP] = below / 6.0
                    terms[TURNS_EARLY] = down / 21.0
                    terms[TURNS_MOST] = 1.0 if below == most else 0.0
                    terms[TURNS_FEWEST] = 1.0 if below == least else 0.0
                else:
                    terms[EMPTIES] = 1.0
                if kind == BASE_DOWN:
                    terms[PILE_RANK] = high
            elif kind != SWAP:
                now_up = up | card
                rest, _, _ = after_move(deal, state, up, bases, move)
                now_reached = cards_at(deal, reachable(deal.rules, rest))
                terms[TALON_PLACE] = deal.place[i] / 24.0
                terms[TALON_LEFT] = count_bits(uint64(talon)) / 24.0
                if kind == TALON_DOWN:
                    terms[TALON] = 1.0
                    terms[TALON_RANK] = high
            else:
                terms[SWAPS] = 1.0
            terms[BACK] = count_bits(home_set(home) & ~home_set(after))
            if kind in (BASE_HOME, TALON_HOME, SWAP):
                after += 1 << (4 * (i & 3))
                if kind != SWAP:
                    terms[HOME_FROM_PILE if kind == BASE_HOME else HOME_FROM_TALON] = 1.0
                    terms[HOME_AHEAD] = (rank(i) - 1 - lowest) / 13.0
            elif card & KINGS:
                terms[KING] = 1.0
            after = settle(now_up, now_bases, after)
            now_takes, now_empty = _openings(now_up, now_bases, after)
            if now_empty == filled:
                now_takes &= ~KINGS | next_set(after)
            fits = count_bits(hidden & now_takes) - count_bits(hidden & takes)
            terms[HIDDEN_FITS] = fits / unseen
            terms[TALON_REACH] = (count_bits(now_reached) - count_bits(reached)) / 24.0
            fits = count_bits(now_reached & now_takes) - count_bits(reached & takes)
            terms[TALON_FITS] = fits / 24.0
            fits = count_bits(now_bases & now_takes) - count_bits(bases & ~card & takes)
            terms[PILES_FIT] = fits / 7.0
            terms[EMPTY_PILES] = now_empty - filled - empty
            terms[TWIN_HIDDEN] = 1.0 if hidden & bit(i ^ 1) else 0.0
        worth = 0.0
        for t in range(TERMS):
            worth += weights[t] * terms[t]
        worths[m] = worth
        mean += worth
    for m in range(many):
        worths[m] -= mean / many
