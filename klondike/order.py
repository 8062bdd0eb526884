"""Move ordering of the complete search: a weighted sum of features of a move."""

from __future__ import annotations

import numpy as np
from numba import uint64

from jit import kernel
from jit.kernels.bits import count_bits
from klondike.cards import followers, home_set, next_set, pairs_of, rank
from klondike.states import (
    AFTER_SHIFT,
    BASE_DOWN,
    BASE_HOME,
    CARD_SHIFT,
    TALON_DOWN,
    TALON_HOME,
    held,
    home_of,
)
from solving.features import Feature

_MEANINGS = (
    ("OrderHome", "the move sends a card home"),
    ("OrderTurns", "it turns a card up"),
    ("OrderFaceDown", "cards face down in the pile it turns a card up in, / 6"),
    ("OrderTurnedReady", "the card turned up can go home at once"),
    ("OrderTurnedFits", "the card turned up can be laid on another at once"),
    ("OrderTurnedRank", "rank of the card turned up, / 13"),
    ("OrderEmpties", "it empties a pile"),
    ("OrderTalon", "it takes a card from the talon"),
    ("OrderTalonPlace", "the card's place in the talon, / 24"),
    ("OrderRank", "rank of the card that moves, / 13"),
    ("OrderBack", "cards that come back from their foundations for it"),
)
ORDER = tuple(Feature(name, f"move ordering: {meaning}", -1.0, 1.0) for name, meaning in _MEANINGS)
"""The features of move ordering. Their baselines are 0: moves keep the order of the list."""
_UNIT = 1 << 20
_SCALES = np.array([1, 1, 6, 1, 1, 13, 1, 1, 24, 13, 1])


def order_weights(weights: np.ndarray) -> np.ndarray:
    """Integer weights (int64[11]) for weights (float64[11]), so that sums are exact."""
    return np.rint(weights * _UNIT / _SCALES).astype(np.int64)


@kernel
def _score(deal, state, ready, takes, weights, move):
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
            # The rank of a single card from its bit.
            score += weights[5] * ((count_bits(beneath - uint64(1)) >> 2) + 1)
    elif kind in (TALON_DOWN, TALON_HOME):
        score += weights[7] + weights[8] * deal.place[i]
    after = (move >> AFTER_SHIFT) & 0xFFFF
    home = home_of(state)
    if after != home:
        score += weights[10] * count_bits(home_set(home) & ~home_set(after))
    return score


@kernel
def sort_moves(deal, state, up, weights, moves, scores, first, last):
    """Sort the moves of a state, the best last; the sort is stable.

    Args:
        deal, state, up: as of ``klondike.states``.
        weights: int64[11], see ``order_weights``.
        moves: int64, sorted from index ``first`` to before ``last``.
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
