"""Heineman's staged deepening (2009), the HSD algorithm of GA-FreeCell's section 3.1.3.

It is best-first search in stages. A stage removes the best state from the open list and
searches depth first from there. Its frontier, the new states exactly K moves away, joins
the open list. The open list maps each score to one state: a state of equal score replaces
the older one, so an empty list proves nothing. All stages share one transposition table,
which may be wiped when it grows too large. With K = 1 this is best-first search with one
state for each score.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from gafreecell.jit.kernels.transposition import rehash
from gafreecell.jit.slices import drive
from gafreecell.solving.outcome import Limits, Nodes, Status
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.search import Found
from hsd.kernels.board import empty_board
from hsd.kernels.policy import Rules
from hsd.kernels.replay import solution
from hsd.searches.kernels.staged import (
    DEEPEST_STAGE,
    StagedWork,
    advance,
    begin,
    enlarge,
    new_ahead,
    new_work,
    path_length,
    remap,
    write_path,
)
from hsd.searches.search import AUTOMATIC, Position, RulesSearch

SLICE = 20_000
"""States generated in a slice, some ten milliseconds."""


class StagedDeepening(RulesSearch):
    """The search ``staged``.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "staged"
    compiling = 14.0
    guided = True
    rules = True
    parameters = (
        Parameter("depth", 2, "K: moves from a state to its frontier", 1, DEEPEST_STAGE),
        AUTOMATIC,
        Parameter("table", 0, "states at which the table is wiped; 0 for never", 0, 10**12),
    )

    def __init__(self) -> None:
        self._board = empty_board()
        self._small = new_work()
        self._ahead = new_ahead()

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load the kernels that only large searches need."""
        table = self._small.table[:0]
        scores, slots = self._small.map_scores[:0], self._small.map_slots[:0]
        rehash(table, table)
        remap(scores, slots, scores, slots)

    def _search(
        self,
        position: Position,
        weights: np.ndarray,
        rules: Rules | None,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        root, depth, wipe = position.root(values), int(values["depth"]), int(values["table"])
        started = time.thread_time()
        # Every deal starts with small arrays: clearing large ones takes longer than most deals,
        # and the memory of one deal must not count for another.
        code = begin(self._board, self._small, root, weights, rules)

        def advance_slice(work: StagedWork) -> int:
            pause = int(work.registers.generated) + SLICE
            return advance(
                self._board, work, self._ahead, root, depth, wipe, weights, rules,
                limits.nodes, pause,
            )  # fmt: skip

        status, work = drive(self._small, advance_slice, enlarge, limits, started, code)
        moves = None
        if status is Status.SOLVED:
            registers, parents = work.registers, work.stage_parent
            path = np.zeros(path_length(registers, parents, depth), np.int64)
            write_path(registers, work.made, parents, work.stage_moves, depth, path)
            moves = solution(self._board, root, path)
        nodes = Nodes(int(work.registers.expanded), int(work.registers.generated))
        return Found(status, moves, nodes, time.thread_time() - started)
