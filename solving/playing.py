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
        parameters: its counted budget and what else it takes.
        budget: the parameter whose place a clock can take; empty if none can.
        advises: whether it can say what each move is worth.
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
        decisions: choices among two or more actions.
        seconds: processor time.
    """

    won: bool
    moves: tuple[str, ...]
    decisions: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of the moves that could be made, and what it is worth.

    Attributes:
        moves: tokens: what it takes to make it, draws included.
        chance: the estimated chance to win after it, 0 to 1.
        low, high: its 99 % interval, as far as the samples tell.
        samples: how many of them it rests on.
    """

    moves: tuple[str, ...]
    chance: float
    low: float
    high: float
    samples: int
