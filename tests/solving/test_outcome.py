"""Limits, statuses and the other things that solvers take and return."""

from __future__ import annotations

import numpy as np
import pytest

from deals import BadInput
from gafreecell.solving.outcome import (
    LARGEST,
    Evaluator,
    LimitError,
    Limits,
    Nodes,
    Outcome,
    Search,
    Status,
)

NAN = float("nan")


def test_limits_are_two_million_nodes_and_no_clock() -> None:
    assert (Limits().nodes, Limits().seconds) == (2_000_000, None)
    Limits(nodes=1, seconds=1e-9, memory=1)
    Limits(nodes=LARGEST, seconds=LARGEST, memory=LARGEST)
    # As people write a million, and as numpy counts.
    for million in (1e6, np.int64(10**6), np.float64(10**6)):
        limits = Limits(nodes=million)  # type: ignore[arg-type]
        assert (limits, type(limits.nodes)) == (Limits(nodes=10**6), int)


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ({"nodes": 2.5}, "nodes must be a whole number, got 2.5"),
        ({"nodes": "5"}, "nodes must be a number, got '5'"),
        ({"nodes": None}, "nodes must be a number, got None"),
        ({"memory": True}, "memory must be a number, got True"),
        *[({"nodes": low}, f"nodes must be positive, got {low}") for low in (0, -5)],
        *[({"seconds": low}, f"seconds must be positive, got {low}") for low in (0.0, -1, NAN)],
        ({"memory": 0}, "memory must be positive, got 0"),
        ({"nodes": 10**18 + 1}, f"nodes must be at most {10**18:,}, got {10**18 + 1}"),
        ({"memory": 10**30}, f"memory must be at most {10**18:,}, got {10**30}"),
    ],
)
def test_limits_are_positive_and_fit_in_64_bits(limit: dict[str, int], reason: str) -> None:
    with pytest.raises(LimitError) as fault:
        Limits(**limit)
    assert str(fault.value) == reason
    assert isinstance(fault.value, BadInput)


def test_statuses_are_the_words_that_are_printed() -> None:
    words = "solved unsolvable exhausted node-limit time-limit memory-limit"
    assert " ".join(map(str, Status)) == words
    assert [status for status in Status if status.decided] == ["solved", "unsolvable"]


def test_an_outcome_without_its_moves() -> None:
    found = Outcome(Status.SOLVED, ("6a",), {"single": 1, "column": 1}, Nodes(1, 2), 0.5)
    assert found.without_moves() == Outcome(Status.SOLVED, None, found.lengths, Nodes(1, 2), 0.5)
    lost = Outcome(Status.EXHAUSTED, None, None, Nodes(1, 2), 0.5)
    assert lost.without_moves() == lost


def test_searches_are_equal_by_value() -> None:
    one = Search("staged", {"depth": 2, "automatic": "safe"})
    two = Search("staged", {"automatic": "safe", "depth": 2})
    assert one == two and hash(one) == hash(two)
    assert len({one, two, Search("staged"), Search("beam", {"depth": 2})}) == 3


def test_an_evaluator_has_a_weight_for_each_feature() -> None:
    with pytest.raises(ValueError, match="2 features but 1 weight"):
        Evaluator(("HSDH", "FreeCells"), (1.0,))


def test_other_limits_leave_the_memory() -> None:
    limits = Limits(nodes=7, seconds=2.0, memory=5)
    assert limits.unless(None, None) == Limits(nodes=7, memory=5)
    assert limits.unless(9, 0.5) == Limits(nodes=9, seconds=0.5, memory=5)
