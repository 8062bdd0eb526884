"""What the framework knows of a game, and which games there are.

``Game`` is what evolution needs; it never asks which game it is. What else a game can do
(read boards, verify, be drawn, be played with hidden cards, ...) is a protocol of its own
(``gafreecell.abilities``), which the commands that need it ask for by type (``able``). Games
register under the entry point group ``gafreecell.games``; the built-in ones do too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from deals.words import plural
from gafreecell import plugins
from gafreecell.abilities import HasPresets
from gafreecell.declarations import check_declared, check_features
from solving.contract import GameError as GameError
from solving.features import Feature, Scales
from solving.outcome import Evaluator, Limits, Outcome, Search, Task
from solving.parameters import Value

DEFAULT = "freecell"
"""The game of commands and jobs that name none."""
Problem = int | str
"""What a solver is measured on: a deal number, or the name of whatever else the game knows."""
Ability = TypeVar("Ability")


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


AnyGame = str | Game | type[Game]
"""A game by its name, a game, or the class of one that needs no arguments."""


def games() -> list[str]:
    """Names of the games there are."""
    return plugins.names("game")


def game(name: str) -> Game:
    """A registered game, or one that was handed in.

    Raises:
        PluginError: naming the games there are if this is none of them, or the members that
            it lacks.
    """
    found = checked(plugins.find("game", name), name)
    if found.name != name:
        raise plugins.PluginError(
            f"the game {name!r} calls itself {found.name!r}: register it under that name"
        )
    return found


def checked(brought: Any, name: str = "") -> Game:
    """A game that someone brought, or one made of its class, its declarations checked.

    Args:
        brought: the game or its class.
        name: what messages call one that has no name.

    Raises:
        PluginError: naming the members that it lacks.
        GameError: saying what is wrong with its declarations.
    """
    found = made(brought)
    lacking = members_missing(found)
    if lacking:
        name = getattr(found, "name", name or type(found).__name__)
        raise plugins.PluginError(
            f"the game {name!r} lacks {', '.join(lacking)}: gafreecell.BaseGame has a default for "
            "most of what a game needs"
        )
    game: Game = found
    check_declared(game)
    return game


def members_missing(found: Any) -> list[str]:
    """Names of the members of ``Game`` that something lacks.

    Raises:
        GameError: if its features are none, of which other members are made.
    """
    features = getattr(found, "features", ())
    try:
        check_features(features)
    except GameError as error:
        raise GameError(f"the game {getattr(found, 'name', '?')!r}: {error}") from None
    return plugins.missing(found, Game)


def games_where(test: Callable[[Any], bool]) -> list[str]:
    """Names of the games for which something holds; what cannot be loaded is passed over."""
    return plugins.those("game", lambda found: test(made(found)))


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
    others = ", ".join(games_where(lambda other: isinstance(other, kind)))
    raise GameError(f"{chosen.title} {what}" + (f"; {others} can" if others else ""))


def made(found: Any) -> Any:
    """A game, where its class was registered or handed in."""
    if not isinstance(found, type):
        return found
    try:
        return found()
    except TypeError as error:
        raise GameError(
            f"the class {found.__name__} must make a game without arguments, got {error}: give the "
            "arguments defaults, or hand in a game instead of its class"
        ) from error


def presets_of(chosen: Game) -> tuple[str, ...]:
    """Names of a game's presets; none for a game without them."""
    return chosen.presets if isinstance(chosen, HasPresets) else ()


def takes_schedules(chosen: Game, search: str) -> bool:
    """Whether a search of a game takes schedules, evaluators with several phases."""
    return search in getattr(chosen, "scheduled", ())


def takes_rules(chosen: Game, search: str) -> bool:
    """Whether a search of a game takes policies of rules."""
    return search in getattr(chosen, "ruled", ())


def check_kind(chosen: Game, search: str, evaluator: Evaluator | None) -> None:
    """Refuse an evaluator of a kind that a search of a game does not take.

    Raises:
        GameError: naming the search.
    """
    if evaluator is None:
        return
    if evaluator.phases and not takes_schedules(chosen, search):
        phases = plural(len(evaluator.phases), "phase")
        raise GameError(f"a schedule of {phases}; the search {search} takes none")
    if evaluator.rules and not takes_rules(chosen, search):
        rules, able = plural(len(evaluator.rules), "rule"), ", ".join(getattr(chosen, "ruled", ()))
        raise GameError(
            f"a policy of {rules}; the search {search} takes no rules"
            + (f"; {able} can take them" if able else "")
        )


def variant_text(variant: Mapping[str, Value]) -> str:
    """A game's options for people."""
    return ", ".join(
        plural(value, name[:-1], name)
        if name.endswith("s") and not isinstance(value, str)
        else f"{name} {value}"
        for name, value in variant.items()
    )


def full_title(chosen: Game) -> str:
    """A game's title with its options, for people."""
    options = variant_text(chosen.variant)
    return f"{chosen.title} with {options}" if options else chosen.title


def search_text(search: Search) -> str:
    """A search in words: "staged: depth 2, automatic safe"."""
    parameters = ", ".join(f"{key} {value}" for key, value in search.parameters.items())
    return f"{search.name}: {parameters}" if parameters else search.name


def limits_text(limits: Limits) -> str:
    """Limits in words, for tables: always name the budget beside a count of nodes."""
    parts = [plural(limits.nodes, "node")]
    if limits.seconds is not None:
        parts.append(f"{limits.seconds:g} s")
    return ", ".join(parts)
