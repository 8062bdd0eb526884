"""Best-first search in plain Python on the plain twin, from the words of ``hsd/best_first.py``.

* Of the open states the one of the least score is next, of equal
  scores the one met last. Nothing is dropped or forgotten.
* Once ``patience`` states are expanded, before every expansion whose number is even
  (counted from 0) it is the turn of the next depth that has an open state queued, after
  the last comes the first: its best state is next. What such an expansion meets joins the
  queue of its depth, what other expansions meet does not; all open states join when
  patience is lost. States expanded otherwise leave their queue when its turn comes. If no
  queue has an open state, the least score decides. Depth counts as MovesMade does, up to 255.
* The score of a state is the weighted sum in whole numbers of a board loaded anew;
  MovesMade counts the moves of single cards on the way, home moves left out.
* The goal, recognised as soon as it is generated, is a position where no card lies
  above a lower one.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import Engine
from plain_staged import Result, State
from plain_tree import DEEPEST, Open, PlainTree, best, without_inversions

from deals import FreeCellBoard


class PlainBestFirst(PlainTree):
    """One search.

    Args:
        weights: by name of the feature.
        safe: force safe home moves.
        supermoves: move runs as one.
        limit: states generated at which no other is expanded.
        patience: states expanded at which depths begin to take turns, 0 for never.
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        safe: bool,
        supermoves: bool,
        limit: int,
        patience: int = 0,
    ) -> None:
        super().__init__(safe, supermoves, limit)
        self.weights, self.patience = weights, patience
        self.open: dict[int, Open] = {}
        # The queue of each depth, once patience is lost, whose turn it was, and how many
        # states left a queue because they had been expanded otherwise.
        self.depths: list[list[Open]] = []
        self.turn = DEEPEST
        self.passed = 0

    def run(self, board: FreeCellBoard) -> Result:
        root = self.plant(board)
        if without_inversions(root.state.twin):
            return self.solved(root.state)
        self.open[root.order] = root
        while self.open:
            if self.at_limit():
                return self.result("node-limit")
            goal = self._expand(*self._next())
            if goal is not None:
                return self.solved(goal)
        return self.result("unsolvable")

    def _next(self) -> tuple[Open, bool]:
        """Take the state to expand from the open ones; also whether it was its depth's turn."""
        if self.patience and self.expanded == self.patience:
            self.depths = [[] for _ in range(DEEPEST + 1)]
            for item in self.open.values():
                self._queue(item)
        in_turn = self._next_in_turn() if self.expanded % 2 == 0 else None
        first = in_turn or best(self.open.values())
        del self.open[first.order]
        return first, in_turn is not None

    def _next_in_turn(self) -> Open | None:
        for step in range(len(self.depths)):
            depth = (self.turn + 1 + step) % (DEEPEST + 1)
            waiting = [item for item in self.depths[depth] if item.order in self.open]
            self.passed += len(self.depths[depth]) - len(waiting)
            self.depths[depth] = waiting
            if waiting:
                self.turn = depth
                waiting.remove(first := best(waiting))
                return first
        return None

    def _queue(self, item: Open) -> None:
        self.depths[min(item.made, DEEPEST)].append(item)

    def _expand(self, first: Open, in_turn: bool) -> State | None:
        """Meet the successors of a state; the one that solves, if one does."""
        for met in self.successors(first):
            if without_inversions(met.state.twin):
                return met.state
            engine = Engine(met.state.twin.as_board())
            child = met._replace(score=engine.linear_score(self.weights, met.made))
            self.open[child.order] = child
            if in_turn:
                self._queue(child)
        return None
