"""Pyramid games of players who weigh the removals that are possible now."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, large_kernel
from gafreecell.solitaire.pyramid.kernels.random_games import RECYCLES, list_removals
from gafreecell.solitaire.pyramid.kernels.states import lowest, stock_top
from gafreecell.solitaire.pyramid.shapes import CARDS, STOCK
from gafreecell.solitaire.pyramid.steps import DRAW, RECYCLE
from players.kernels.chance import noise

MOST_STEPS = 52 + 3 * STOCK + RECYCLES
_WHOLE, _FULL = (1 << CARDS) - 1, (1 << STOCK) - 1
_NEVER = -1e18


class Taste(NamedTuple):
    """What a player likes in a removal, in points; drawing has none.

    Attributes:
        king: a king of the pyramid.
        stock_king: a king of the stock or the waste.
        inside: two cards of the pyramid.
        waste, stock: a card of the pyramid with the top card of the waste, or of the stock.
        outside: the top cards of waste and stock.
        uncovers: for each card that is uncovered.
        strands: for leaving a card of the pyramid with too few partners.
        leads_on: for each removal that is possible next.
    """

    king: float
    stock_king: float
    inside: float
    waste: float
    stock: float
    outside: float
    uncovers: float = 0.0
    strands: float = 0.0
    leads_on: float = 0.0


@large_kernel
def play_pyramid(
    ranks: np.ndarray,
    upon: np.ndarray,
    taste: Taste,
    heat: float,
    draws: np.ndarray,
    removals: np.ndarray,
    steps: np.ndarray,
) -> tuple[int, bool]:
    """Play a game; returns the number of its steps, and whether the pyramid is cleared.

    Args:
        ranks, upon: see ``pyramid.kernels.random_games.list_removals``.
        taste: what the player likes.
        heat: the amount of randomness in its choices.
        draws: its random numbers.
        removals: int64, scratch for two lists of removals.
        steps: int64[``MOST_STEPS``], gets the steps, encoded as in ``pyramid.steps``.
    """
    pyramid, left, at, recycles = int64(_WHOLE), int64(_FULL), int64(0), int64(RECYCLES)
    half = removals.size // 2
    count = int64(0)
    while pyramid:
        top = stock_top(left, at)
        step, most = int64(0), _NEVER
        if top < STOCK or (recycles > 0 and left != 0):
            step, most = int64(DRAW if top < STOCK else RECYCLE), heat * noise(draws)
        for i in range(list_removals(ranks, upon, pyramid, left, at, removals[:half])):
            points = heat * noise(draws) + _points(
                ranks, upon, taste, pyramid, left, at, removals[i], removals[half:]
            )
            if points > most:
                step, most = removals[i], points
        if most == _NEVER:
            break
        steps[count] = step
        count += 1
        if step == DRAW:
            at = top + 1
        elif step == RECYCLE:
            at = int64(0)
            recycles -= 1
        else:
            pyramid, left = _without(pyramid, left, step)
    return count, pyramid == 0


@kernel
def _without(pyramid: int, left: int, removal: int) -> tuple[int, int]:
    """The cards left in the pyramid, and in stock and waste, after a removal."""
    for position in (removal >> 6, removal & 63):
        if position < CARDS:
            pyramid &= ~(int64(1) << position)
        else:
            left &= ~(int64(1) << (position - CARDS))
    return pyramid, left


@kernel
def _points(
    ranks: np.ndarray,
    upon: np.ndarray,
    taste: Taste,
    pyramid: int,
    left: int,
    at: int,
    removal: int,
    scratch: np.ndarray,
) -> float:
    """The worth of a removal to a player."""
    p, q = removal >> 6, removal & 63
    if p == q:
        points = taste.king if p < CARDS else taste.stock_king
    elif q < CARDS:
        points = taste.inside
    elif p < CARDS:
        points = taste.waste if q - CARDS < at else taste.stock
    else:
        points = taste.outside
    less, fewer = _without(pyramid, left, removal)
    if taste.uncovers != 0.0:
        points += taste.uncovers * (_uncovered(upon, less) - _uncovered(upon, pyramid))
        points += taste.uncovers * (int64(p < CARDS) + int64(q < CARDS and p != q))
    if taste.strands != 0.0 and _is_stranded(ranks, less, fewer):
        points += taste.strands
    if taste.leads_on != 0.0:
        points += taste.leads_on * list_removals(ranks, upon, less, fewer, at, scratch)
    return points


@kernel
def _uncovered(upon: np.ndarray, pyramid: int) -> int:
    """How many cards of a pyramid are uncovered."""
    count = int64(0)
    cards = pyramid
    while cards:
        p = lowest(cards)
        cards &= cards - 1
        count += int64(upon[p] & pyramid == 0)
    return count


@kernel
def _is_stranded(ranks: np.ndarray, pyramid: int, left: int) -> bool:
    """Whether the pyramid has more cards of a rank than there are partners for them."""
    cards = pyramid | (left << CARDS)
    for rank in range(1, 13):
        inside, partners = int64(0), int64(0)
        rest = cards
        while rest:
            p = lowest(rest)
            rest &= rest - 1
            inside += int64(ranks[p] == rank and p < CARDS)
            partners += int64(ranks[p] == 13 - rank)
        if inside > partners:
            return True
    return False
