"""Beam search by levels in plain Python, from the description in ``hsd/searches/beam.py``.

* The level of a state is the number of single-card moves on its path, not counting home
  moves, at most 255. The levels have their turns from 0 on, after the last comes the first.
  In its turn the best ``width`` open states of a level are expanded, or all if there are
  fewer, including those that join it meanwhile. The best has the least score; of equal
  scores it is the state met last.
* The score of a state is the weighted sum in whole numbers, computed from scratch. With
  a bound, its coefficient times the bound is added. Its weight is not negative here, so
  evaluating bounds lazily makes no difference.
* The goal is a position where no card lies above a lower one, recognised as soon as it is
  generated; with a bound also one whose bound is 0, when its turn comes. The search may
  recognise it at once if the move tells the bound: ``early`` holds the results for that case.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import Engine
from plain_staged import Result
from plain_tree import DEEPEST, Open, PlainTree, best, without_inversions

from deals import FreeCellBoard
from hsd.kernels.deadlock import NO_CUTOFF, deadlock_bound, new_graph

GRAPH = new_graph()


class PlainBeam(PlainTree):
    """One search.

    Args:
        weights: by name of the feature.
        safe: force safe home moves.
        supermoves: move runs as one.
        limit: states generated at which no other is expanded.
        width: states expanded on each level in a sweep.
    """

    def __init__(
        self, weights: Mapping[str, float], safe: bool, supermoves: bool, limit: int, width: int
    ) -> None:
        super().__init__(safe, supermoves, limit)
        self.weights, self.width = weights, width
        self.bounded = bool(weights.get("DeadlockBound"))
        self.levels: list[list[Open]] = [[] for _ in range(DEEPEST + 1)]
        self.bounds: dict[int, int] = {}

    def run(self, board: FreeCellBoard) -> Result:
        root = self._join(self.set_root(board))
        if without_inversions(root.state.twin) or self.bounds[root.order] == 0:
            return self.solved(root.state)
        while any(self.levels):
            for waiting in self.levels:
                for _ in range(self.width):
                    if not waiting:
                        break
                    if self.at_limit():
                        return self.result("node-limit")
                    waiting.remove(first := best(waiting))
                    if self.bounds[first.order] == 0:
                        return self.solved(first.state)
                    goal = self._expand(first)
                    if goal is not None:
                        return self.solved(goal.state)
        return self.result("unsolvable")

    def _expand(self, first: Open) -> Open | None:
        """Generate the successors of a state; returns the one that solves, if any."""
        for met in self.successors(first):
            child = self._join(met)
            if without_inversions(child.state.twin):
                return child
            if self.bounds[child.order] == 0:
                self.early.append(self.solved(child.state))
        return None

    def _join(self, item: Open) -> Open:
        """Score a state and add it to its level; returns the scored state."""
        engine = Engine(item.state.twin.as_board())
        # Without a bound, this value never marks a goal.
        bound = int(deadlock_bound(engine.arrays, GRAPH, NO_CUTOFF)) if self.bounded else NO_CUTOFF
        weight = int(engine.compiled(self.weights).of.bound)
        score = engine.linear_score(self.weights) + (bound * weight if self.bounded else 0)
        self.bounds[item.order] = bound
        scored = item._replace(score=score)
        self.levels[min(item.made, DEEPEST)].append(scored)
        return scored
