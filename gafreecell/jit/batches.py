"""Batches: one call of a kernel searches from many positions and times each search.

The driver calls the kernel slice by slice, like the driver of single searches (``jit.slices``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np

from gafreecell.jit.kernels.clock import CLOCK
from gafreecell.jit.registers import Registers
from gafreecell.jit.slices import (
    GROW,
    MEMORY_LIMIT,
    SOLVED,
    STATUS,
    TIME_LIMIT,
    Work,
    enlarged,
    if_doubled_fits,
)
from gafreecell.solving import stopping
from gafreecell.solving.outcome import Limits, Nodes
from gafreecell.solving.search import Found

# How a slice of a batch ends, besides RUNNING and GROW: all deals are decided, or the batch has
# no room for more moves.
DONE, FULL = 6, 7
Position = TypeVar("Position")


class Batch(Protocol):
    """The arrays of a batch of deals.

    Attributes:
        registers: at least those of ``BatchRegisters``.
        codes: int64[deals], how each search ended.
        seconds: float64[deals], the processor time that each took.
        nodes: int64[deals * 2 or 3], states expanded, generated and, if they differ, scored.
        ends: int64[deals], where the moves of each solution end in ``moves``.
        moves: int64, the solutions, one after the other.
    """

    @property
    def registers(self) -> BatchRegisters: ...
    @property
    def codes(self) -> np.ndarray: ...
    @property
    def nodes(self) -> np.ndarray: ...
    @property
    def seconds(self) -> np.ndarray: ...
    @property
    def ends(self) -> np.ndarray: ...
    @property
    def moves(self) -> np.ndarray: ...


class BatchRegisters(Registers):
    """The progress of a batch.

    Attributes:
        deal: index of the current deal.
        begun: whether its search has begun.
        started: the thread's processor time when its search began.
        moves: how many moves of solutions have been written.
    """

    deal: int
    begun: int
    started: float
    moves: int


SomeBatch = TypeVar("SomeBatch", bound=Batch)


def in_batches(positions: Sequence[Position]) -> Iterator[Sequence[Position]]:
    """Divide positions into batches: one batch, or one for each position.

    If kernels cannot read the clock, each position is a batch of its own, timed from outside.
    """
    most = max(len(positions), 1) if CLOCK is not None else 1
    for i in range(0, len(positions), most):
        yield positions[i : i + most]


def drive_batch(
    small: Work,
    batch: SomeBatch,
    advance: Callable[[Work, SomeBatch, bool], int],
    enlarge: Callable[[Work], Work],
    limits: Limits,
    grown: Callable[[int, Work, Callable[[Work], Work]], Work | None] = if_doubled_fits,
) -> SomeBatch:
    """Run a kernel slice by slice until all deals of a batch are decided or reach a limit.

    Args:
        small: the arrays that each search begins with.
        batch: the deals.
        advance: runs a slice; if its last argument is True, the slice ends as soon as the current
            deal is decided. It returns ``DONE``, ``RUNNING``, ``GROW``, or ``FULL`` if the batch
            has no room for more moves.
        enlarge: returns a search's arrays with larger ones in place of those that are full.
        limits: what each search may spend.
        grown: enlarges the arrays if the memory limit allows: ``if_doubled_fits`` or ``within``.

    Returns:
        The batch, perhaps with larger arrays.

    Raises:
        Interrupted: if the call is stopped.
    """
    work = small
    registers = batch.registers
    began = time.thread_time()
    while (code := advance(work, batch, work is not small)) != DONE:
        stopping.check()
        if CLOCK is None:
            registers.started = began
        if code == FULL:
            batch = enlarged(batch, "moves")  # type: ignore[type-var]
        elif code == GROW:
            larger = grown(limits.memory, work, enlarge)
            if larger is None:
                _give_up(batch, MEMORY_LIMIT)
            else:
                work = larger
        late = limits.seconds is not None and registers.begun
        if late and time.thread_time() - registers.started >= (limits.seconds or 0):
            _give_up(batch, TIME_LIMIT)
        if not registers.begun:
            work = small
            if registers.deal == batch.codes.size:
                break
    if CLOCK is None:
        batch.seconds[:] = time.thread_time() - began
    return batch


def _give_up(batch: Batch, code: int) -> None:
    """End the search on the current deal."""
    registers = batch.registers
    batch.codes[registers.deal] = code
    batch.ends[registers.deal] = registers.moves
    batch.seconds[registers.deal] = time.thread_time() - registers.started
    registers.deal += 1
    registers.begun = 0


def found_in(batch: Batch) -> list[Found]:
    """The result for each deal of a batch."""
    found = []
    start = 0
    for code, end, seconds, nodes in zip(
        batch.codes.tolist(),
        batch.ends.tolist(),
        batch.seconds.tolist(),
        batch.nodes.reshape(batch.codes.size, -1).tolist(),
        strict=True,
    ):
        moves = batch.moves[start:end] if code == SOLVED else None
        found.append(Found(STATUS[code], moves, Nodes(*nodes), seconds))
        start = end
    return found
