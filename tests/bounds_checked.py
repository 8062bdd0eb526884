"""A script run once more with every index of the kernels checked."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from probes import printed


def lines_of(probe: ModuleType, cache: Path, *words: str) -> list[str]:
    """What a probe prints after ``checked``, its kernels compiled with checks in ``cache``."""
    # A cache of their own: checked kernels must not mix with the others.
    # They run only once: to optimize them would take longer than it saves.
    checks = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1", "GAFREECELL_CACHE": str(cache)}
    checked, *lines = printed(probe, *words, **checks)
    assert checked == "checked"
    return lines
