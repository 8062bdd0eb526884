"""Exit statuses, error messages on stderr, and an end of the process although a thread compiles."""

from __future__ import annotations

import atexit
import os
import sys
from typing import NoReturn

from gafreecell.solving.saying import say

DONE, UNDECIDED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class Stopped(KeyboardInterrupt):
    """A command was interrupted; the message says what is saved, and how to go on."""


def complain(message: str) -> None:
    """Print an error message on stderr, in at most three lines."""
    lines = message.splitlines()[:3]
    say("gafreecell: " + "\n  ".join(lines))


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
