"""Runs the searches of a game: checks their parameters, keeps instances, spreads deals on cores."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Generic, TypeVar

import numpy as np

from deals.checks import expected, number_of_jobs, shown
from deals.errors import did_you_mean
from gafreecell.solving.features import Feature
from gafreecell.solving.loading import Part, loading
from gafreecell.solving.outcome import BOUND, LINEAR, RULES, Evaluator, Limits, Outcome, Search
from gafreecell.solving.parameters import ParameterError, Value, read_parameters
from gafreecell.solving.policy import Policy, policy_of
from gafreecell.solving.rules import OVER, Comparison, Rule
from gafreecell.solving.search import Found, GameSearch
from gafreecell.solving.stopping import interruptible
from gafreecell.solving.weights import Presets, Weights, WeightsError, check_game

Position = TypeVar("Position")
Written = tuple[tuple[str, ...], dict[str, int]]
"""A solution's tokens, and its lengths by unit."""
LIMITS = "limits must be a gafreecell.solving.outcome.Limits, as in Limits(nodes=100_000)"


def weight_vector(
    title: str, features: Sequence[Feature], evaluator: Evaluator | None
) -> np.ndarray:
    """An evaluator's weights in the order of a game's features, zero for those it does not name.

    Returns:
        float64[features]; for a schedule float64[phases, features]; for rules float64[rules + 1,
        features], the default's last.

    Raises:
        WeightsError: if the evaluator has unknown features; the message names them.
    """
    places = {feature.name: place for place, feature in enumerate(features)}
    if evaluator is None:
        return np.zeros(len(places))
    unknown = [name for name in evaluator.features if name not in places]
    if unknown:
        raise WeightsError(
            f"unknown features {', '.join(unknown)}; {title} has {', '.join(places) or 'none'}"
        )
    named = [places[name] for name in evaluator.features]
    rows = np.zeros((len(evaluator.rows), len(places)))
    rows[:, named] = evaluator.rows
    return rows[0] if evaluator.kind == LINEAR else rows


class _Instances(threading.local):
    """The search instances of this thread; they reuse their arrays."""

    def __init__(self) -> None:
        self.by_name: dict[str, GameSearch[Any]] = {}
        self.with_rules: set[str] = set()


class Solver(Generic[Position]):
    """The searches of a game.

    Attributes:
        game: the game's name, as in weights files.
        title: its name for people.
        searches: its searches by name.
        presets: its presets.
    """

    def __init__(
        self,
        game: str,
        title: str,
        searches: Iterable[type[GameSearch[Position]]],
        features: tuple[Feature, ...],
        presets: Presets,
        *,
        pack: Callable[[Any, Mapping[str, Value]], Position],
        write: Callable[[Any, np.ndarray, Mapping[str, Value]], Written],
        trial: Callable[[], tuple[Position, Mapping[str, Value]]],
    ) -> None:
        """Describe the game.

        Args:
            game: its name, as in weights files.
            title: its name for people.
            searches: its searches.
            features: what evaluators can weigh, in the engine's order.
            presets: its presets.
            pack: turns a board or a deal number, and the game's variant, into a position that
                searches take.
            write: turns the deal, a solution's moves and the parameters into tokens and lengths.
            trial: returns a position that any search decides at once, and parameters. Each new
                instance runs on it, so that no deal's time includes loading the kernels.
        """
        self.game = game
        self.title = title
        self.searches = {search.name: search for search in searches}
        self.presets = presets
        self._features = features
        self._pack, self._write, self._trial = pack, write, trial
        self._instances = _Instances()
        self.weight_vector = lru_cache(maxsize=1000)(partial(weight_vector, title, features))
        self.policy = lru_cache(maxsize=1000)(self._policy)

    def check(self, search: Search, features: Iterable[str] = ()) -> dict[str, Value]:
        """The value of every parameter of a search, checked.

        Args:
            search: its name and parameters.
            features: the features that it should weigh.

        Raises:
            ParameterError: if the search or a parameter is unknown, a value is out of
                range, or the search cannot weigh a feature.
        """
        if search.name not in self.searches:
            raise ParameterError(
                f"there is no search {search.name!r}; there are {', '.join(self.searches)}"
                + did_you_mean(search.name, self.searches)
            )
        kind = self.searches[search.name]
        if kind.guided:
            self._check_weighs(kind, features)
        values = read_parameters(f"the search {search.name}", kind.parameters, search.parameters)
        kind.check(values)
        return values

    def check_deal(self, deal: Any, variant: Mapping[str, Value]) -> None:
        """Refuse a deal that no search can take.

        Args:
            deal: a board or a deal number.
            variant: the game's options, for deal numbers.

        Raises:
            DealError, ParameterError: saying what is wrong with it.
        """
        self._pack(deal, variant)

    def _check_weighs(self, kind: type[GameSearch[Position]], features: Iterable[str]) -> None:
        """Raise ``ParameterError`` if a search cannot weigh a feature; name all such features."""
        reasons: dict[str, str] = {}
        for feature in features:
            able = [name for name, other in self.searches.items() if feature in other.weighs]
            if able and kind.name not in able:
                reasons[feature] = f"; {', '.join(able)} can"
            elif feature in kind.cannot_weigh:
                reasons[feature] = f": {kind.cannot_weigh[feature]}"
        told = [feature + reason for feature, reason in reasons.items()]
        if len(told) > 1:
            told = [f"{feature} ({reason[2:]})" for feature, reason in reasons.items()]
        if told:
            raise ParameterError(f"the search {kind.name} cannot weigh {', '.join(told)}")

    def _policy(self, evaluator: Evaluator) -> Policy:
        """An evaluator's rules in the form that searches take."""
        return policy_of(evaluator, self.weight_vector(evaluator), self._features)

    def instance(self, name: str) -> GameSearch[Position]:
        """This thread's instance of a search, with its kernels compiled or loaded."""
        kept = self._instances.by_name
        if name not in kept:
            with loading(self.part(name)):
                search = self.searches[name]()
                position, parameters = self._trial()
                values = read_parameters(name, search.parameters, parameters)
                weights = self.weight_vector(None)
                search.run(position, weights, values, Limits())
                search.warm_up(position, weights)
            kept[name] = search
        return kept[name]

    def instance_with_rules(self, name: str) -> GameSearch[Position]:
        """As ``instance``, with the kernels for rules compiled or loaded, too."""
        search, ready = self.instance(name), self._instances.with_rules
        if name not in ready:
            part = self.part(name)
            with loading(replace(part, name=f"{part.name} with rules")):
                position, parameters = self._trial()
                values = read_parameters(name, search.parameters, parameters)
                search.run_policy(position, self._trial_policy(), values, Limits())
            ready.add(name)
        return search

    def _trial_policy(self) -> Policy:
        """A policy of one rule, which compares the first feature; all weights are zero."""
        name = self._features[0].name
        rule = Rule((Comparison(name, OVER, 0.0),))
        return self.policy(Evaluator((name,), (0.0, 0.0), (), (rule,), (0.0, 0.0)))

    def part(self, name: str) -> Part:
        """What progress bars show of a search while it is compiled."""
        search = self.searches[name]
        return Part(f"{self.title}'s search {name}", search.compiling, search.beside)

    def run(
        self,
        deal: Any,
        evaluator: Evaluator | None,
        search: Search,
        limits: Limits,
        variant: Mapping[str, Value],
    ) -> Outcome:
        """Run a search on one board; as ``run_many`` otherwise."""
        return self.run_many((deal,), evaluator, search, limits, variant)[0]

    def run_many(
        self,
        deals: Sequence[Any],
        evaluator: Evaluator | None,
        search: Search,
        limits: Limits,
        variant: Mapping[str, Value],
    ) -> list[Outcome]:
        """Run a search on many boards; the outcomes are in their order.

        Args:
            deals: boards and deal numbers.
            evaluator: what guides the search; None only for a search that needs none.
            search: its name and parameters.
            limits: what it may spend on each board.
            variant: the game's options, for deal numbers.

        Raises:
            ParameterError: if the search or a parameter is unknown, a value is out of
                range, or the evaluator is missing or of a kind that the search does
                not take.
            WeightsError: if the evaluator has unknown features.
            DealError: if there is no such deal.
        """
        expected(
            search, Search, "a search must be a gafreecell.solving.outcome.Search", ParameterError
        )
        if evaluator is not None:
            what = "an evaluator must be a gafreecell.solving.outcome.Evaluator or None"
            expected(evaluator, Evaluator, what, ParameterError)
        expected(limits, Limits, LIMITS, ParameterError)
        values = self.check(search, evaluator.features if evaluator else ())
        phases = evaluator.phases if evaluator else ()
        if phases:
            self.searches[search.name].check_phases(phases, search.parameters)
        by_rules = evaluator is not None and evaluator.kind == RULES
        if by_rules:
            self.searches[search.name].check_rules()
        load = self.instance_with_rules if by_rules else self.instance
        instance = load(search.name)
        if evaluator is None and instance.needs_weights(values):
            raise ParameterError(f"the search {search.name} needs weights")
        positions = [self._pack(deal, variant) for deal in deals]
        found: Iterable[Found]
        if evaluator is not None and by_rules:
            policy = self.policy(evaluator)
            found = [instance.run_policy(one, policy, values, limits) for one in positions]
        else:
            weights = self.weight_vector(evaluator)
            found = instance.run_batch(positions, weights, phases, values, limits)
        return [self._outcome(deal, one, values) for deal, one in zip(deals, found, strict=True)]

    def _outcome(self, deal: Any, found: Found, values: Mapping[str, Value]) -> Outcome:
        if found.moves is None:
            return Outcome(found.status, None, None, found.nodes, found.seconds)
        moves, lengths = self._write(deal, found.moves, values)
        if found.lengths is not None:
            lengths = dict(found.lengths)
        if found.bound is not None:
            lengths[BOUND] = found.bound
        return Outcome(found.status, moves, lengths, found.nodes, found.seconds)

    def solve(self, deal: Any, preset: str | Weights, limits: Limits | None) -> Outcome:
        """Solve one board with a preset or weights, by default within the preset's limits."""
        weights = self.weights(preset)
        with interruptible() as call:
            return call.run(self._run_weights, [deal], weights, limits)[0]

    def solve_many(
        self, deals: Iterable[Any], preset: str | Weights, jobs: int, limits: Limits | None
    ) -> list[Outcome]:
        """Solve many boards on several threads; the outcomes are in the order of the deals.

        Raises:
            ParameterError: if ``jobs`` is neither positive nor -1.
        """
        from joblib import Parallel, delayed

        workers = number_of_jobs(jobs, ParameterError)
        if isinstance(deals, str | bytes) or not isinstance(deals, Iterable):
            raise ParameterError(
                f"deals must be a range, or a list of boards and deal numbers, got {shown(deals)}"
            )
        weights = self.weights(preset)
        items = list(deals)
        batches = [items[i : i + 100] for i in range(0, len(items), 100)]

        def batch(part: list[Any]) -> list[Outcome]:
            return self._run_weights(part, weights, limits)

        with interruptible() as call:
            done = Parallel(n_jobs=workers, backend="threading")(
                delayed(call.run)(batch, part) for part in batches
            )
        return [outcome for part in done for outcome in part]

    def _run_weights(
        self, deals: Sequence[Any], weights: Weights, limits: Limits | None
    ) -> list[Outcome]:
        """Run weights, on the variant of the game that they were made for."""
        limits = weights.limits if limits is None else limits
        return self.run_many(deals, weights.evaluator, weights.search, limits, weights.variant)

    def weights(self, preset: str | Weights) -> Weights:
        """The weights of a preset; weights themselves are returned unchanged.

        Raises:
            WeightsError: if they belong to another game, or there is no such preset.
        """
        if isinstance(preset, Weights):
            check_game(preset, self.game)
            return preset
        if not isinstance(preset, str):
            raise WeightsError(
                f"a solver must be a preset's name or gafreecell.Weights, got {shown(preset)} "
                "(gafreecell.read_weights reads a file)"
            )
        return self.presets.read(preset)
