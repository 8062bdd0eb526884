"""Conditions of the rules of a policy: one comparison, or two joined by ``and`` or ``or``.

As text: ``CellsUsed > 0.5``, or ``CellsUsed > 0.5 and NotPlaced <= 0.25``. Thresholds are written
with all their digits, so reading restores them exactly.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from deals.checks import shown
from deals.errors import BadInput

AT_MOST, OVER = "<=", ">"
"""Signs of a comparison."""
AND, OR = "and", "or"
"""Words that join two comparisons."""
_COMPARISON = rf"([^\s<>]+)\s*({AT_MOST}|{OVER})\s*(\S+)"
_CONDITION = re.compile(rf"\s*{_COMPARISON}(?:\s+({AND}|{OR})\s+{_COMPARISON})?\s*")


class ConditionError(BadInput):
    """A text that is not a condition; the message says what a condition looks like."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A test whether a feature is greater than a threshold, or at most as large.

    Attributes:
        feature: its name.
        sign: ``AT_MOST`` or ``OVER``.
        threshold: in the feature's own unit.
    """

    feature: str
    sign: str
    threshold: float

    def __post_init__(self) -> None:
        if self.sign not in (AT_MOST, OVER):
            raise ValueError(
                f"a comparison's sign is {AT_MOST} or {OVER}, got {shown(self.sign, 40)}"
            )
        if not math.isfinite(self.threshold):
            raise ValueError(f"a threshold is a finite number, got {self.threshold!r}")

    def __str__(self) -> str:
        return f"{self.feature} {self.sign} {float(self.threshold)!r}"


@dataclass(frozen=True, slots=True)
class Rule:
    """The condition of a rule.

    Attributes:
        comparisons: one or two.
        joined: whether both of two must hold (``AND``) or one is enough (``OR``).
    """

    comparisons: tuple[Comparison, ...]
    joined: str = AND

    def __post_init__(self) -> None:
        if len(self.comparisons) not in (1, 2):
            raise ValueError(f"a rule has one comparison or two, got {len(self.comparisons)}")
        if self.joined not in (AND, OR):
            raise ValueError(
                f"comparisons are joined by {AND} or {OR}, got {shown(self.joined, 40)}"
            )
        if len(self.comparisons) == 1:
            # With one comparison ``joined`` means nothing; equivalent rules must be equal.
            object.__setattr__(self, "joined", AND)

    def __str__(self) -> str:
        return f" {self.joined} ".join(map(str, self.comparisons))

    def told(self, style: str) -> str:
        """The condition for people, with thresholds in a format such as ``.3g``."""
        parts = [f"{one.feature} {one.sign} {one.threshold:{style}}" for one in self.comparisons]
        return f" {self.joined} ".join(parts)


def parse_rule(text: str, features: Iterable[str]) -> Rule:
    """Parse a rule.

    Args:
        text: as ``str`` writes a rule.
        features: names of the features that may be compared.

    Raises:
        ConditionError: if the text is not such a rule.
    """
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise ConditionError(
            f"a condition is 'FEATURE {AT_MOST} NUMBER' or 'FEATURE {OVER} NUMBER', or two of them "
            f"joined by '{AND}' or '{OR}', got {shown(text, 80)}"
        )
    known = list(features)
    parts = [_comparison(match[1], match[2], match[3], known)]
    if match[4]:
        parts.append(_comparison(match[5], match[6], match[7], known))
    return Rule(tuple(parts), match[4] or AND)


def _comparison(feature: str, sign: str, number: str, known: list[str]) -> Comparison:
    if feature not in known:
        raise ConditionError(
            f"{shown(feature)} is compared, but it is none of the evaluator's features "
            f"({', '.join(known)}): add it to them, with weights of 0 if it is only compared"
        )
    try:
        threshold = float(number)
    except ValueError:
        threshold = math.nan
    if not math.isfinite(threshold):
        raise ConditionError(f"{feature} is compared with a finite number, got {shown(number, 40)}")
    return Comparison(feature, sign, threshold)
