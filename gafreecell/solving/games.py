"""Base classes of games; ``solitaire.game`` has the protocol that the framework uses.

``BaseGame`` is for a game of your own: define ``name``, ``features``, ``deal`` and ``solve``;
everything else has a default. ``SearchedGame`` is for games whose searches are
``solving.search.GameSearch``es.
"""

from __future__ import annotations

import copy
import hashlib
import inspect
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar, Self
from uuid import uuid4

import numpy as np

from deals.errors import BadInput, did_you_mean
from deals.sets import parse_range
from gafreecell.solving import stopping
from gafreecell.solving.contract import (
    GameError,
    blaming,
    check_parameters,
    is_named,
    named_errors,
    outcome_of,
    outcomes_of_run,
)
from gafreecell.solving.features import Feature, Scales
from gafreecell.solving.loading import Part
from gafreecell.solving.outcome import RULES, Evaluator, Limits, Outcome, Search, Task
from gafreecell.solving.parameters import Parameter, ParameterError, Value, read_parameters
from gafreecell.solving.policy import policy_of
from gafreecell.solving.solutions import read_moves
from gafreecell.solving.solver import Solver, weight_vector
from gafreecell.solving.sources import unit_of
from gafreecell.solving.weights import Weights

_IN_A_ROW = 16
"""How many moves to write on a line."""
LARGEST_POOL = 1_000_000
"""The most deals in a set; more would take minutes to list and gigabytes to keep."""
_LOADED: set[tuple[type[Any], str]] = set()
_LOADING = RLock()
UNSAVED = "unsaved-"
"""Prefix of the engine number of a game without a source file. Nothing of it is kept on disk."""
Solved = tuple[Sequence[str] | None, int]
"""The moves, None if no solution was found, and the number of nodes generated."""
FURTHER = ("search", "seconds", "limits", "policy")
"""Optional arguments of a game's ``solve``: those that its signature names are passed."""


class BaseGame:
    """A game with a default for everything but ``name``, ``features``, ``deal`` and ``solve``.

    Return values are checked; a ``GameError`` says what is wrong. A subclass may override
    everything else. An instance must be immutable and cheap to pickle, as it goes to worker
    processes with every batch of tasks.

    Attributes:
        name: as written after ``--game`` and in files.
        title: the name for people; by default ``name`` with a capital letter.
        features: what evaluators can weigh, in the order of ``solve``'s weights.
        options: the game's options, such as the number of cells; ``variant`` has their values.
        scales: how large its searches are.
        smallest, largest: its smallest and its largest deal number.
        training, validation: the default deals of a job's training and validation.
        held_out: the deals of figures that show progress on unseen deals; if empty, those that
            follow the job's deals.
        searches: names of its searches.
        unguided: those that need no evaluator.
        scheduled: those that take schedules.
        steady: limits of which more changes no deal that less decided, by search.
        earlier_engines: earlier engine numbers whose searches returned what they return now, so
            runs made under them can be resumed.
        presets: names of its presets.
        default_preset: the preset used if none is named.
        preset_meanings: what presets are for, in a few words, by their names.
        length_meanings: what the numbers of ``Outcome.lengths`` count, by their names.
        comparison_presets: those that figures compare evolved solvers with.
        adviser: the preset that hints come from, empty for the default one, and changes to the
            parameters of its search.
    """

    name: ClassVar[str]
    title: ClassVar[str] = ""
    features: ClassVar[tuple[Feature, ...]]
    options: ClassVar[tuple[Parameter, ...]] = ()
    scales: ClassVar[Scales] = Scales()
    smallest: ClassVar[int] = 1
    largest: ClassVar[int] = 1_000_000
    training: ClassVar[str] = "1-1000"
    validation: ClassVar[str] = "1001-1200"
    held_out: ClassVar[str] = ""
    searches: ClassVar[tuple[str, ...]] = ("solve",)
    unguided: ClassVar[tuple[str, ...]] = ()
    scheduled: ClassVar[tuple[str, ...]] = ()
    steady: ClassVar[Mapping[str, frozenset[str]]] = {}
    earlier_engines: ClassVar[tuple[str, ...]] = ()
    presets: ClassVar[tuple[str, ...]] = ("baseline",)
    default_preset: ClassVar[str] = "baseline"
    preset_meanings: ClassVar[Mapping[str, str]] = {}
    length_meanings: ClassVar[Mapping[str, str]] = {}
    comparison_presets: ClassVar[tuple[str, ...]] = ("baseline",)
    adviser: ClassVar[tuple[str, Mapping[str, Value]]] = ("", {})

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "name" in cls.__dict__ and "title" not in cls.__dict__:
            cls.title = cls.name.capitalize()
        if "problems" in cls.__dict__ and "deals" not in cls.__dict__:
            # Otherwise jobs would silently train on the default deals.
            raise GameError(
                f"{cls.__name__}.problems is now called deals: rename the method to deals(name)"
            )

    def __init__(self, **options: Value) -> None:
        """Make the game with these options; others keep their defaults.

        Raises:
            ParameterError: if the game does not have one of them.
            GameError: if ``options`` of the class are not parameters.
        """
        check_parameters(self.options, f"{type(self).__name__}.options")
        self.given: Mapping[str, Value] = self._read_options(options)

    def deal(self, number: int) -> Any:
        """The board of a deal number; always the same for the same number."""
        raise GameError(f"the game {self.name!r} has no deal(number): define it")

    def solve(self, deal: Any, weights: np.ndarray, nodes: int) -> Outcome | Solved:
        """Search for a solution; a pure function, called from several threads at once.

        It may have further arguments, which are passed by name:

        - ``search``: the ``Search`` to run, with a value for each of its ``parameters``;
        - ``seconds``: the limit of processor time, None for none; without this argument or
          ``limits``, limits in seconds are refused;
        - ``limits``: the ``Limits`` with all that the search may spend, memory and seconds, too;
        - ``policy``: the ``solving.policy.Policy`` of an evaluator with rules, None for a weighted
          sum; without this argument, rules are refused.

        Args:
            deal: a board.
            weights: float64, a weight for each of ``features``; with rules, those of the default.
            nodes: the budget: how many states may be generated.

        Returns:
            The moves (None without a solution) and the number of nodes generated, or an
            ``Outcome``.
        """
        raise GameError(f"the game {self.name!r} has no solve(deal, weights, nodes): define it")

    @property
    def engine(self) -> str:
        """The version of the game's solvers; by default a hash of the sources of its package.

        For a class in a module outside packages it is a hash of that module. Cached baselines and
        resumed runs belong to one engine. Without a source file, the engine is unique to this
        process.
        """
        kind: Any = type(self)
        return _source_hash(kind)

    @property
    def default_features(self) -> tuple[str, ...]:
        """Names of the features that a job trains if it names none."""
        return tuple(feature.name for feature in self.features)

    @property
    def ruled(self) -> tuple[str, ...]:
        """Searches that take rules; by default all, if ``solve`` has an argument ``policy``."""
        kind: Any = type(self)
        return self.searches if "policy" in _further(kind) else ()

    @property
    def variant(self) -> Mapping[str, Value]:
        """The value of every option."""
        return {option.name: self.given.get(option.name, option.default) for option in self.options}

    @property
    def _is_usual(self) -> bool:
        """Whether every option has its default."""
        given = self.given
        return all(
            given.get(option.name, option.default) == option.default for option in self.options
        )

    def vary(self, **options: Value) -> Self:
        """The same game with other options; ``ParameterError`` for an unknown option."""
        varied = copy.copy(self)
        varied.given = {**self.given, **self._read_options(options)}
        return varied

    def _read_options(self, options: Mapping[str, Value]) -> dict[str, Value]:
        values = read_parameters(self.title, self.options, options, "option")
        return {name: values[name] for name in options}

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Solve the tasks one after another; may be called from several threads at once."""
        return [self._run(task) for task in tasks]

    def _run(self, task: Task) -> Outcome:
        stopping.check()
        limits, search = task.limits, task.search
        with blaming(self.name, task.deal, "deal"):
            board = self.deal(task.deal) if isinstance(task.deal, int) else task.deal
        weights = weight_vector(self.title, self.features, task.evaluator)
        kind: Any = type(self)
        further = _further(kind)
        if limits.seconds is not None and not {"seconds", "limits"} & {*further}:
            raise GameError(
                f"{self.title} cannot be limited in time, only in nodes: leave out the seconds, or "
                "give the game's solve an argument seconds=None and stop there"
            )
        keywords: dict[str, Any] = {}
        by_rules = task.evaluator if task.evaluator and task.evaluator.kind == RULES else None
        if by_rules and search.name not in self.ruled:
            raise ParameterError(f"the search {search.name} takes one weighted sum, no rules")
        if "policy" in further:
            policy = policy_of(by_rules, weights, self.features) if by_rules else None
            weights = weights if policy is None else policy.default
            keywords["policy"] = policy
        if "seconds" in further:
            keywords["seconds"] = limits.seconds
        if "limits" in further:
            keywords["limits"] = limits
        if "search" in further:
            known = self.parameters(search.name)
            values = read_parameters(f"the search {search.name}", known, search.parameters)
            keywords["search"] = replace(search, parameters=values)
        with blaming(self.name, task.deal, "solve"):
            self._load(search.name, board, weights, keywords)
            began = time.thread_time()
            found = self.solve(board, weights, limits.nodes, **keywords)
            seconds = time.thread_time() - began
            return outcome_of(found, limits.nodes, seconds, limits.seconds)

    def _load(
        self, search: str, board: Any, weights: np.ndarray, keywords: Mapping[str, Any]
    ) -> None:
        """Compile or load kernels before the clock starts, once per process and search.

        These are the parts of ``gafreecell.abilities.Compiles``, if the game has them, and whatever
        a search of one node needs.
        """
        key = type(self), search
        with _LOADING:
            if key in _LOADED:
                return
            load: Any = getattr(self, "load", None)
            for part in getattr(self, "parts", ()) if load else ():
                load(part)
            if "limits" in keywords:
                keywords = {**keywords, "limits": replace(keywords["limits"], nodes=1)}
            self.solve(copy.deepcopy(board), weights, 1, **keywords)
            _LOADED.add(key)

    def check(self, search: Search, features: Sequence[str] = ()) -> None:
        """Raise ``BadInput`` unless the search exists and can weigh these features."""
        if search.name not in self.searches:
            raise ParameterError(
                f"there is no search {search.name!r}; there are {', '.join(self.searches)}"
                + did_you_mean(search.name, self.searches)
            )
        read_parameters(
            f"the search {search.name}", self.parameters(search.name), search.parameters
        )
        weight_vector(self.title, self.features, Evaluator(tuple(features), (0.0,) * len(features)))

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        """The parameters of a search."""
        return ()

    def preset(self, name: str) -> Weights:
        """A preset; by default there is only ``baseline``. ``ParameterError`` for other names."""
        if name != "baseline":
            raise ParameterError(f"there is no preset {name!r}; {self.title} has baseline")
        baseline = Evaluator(
            tuple(feature.name for feature in self.features),
            tuple(feature.baseline for feature in self.features),
        )
        source = {"published": "the game's baseline weights, untrained"}
        search = Search(self.searches[0])
        return Weights(self.name, self.variant, baseline, search, Limits(), source)

    def deals(self, name: str) -> Sequence[int | str]:
        """The deals of a named set to train on: all except those known to be unsolvable.

        Raises:
            BadInput: if there is no such set, or it has more than ``LARGEST_POOL`` deals.
        """
        deals = self.deal_set(name)
        if len(deals) > LARGEST_POOL:
            raise ParameterError(
                f"{name!r} has {len(deals):,} deals, more than {LARGEST_POOL:,}: name a part of it"
            )
        # A range without unsolvable deals stays a range, which takes no room and no time.
        hopeless = {deal for deal in self.unsolvable() if deal in deals}
        return [deal for deal in deals if deal not in hopeless] if hopeless else deals

    def unsolvable(self) -> frozenset[int]:
        """Deals known to be unsolvable; training pools leave them out."""
        return frozenset()

    def deal_set(self, name: str) -> Sequence[int]:
        """The deals of a range or a named set; ``BadInput`` if there is no such set."""
        numbers = parse_range(name, self.largest, self.smallest)
        if numbers is None:
            raise ParameterError(
                f"{self.title} has no set of deals {name!r}: write a range such as 1-1000"
            )
        return numbers

    def read_deal(self, number: int) -> Any:
        """The board of a deal number; ``BadInput`` if there is none."""
        if not self.smallest <= number <= self.largest:
            raise ParameterError(
                f"there is no deal {number}: deals are numbered {self.smallest} to {self.largest:,}"
            )
        with blaming(self.name, number, "deal"):
            return self.deal(number)

    def write_board(self, board: Any) -> str:
        """A board as text."""
        return str(board)

    def listed(self, board: Any, move: str) -> str:
        """The move among ``legal_moves`` that a legal move is equivalent to; by default itself."""
        return move

    def write_solution(self, board: Any, outcome: Outcome) -> Iterable[str]:
        """A solution as lines of text."""
        moves = outcome.moves or ()
        for i in range(0, len(moves), _IN_A_ROW):
            yield " ".join(moves[i : i + _IN_A_ROW])

    def read_moves(self, text: str) -> list[str]:
        """The moves in a solution's text; ``ValueError`` if it has none."""
        return read_moves(text)


class SearchedGame(BaseGame):
    """A game whose searches and presets come from a ``Solver``.

    Attributes:
        solver: its searches and presets.
    """

    solver: ClassVar[Solver[Any]]

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        solver = getattr(cls, "solver", None)
        if solver is None:
            # A base of several games, each with a solver of its own.
            return
        if "title" not in cls.__dict__ or cls.title == cls.name.capitalize():
            cls.title = solver.title
        cls.searches = tuple(solver.searches)
        cls.unguided = tuple(n for n, search in solver.searches.items() if not search.guided)
        cls.scheduled = tuple(n for n, search in solver.searches.items() if search.schedules)
        cls.steady = {name: search.steady for name, search in solver.searches.items()}
        cls.presets = solver.presets.names
        cls.default_preset = solver.presets.default
        cls.preset_meanings = solver.presets.meanings

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        # What tasks must have in common to be solved in one call.
        how = attrgetter("evaluator", "search", "limits")
        for (evaluator, search, limits), same in groupby(tasks, how):
            deals = [task.deal for task in same]
            outcomes += self.solver.run_many(deals, evaluator, search, limits, self.variant)
        return outcomes

    @property
    def ruled(self) -> tuple[str, ...]:
        return tuple(name for name, search in self.solver.searches.items() if search.rules)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is compiled on first use: the searches."""
        return tuple(map(self.solver.part, self.searches))

    def load(self, part: Part) -> None:
        """Compile one of its parts, or load it from the cache."""
        self.solver.instance(self.searches[self.parts.index(part)])

    def check(self, search: Search, features: Sequence[str] = ()) -> None:
        self.solver.check(search, features)

    def check_deal(self, deal: Any) -> None:
        """Raise ``BadInput`` unless the searches can take a deal: a board or a number."""
        self.solver.check_deal(deal, self.variant)

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        return self.solver.searches[search].parameters

    def preset(self, name: str) -> Weights:
        return self.solver.presets.read(name)


def solved_by(game: Any, tasks: Sequence[Task]) -> list[Outcome]:
    """The outcomes of tasks, checked if the game has a ``run`` of its own.

    ``BaseGame`` checks what ``solve`` returns itself.

    Raises:
        GameError: if they break the contract, or the game calls ``sys.exit`` or raises what is
            no ``Exception``. This and whatever else the game raises names it and the deal.
    """
    ours = getattr(type(game), "run", None) in (BaseGame.run, SearchedGame.run)
    try:
        found: list[Outcome] = game.run(tasks)
    except BaseException as error:
        if is_named(error) or (ours and isinstance(error, BadInput)):
            raise
        # Alone, each task tells whether it is at fault.
        for task in tasks:
            with blaming(game.name, task.deal, "run"):
                game.run([task])
        with named_errors(f"the game {game.name!r}: run", GameError):
            raise
    if ours:
        return found
    outcomes = outcomes_of_run(found, tasks, game.name)
    different = {id(one): one.lengths for one in found if one.lengths is not None}
    if len({*map(id, different.values())}) < len(different):
        # One mapping, filled anew for each task, would give all of them the last one's lengths.
        return [
            one for task in tasks for one in outcomes_of_run(game.run([task]), [task], game.name)
        ]
    return outcomes


@cache
def _further(kind: type[Any]) -> tuple[str, ...]:
    """Which of ``FURTHER`` a game's ``solve`` takes by name."""
    try:
        taken = inspect.signature(kind.solve).parameters.values()
    except (TypeError, ValueError):
        return ()
    names = {one.name for one in taken if one.kind is not one.POSITIONAL_ONLY}
    if any(one.kind is one.VAR_KEYWORD for one in taken):
        # A solve with **keywords may ignore a policy, so it does not count as taking one.
        names |= set(FURTHER) - {"policy"}
    return tuple(name for name in FURTHER if name in names)


@cache
def _source_hash(kind: type[Any]) -> str:
    module = sys.modules.get(kind.__module__)
    package = sys.modules.get(unit_of(kind.__module__))
    file = getattr(module, "__file__", None)
    if package is not None and hasattr(package, "__path__"):
        folder = Path(next(iter(package.__path__)))
        sources = [path.read_bytes() for path in sorted(folder.rglob("*.py"))]
    elif file and Path(file).is_file():
        sources = [Path(file).read_bytes()]
    else:
        try:
            sources = [inspect.getsource(kind).encode()]
        except (OSError, TypeError):
            return f"{UNSAVED}{uuid4().hex[:12]}"
    return hashlib.sha256(b"\0".join(sources)).hexdigest()[:12]
