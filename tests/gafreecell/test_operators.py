"""Operators by name: which there are, what they are given, and that they keep to themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Command, as_toml, job_table, refused
from deap import tools
from hypothesis import given
from hypothesis import strategies as st
from operators_brought import worst_case
from run_folders import ONE
from scipy.stats import chisquare

from gafreecell.evolution.generation import Encounter, Result, Setting
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.job_reading import make_job
from gafreecell.evolution.measures import Measure
from gafreecell.evolution.operators import Operator, cases_of, operators_of
from gafreecell.evolution.operators.catalogue import names
from gafreecell.evolution.operators.global_random import global_generators_from
from gafreecell.evolution.operators.operator import Parents
from gafreecell.evolution.populations import Individual
from gafreecell.installed import plugins
from gafreecell.runs.run import evolve, load
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Nodes, Outcome, Status
from gafreecell.solving.settings import merged

pytestmark = pytest.mark.usefixtures("toy")
UNLIKELY = 1e-4
FEATURES = (
    Feature("near", "the first weight"),
    Feature("middle", "the second weight"),
    Feature("far", "the third weight", low=-1.0, high=2.0),
)
ARGUMENTS: Mapping[str, dict[str, Any]] = {
    "cxBlend": {"alpha": 0.5},
    "cxSimulatedBinary": {"eta": 2},
    "cxSimulatedBinaryBounded": {"eta": 2.0},
    "cxUniform": {"indpb": 0.5},
    "mutGaussian": {"mu": 0, "sigma": [0.1, 0.2, 5.0]},
    "mutPolynomialBounded": {"eta": 3.0},
    "selEpsilonLexicase": {"epsilon": 0.01},
}
"""What must be given."""
DIGEST = "396b96af898acd5a"
"""Of a small job, from before there were operators."""
USABLE = [(kind, name) for kind in plugins.FUNCTIONS for name in names(kind)]


def table(kind: str, name: str, arguments: Any = None, **changes: Any) -> dict[str, Any]:
    """A job with an operator."""
    chosen = ARGUMENTS.get(name, {}) if arguments is None else arguments
    given: dict[str, Any] = {"scheme": "resampled", "operators": {kind: name}}
    if chosen:
        given["options"] = {name: chosen}
    return job_table(**{**given, **changes})


def operator(
    kind: str, name: str, arguments: Any = None, features: Sequence[Feature] = FEATURES, **job: Any
) -> Operator:
    chosen = ARGUMENTS.get(name, {}) if arguments is None else arguments
    made = Job("a", 1, {"search": "think"}, operators={kind: name}, options={name: chosen}, **job)  # type: ignore[arg-type]
    return operators_of(made, tuple(features))[kind]


def population(values: Sequence[float], rng: np.random.Generator | None = None) -> list[Individual]:
    rng = rng or np.random.default_rng(1)
    points = rng.uniform([0, 0, -1], [1, 1, 2], size=(len(values), 3)).tolist()
    made = [Individual(point) for point in points]
    for one, value in zip(made, values, strict=True):
        one.fitness.values = (value,)
    return made


# Which there are


def test_every_operator_of_deaps_can_be_used_or_is_refused_with_a_reason() -> None:
    found = {*tools.crossover.__all__, *tools.mutation.__all__, *tools.selection.__all__}
    assert found > {"cxBlend", "cxUniform", "mutGaussian", "selTournament"}
    usable = {name for _, name in USABLE}
    assert usable >= {*ARGUMENTS, "cxOnePoint", "selBest", "selRoulette", "selLexicase"}
    for name in found - usable:
        kind = {"c": "crossover", "m": "mutation", "s": "selection"}[name[0]]
        why = "needs crowding" if name == "selTournamentDCD" else "does not work on weights: "
        with pytest.raises(JobError, match=f"operators.{kind}: {name} {why}"):
            operator(kind, name)


@pytest.mark.parametrize(
    ("kind", "reason", "names"),
    [
        ("crossover", "permutations", ["cxPartialyMatched", "cxOrdered"]),
        ("mutation", "which feature.s weight it is", ["mutShuffleIndexes"]),
        ("mutation", "permutations", ["mutInversion"]),
        ("crossover", "strategy", ["cxESBlend"]),
        ("mutation", "strategy", ["mutESLogNormal"]),
        ("crossover", "how many genes", ["cxMessyOnePoint"]),
        ("mutation", "bits", ["mutFlipBit"]),
        ("mutation", "whole numbers", ["mutUniformInt"]),
        ("selection", "several costs", ["selNSGA2", "selSPEA2"]),
        ("selection", "crowding distances", ["selTournamentDCD"]),
        ("crossover", "is a selection, not a crossover", ["selTournamentDCD", "selBest"]),
        ("mutation", r"trees \(deap.gp\)", ["mutNodeReplacement"]),
        ("crossover", "there is no crossover 'cxBlnd'; there are cxBlend, .* did you", ["cxBlnd"]),
        ("mutation", "there is no mutation 'initRepeat'", ["initRepeat"]),
        ("crossover", "there is no crossover 'crossover'", ["crossover"]),
    ],
)
def test_what_does_not_work_on_weights_is_refused(kind: str, reason: str, names: list[str]) -> None:
    for name in names:
        with pytest.raises(JobError, match=reason):
            operator(kind, name)


# Arguments

BEYOND = "up must not lie within the range of far, -1 to 2, got 1.5"


@pytest.mark.parametrize(
    ("kind", "name", "arguments", "said"),
    [
        ("crossover", "cxBlend", {}, r"operators.crossover: cxBlend needs alpha: .*takes alpha"),
        ("crossover", "cxUniform", {}, "needs indpb"),
        ("mutation", "mutGaussian", {}, r"needs mu and sigma.*indpb \(0.1 unless given\)"),
        ("crossover", "cxBlend", {"alpa": 1}, "no argument 'alpa'; it takes alpha; did you mean"),
        ("selection", "selTournament", {"fit_attr": "x"}, r"it takes tournsize \(3 unless given\)"),
        ("selection", "selBest", {"k": 3}, "options.selBest: .* no argument 'k'; it takes none"),
        ("crossover", "cxOnePoint", {"ind1": 3}, "no argument 'ind1'"),
        ("crossover", "cxBlend", 3, "options.cxBlend must be a table, got 3"),
        ("crossover", "cxBlend", {"alpha": "x"}, r"cxBlend fails on .*'alpha': 'x'"),
        ("crossover", "cxBlend", {"alpha": float("nan")}, "alpha must be a finite number, got nan"),
        ("crossover", "cxSimulatedBinary", {"eta": -3}, "eta, a crowding degree, must be 0 or mo"),
        ("mutation", "mutGaussian", {"mu": [0] * 4, "sigma": 1}, "for each of 3 weights, got 4"),
        ("selection", "selEpsilonLexicase", {"epsilon": -1}, "a tolerance, must be 0 or more"),
        ("crossover", "cxUniform", {"indpb": 1.5}, "options.cxUniform: indpb must be 0 to 1"),
        ("mutation", "mutGaussian", {"mu": 0, "sigma": -1}, "sigma, a standard deviation, must be"),
        ("mutation", "mutGaussian", {"mu": 0, "sigma": [1, -2, 1]}, "must be 0 or more, got -2"),
        ("mutation", "mutGaussian", {"mu": 0, "sigma": [1, 1]}, "2 < 3"),
        (
            "mutation",
            "mutPolynomialBounded",
            {"eta": 1, "low": 0.1},
            "low .* near, 0 to 1, got 0.1",
        ),
        ("crossover", "cxSimulatedBinaryBounded", {"eta": 1, "up": [1, 1, 1.5]}, BEYOND),
        ("selection", "selTournament", {"tournsize": 0}, "operators.selection: selTournament fail"),
    ],
)
def test_arguments_are_checked(kind: str, name: str, arguments: Any, said: str) -> None:
    with pytest.raises(JobError, match=said):
        make_job(table(kind, name, arguments))


def test_defaults_are_those_of_the_job() -> None:
    rates = {"gene_mutation": 0.3, "tournament": 5}
    ends = {"low": [0.0, 0.0, -1.0], "up": [1.0, 1.0, 2.0]}
    chosen = operator("mutation", "mutPolynomialBounded", solvers=rates)
    assert chosen.arguments == {"eta": 3.0, **ends, "indpb": 0.3}
    assert operator("selection", "selTournament", solvers=rates).arguments == {"tournsize": 5}
    chosen = operator("mutation", "mutPolynomialBounded", {"eta": 1, "indpb": 1, "low": -2})
    assert (chosen.arguments["indpb"], chosen.arguments["low"]) == (1, -2)


def test_what_an_operator_does_to_its_arguments_stays_with_it() -> None:
    """Neither the solvers nor the next call see it, so a resumed run is the same."""

    def half(individuals: list[Individual], k: int, cases: list[Any]) -> list[Individual]:
        chosen = sorted(individuals, key=lambda one: one.value)[:k]
        for one in individuals:
            one.fitness.values, one[0] = (-one.value,), 9.0
        individuals.clear()
        cases.clear()
        return chosen

    def push(individual: Individual, low: list[float], more: list[float]) -> tuple[list[float]]:
        low[0] += 0.25
        more.append(0.5)
        return ([low[0], *more[1:]],)

    solvers, cases = population([4.0, 1.0, 3.0, 2.0]), [[1.0]] * 4
    before = [(list(one), one.value) for one in solvers]
    takes = frozenset(("individuals", "k", "cases"))
    selection = Operator("selection", "half", half, {}, takes, FEATURES)
    rng = np.random.default_rng(1)
    for _ in range(2):
        chosen = selection.choose(solvers, rng, cases)
        assert list(map(id, chosen)) == [id(solvers[1]), id(solvers[3])]
    assert [(list(one), one.value) for one in solvers] == before and cases == [[1.0]] * 4
    given = {"low": [0.0], "more": [0.0, 0.5]}
    mutation = Operator("mutation", "push", push, given, frozenset(("individual",)), FEATURES)
    assert [list(mutation.mutate(solvers[0], rng)[0]) for _ in range(2)] == [[0.25, 0.5, 0.5]] * 2


def test_a_selection_that_sets_no_numbers_is_named() -> None:
    def spoil(individuals: list[Individual], k: int) -> list[Individual]:
        individuals[0].fitness.values = (float("nan"),)
        return individuals[:k]

    spoils = Operator("selection", "spoil", spoil, {}, frozenset(), FEATURES)
    with pytest.raises(plugins.PluginError, match=r"the selection 'spoil' must set finite .* nan"):
        spoils.choose(population([1.0, 2.0]), np.random.default_rng(1), None)


def test_a_command_line_gives_operators_and_arguments(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "a.toml"
    path.write_text(as_toml(job_table(generations=1)))
    words = ["evolve", path, "--out", tmp_path / "r", "--jobs", 1]
    words += ["--set", "operators.mutation=mutGaussian", "--set", "options.mutGaussian.mu=0"]
    sigma = ["--set", "options.mutGaussian.sigma=[0.5, 0.1, 2]"]
    refused(command(*words), "mutGaussian needs sigma", "operators.mutation")
    assert command(*words, *sigma).status == 0
    job = load(tmp_path / "r").job
    assert job.options == {"mutGaussian": {"mu": 0, "sigma": [0.5, 0.1, 2]}}
    path.write_text(as_toml(job_table(operators={"crossover": "cxOrdered"})))
    line = path.read_text().splitlines().index("crossover = 'cxOrdered'") + 1
    refused(command(*words[:2], "--out", tmp_path / "s"), f"a.toml, line {line}: operators.cross")


COSTLY = {"trainer": "nsga-ii", "fitness": {"measure": "log-nodes"}}


@pytest.mark.parametrize(
    ("kind", "name", "changes", "said"),
    [
        (
            "crossover",
            "cxOnePoint",
            {"trainer": "cma-es"},
            "no crossover: drop .* genetic, nsga-ii",
        ),
        ("selection", "selTournament", COSTLY, "must be selRandom or selTournamentDCD for the tra"),
        ("selection", "selTournamentDCD", {**COSTLY, "solvers": {"population": 6}}, "7, got 6"),
        (
            "crossover",
            "cxOnePoint",
            {"options": {"cxBlend": {"alpha": 1}}},
            r"called .cxBlend.*section \[o",
        ),
    ],
)
def test_operators_are_for_trainers_that_breed_with_them(
    kind: str, name: str, changes: Any, said: str
) -> None:
    with pytest.raises(JobError, match=said):
        make_job(table(kind, name, **changes))


def test_the_arguments_of_an_operator_that_is_replaced_can_be_emptied() -> None:
    blend = {"operators": {"crossover": "cxBlend"}, "options": {"cxBlend": {"alpha": 0.5}}}
    other = {"operators": {"crossover": "cxTwoPoint"}, "options": {"cxBlend": {}}}
    assert make_job(merged(job_table(**blend), other)).operators.crossover == "cxTwoPoint"


def test_a_job_without_operators_has_the_digest_it_had() -> None:
    made, named, other = (
        Job("a", 1, {"search": "think"}, operators=operators).digest  # type: ignore[arg-type]
        for operators in ({}, {"mutation": ""}, {"mutation": "mutGaussian"})
    )
    assert made == named == DIGEST != other


# What they do


@given(st.integers(0, 2**32), st.sampled_from([pair for pair in USABLE if pair[0] != "selection"]))
def test_children_are_new_and_within_their_ranges(seed: int, pair: tuple[str, str]) -> None:
    kind, name = pair
    rng = np.random.default_rng(seed)
    worked, parents = operator(kind, name), population([0.2, 0.6], rng)
    before = [list(one) for one in parents]
    both = kind == "crossover"
    with global_generators_from(rng):
        children = worked.mate(*parents, rng=rng) if both else worked.mutate(parents[0], rng)
    assert len(children) == 1 + both
    for child in children:
        assert type(child) is Individual
        assert all(type(gene) is float for gene in child)
        assert all(f.low <= gene <= f.high for f, gene in zip(FEATURES, child, strict=True))
        assert not child.fitness.valid
    assert [list(one) for one in parents] == before
    assert [one.value for one in parents] == [0.2, 0.6]


def test_children_are_what_deaps_operators_make() -> None:
    """The same seeds in DEAP alone, which then are clipped."""
    parents = population([0.2, 0.6])
    worked, rng = operator("crossover", "cxBlend"), np.random.default_rng(3)
    with global_generators_from(np.random.default_rng(4)):
        children = worked.mate(*parents, rng=rng)
    with global_generators_from(np.random.default_rng(4)):
        plain = tools.cxBlend(list(parents[0]), list(parents[1]), alpha=0.5)
    ends = np.array([(f.low, f.high) for f in FEATURES]).T
    assert [list(child) for child in children] == np.clip(plain, *ends).tolist()


def drawn(
    name: str, values: Sequence[float], count: int, cases: Any = None, seed: int = 2, **given: Any
) -> list[int]:
    """How often each individual becomes a parent."""
    individuals, rng = population(values), np.random.default_rng(seed)
    select = Parents(operator("selection", name, given or None), rng, cases)
    places = {id(one): place for place, one in enumerate(individuals)}
    with global_generators_from(rng):
        tally = Counter(places[id(one)] for one in select(individuals, count))
    return [tally[place] for place in range(len(values))]


def test_a_roulette_without_fitness_draws_everybody() -> None:
    assert drawn("selRoulette", [0.0] * 4, 400) == [100] * 4
    found = drawn("selRoulette", [0.1, 0.0, 0.3, 0.0], 4000)
    assert (found[1], found[3]) == (0, 0)
    assert chisquare(found[::2], [1000, 3000]).pvalue > UNLIKELY


def test_universal_sampling_spreads_its_draws() -> None:
    """Of n individuals that are equal, n / 2 draws take n / 2 different ones."""
    for seed in range(20):
        found = drawn("selStochasticUniversalSampling", [1.0] * 8, 4, seed=seed)
        assert sorted(found) == [0] * 4 + [1] * 4


def test_the_best_are_the_better_half() -> None:
    assert drawn("selBest", [0.4, 0.1, 0.3, 0.2], 100) == [50, 0, 50, 0]
    assert drawn("selWorst", [0.4, 0.1, 0.3, 0.2], 100) == [0, 50, 0, 50]


def plain_lexicase(cases: Sequence[Sequence[float]], order: Sequence[int]) -> set[int]:
    """Who is left when the cases come in this order (Spector 2012)."""
    left = set(range(len(cases)))
    for case in order:
        best = max(cases[one][case] for one in left)
        left = {one for one in left if cases[one][case] == best}
    return left


def test_lexicase_takes_the_best_on_cases_in_random_order() -> None:
    cases = [(1.0, 0.0, 0.5), (0.0, 1.0, 0.5), (0.9, 0.9, 0.4), (1.0, 0.0, 0.5)]
    found = drawn("selLexicase", [0.5] * 4, 3000, cases)
    expected = np.zeros(4)
    orders = list(permutations(range(3)))
    for order in orders:
        left = plain_lexicase(cases, order)
        expected[[*left]] += 3000 / len(orders) / len(left)
    assert (found[2], expected[2]) == (0, 0), "a generalist that is nowhere the best"
    assert chisquare([found[i] for i in (0, 1, 3)], expected[[0, 1, 3]]).pvalue > UNLIKELY


# Cases


def outcome(nodes: int, solved: bool = True) -> Outcome:
    status = Status.SOLVED if solved else Status.NODE_LIMIT
    return Outcome(status, None, {"steps": 4}, Nodes(1, nodes), 0.0)


def measure_of(name: str, toy: Any, **fitness: Any) -> Measure:
    job = make_job(job_table(scheme="fixed", fitness={"measure": name, **fitness}))

    def baseline(deals: Sequence[Any]) -> list[Outcome]:
        return [outcome(1000) for _ in deals]

    found: Measure = plugins.find("measure", name)(Setting(job, toy, baseline))
    return found


@pytest.mark.parametrize("name", ["log-nodes", "node-reduction", "cost-per-solved", "relative"])
def test_a_case_is_what_the_measure_says_of_one_deal(name: str, toy: Any) -> None:
    measure, met = measure_of(name, toy), Encounter((3, 5))
    results = [
        Result((0.0,) * 3, met, (outcome(50), outcome(20_000, False))),
        Result((1.0,) * 3, met, (outcome(500), outcome(700))),
    ]
    cases = cases_of(measure, results)
    alone = [Result((0.0,) * 3, Encounter((3,)), (outcome(nodes),)) for nodes in (50, 500)]
    assert [case[0] for case in cases] == measure.fitness(alone)
    assert cases[0][0] > cases[1][0]
    assert cases[0][1] == 0 < cases[1][1]
    if name != "cost-per-solved":
        # The mean over deals, where the measure is one.
        assert [np.mean(case) for case in cases] == pytest.approx(measure.fitness(results))


def test_cases_need_the_same_deals_and_finite_values(toy: Any) -> None:
    measure = measure_of("log-nodes", toy)
    results = [Result((0.0,) * 3, Encounter((deal,)), (outcome(50),)) for deal in (3, 5)]
    with pytest.raises(plugins.PluginError, match="they met different ones"):
        cases_of(measure, results)
    measure.cases = lambda results: [(float("inf"),) for _ in results]  # type: ignore[method-assign]
    with pytest.raises(plugins.PluginError, match="'log-nodes' must give each solver a finite num"):
        cases_of(measure, results[:1] * 2)


@pytest.mark.parametrize(
    ("changes", "fine"),
    [
        ({"scheme": "fixed"}, True),
        ({"scheme": "resampled"}, True),
        ({"scheme": "coevolution"}, False),
        ({"scheme": "coevolution", "problems": {"encounters": "shared"}}, True),
        ({"scheme": "informative"}, True),
        ({"scheme": "resampled", "racing": {"rounds": 3}}, False),
    ],
)
@pytest.mark.parametrize("name", ["selLexicase", "selEpsilonLexicase", "worst_case"])
def test_selections_by_cases_are_refused_unless_all_meet_the_same_deals(
    changes: dict[str, Any], fine: bool, name: str, tmp_path: Path
) -> None:
    plugins.hand_in("selection", worst_case)
    given = table("selection", name, **changes, generations=2)
    if fine:
        evolve(given, tmp_path / "r", ONE)
        return
    with pytest.raises(JobError, match=r"deal by deal, but (in a race|.*fixed.*resampled let all)"):
        evolve(given, tmp_path / "r", ONE)
