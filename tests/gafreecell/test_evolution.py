"""Generations on the toy game: who meets whom, what is evaluated, what it leads to."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import dist, log
from typing import Any

import pytest
from conftest import as_toml, job_table
from joblib import Parallel
from scipy.stats import chisquare

from gafreecell.evaluation import Evaluation, Workers, WorkersError
from gafreecell.evolution import Evolution, State
from gafreecell.generation import Result
from gafreecell.job import Job, parse_job
from gafreecell.measures import UNSOLVED_NODES, baseline_counts
from gafreecell.measures.node_reduction import node_reduction
from gafreecell.problems import ProblemSet, Tally, set_fitness
from solving.outcome import Limits, Outcome, Status, Task


class Spy(Evaluation):
    """An evaluation that keeps what it was asked, call after call."""

    def __init__(self, game: Any) -> None:
        super().__init__(game, Parallel(n_jobs=1, return_as="generator_unordered"))
        self.calls: list[list[Task]] = []
        self.phase = ""

    def outcomes(self, tasks: Sequence[Task]) -> list[Outcome]:
        self.calls.append(list(tasks))
        return super().outcomes(tasks)


def solvers_of(state: State) -> list[list[float]]:
    """The genomes to be measured next."""
    return [list(solver) for solver in state.trainer["solvers"]]


def sets_of(state: State) -> list[ProblemSet]:
    """The population of problems."""
    return [ProblemSet.from_document(kept) for kept in state.scheme.get("sets", [])]


class Bench:
    """An evolution whose every evaluation is seen.

    Attributes:
        results: of the generation just run, with their fitness.
        met: the problems as they were told of it, before they had children.
    """

    def __init__(self, **changes: Any) -> None:
        self.job: Job = parse_job(as_toml(job_table(**changes)), "job.toml")
        self.spy = Spy(self.job.load_game())
        self.evolution = Evolution(self.job, self.spy)
        self.evaluator = self.evolution.parts.setting.evaluator
        self.tasks: list[Task] = []
        self.validated: list[tuple[float, ...]] = []
        self.results: list[Result] = []
        learn = self.evolution.parts.trainer.tell

        def tell(moment: Any, results: Sequence[Result]) -> Any:
            self.results = list(results)
            return learn(moment, results)

        self.evolution.parts.trainer.tell = tell  # type: ignore[method-assign]

    def generations(self, count: int | None = None) -> Iterator[tuple[State, State, dict]]:
        """Each generation's state as evaluated, the next one, and its log line."""
        state = self.evolution.found()
        phases: dict[str, list[list[Task]]] = {}

        def phase(name: str) -> None:
            phases[name] = self.spy.calls = []

        self.evolution.on_phase = phase
        for _ in range(count or self.job.generations):
            phases.clear()
            before = state
            state, line = self.evolution.step(before)
            (self.tasks,) = phases["solvers"]
            self.validated = [
                tasks[0].evaluator.weights  # type: ignore[union-attr]
                for tasks in phases.get("validation", [])
            ]
            yield before, state, line

    def deals_met(self, state: State) -> list[list[int]]:
        """The deals each solver was measured on in the generation just run."""
        solvers = solvers_of(state)
        tasks = iter(self.tasks)
        each = len(self.tasks) // len(solvers)
        found = []
        for solver in solvers:
            mine = [next(tasks) for _ in range(each)]
            assert {task.evaluator.weights for task in mine} == {tuple(solver)}  # type: ignore
            found.append([int(task.deal) for task in mine])  # type: ignore[call-overload]
        assert not list(tasks)
        return found

    def baseline(self, deals: Sequence[int]) -> list[float]:
        """The baseline's counts."""
        return baseline_counts(self.evolution.parts.setting.baseline(deals))


def history(**changes: Any) -> list[str]:
    """All log lines and states of a run as text, floats in full."""
    return [
        json.dumps([line, after.trainer, after.scheme])
        for _, after, line in Bench(**changes).generations()
    ]


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("scheme", ["coevolution", "fixed", "resampled"])
def test_the_seed_decides_everything(scheme: str) -> None:
    assert history(scheme=scheme) == history(scheme=scheme)
    other = history(scheme=scheme, seed=6)
    assert all(a != b for a, b in zip(history(scheme=scheme), other, strict=True))


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("trainer", ["genetic", "cma-es", "random"])
@pytest.mark.parametrize("scheme", ["coevolution", "resampled"])
def test_a_generation_is_a_function_of_state_job_and_number(scheme: str, trainer: str) -> None:
    """A fresh evolution, with nothing remembered, makes the same of a state, which stays."""
    evolution = Bench(scheme=scheme, trainer=trainer).evolution
    state = evolution.found()
    assert evolution.found() == state
    for _ in range(6):
        given = copy.deepcopy(state)
        after, line = evolution.step(state)
        assert state == given, "what it is given stays as it was"
        assert evolution.step(state) == (after, line), "asked again, it says the same"
        assert Bench(scheme=scheme, trainer=trainer).evolution.step(given) == (after, line)
        state = after


@pytest.mark.usefixtures("toy")
def test_outcomes_can_come_from_elsewhere() -> None:
    """``ask`` and ``tell`` make what ``step`` makes."""
    evolution, elsewhere = Bench().evolution, Bench()
    state = evolution.found()
    for _ in range(4):
        asked = evolution.ask(state)
        outcomes = elsewhere.job.load_game().run(asked.tasks)
        told = evolution.tell(asked, outcomes)
        assert told == elsewhere.evolution.step(state)
        state = told[0]
    for wrong in (outcomes[1:], outcomes * 2):
        with pytest.raises(ValueError, match="expected 48 outcomes"):
            evolution.tell(asked, wrong)


@pytest.mark.usefixtures("toy")
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


@pytest.mark.usefixtures("toy")
def test_weights_stay_within_bounds_also_with_gaussian_mutation() -> None:
    rates = {"sigma": 3.0, "mutation": 0.9, "crossover": 0.1, "reproduction": 0.0}
    bench = Bench(solvers={**rates, "gene_mutation": 1.0}, trained={"features": ["far", "near"]})
    for _, after, _ in bench.generations():
        assert all(-1 <= far <= 2 and 0 <= near <= 1 for far, near in solvers_of(after))


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("meetings", [1, 2, 5])
def test_each_solver_meets_so_many_distinct_problems(meetings: int) -> None:
    bench = Bench(problems={"meetings": meetings, "population": 5})
    pairs: Counter[tuple[int, ...]] = Counter()
    for before, _, line in bench.generations(10):
        sets = [list(one) for one in sets_of(before)]
        for deals in bench.deals_met(before):
            met = [deals[i : i + 3] for i in range(0, len(deals), 3)]
            assert len(met) == meetings
            left = list(sets)
            for one in met:
                left.remove(one)  # each problem at most once, though two may be alike
            pairs[tuple(deals)] += 1
        assert line["evaluations"] == 8 * meetings * 3
    assert len(pairs) > 3, "solvers draw their problems by themselves"


@pytest.mark.usefixtures("toy")
def test_problems_are_met_uniformly() -> None:
    bench = Bench(
        solvers={"population": 200},
        problems={"population": 6, "meetings": 2, "every": 100},
        deals={"train": "1-1000"},
    )
    met: Counter[int] = Counter()
    for before, after, _ in bench.generations(5):
        owner = {deal: number for number, one in enumerate(sets_of(before)) for deal in one}
        for deals in bench.deals_met(before):
            met.update({owner[deal] for deal in deals})
        together = sum(one.tally.met for one in sets_of(after))
        assert together == 200 * 2 * after.generation
    assert sum(met.values()) == 2000
    assert chisquare([met[i] for i in range(6)]).pvalue > 1e-4


@pytest.mark.usefixtures("toy")
def test_shared_encounters_are_the_same_problems_for_all_and_change() -> None:
    bench = Bench(problems={"encounters": "shared", "every": 100})
    seen = set()
    for before, after, _ in bench.generations(8):
        (deals,) = {tuple(deals) for deals in bench.deals_met(before)}
        assert len(deals) == 6
        seen.add(deals)
        assert sorted(one.tally.met for one in sets_of(after))[-2:] != [0, 0]
    assert len(seen) > 3


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("every", [1, 2, 5])
def test_problems_have_children_every_so_many_generations(every: int) -> None:
    bench = Bench(generations=11, problems={"every": every})
    for before, after, line in bench.generations():
        sets = sets_of(after)
        bred = line["generation"] % every == 0
        if bred:
            assert all(one.tally.met == 0 for one in sets)
            assert not any(one.fitness.valid for one in sets)
            assert sets[0].value == line["problems"]["best"], "the hardest problem is the elite"
            assert list(sets[0]) in [list(one) for one in sets_of(before)]
        else:
            assert list(map(list, sets)) == list(map(list, sets_of(before)))
            assert max(one.value for one in sets) == line["problems"]["best"]
        assert len(sets) == 6


@pytest.mark.usefixtures("toy")
def test_every_solver_is_evaluated_in_every_generation_the_elite_too() -> None:
    bench = Bench()
    for before, after, line in bench.generations():
        assert len(bench.deals_met(before)) == 8
        assert [list(result.solver) for result in bench.results] == solvers_of(before)
        best = max(bench.results, key=lambda result: result.fitness)
        assert solvers_of(after)[0] == list(best.solver) == line["best_weights"]
        assert line["solvers"]["best"] == best.fitness


@pytest.mark.usefixtures("toy")
def test_fitness_is_the_papers_against_the_baseline_on_the_same_deals() -> None:
    bench = Bench(trained={"nodes": 9000})
    failures = 0
    for before, _, line in bench.generations():
        values = []
        for result, deals in zip(bench.results, bench.deals_met(before), strict=True):
            outcomes, baseline = (
                bench.spy.outcomes(
                    [
                        Task(deal, bench.evaluator(one), bench.job.search, Limits(9000))
                        for deal in deals
                    ]
                )
                for one in (result.solver, (1.0, 0.0, 0.0))
            )
            failures += sum(o.status is not Status.SOLVED for o in baseline)
            each = [
                node_reduction(
                    mine, base.nodes.generated if base.status is Status.SOLVED else UNSOLVED_NODES
                )
                for mine, base in zip(outcomes, baseline, strict=True)
            ]
            values.append(sum(each) / len(each))
            assert result.fitness == pytest.approx(values[-1], abs=1e-12)
        assert line["solvers"]["mean"] == pytest.approx(sum(values) / 8)
    assert failures, "the budget was chosen so that the baseline fails now and then"


@pytest.mark.usefixtures("toy")
def test_a_problems_fitness_is_over_all_who_met_it_since_it_was_made() -> None:
    bench = Bench(trained={"nodes": 9000}, problems={"every": 3, "penalty": 10**6}, generations=9)
    nodes: list[list[list[int]]] = []
    unsolved = unmet = 0
    for before, _, line in bench.generations():
        sets = sets_of(before)
        if line["generation"] % 3 == 1:
            nodes = [[[] for _ in one] for one in sets]
            solved = [[0 for _ in one] for one in sets]
            inherited = [one.inherited for one in sets]
        for result in bench.results:
            outcomes = iter(result.outcomes)
            for number in result.encounter.met:
                for place, deal in enumerate(sets[number]):
                    evaluator = bench.evaluator(result.solver)
                    task = Task(deal, evaluator, bench.job.search, Limits(9000))
                    outcome = next(outcomes)
                    assert outcome == bench.spy.outcomes([task])[0]
                    nodes[number][place].append(outcome.nodes.generated)
                    solved[number][place] += outcome.status is Status.SOLVED
        values = []
        for number, one in enumerate(sets):
            met = len(nodes[number][0])
            if not met:
                unmet += 1
                values.append(inherited[number])
                continue
            unsolved += solved[number].count(0)
            tally = Tally(met, [sum(deal) for deal in nodes[number]], solved[number])
            values.append(set_fitness(tally, bench.baseline(one), 10**6))
        assert line["problems"]["best"] == pytest.approx(max(values))
        assert line["problems"]["mean"] == pytest.approx(sum(values) / 6)
    assert unsolved, "some deal was solved by nobody"
    assert unmet, "some problem was met by nobody"


@pytest.mark.usefixtures("toy")
def test_fixed_deals_are_the_same_in_every_generation() -> None:
    bench = Bench(scheme="fixed", sample={"deals": 7})
    seen = {
        tuple(deals) for before, _, _ in bench.generations() for deals in bench.deals_met(before)
    }
    (deals,) = seen
    assert len(set(deals)) == 7


@pytest.mark.usefixtures("toy")
def test_resampled_deals_are_the_same_for_all_and_change_with_the_generation() -> None:
    bench = Bench(scheme="resampled", sample={"deals": 7})
    seen = []
    for before, _, line in bench.generations():
        (deals,) = {tuple(deals) for deals in bench.deals_met(before)}
        assert len(set(deals)) == 7
        assert before.scheme == {}
        assert line["problems"] is None
        seen.append(deals)
    assert len(set(seen)) == len(seen)


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("ranking", ["mean-nodes", "log-nodes"])
def test_the_champion_is_the_generation_best_that_validates_best(ranking: str) -> None:
    bench = Bench(
        generations=15,
        solvers={"population": 12, "mutation": 0.5, "crossover": 0.3},
        validation={"ranking": ranking, "nodes": 4000, "failure": 7},
    )
    least, chosen, weights = float("inf"), 0, [0.0]
    changes = failures = 0
    for _, after, line in bench.generations():
        evaluator = bench.evaluator(line["best_weights"])
        found = bench.spy.outcomes(
            [Task(deal, evaluator, bench.job.search, Limits(4000)) for deal in range(101, 121)]
        )
        counts = [o.nodes.generated if o.status is Status.SOLVED else 7 * 4000 for o in found]
        failures += counts.count(7 * 4000)
        if ranking == "log-nodes":
            value = sum(log(count + 300) for count in counts) / 20
        else:
            value = sum(counts) / 20
        if value < least - 1e-9:
            least, chosen, weights = value, line["generation"], line["best_weights"]
            changes += 1
        assert after.champion is not None
        assert after.champion.generation == chosen == line["validation"]["generation"]
        assert list(after.champion.weights) == weights
        assert after.champion.value == pytest.approx(least)
    assert changes > 1, "the champion changed at least once"
    assert chosen < 15, "and was kept at least once"
    assert failures, "some failed, so that what a failure counts was seen"


@pytest.mark.usefixtures("toy")
def test_validation_never_sees_a_training_deal_nor_training_a_validation_deal() -> None:
    bench = Bench()
    for before, _, _ in bench.generations():
        assert all(deal <= 60 for deals in bench.deals_met(before) for deal in deals)
    assert set(bench.evolution.validation) == set(range(101, 121))


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"scheme": "resampled"},
        {"fitness": {"measure": "log-nodes"}, "solvers": {"selection": "windowed"}},
        {
            "problems": {"encounters": "shared"},
            "solvers": {"selection": "tournament", "sigma": 0.1},
        },
    ],
    ids=["paper", "resampled", "log-nodes", "tournament"],
)
def test_evolution_moves_the_population_to_what_solves_deals(changes: dict[str, Any]) -> None:
    from toy_game import HIDDEN

    table = {"solvers": {"population": 30}, "generations": 25, **changes}
    table["solvers"] = {"population": 30, **table["solvers"]}
    bench = Bench(**table)
    first = last = 0.0
    champion = None
    for before, after, _ in bench.generations():
        distances = [dist(solver, HIDDEN) for solver in solvers_of(before)]
        last = sum(distances) / len(distances)
        first = first or last
        champion = after.champion
    assert last < first / 2, "the population moved to the hidden vector"
    assert champion is not None
    assert dist(champion.weights, HIDDEN) < 0.25


@pytest.mark.usefixtures("toy")
def test_problems_can_hold_one_deal() -> None:
    rates = {"reproduction": 0.0, "crossover": 0.5, "mutation": 0.5, "gene_mutation": 1.0}
    bench = Bench(problems={"deals": 1, **rates})
    first = set(chain(*sets_of(bench.evolution.found())))
    for before, _, _ in bench.generations():
        assert {len(one) for one in sets_of(before)} == {1}
        present = set(chain(*sets_of(before)))
        assert all(len(met) == 2 and present.issuperset(met) for met in bench.deals_met(before))
    assert not present <= first, "their children hold other deals"


@pytest.mark.usefixtures("toy")
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


@pytest.mark.usefixtures("toy")
def test_a_preset_can_be_the_baseline_with_its_own_search_and_limits() -> None:
    own, preset = Bench(), Bench(fitness={"baseline": "known"})
    deals = [1, 2, 3]
    assert preset.baseline(deals) == [80, 50, 20]
    far = dist((1, 0, 0), (0.2, 0.9, 0.5))
    assert own.baseline(deals)[0] == 80 + int(8000 * far)


@pytest.mark.usefixtures("toy")
def test_each_distinct_task_is_computed_once() -> None:
    bench = Bench()
    for _ in bench.generations():
        pass
    spy = bench.spy
    assert spy.computed == len(spy._known) < spy.asked
    known = list(spy._known)
    before = spy.computed
    assert spy.outcomes(known + known) == 2 * list(spy._known.values())
    assert spy.computed == before


@pytest.mark.usefixtures("toy")
def test_outcomes_come_in_the_order_of_their_tasks() -> None:
    bench = Bench()
    evaluator = bench.evaluator((0.2, 0.9, 0.5))
    deals = [9, 1, 9, 5, *range(60, 1, -1)]
    tasks = [Task(deal, evaluator, bench.job.search, Limits(5000)) for deal in deals]
    for jobs in (1, 2):
        with Workers(jobs).started() as pool:
            found = Evaluation(bench.job.load_game(), pool).outcomes(tasks)
        assert [o.nodes.generated for o in found[:4]] == [40, 80, 40, 60]
        assert [o.moves for o in found] == [None] * len(deals), "move lists are not kept"
        assert [o.status for o in found].count(Status.NODE_LIMIT) == 1


@pytest.mark.usefixtures("toy")
def test_the_baseline_is_kept_between_runs_and_made_again_when_damaged(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path))
    expected = Bench().baseline(range(1, 20))
    (kept,) = (tmp_path / "baselines").iterdir()
    bench = Bench()
    assert bench.baseline(range(1, 20)) == expected
    assert bench.spy.computed == 0, "it was read from the cache"
    for damage in ("", "{", "[]", "null", '{"1": 5}', '{"1": ["lost", 1, 2]}', '{"x": [1]}', "\0"):
        kept.write_text(damage)
        assert Bench().baseline(range(1, 20)) == expected, damage
    kept.write_bytes(b"\xff\xfe")
    assert Bench().baseline(range(1, 20)) == expected


@pytest.mark.usefixtures("toy")
def test_the_baselines_of_different_searches_are_kept_apart(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path))
    benches = [
        Bench(),
        Bench(trained={"nodes": 500}),
        Bench(trained={"parameters": {"effort": 7}}),
        Bench(variant={"slow": 3}),
        Bench(fitness={"baseline": "guess"}, trained={"nodes": 5}),
    ]
    counts = [tuple(bench.baseline([1, 2, 3, 4])) for bench in benches]
    assert len({*counts[:4]}) == 4
    assert len(list((tmp_path / "baselines").iterdir())) == 5


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"jobs": 0}, "positive"),
        ({"jobs": -2}, "positive"),
        ({"backend": "mpi"}, "threading, loky, dask"),
        ({"scheduler": "tcp://x:1"}, "dask"),
    ],
)
def test_workers_that_cannot_be_had(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(WorkersError, match=reason):
        Workers(**options)


def test_nsga_ii_logs_each_front_and_keeps_half_of_the_population(toy: Any) -> None:
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
