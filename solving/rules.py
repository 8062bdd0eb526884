"""Conditions of the rules of a policy: one comparison or two, joined by ``and`` or ``or``.

As text: ``CellsUsed > 0.5``, or ``CellsUsed > 0.5 and NotPlaced <= 0.25``. A threshold is written
with all its digits, so what is read is what was written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from deals.errors import BadInput

AT_MOST, OVER = "<=", ">"
"""Signs of a comparison."""
AND, OR = "and", "or"
"""Words that join two comparisons."""
_COMPARISON = rf"([^\s<>]+)\s*({AT_MOST}|{OVER})\s*(\S+)"
_CONDITION = re.compile(rf"\s*{_COMPARISON}(?:\s+({AND}|{OR})\s+{_COMPARISON})?\s*")


class ConditionError(BadInput):
    """A text that is no condition; the message says what one looks like."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a feature is over a threshold, or at most as large.

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
            raise ValueError(f"a comparison's sign is {AT_MOST} or {OVER}, got {self.sign!r:.40}")
        if not math.isfinite(self.threshold):
            raise ValueError(f"a threshold is a finite number, got {self.threshold!r}")

    def __str__(self) -> str:
        return f"{self.feature} {self.sign} {float(self.threshold)!r}"


@dataclass(frozen=True, slots=True)
class Rule:
    """When a rule holds.

    Attributes:
        comparisons: one or two.
        joined: of two: whether both must hold (``AND``) or one is enough (``OR``).
    """

    comparisons: tuple[Comparison, ...]
    joined: str = AND

    def __post_init__(self) -> None:
        if len(self.comparisons) not in (1, 2):
            raise ValueError(f"a rule has one comparison or two, got {len(self.comparisons)}")
        if self.joined not in (AND, OR):
            raise ValueError(f"comparisons are joined by {AND} or {OR}, got {self.joined!r:.40}")
        if len(self.comparisons) == 1:
            # It joins nothing: rules that say the same are equal.
            object.__setattr__(self, "joined", AND)

    def __str__(self) -> str:
        return f" {self.joined} ".join(map(str, self.comparisons))

    def told(self, style: str) -> str:
        """The condition for people, its thresholds in a format's style, such as ``.3g``."""
        parts = [f"{one.feature} {one.sign} {one.threshold:{style}}" for one in self.comparisons]
        return f" {self.joined} ".join(parts)


def parse_rule(text: str, features: Iterable[str]) -> Rule:
    """The rule whose text this is.

    Args:
        text: as ``str`` of a rule writes it.
        features: names of those that may be compared.

    Raises:
        ConditionError: saying what was expected, and what came.
    """
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise ConditionError(
            f"a condition is 'FEATURE {AT_MOST} NUMBER' or 'FEATURE {OVER} NUMBER', or two of them "
            f"joined by '{AND}' or '{OR}', got {text!r:.80}"
        )
    known = list(features)
    parts = [_comparison(match[1], match[2], match[3], known)]
    if match[4]:
        parts.append(_comparison(match[5], match[6], match[7], known))
    return Rule(tuple(parts), match[4] or AND)


def _comparison(feature: str, sign: str, number: str, known: list[str]) -> Comparison:
    if feature not in known:
        raise ConditionError(
            f"{feature!r:.60} is compared, but it is none of the evaluator's features "
            f"({', '.join(known)}): name it among them, with weights of 0 if it is only compared"
        )
    try:
        threshold = float(number)
    except ValueError:
        threshold = math.nan
    if not math.isfinite(threshold):
        raise ConditionError(f"{feature} is compared with a finite number, got {number!r:.40}")
    return Comparison(feature, sign, threshold)
