"""Counts in words."""

from __future__ import annotations

import pytest

from deals.words import plural


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 deals"), (1, "1 deal"), (2, "2 deals"), (12_000, "12,000 deals")]
)
def test_one_is_one(count: int, text: str) -> None:
    assert plural(count, "deal") == text


def test_other_plurals_and_digits() -> None:
    assert plural(2, "proof of it", "proofs of it") == "2 proofs of it"
    # What is written as 1 is one, whatever it was before it was rounded.
    assert plural(1.4, "node", digits=",.0f") == "1 node"
    assert plural(1.4, "node", digits=".1f") == "1.4 nodes"
