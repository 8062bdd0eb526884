"""The driver of searches, which calls a kernel for one slice of some milliseconds after another.

Between two slices Python checks the clock, the call's stop token and the memory, and enlarges
arrays that are full. Results do not depend on where slices end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from math import inf
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gafreecell.solving import stopping
from gafreecell.solving.outcome import Limits, Status

# How a slice ends. GROW asks for larger arrays. EXHAUSTED means that no open state is left, and
# UNSOLVABLE that, moreover, none was dropped, which proves that there is no solution.
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
_room: ContextVar[float] = ContextVar("room", default=inf)
"""How many more bytes a search may take."""
Work = TypeVar("Work", bound=tuple[Any, ...])


def if_doubled_fits(memory: int, work: Work, enlarge: Callable[[Work], Work]) -> Work | None:
    """Larger arrays in place of full ones; None if all arrays, doubled, exceeded the memory limit.

    Searches whose arrays grow together keep this rule, so that they end at the same node as ever.
    """
    return enlarge(work) if 2 * size_in_bytes(work) <= memory else None


def drive(
    work: Work,
    advance: Callable[[Work], int],
    enlarge: Callable[[Work], Work],
    limits: Limits,
    started: float | None = None,
    code: int = RUNNING,
    grown: Callable[[int, Work, Callable[[Work], Work]], Work | None] = if_doubled_fits,
) -> tuple[Status, Work]:
    """Run a kernel slice by slice until the deal is decided or a limit is reached.

    Args:
        work: the kernel's arrays.
        advance: runs a slice; returns how it ended. Each slice must make a step, or ask for room.
        enlarge: returns the arrays with larger ones in place of those that are full, so large that
            the next slice makes a step.
        limits: what the search may spend.
        started: the thread's processor time when the search began; None for now.
        code: how a first call of the kernel ended.
        grown: enlarges the arrays if the memory limit allows: ``if_doubled_fits`` or ``within``.

    Returns:
        How the search ended, and its arrays.

    Raises:
        Interrupted: if the call is stopped.
    """
    if started is None:
        started = time.thread_time()
    while code in (RUNNING, GROW):
        if code == GROW:
            larger = grown(limits.memory, work, enlarge)
            if larger is None:
                return Status.MEMORY_LIMIT, work
            work = larger
        stopping.check()
        if limits.seconds is not None and time.thread_time() - started >= limits.seconds:
            return Status.TIME_LIMIT, work
        code = advance(work)
    return STATUS[code], work


def within(memory: int, work: Work, enlarge: Callable[[Work], Work]) -> Work | None:
    """Larger arrays in place of full ones; None if they would exceed the memory limit.

    ``enlarge`` may raise ``MemoryError`` if its indices cannot address larger arrays.
    """
    room = _room.set(memory - size_in_bytes(work))
    try:
        larger = enlarge(work)
    except MemoryError:
        return None
    finally:
        _room.reset(room)
    return larger if size_in_bytes(larger) <= memory else None


def size_in_bytes(work: tuple[Any, ...]) -> int:
    """The size of a nested tuple of arrays; several views of the same memory count once."""
    sizes: dict[int, int] = {}
    for part in _arrays(work):
        place = part.__array_interface__["data"][0]
        sizes[place] = max(sizes.get(place, 0), part.nbytes)
    return sum(sizes.values())


def _arrays(work: tuple[Any, ...]) -> Iterator[NDArray[Any]]:
    for part in work:
        if isinstance(part, tuple):
            yield from _arrays(part)
        else:
            yield part


def enlarged(work: Work, *names: str) -> Work:
    """The arrays, with the named ones doubled in their first dimension; contents are kept.

    Raises:
        MemoryError: as ``take_room`` does.
    """
    take_room(sum(getattr(work, name).nbytes for name in names))
    larger = {}
    for name in names:
        array = getattr(work, name)
        larger[name] = np.empty((2 * array.shape[0], *array.shape[1:]), array.dtype)
        larger[name][: array.shape[0]] = array
    changed: Work = work._replace(**larger)  # type: ignore[attr-defined]
    return changed


def take_room(size: int) -> None:
    """Count so many bytes more against the memory limit of the search that enlarges its arrays.

    Raises:
        MemoryError: if that exceeds the limit.
    """
    left = _room.get() - size
    if left < 0:
        raise MemoryError("larger arrays would exceed the limit")
    _room.set(left)
