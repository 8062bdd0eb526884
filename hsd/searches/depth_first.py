"""Depth-first search that keeps a hash of each state it has met, and nothing else of it.

Best-first searches keep whole states, so a proof of a hundred million of them does not fit into
memory. This search makes and unmakes moves on one board, follows the successor with the least
score, and turns back where all successors were met. A state takes 21 to 43 bytes of the table, and
one on the path some thirty more. The price is the length of solutions: a path may have thousands
of moves. ``cut_short`` leaves some hundreds of them.

It drops no state, so once no move is left the search has met every one, which proves the deal
unsolvable. Hashes have 128 bits: among n states, some two share one with a probability below
n^2 / 2^129.

A position in which no card lies above a lower one (no inversions) counts as solved, as home moves
alone finish it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from gafreecell.jit.kernels.transposition import rehash_pairs
from gafreecell.jit.slices import drive, within
from gafreecell.solving.outcome import Limits, Nodes, Status
from gafreecell.solving.parameters import Value
from gafreecell.solving.search import Found
from hsd.kernels.board import empty_board
from hsd.kernels.features import MOVES_MADE
from hsd.kernels.linear import compiled
from hsd.kernels.replay import solution
from hsd.searches.kernels.depth_first import (
    DepthFirstWork,
    advance,
    begin,
    cut_short,
    enlarge,
    new_work,
)
from hsd.searches.search import AUTOMATIC, BESIDE, SHORTEN, FreeCellSearch, Position, shortened

SLICE_MOVES = 50_000
"""Moves tried in a slice, some ten milliseconds."""


class DepthFirst(FreeCellSearch):
    """The search ``depth-first``; it is complete.

    One instance serves one thread and keeps its small arrays from deal to deal.
    """

    name = "depth-first"
    compiling = 8.0
    beside = BESIDE
    guided = True
    steady = frozenset({"nodes", "memory"})
    weighs = frozenset({MOVES_MADE})
    parameters = (AUTOMATIC, SHORTEN)

    def __init__(self) -> None:
        self._board = empty_board()
        self._small = new_work()

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load the kernels that only large searches need."""
        rehash_pairs(self._small.table[:0], self._small.table[:0])
        enlarge(self._small)

    def run(
        self, position: Position, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a position; see ``solving.search`` for the meaning of the arguments."""
        started = time.thread_time()
        root = position.root(values)
        k = compiled(weights.tobytes(), position.cascades, position.cells)
        begin(self._board, self._small, root)

        def advance_slice(work: DepthFirstWork) -> int:
            pause = int(work.registers.tried) + SLICE_MOVES
            return advance(self._board, work, root, k, limits.nodes, pause)

        status, work = drive(self._small, advance_slice, enlarge, limits, started, grown=within)
        moves = None
        if status is Status.SOLVED:
            path = work.made[: work.registers.depth].astype(np.int64)
            if values[SHORTEN.name] == "yes":
                path = cut_short(self._board, root, work, path)
            moves = solution(self._board, root, path)
            moves = shortened(moves, self._board, root, values)
        nodes = Nodes(int(work.registers.expanded), int(work.registers.generated))
        return Found(status, moves, nodes, time.thread_time() - started)
