"""Best-first search in plain Python on the plain twin, from the words of ``hsd/best_first.py``.

* The open states wait in a plain list; the one of the least score is next, of
  equal scores the one met last. Nothing is dropped or forgotten.
* Once ``patience`` states are expanded, before every expansion whose number is even
  (counted from 0) it is the turn of the next depth that has a state, after the last
  comes the first: its best state is next. States stay in the queue of their depth
  when they are expanded otherwise; such a state passes the turn on. Depth counts as
  MovesMade does, up to 255.
* The score of a state is the weighted sum in whole numbers of a board loaded anew;
  MovesMade counts the moves of single cards on the way, home moves left out.
* Safe home moves, if forced, follow every move and come before the first.
* The goal, recognised as soon as it is generated, is a position where no card lies
  above a lower one. What is left then goes home.
* The limit is looked at before a state is expanded, so an expansion is finished.
* ``generated`` counts the states met, the root included.

Every move is tried, also those that take up again what has just been moved, which
the jitted search passes over: ``again`` counts them, ``again_new`` those among them
that led to a state not met before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine import Engine
from plain_staged import Result, State
from plain_twin import Key, Move, Place, Twin

from deals import FreeCellBoard
from deals.cards import rank_of

DEEPEST = 255


class Open(NamedTuple):
    """An open state.

    Attributes:
        score: in units of ``hsd.linear``.
        order: the lower, the later it was met.
        state: the state itself.
        made: moves of single cards so far, home moves left out.
        landed: where the cards of the last move lie and how many they were; None if
            they went home or forced home moves followed.
    """

    score: int
    order: int
    state: State
    made: int
    landed: tuple[Place, int] | None


class PlainBestFirst:
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
        self.weights, self.safe, self.supermoves = weights, safe, supermoves
        self.limit, self.patience = limit, patience
        self.visited: dict[Key, int] = {}
        self.open: list[Open] = []
        self.expanded = self.again = self.again_new = self.passed = 0
        # The states of each depth in turn, once patience is lost, and whose turn it was.
        self.depths: list[list[Open]] = []
        self.turn = DEEPEST

    def run(self, board: FreeCellBoard) -> Result:
        root = State.root(board)
        if self.safe:
            root.send_safe_home()
        self._enter(root)
        if without_inversions(root.twin):
            return self._solved(root)
        self.open.append(Open(0, 0, root, 0, None))
        while self.open:
            if len(self.visited) >= self.limit:
                return self._result("node-limit", None)
            goal = self._expand(self._next())
            if goal is not None:
                return self._solved(goal)
        return self._result("unsolvable", None)

    def _next(self) -> Open:
        """Take the state to expand from the open ones."""
        if self.patience and self.expanded == self.patience:
            self.depths = [[] for _ in range(DEEPEST + 1)]
            for item in self.open:
                self._queue(item)
        if not self.depths or self.expanded % 2:
            first = best(self.open)
            self.open.remove(first)
            return first
        while True:
            self.turn = (self.turn + 1) % (DEEPEST + 1)
            waiting = self.depths[self.turn]
            if not waiting:
                continue
            first = best(waiting)
            waiting.remove(first)
            if first in self.open:
                self.open.remove(first)
                return first
            self.passed += 1

    def _queue(self, item: Open) -> None:
        if self.depths:
            self.depths[min(item.made, DEEPEST)].append(item)

    def _expand(self, first: Open) -> State | None:
        """Meet the successors of a state; the one that solves, if one does."""
        self.expanded += 1
        for move in first.state.moves():
            source, target, count = move
            if count > 1 and not self.supermoves:
                continue
            child = first.state.after(move, self.safe)
            known = child.twin.key() in self.visited
            if target != "home" and (source, count) == first.landed:
                self.again += 1
                self.again_new += not known
            if known:
                continue
            entry = self._enter(child)
            if without_inversions(child.twin):
                return child
            made = first.made + (0 if target == "home" else 2 * count - 1)
            score = Engine(child.twin.as_board()).linear_score(self.weights, made)
            forced = len(child.path) - len(first.state.path) - 1
            landed = None if forced else _landed(first.state.twin, move)
            self.open.append(Open(score, -entry, child, made, landed))
            self._queue(self.open[-1])
        return None

    def _enter(self, state: State) -> int:
        """Note a state as met; how many were met before it."""
        entry = len(self.visited)
        self.visited[state.twin.key()] = entry
        return entry

    def _solved(self, state: State) -> Result:
        while not state.solved:
            home = next(move for move in state.moves() if move[1] == "home")
            state = state.after(home, safe=False)
        return self._result("solved", state.path)

    def _result(self, status: str, moves: list[str] | None) -> Result:
        return Result(status, moves, self.expanded, len(self.visited))


def best(items: list[Open]) -> Open:
    return min(items, key=lambda item: (item.score, item.order))


def _landed(twin: Twin, move: Move) -> tuple[Place, int] | None:
    """Where the cards of a move will lie, as the source of a further move."""
    source, target, count = move
    if target == "home":
        return None
    if target == "cell":
        assert isinstance(source, int)
        return ("cell", twin.cascades[source][-1]), 1
    return target, count


def without_inversions(twin: Twin) -> bool:
    """Whether no card lies above a lower one."""
    for column in twin.cascades:
        ranks = [rank_of(card) for card in column]
        if ranks != sorted(ranks, reverse=True):
            return False
    return True
