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
keeps that path.)
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
from hsd.searches.search import AUTOMATIC, BESIDE, SHORTEN, Position, shortened
from hsd.searches.tree import TreeSearch, longest_run, nodes_in, path_in, supermoves

WIDER = Parameter(
    "wider", 0, "width of a second beam, which must beat the first solution; 0 for none", 0, 10**6
)


LARGE = 500
"""The width from which a beam begins with large arrays."""


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
        SHORTEN,
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
            bound = int(not_home + root_bound) if bounded else None
            moves = path_in(work.tree, status)
            if moves is not None:
                moves = shortened(moves, self._board, root, values)
            return Found(status, moves, nodes_in(work.tree), time.thread_time() - started, bound)

        first = beam(int(values["width"]), NO_INCUMBENT, limits.nodes)
        wider = int(values["wider"])
        if first.moves is None or not wider or first.nodes.generated >= limits.nodes:
            return first
        incumbent = int(moves_not_home(first.moves))
        second = beam(wider, incumbent, limits.nodes - first.nodes.generated)
        return replace(
            first if second.moves is None else second,
            nodes=first.nodes + second.nodes,
            seconds=time.thread_time() - started,
        )

    def _first(self, width: int) -> BeamWork | None:
        """The arrays that a beam begins with; None for the small ones.

        Nearly all wide beams outgrow the small arrays, and allocating larger ones took a sixth of
        their time. So wide beams begin with large arrays, which are kept.
        """
        if width < LARGE:
            return None
        if self._large is None:
            self._large = new_work(1 << 15, 1 << 17)
        return self._large
