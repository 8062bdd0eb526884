"""How a game describes the features that evaluators weigh, and its own sizes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Feature:
    """A number computed from a state, whose weight can be evolved.

    Attributes:
        name: as weights files and jobs write it.
        meaning: one line for people.
        low, high: the range of its weight in evolution.
        baseline: its weight in the evaluator that evolution is compared with.
    """

    name: str
    meaning: str
    low: float = 0.0
    high: float = 1.0
    baseline: float = 0.0


@dataclass(frozen=True, slots=True)
class Scales:
    """How large a game's searches and solutions usually are; fitness measures use it.

    Attributes:
        nodes: added to a count of nodes before its logarithm is taken, so that easy
            problems do not drown hard ones: about what an easy problem needs.
        moves: length that an unsolved problem is charged for, in the unit the game
            names first: about twice a usual solution.
    """

    nodes: int = 1
    moves: int = 100
