"""The kernels as plain Python: the same results, and no index beyond an array."""

from __future__ import annotations

import klondike_probe
import klondike_scratch
from plain_kernels import plain_lines_of


def test_the_kernels_are_plain_python_too() -> None:
    lines = plain_lines_of(klondike_probe)
    assert lines == klondike_probe.results()
    for status in ("solved", "node-limit", "unsolvable"):
        assert any(line.startswith(status) for line in lines)


def test_the_smallest_arrays_hold_what_is_written() -> None:
    assert plain_lines_of(klondike_scratch) == [check.__name__ for check in klondike_scratch.CHECKS]
