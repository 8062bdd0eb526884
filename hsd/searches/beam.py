"""Beam search by levels: it expands the best few states of each level.

The level of a state is its g, the number of single-card moves on its path, home moves not
counted. So only states of equal cost are compared. A home move that is not safe leads to
another state of the same level. One sweep over the levels is a beam search. If a sweep
ends without a solution, the next one continues with the best open states left on each
level. So the beam grows by its width with each sweep, and no work is done twice.
(Beam-stack search, Zhou and Hansen 2005, also makes beam search complete; it backtracks,
while this search keeps all open states.) Once the open lists are empty, the deal is proved
unsolvable.

If DeadlockBound has a weight, the bound of ``hsd.kernels.deadlock`` is part of the score. It is
evaluated lazily: until a state reaches the front of its level, its bound is the least that
its move allows.

``wider`` runs a second beam with the first solution as the incumbent. This beam prunes
states that cannot lead to a shorter solution, and makes a single sweep. (If it finds
nothing, the incumbent need not be a shortest solution: a state first met on a longer path
keeps that path.) ``repeat`` runs it again with the shorter solution as the incumbent, as
long as it finds one: the more it prunes, the better the states that it keeps.

The level can also count moves of runs (``unit``). A run then moves at once, and the bound is
that of runs.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gafreecell.solving.outcome import Limits
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.search import Found
from hsd.kernels.deadlock import new_graph
from hsd.kernels.features import DEADLOCK_BOUND
from hsd.kernels.linear import compiled
from hsd.notation import moves_not_home
from hsd.searches.kernels.beam import BeamWork, advance, enlarge, new_work
from hsd.searches.kernels.bounds import NO_INCUMBENT
from hsd.searches.search import (
    AUTOMATIC,
    BESIDE,
    SHORTEN,
    UNIT,
    Position,
    bound_in,
    counts_runs,
    lengths_in,
    shortened,
)
from hsd.searches.tree import TreeSearch, longest_run, nodes_in, path_in, supermoves

WIDER = Parameter(
    "wider", 0, "width of a second beam, which must beat the first solution; 0 for none", 0, 10**6
)

REPEAT = Parameter(
    "repeat",
    "no",
    "whether further beams of the second one's width follow until one finds nothing shorter",
    choices=("yes", "no"),
)

LARGE = 500
"""The width from which a beam begins with large arrays."""
MOST_CLOSED = 1 << 19
"""The most expanded states for which a beam's first arrays have room."""


class Beam(TreeSearch[BeamWork]):
    """The search ``beam``; it is complete."""

    name = "beam"
    compiling = 12.0
    beside = BESIDE
    guided = True
    weighs = frozenset({DEADLOCK_BOUND})
    parameters = (
        AUTOMATIC,
        supermoves("no"),
        Parameter("width", 64, "states expanded on each level in a sweep", 1, 10**6),
        WIDER,
        REPEAT,
        SHORTEN,
        UNIT,
    )

    def __init__(self) -> None:
        super().__init__(new_work(), enlarge)
        self._graph = new_graph()
        self._large: BeamWork | None = None

    def run(
        self, position: Position, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a position; see ``solving.search`` for the meaning of the arguments."""
        root, longest = position.root(values), longest_run(values)
        started = time.thread_time()
        k = compiled(weights.tobytes(), root.cascades, root.cells)
        bounded = bool(k.of.bound) or int(values["wider"]) > 0

        def beam(width: int, incumbent: int, nodes: int) -> Found:
            def advance_slice(work: BeamWork, pause: int) -> int:
                return advance(
                    self._board, work, self._graph, root, longest, width, bounded, incumbent, k,
                    nodes, pause,
                )  # fmt: skip

            status, work = self._drive(advance_slice, limits, started, self._first(width))
            not_home, root_bound = work.tree.registers.not_home, work.registers.root_bound
            bound = bound_in(values, not_home, root_bound) if bounded else None
            moves = path_in(work.tree, status)
            if moves is not None:
                moves = shortened(moves, self._board, root, values)
            lengths = lengths_in(values, moves, root)
            seconds = time.thread_time() - started
            return Found(status, moves, nodes_in(work.tree), seconds, bound, lengths)

        best = beam(int(values["width"]), NO_INCUMBENT, limits.nodes)
        wider = int(values["wider"])
        again = wider > 0
        while again and best.moves is not None and best.nodes.generated < limits.nodes:
            incumbent = moves_not_home(best.moves, counts_runs(values))
            other = beam(wider, incumbent, limits.nodes - best.nodes.generated)
            # A beam that begins at the goal finds it, though it is not shorter.
            shorter = other.moves is not None and incumbent > 0
            again = shorter and values.get(REPEAT.name) == "yes"
            nodes = best.nodes + other.nodes
            best = replace(best if other.moves is None else other, nodes=nodes)
        return replace(best, seconds=time.thread_time() - started)

    def _first(self, width: int) -> BeamWork | None:
        """The arrays that a beam begins with; None for the small ones.

        Nearly all wide beams outgrow the small arrays, and allocating larger ones took a sixth of
        their time. So wide beams begin with large arrays, which are kept.
        """
        if width < LARGE:
            return None
        closed = min(max(1 << 15, 1 << (32 * width - 1).bit_length()), MOST_CLOSED)
        if self._large is None or self._large.tree.closed_entry.size != closed:
            self._large = new_work(closed, 4 * closed)
        return self._large
