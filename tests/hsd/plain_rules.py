"""Policies of rules in plain Python, from their text and the plain twin's features.

Nothing of ``solving.rules``: a condition is read here word by word, as a person reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from plain_features import values_of
from plain_twin import Twin

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
        values = values_of(twin) | {"MovesMade": made / 100} if self.rules else {}
        return next((one for text, one in self.rules if holds(text, values)), self.default)


Guide = Mapping[str, float] | Plain
"""A single weighted sum, or a policy."""


def as_policy(guide: Guide) -> Plain:
    """A guide as a policy, perhaps without a rule."""
    return guide if isinstance(guide, Plain) else Plain((), (0.0, guide))


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
