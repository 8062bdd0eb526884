"""Compiles kernels that a search needs later in a second process.

Numba compiles one kernel at a time in a process. So as soon as a part has to be compiled, a second
process starts on the kernels that are needed afterwards, and leaves them in the cache. If it fails,
this process compiles them as usual.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module

from gafreecell.solving.loading import Part

_MARK = "GAFREECELL_BESIDE"
"""Environment variable that is set in the second process, so that it starts no others."""
# With this process's sys.path it imports the same modules, and none from the current directory.
_SCRIPT = """\
import sys
sys.path[:] = sys.argv.pop(1).split("\\n")
from gafreecell.jit.beside import load
load(sys.argv[1:])
"""
_started: dict[str, subprocess.Popen[bytes]] = {}


def start(part: Part) -> None:
    """Start compiling the kernels that a part needs later, unless there is only one core."""
    modules = [name for name in part.beside if name not in _started]
    if not modules or not sys.executable or _cores() < 2 or _MARK in os.environ:
        return
    command = [sys.executable, "-c", _SCRIPT, "\n".join(sys.path), *modules]
    quiet = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            command,
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
            env={**os.environ, _MARK: "1"},
        )
    except (OSError, ValueError):
        return
    atexit.register(_end, process)
    _started.update(dict.fromkeys(modules, process))


def wait_for(module: str) -> bool:
    """Wait until the second process has compiled a module's kernels; False if it was not asked."""
    process = _started.get(module)
    if process is None:
        return False
    process.wait()
    return True


def load(modules: Sequence[str]) -> None:
    """Compile the kernels of modules, each of which has a function ``load_kernels``."""
    for name in modules:
        import_module(name).load_kernels()


def _cores() -> int:
    """How many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _end(process: subprocess.Popen[bytes]) -> None:
    # Safe, as files of the cache are written atomically.
    process.kill()
    process.wait()
