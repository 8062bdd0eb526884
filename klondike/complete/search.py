"""The search ``complete``: it wins a deal or proves that it cannot be won."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from jit import clear, uint64
from jit.kernels.transposition import rehash
from jit.slices import RUNNING, UNSOLVABLE, drive
from klondike.cards import PILES
from klondike.complete.kernels.playback import new_written, play_back
from klondike.complete.kernels.search import (
    Work,
    advance,
    enlarge,
    new_work,
)
from klondike.complete.kernels.unpacked import new_unpacked, unpack
from klondike.complete.order import ORDER, order_weights
from klondike.kernels.board import empty_board
from klondike.kernels.dead_ends import lost_at_once
from klondike.shorten import SHORTEN, load_kernels, shortened
from solving.outcome import Limits, Nodes, Status
from solving.parameters import Parameter, Value
from solving.search import Found, GameSearch

SLICE_TRIES = 20_000
"""Moves tried in a slice, at most some twenty milliseconds."""


class Complete(GameSearch[np.ndarray]):
    """The complete search; one instance serves one thread and keeps its arrays."""

    name = "complete"
    compiling = 17.0
    guided = False
    weighs = frozenset(feature.name for feature in ORDER)
    parameters = (
        Parameter(
            "safe-home",
            "yes",
            "bases that no card will need go home at once",
            choices=("yes", "no"),
        ),
        Parameter(
            "still-bottoms",
            "yes",
            "bottom cards go to other piles only while a king may want one",
            choices=("yes", "no"),
        ),
        Parameter(
            "dead-ends",
            "yes",
            "deals that a test proves lost are not searched",
            choices=("yes", "no"),
        ),
        SHORTEN,
    )

    def __init__(self) -> None:
        self._unpacked = new_unpacked()
        self._small = new_work()
        self._tests = empty_board(), np.zeros(PILES, np.int64), np.zeros(8 * PILES, np.uint64)

    def warm_up(self, position: np.ndarray, weights: np.ndarray) -> None:
        """Load what only large searches need."""
        rehash(self._small.table[:0], self._small.table[:0])

    def run(
        self, position: np.ndarray, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a packed position (``klondike.packed``); see ``solving.search``."""
        if values["shorten"]:
            load_kernels(position)
        started = time.thread_time()
        deal, layout = self._unpacked
        root = uint64(unpack(self._unpacked, position))
        switches = ("safe-home", "still-bottoms")
        options = sum(1 << i for i, name in enumerate(switches) if values[name] == "yes")
        clear(self._small.registers)
        self._small.order[:] = order_weights(weights[-len(ORDER) :])
        self._small.registers.ordered = int(self._small.order.any())

        def advance_slice(work: Work) -> int:
            pause = work.registers.tried + SLICE_TRIES
            return advance(deal, work, root, options, limits.nodes, pause)

        code = RUNNING
        # The tests hardly ever prove a later state lost if they do not prove the first one lost.
        if values["dead-ends"] == "yes" and lost_at_once(*self._tests, position):
            code = UNSOLVABLE
            self._small.registers.generated = 1
        status, work = drive(self._small, advance_slice, enlarge, limits, started, code)
        registers = work.registers
        moves = None
        if status is Status.SOLVED:
            depth = int(registers.depth)
            written = new_written(depth)
            moves = written[: play_back(deal, layout, work.state, work.made, depth, written)]
            moves = shortened(position, moves, int(values["shorten"]), limits, started)
        nodes = Nodes(int(registers.expanded), int(registers.generated))
        return Found(status, moves, nodes, time.thread_time() - started)
