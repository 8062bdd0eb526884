"""The kernels once more with every index checked: jitted code reads outside its arrays silently."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyramid_bounds_probe


def test_no_kernel_reaches_outside_its_arrays(tmp_path: Path) -> None:
    # A place of its own for the kernels: the checked ones must not mix with the others.
    environment = dict(os.environ, NUMBA_BOUNDSCHECK="1", GAFREECELL_CACHE=str(tmp_path))
    # They run but once: to compile them well would take longer than it saves.
    environment["NUMBA_OPT"] = "1"
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, pyramid_bounds_probe.__file__],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    checked, *lines = done.stdout.splitlines()
    assert checked == "checked"
    assert lines == pyramid_bounds_probe.results()
    for status in ("solved", "unsolvable"):
        assert any(line.startswith(status) for line in lines)
