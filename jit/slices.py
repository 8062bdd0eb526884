"""The driver of searches: it calls a kernel again and again, a slice of some milliseconds each.

Between two slices Python checks the clock, the call's stop token and the memory, and enlarges
arrays that are full. Results do not depend on where slices end.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np

from jit.kernels.clock import CLOCK
from jit.registers import Registers
from solving import stopping
from solving.outcome import Limits, Status

# How a slice ends. GROW asks for larger arrays. EXHAUSTED says that no open state is left,
# UNSOLVABLE besides that none was lost: a proof that there is no solution.
# DONE and FULL are said of a batch: all its deals are decided, its arrays are full.
RUNNING, GROW, SOLVED, EXHAUSTED, UNSOLVABLE, NODE_LIMIT, DONE, FULL = range(8)
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


class Batch(Protocol):
    """What the arrays of every batch of deals have.

    Attributes:
        registers: at least those of ``BatchRegisters``.
        codes: int64[deals], how each search ended.
        seconds: float64[deals], the processor time that each took.
        ends: int64[deals], where the moves of each solution end in ``moves``.
        moves: int64, the solutions, one after the other.
    """

    @property
    def registers(self) -> BatchRegisters: ...
    @property
    def codes(self) -> np.ndarray: ...
    @property
    def seconds(self) -> np.ndarray: ...
    @property
    def ends(self) -> np.ndarray: ...
    @property
    def moves(self) -> np.ndarray: ...


class BatchRegisters(Registers):
    """Where a batch stands.

    Attributes:
        deal: the deal at work.
        begun: whether its search has begun.
        started: the thread's processor time when it did.
        moves: how many moves of solutions are written.
    """

    deal: int
    begun: int
    started: float
    moves: int


SomeBatch = TypeVar("SomeBatch", bound=Batch)


def drive_batch(
    small: Work,
    batch: SomeBatch,
    advance: Callable[[Work, SomeBatch, bool], int],
    enlarge: Callable[[Work], Work],
    limits: Limits,
) -> SomeBatch:
    """Run a kernel slice by slice until all deals of a batch are decided or reach a limit.

    Args:
        small: the arrays that each search begins with.
        batch: the deals.
        advance: runs a slice; with True it returns when the deal at work is decided. It returns
            ``DONE``, ``RUNNING``, ``GROW``, or ``FULL`` if the batch has no room for moves.
        enlarge: returns a search's arrays with larger ones in place of those that are full.
        limits: what each search may spend.

    Returns:
        The batch, perhaps with larger arrays.

    Raises:
        Interrupted: if the call is stopped meanwhile.
    """
    work = small
    registers = batch.registers
    began = time.thread_time()
    while (code := advance(work, batch, work is not small)) != DONE:
        stopping.check()
        if CLOCK is None:
            # Kernels have no clock, so a batch is a single deal.
            registers.started = began
        if code == FULL:
            batch = enlarged(batch, "moves")  # type: ignore[type-var]
        elif code == GROW and 2 * size_in_bytes(work) > limits.memory:
            _give_up(batch, MEMORY_LIMIT)
        elif code == GROW:
            work = enlarge(work)
        late = limits.seconds is not None and registers.begun
        if late and time.thread_time() - registers.started >= (limits.seconds or 0):
            _give_up(batch, TIME_LIMIT)
        if not registers.begun:
            work = small
            if registers.deal == batch.codes.size:
                break
    return batch


def _give_up(batch: Batch, code: int) -> None:
    """End the search of the deal at work."""
    registers = batch.registers
    batch.codes[registers.deal] = code
    batch.ends[registers.deal] = registers.moves
    batch.seconds[registers.deal] = time.thread_time() - registers.started
    registers.deal += 1
    registers.begun = 0


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
