"""Move ordering of the complete search, by a weighted sum of each move's features."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import kernel, uint64
from gafreecell.jit.kernels.bits import count_bits
from gafreecell.solitaire.klondike.complete.kernels.states import (
    AFTER_SHIFT,
    BASE_DOWN,
    BASE_HOME,
    CARD_SHIFT,
    TALON_DOWN,
    TALON_HOME,
    Deal,
    held,
    home_of,
    in_this_pass,
)
from gafreecell.solitaire.klondike.kernels.cards import (
    followers,
    home_set,
    next_set,
    pairs_of,
    rank,
)

WEIGHTS = 12
"""The number of features."""


@kernel
def _score(deal: Deal, state: int, ready: int, takes: int, weights: np.ndarray, move: int) -> int:
    """The weighted sum of a move's features."""
    kind = move & 7
    i = (move >> CARD_SHIFT) & 63
    score = weights[9] * rank(i)
    if kind in (BASE_HOME, TALON_HOME):
        score += weights[0]
    if kind in (BASE_DOWN, BASE_HOME):
        beneath = deal.beneath[i]
        if beneath == 0:
            score += weights[6]
        else:
            score += weights[1] + weights[2] * (held(state, deal.pile[i]) - 1)
            if beneath & ready:
                score += weights[3]
            if beneath & takes:
                score += weights[4]
            # The rank of the card beneath: ``beneath`` is a set of one card.
            score += weights[5] * ((count_bits(beneath - uint64(1)) >> 2) + 1)
    elif kind in (TALON_DOWN, TALON_HOME):
        score += weights[7] + weights[8] * deal.place[i]
        if deal.rules.limited and not (in_this_pass(deal.rules, state) >> deal.place[i]) & 1:
            score += weights[11]
    after = (move >> AFTER_SHIFT) & 0xFFFF
    home = home_of(state)
    if after != home:
        score += weights[10] * count_bits(home_set(home) & ~home_set(after))
    return score


@kernel
def sort_moves(
    deal: Deal,
    state: int,
    up: int,
    weights: np.ndarray,
    moves: np.ndarray,
    scores: np.ndarray,
    first: int,
    last: int,
) -> None:
    """Sort the moves of a state, the best last; the sort is stable.

    Args:
        deal, state, up: as in ``klondike.complete.kernels.states``.
        weights: int64[12], see ``order_weights``.
        moves: int64; ``moves[first:last]`` is sorted in place.
        scores: int64, scratch of the same length.
    """
    home = home_of(state)
    ready = next_set(home)
    takes = followers(pairs_of(up & ~home_set(home)))
    for m in range(first, last):
        move = moves[m]
        score = _score(deal, state, ready, takes, weights, move)
        k = m
        while k > first and scores[k - 1 - first] > score:
            moves[k] = moves[k - 1]
            scores[k - first] = scores[k - 1 - first]
            k -= 1
        moves[k] = move
        scores[k - first] = score
