"""Schemes: who meets which deals, how many, in what rounds, and how hard they are found."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from bench import Bench, sets_of
from conftest import job_table
from deap import tools
from outcomes import met, solved
from run_folders import ONE
from scipy.stats import chisquare, spearmanr

from deals.errors import BadInput
from gafreecell.evolution.generation import Encounter, Moment, Result, Setting
from gafreecell.evolution.job import Job, JobError, job_text
from gafreecell.evolution.job_reading import make_job, parse_job
from gafreecell.evolution.loop import Evolution
from gafreecell.evolution.parts import no_baseline
from gafreecell.evolution.schemes import Scheme
from gafreecell.evolution.schemes.coevolution import (
    Coevolution,
    ProblemSet,
    Tally,
    set_fitness,
    virulent,
)
from gafreecell.evolution.schemes.informative import met_again
from gafreecell.evolution.schemes.racing import ahead, finishers, ranked_by_round
from gafreecell.evolution.schemes.replayed import Replayed
from gafreecell.evolution.schemes.sample_size import (
    SampleSize,
    agreement,
    growth_of,
    largest_sample,
)
from gafreecell.runs.run import evolve
from gafreecell.solving.features import Scales
from gafreecell.solving.outcome import Limits, Status, Task
from gafreecell.testing import check_scheme

pytestmark = pytest.mark.usefixtures("toy")
SCALES = Scales(nodes=300, moves=200)


def job(**changes: Any) -> Job:
    """A checked job of the toy game with some keys changed."""
    return make_job(job_table(**{"scheme": "resampled", **changes}))


# Coevolution


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


def test_problems_are_met_uniformly() -> None:
    bench = Bench(
        solvers={"population": 200},
        problems={"population": 6, "meetings": 2, "every": 100, "deals": 1},
        deals={"train": "1-1000", "validation": "1001-1020"},
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


def test_shared_encounters_are_the_same_problems_for_all_and_change() -> None:
    bench = Bench(problems={"encounters": "shared", "every": 100})
    seen = set()
    for before, after, _ in bench.generations(8):
        (deals,) = {tuple(deals) for deals in bench.deals_met(before)}
        assert len(deals) == 6
        seen.add(deals)
        assert sorted(one.tally.met for one in sets_of(after))[-2:] != [0, 0]
    assert len(seen) > 3


@pytest.mark.parametrize("every", [1, 2, 5])
def test_problems_have_children_every_so_many_generations(every: int) -> None:
    bench = Bench(generations=11, problems={"every": every})
    for before, after, line in bench.generations():
        sets = sets_of(after)
        bred = line["generation"] % every == 0
        if bred:
            assert all(one.tally.met == 0 for one in sets)
            assert sets[0].hardness == line["problems"]["best"], "the hardest problem is the elite"
            assert list(sets[0]) in [list(one) for one in sets_of(before)]
        else:
            assert list(map(list, sets)) == list(map(list, sets_of(before)))
            assert max(one.hardness for one in sets) == line["problems"]["best"]
        assert len(sets) == 6


def test_a_problems_fitness_is_over_all_who_met_it_since_it_was_made() -> None:
    bench = Bench(trained={"nodes": 9000}, problems={"every": 3, "penalty": 10**6}, generations=9)
    unsolved = unmet = 0
    for before, _, line in bench.generations():
        sets = sets_of(before)
        if line["generation"] % 3 == 1:
            tallies = [Tally(0, [0] * 3, [0] * 3) for _ in sets]
            inherited = [one.hardness for one in sets]
        for result in bench.results:
            evaluator = bench.evaluator(result.solver)
            for number in result.encounter.met:
                tallies[number].met += 1
                for place, deal in enumerate(sets[number]):
                    task = Task(deal, evaluator, bench.job.search, Limits(9000))
                    (outcome,) = bench.spy.outcomes([task])
                    tallies[number].nodes[place] += outcome.nodes.generated
                    tallies[number].solved[place] += outcome.status is Status.SOLVED
        values = [
            set_fitness(tally, bench.baseline(one), 10**6) if tally.met else before_it
            for tally, one, before_it in zip(tallies, sets, inherited, strict=True)
        ]
        unsolved += sum(tally.solved.count(0) for tally in tallies if tally.met)
        unmet += sum(not tally.met for tally in tallies)
        assert line["problems"]["best"] == pytest.approx(max(values))
        assert line["problems"]["mean"] == pytest.approx(sum(values) / 6)
    assert unsolved, "some deal was solved by nobody"
    assert unmet, "some problem was met by nobody"


# One population


def test_fixed_deals_are_the_same_in_every_generation() -> None:
    bench = Bench(scheme="fixed", sample={"deals": 7})
    met = [deals for before, _, _ in bench.generations() for deals in bench.deals_met(before)]
    assert len(set(met[0])) == 7
    assert all(deals == met[0] for deals in met)


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


# Sizes of samples


def test_samples_that_tell_solvers_apart_agree() -> None:
    rng = np.random.default_rng(4)
    solvers = rng.normal(size=(40, 1))
    sure, loud = (solvers + size * rng.normal(size=(40, 30)) for size in (0.3, 30.0))
    # What it estimates: the correlation with another sample of the same size.
    other = (solvers + 2.0 * rng.normal(size=(40, 30))).mean(axis=1)
    middling = solvers + 2.0 * rng.normal(size=(40, 30))
    assert agreement(sure) > 0.98
    expected = spearmanr(middling.mean(axis=1), other).statistic
    assert agreement(middling) == pytest.approx(expected, abs=0.12)
    assert agreement(loud) < 0.6
    assert agreement(sure[:, :1]) == agreement(sure[:2]) == agreement(np.zeros((9, 4))) == 0.0


def test_a_sample_grows_as_the_job_says() -> None:
    grown = job(sample={"deals": 2, "growth": {"3": 4, "5": 7}})
    size = SampleSize(grown)
    assert [size.of(generation) for generation in (1, 2, 3, 4, 5, 60)] == [2, 2, 4, 4, 7, 7]
    assert largest_sample(grown) == 7 and size.state() == {}
    late = job(sample={"deals": 8, "growth": {"1000000": 10, "12": 9}})
    assert growth_of(late) == {12: 9, 1_000_000: 10}


def test_a_sample_grows_until_its_halves_agree() -> None:
    size = SampleSize(job(sample={"deals": 4, "agreement": 0.9, "most": 6}))
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
        *(
            ({"sample": {"growth": growth}}, "sample.growth must map")
            for growth in ({"two": 4}, {"2": 0}, {2.0: 6}, {True: 6}, {"0": 6}, {"٢": 6})
        ),
        ({"sample": {"growth": {-2: 6}}}, "got '-2' = 6"),
        ({"sample": {"growth": {"1": 6, "01": 8}}}, "got '01' = 8"),
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
def test_what_cannot_be_is_refused(changes: dict[str, Any], expected: str) -> None:
    with pytest.raises(JobError, match=expected):
        job(**changes)


@pytest.mark.parametrize("shared", [False, True])
def test_solvers_that_may_meet_other_deals_are_not_compared(shared: bool, tmp_path: Path) -> None:
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
        said = r"'own' must have all solvers meet the same deals, .* got \d+ sets of them"
        with pytest.raises(AssertionError, match="must hold the same deals if shares"):
            check_scheme(Own)
    with pytest.raises(BadInput, match=said):
        evolve(job_table(fitness={"measure": "relative"}), tmp_path / "r", ONE, scheme=Own)


def test_growth_from_python_may_have_numbers_of_generations() -> None:
    made = [
        job(sample={"growth": growth})
        for growth in ({"3": 12, "5": 19}, {3: 12, 5: 19}, {np.int64(3): 12, "5": 19})
    ]
    assert made[0] == made[1] == made[2] and len({one.digest for one in made}) == 1
    assert parse_job(job_text(made[1]), "job.toml") == made[1]
    assert make_job(made[1], sample={"growth": {3: 17}}).sample.growth == {"3": 17, "5": 19}


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
def test_races_that_three_finish_are_fine(changes: dict[str, Any]) -> None:
    assert job(**changes).racing.rounds > 1


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


def test_virulent_problems_hand_on_their_hardness_and_unknown_ones_do_not_breed() -> None:
    scheme = Coevolution.__new__(Coevolution)
    made = job(scheme="coevolution", problems={"virulence": 0.5})
    scheme.setting = SimpleNamespace(job=made)  # type: ignore[assignment]
    scheme._sets = [ProblemSet([deal, deal]) for deal in range(1, 7)]
    hardness = [900.0, 5.0, 40.0, 30.0]
    for one, value in zip(scheme._sets, hardness, strict=False):
        one.hardness = value
    for one in scheme._sets[:3]:
        one.enter([solved(7), solved(8)])
    parents = scheme._parents()
    assert [list(one) for one in parents] == [[1, 1], [2, 2], [3, 3], [4, 4]]
    (fittest,) = tools.selBest(parents, 1)
    assert list(fittest) == [4, 4], "half of the four are no harder"
    assert [one.again().hardness for one in parents] == hardness


# Replay


@pytest.mark.parametrize("score", ["learnability", "regret"])
def test_the_deals_of_the_best_score_are_met_again(score: str) -> None:
    """Those that some solvers solve and others do not, or that cost most beside the best."""
    options = {"replayed": {"score": score, "within": 100, "temperature": 0.1, "stale": 0}}
    made = job(scheme="replayed", sample={"deals": 4}, options=options)
    scheme = Replayed(Setting(made, made.load_game(), no_baseline))
    (first,) = set(scheme.ask(Moment(1, 1), 1))
    assert set(scheme.ask(Moment(1, 1), 3)) == {first}, "nothing is known yet"
    costs = [(50, 500, 50, 60), (50, 500, 500, 60), (50, 500, 500, 60), (50, 500, 600, 500)]
    results = [
        Result((0.0,), Encounter(first.deals), tuple(solved(nodes) for nodes in row))
        for row in costs
    ]
    scheme.tell(Moment(1, 1), results)
    same = Replayed(scheme.setting)
    same.restore(scheme.state())
    again = same.ask(Moment(1, 2), 2)[0]
    # Two of four are met again. Solved by one of four, by three: equally learnable.
    assert set(again.deals[:2]) == {first.deals[2], first.deals[3]}
    assert len({*again.deals}) == 4 and not {*again.deals[2:]} & {*first.deals[2:]}
    assert again == scheme.ask(Moment(1, 2), 1)[0]


def test_solvers_do_not_race_to_deals_that_are_met_again() -> None:
    with pytest.raises(JobError, match="cannot race in the scheme 'replayed'"):
        job(scheme="replayed", racing={"rounds": 2})


# Informative


def informative(**changes: Any) -> Bench:
    return Bench(scheme="informative", fitness={"measure": "relative"}, **changes)


@pytest.mark.parametrize(
    ("population", "age", "deals", "train"),
    [(50, 10, 10, "1-56"), (12, 10, 8, "1-17"), (3, 10, 8, "1-8"), (50, 2, 6, "1-9")],
)
def test_new_deals_are_not_remembered_ones(
    population: int, age: int, deals: int, train: str
) -> None:
    """In the smallest pools that are allowed; of each the deal 13 is left out."""
    rules = {"population": population, "age": age}
    keys = {"informative": rules, "sample": {"deals": deals}}
    bench = informative(generations=24, deals={"train": train}, **keys)
    again = []
    for before, _, line in bench.generations():
        met = bench.deals_met(before)[0]
        assert len(set(met)) == len(met) == deals
        again.append(line["problems"]["met_again"])
    assert again == [0] + [min(deals // 2, population)] * (len(again) - 1)
    shorter = f"1-{int(train[2:]) - 1}"
    with pytest.raises(JobError, match=r"deals.train holds \d+ deals, fewer"):
        job(scheme="informative", deals={"train": shorter}, **keys)


def test_a_pool_too_small_is_told_in_numbers() -> None:
    expected = (
        "informative: deals.train holds 29 deals, fewer than 55: up to 50 are remembered "
        r"\(informative.population and age\), and 5 of the 10 of a generation are new ones"
    )
    with pytest.raises(JobError, match=expected):
        job(scheme="informative", deals={"train": "1-30"})


def test_where_nothing_is_remembered_the_sample_is_that_of_resampled_deals() -> None:
    first, resampled = (
        [set(bench.deals_met(before)[0]) for before, _, _ in bench.generations(1)]
        for bench in (informative(), Bench(scheme="resampled"))
    )
    assert first == resampled


@pytest.mark.parametrize(
    ("fresh", "deals", "expected"),
    [(0.9, 10, 1), (0.8, 5, 1), (0.7, 10, 3), (0.5, 9, 4), (0.99, 10, 0), (1, 10, 0), (0.6, 5, 2)],
)
def test_the_share_counts_as_it_is_written(fresh: float, deals: int, expected: int) -> None:
    rules, sample = {"fresh": fresh, "population": 9}, {"deals": deals}
    assert met_again(deals, job(scheme="informative", informative=rules, sample=sample)) == expected


def test_who_fell_behind_in_a_race_says_nothing_of_deals() -> None:
    bench = informative(sample={"deals": 4})
    costs = {1: (10, 20, 40), 2: (12, 18, 44), 3: (9, 30, 50), 4: (11, 21, 39)}

    def told(*behind: int) -> Any:
        scheme = Evolution(bench.job, bench.spy).parts.scheme
        whole = Encounter((1, 2, 3, 4))
        results = [
            Result((0.0,), whole, tuple(solved(costs[deal][place]) for deal in costs))
            for place in range(3)
        ]
        half = Encounter((1, 2))
        results += [Result((0.0,), half, (solved(nodes), solved(nodes))) for nodes in behind]
        scheme.tell(Moment(1, 1), results)
        return scheme.state()

    alone = told()
    assert [one["deal"] for one in alone["known"]]
    assert any(one["told"] > 0.5 for one in alone["known"])
    assert told(400, 900, 5000) == alone
