"""What a search of this package is: a name, its parameters, and ``run``."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solving.outcome import Limits, Nodes, Status
from solving.parameters import Parameter, Value
from solving.runtime import STOP

# What a slice of a kernel ends with: an array must be enlarged, the deal is
# decided, or neither.
RUNNING, GROW, SOLVED, DRY, NODE_LIMIT = range(5)
_STATUS = {SOLVED: Status.SOLVED, DRY: Status.EXHAUSTED, NODE_LIMIT: Status.NODE_LIMIT}


def drive(
    code: int,
    advance: Callable[[], int],
    enlarge: Callable[[int], bool],
    limits: Limits,
    started: float,
) -> Status:
    """Run a kernel slice by slice until the deal is decided or a limit is reached.

    Args:
        code: what the kernel's first call ended with.
        advance: runs a slice; returns what it ended with.
        enlarge: makes room, unless that takes more than so many bytes; returns
            whether it did.
        limits: what the search may spend.
        started: the thread's processor time when it began.

    Raises:
        Interrupted: if ``solving.runtime.STOP`` is set meanwhile.
    """
    while code in (RUNNING, GROW):
        if code == GROW and not enlarge(limits.memory):
            return Status.MEMORY_LIMIT
        STOP.check()
        if limits.seconds is not None and time.thread_time() - started >= limits.seconds:
            return Status.TIME_LIMIT
        code = advance()
    return _STATUS[code]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: an outcome whose moves are the engine's (int64), or None.

    ``bound`` is a proved lower bound on the moves of single cards; None where the
    search has none.
    """

    status: Status
    moves: np.ndarray | None
    nodes: Nodes
    seconds: float
    bound: int | None = None


class FreeCellSearch(ABC):
    """A search: one instance a thread, its arrays kept from deal to deal."""

    name: ClassVar[str]
    guided: ClassVar[bool]
    """Whether it needs an evaluator."""
    weighs_moves: ClassVar[bool] = False
    """Whether it knows the feature MovesMade, which is not one of the state."""
    parameters: ClassVar[tuple[Parameter, ...]]

    @abstractmethod
    def run(
        self,
        packed: np.ndarray,
        size: np.ndarray,
        weights: np.ndarray,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        """Search from a position.

        Args:
            packed: the position as ``hsd.board.pack_board`` makes it.
            size: int64[2], cascades and cells.
            weights: float64[25], a weight for each feature of the engine.
            values: a value for each parameter.
            limits: what it may spend.

        Raises:
            Interrupted: if ``solving.runtime.STOP`` is set meanwhile.
        """
