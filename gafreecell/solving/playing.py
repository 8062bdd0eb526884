"""Games with hidden cards: what plays them, and the types of games played and of advice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.weights import Weights


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


class HiddenPlayer(ABC):
    """Plays a game with some of its cards hidden, advises who plays it, and tells what they see.

    Attributes:
        policies: the policies that can play it.
        other_games: names of the games whose evolved weights it takes besides the game's own.
    """

    policies: ClassVar[tuple[Policy, ...]]
    other_games: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def check(
        self, policy: str, parameters: Mapping[str, Value], timed: bool, weights: Weights | None
    ) -> dict[str, Value]:
        """Every parameter of a policy with its value.

        ``BadInput`` unless there is such a policy with such parameters that takes the weights.

        Args:
            policy: its name.
            parameters: those given.
            timed: whether a time limit replaces the counted budget.
            weights: weights for the policy's search; None for its own.
        """

    @abstractmethod
    def check_start(self, board: Any) -> None:
        """Raise ``BadInput`` unless a game can start from a board: all its cards must be known."""

    @abstractmethod
    def seen(self, board: Any) -> Any:
        """A board as its player sees it, with hidden cards unknown."""

    def keeps_secrets(self, board: Any) -> bool:
        """Whether a board says that even cards which a solver would have to know are hidden.

        Hints for such a board come from a policy, although all its cards are written.
        """
        return False

    def opened(self, board: Any) -> Any:
        """A board as one whose secrets a solver may know, once its player asked to see them."""
        return board

    @abstractmethod
    def play(
        self,
        board: Any,
        policy: str,
        parameters: Mapping[str, Value],
        seed: int,
        place: int,
        seconds: float | None,
        weights: Weights | None,
        watched: bool = False,
    ) -> Played:
        """Play one game; may be called from several threads at once.

        Args:
            board: all its cards known; the policy is shown what a player would see.
            policy: its name.
            parameters: values that differ from the defaults.
            seed: the seed of the series.
            place: the game's place in the series, from 0.
            seconds: processor time for the game, in place of the counted budget.
            weights: weights for the policy's search; None for its own.
            watched: whether to keep what the policy thought at each decision; that changes no move.
        """

    @abstractmethod
    def advise(
        self,
        board: Any,
        policy: str,
        parameters: Mapping[str, Value],
        seed: int,
        seconds: float | None,
        weights: Weights | None,
    ) -> list[Alternative]:
        """What each move of a position is worth, the best first; cards may be unknown.

        The list holds one alternative without moves if the game is won, and is empty if the game
        is proved lost. ``BadInput`` if the policy gives no hints, or none here.
        """

    def about_advice(self, board: Any, policy: str) -> Sequence[str]:
        """What a person should know about the advice of a policy, in paragraphs."""
        return ()
