"""The kernels once more, with every index checked and as plain Python.

Jitted code reads outside its arrays silently, and its integers have 64 bits.
"""

from __future__ import annotations

from pathlib import Path

import bounds_probe
import plain_probe
from bounds_checked import lines_of
from plain_kernels import plain_lines_of


def test_no_kernel_reaches_outside_its_arrays(tmp_path: Path) -> None:
    lines = lines_of(bounds_probe, tmp_path)
    assert lines == bounds_probe.results()
    for status in ("solved", "node-limit", "unsolvable"):
        assert any(line.startswith(status) for line in lines)


def test_the_kernels_are_plain_python_too() -> None:
    lines = plain_lines_of(plain_probe)
    assert lines == plain_probe.results()
    for status in ("solved", "node-limit", "unsolvable", "exhausted"):
        assert any(line.startswith(status) for line in lines)
