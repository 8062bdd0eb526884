"""Data types of games with hidden cards: policies, games played, advice."""

from __future__ import annotations

from dataclasses import dataclass

from gafreecell.solving.parameters import Parameter


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to play.

    Attributes:
        name: as written after ``--policy``.
        meaning: one line for people.
        parameters: its budget, a count, and its other parameters.
        budget: name of the parameter that a time limit can replace; empty if there is none.
        advises: whether it can estimate the chance of winning after each move.
    """

    name: str
    meaning: str
    parameters: tuple[Parameter, ...]
    budget: str
    advises: bool


@dataclass(frozen=True, slots=True)
class Alternative:
    """A possible move and the chance of winning after it.

    Attributes:
        moves: its tokens, with the draws that it takes.
        chance: the estimated chance of winning after it, 0 to 1.
        low, high: the 99 % confidence interval of the chance, for the sampling error alone.
        samples: the sample size: all determinizations drawn, won or not.
    """

    moves: tuple[str, ...]
    chance: float
    low: float
    high: float
    samples: int

    @classmethod
    def estimated(
        cls, moves: tuple[str, ...], chance: float, error: float, samples: int
    ) -> Alternative:
        """An alternative with the interval that follows from a standard error."""
        low, high = max(0.0, chance - _Z * error), min(1.0, chance + _Z * error)
        return cls(moves, chance, low, high, samples)

    @property
    def told(self) -> tuple[str, str]:
        """The chance, as ``54.2 %``, and its interval without the unit, as ``51.0 to 57.3``."""
        return f"{100 * self.chance:.1f} %", f"{100 * self.low:.1f} to {100 * self.high:.1f}"


_Z = 2.5758
"""Half the width of a 99 % interval, in standard errors."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player thought when it had two or more actions to choose from.

    Attributes:
        place: how many moves had been made.
        alternatives: the actions with their chances, the one that it chose first.
    """

    place: int
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played.

    Attributes:
        won: whether all cards reached the foundations.
        moves: all moves made, as tokens.
        decisions: how often the player had two or more actions to choose from.
        seconds: processor time.
        weighed: what the player thought at its decisions, if that was asked for and it weighs
            actions at all.
    """

    won: bool
    moves: tuple[str, ...]
    decisions: int
    seconds: float
    weighed: tuple[Decision, ...] = ()
