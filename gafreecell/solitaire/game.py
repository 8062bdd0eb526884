"""What the framework knows of a game, and which games there are.

``Game`` is what evolution needs; it never depends on which game it is. Whatever else a game can
do (read boards, verify, be drawn, be played with hidden cards, ...) is a protocol of its own
(``gafreecell.abilities``). Commands that need it check for it by type (``able``). Games register
under the entry point group ``gafreecell.games``; so do the built-in ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, TypeVar, runtime_checkable

from deals.checks import whole
from deals.words import plural
from gafreecell.installed import plugins
from gafreecell.solitaire.abilities import BoardsVary, HasPresets, NamesRules
from gafreecell.solitaire.declarations import check_declared, check_features
from gafreecell.solving.contract import GameError as GameError
from gafreecell.solving.contract import require
from gafreecell.solving.features import Feature, Scales
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Search, Task
from gafreecell.solving.parameters import Value

DEFAULT = "freecell"
"""The game of commands and jobs that do not name one."""
Deal = int | str
"""What a solver is measured on: a deal number, or a name that the game understands."""
Ability = TypeVar("Ability")


@runtime_checkable
class Game(Protocol):
    """A game, as evolution sees it."""

    @property
    def name(self) -> str:
        """The name in ``--game`` and in files."""

    @property
    def title(self) -> str:
        """The name for people."""

    @property
    def engine(self) -> str:
        """The engine number of its solvers: solvers with another one may return other counts."""

    @property
    def variant(self) -> Mapping[str, Value]:
        """The value of each of its options, such as the number of cells."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """What evaluators can weigh, in the engine's order."""

    @property
    def default_features(self) -> tuple[str, ...]:
        """Names of the features that a job trains by default."""

    @property
    def scales(self) -> Scales:
        """How large its searches and solutions usually are."""

    @property
    def training(self) -> str:
        """The name of the deals that a job trains on by default."""

    @property
    def validation(self) -> str:
        """The name of the deals that choose a job's best weights by default."""

    def vary(self, **options: Value) -> Game:
        """The same game with other options; an unknown option raises ``BadInput``."""

    def check(self, search: Search, features: Sequence[str] = ()) -> None:
        """Raise ``BadInput`` unless the search exists and can weigh these features."""

    def deals(self, name: str) -> Sequence[Deal]:
        """A set of deals by name; an unknown name raises ``BadInput``, which lists the sets."""

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Solve the tasks one after another; may be called from several threads at once."""


AnyGame = str | Game | type[Game]
"""A game's name, a game, or a class that makes a game without arguments."""


def games() -> list[str]:
    """Names of the games there are."""
    return plugins.names("game")


def game(name: str) -> Game:
    """A registered game, or one that was handed in.

    Raises:
        PluginError: if there is no such game (lists the games), or it lacks members (names them).
    """
    registered = plugins.find("game", name)
    known, found = _checked.get(name, (None, None))
    if found is not None and known is registered:
        return found
    found = checked(registered, name)
    if found.name != name and name not in getattr(found, "names", ()):
        raise plugins.PluginError(
            f"the game {name!r} calls itself {found.name!r}: register it under that name"
        )
    _checked[name] = registered, found
    return found


_checked: dict[str, tuple[Any, Game]] = {}
"""By name, what was registered or handed in, and the game, which is checked once."""


def checked(brought: Any, name: str = "") -> Game:
    """A user's game, instantiated if its class was given, with its declarations checked.

    Args:
        brought: the game or its class.
        name: the name for messages, if the game has none.

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


def members(deals: Sequence[Deal]) -> Collection[Deal]:
    """The same deals, for quick membership tests; a range has them itself."""
    return deals if isinstance(deals, range) else frozenset(deals)


def deals_named(chosen: Game, name: str) -> Sequence[Deal]:
    """A game's set of deals by name, checked; numpy's numbers become Python's.

    Raises:
        BadInput: if there is no such set.
        GameError: if it is not a list of numbers and names.
    """
    found: Any = chosen.deals(name)
    asked = f"the game {chosen.name!r}: deals({name!r}) must be a list of numbers and names"
    mend = "name each deal by a whole number or a text"
    fine = hasattr(found, "__getitem__") and not isinstance(found, str | bytes | Mapping)
    require(fine, asked, found, mend)
    if isinstance(found, range) or {*map(type, found)} <= {int, str}:
        return found  # type: ignore[no-any-return]
    deals = [one if isinstance(one, str) else whole(one) for one in found]
    require(None not in deals, asked, found, mend)
    return deals  # type: ignore[return-value]


def members_missing(found: Any) -> list[str]:
    """Names of the members of ``Game`` that something lacks.

    Raises:
        GameError: if its features are wrong, since other members depend on them.
    """
    features = getattr(found, "features", ())
    try:
        check_features(features)
    except GameError as error:
        raise GameError(f"the game {getattr(found, 'name', '?')!r}: {error}") from None
    return plugins.missing(found, Game)


def games_where(test: Callable[[Any], bool]) -> list[str]:
    """Names of the games that pass a test; games that cannot be loaded are skipped."""
    return plugins.those("game", lambda found: test(made(found)))


def able(chosen: Game, kind: type[Ability], what: str) -> Ability:
    """The game, typed as one with an ability.

    Args:
        chosen: the game.
        kind: the protocol of the ability.
        what: the message if it lacks the ability, after its title: ``cannot ...``.

    Raises:
        GameError: if it lacks the ability; the message names the games that have it.
    """
    if isinstance(chosen, kind):
        return chosen
    raise _unable(chosen, what, lambda other: isinstance(other, kind))


def method(chosen: Game, name: str, what: str) -> Callable[..., Any]:
    """A method that only some games have; ``what`` and errors as for ``able``."""
    if hasattr(chosen, name):
        return getattr(chosen, name)  # type: ignore[no-any-return]
    raise _unable(chosen, what, lambda other: hasattr(other, name))


def _unable(chosen: Game, what: str, can: Callable[[Any], bool]) -> GameError:
    others = ", ".join(games_where(can))
    return GameError(f"{chosen.title} {what}" + (f"; {others} can" if others else ""))


def made(found: Any) -> Any:
    """The game, instantiated if its class was registered or handed in."""
    if not isinstance(found, type):
        return found
    try:
        return found()
    except TypeError as error:
        raise GameError(
            f"the class {found.__name__} must make a game without arguments, got {error}: give its "
            "arguments defaults, or hand in a game instead of its class"
        ) from error


def presets_of(chosen: Game) -> tuple[str, ...]:
    """Names of a game's presets; none for a game without them."""
    return chosen.presets if isinstance(chosen, HasPresets) else ()


def returns_the_same(chosen: Game, engine: str | None) -> bool:
    """Whether the searches of another engine of a game returned what they return now."""
    return engine in (chosen.engine, *getattr(chosen, "earlier_engines", ()))


def takes_schedules(chosen: Game, search: str) -> bool:
    """Whether a search of a game takes schedules: evaluators with several phases."""
    return search in getattr(chosen, "scheduled", ())


def takes_rules(chosen: Game, search: str) -> bool:
    """Whether a search of a game takes policies of rules."""
    return search in getattr(chosen, "ruled", ())


def check_kind(chosen: Game, search: str, evaluator: Evaluator | None) -> None:
    """Refuse a schedule or policy that a game's search does not take.

    Raises:
        GameError: naming the search.
    """
    if evaluator is None:
        return
    if evaluator.phases and not takes_schedules(chosen, search):
        phases = plural(len(evaluator.phases), "phase")
        raise GameError(f"a schedule of {phases}: the search {search} takes no schedules")
    if evaluator.rules and not takes_rules(chosen, search):
        rules, able = plural(len(evaluator.rules), "rule"), ", ".join(getattr(chosen, "ruled", ()))
        raise GameError(
            f"a policy of {rules}: the search {search} takes no rules"
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


def rules_text(chosen: Game, variant: Mapping[str, Value]) -> str:
    """A game's options in its own words if it has some; empty if there is nothing to say."""
    return (
        chosen.rules_in_words(variant) if isinstance(chosen, NamesRules) else variant_text(variant)
    )


def full_title(chosen: Game, variant: Mapping[str, Value] | None = None) -> str:
    """A game's title with its options, for people.

    Args:
        chosen: the game.
        variant: the options; by default the game's own.
    """
    options = rules_text(chosen, chosen.variant if variant is None else variant)
    return f"{chosen.title} with {options}" if options else chosen.title


@cache
def usual_variant(name: str) -> Mapping[str, Value]:
    """The usual options of a game, looked up once: a lookup reads a file of each package."""
    return game(name).variant


def variant_played(chosen: Game, board: Any) -> Mapping[str, Value]:
    """The options under which a deal is played: a board may imply some, a deal number does not."""
    # Most deals are numbers, and asking for an ability costs ten microseconds.
    if not isinstance(board, int) and isinstance(chosen, BoardsVary):
        return chosen.variant_of(board)
    return chosen.variant


def search_text(search: Search) -> str:
    """A search in words: "staged: depth 2, automatic safe"."""
    parameters = ", ".join(f"{key} {value}" for key, value in search.parameters.items())
    return f"{search.name}: {parameters}" if parameters else search.name


def limits_text(limits: Limits) -> str:
    """Limits in words. Counts of nodes mean little without their budget, so always name it."""
    parts = [plural(limits.nodes, "node")]
    if limits.seconds is not None:
        parts.append(f"{limits.seconds:g} s")
    return ", ".join(parts)
