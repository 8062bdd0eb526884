"""Says whether numba's internals may be used: only in versions that were tried.

``compiling``, ``quicker``, ``caching`` and ``interrupts`` reach into numba, whose internals differ
from version to version. With any other version kernels are compiled by plain ``njit``: they return
the same, but run slower and are compiled anew in each process.
"""

from __future__ import annotations

import numba

from gafreecell.solving.saying import say

FIRST, LAST = (0, 61), (0, 68)
"""The versions of numba that were tried; pyproject.toml allows these."""
VERSION: tuple[int, int] = numba.version_info.full[:2]
TRIED = FIRST <= VERSION <= LAST
QUICK = VERSION == LAST
"""Whether numba is the version that ``quicker`` is made for."""

if not TRIED:
    wanted = f"numba>={FIRST[0]}.{FIRST[1]},<{LAST[0]}.{LAST[1] + 1}"
    say(
        f"numba {numba.__version__} was not tried with this version of gafreecell, so kernels are "
        f"slower and are compiled in each process: install '{wanted}'"
    )
