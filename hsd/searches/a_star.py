"""A* with the deadlock bound: solutions with the fewest single-card moves.

After Paul and Helmert, "Optimal Solitaire Game Solutions using A* Search and
Deadlock Analysis" (2016). Every card goes home once, so the length of a solution is
the number of cards not home at first, plus the number of other moves. These others are
the cost: g is their number so far, and home moves cost nothing. The heuristic h is the
deadlock bound, a lower bound on those still to come. It is admissible and consistent, so
a state is expanded with its least g, and none is reopened. The first state expanded with
h = 0 ends a shortest solution, as its g does not exceed the least f = g + h of all open
states. Runs of cards move card by card. Forcing safe home moves makes no solution longer.

If a beam search has found an incumbent, A* becomes branch and bound: it prunes states
whose f is not less than the incumbent's g.

The search drops nothing and identifies states by 128 bits, so an empty open list proves
the deal unsolvable (see ``hsd.searches.kernels.tree``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gafreecell.solving.outcome import Limits, Nodes, Status
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.search import Found
from hsd.kernels.deadlock import new_graph
from hsd.kernels.features import DEADLOCK_BOUND
from hsd.notation import moves_not_home
from hsd.searches.beam import REPEAT, WIDER, Beam
from hsd.searches.kernels.a_star import AStarWork, advance, enlarge, new_work, rehash_entries
from hsd.searches.kernels.bounds import NO_INCUMBENT
from hsd.searches.search import AUTOMATIC, UNIT, Position, bound_in, counts_runs, lengths_in
from hsd.searches.tree import TreeSearch, longest_run, nodes_in, path_in


class AStar(TreeSearch[AStarWork]):
    """The search ``a-star``; it is complete, and its solutions are shortest."""

    name = "a-star"
    compiling = 8.0
    slice_looks = 5_000
    guided = False
    weighs = frozenset({DEADLOCK_BOUND})
    parameters = (
        AUTOMATIC,
        Parameter("width", 0, "width of a beam search for a first solution; 0 for none", 0, 10**6),
        WIDER,
        REPEAT,
        UNIT,
    )

    def __init__(self) -> None:
        super().__init__(new_work(), enlarge)
        self._graph = new_graph()
        self._beam = Beam()

    def needs_weights(self, values: Mapping[str, Value]) -> bool:
        return int(values["width"]) > 0

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load the kernels that only large searches need."""
        table, slot_entry = self._small.tree.table[:0], self._small.slot_entry[:0]
        rehash_entries(table, slot_entry, table, slot_entry)
        super().warm_up(position, weights)
        values = {parameter.name: parameter.default for parameter in Beam.parameters}
        values[AUTOMATIC.name] = "none"
        self._beam.run(position, weights, values, Limits())
        self._beam.warm_up(position, weights)

    def run(
        self, position: Position, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a position; see ``solving.search`` for the meaning of the arguments.

        If a limit is reached, the incumbent, if any, is returned with a proved lower bound.
        """
        root, longest = position.root(values), longest_run(values)
        started = time.thread_time()
        first = None
        incumbent = NO_INCUMBENT
        if int(values["width"]) > 0:
            beam_values = {**values, "supermoves": "no", "shorten": "yes"}
            first = self._beam.run(position, weights, beam_values, limits)
            if first.moves is None:
                return first
            incumbent = moves_not_home(first.moves, counts_runs(values))
        spent = first.nodes if first else Nodes(0, 0)
        nodes = limits.nodes - spent.generated

        def advance_slice(work: AStarWork, pause: int) -> int:
            return advance(self._board, work, self._graph, root, longest, incumbent, nodes, pause)

        status, work = self._drive(advance_slice, limits, started)
        seconds = time.thread_time() - started
        moves = path_in(work.tree, status)
        lengths = lengths_in(values, moves, root)
        best = Found(status, moves, nodes_in(work.tree), seconds, lengths=lengths)
        not_home = int(work.tree.registers.not_home)
        bound = int(work.registers.lower_bound)
        if first is not None and best.moves is None:
            # The incumbent is a shortest solution, or a limit was reached before that was proved.
            if status is Status.UNSOLVABLE:
                bound = incumbent
            best = replace(best, status=Status.SOLVED, moves=first.moves, lengths=first.lengths)
        # Without an incumbent, a solution that A* finds is a shortest one.
        return replace(
            best,
            nodes=best.nodes + spent,
            bound=bound_in(values, not_home, bound) if best.moves is not None else None,
        )
