"""A script run once more with every index of the kernels checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType


def lines_of(probe: ModuleType, cache: Path) -> list[str]:
    """What a probe prints after ``checked``, its kernels compiled with checks in ``cache``."""
    # A cache of their own: checked kernels must not mix with the others.
    environment = dict(os.environ, NUMBA_BOUNDSCHECK="1", GAFREECELL_CACHE=str(cache))
    # They run only once: to optimize them would take longer than it saves.
    environment["NUMBA_OPT"] = "1"
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, str(probe.__file__)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    checked, *lines = done.stdout.splitlines()
    assert checked == "checked"
    return lines
