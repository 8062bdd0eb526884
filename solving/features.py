"""What a game tells of a feature that evaluators weigh."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Feature:
    """A number read off a state, whose weight can be evolved.

    Attributes:
        name: as weights files and jobs write it.
        meaning: one line for people.
        low: smallest weight evolution may give it.
        high: largest.
        baseline: its weight in the evaluator that evolution is compared with.
    """

    name: str
    meaning: str
    low: float = 0.0
    high: float = 1.0
    baseline: float = 0.0
