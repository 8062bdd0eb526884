"""Generations on the toy game: what they are a function of, what they measure, where they lead."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import dist, log
from statistics import mean, median, quantiles
from typing import Any

import pytest
from bench import Bench, sets_of, solvers_of
from scipy.stats import chisquare

from gafreecell.evolution.measures import baseline_counts
from gafreecell.evolution.measures.node_reduction import mean_node_reduction
from gafreecell.evolution.populations import logbook
from gafreecell.solving.outcome import Limits, Outcome, Status, Task

pytestmark = pytest.mark.usefixtures("toy")


def history(**changes: Any) -> list[str]:
    """All log lines and states of a run as text, floats in full."""
    return [
        json.dumps([line, after.trainer, after.scheme])
        for _, after, line in Bench(**changes).generations()
    ]


def solved_by(
    bench: Bench, weights: Sequence[float], deals: Sequence[int], nodes: int
) -> list[Outcome]:
    """What a solver makes of some deals within so many nodes each."""
    evaluator = bench.evaluator(weights)
    tasks = [Task(deal, evaluator, bench.job.search, Limits(nodes)) for deal in deals]
    return bench.spy.outcomes(tasks)


@pytest.mark.parametrize("scheme", ["coevolution", "fixed", "resampled"])
def test_the_seed_decides_everything(scheme: str) -> None:
    one = history(scheme=scheme, generations=3)
    assert one == history(scheme=scheme, generations=3)
    other = history(scheme=scheme, generations=3, seed=6)
    assert all(a != b for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("trainer", ["genetic", "cma-es", "random"])
@pytest.mark.parametrize("scheme", ["coevolution", "resampled"])
def test_a_generation_is_a_function_of_state_job_and_number(scheme: str, trainer: str) -> None:
    """A fresh evolution, with nothing remembered, makes the same of a state, which stays."""
    evolution = Bench(scheme=scheme, trainer=trainer).evolution
    state = evolution.found()
    assert evolution.found() == state
    for _ in range(3):
        given = copy.deepcopy(state)
        after, line = evolution.step(state)
        assert state == given, "what it is given stays as it was"
        assert evolution.step(state) == (after, line), "asked again, it says the same"
        assert Bench(scheme=scheme, trainer=trainer).evolution.step(given) == (after, line)
        state = after


@pytest.mark.parametrize("changes", [{}, {"scheme": "resampled", "racing": {"rounds": 2}}])
def test_tasks_can_be_solved_elsewhere(changes: dict[str, Any]) -> None:
    """With another ``map`` on the toolbox a generation is the same."""
    evolution, elsewhere = Bench(**changes).evolution, Bench(**changes)
    asked: list[Task] = []

    def backwards(evaluate: Callable[[Task], Outcome], tasks: Sequence[Task]) -> list[Outcome]:
        asked.extend(tasks)
        return [evaluate(task) for task in reversed(tasks)][::-1]

    elsewhere.evolution.toolbox.register("map", backwards)
    state = evolution.found()
    for _ in range(4):
        before, expected = state, evolution.step(state)
        del asked[:], elsewhere.spy.calls[:]
        assert elsewhere.evolution.step(state) == expected
        assert asked and asked not in elsewhere.spy.calls
        assert elsewhere.evolution.costs.document() == evolution.costs.document()
        state = expected[0]
    # What DEAP's manual registers has no length.
    elsewhere.evolution.toolbox.register("map", map)
    assert elsewhere.evolution.step(before) == expected
    for wrong in (lambda *given: [*map(*given)][1:], lambda *given: [*map(*given)] * 2):
        elsewhere.evolution.toolbox.register("map", wrong)
        with pytest.raises(ValueError, match=r"map must return \d+ outcomes, got \d+"):
            elsewhere.evolution.step(state)


def test_tasks_can_be_solved_by_something_else() -> None:
    """What is registered as ``evaluate`` solves the solvers' tasks, and nothing remembers it."""
    bench = Bench()
    evolution, state = bench.evolution, bench.evolution.found()
    _, line = evolution.step(state)
    evaluate = evolution.toolbox.evaluate
    evolution.toolbox.register(
        "evaluate", lambda task: replace(evaluate(task), status=Status.NODE_LIMIT)
    )
    assert evolution.step(state)[1]["solved"] == 0 < line["solved"]
    evolution.toolbox.register("evaluate", evaluate)
    assert evolution.step(state)[1] == line


@pytest.mark.parametrize("scheme", ["coevolution", "resampled"])
def test_an_evolution_keeps_a_logbook(scheme: str) -> None:
    bench = Bench(scheme=scheme)
    lines = [line for _, _, line in bench.generations()]
    kept = bench.evolution.logbook
    assert kept.select("generation") == [1, 2, 3, 4, 5, 6]
    assert kept.chapters["solvers"].select("best") == [line["solvers"]["best"] for line in lines]
    assert list(kept) == list(logbook(lines)) and kept.chapters == logbook(lines).chapters
    assert bool(kept.chapters["problems"]) == (scheme == "coevolution")


def test_founders_lie_within_the_bounds_of_their_features() -> None:
    bench = Bench(solvers={"population": 400}, problems={"population": 300})
    state = bench.evolution.found()
    for place, feature in enumerate(bench.job.load_game().features):
        genes = [solver[place] for solver in solvers_of(state)]
        assert feature.low <= min(genes) < max(genes) <= feature.high
        span = feature.high - feature.low
        assert sum(genes) / 400 == pytest.approx(feature.low + span / 2, abs=0.08 * span)
    deals = Counter(deal for one in sets_of(state) for deal in one)
    assert set(deals) <= set(range(1, 61)) - {13}
    assert chisquare([deals[deal] for deal in range(1, 61) if deal != 13]).pvalue > 1e-4


def test_weights_stay_within_bounds_also_with_gaussian_mutation() -> None:
    rates = {"sigma": 3.0, "mutation": 0.9, "crossover": 0.1, "reproduction": 0.0}
    bench = Bench(solvers={**rates, "gene_mutation": 1.0}, trained={"features": ["far", "near"]})
    for _, after, _ in bench.generations():
        assert all(-1 <= far <= 2 and 0 <= near <= 1 for far, near in solvers_of(after))


def test_every_solver_is_evaluated_in_every_generation_the_elite_too() -> None:
    bench = Bench()
    for before, after, line in bench.generations():
        assert len(bench.deals_met(before)) == 8
        assert [list(result.solver) for result in bench.results] == solvers_of(before)
        best = max(bench.results, key=lambda result: result.fitness)
        assert solvers_of(after)[0] == list(best.solver) == line["best_weights"]
        assert line["solvers"]["best"] == best.fitness


def test_fitness_is_the_papers_against_the_baseline_on_the_same_deals() -> None:
    bench = Bench(trained={"nodes": 9000})
    failures = 0
    for before, _, line in bench.generations():
        values = []
        for result, deals in zip(bench.results, bench.deals_met(before), strict=True):
            outcomes = solved_by(bench, result.solver, deals, 9000)
            baseline = solved_by(bench, (1.0, 0.0, 0.0), deals, 9000)
            failures += sum(o.status is not Status.SOLVED for o in baseline)
            values.append(mean_node_reduction(outcomes, baseline_counts(baseline)))
            assert result.fitness == pytest.approx(values[-1], abs=1e-12)
        assert line["solvers"]["mean"] == pytest.approx(mean(values))
    assert failures, "the budget was chosen so that the baseline fails now and then"


@pytest.mark.parametrize("ranking", ["mean-nodes", "log-nodes"])
def test_the_champion_is_the_generation_best_that_validates_best(ranking: str) -> None:
    bench = Bench(
        generations=15,
        # Without an elite, later generations are often worse.
        trainer="random",
        validation={"ranking": ranking, "nodes": 4000, "failure": 7},
    )
    least, chosen, weights = float("inf"), 0, [0.0]
    changes = worse = failures = 0
    for _, after, line in bench.generations():
        found = solved_by(bench, line["best_weights"], range(101, 121), 4000)
        counts = [o.nodes.generated if o.status is Status.SOLVED else 7 * 4000 for o in found]
        failures += counts.count(7 * 4000)
        value = mean(log(n + 300) for n in counts) if ranking == "log-nodes" else mean(counts)
        worse += value > least + 1e-9
        if value < least - 1e-9:
            least, chosen, weights = value, line["generation"], line["best_weights"]
            changes += 1
        assert after.champion is not None
        assert after.champion.generation == chosen == line["validation"]["generation"]
        assert list(after.champion.weights) == weights
        assert after.champion.value == pytest.approx(least)
    assert changes > 1, "the champion changed at least once"
    assert worse, "and was kept at least once"
    assert failures, "some failed, so that what a failure counts was seen"


@pytest.mark.parametrize(
    ("solvers", "changes"),
    [
        ({}, {}),
        ({}, {"scheme": "resampled"}),
        ({"selection": "windowed"}, {"fitness": {"measure": "log-nodes"}}),
        ({"selection": "tournament", "sigma": 0.1}, {"problems": {"encounters": "shared"}}),
    ],
    ids=["paper", "resampled", "log-nodes", "tournament"],
)
def test_evolution_moves_the_population_to_what_solves_deals(
    solvers: dict[str, Any], changes: dict[str, Any]
) -> None:
    from toy_game import HIDDEN

    bench = Bench(generations=25, solvers={"population": 30, **solvers}, **changes)
    steps = list(bench.generations())
    first, last = (
        mean(dist(solver, HIDDEN) for solver in solvers_of(before))
        for before, _, _ in (steps[0], steps[-1])
    )
    assert last < first / 2, "the population moved to the hidden vector"
    assert dist(steps[-1][1].champion.weights, HIDDEN) < 0.25  # type: ignore[union-attr]


@pytest.mark.parametrize("features", [("far", "middle"), ("middle",)])
def test_features_that_are_not_trained_weigh_nothing(features: tuple[str, ...]) -> None:
    from toy_game import nodes_needed

    bench = Bench(trained={"features": list(features)})
    for before, _, _ in bench.generations():
        assert all(len(solver) == len(features) for solver in solvers_of(before))
        assert {task.evaluator.features for task in bench.tasks} == {features}  # type: ignore
        for result, deals in zip(bench.results, bench.deals_met(before), strict=True):
            weight = dict(zip(features, result.solver, strict=True))
            all_three = [weight.get(name, 0.0) for name in ("near", "middle", "far")]
            nodes = [nodes_needed(deal, all_three) for deal in deals]
            assert [outcome.nodes.generated for outcome in result.outcomes] == nodes


def test_a_preset_can_be_the_baseline_with_its_own_search_and_limits() -> None:
    own, preset = Bench(), Bench(fitness={"baseline": "known"})
    deals = [1, 2, 3]
    assert preset.baseline(deals) == [80, 50, 20]
    far = dist((1, 0, 0), (0.2, 0.9, 0.5))
    assert own.baseline(deals)[0] == 80 + int(8000 * far)


def test_nsga_ii_logs_each_front_and_keeps_half_of_the_population() -> None:
    fitness = {"measure": "log-nodes", "length": 1.0}
    bench = Bench(trainer="nsga-ii", scheme="resampled", fitness=fitness, generations=4)
    for before, after, line in bench.generations():
        front = line["front"]
        assert front
        costs = [(point["log_nodes"], point["length"]) for point in front]
        assert costs == sorted(costs)
        assert [length for _, length in costs] == sorted((c[1] for c in costs), reverse=True)
        solvers = solvers_of(before)
        assert all(point["weights"] in solvers for point in front)
        kept = [solver for solver in solvers_of(after) if solver in solvers]
        assert len(kept) >= (len(solvers) + 1) // 2
        assert len(solvers_of(after)) == len(solvers)


@pytest.mark.parametrize("scheme", ["coevolution", "resampled", "informative"])
def test_the_log_says_what_deals_were_like(scheme: str) -> None:
    """With the standard library's quartiles; a failure counts five times the budget."""
    problems = {"encounters": "shared"} if scheme == "coevolution" else {}
    bench = Bench(scheme=scheme, problems=problems, fitness={"failure": 5.0})
    for _, _, line in bench.generations(4):
        nodes: dict[Any, list[int]] = {}
        costs: dict[Any, list[float]] = {}
        for result in bench.results:
            # Problems may share a deal, which costs the same whenever it is solved.
            met = dict(zip(result.encounter.deals, result.outcomes, strict=True))
            for deal, outcome in met.items():
                nodes.setdefault(deal, []).append(outcome.nodes.generated)
                solved = outcome.status is Status.SOLVED
                cost = outcome.nodes.generated if solved else 5 * bench.job.limits.nodes
                costs.setdefault(deal, []).append(log(cost))
        hardness = [median(each) for each in costs.values()]
        prices = [mean(each) for each in nodes.values()]
        found = line["met"]
        assert found["deals"] == len(nodes)
        assert found["hardness"] == pytest.approx(mean(hardness))
        for name, values in (("hardness", hardness), ("price", prices)):
            low, _, high = quantiles(values, method="inclusive")
            assert found["middle"][name] == pytest.approx([low, high])
        low, high = found["middle"]["informativeness"]
        assert -1 <= low <= high <= 1
