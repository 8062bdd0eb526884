"""What the framework knows of a game, and which games there are.

The evolution sees a game only through this protocol and never asks which one
it is. Games register under the entry point group ``gafreecell.games``; the
built-in ones do too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol, cast

from deals.errors import BadInput
from solving.features import Feature
from solving.outcome import Limits, Outcome, Search, Task
from solving.parameters import NO_GOAL, Parameter, Value
from solving.playing import Alternative, Played, Policy
from solving.weights import Weights

GROUP = "gafreecell.games"


class GameError(BadInput):
    """A game that is not registered, or one that cannot do what was asked."""


class Game(Protocol):
    """A game: its features, its solvers, and how its deals and moves are written.

    Attributes:
        name: as ``--game`` and files write it.
        title: as people write it.
        engine: version of its solvers: raised whenever a count they return changes.
        variant: its options, such as the number of cells, as weights files write them.
        features: what evaluators can weigh, in the engine's order.
        default_features: names of those that a job trains which names none.
        searches: names of its searches.
        unguided: those that need no evaluator.
        presets: names of its presets.
        default_preset: the one used where none is named.
        comparison_presets: those that figures and tables compare evolved solvers with.
        draws: whether positions on the way of a solution can be drawn.
    """

    name: str
    title: str
    engine: str
    features: tuple[Feature, ...]
    default_features: tuple[str, ...]
    searches: tuple[str, ...]
    unguided: tuple[str, ...]
    presets: tuple[str, ...]
    default_preset: str
    comparison_presets: tuple[str, ...]
    draws: bool

    @property
    def variant(self) -> Mapping[str, int]: ...

    def vary(self, **options: int) -> Game:
        """The same game with other options; ``GameError`` for one it does not have."""
        ...

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Solve the tasks one after another; may be called from several threads at once."""
        ...

    def check(self, search: Search, features: Sequence[str] = ()) -> None:
        """Raise ``ValueError`` unless there is such a search, and it can weigh these features."""
        ...

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        """The parameters of one of its searches."""

    def preset(self, name: str) -> Weights:
        """A preset; ``ValueError`` naming those there are."""
        ...

    def deal_set(self, name: str) -> Sequence[int]:
        """The deals of a named set or a range; ``ValueError`` naming the sets there are."""
        ...

    def unsolvable(self) -> frozenset[int]:
        """Deals known to be unsolvable, which belong in no training pool."""
        ...

    def read_deal(self, number: int) -> Any:
        """The board of a deal number; ``ValueError`` if there is none."""
        ...

    def goal(self, text: str) -> Mapping[str, Value]:
        """The search parameters of another goal; ``ValueError`` naming the goals there are."""
        ...

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[Any]:
        """The boards written in a text, in order; ``ValueError`` naming the line.

        Args:
            text: what to read.
            faults: receives what is wrong with each board that cannot be read, in whose place
                the list then has None; without it that is the error.
        """
        ...

    def write_board(self, board: Any, mark_reachable: bool = False) -> str:
        """A board as text that ``read_boards`` reads.

        Args:
            board: what to write.
            mark_reachable: whether the cards of the talon that can be played now are marked;
                ``ValueError`` where there is no talon.
        """
        ...

    def write_solution(self, board: Any, outcome: Outcome, draw: bool = False) -> Iterable[str]:
        """A solution as lines for people to play.

        Args:
            board: what was solved.
            outcome: solved.
            draw: whether positions on the way are drawn, too, if the game ``draws``.
        """
        ...

    def verify(self, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL) -> str:
        """Replay moves by the rules: what is wrong with them, empty if they solve the board.

        Args:
            board: where the game stands.
            moves: tokens.
            goal: search parameters, those of ``goal`` among them.
        """
        ...

    def read_moves(self, text: str) -> list[str]:
        """The moves in a solution's text; ``ValueError`` if it holds none."""
        ...


class HiddenGame(Game, Protocol):
    """A game that can also be played with some of its cards hidden from the player."""

    @property
    def policies(self) -> tuple[Policy, ...]:
        """What plays it."""
        ...

    def check_policy(
        self, policy: str, parameters: Mapping[str, Value], timed: bool, weights: Weights | None
    ) -> dict[str, Value]:
        """Every parameter of a policy with its value.

        ``ValueError`` unless there is such a policy with such parameters that takes the weights.

        Args:
            policy: its name.
            parameters: those given.
            timed: whether it is to play to a clock.
            weights: of the policy's search; None for its own.
        """
        ...

    def check_start(self, board: Any) -> None:
        """Raise ``ValueError`` unless a game can be played from a board."""
        ...

    def play(
        self,
        board: Any,
        policy: str,
        parameters: Mapping[str, Value],
        seed: int,
        place: int,
        seconds: float | None,
        weights: Weights | None,
    ) -> Played:
        """Play one game; may be called from several threads at once.

        Args:
            board: all its cards known; the policy is shown what a player would see.
            policy: its name.
            parameters: those that are not to have their defaults.
            seed: of the series.
            place: of the game in the series, from 0.
            seconds: processor time for the game, in place of the counted budget.
            weights: of the policy's search; None for its own.
        """
        ...

    def advise(
        self,
        board: Any,
        policy: str,
        parameters: Mapping[str, Value],
        seed: int,
        seconds: float | None,
        weights: Weights | None,
    ) -> list[Alternative]:
        """What each move in a position is worth, the best first; cards may be unknown.

        One without moves if the game is won, none if it is proved to be lost. ``ValueError`` if
        the policy gives no hints.
        """
        ...

    def about_advice(self, board: Any) -> Sequence[str]:
        """What a person has to know of such advice, in paragraphs."""
        ...


def hidden_game(name: str) -> HiddenGame:
    """A registered game that can be played with hidden cards.

    Raises:
        GameError: naming the games there are if this is none of them.
    """
    found = game(name)
    if not hasattr(found, "policies"):
        able = [other for other in games() if hasattr(game(other), "policies")]
        raise GameError(f"{found.title} has no hidden cards; {', '.join(able)} can be played")
    return cast(HiddenGame, found)


def games() -> list[str]:
    """Names of the registered games."""
    return sorted(entry.name for entry in entry_points(group=GROUP))


def game(name: str) -> Game:
    """A registered game.

    Raises:
        GameError: naming the games there are if this is none of them.
    """
    for entry in entry_points(group=GROUP, name=name):
        loaded: Game = entry.load()
        return loaded
    raise GameError(f"there is no game {name!r}; there are {', '.join(games()) or 'none'}")


def variant_text(variant: Mapping[str, int]) -> str:
    """A game's options for people."""
    return ", ".join(f"{value} {name}" for name, value in variant.items())


def limits_text(limits: Limits) -> str:
    """Limits in words, for tables: always name the budget beside a count of nodes."""
    parts = [f"{limits.nodes:,} nodes"]
    if limits.seconds is not None:
        parts.append(f"{limits.seconds:g} s")
    return ", ".join(parts)
