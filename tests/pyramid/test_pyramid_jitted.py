"""The kernels once more, with every index checked and as plain Python.

Jitted code reads outside its arrays silently, and its integers have 64 bits. Plain Python refuses
an index beyond the end of an array, as checked kernels do.
"""

from __future__ import annotations

from pathlib import Path

import pyramid_probe
import pytest
from bounds_checked import lines_of
from plain_kernels import plain_lines_of


@pytest.mark.long
def test_no_kernel_reaches_outside_its_arrays(tmp_path: Path) -> None:
    lines = lines_of(pyramid_probe, tmp_path, "40000")
    assert lines == pyramid_probe.results(40_000)
    for status in ("solved", "unsolvable"):
        assert any(line.startswith(status) for line in lines)


def test_the_kernels_are_plain_python_too() -> None:
    lines = plain_lines_of(pyramid_probe, "400")
    assert lines == pyramid_probe.results(400)
    for status in ("solved", "node-limit"):
        assert any(line.startswith(status) for line in lines)
