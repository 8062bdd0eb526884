"""Plays games at random and counts those that clear the pyramid."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel
from gafreecell.jit.kernels.draws import below
from gafreecell.solitaire.pyramid.kernels.states import lowest, stock_top, waste_top
from gafreecell.solitaire.pyramid.shapes import CARDS, STOCK

RECYCLES = 2
REMOVAL_ODDS = 3
"""How many times as likely each removal is as a draw."""
MOST_PLAYABLE = 9
"""Seven uncovered cards of the pyramid, and the top cards of stock and waste."""
MOST_REMOVALS = MOST_PLAYABLE * (MOST_PLAYABLE - 1) // 2
_WHOLE, _FULL = (1 << CARDS) - 1, (1 << STOCK) - 1


@kernel
def list_removals(
    ranks: np.ndarray, upon: np.ndarray, pyramid: int, left: int, at: int, removals: np.ndarray
) -> int:
    """Write the legal removals of a position; returns their number.

    Args:
        ranks: int64[52], the rank of the card at each position.
        upon: int64[28], for each pyramid position the set of those that lie on it.
        pyramid, left: the sets of cards left in the pyramid, and in stock and waste.
        at: where the stock begins, 0 to 24; cards before it are the waste.
        removals: int64 array that receives 64 p + q for each pair of cards at p and q, with p = q
            for a king. The cards count in the order of positions, the waste's top card after the
            stock's.
    """
    top, under = stock_top(left, at), waste_top(left, at)
    count = 0
    first = pyramid | (int64(1) << CARDS) | (int64(1) << (CARDS + 1))
    while first:
        i = lowest(first)
        first &= first - 1
        p = _place(i, upon, pyramid, top, under)
        if p < 0:
            continue
        if ranks[p] == 13:
            removals[count] = 64 * p + p
            count += 1
            continue
        second = first
        while second:
            j = lowest(second)
            second &= second - 1
            q = _place(j, upon, pyramid, top, under)
            if q >= 0 and ranks[p] + ranks[q] == 13:
                removals[count] = 64 * p + q
                count += 1
    return count


@kernel
def _place(i: int, upon: np.ndarray, pyramid: int, top: int, under: int) -> int:
    """The position of a candidate; -1 if it cannot be played.

    Candidates are the 28 cards of the pyramid, then the stock's top card, then the waste's.
    """
    if i < CARDS:
        return i if upon[i] & pyramid == 0 else -1
    if i == CARDS:
        return CARDS + top if top < STOCK else -1
    return CARDS + under if under >= 0 else -1


@kernel
def _play(ranks: np.ndarray, upon: np.ndarray, draws: np.ndarray, removals: np.ndarray) -> bool:
    """Whether a random game clears the pyramid."""
    pyramid, left, at, recycles = int64(_WHOLE), int64(_FULL), int64(0), RECYCLES
    while pyramid:
        count = list_removals(ranks, upon, pyramid, left, at, removals)
        top = stock_top(left, at)
        goes_on = top < STOCK or (recycles > 0 and left != 0)
        if count == 0 and not goes_on:
            return False
        chosen = below(draws, REMOVAL_ODDS * count + int64(goes_on)) // REMOVAL_ODDS
        if chosen < count:
            for position in (removals[chosen] >> 6, removals[chosen] & 63):
                if position < CARDS:
                    pyramid &= ~(int64(1) << position)
                else:
                    left &= ~(int64(1) << (position - CARDS))
        elif top < STOCK:
            at = top + 1
        else:
            at = int64(0)
            recycles -= 1
    return True


@kernel
def count_won(
    ranks: np.ndarray, upon: np.ndarray, games: int, draws: np.ndarray, removals: np.ndarray
) -> int:
    """Play random games and return how many are won.

    In each position all removals are equally likely. A draw, or turning the waste over, is a third
    as likely as one of them.

    Args:
        ranks, upon: as in ``list_removals``.
        games: how many games to play.
        draws: the player's random numbers (``jit.kernels.draws``).
        removals: int64[``MOST_REMOVALS``], scratch.
    """
    won = 0
    for _ in range(games):
        won += int64(_play(ranks, upon, draws, removals))
    return won
