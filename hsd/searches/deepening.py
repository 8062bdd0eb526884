"""Iterative deepening and IDA*, the searches of GA-FreeCell's sections 3.1.1 and 3.1.2.

Both search depth first within a bound that rises from iteration to iteration (Korf
1985). A transposition table holds every state met in an iteration, with the least cost at
which it was reached. A state reached again at no smaller cost is pruned. One reached again
at a smaller cost is searched again, as more states lie within the bound from there, but it
is not counted again. So an iteration meets every state within its bound and counts each
once. The next iteration begins with an empty table.

There are two costs g, and two bounds:

- ``depth``: g counts the chosen moves, forced home moves excluded, and the bound is on g
  alone. The paper's "IDA*" is this search with the successors in the order of their
  scores: "move ordering is the only phase wherein the heuristic function is used".
- ``f``, the textbook's IDA*: the bound is on f = g + h, where h is the number of cards not
  home, and g counts all moves, forced home moves included. A move brings at most one card
  home, so h is admissible and consistent: it never exceeds the number of remaining moves,
  and f never falls along a path. (It would not be admissible if forced home moves were
  free.) The next bound is the least f beyond the last one, so the first solution has the
  fewest moves (length ``column``) that the engine's moves allow. Forcing safe home moves
  does not lengthen it: each is needed once, and any card that could have lain on a safe
  card can go home.

If an iteration leaves no state beyond its bound, it has met all states. The status is then
``exhausted`` and not a proof, because states are identified by 64 bits.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from gafreecell.jit.kernels.transposition import rehash_values
from gafreecell.jit.slices import drive
from gafreecell.solving.outcome import Limits, Nodes, Status
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.search import Found
from hsd.kernels.board import empty_board
from hsd.kernels.policy import Rules
from hsd.kernels.replay import solution
from hsd.searches.kernels.deepening import DEEPEST, DeepeningWork, advance, begin, enlarge, new_work
from hsd.searches.search import AUTOMATIC, Position, RulesSearch

SLICE_MOVES = 50_000
"""Moves listed in a slice, some ten milliseconds.

The number of states generated cannot bound a slice, as it leaves out states searched again.
"""


_DEPTH = Parameter("depth", 200, "largest bound; beyond it the search is exhausted", 1, DEEPEST)


class _Deepening(RulesSearch):
    """The driver of the kernel that both searches share.

    One instance serves one thread and keeps its arrays from deal to deal, but
    not an enlarged table: clearing a large one takes longer than most deals.
    """

    compiling = 6.0

    def __init__(self) -> None:
        self._board = empty_board()
        self._work = new_work()

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load the kernels that only large searches need."""
        table, costs = self._work.table[:0], self._work.costs[:0]
        rehash_values(table, costs, table, costs)

    def _search(
        self,
        position: Position,
        weights: np.ndarray,
        rules: Rules | None,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        root, deepest = position.root(values), int(values["depth"])
        by_length = values.get("bound") == "f"
        started = time.thread_time()
        begin(self._board, self._work, root, by_length)

        def advance_slice(work: DeepeningWork) -> int:
            pause = int(work.registers.listed) + SLICE_MOVES
            return advance(
                self._board, work, root, deepest, self.guided, by_length, weights, rules,
                limits.nodes, pause,
            )  # fmt: skip

        status, work = drive(self._work, advance_slice, enlarge, limits, started)
        moves = None
        if status is Status.SOLVED:
            path = work.made[: work.registers.depth + 1]
            moves = solution(self._board, root, path)
        nodes = Nodes(int(work.registers.expanded), int(work.registers.generated))
        return Found(status, moves, nodes, time.thread_time() - started)


class IterativeDeepening(_Deepening):
    """The paper's enhanced iterative deepening (section 3.1.1), without a heuristic."""

    name = "iterative-deepening"
    guided = False
    parameters = (_DEPTH, AUTOMATIC)


class IdaStar(_Deepening):
    """The paper's IDA* (section 3.1.2), or with ``bound`` = ``f`` the textbook's."""

    name = "ida-star"
    guided = True
    rules = True
    parameters = (
        Parameter(
            "bound",
            "depth",
            "what is bounded: moves chosen, as in the paper, or moves made + cards not home",
            choices=("depth", "f"),
        ),
        _DEPTH,
        AUTOMATIC,
    )
