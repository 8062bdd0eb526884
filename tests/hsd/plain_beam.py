"""Beam search by levels in plain Python, from the words of ``hsd/beam.py``.

* A state's level is the number of moves of single cards that led there, home moves left
  out, at most 255. The levels have their turns from 0 on, after the last comes the first:
  the best ``width`` open states of a level are expanded, or all if there are fewer, those
  among them that joined it meanwhile. The best has the least score; of equal scores it is
  the one met last.
* The score of a state is the weighted sum in whole numbers of a board loaded anew; with a
  bound, its coefficient times the bound is added. Weights on it are not negative here:
  then it makes no difference that the search computes bounds late.
* The goal is a position where no card lies above a lower one, recognised as soon as it is
  generated; with a bound also one whose bound is 0, when its turn comes. It may be
  recognised at once where the move tells the bound: ``early`` holds what the result would
  be then.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import Engine
from plain_staged import Result
from plain_tree import DEEPEST, Open, PlainTree, best, without_inversions

from deals import FreeCellBoard
from hsd.deadlock import ENOUGH, deadlock_bound, new_graph
from hsd.linear import BOUND

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
        self.early: list[Result] = []

    def run(self, board: FreeCellBoard) -> Result:
        root = self._join(self.plant(board))
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
        """Meet the successors of a state; the one that solves, if one does."""
        for met in self.successors(first):
            child = self._join(met)
            if without_inversions(child.state.twin):
                return child
            if self.bounds[child.order] == 0:
                self.early.append(self.solved(child.state))
        return None

    def _join(self, item: Open) -> Open:
        """Score a state and add it to its level; the state with its score."""
        engine = Engine(item.state.twin.as_board())
        # Without a bound there is one that never tells of a goal.
        bound = int(deadlock_bound(engine.arrays, GRAPH, ENOUGH)) if self.bounded else ENOUGH
        weight = int(engine.compiled(self.weights)[BOUND])
        score = engine.linear_score(self.weights) + (bound * weight if self.bounded else 0)
        self.bounds[item.order] = bound
        scored = item._replace(score=score)
        self.levels[min(item.made, DEEPEST)].append(scored)
        return scored
