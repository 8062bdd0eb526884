"""A policy of rules as arrays, in the order of a game's features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.rules import OR, OVER


@dataclass(frozen=True, eq=False)
class Policy:
    """A policy of rules in the form that kernels take: arrays without names or objects.

    A rule with one comparison has it twice. Policies are compared by identity.

    Attributes:
        weights: float64[rules + 1, features], the default's last.
        offsets: float64[rules + 1], the default's last.
        feature: int64[2 * rules], the index of the feature in each comparison.
        threshold: float64[2 * rules], what the feature is compared with.
        over: uint8[2 * rules], 1 for ``>``, 0 for ``<=``.
        either: uint8[rules], 1 if a rule's comparisons are joined by ``or``.
    """

    weights: np.ndarray
    offsets: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    over: np.ndarray
    either: np.ndarray

    @property
    def default(self) -> np.ndarray:
        """The weights of the default (float64[features])."""
        last: np.ndarray = self.weights[-1]
        return last

    def row(self, values: Sequence[float] | np.ndarray) -> int:
        """The index in ``weights`` of the first rule that holds, or of the default.

        Args:
            values: of every feature of the game, in order.
        """
        for i, either in enumerate(self.either):
            first, second = (self._holds(at, values) for at in (2 * i, 2 * i + 1))
            if (first or second) if either else (first and second):
                return i
        return len(self.either)

    def _holds(self, at: int, values: Sequence[float] | np.ndarray) -> bool:
        over = bool(values[self.feature[at]] > self.threshold[at])
        return over == bool(self.over[at])

    def value(self, values: Sequence[float] | np.ndarray) -> float:
        """The value of a state, for games whose searches are plain Python.

        Args:
            values: of every feature of the game, in order.
        """
        row = self.row(values)
        return float(self.offsets[row] + self.weights[row] @ np.asarray(values, float))


def policy_of(evaluator: Evaluator, weights: np.ndarray, features: Sequence[Feature]) -> Policy:
    """An evaluator with rules as arrays.

    Args:
        evaluator: an evaluator with rules.
        weights: its weights in the order of the game's features, as in ``Policy``.
        features: all features of the game.
    """
    places = {feature.name: place for place, feature in enumerate(features)}
    pairs = [(rule.comparisons[0], rule.comparisons[-1]) for rule in evaluator.rules]
    flat = [comparison for pair in pairs for comparison in pair]
    return Policy(
        weights,
        np.array(evaluator.offsets, np.float64),
        np.array([places[one.feature] for one in flat], np.int64),
        np.array([one.threshold for one in flat], np.float64),
        np.array([one.sign == OVER for one in flat], np.uint8),
        np.array([rule.joined == OR for rule in evaluator.rules], np.uint8),
    )
