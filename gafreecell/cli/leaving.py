"""Ends the process although a thread compiles."""

from __future__ import annotations

import atexit
import os
import sys
from typing import NoReturn


def is_compiling() -> bool:
    """Whether another thread compiles; if not, none can begin to any more."""
    if "gafreecell.jit.caching" not in sys.modules:
        return False
    from numba.core.compiler_lock import global_compiler_lock

    return not global_compiler_lock._lock.acquire(blocking=False)


def leave(status: int) -> NoReturn:
    """Exit at once, without waiting for threads.

    An interpreter that shuts down under LLVM crashes, and compiling takes up to half a minute. No
    file is left half-written, as those of the cache are replaced in one step.

    Args:
        status: the exit status.
    """
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
