"""Solvers on the same deals, and the intervals and tests: by hand, as published, against scipy."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan, nan

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from outcomes import failed, solved

from gafreecell.comparing.pairs import compare_solvers, pairs_of, summarise
from gafreecell.comparing.solver_comparison import report
from gafreecell.comparing.statistics import (
    LEAST,
    MOST,
    bootstrap,
    exact_sign,
    friedman,
    holm,
    least_rank_p,
    rank_test,
    signed_rank,
    student,
    superiority,
    superiority_interval,
    t_test,
    wilson,
)
from gafreecell.solving.outcome import Nodes, Outcome, Status

# Intervals and tests


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, 857-872, Table I, method 3 (score, without
        # continuity correction).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(
    hits: int, trials: int, low: float, high: float
) -> None:
    found = wilson(hits, trials)
    assert (round(found[0], 4), round(found[1], 4)) == (low, high)


@given(st.integers(1, 100_000), st.data())
def test_wilson_holds_the_share_and_stays_within_bounds(trials: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, trials))
    low, high = wilson(hits, trials)
    assert 0 <= low <= hits / trials + 1e-12
    assert hits / trials - 1e-12 <= high <= 1
    mirrored = wilson(trials - hits, trials)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)
    # The interval's ends solve (p - end)^2 = z^2 end (1 - end) / n with z = 1.95996.
    for end in (low, high):
        if 0 < end < 1:
            distance = (hits / trials - end) ** 2
            assert distance == pytest.approx(1.959964**2 * end * (1 - end) / trials, rel=1e-4)


def mean(values: np.ndarray) -> np.ndarray:
    return values.mean(axis=-1)


def ratio(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return first.mean(axis=-1) / second.mean(axis=-1)


def lognormal(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).lognormal(7, 1, count)


def test_students_interval_is_the_one_in_the_tables() -> None:
    # t(0.975, 4) = 2.776 (any table); mean 3, standard error sqrt(2.5 / 5).
    low, high = student([1, 2, 3, 4, 5])
    assert (low, high) == pytest.approx((3 - 2.776 * 0.5**0.5, 3 + 2.776 * 0.5**0.5), abs=1e-3)
    assert all(map(isnan, student([7])))


@pytest.mark.parametrize("paired", [True, False])
def test_a_bootstrap_interval_is_scipys_where_there_are_many_values(paired: bool) -> None:
    first, second = lognormal(1000), lognormal(1000, 1)
    found = bootstrap(ratio, (first, second), np.random.default_rng(5), paired)
    theirs = scipy.stats.bootstrap(
        (first, second), lambda a, b, axis: a.mean(axis) / b.mean(axis), paired=paired,
        vectorized=True, method="percentile", n_resamples=5000, random_state=1,
    ).confidence_interval  # fmt: skip
    assert found == pytest.approx(tuple(theirs), rel=0.01)


def test_pairs_that_move_together_have_a_narrower_interval() -> None:
    second = lognormal(200)
    first = 0.5 * second * np.random.default_rng(1).lognormal(0, 0.1, 200)
    pairs = bootstrap(ratio, (first, second), np.random.default_rng(0))
    apart = bootstrap(ratio, (first, second), np.random.default_rng(0), paired=False)
    assert pairs[0] < 0.5 < pairs[1]
    assert 5 * (pairs[1] - pairs[0]) < apart[1] - apart[0]


@pytest.mark.parametrize("count", [12, 100, MOST + 1, 5 * MOST + 3])
def test_a_bootstrap_interval_of_a_normal_mean_is_students(count: int) -> None:
    """That is what the percentiles are expanded for, and what bundling must not change."""
    values = np.random.default_rng(3).normal(10, 2, count)
    low, high = bootstrap(mean, (values,), np.random.default_rng(0))
    wanted = student(values)
    assert high - low == pytest.approx(wanted[1] - wanted[0], rel=0.08)
    assert (low + high) / 2 == pytest.approx(sum(wanted) / 2, rel=0.02)


def test_an_interval_comes_out_again_and_needs_some_values() -> None:
    values = lognormal(50)
    twice = [bootstrap(mean, (values,), np.random.default_rng(1)) for _ in range(2)]
    assert twice[0] == twice[1]
    assert all(map(isnan, bootstrap(mean, (values[: LEAST - 1],), np.random.default_rng(1))))
    assert not any(map(isnan, bootstrap(mean, (values[:LEAST],), np.random.default_rng(1))))


def test_signed_ranks_by_hand() -> None:
    # 7 of the 64 sets of ranks 1 to 6 have a sum of at most 4.
    assert signed_rank(np.array([1, 2, 3, -4.0, 5, 6])) == (pytest.approx(14 / 64), 1)
    # One that is infinite has the highest rank, 7: 19 of the 128 sets have at most that.
    assert signed_rank(np.array([1, 2, 3, 4, 5, 6, -inf])) == (pytest.approx(38 / 128), 1)
    assert signed_rank(np.array([0.0, 0.0])) == (1.0, 0)
    assert signed_rank(np.array([])) == (1.0, 0)
    assert signed_rank(np.array([inf, -inf])) == (1.0, 0)
    p_value, sign = signed_rank(np.repeat([-inf, 0.5, 0], [30, 5, 10]))
    assert p_value < 0.001
    assert sign == -1


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=60))
def test_signed_ranks_turn_round_with_the_sides(whole: list[int]) -> None:
    differences = np.array(whole, float)
    p_value, sign = signed_rank(differences)
    assert 0 <= p_value <= 1
    assert signed_rank(-differences) == (pytest.approx(p_value), -sign)
    assert signed_rank(differences * 8) == (pytest.approx(p_value), sign)


def test_the_exact_test_of_two_counts_by_hand() -> None:
    # Of 64 sequences of six, 7 have at most one of the second kind.
    assert exact_sign(5, 1) == pytest.approx(14 / 64)
    assert exact_sign(1, 0) == exact_sign(0, 0) == exact_sign(3, 3) == 1
    # The smallest that five deals which only one solved can give.
    assert exact_sign(0, 5) == pytest.approx(2 / 32)


def test_holms_correction_by_hand() -> None:
    # The smallest three times, the next twice, and never less than one before it.
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.6]) == [1, 1]
    assert holm([0.2]) == [0.2]
    assert holm([]) == []
    # What is no test does not count among them.
    assert holm([nan, 0.01, 0.02])[1:] == pytest.approx([0.02, 0.02])


def test_ties_in_small_samples_are_no_evidence() -> None:
    # Counts of solved deals: 2 of the 20 ways to share the ranks are as extreme.
    high, low = np.array([196.0, 196, 196]), np.array([194.0, 194, 194])
    assert rank_test(high, low, paired=False) == pytest.approx(least_rank_p(3, 3, False))
    assert rank_test(high, low[:2], paired=False) == pytest.approx(0.2)
    assert rank_test(np.array([1.0, 2, 2]), np.array([2.0, 2]), paired=False) == 1
    # Five pairs of which one is even: 2 of 16 signs.
    assert signed_rank(np.array([2.0, 2, 2, 0, 2]))[0] == pytest.approx(0.125)


@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=6),
    st.lists(st.integers(-4, 4), min_size=1, max_size=6),
)
def test_no_p_value_is_below_the_least(first: list[int], second: list[int]) -> None:
    one, other = np.array(first, float), np.array(second, float)
    floor = least_rank_p(len(first), len(second), paired=False)
    assert rank_test(one, other, paired=False) >= floor - 1e-12
    assert rank_test(one, other, paired=False) == pytest.approx(rank_test(other, one, False))
    if len(first) == len(second):
        floor = least_rank_p(len(first), len(first), paired=True)
        assert rank_test(one, other, paired=True) >= floor - 1e-12


def test_tests_of_two_groups() -> None:
    low, high = np.array([1.0, 2, 3]), np.array([4.0, 5, 6.5])
    # Of the 20 ways to share six ranks two are as extreme as this.
    assert rank_test(low, high, paired=False) == pytest.approx(0.1)
    assert rank_test(low, high, paired=True) == pytest.approx(0.25)
    assert least_rank_p(3, 3, paired=False) == pytest.approx(0.1)
    assert least_rank_p(3, 3, paired=True) == 0.25
    assert t_test(low, high, paired=True) == pytest.approx(scipy.stats.ttest_rel(low, high).pvalue)
    welch = scipy.stats.ttest_ind(low, high, equal_var=False).pvalue
    assert t_test(low, high, paired=False) == pytest.approx(welch)
    assert rank_test(low, low, paired=True) == 1
    assert isnan(t_test(low, low, paired=True))
    assert isnan(t_test(np.full(3, 10.0), np.full(3, 5.0), paired=False))
    assert isnan(t_test(low + 1, low, paired=True))
    assert isnan(rank_test(low, np.array([1, 2, nan]), paired=True))


# Solvers


def test_the_effect_size_is_the_share_of_pairs_in_which_the_first_is_smaller() -> None:
    first, second = np.array([1.0, 2, 4]), np.array([2.0, 3, 5, 5])
    # 1 beats all four; 2 ties with 2 and beats three; 4 beats two.
    assert superiority(first, second) == pytest.approx((4 + 3.5 + 2) / 12)
    assert superiority(second, first) == pytest.approx(1 - (4 + 3.5 + 2) / 12)
    rng = np.random.default_rng(1)
    one, other = rng.integers(9, size=30).astype(float), rng.integers(9, size=40).astype(float)
    statistic = scipy.stats.mannwhitneyu(one, other).statistic
    assert superiority(one, other) == pytest.approx(1 - statistic / (30 * 40))


@pytest.mark.parametrize(("sizes", "apart"), [((4, 4), 1.0), ((6, 9), 0.0), ((10, 10), 3.0)])
def test_intervals_of_the_effect_size_hold_what_they_say(
    sizes: tuple[int, int], apart: float
) -> None:
    rng = np.random.default_rng(7)
    true = float(scipy.stats.norm.cdf(apart / np.sqrt(2)))
    held = 0
    for _ in range(400):
        first, second = rng.normal(0, 1, sizes[0]), rng.normal(apart, 1, sizes[1])
        low, high = superiority_interval(superiority(first, second), *sizes)
        held += low <= true <= high
    assert 0.92 <= held / 400 <= 0.99
    assert superiority_interval(1.0, *sizes)[1] == 1 > superiority_interval(1.0, *sizes)[0] > 0.5
    assert superiority_interval(0.25, *sizes) == pytest.approx(
        [1 - end for end in reversed(superiority_interval(0.75, *sizes))]
    )


# Demšar (2006), table 5a: critical values of the two-tailed Nemenyi test at 5 %.
NEMENYI = {3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}


@pytest.mark.parametrize(("count", "value"), NEMENYI.items())
def test_the_critical_difference_is_the_published_one(count: int, value: float) -> None:
    blocks = 14
    rng = np.random.default_rng(count)
    found = friedman({str(i): rng.normal(size=blocks) for i in range(count)})
    assert found.blocks == blocks
    expected = value * np.sqrt(count * (count + 1) / (6 * blocks))
    assert found.critical == pytest.approx(expected, rel=4e-4)
    assert sum(found.means.values()) == pytest.approx(count * (count + 1) / 2)


def test_friedmans_example_comes_out() -> None:
    # Demšar (2006), table 6: AUC of four versions of C4.5 on 14 data sets, more being better.
    areas = np.array(
        [
            [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569],
            [0.954, 0.971, 0.968, 0.967], [0.628, 0.661, 0.654, 0.657],
            [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
            [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625],
            [0.775, 0.838, 0.866, 0.875], [1.000, 1.000, 1.000, 1.000],
            [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
            [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
        ]
    )  # fmt: skip
    names = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
    found = friedman(dict(zip(names, -areas.T, strict=True)))
    assert found.means == pytest.approx(
        {"C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}, abs=6e-4
    )
    # He gives the statistic without the correction for ties, 9.28, and the difference as 1.25.
    assert found.critical == pytest.approx(1.25, abs=5e-3)
    assert 0.01 < found.p < 0.05
    alike = friedman({name: np.ones(5) for name in names})
    assert isnan(alike.p) and set(alike.means.values()) == {2.5}


def test_a_summary_by_hand() -> None:
    outcomes = [solved(100, 80, 0.25), solved(300, 120, 0.25), solved(800, 130, 0.5)]
    summary = summarise([*outcomes, failed(5000), failed(40, Status.UNSOLVABLE)])
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
    with pytest.raises(ValueError, match="no outcomes"):
        summarise([])


def test_solvers_with_nothing_in_common_have_no_ratios() -> None:
    outcomes = {"mine": [solved(5), failed(1)], "theirs": [failed(1), solved(5)]}
    (found,) = compare_solvers(outcomes)
    assert (found.both, found.lengths, found.penalised) == (0, {}, 1)
    assert isnan(found.nodes_typical.value) and isnan(found.nodes_mean.value)
    with pytest.raises(ValueError, match="argument"):
        compare_solvers({**outcomes, "theirs": [solved(5)]})


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


def test_bounds_of_different_units_are_not_compared() -> None:
    def bounded(*units: str) -> list[Outcome]:
        lengths = {**dict.fromkeys(units, 30), "bound": 20}
        return [Outcome(Status.SOLVED, (), lengths, Nodes(1, 1), 0.0) for _ in range(3)]

    manual, single = bounded("manual", "single"), bounded("single", "manual")
    (alike,) = compare_solvers({"a": manual, "b": manual})
    assert {*alike.lengths} == {"manual", "single", "manual bound"}
    (other,) = compare_solvers({"a": manual, "b": single})
    assert {*other.lengths} == {"manual", "single"}
