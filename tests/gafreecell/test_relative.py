"""Fitness against the generation's median, how informative deals are, and how many are met."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from bench import Bench
from conftest import job_table
from outcomes import failed, solved
from run_folders import ONE
from scipy.stats import pearsonr, spearmanr

from deals.errors import BadInput
from gafreecell.evolution.generation import Encounter, Moment, Result
from gafreecell.evolution.job import Fitness, Job, JobError, job_text
from gafreecell.evolution.job_reading import make_job, parse_job
from gafreecell.evolution.measures.relative import (
    complete,
    informativeness,
    log_cost,
    relative_costs,
)
from gafreecell.evolution.populations import best_of, clone
from gafreecell.evolution.schemes import Scheme
from gafreecell.evolution.schemes.coevolution import Coevolution
from gafreecell.evolution.schemes.problems import ProblemSet, virulent
from gafreecell.evolution.schemes.racing import ahead, finishers, ranked_by_round
from gafreecell.evolution.schemes.sample_size import (
    SampleSize,
    agreement,
    growth_of,
    largest_sample,
)
from gafreecell.runs.run import evolve
from gafreecell.solving.features import Scales
from gafreecell.testing import check_scheme


@pytest.fixture
def job(toy: Any) -> Callable[..., Job]:
    """A checked job of the toy game with some keys changed."""

    def made(**changes: Any) -> Job:
        return make_job(job_table(**changes))

    return made


SCALES = Scales(nodes=300, moves=200)


def met(*nodes: int | None, problems: Sequence[int] = (1, 2, 3, 4)) -> Result:
    """A solver that needed so many nodes of each problem, None where it failed."""
    outcomes = tuple(failed(50) if n is None else solved(n) for n in nodes)
    return Result((0.0,), Encounter(tuple(problems[: len(nodes)])), outcomes)


def test_a_problem_counts_what_it_cost_beyond_the_median_up_to_the_clip() -> None:
    results = [met(10, 100), met(20, 100), met(40, None)]
    costs = relative_costs(results, 1000, Fitness(failure=5.0, clip=0.5), SCALES)
    half = math.log(2)
    assert costs == pytest.approx(np.array([[-half, 0.0], [0.0, 0.0], [0.5, 0.5]]))


def test_a_problem_that_some_did_not_meet_has_the_median_of_the_others() -> None:
    costs = relative_costs([met(10, 80), met(20), met(40, 20)], 1000, Fitness(clip=9), SCALES)
    assert np.isnan(costs[1, 1]) and not np.isnan(costs[:, 0]).any()
    assert costs[0, 1] == pytest.approx(math.log(2))
    assert len(complete(costs)) == 2


def test_costs_are_those_of_the_rules() -> None:
    rules = Fitness(failure=5.0, length=0.5, expansion=2.0)
    assert log_cost(solved(40, 150), 100, rules, SCALES) == pytest.approx(math.log(80) + 0.75)
    assert log_cost(failed(40), 100, rules, SCALES) == pytest.approx(math.log(500) + 1.0)
    assert log_cost(solved(0, 0), 100, Fitness(), SCALES) == 0.0


def test_informativeness_is_the_correlation_with_all_others() -> None:
    costs = np.random.default_rng(3).normal(size=(12, 5))
    costs[:, 2] += costs.sum(axis=1)
    costs[0, 1] = np.nan
    found = informativeness(costs)
    rows = costs[1:]
    for place in range(5):
        others = np.delete(rows, place, axis=1).mean(axis=1)
        assert found[place] == pytest.approx(pearsonr(rows[:, place], others).statistic)
    flat = np.ones((12, 3))
    assert informativeness(flat) == pytest.approx(np.zeros(3))


def test_samples_that_tell_solvers_apart_agree() -> None:
    rng = np.random.default_rng(4)
    solvers = rng.normal(size=(40, 1))
    sure, loud = (solvers + size * rng.normal(size=(40, 30)) for size in (0.3, 30.0))
    # What it estimates: the correlation with another sample of the same size.
    other = (solvers + 2.0 * rng.normal(size=(40, 30))).mean(axis=1)
    middling = solvers + 2.0 * rng.normal(size=(40, 30))
    assert agreement(sure) > 0.98
    assert agreement(middling) == pytest.approx(
        spearmanr(middling.mean(axis=1), other).statistic, abs=0.12
    )
    assert agreement(loud) < 0.6
    assert agreement(sure[:, :1]) == agreement(sure[:2]) == agreement(np.zeros((9, 4))) == 0.0


def test_a_sample_grows_as_the_job_says(job: Any) -> None:
    grown = job(sample={"deals": 2, "growth": {"3": 4, "5": 7}}, scheme="resampled")
    size = SampleSize(grown)
    assert [size.of(generation) for generation in (1, 2, 3, 4, 5, 60)] == [2, 2, 4, 4, 7, 7]
    assert largest_sample(grown) == 7 and size.state() == {}


def test_a_sample_grows_until_its_halves_agree(job: Any) -> None:
    size = SampleSize(job(sample={"deals": 4, "agreement": 0.9, "most": 6}, scheme="resampled"))
    opposed = [met(10, 40, 10, 40), met(20, 20, 20, 20), met(40, 10, 40, 10)]
    agreed = [met(10, 10, 10, 10), met(20, 20, 20, 20), met(40, 40, 40, 40)]
    size.learn(agreed, SCALES)
    assert size.of(2) == 4
    for expected in (5, 6, 6):
        size.learn(opposed, SCALES)
        size.learn(opposed, SCALES)
        assert size.of(9) == expected or expected == 5
    again = SampleSize(size._job)
    again.restore(size.state())
    assert again.state() == size.state()
    with pytest.raises(ValueError, match="cannot have 7 deals"):
        again.restore({"deals": 7, "agreement": None})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"sample": {"growth": {"two": 4}}}, "sample.growth must map"),
        ({"sample": {"growth": {"2": 0}}}, "sample.growth must map"),
        ({"sample": {"growth": {2.0: 6}}}, "sample.growth must map"),
        ({"sample": {"growth": {True: 6}}}, "sample.growth must map"),
        ({"sample": {"growth": {-2: 6}}}, "got '-2' = 6"),
        ({"sample": {"growth": {"0": 6}}}, "sample.growth must map"),
        ({"sample": {"growth": {"1": 6, "01": 8}}}, "got '01' = 8"),
        ({"sample": {"growth": {"٢": 6}}}, "sample.growth must map"),
        ({"sample": {"growth": {"1000001": 6}}}, "1 to 1,000,000"),
        ({"sample": {"growth": {"9" * 5000: 6}}}, r"got .{40} = 6"),
        ({"sample": {"growth": {"2": 3}, "agreement": 0.5}}, "drop one"),
        ({"sample": {"growth": {"2": 13}}, "scheme": "fixed"}, "use 'resampled'"),
        ({"sample": {"growth": {"3": 10}}}, "from 10 deals to more than that in generation 3"),
        ({"sample": {"deals": 2, "growth": {"5": 4, "3": 4}}}, "from 4 .* generation 5, got 4"),
        ({"sample": {"deals": 12, "agreement": 0.5, "most": 11}}, "at least sample.deals, 12, got"),
        ({"fitness": {"measure": "relative"}, "scheme": "coevolution"}, "problems.encounters"),
        ({"racing": {"rounds": 3}, "scheme": "coevolution"}, "racing.rounds"),
        (
            {"trainer": "nsga-ii", "fitness": {"measure": "log-nodes"}, "racing": {"rounds": 2}},
            "racing.rounds: the trainer nsga-ii compares mean costs",
        ),
        ({"sample": {"agreement": 0.5}, "racing": {"rounds": 3}}, "of 8 .* only 2 would after 3"),
        ({"scheme": "informative", "racing": {"rounds": 3}}, "racing: the scheme informative"),
        ({"informative": {"fresh": 0.4}, "scheme": "informative"}, "informative.fresh"),
    ],
)
def test_what_cannot_be_is_refused(job: Any, changes: dict[str, Any], expected: str) -> None:
    with pytest.raises(JobError, match=expected):
        job(**{"scheme": "resampled", **changes})


@pytest.mark.parametrize("shared", [False, True])
def test_solvers_that_may_meet_different_deals_are_not_compared(
    toy: Any, shared: bool, tmp_path: Path
) -> None:
    class Own(Scheme):
        name = "own"
        to_share = "own.heart = true"

        @classmethod
        def shares(cls, job: Job) -> bool:
            return shared

        def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
            return [Encounter((1 + place,)) for place in range(solvers)]

    said = r"scheme own they meet different ones; fixed, .*coevolution with prob.*, and own with o"
    if shared:
        # It is believed until it chooses.
        said = r"'own' must have all solvers meet the same problems, .* got \d+ sets of them"
        with pytest.raises(AssertionError, match="must hold the same problems if shares"):
            check_scheme(Own)
    with pytest.raises(BadInput, match=said):
        evolve(job_table(fitness={"measure": "relative"}), tmp_path / "r", ONE, scheme=Own)


def test_growth_is_read(job: Any) -> None:
    sample = {"deals": 8, "growth": {"1000000": 10, "12": 9}}
    assert growth_of(job(sample=sample, scheme="resampled")) == {12: 9, 1_000_000: 10}


def test_growth_from_python_may_have_numbers_of_generations(job: Any) -> None:
    made = [
        job(sample={"growth": growth}, scheme="resampled")
        for growth in ({"3": 12, "5": 19}, {3: 12, 5: 19}, {np.int64(3): 12, "5": 19})
    ]
    assert made[0] == made[1] == made[2] and len({one.digest for one in made}) == 1
    assert parse_job(job_text(made[1]), "job.toml") == made[1]
    assert make_job(made[1], sample={"growth": {3: 17}}).sample.growth == {"3": 17, "5": 19}


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("deals", [1, 3, 9])
@pytest.mark.parametrize(("rounds", "share"), [(1, 0.5), (2, 0.5), (3, 0.7), (5, 0.9), (5, 0.1)])
def test_so_many_finish_a_race(deals: int, rounds: int, share: float) -> None:
    racing = {"rounds": rounds, "share": share}
    bench = Bench(scheme="resampled", sample={"deals": deals}, racing=racing)
    state = bench.evolution.found()
    for _ in range(2):
        state, _ = bench.evolution.step(state)
        all_met = sum(len(result.outcomes) == deals for result in bench.results)
        assert all_met == finishers(8, deals, bench.job.racing)


@pytest.mark.parametrize(
    "changes",
    [
        {"sample": {"agreement": 0.5}, "racing": {"rounds": 2}},
        {"sample": {"agreement": 0.5}, "racing": {"rounds": 3, "share": 0.6}},
        {"sample": {"agreement": 0.5, "deals": 2, "most": 2}, "racing": {"rounds": 9}},
        {"scheme": "informative", "racing": {"rounds": 2}},
    ],
)
def test_races_that_three_finish_are_fine(job: Any, changes: dict[str, Any]) -> None:
    assert job(**{"scheme": "resampled", **changes}).racing.rounds > 1


def test_the_better_share_of_those_that_went_furthest_goes_on() -> None:
    results = [met(1, 1), met(1), met(1, 1), met(1, 1)]
    assert ahead(results, [0.1, 9.0, 0.3, 0.3], 0.5) == {2, 3}
    assert ahead(results, [0.3, 9.0, 0.3, 0.3], 0.5) == {0, 2}


def test_who_went_further_ranks_above_whoever_fell_behind() -> None:
    results = [met(1), met(1, 1, 1), met(1, 1), met(1), met(1, 1, 1)]
    ranked = ranked_by_round(results, [0.9, 0.5, 0.8, 0.7, 0.3])
    assert ranked == pytest.approx([0.3, 0.5, 0.3, 0.1, 0.3])
    assert ranked_by_round(results[:1], [0.4]) == [0.4]
    assert min(ranked_by_round(results, [0.9, 0.5, 0.8, 0.1, 0.3])) == 0.0


def test_the_fittest_problems_are_hard_but_not_the_hardest() -> None:
    values = virulent([1, 1e6, 3, 50, 700, 20, 4, 60], 0.75)
    assert values.index(max(values)) == 7
    assert virulent([5.0, 1.0], 1.0) == pytest.approx([1.0, 0.75])
    assert sorted(virulent(list(range(1, 9)), 1.0)) == virulent(list(range(1, 9)), 1.0)


def test_virulent_problems_hand_on_their_hardness_and_unknown_ones_do_not_breed(
    job: Callable[..., Job],
) -> None:
    scheme = Coevolution.__new__(Coevolution)
    scheme.setting = SimpleNamespace(job=job(problems={"virulence": 0.5}))  # type: ignore[assignment]
    scheme._sets = [ProblemSet([deal, deal]) for deal in range(1, 7)]
    hardness = [900.0, 5.0, 40.0]
    for one, value in zip(scheme._sets, hardness, strict=False):
        one.enter([solved(7), solved(8)])
        one.fitness.values = (value,)
    scheme._sets[3].inherited = 30.0
    parents = scheme._parents()
    assert [list(one) for one in parents] == [[1, 1], [2, 2], [3, 3], [4, 4]]
    (fittest,) = best_of(parents, 1)
    assert list(fittest) == [4, 4], "half of the four are no harder"
    assert [clone(one).inherited for one in parents] == [*hardness, 30.0]
    assert [clone(one).rank for one in parents] == [*hardness, 30.0]
