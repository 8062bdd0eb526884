"""Checks that trainers, schemes and fitness measures keep their contracts, on a small game."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from deals.words import plural
from gafreecell.evolution.generation import Encounter, Genome, Moment, Part, Result, Setting
from gafreecell.evolution.job import JobError
from gafreecell.evolution.job_reading import make_job
from gafreecell.evolution.log_lines import LOG_KEYS
from gafreecell.evolution.measures import Measure
from gafreecell.evolution.parts import Parts
from gafreecell.evolution.schemes import Scheme
from gafreecell.evolution.trainers import Trainer
from gafreecell.installed import plugins
from gafreecell.solitaire.declarations import check_word
from gafreecell.solitaire.game import Deal
from gafreecell.solving.contract import check_parameters
from gafreecell.solving.features import Feature, Scales
from gafreecell.solving.games import BaseGame
from gafreecell.solving.outcome import Evaluator, Outcome, Task
from gafreecell.solving.parameters import Value
from gafreecell.solving.policy import Policy
from gafreecell.solving.settings import merged
from gafreecell.testing.contract import (
    global_generators_untouched,
    require,
    require_json,
    told_as_breaches,
)

GENERATIONS, POPULATION, NODES = 4, 6, 2_000
Options = Mapping[str, Value]
Settings = Mapping[str, Any]


class Sums(BaseGame):
    """A game without cards: the further the weights are from a deal's own, the more nodes it takes.

    With a policy, two features of the deal choose the rule whose weights count. The size of the
    rule's offset adds to the distance.
    """

    name = "sums"
    features = (
        Feature("near", "the first weight", baseline=1.0),
        Feature("far", "the second weight", low=-1.0, high=2.0, baseline=2.0),
    )
    scales = Scales(nodes=10, moves=20)
    training, validation = "1-20", "21-25"

    def deal(self, number: int) -> int:
        return number

    def solve(
        self, deal: int, weights: np.ndarray, nodes: int, policy: Policy | None = None
    ) -> tuple[list[str] | None, int]:
        offset = 0.0
        if policy:
            row = policy.row((0.04 * deal, 1 - 0.04 * deal))
            weights, offset = policy.weights[row], policy.offsets[row]
        distance = abs(weights[0] - 0.3) + abs(weights[1] - 0.02 * deal) + abs(offset)
        needed = 10 + deal + int(1000 * distance)
        return (["add"] * deal, needed) if needed <= nodes else (None, nodes)


def check_trainer(
    trainer: type[Trainer], options: Options | None = None, job: Settings | None = None
) -> None:
    """Check that a trainer keeps the contract of ``evolution.trainers.Trainer``.

    It trains on a small game, which takes rules, for a few generations. It must return as many
    solvers each time, all of them within the ranges of the genes, and the same ones whether it is
    restored from JSON or not.

    Args:
        trainer: the class.
        options: values of its parameters, also as in a job: ``{name: {...}}``.
        job: keys and tables of the job, for a trainer that needs others than the check's:
            ``{"rules": {"count": 2}}``. The game cannot be changed.

    Raises:
        AssertionError: if the contract is broken, saying what was expected, what came and how to
            mend it.
        JobError: if the job with these options is refused.
    """
    with _setting("trainer", trainer, Trainer, options, job) as setting:
        states = _check_history(setting, trainer.name)
        try:
            _made(setting).trainer.restore({})
            came = "no complaint"
        except (KeyError, TypeError, ValueError):
            return
        except Exception as error:
            came = repr(error)
    asked = "restore({}) must raise KeyError, TypeError or ValueError, as {} is not a state"
    mend = "read everything that it needs from the state, without defaults"
    require(not states[0], asked, came, mend)


def check_scheme(
    scheme: type[Scheme], options: Options | None = None, job: Settings | None = None
) -> None:
    """Check that a scheme keeps the contract of ``evolution.schemes.Scheme``.

    It chooses deals of a small game for a few generations. It must choose some for each solver,
    all of them from the pool, and the same ones whether it is restored from JSON or not.

    Args:
        scheme: the class.
        options: values of its parameters, also as in a job: ``{name: {...}}``.
        job: keys and tables of the job, for a scheme that needs others than the check's:
            ``{"sample": {"deals": 8}}``. The game cannot be changed.

    Raises:
        AssertionError: if the contract is broken, saying what was expected, what came and how to
            mend it.
        JobError: if the job with these options is refused.
    """
    with _setting("scheme", scheme, Scheme, options, job) as setting:
        _check_history(setting, scheme.name)


def check_measure(
    measure: type[Measure], options: Options | None = None, job: Settings | None = None
) -> None:
    """Check that a fitness measure keeps the contract of ``evolution.measures.Measure``.

    It measures solvers of a small game. It must give each a finite number, whatever the order in
    which they come, and a larger one to a solver that solves every deal than to one that solves
    none.

    Args:
        measure: the class.
        options: values of its parameters, also as in a job: ``{name: {...}}``.
        job: keys and tables of the job, for a measure that needs others than the check's.

    Raises:
        AssertionError: if the contract is broken, saying what was expected, what came and how to
            mend it.
    """
    solvers = [(0.3, 0.1), (0.9, 0.2), (0.1, 1.1), (0.6, 1.5), (1.0, 2.0)]
    with _setting("measure", measure, Measure, options, job) as setting:
        axis = measure.axis
        fine = isinstance(axis, str) and bool(axis)
        require(fine, "axis must say what a figure's axis shows", repr(axis), "write it")
        results = [_result(setting, solver, Encounter((3, 5, 8))) for solver in solvers]
        with global_generators_untouched(measure.name, 1):
            with _away(setting):
                first, second = measure(setting), measure(setting)
            values = first.fitness(results)
            again = second.fitness(results[::-1])[::-1]
    fine = isinstance(values, list) and len(values) == len(results)
    require(
        fine,
        f"fitness must return a list of {plural(len(results), 'value')}",
        values,
        "return one for each result",
    )
    fine = all(isinstance(value, float | int) and math.isfinite(value) for value in values)
    require(fine, "fitness must be finite", values, "avoid 1 / 0 and log(0)")
    asked = f"fitness must not depend on the order of the results, {values}"
    # Sums in another order may differ in their last digits.
    fine = bool(np.allclose(values, again, rtol=1e-9, atol=1e-12))
    require(fine, asked, again, "compute it from the results and the job alone")
    fitter = "a solver that solves every deal must be fitter than one that solves none"
    asked = f"{fitter}, at {values[-1]:g}"
    mend = "larger is better: reverse the sign, and count what is not solved"
    require(values[0] > values[-1], asked, f"{values[0]:g}", mend)


class _Baseline:
    """The baseline of a run, which is not there while parts are made or restored.

    Args:
        outcomes: those of some deals.
    """

    def __init__(self, outcomes: Callable[[Sequence[Deal]], list[Outcome]]) -> None:
        self._outcomes = outcomes
        self._there = True

    def __call__(self, deals: Sequence[Deal]) -> list[Outcome]:
        asked = "setting.baseline(...) must be called in found, ask, tell or fitness alone"
        came = "a call while a part is made or restored"
        require(self._there, asked, came, "move it there: a run refuses it elsewhere")
        return self._outcomes(deals)

    @contextmanager
    def away(self) -> Iterator[None]:
        """Within it, the baseline is not there."""
        self._there = False
        try:
            yield
        finally:
            self._there = True


def _away(setting: Setting) -> AbstractContextManager[None]:
    assert isinstance(setting.baseline, _Baseline)
    return setting.baseline.away()


@contextmanager
def _setting(
    kind: str, part: Any, base: type[Part], options: Options | None, given: Settings | None = None
) -> Iterator[Setting]:
    """The setting of a small job that uses a part; within this context the part has its name."""
    fine = isinstance(part, type) and issubclass(part, base)
    require(fine, f"a {kind} must be a subclass of {base.__name__}", repr(part), "derive it")
    lacking = ", ".join(sorted(getattr(part, "__abstractmethods__", ())))
    require(not lacking, f"a {kind} must have every abstract method", f"no {lacking}", "add it")
    with told_as_breaches("name and parameters"):
        check_word(getattr(part, "name", None), "name")
        check_parameters(part.parameters, "parameters")
    table: dict[str, Any] = {
        "name": "check", "generations": GENERATIONS, "seed": 3,
        "trained": {"search": "solve", "nodes": NODES}, "sample": {"deals": 4},
        "trainer": "random", "scheme": "resampled", "fitness": {"measure": "log-nodes"},
        "solvers": {"population": POPULATION},
        "problems": {"population": 4, "deals": 3, "every": 2},
    }  # fmt: skip
    game = Sums()
    with plugins.standing_in("game", game), plugins.standing_in(kind, part):
        given_options: dict[str, Any] = dict(options or {})
        if list(given_options) == [part.name] and isinstance(given_options[part.name], Mapping):
            # As a job has them: in a table named after the part.
            given_options = dict(given_options[part.name])
        own = {"game": game.name, "options": {part.name: given_options}}
        chosen = {"fitness": {"measure": part.name}} if kind == "measure" else {kind: part.name}
        try:
            job = make_job(merged(table, given or {}), **own, **chosen)
        except JobError as error:
            if given or str(error).startswith("options"):
                raise
            raise JobError(
                f"{error} (the check's own job has solvers.population = {POPULATION}; give another "
                'as in job={"solvers": {"population": 8}})'
            ) from None
        baseline = Evaluator(game.default_features, tuple(f.baseline for f in game.features))

        def outcomes(deals: Sequence[Deal]) -> list[Outcome]:
            return game.run([Task(one, baseline, job.search, job.limits) for one in deals])

        yield Setting(job, game, _Baseline(outcomes))


def _result(setting: Setting, solver: Genome, encounter: Encounter) -> Result:
    job, evaluator = setting.job, setting.evaluator(solver)
    tasks = [Task(one, evaluator, job.search, job.limits) for one in encounter.deals]
    outcomes = [replace(outcome, seconds=0.0) for outcome in setting.game.run(tasks)]
    return Result(solver, encounter, tuple(one.without_moves() for one in outcomes))


def _first_difference(one: Any, other: Any) -> tuple[str, Any, Any]:
    """The first items that differ of two lists of a length, with their place; else both whole."""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (mine, theirs) in enumerate(zip(one, other, strict=True), start=1):
            if mine != theirs:
                return f" (number {place} of {len(one)})", mine, theirs
    return "", one, other


def _check_history(setting: Setting, name: str) -> Any:
    """Run the same generations with and without restoring; returns the states at their end."""
    histories = []
    for restored in (False, True):
        # Different seeds, so that whoever draws from the global generators draws other numbers.
        with global_generators_untouched(name, int(restored)):
            histories.append(list(_history(setting, name, restored)))
    for generation, (one, other) in enumerate(zip(*histories, strict=True), start=1):
        for what, value in one.items():
            which, expected, came = _first_difference(value, other[what])
            require(
                value == other[what],
                f"{name} must go on unchanged when it is restored from its state: the {what} of "
                f"generation {generation} must be {expected!s:.300}{which}",
                came,
                "put all that it remembers into state(), remember nothing from ask to tell, and "
                "draw from moment.rng(...) alone",
            )
    return histories[0][-1]["states"]


def _history(setting: Setting, name: str, restored: bool) -> Iterator[dict[str, Any]]:
    """Yield what happens in each generation; ``restored`` restores parts wherever a run may."""
    parts, seed = _made(setting), setting.job.seed
    parts.trainer.found(Moment(seed, 0))
    parts.scheme.found(Moment(seed, 0))
    for generation in range(1, setting.job.generations + 1):
        moment = Moment(seed, generation)
        kept = parts.trainer.state(), parts.scheme.state()
        states = require_json(kept, f"the state of {name}")
        parts = _made(setting, states) if restored else parts
        solvers = parts.trainer.ask()
        encounters = parts.scheme.ask(moment, len(solvers))
        _check_asked(setting, solvers, encounters)
        results = [_result(setting, *pair) for pair in zip(solvers, encounters, strict=True)]
        parts = _made(setting, states) if restored else parts
        values = parts.measure.fitness(results)
        results = [replace(r, fitness=value) for r, value in zip(results, values, strict=True)]
        told, learnt = parts.scheme.tell(moment, results), parts.trainer.tell(moment, results)
        _check_solvers(setting, [learnt.best], "Learnt.best")
        taken = ", ".join(sorted(LOG_KEYS & set(learnt.log)))
        require(not taken, "Learnt.log must have keys of its own", taken, "rename them")
        lacking = {"best", "mean", "quantiles"} - set(told or ())
        asked = "what tell returns for the log must have the keys best, mean and quantiles"
        mend = "take gafreecell.evolution.populations.quantiles(values), or return None"
        require(told is None or not lacking, asked, told, mend)
        yield {
            "solvers": solvers, "encounters": encounters, "best": learnt.best,
            "log": require_json([learnt.log, told], f"the log of {name}"),
            "states": require_json((parts.trainer.state(), parts.scheme.state()), "state()"),
        }  # fmt: skip


def _made(setting: Setting, states: Any = None) -> Parts:
    """The parts of a job, restored from their states if there are any."""
    with _away(setting):
        parts = Parts.of(setting)
        if states is not None:
            parts.trainer.restore(states[0])
            parts.scheme.restore(states[1])
    return parts


def _check_asked(
    setting: Setting, solvers: Sequence[Genome], encounters: Sequence[Encounter]
) -> None:
    population = setting.job.solvers.population
    asked = f"ask must return as many solvers as the job says each time, {population}"
    require(len(solvers) == population, asked, len(solvers), "keep as many")
    _check_solvers(setting, solvers, "each solver asked for")
    asked = f"ask must return an encounter for each of {len(solvers)} solvers"
    require(len(encounters) == len(solvers), asked, len(encounters), "repeat a shared one")
    scheme = plugins.find("scheme", setting.job.scheme)
    alike = len({frozenset(encounter.deals) for encounter in encounters}) == 1
    asked = "all encounters must hold the same deals if shares(job) is True"
    require(alike or not scheme.shares(setting.job), asked, encounters[:2], "return False from it")
    for encounter in encounters:
        fine = encounter.deals and set(encounter.deals) <= set(setting.pool)
        asked = "an encounter must hold at least one deal, all of them from setting.pool"
        require(fine, asked, encounter.deals, "choose them from the pool")


def _check_solvers(setting: Setting, solvers: Sequence[Genome], what: str) -> None:
    low, high = (tuple(getattr(f, end) for f in setting.features) for end in ("low", "high"))
    for solver in solvers:
        fine = isinstance(solver, tuple) and all(type(weight) is float for weight in solver)
        fine = fine and len(solver) == len(low)
        asked = f"{what} must be a tuple of {len(low)} floats"
        require(fine, asked, repr(solver), "convert numpy's arrays: tuple(weights.tolist())")
        fine = all(a <= weight <= b for a, weight, b in zip(low, solver, high, strict=True))
        asked = f"{what} must lie between {low} and {high}, the ranges of the features"
        require(fine, asked, solver, "clip it, or reflect it at the ends")
