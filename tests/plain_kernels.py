"""A script run once more with the kernels as plain Python."""

from __future__ import annotations

from types import ModuleType

from probes import printed


def plain_lines_of(probe: ModuleType, *words: str) -> list[str]:
    """What a probe prints after ``plain``, with the JIT off."""
    plain, *lines = printed(probe, *words, NUMBA_DISABLE_JIT="1")
    assert plain == "plain"
    return lines
