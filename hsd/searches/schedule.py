"""A schedule of best-first searches with partial expansion.

An expanded state scores all its successors but builds none. It waits in the open list under the
score of the best successor left, which is built only when its turn comes (partial expansion;
Yoshizumi, Miura and Ishida 2000). That costs a third of what ``best-first`` spends on a state.

A schedule runs several such searches one after the other, each from scratch and with its own
weights. A deal that one weight vector misjudges is often easy for another, so restarts cut the long
tail of hard deals (algorithm schedules, as in portfolios of planners; Howe and others 1999). A
phase expands the best of all states, or the best of each depth in turn (cyclic best-first search;
Kao, Sewell and Jacobson 2009). The last phase has no limit. A single weighted sum is a schedule of
one phase.

No phase drops or overwrites a state. So a phase whose open list is empty has met every state, which
proves the deal unsolvable. States are identified by hashes of 128 bits: among n states, some two
share a hash with a probability below n^2 / 2^129.

A position in which no card lies above a lower one (no inversions) counts as solved, as home moves
alone finish it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import ClassVar

import numpy as np

from gafreecell.jit.batches import drive_batch, found_in, in_batches
from gafreecell.jit.slices import within
from gafreecell.solving.outcome import BEST_FIRST, DEPTH_IN_TURN, Limits, Phase
from gafreecell.solving.parameters import Parameter, ParameterError, Value
from gafreecell.solving.search import BatchSearch, Found
from hsd.kernels.board import empty_board
from hsd.kernels.columns import row_of
from hsd.kernels.features import BREAKS_RUN, MOVES_MADE
from hsd.kernels.linear import compiled
from hsd.kernels.packed import PACKED
from hsd.searches.kernels.batch import Batch, advance_batch, new_batch
from hsd.searches.kernels.schedule import Phases, ScheduleWork, enlarge, new_work
from hsd.searches.search import AUTOMATIC, BESIDE, SHORTEN, Position, shortened

SLICE = 10_000
"""Expansions in a slice, some ten milliseconds."""
_SHORTEN = replace(
    SHORTEN,
    meaning="whether redundant moves of a solution are dropped: all kinds, detours only, or none",
    choices=("yes", "detours", "no"),
)
_WHY = "it is not a sum over single columns; "


class Schedule(BatchSearch[Position]):
    """The search ``schedule``; it is complete.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "schedule"
    compiling = 16.0
    beside = BESIDE
    guided = True
    steady = frozenset({"nodes", "memory"})
    schedules = True
    weighs = frozenset({MOVES_MADE, BREAKS_RUN})
    cannot_weigh: ClassVar[Mapping[str, str]] = {
        "HSDH": _WHY + "take AboveNext",
        "DifferenceFromTop": _WHY + "take SumOfBottomCards",
        "LeastAboveNext": _WHY + "take AboveNext",
    }
    parameters = (
        AUTOMATIC,
        Parameter(
            "rule",
            BEST_FIRST,
            "which state is expanded next, by a single weighted sum",
            choices=(BEST_FIRST, DEPTH_IN_TURN),
        ),
        _SHORTEN,
    )

    def __init__(self) -> None:
        self._board = empty_board()
        self._small = new_work()

    @classmethod
    def check_phases(cls, phases: Sequence[Phase], given: Mapping[str, Value]) -> None:
        """Refuse the parameter ``rule`` unless all phases have that rule.

        Raises:
            ParameterError: if a phase has another rule.
        """
        rule = given.get("rule")
        if rule is not None and any(phase.rule != rule for phase in phases):
            raise ParameterError(
                f"each phase of a schedule has its own rule: drop the parameter rule={rule} of the "
                f"search {cls.name}, or give each phase that rule instead"
            )

    def run_batch(
        self,
        positions: Sequence[Position],
        weights: np.ndarray,
        phases: Sequence[Phase],
        values: Mapping[str, Value],
        limits: Limits,
    ) -> list[Found]:
        """Search from many positions in one call of the kernel; see ``solving.search``."""
        plan = tuple(phases) or (Phase(rule=str(values["rule"])),)
        found: list[Found] = []
        for (cascades, cells), same in groupby(positions, lambda p: (p.cascades, p.cells)):
            compiled = compiled_phases(weights.tobytes(), plan, cascades, cells)
            for part in in_batches(list(same)):
                found += self._run(part, compiled, values, limits)
        return found

    def _run(
        self,
        positions: Sequence[Position],
        phases: Phases,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> list[Found]:
        """Search from positions of games of one size."""
        batch = new_batch(len(positions))
        batch.numbers[:] = [position.number for position in positions]
        for i, position in enumerate(positions):
            if position.board is not None:
                batch.packed[PACKED * i : PACKED * (i + 1)] = position.board
        automatic = values[AUTOMATIC.name] == "safe"
        detours = values[SHORTEN.name] == "detours"
        cascades, cells = positions[0].cascades, positions[0].cells

        def advance(work: ScheduleWork, batch: Batch, alone: bool) -> int:
            return advance_batch(
                self._board, work, batch, phases, cascades, cells, automatic, detours, alone,
                limits.nodes, SLICE,
            )  # fmt: skip

        found = found_in(drive_batch(self._small, batch, advance, enlarge, limits, within))
        if values[SHORTEN.name] != "yes":
            return found
        return [self._shortened(*one, values) for one in zip(positions, found, strict=True)]

    def _shortened(self, position: Position, found: Found, values: Mapping[str, Value]) -> Found:
        """The same result without the redundant moves of its solution."""
        if found.moves is None:
            return found
        started = time.thread_time()
        moves = shortened(found.moves, self._board, position.root(values), values)
        return replace(found, moves=moves, seconds=found.seconds + time.thread_time() - started)


@lru_cache(maxsize=1000)
def compiled_phases(weights: bytes, phases: tuple[Phase, ...], cascades: int, cells: int) -> Phases:
    """A schedule's coefficients for a game of this size.

    Args:
        weights: float64[phases, features].
        phases: the phases.
        cascades, cells: the game's size.
    """
    width = len(weights) // len(phases)
    rows = [
        row_of(compiled(weights[width * i : width * (i + 1)], cascades, cells))
        for i in range(len(phases))
    ]
    return Phases(
        rows=np.array(rows),
        limits=np.array([phase.nodes or 0 for phase in phases]),
        in_turn=np.array([int(phase.rule == DEPTH_IN_TURN) for phase in phases]),
    )
