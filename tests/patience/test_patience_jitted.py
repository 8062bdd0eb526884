"""The kernels once more, with every index checked and as plain Python."""

from __future__ import annotations

from pathlib import Path

import patience_probe
import pytest
from bounds_checked import lines_of
from plain_kernels import plain_lines_of


@pytest.mark.long
def test_no_kernel_reaches_outside_its_arrays(tmp_path: Path) -> None:
    lines = lines_of(patience_probe, tmp_path, "20000", "13")
    assert lines == patience_probe.results(20_000, 13)
    for status in ("solved", "node-limit"):
        assert any(line.startswith(status) for line in lines)


def test_the_kernels_are_plain_python_too() -> None:
    lines = plain_lines_of(patience_probe, "60", "4")
    assert lines == patience_probe.results(60, 4)
    assert any(line.startswith("solved") for line in lines)
