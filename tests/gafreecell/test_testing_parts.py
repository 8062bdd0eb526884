"""The checks of trainers, schemes, measures and operators: each breach of a contract is named."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from operators_brought import any_of_the_best, halfway, step, worst_case

from gafreecell.evolution.generation import (
    Encounter,
    Genome,
    Learnt,
    Moment,
    Purpose,
    Result,
    Setting,
)
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.measures import Measure
from gafreecell.evolution.schemes import Scheme
from gafreecell.evolution.trainers.random_search import RandomSearch
from gafreecell.evolution.trainers.rules_gp import RulesGp
from gafreecell.installed import plugins
from gafreecell.solitaire.game import Game
from gafreecell.solving.outcome import Status
from gafreecell.solving.parameters import Parameter
from gafreecell.testing import (
    check_crossover,
    check_measure,
    check_mutation,
    check_scheme,
    check_selection,
    check_trainer,
)
from gafreecell.testing.parts import _first_difference


class Fair(Measure):
    """The share of deals solved."""

    name = "fair"

    def fitness(self, results: Sequence[Result]) -> list[float]:
        return [
            sum(o.status is Status.SOLVED for o in r.outcomes) / len(r.outcomes) for r in results
        ]


class Latest(Scheme):
    """The last deals of the pool."""

    name = "latest"

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        return [Encounter(tuple(self.setting.pool[-3:]))] * solvers


RULES = {
    # Enough generations for some policies to lead and others to fail their trial.
    "generations": 12,
    "rules": {"count": 2, "structure": "evolved"},
    "solvers": {"population": 10},
}
NEEDS: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "rules-gp": ({"trial": 1}, RULES),
    # The check's game has 20 deals.
    "informative": ({}, {"informative": {"population": 10}}),
}
"""Options and job of the built-in parts that need others than the check's."""

CHECKS = {"trainer": check_trainer, "scheme": check_scheme, "measure": check_measure}


@pytest.mark.parametrize(
    ("kind", "part"), [("trainer", RandomSearch), ("scheme", Latest), ("measure", Fair)]
)
def test_parts_that_are_brought_keep_their_contract(kind: str, part: type) -> None:
    CHECKS[kind](part)


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in CHECKS for name in plugins.names(kind)]
)
def test_built_in_parts_keep_their_contract(kind: str, name: str) -> None:
    CHECKS[kind](plugins.find(kind, name), *NEEDS.get(name, ()))


def test_a_check_takes_options() -> None:
    class Given(Latest):
        parameters = (Parameter("last", 3, "how many", 1, 10),)

        def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
            return [Encounter(tuple(self.setting.pool[-int(self.values["last"]) :]))] * solvers

    check_scheme(Given, {"last": 7})
    check_scheme(Given, {Given.name: {"last": 7}})
    with pytest.raises(JobError, match="last must be 1 to 10, got 11"):
        check_scheme(Given, {"last": 11})


def test_a_measure_is_checked_with_its_own_table() -> None:
    @dataclass(frozen=True)
    class Budget:
        worst: float = 0.0

    class Solved(Measure):
        name = "solved"
        tables: ClassVar = {"budget": Budget}

        def fitness(self, results: Sequence[Result]) -> list[float]:
            worst = self.setting.job.table(Budget).worst
            solved = [sum(o.status is Status.SOLVED for o in r.outcomes) for r in results]
            return [float(max(one, worst)) for one in solved]

    check_measure(Solved)
    with pytest.raises(AssertionError, match="must be fitter than one that solves none, at 9, "):
        check_measure(Solved, job={"budget": {"worst": 9.0}})


def test_a_check_says_which_population_its_own_job_has() -> None:
    class Even(RandomSearch):
        name = "even"

        @classmethod
        def check(cls, job: Job, game: Game) -> None:
            if job.solvers.population < 8:
                raise JobError(f"needs at least 8, got {job.solvers.population}")

    with pytest.raises(JobError, match=r"got 6 \(the check's own job has .* = 6;"):
        check_trainer(Even)
    check_trainer(Even, job={"solvers": {"population": 8}})


def test_a_check_shows_the_first_encounter_that_differs() -> None:
    one, other = [1, 2, 3], [1, 5, 4]
    assert _first_difference(one, other) == (" (number 2 of 3)", 2, 5)
    assert _first_difference(one, one) == ("", one, one)


def test_a_check_takes_a_job() -> None:
    class Paired(Latest):
        @classmethod
        def check(cls, job: Job, game: Game) -> None:
            if job.sample.deals % 2 or job.game != "sums":
                raise JobError("sample.deals must be even")

    class Counts(RandomSearch):
        generations: ClassVar[list[int]] = []

        def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
            self.generations.append(moment.generation)
            return super().tell(moment, results)

    check_scheme(Paired, job={"sample": {"deals": 2}, "game": "freecell"})
    with pytest.raises(JobError, match="must be even"):
        check_scheme(Paired, job={"sample": {"deals": 3}})
    with pytest.raises(JobError, match=r"set rules.count to 1 or more"):
        check_trainer(RulesGp)
    check_trainer(Counts, job={"generations": 7, "rules": {"count": 1}})
    # With its state kept in memory, and restored.
    assert Counts.generations == [*range(1, 8)] * 2


def test_a_breach_that_rules_alone_show_is_named() -> None:
    class Forgets(RulesGp):
        def restore(self, state: Mapping[str, Any]) -> None:
            super().restore({**state, "bred": state["bred"][::-1]})

    with pytest.raises(AssertionError, match="rules-gp must go on unchanged when it is restored"):
        check_trainer(Forgets, {"trial": 1}, RULES)


def that(base: type = Latest, /, **members: Any) -> type:
    """A part with other members."""
    return type("Broken", (base,), members)


def trainer(**members: Any) -> tuple[Any, type]:
    """Its check, and a random search with other members."""
    return check_trainer, that(RandomSearch, **members)


def asking(encounters: Callable[[int], list[Encounter]]) -> tuple[Any, type]:
    """Its check, and a scheme that asks for these encounters with so many solvers."""
    return check_scheme, that(ask=lambda self, moment, solvers: encounters(solvers))


def fitness(values: Callable[[Any, Sequence[Result]], list[float]]) -> tuple[Any, type]:
    """Its check, and a measure of these values."""
    return check_measure, that(Fair, fitness=values)


def drawn_globally(self: RandomSearch, moment: Moment, results: Sequence[Result]) -> Learnt:
    learnt = RandomSearch.tell(self, moment, results)
    self.solvers = [(random.random(), np.random.random()) for _ in results]
    return learnt


def drawn_afresh(self: RandomSearch, moment: Moment, results: Sequence[Result]) -> Learnt:
    learnt = RandomSearch.tell(self, moment, results)
    self.solvers = self.setting.uniform(len(results), np.random.default_rng())
    return learnt


class Remembers(RandomSearch):
    """What it remembers is not in its state."""

    best: Genome = (0.5, 0.5)

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        learnt = super().tell(moment, results)
        self.solvers = [self.best, *self.solvers[1:]]
        self.best = learnt.best
        return learnt


def told(**log: Any) -> Callable[..., Learnt]:
    return lambda self, moment, results: Learnt(results[0].solver, log)


class Alternates(Scheme):
    """It counts in ask what its state does not hold when it is told."""

    name = "alternates"
    asked = 0

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        self.asked += 1
        return [Encounter((self.setting.pool[0],))] * solvers

    def tell(self, moment: Moment, results: Sequence[Result]) -> dict[str, Any]:
        return {"best": self.asked, "mean": 0, "quantiles": []}


def shuffled(self: Latest, moment: Moment, solvers: int) -> list[Encounter]:
    deals = np.random.default_rng().choice(self.setting.pool, 3)
    return [Encounter(tuple(deals.tolist()))] * solvers


def drifting(self: RandomSearch, moment: Moment, results: Sequence[Result]) -> Learnt:
    rng = moment.rng(Purpose.SOLVER_BREEDING)
    self.solvers = [(r.solver[0] + float(rng.exponential()), r.solver[1]) for r in results]
    return Learnt(results[0].solver)


def eager(self: Any, setting: Setting) -> None:
    super(type(self), self).__init__(setting)
    setting.baseline(setting.pool[:1])


def looking(self: Latest, state: Mapping[str, Any]) -> None:
    self.setting.baseline(self.setting.pool[:1])


AWAY = r"setting.baseline\(...\) must be called in found, ask, tell or fitness alone, got a call"
PART_BREACHES: list[tuple[tuple[Any, Any], str]] = [
    ((check_trainer, RandomSearch.name), "a trainer must be a subclass of Trainer"),
    ((check_scheme, type("Broken", (Scheme,), {})), "every abstract method, got no ask: add"),
    ((check_scheme, that(name="")), "name must be a word"),
    ((check_measure, that(Fair, parameters=(Parameter("share", 2, "odd", 0, 1),))),
     "share must allow its"),
    (trainer(state=lambda self: {"solvers": np.array(self.solvers)}),
     "the state of random must be plain numbers, .* not JSON serializable"),
    ((check_trainer, Remembers), "restored from its state: the states of generation 2 must be"),
    (trainer(restore=lambda self, state: None),
     "ask must return as many solvers as the job says each time, 6, got 0"),
    (trainer(restore=lambda self, state: state and RandomSearch.restore(self, state)),
     r"restore\(\{\}\) must raise KeyError, TypeError or ValueError, .* got no complaint"),
    (trainer(tell=drawn_globally), "leave the global random"),
    (trainer(tell=drawn_afresh), "must go on unchanged"),
    (trainer(ask=lambda self: self.solvers[:2]), "each time, 6, got 2"),
    (trainer(ask=lambda self: [np.array(s) for s in self.solvers]),
     "each solver asked for must be a tuple of 2 floats, got array"),
    (trainer(tell=drifting), r"must lie between \(0.0, -1.0\) and"),
    (trainer(tell=told(nodes=1)), "keys of its own, got nodes: rename"),
    (trainer(tell=told(step=np.float32(1))), "the log of random must be"),
    ((check_scheme, Alternates), "must go on unchanged .* the log of generation 1 must"),
    ((check_scheme, that(tell=lambda *_: {"best": 1})),
     "must have the keys best, mean and quantiles"),
    (asking(lambda solvers: [Encounter((99,))] * solvers),
     r"must hold at least one deal, all of them from setting.pool, got \(99,\)"),
    (asking(lambda solvers: [Encounter(())] * solvers), r"at least one deal, .*, got \(\)"),
    (asking(lambda solvers: [Encounter((1,))]), "6 solvers, got 1"),
    ((check_scheme, that(ask=shuffled)), "latest must go on unchanged .* the encounters of"),
    ((check_scheme, that(__init__=eager)), AWAY),
    ((check_scheme, that(restore=looking)), AWAY),
    (trainer(__init__=eager), AWAY),
    ((check_measure, that(Fair, __init__=eager)), AWAY),
    ((check_measure, that(Fair, axis="")), "axis must say what a figure's axis shows"),
    (fitness(lambda self, results: [-x for x in Fair.fitness(self, results)]),
     "that solves every deal must be fitter than one that solves none, at -0, got -1"),
    (fitness(lambda *_: [1.0]), "a list of 5 values, got"),
    (fitness(lambda *_: [float("nan")] * 5), "must be finite"),
    (fitness(lambda *_: [5.0, 4.0, 3.0, 2.0, 1.0]), "must not depend on the order"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("broken", "message"), PART_BREACHES, ids=[said for _, said in PART_BREACHES]
)
def test_each_breach_of_a_part_is_named(broken: tuple[Any, Any], message: str) -> None:
    check, part = broken
    with pytest.raises(AssertionError, match=message):
        check(part)


def test_operators_that_are_brought_keep_their_contract() -> None:
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
    check_crossover(halfway)
    check_mutation(step)
    check_mutation(step, {"size": 0.0})
    check_selection(any_of_the_best, {"share": 0.2})
    check_selection(worst_case)
    assert not plugins._handed
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # type: ignore[index]


OWN = np.random.default_rng(1)
CALLED: list[Any] = []


def drawn_elsewhere(individual: Any) -> Any:
    return (OWN.uniform(0, 1, len(individual)),)


def remembers(first: Any, second: Any) -> Any:
    CALLED.append(first)
    first[0] = 1 / len(CALLED)
    return first, second


def by_chance(individuals: Any, k: int) -> Any:
    return [individuals[i] for i in OWN.integers(len(individuals), size=k).tolist()]


def drops(individual: Any) -> Any:
    return (individual[1:],)


def selBest(individuals: Any, k: int) -> Any:
    return individuals[:k]


@pytest.mark.parametrize(
    ("check", "given", "said"),
    [
        (check_mutation, [drawn_elsewhere], "drawn_elsewhere must do the same whenever the gen"),
        (check_crossover, [remembers], "remembers must do the same .*draw from rng"),
        (check_selection, [by_chance], "by_chance must do the same"),
        (check_mutation, [drops], "the mutation 'drops' must make 2 weights"),
        (check_mutation, [3], "a mutation must be a function, got 3"),
        (check_crossover, [lambda a, b: (a, b)], "the name of a crossover must be a word"),
        (check_selection, [selBest], "a name that deap.tools does not use, got selBest"),
        (check_crossover, [step], "no argument|fails on solvers"),
        (check_mutation, [step, {"sise": 1}], "step has no argument 'sise'; it takes size"),
    ],
)
def test_breaches_of_operators_are_named(
    check: Callable[..., None], given: list[Any], said: str
) -> None:
    with pytest.raises(AssertionError, match=said):
        check(*given)
