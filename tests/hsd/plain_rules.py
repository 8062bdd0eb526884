"""Policies of rules in plain Python, from their text and the plain twin's features.

Nothing of ``solving.rules``: a condition is read here word by word, as a person reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine import Engine
from plain_best_first import PlainBestFirst
from plain_features import values_of
from plain_staged import PlainStaged, State
from plain_tree import Open
from plain_twin import Twin

from hsd.kernels.linear import UNIT

Sum = tuple[float, Mapping[str, float]]
"""An offset, and weights by feature."""


class Plain(NamedTuple):
    """A policy.

    Attributes:
        rules: each condition as text, with its sum.
        default: the sum where none holds.
    """

    rules: tuple[tuple[str, Sum], ...]
    default: Sum

    def chosen(self, twin: Twin, made: int = 0) -> Sum:
        """The sum that values a position."""
        values = values_of(twin) | {"MovesMade": made / 100}
        return next((one for text, one in self.rules if holds(text, values)), self.default)


def holds(condition: str, values: Mapping[str, float]) -> bool:
    """Whether a condition holds, for features of these values."""
    words = condition.split()
    first = _compared(words[:3], values)
    if len(words) == 3:
        return first
    second = _compared(words[4:], values)
    return {"and": first and second, "or": first or second}[words[3]]


def _compared(words: list[str], values: Mapping[str, float]) -> bool:
    name, sign, number = words
    return {">": values[name] > float(number), "<=": values[name] <= float(number)}[sign]


class PlainBestFirstByRules(PlainBestFirst):
    """Best-first search by a policy."""

    def __init__(
        self, policy: Plain, safe: bool, supermoves: bool, limit: int, patience: int
    ) -> None:
        super().__init__({}, safe, supermoves, limit, patience)
        self.policy = policy
        self.by: list[Sum] = []

    def score(self, met: Open) -> int:
        offset, weights = chosen = self.policy.chosen(met.state.twin, met.made)
        self.by.append(chosen)
        engine = Engine(met.state.twin.as_board())
        return engine.linear_score(weights, met.made) + round(offset * UNIT)


class PlainStagedByRules(PlainStaged):
    """Staged deepening by a policy."""

    def __init__(self, policy: Plain, depth: int, safe: bool, limit: int) -> None:
        super().__init__({}, depth, safe, 0, limit)
        self.policy = policy
        self.by: list[Sum] = []

    def score(self, state: State) -> float:
        score, weights = chosen = self.policy.chosen(state.twin)
        self.by.append(chosen)
        values = values_of(state.twin)
        for name, weight in weights.items():
            score += weight * values[name]
        return score
