"""The kernels once more, with every index checked and as plain Python.

Jitted code reads outside its arrays silently, and its integers have 64 bits. Plain Python refuses
an index beyond the end of an array, as checked kernels do, and needs no minute of compiling.
"""

from __future__ import annotations

from pathlib import Path

import bounds_probe
import pytest
from bounds_checked import lines_of
from plain_kernels import plain_lines_of

SMALL = 120
"""Nodes after which the smallest arrays have grown several times."""


ENDS = "solved", "node-limit", "unsolvable", "exhausted"


@pytest.mark.long
def test_no_kernel_reaches_outside_its_arrays(tmp_path: Path) -> None:
    lines = lines_of(bounds_probe, tmp_path, "45000")
    assert lines == bounds_probe.results(45_000)
    assert {line.partition(" ")[0] for line in lines} == {*ENDS}


def test_plain_kernels_do_the_same_and_reach_no_place_beyond_their_arrays() -> None:
    lines = plain_lines_of(bounds_probe, str(SMALL))
    assert lines == bounds_probe.results(SMALL)
    assert {line.partition(" ")[0] for line in lines} == {*ENDS}
