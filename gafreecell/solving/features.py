"""How a game describes its features, and the usual sizes of its searches and solutions."""

from __future__ import annotations

from dataclasses import dataclass

from deals.checks import plain


@dataclass(frozen=True, slots=True)
class Feature:
    """A number computed from a state, whose weight can be evolved.

    Attributes:
        name: as written in weights files and jobs.
        meaning: one line for people.
        low, high: the range of its weight in evolution.
        baseline: its weight in the evaluator that evolved ones are compared with.
    """

    name: str
    meaning: str
    low: float = 0.0
    high: float = 1.0
    baseline: float = 0.0

    def __post_init__(self) -> None:
        for name in ("low", "high", "baseline"):
            object.__setattr__(self, name, plain(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class Scales:
    """The usual sizes of a game's searches and solutions, for fitness measures.

    Attributes:
        nodes: added to a count of nodes before its logarithm is taken, so that easy
            deals do not drown hard ones; about what an easy deal needs.
        moves: the length charged for an unsolved deal, in the game's first unit;
            about twice the length of a usual solution.
    """

    nodes: int = 1
    moves: int = 100
