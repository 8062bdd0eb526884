"""How benchmarks write figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pages import changes, read_lines, read_outcomes, write_lines, write_outcomes


@dataclass(frozen=True)
class Line:
    """A line of a file."""

    name: str
    nodes: int


class Killed(BaseException):
    """Stands for the end of a process."""


def killed(first: Any) -> Iterator[Any]:
    """One value, then the end."""
    yield first
    raise Killed


def test_a_kill_leaves_the_old_file(tmp_path: Path) -> None:
    lines, table = tmp_path / "lines.csv", tmp_path / "table.csv.gz"
    write_lines(lines, Line, [Line("a", 1), Line("b", 2)])
    write_outcomes(table, range(1, 3), {"one": (["won", "lost"], [0.5, 0.25])})
    with pytest.raises(Killed):
        write_lines(lines, Line, killed(Line("c", 3)))
    with pytest.raises(Killed):
        write_outcomes(table, range(1, 3), {"one": (["lost", "lost"], killed(0.5))})
    assert read_lines(lines, Line) == [Line("a", 1), Line("b", 2)]
    assert read_outcomes(table) == {"one": (["won", "lost"], [0.5, 0.25])}


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
