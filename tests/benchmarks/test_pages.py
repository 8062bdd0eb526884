"""How benchmarks write figures."""

from __future__ import annotations

from math import exp, log

import pytest

from benchmarks.pages import changes


def test_a_change_has_an_interval_and_p_by_holm() -> None:
    low, high = [90.0, 100.0, 110.0, 95.0], [100.0, 104.0, 121.0, 99.0]
    ((change, between, alone),) = changes([(low, high)])
    ratio = exp(sum(log(a / b) for a, b in zip(low, high, strict=True)) / 4)
    assert change == f"{100 * (ratio - 1):+.1f} %"
    first, last = (float(end) for end in between.removesuffix(" %").split(" to "))
    assert first < 100 * (ratio - 1) < last < 0
    (_, _, twice), _ = changes([(low, high), (high, low)])
    assert float(twice) == pytest.approx(2 * float(alone), abs=0.002)
    assert 0.01 < float(alone) < 0.05


def test_no_change_is_no_chance() -> None:
    same = [1.0, 2.0, 3.0]
    assert changes([(same, same)]) == [["+0.0 %", "+0.0 to +0.0 %", "-"]]
