"""Policies of rules, which choose one of several weighted sums to score a state.

The first rule whose condition holds supplies the sum; if none holds, a default does (Elyasaf,
Hauptman and Sipper 2012). Conditions compare the features as ``features`` computes them in floats,
whether a search sums in floats or in the whole numbers of ``hsd.kernels.linear``. So a policy means
the same in every search.

Kernels that take ``rules`` take None for a plain weighted sum. Numba then compiles them without
the code for rules.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gafreecell.jit import kernel
from gafreecell.solving.policy import Policy
from hsd.kernels.board import Board
from hsd.kernels.features import (
    MOVES_MADE,
    NAMES,
    Counted,
    counted,
    feature_at,
    weighted,
    write_each,
)

_MOVES_MADE = NAMES.index(MOVES_MADE)


class Conditions(NamedTuple):
    """The conditions of the rules, two comparisons each; a single comparison is stored twice.

    Attributes:
        feature: int64[2 * rules], the index of the feature that each comparison reads.
        threshold: float64[2 * rules], what it is compared with.
        over: uint8[2 * rules], 1 for ``>``, 0 for ``<=``.
        either: uint8[rules], 1 if one of the two comparisons is enough.
    """

    feature: np.ndarray
    threshold: np.ndarray
    over: np.ndarray
    either: np.ndarray


class Rules(NamedTuple):
    """A policy's rules, for sums in floats.

    Attributes:
        conditions: when each rule holds.
        weights: float64[rules, features]; the weights of the default are passed beside them.
        offsets: float64[rules + 1], the last one for the default.
    """

    conditions: Conditions
    weights: np.ndarray
    offsets: np.ndarray


@lru_cache(maxsize=1000)
def conditions_of(policy: Policy) -> Conditions:
    """The conditions of a policy as kernels take them."""
    return Conditions(policy.feature, policy.threshold, policy.over, policy.either)


@lru_cache(maxsize=1000)
def rules_of(policy: Policy) -> Rules:
    """A policy's rules, for sums in floats."""
    return Rules(conditions_of(policy), policy.weights[:-1].copy(), policy.offsets)


@kernel
def _holds(conditions: Conditions, at: int, c: Counted, made: float) -> bool:
    """Whether a comparison holds."""
    place = conditions.feature[at]
    value = made if place == _MOVES_MADE else feature_at(c, place)
    return (value > conditions.threshold[at]) == (conditions.over[at] != 0)


@kernel
def first_holding(conditions: Conditions, c: Counted, made: float) -> int:
    """The index of the first rule that holds; the number of rules if none does.

    Args:
        c: the counts of the state.
        made: its feature MovesMade, in searches that support it.
    """
    rules = conditions.either.size
    for i in range(rules):
        either = conditions.either[i] != 0
        holds = _holds(conditions, 2 * i, c, made)
        if holds != either:
            # The other comparison decides.
            holds = _holds(conditions, 2 * i + 1, c, made)
        if holds:
            return i
    return rules


@kernel
def score_of(c: Counted, weights: np.ndarray, rules: Rules | None, values: np.ndarray) -> float:
    """A position's score by a weighted sum or a policy, in floats.

    Args:
        c: the position's counts.
        weights: float64, of every feature in order; for a policy, those of its default.
        rules: a policy's rules, or None.
        values: float64 of the same size, scratch; the caller sets those from ``ON_BOARD`` on.
    """
    if rules is None:
        return weighted(c, weights)
    write_each(c, values)
    rule = first_holding(rules.conditions, c, 0.0)
    total = rules.offsets[rule]
    for i in range(weights.size):
        weight = weights[i] if rule == rules.weights.shape[0] else rules.weights[rule, i]
        total += weight * values[i]
    return total


@kernel
def score_by(board: Board, weights: np.ndarray, rules: Rules | None, values: np.ndarray) -> float:
    """``score_of`` the position on the board."""
    return score_of(counted(board), weights, rules, values)
