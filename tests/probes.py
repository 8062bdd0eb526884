"""Scripts in a process of their own, as numba reads its settings once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from types import ModuleType

# What a process says on stderr when it compiles kernels; it depends on what the machine has kept.
NOTICE = re.compile(r"^Compiling .* for this machine.*\n", re.MULTILINE)


def printed(probe: ModuleType, *words: str, **settings: str) -> list[str]:
    """The lines that a script prints.

    Args:
        probe: the script.
        words: its arguments.
        settings: variables of its environment.
    """
    path = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, str(probe.__file__), *words],
        env=dict(os.environ, PYTHONPATH=path, **settings),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
