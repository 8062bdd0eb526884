"""Solvers on the same deals: summaries, reductions and comparisons by hand."""

from __future__ import annotations

from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from outcomes import failed, solved

from gafreecell.comparing.pairs import compare_solvers, pairs_of, reduction, summarise
from gafreecell.comparing.solvers_told import report
from gafreecell.comparing.statistics import signed_rank, wilson
from gafreecell.solving.outcome import Outcome, Status


def test_a_summary_by_hand() -> None:
    summary = summarise(
        [
            solved(100, 80, 0.25),
            solved(300, 120, 0.25),
            solved(800, 130, 0.5),
            failed(5000),
            failed(40, Status.UNSOLVABLE),
        ]
    )
    assert (summary.deals, summary.solved, summary.unsolvable) == (5, 3, 1)
    assert summary.interval == wilson(3, 5)
    assert (summary.nodes_mean, summary.nodes_median) == (400, 300)
    assert summary.nodes_penalised == (1200 + 2_000_000_000) / 5
    assert summary.lengths == {"single": 110, "column": 100}
    assert summary.milliseconds == 400
    assert summary.nodes_per_second == 6240 / 2


def test_a_summary_of_nothing_solved_has_no_means() -> None:
    summary = summarise([failed(10), failed(20)])
    assert isnan(summary.nodes_mean)
    assert isnan(summary.nodes_median)
    assert summary.nodes_penalised == 1_000_000_000
    assert summary.lengths == {}
    assert summary.interval[0] == 0


def test_no_outcomes_cannot_be_summarised() -> None:
    with pytest.raises(ValueError, match="no outcomes"):
        summarise([])


def test_reductions_by_hand() -> None:
    mine = [solved(100), solved(200), failed(9), solved(600)]
    theirs = [solved(1000), failed(7), solved(400), solved(1000)]
    found = reduction(mine, theirs)
    assert found.own == pytest.approx(1 - 300 / 800)
    assert found.penalised == pytest.approx(1 - (900 + 10**9) / (2400 + 10**9))
    assert found.both == pytest.approx(1 - 350 / 1000)
    assert found.shared == 2


def test_a_reduction_against_itself_is_nothing() -> None:
    outcomes = [solved(100), failed(3), solved(70)]
    found = reduction(outcomes, outcomes)
    assert (found.own, found.penalised, found.both, found.shared) == (0, 0, 0, 2)


def test_reductions_without_deals_in_common_are_no_number() -> None:
    found = reduction([solved(5), failed(1)], [failed(1), solved(5)])
    assert isnan(found.both)
    assert found.shared == 0
    nothing = reduction([failed(1)], [failed(1)])
    assert isnan(nothing.own)
    assert nothing.penalised == 0


def test_solvers_that_met_different_deals_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="argument"):
        reduction([solved(1)], [solved(1), solved(2)])


def test_a_comparison_by_hand() -> None:
    mine = [solved(100, 80), solved(200, 90), solved(400, 100), failed(900), failed(900), solved(5)]
    theirs = [solved(200, 70), solved(400, 90), solved(100, 95), solved(7), failed(9), failed(9)]
    (found,) = compare_solvers({"mine": mine, "theirs": theirs})
    assert (found.solver, found.against, found.deals, found.both) == ("mine", "theirs", 6, 3)
    # Half, half and four times as many.
    assert found.nodes_typical.value == pytest.approx(1)
    assert found.nodes_mean.value == pytest.approx(700 / 700)
    assert found.lengths["single"].value == pytest.approx((270 - 255) / 3)
    assert (found.solved, found.solved_against) == (4, 4)
    assert (found.only, found.only_against, found.solved_p) == (1, 1, 1)
    logs = np.log([0.5, 0.5, 4])
    wanted = signed_rank(np.array([*logs, np.inf, -np.inf]))
    assert (found.nodes_p, found.better) == (wanted[0], -wanted[1])
    assert found.penalised == pytest.approx((705 + 2 * 10**9) / (707 + 2 * 10**9))
    assert all(map(isnan, found.nodes_typical.interval)), "three deals have no interval"


def test_costs_of_their_own_are_compared_by_hand() -> None:
    def costing(*costs: float) -> list[Outcome]:
        return [replace(solved(10), cost=cost) for cost in costs]

    mine, theirs = costing(1.0, 2.0, 6.0), costing(2.5, 4.0, 4.0)
    assert summarise(mine).lengths["cost"] == 3
    (found,) = compare_solvers({"mine": mine, "theirs": theirs})
    assert found.lengths["cost"].value == -0.5
    said = report({"mine": summarise(mine), "theirs": summarise(theirs)}, [found])
    assert "the mean cost of mine is lower by 0.5 than that of theirs" in " ".join(said.split())
    # Small costs are told as well as large ones, and equal ones are no length of another name.
    small = report({"mine": summarise(costing(0.014))}, [])
    assert " 0.014 " in small and "cost: the mean" in small
    (same,) = compare_solvers({"mine": costing(1.0), "theirs": costing(1.0)})
    assert "cost, mean" in report({}, [same])
    # Without a cost of all there is nothing to tell.
    for mixed in ([solved(10)], [solved(10), *costing(1.0)], [*costing(1.0), solved(10)]):
        assert "cost" not in summarise(mixed).lengths


def test_one_unsolved_deal_decides_nothing() -> None:
    """The paper's mean made of one deal in fifty that a solver was thousands of times worse."""
    rng = np.random.default_rng(0)
    nodes = rng.integers(500, 5000, 50)
    mine = [solved(int(n * rng.uniform(0.8, 1.25))) for n in nodes]
    theirs = [failed(99), *[solved(int(n)) for n in nodes[1:]]]
    (found,) = compare_solvers({"mine": mine, "theirs": theirs})
    assert found.penalised < 0.001
    low, high = found.nodes_typical.interval
    assert low < found.nodes_typical.value < high
    assert 0.9 < low < 1 < high < 1.15
    assert found.nodes_p > 0.05
    assert found.solved_p == 1


def test_failures_count_against_a_solver_that_is_quick_where_it_solves() -> None:
    mine = [solved(10)] * 8 + [failed(99)] * 30
    theirs = [solved(20)] * 38
    (found,) = compare_solvers({"mine": mine, "theirs": theirs})
    assert found.nodes_typical.value == pytest.approx(0.5)
    assert found.better == -1
    assert found.nodes_p < 0.001
    assert found.solved_p < 0.001


@given(st.lists(st.tuples(st.integers(0, 9000), st.integers(1, 9000)), min_size=1, max_size=30))
def test_the_other_way_round_a_comparison_says_the_same(counts: list[tuple[int, int]]) -> None:
    def made(count: int) -> Outcome:
        return failed(50) if count % 7 == 3 else solved(count, count % 100)

    mine, theirs = [made(a) for a, _ in counts], [made(b) for _, b in counts]
    (one,) = compare_solvers({"a": mine, "b": theirs})
    (other,) = compare_solvers({"b": theirs, "a": mine})
    assert one.nodes_p == pytest.approx(other.nodes_p)
    assert one.better == -other.better
    assert one.solved_p == other.solved_p
    assert (one.only, one.only_against) == (other.only_against, other.only)
    if one.both:
        assert one.nodes_typical.value == pytest.approx(1 / other.nodes_typical.value)
        assert one.lengths["single"].value == pytest.approx(-other.lengths["single"].value)


def test_several_solvers_are_compared_pair_by_pair_and_corrected() -> None:
    assert pairs_of(["a"]) == []
    assert pairs_of(["a", "b", "c"]) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs_of(list("abcd")) == [("a", "b"), ("a", "c"), ("a", "d")]
    rng = np.random.default_rng(1)
    results = {
        name: [solved(int(n)) for n in factor * rng.lognormal(7, 0.5, 30)]
        for name, factor in {"a": 1, "b": 1.2, "c": 2}.items()
    }
    together = compare_solvers(results)
    alone = [
        compare_solvers({one: results[one], other: results[other]})[0]
        for one, other in pairs_of("abc")
    ]
    for pair, single in zip(together, alone, strict=True):
        # What else is in the table changes nothing but the correction.
        assert pair.nodes_p == single.nodes_p == single.nodes_p_holm
        assert pair.nodes_typical == single.nodes_typical
    ascending = sorted(together, key=lambda pair: pair.nodes_p)
    assert ascending[0].nodes_p_holm == pytest.approx(min(1, 3 * ascending[0].nodes_p))
    assert ascending[-1].nodes_p_holm >= ascending[-1].nodes_p
