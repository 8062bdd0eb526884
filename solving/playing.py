"""What games with hidden cards take and return: policies, games played, advice."""

from __future__ import annotations

from dataclasses import dataclass

from solving.parameters import Parameter


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to play.

    Attributes:
        name: as ``--policy`` writes it.
        meaning: one line for people.
        parameters: its counted budget and its other parameters.
        budget: the parameter that a time limit can replace; empty if none.
        advises: whether it can estimate the chance to win after each move.
    """

    name: str
    meaning: str
    parameters: tuple[Parameter, ...]
    budget: str
    advises: bool


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played.

    Attributes:
        won: whether all cards are home.
        moves: all moves made, as tokens.
        decisions: how often two or more actions were possible.
        seconds: processor time.
    """

    won: bool
    moves: tuple[str, ...]
    decisions: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of the moves that are possible, and the chance to win after it.

    Attributes:
        moves: its tokens, with the draws that it takes.
        chance: the estimated chance to win after it, 0 to 1.
        low, high: the 99 % confidence interval of the chance, for the sampling error alone.
        samples: the sample size.
    """

    moves: tuple[str, ...]
    chance: float
    low: float
    high: float
    samples: int
