"""The search ``complete``: it wins a deal or proves that it cannot be won."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gafreecell.jit.batches import drive_batch, found_in, in_batches
from gafreecell.jit.kernels.transposition import rehash
from gafreecell.solitaire.klondike.complete.kernels.batch import (
    Batch,
    advance_batch,
    new_batch,
    new_scratch,
)
from gafreecell.solitaire.klondike.complete.kernels.search import Work, enlarge, new_work
from gafreecell.solitaire.klondike.complete.kernels.states import SAFE_HOME, STILL_BOTTOMS
from gafreecell.solitaire.klondike.complete.order import ORDER, order_weights
from gafreecell.solitaire.klondike.packed import PACKED, Position, packed_position
from gafreecell.solitaire.klondike.shorten import SHORTEN, load_kernels, shortened
from gafreecell.solving.outcome import Limits, Phase
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.search import BatchSearch, Found

SLICE_TRIES = 20_000
"""Moves tried in a slice, which takes at most some twenty milliseconds."""
_SWITCHES = {
    "safe-home": "send a base home at once if no card will ever have to lie on it",
    "still-bottoms": "move a pile's bottom card to another pile only while a king may want the "
    "empty pile",
    "dead-ends": "first run tests that prove deals lost without a search",
}
_LARGEST = 2**63 - 1
"""The largest deal number that kernels deal; Python deals the larger ones."""


class Complete(BatchSearch[Position]):
    """The complete search; one instance serves one thread and keeps its arrays."""

    name = "complete"
    compiling = 10.0
    guided = False
    steady = frozenset({"nodes", "memory"})
    weighs = frozenset(feature.name for feature in ORDER)
    parameters = (
        *(Parameter(name, "yes", does, choices=("yes", "no")) for name, does in _SWITCHES.items()),
        SHORTEN,
    )

    def __init__(self) -> None:
        self._small = new_work()
        self._scratch = new_scratch()

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load what only large searches need."""
        rehash(self._small.table[:0], self._small.table[:0])

    def run_batch(
        self,
        positions: Sequence[Position],
        weights: np.ndarray,
        phases: Sequence[Phase],
        values: Mapping[str, Value],
        limits: Limits,
    ) -> list[Found]:
        """Search from many positions in one call of the kernel; see ``solving.search``."""
        if not values["shorten"]:
            parts = in_batches(positions)
            return [found for part in parts for found in self._run(part, weights, values, limits)]
        shorter = []
        for packed in map(packed_position, positions):
            load_kernels(packed)
            started = time.thread_time()
            [found] = self._run((packed,), weights, values, limits)
            if found.moves is not None:
                budget = int(values["shorten"])
                moves = shortened(packed, found.moves, budget, limits, started)
                found = replace(found, moves=moves, seconds=time.thread_time() - started)
            shorter.append(found)
        return shorter

    def _run(
        self,
        positions: Sequence[Position],
        weights: np.ndarray,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> list[Found]:
        """Search from positions, without shortening."""
        batch = new_batch(len(positions))
        for i, position in enumerate(positions):
            if isinstance(position, int) and position <= _LARGEST:
                batch.numbers[i] = position
            else:
                batch.packed[PACKED * i : PACKED * (i + 1)] = packed_position(position)
        safe, still, tests = (values[name] == "yes" for name in _SWITCHES)
        options = safe * SAFE_HOME | still * STILL_BOTTOMS
        self._small.order[:] = order_weights(weights[-len(ORDER) :])
        ordered = int(self._small.order.any())

        def advance(work: Work, batch: Batch, alone: bool) -> int:
            return advance_batch(
                self._scratch, work, batch, ordered, options, tests, alone, limits.nodes,
                SLICE_TRIES,
            )  # fmt: skip

        return found_in(drive_batch(self._small, batch, advance, enlarge, limits))
