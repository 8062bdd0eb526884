"""Who meets whom: the problems that solvers meet in each scheme, and how hard they are found."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest
from bench import Bench, sets_of
from scipy.stats import chisquare

from gafreecell.evolution.schemes.problems import Tally, set_fitness
from gafreecell.solving.outcome import Limits, Status, Task

# Coevolution


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
def test_problems_can_hold_one_deal() -> None:
    rates = {"reproduction": 0.0, "crossover": 0.5, "mutation": 0.5, "gene_mutation": 1.0}
    bench = Bench(problems={"deals": 1, **rates})
    first = set(chain(*sets_of(bench.evolution.found())))
    for before, _, _ in bench.generations():
        assert {len(one) for one in sets_of(before)} == {1}
        present = set(chain(*sets_of(before)))
        assert all(len(met) == 2 and present.issuperset(met) for met in bench.deals_met(before))
    assert not present <= first, "their children hold other deals"


# One population


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
