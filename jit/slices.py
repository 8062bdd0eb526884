"""The driver of searches: it calls a kernel again and again, a slice of some milliseconds each.

Between two slices Python checks the clock, the call's stop token and the memory, and enlarges
arrays that are full. Results do not depend on where slices end.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from solving import stopping
from solving.outcome import Limits, Status

# How a slice ends. GROW asks for larger arrays. EXHAUSTED says that no open state is left,
# UNSOLVABLE besides that none was lost: a proof that there is no solution.
RUNNING, GROW, SOLVED, EXHAUSTED, UNSOLVABLE, NODE_LIMIT = range(6)
TIME_LIMIT, MEMORY_LIMIT = 8, 9
STATUS = {
    SOLVED: Status.SOLVED,
    EXHAUSTED: Status.EXHAUSTED,
    UNSOLVABLE: Status.UNSOLVABLE,
    NODE_LIMIT: Status.NODE_LIMIT,
    TIME_LIMIT: Status.TIME_LIMIT,
    MEMORY_LIMIT: Status.MEMORY_LIMIT,
}
"""How a search ended, by code."""
Work = TypeVar("Work", bound=tuple[Any, ...])


def drive(
    work: Work,
    advance: Callable[[Work], int],
    enlarge: Callable[[Work], Work],
    limits: Limits,
    started: float,
    code: int = RUNNING,
) -> tuple[Status, Work]:
    """Run a kernel slice by slice until the deal is decided or a limit is reached.

    Args:
        work: the kernel's arrays.
        advance: runs a slice; returns how it ended.
        enlarge: returns the arrays with larger ones in place of those that are full.
        limits: what the search may spend.
        started: the thread's processor time when the search began.
        code: how a first call of the kernel ended.

    Returns:
        How the search ended, and its arrays.

    Raises:
        Interrupted: if the call is stopped meanwhile.
    """
    while code in (RUNNING, GROW):
        if code == GROW:
            if 2 * size_in_bytes(work) > limits.memory:
                return Status.MEMORY_LIMIT, work
            work = enlarge(work)
        stopping.check()
        if limits.seconds is not None and time.thread_time() - started >= limits.seconds:
            return Status.TIME_LIMIT, work
        code = advance(work)
    return STATUS[code], work


def size_in_bytes(work: tuple[Any, ...]) -> int:
    """The size of a tuple of arrays, or of such tuples."""
    return sum(size_in_bytes(part) if isinstance(part, tuple) else part.nbytes for part in work)


def enlarged(work: Work, *names: str) -> Work:
    """The arrays, with those named doubled in their first dimension and their content kept."""
    larger = {}
    for name in names:
        array = getattr(work, name)
        larger[name] = np.empty((2 * array.shape[0], *array.shape[1:]), array.dtype)
        larger[name][: array.shape[0]] = array
    changed: Work = work._replace(**larger)  # type: ignore[attr-defined]
    return changed
