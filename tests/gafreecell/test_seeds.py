"""Groups of runs over their seeds, by hand and against scipy."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
import scipy.stats
from outcomes import failed, solved

from gafreecell.comparing.run_comparison import group_rows
from gafreecell.comparing.seeds import FAILURE, compare_groups, measured
from gafreecell.solving.outcome import Outcome


def rows(factors: dict[int, float], deals: int = 20) -> dict[int, list[Outcome]]:
    """Outcomes by seed: as many nodes as the factor says on the same deals."""
    nodes = np.random.default_rng(0).lognormal(7, 1, deals)
    return {
        seed: [solved(round(factor * one), round(90 + 10 * factor)) for one in nodes]
        for seed, factor in factors.items()
    }


def test_a_run_counts_what_it_failed_and_not_what_nobody_solved() -> None:
    results = {
        "a": {1: [solved(100, 80), solved(400, 90), failed(7)]},
        "b": {
            1: [solved(100, 100), failed(7), failed(7)],
            2: [solved(900, 110), solved(900), failed(7)],
        },
    }
    found = measured(results, budget=1000)
    assert found["a"].nodes == (pytest.approx(200),)
    assert found["b"].nodes == pytest.approx(((100 * FAILURE * 1000) ** 0.5, 900))
    assert (found["a"].solved, found["b"].solved) == ((2,), (1, 2))
    # Lengths are over the one deal that all three solved.
    assert found["a"].lengths["single"] == (80,)
    assert found["b"].lengths["single"] == (100, 110)
    assert found["b"].nodes_mean.value == pytest.approx((1000 * 900) ** 0.5)
    assert isnan(found["a"].nodes_mean.interval[0])
    assert 0 <= found["b"].solved_mean.interval[0] <= found["b"].solved_mean.interval[1] <= 3


def test_same_seeds_are_compared_one_by_one() -> None:
    factors = {"a": dict(enumerate((1, 1.1, 0.9, 1.3, 0.8, 1), 1))}
    factors["b"] = {seed: 2 * one + 0.01 * seed for seed, one in factors["a"].items()}
    found = measured({name: rows(by_seed) for name, by_seed in factors.items()}, 10**6)
    (pair,) = compare_groups(found)
    assert (pair.group, pair.against, pair.seeds, pair.seeds_against) == ("a", "b", 6, 6)
    assert pair.paired
    assert pair.nodes.p == pair.least_p == 2 / 2**6
    low, high = pair.nodes.difference.interval
    assert 0.45 < low < pair.nodes.difference.value < high < 0.52
    logs = [np.log(found[name].nodes) for name in "ab"]
    assert pair.nodes.p_t == pytest.approx(scipy.stats.ttest_rel(*logs).pvalue)
    assert pair.solved.difference.value == 0
    assert pair.solved.p == 1
    assert pair.lengths["single"].difference.value < -8
    # A run counts once: more deals make the seeds no more certain.
    more = measured({name: rows(by_seed, 200) for name, by_seed in factors.items()}, 10**6)
    assert compare_groups(more)[0].nodes.p == pair.nodes.p


def test_other_seeds_are_not_paired() -> None:
    one, other = rows({1: 1, 2: 1.2, 3: 0.9}), rows({4: 2, 5: 2.5, 6: 1.9, 7: 3})
    found = measured({"a": one, "b": other}, 10**6)
    (pair,) = compare_groups(found)
    assert not pair.paired
    logs = [np.log(found[name].nodes) for name in "ab"]
    assert pair.nodes.p == pair.least_p == pytest.approx(scipy.stats.mannwhitneyu(*logs).pvalue)
    welch = scipy.stats.ttest_ind(*logs, equal_var=False).pvalue
    assert pair.nodes.p_t == pytest.approx(welch)
    assert isnan(pair.nodes.difference.interval[0]), "three seeds have no bootstrap interval"


def test_groups_of_one_run_are_left_out_and_pairs_are_corrected() -> None:
    groups = {
        "a": rows({1: 1, 2: 1.1, 3: 1.2, 4: 1.3, 5: 1.4}),
        "one": rows({1: 9}),
        "b": rows({1: 2, 2: 2.1, 3: 2.2, 4: 2.3, 5: 2.5}),
        "c": rows({1: 1.1, 2: 0.9, 3: 1.4, 4: 1.2, 5: 1.6}),
    }
    pairs = compare_groups(measured(groups, 10**6))
    assert [(pair.group, pair.against) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs[0].nodes.p == 2 / 2**5
    assert pairs[0].nodes.p_holm == pytest.approx(3 * pairs[0].nodes.p)


@pytest.mark.parametrize("seeds", [2, 3, 6])
def test_seeds_that_are_all_alike_have_no_interval(seeds: int) -> None:
    numbers = range(1, seeds + 1)
    found = measured({"a": rows(dict.fromkeys(numbers, 1)), "b": rows({1: 3, 2: 3})}, 10**6)
    (pair,) = compare_groups(found)
    assert pair.nodes.difference.value == pytest.approx(1 / 3, rel=0.01)
    means = [found["a"].nodes_mean, found["b"].solved_mean, pair.nodes.difference]
    assert all(isnan(end) for one in means for end in one.interval)
    nodes = f"{found['b'].nodes[0]:,.0f} (all alike)"
    assert group_rows(found)[2][:4] == ["b", "2", nodes, "20.0 (all alike)"]
    # One that differs is enough.
    found = measured({"a": rows({**dict.fromkeys(numbers, 1), 9: 1.5})}, 10**6)
    low, high = found["a"].nodes_mean.interval
    assert low < found["a"].nodes_mean.value < high


def test_where_nothing_was_solved_there_is_no_figure() -> None:
    groups = {name: {seed: [failed(9)] * 3 for seed in (1, 2, 3)} for name in "ab"}
    (pair,) = compare_groups(measured(groups, 10))
    assert isnan(pair.nodes.difference.value)
    assert isnan(pair.nodes.p)
    assert isnan(pair.nodes.p_holm)
    assert (pair.solved.p, pair.lengths) == (1, {})


def test_runs_on_different_deals_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="shape"):
        measured({"a": rows({1: 1}), "b": rows({1: 1}, deals=19)}, 10)
