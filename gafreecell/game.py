"""What the framework knows of a game, and which games there are.

``Game`` is what evolution needs; it never asks which game it is. What else a game can do
(read boards, verify, be drawn, be played with hidden cards, ...) is a protocol of its own,
which the commands that need it ask for by type (``able``). Games register under the entry
point group ``gafreecell.games``; the built-in ones do too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from deals.errors import BadInput
from gafreecell import plugins
from solving.features import Feature, Scales
from solving.outcome import Limits, Outcome, Search, Task
from solving.parameters import NO_GOAL, Parameter, Value
from solving.playing import Alternative, Played, Policy
from solving.weights import Weights

DEFAULT = "freecell"
"""The game of commands and jobs that name none."""
Problem = int | str
"""What a solver is measured on: a deal number, or the name of whatever else the game knows."""
Ability = TypeVar("Ability")


class GameError(BadInput):
    """A game that cannot do what was asked."""


@runtime_checkable
class Game(Protocol):
    """A game, as evolution sees it."""

    @property
    def name(self) -> str:
        """As ``--game`` and files write it."""
        ...

    @property
    def title(self) -> str:
        """As people write it."""
        ...

    @property
    def engine(self) -> str:
        """Tells versions of its solvers apart: another one may return other counts."""
        ...

    @property
    def variant(self) -> Mapping[str, Value]:
        """The value of each of its options, such as the number of cells."""
        ...

    @property
    def features(self) -> tuple[Feature, ...]:
        """What evaluators can weigh, in the engine's order."""
        ...

    @property
    def default_features(self) -> tuple[str, ...]:
        """Names of those that a job trains which names none."""
        ...

    @property
    def scales(self) -> Scales:
        """How large its searches and solutions usually are."""
        ...

    @property
    def training(self) -> str:
        """The problems that a job which names none trains on."""
        ...

    @property
    def validation(self) -> str:
        """The problems that choose the best weights of a job which names none."""
        ...

    def vary(self, **options: Value) -> Game:
        """The same game with other options; ``BadInput`` for one it does not have."""
        ...

    def check(self, search: Search, features: Sequence[str] = ()) -> None:
        """Raise ``BadInput`` unless there is such a search, and it can weigh these features."""
        ...

    def problems(self, name: str) -> Sequence[Problem]:
        """A set of problems to train on, by name; ``BadInput`` naming the sets there are."""
        ...

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Solve the tasks one after another; may be called from several threads at once."""
        ...


@runtime_checkable
class Searches(Protocol):
    """A game whose searches can be listed and chosen."""

    @property
    def searches(self) -> tuple[str, ...]:
        """Names of its searches."""
        ...

    @property
    def unguided(self) -> tuple[str, ...]:
        """Those that need no evaluator."""
        ...

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        """The parameters of one of its searches."""
        ...


@runtime_checkable
class HasPresets(Protocol):
    """A game that brings solvers along."""

    @property
    def presets(self) -> tuple[str, ...]:
        """Their names."""
        ...

    @property
    def default_preset(self) -> str:
        """The one used where none is named."""
        ...

    @property
    def comparison_presets(self) -> tuple[str, ...]:
        """Those that figures compare evolved solvers with."""
        ...

    def preset(self, name: str) -> Weights:
        """A preset; ``BadInput`` naming those there are."""
        ...


@runtime_checkable
class Numbered(Protocol):
    """A game whose deals have numbers and can be written."""

    def deal_set(self, name: str) -> Sequence[int]:
        """The deals of a named set or a range; ``BadInput`` naming the sets there are."""
        ...

    def read_deal(self, number: int) -> Any:
        """The board of a deal number; ``BadInput`` if there is none."""
        ...

    def write_board(self, board: Any) -> str:
        """A board as text, which ``read_boards`` reads if the game has it."""
        ...


@runtime_checkable
class ReadsBoards(Protocol):
    """A game whose boards can be given as text."""

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[Any]:
        """The boards written in a text, in order; ``BadInput`` naming the line.

        Args:
            text: what to read.
            faults: receives what is wrong with each board that cannot be read, in whose place
                the list then has None; without it that is the error.
        """
        ...


@runtime_checkable
class LaysOut(Protocol):
    """A game whose boards are written in rows or in columns."""

    def laid_out(self, layout: str) -> Game:
        """The same game, whose boards are read as ``rows`` or as ``columns``."""
        ...


@runtime_checkable
class WritesSolutions(Protocol):
    """A game whose solutions can be written and read."""

    def write_solution(self, board: Any, outcome: Outcome) -> Iterable[str]:
        """A solution as lines for people to play."""
        ...

    def read_moves(self, text: str) -> list[str]:
        """The moves in a solution's text; ``ValueError`` if it holds none."""
        ...


@runtime_checkable
class Verifies(Protocol):
    """A game that can replay moves by its rules."""

    def verify(self, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL) -> str:
        """What is wrong with moves, empty if they solve the board.

        Args:
            board: where the game stands.
            moves: tokens.
            goal: search parameters, those of ``HasGoals.goal`` among them.
        """
        ...


@runtime_checkable
class HasGoals(Protocol):
    """A game that can be played for more than one goal."""

    def goal(self, text: str) -> Mapping[str, Value]:
        """The search parameters of a goal; ``BadInput`` naming the goals there are."""
        ...


@runtime_checkable
class Draws(Protocol):
    """A game whose positions can be drawn."""

    def draw_solution(self, board: Any, outcome: Outcome) -> Iterable[str]:
        """A solution as lines, with the position before it and after each move."""
        ...


@runtime_checkable
class MarksReachable(Protocol):
    """A game with a talon, of whose cards some can be played now."""

    def write_reachable(self, board: Any) -> str:
        """A board as text, those cards marked."""
        ...


@runtime_checkable
class HiddenPlay(Protocol):
    """A game that can also be played with some of its cards hidden from the player."""

    @property
    def policies(self) -> tuple[Policy, ...]:
        """What plays it."""
        ...

    def check_policy(
        self, policy: str, parameters: Mapping[str, Value], timed: bool, weights: Weights | None
    ) -> dict[str, Value]:
        """Every parameter of a policy with its value.

        ``BadInput`` unless there is such a policy with such parameters that takes the weights.

        Args:
            policy: its name.
            parameters: those given.
            timed: whether it is to play to a clock.
            weights: of the policy's search; None for its own.
        """
        ...

    def check_start(self, board: Any) -> None:
        """Raise ``BadInput`` unless a game can be played from a board."""
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

        One without moves if the game is won, none if it is proved to be lost. ``BadInput`` if
        the policy gives no hints.
        """
        ...

    def about_advice(self, board: Any) -> Sequence[str]:
        """What a person has to know of such advice, in paragraphs."""
        ...


def games() -> list[str]:
    """Names of the games there are."""
    return plugins.names("game")


def game(name: str) -> Game:
    """A registered game, or one that was handed in.

    Raises:
        PluginError: naming the games there are if this is none of them, or the members that
            it lacks.
    """
    found = _made(plugins.find("game", name))
    lacking = plugins.missing(found, Game)
    if lacking:
        raise plugins.PluginError(
            f"the game {name!r} lacks {', '.join(lacking)}: gafreecell.BaseGame has a default for "
            "most of what a game needs"
        )
    checked: Game = found
    if checked.name != name:
        raise plugins.PluginError(
            f"the game {name!r} calls itself {checked.name!r}: register it under that name"
        )
    return checked


def able(chosen: Game, kind: type[Ability], what: str) -> Ability:
    """The game, as one that can do what a command needs.

    Args:
        chosen: the game.
        kind: the protocol.
        what: it cannot do, in words that follow its title.

    Raises:
        GameError: naming the games that can if this one cannot.
    """
    if isinstance(chosen, kind):
        return chosen
    others = ", ".join(plugins.those("game", lambda other: isinstance(_made(other), kind)))
    raise GameError(f"{chosen.title} {what}" + (f"; {others} can" if others else ""))


def _made(found: Any) -> Any:
    """A game, where its class was registered or handed in."""
    return found() if isinstance(found, type) else found


def presets_of(chosen: Game) -> tuple[str, ...]:
    """Names of a game's presets; none for a game without them."""
    return chosen.presets if isinstance(chosen, HasPresets) else ()


def variant_text(variant: Mapping[str, Value]) -> str:
    """A game's options for people."""
    return ", ".join(
        f"{value} {name}"
        if name.endswith("s") and not isinstance(value, str)
        else f"{name} {value}"
        for name, value in variant.items()
    )


def full_title(chosen: Game) -> str:
    """A game's title with its options, for people."""
    options = variant_text(chosen.variant)
    return f"{chosen.title} with {options}" if options else chosen.title


def limits_text(limits: Limits) -> str:
    """Limits in words, for tables: always name the budget beside a count of nodes."""
    parts = [f"{limits.nodes:,} nodes"]
    if limits.seconds is not None:
        parts.append(f"{limits.seconds:g} s")
    return ", ".join(parts)
