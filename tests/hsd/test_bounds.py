"""The kernels once more with every index checked: jitted code reads outside its arrays silently."""

from __future__ import annotations

from pathlib import Path

import bounds_probe
from bounds_checked import lines_of


def test_no_kernel_reaches_outside_its_arrays(tmp_path: Path) -> None:
    lines = lines_of(bounds_probe, tmp_path)
    assert lines == bounds_probe.results()
    for status in ("solved", "node-limit", "unsolvable"):
        assert any(line.startswith(status) for line in lines)
