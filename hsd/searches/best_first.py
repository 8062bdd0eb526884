"""Best-first search, which always expands the open state with the least score.

Nothing is overwritten, dropped or wiped. So once the open list is empty, the search has
met every state, which proves the deal unsolvable (``hsd.searches.kernels.tree`` gives the
probability of an error).

Where the score misjudges a region, best-first search floods it before it searches
elsewhere. With ``patience``, after that many expansions every second one takes the best
open state of the next depth in turn, as cyclic best-first search does (Kao, Sewell and
Jacobson 2009). From then on, only the states that such an expansion generates join the
open list of their depth, besides that of all states. Easy deals are solved before that;
on hard ones it cuts the long tail. Depth is the number of single-card moves, home moves
not counted.

A position in which no card lies above a lower one (no inversions) counts as solved, as
home moves alone finish it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from gafreecell.solving.outcome import Limits
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.policy import Policy
from gafreecell.solving.search import Found
from hsd.kernels.features import MOVES_MADE
from hsd.kernels.linear import Linear, LinearRules, compiled, compiled_policy
from hsd.searches.kernels.best_first import BestFirstWork, advance, enlarge, new_work
from hsd.searches.search import AUTOMATIC, BESIDE, SHORTEN, Position, shortened
from hsd.searches.tree import TreeSearch, longest_run, nodes_in, path_in, supermoves


class BestFirst(TreeSearch[BestFirstWork]):
    """The search ``best-first``; it is complete."""

    name = "best-first"
    compiling = 14.0
    beside = BESIDE
    guided = True
    steady = frozenset({"nodes", "memory"})
    rules = True
    weighs = frozenset({MOVES_MADE})
    parameters = (
        AUTOMATIC,
        supermoves("yes"),
        Parameter(
            "patience",
            0,
            "expansions after which every second one goes to the next depth in turn; 0 for never",
            0,
            10**9,
        ),
        SHORTEN,
    )

    def __init__(self) -> None:
        super().__init__(new_work(), enlarge)

    def run(
        self, position: Position, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a position; see ``solving.search`` for the meaning of the arguments."""
        started = time.thread_time()
        k = compiled(weights.tobytes(), position.cascades, position.cells)
        return self._search(position, k, None, values, limits, started)

    def run_policy(
        self, position: Position, policy: Policy, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Like ``run``, with a policy of rules."""
        started = time.thread_time()
        k, rules = compiled_policy(policy, position.cascades, position.cells)
        return self._search(position, k, rules, values, limits, started)

    def _search(
        self,
        position: Position,
        k: Linear,
        rules: LinearRules | None,
        values: Mapping[str, Value],
        limits: Limits,
        started: float,
    ) -> Found:
        root, patience = position.root(values), int(values["patience"])
        longest = longest_run(values)

        def advance_slice(work: BestFirstWork, pause: int) -> int:
            return advance(
                self._board, work, root, longest, patience, k, rules, limits.nodes, pause
            )

        status, work = self._drive(advance_slice, limits, started)
        moves = path_in(work.tree, status)
        if moves is not None:
            moves = shortened(moves, self._board, root, values)
        return Found(status, moves, nodes_in(work.tree), time.thread_time() - started)
