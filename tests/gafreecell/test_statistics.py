"""Intervals against published numbers, summaries and reductions by hand."""

from __future__ import annotations

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gafreecell.statistics import reduction, summarise, wilson
from solving.outcome import Nodes, Outcome, Status


def solved(generated: int, single: int = 100, seconds: float = 0.5) -> Outcome:
    lengths = {"single": single, "column": single - 10}
    return Outcome(Status.SOLVED, None, lengths, Nodes(generated // 2, generated), seconds)


def failed(generated: int, status: Status = Status.NODE_LIMIT) -> Outcome:
    return Outcome(status, None, None, Nodes(generated // 2, generated), 0.5)


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
