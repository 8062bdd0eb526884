"""Intervals and tests against published figures, against scipy, and by hand."""

from __future__ import annotations

from math import inf, isnan, nan

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from gafreecell.comparing.statistics import (
    LEAST,
    MOST,
    bootstrap,
    exact_sign,
    holm,
    least_rank_p,
    rank_test,
    signed_rank,
    student,
    t_test,
    wilson,
)


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


def test_a_bootstrap_interval_is_scipys_where_there_are_many_values() -> None:
    first, second = lognormal(1000), lognormal(1000, 1)
    found = bootstrap(ratio, (first, second), np.random.default_rng(5))
    theirs = scipy.stats.bootstrap(
        (first, second), lambda a, b, axis: a.mean(axis) / b.mean(axis), paired=True,
        vectorized=True, method="percentile", n_resamples=5000, random_state=1,
    ).confidence_interval  # fmt: skip
    assert found == pytest.approx(tuple(theirs), rel=0.01)
    apart = bootstrap(ratio, (first, second), np.random.default_rng(5), paired=False)
    theirs = scipy.stats.bootstrap(
        (first, second), lambda a, b, axis: a.mean(axis) / b.mean(axis), paired=False,
        vectorized=True, method="percentile", n_resamples=5000, random_state=1,
    ).confidence_interval  # fmt: skip
    assert apart == pytest.approx(tuple(theirs), rel=0.01)


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
