"""Best-first, depth-first and beam search in plain Python, and the states that they have met.

* Safe home moves, if forced, follow every move and come before the first.
* ``generated`` counts the states met, the root included.
* The limit is checked before a state is expanded, so an expansion is finished.
* Once the goal is reached, all cards left go home.

Every move is tried, even one of the cards that the last move took, which the jitted
searches omit: ``again`` counts such moves, ``again_new`` those of them that led to a new
state. Other results that are allowed, as the goal may be recognised sooner, go to ``early``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from engine import Engine
from linked_boards import bound_of
from plain_rules import Guide, Sum, as_policy
from plain_staged import Result, State
from plain_twin import Key, Move, Place, Twin

from deals import FreeCellBoard
from deals.cards import rank_of
from hsd.kernels.deadlock import NO_CUTOFF, new_graph
from hsd.kernels.linear import UNIT

GRAPH = new_graph()
DEEPEST = 255
"""States further down are queued as if they lay here."""

Landed = tuple[Place, int]


class Open(NamedTuple):
    """An open state.

    Attributes:
        score: in units of ``hsd.kernels.linear``.
        order: the lower, the later it was met.
        state: the state itself.
        made: single-card moves on its path, not counting home moves.
        landed: where the cards of the last move lie, and how many they are; None if they
            went home or forced home moves followed.
    """

    score: int
    order: int
    state: State
    made: int
    landed: Landed | None


class PlainTree:
    """What both searches share.

    Args:
        safe: force safe home moves.
        supermoves: move runs as one.
        limit: states generated at which no other is expanded.
        at_once: let runs move at once, each as one move.
    """

    def __init__(self, safe: bool, supermoves: bool, limit: int, at_once: bool = False) -> None:
        self.safe, self.supermoves, self.limit = safe, supermoves, limit
        self.at_once = at_once
        self.visited: set[Key] = set()
        self.expanded = self.again = self.again_new = 0
        self.early: list[Result] = []

    def set_root(self, board: FreeCellBoard) -> Open:
        """The state the search starts from."""
        root = State.root(board)
        root.twin.at_once = self.at_once
        if self.safe:
            root.send_safe_home()
        self.visited.add(root.twin.key())
        return Open(0, 0, root, 0, None)

    def successors(self, first: Open) -> Iterator[Open]:
        """Expand a state: yields its new successors, not yet scored."""
        self.expanded += 1
        for move in first.state.moves():
            source, target, count = move
            if count > 1 and not self.supermoves and not self.at_once:
                continue
            child = first.state.after(move, self.safe)
            known = child.twin.key() in self.visited
            if target != "home" and (source, count) == first.landed:
                self.again += 1
                self.again_new += not known
            if known:
                continue
            order = -len(self.visited)
            self.visited.add(child.twin.key())
            cost = 1 if self.at_once else 2 * count - 1
            made = first.made + (0 if target == "home" else cost)
            forced = len(child.path) - len(first.state.path) - 1
            landed = None if forced else _landed(first.state.twin, move)
            yield Open(0, order, child, made, landed)

    def at_limit(self) -> bool:
        return len(self.visited) >= self.limit

    def solved(self, state: State) -> Result:
        while not state.solved:
            home = next(move for move in state.moves() if move[1] == "home")
            state = state.after(home, safe=False)
        return self.result("solved", state.path)

    def result(self, status: str, moves: list[str] | None = None) -> Result:
        # To move the same cards again leads to no new state: the jitted search omits it.
        assert self.again_new == 0
        return Result(status, moves, self.expanded, len(self.visited))


def best(items: Iterable[Open]) -> Open:
    """The item with the least score, of equal scores the one met last."""
    return min(items, key=lambda item: (item.score, item.order))


def _landed(twin: Twin, move: Move) -> Landed | None:
    """Where the cards of a move will lie, in the form of a further move's source."""
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


class PlainBestFirst(PlainTree):
    """Best-first search, from the description in ``hsd/searches/best_first.py``.

    * The next state is the open one with the least score, of equal scores the one met last.
      Nothing is dropped or forgotten.
    * Once ``patience`` states are expanded, the expansions with even numbers (counted from 0)
      go to the depths in turn, after the last depth the first: the next depth whose queue
      holds an open state has its best one expanded. The states generated by such an expansion
      join the queue of their depth, those of other expansions do not; all open states join
      when patience is lost. States expanded out of turn leave their queue when its turn comes.
      If no queue has an open state, the least score decides. Depth counts as MovesMade does,
      up to 255.
    * The score of a state is the weighted sum in whole numbers, computed from scratch;
      MovesMade counts the single-card moves on its path, not counting home moves.
    * The goal, recognised as soon as it is generated, is a position where no card lies
      above a lower one.

    Args:
        guide: weights by name of the feature, or a policy.
        safe: force safe home moves.
        supermoves: move runs as one.
        limit: states generated at which no other is expanded.
        patience: states expanded at which depths begin to take turns, 0 for never.
    """

    def __init__(
        self, guide: Guide, safe: bool, supermoves: bool, limit: int, patience: int = 0
    ) -> None:
        super().__init__(safe, supermoves, limit)
        self.policy, self.patience = as_policy(guide), patience
        # The sums that were used.
        self.by: list[Sum] = []
        self.open: dict[int, Open] = {}
        # Once patience is lost: the queue of each depth, the last depth in turn, and how many
        # states left a queue because they had been expanded out of turn.
        self.depths: list[list[Open]] = []
        self.turn = DEEPEST
        self.passed = 0

    def run(self, board: FreeCellBoard) -> Result:
        root = self.set_root(board)
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
        """Remove the next state from the open list; also returns whether its depth had its turn."""
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
        """Generate the successors of a state; returns the one that solves, if any."""
        for met in self.successors(first):
            if without_inversions(met.state.twin):
                return met.state
            child = met._replace(score=self.score(met))
            self.open[child.order] = child
            if in_turn:
                self._queue(child)
        return None

    def score(self, met: Open) -> int:
        offset, weights = chosen = self.policy.chosen(met.state.twin, met.made)
        self.by.append(chosen)
        engine = Engine(met.state.twin.as_board())
        return engine.linear_score(weights, met.made) + round(offset * UNIT)


class PlainBeam(PlainTree):
    """Beam search by levels, from the description in ``hsd/searches/beam.py``.

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

    Args:
        weights: by name of the feature.
        safe: force safe home moves.
        supermoves: move runs as one.
        limit: states generated at which no other is expanded.
        width: states expanded on each level in a sweep.
        unit: what a level counts; with ``column`` and ``manual``, moves in which a run moves at
            once.
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        safe: bool,
        supermoves: bool,
        limit: int,
        width: int,
        unit: str = "single",
    ) -> None:
        super().__init__(safe, supermoves, limit, unit != "single")
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
        bound = NO_CUTOFF
        if self.bounded:
            bound = bound_of(item.state.twin.as_board(), GRAPH, at_once=self.at_once)
        weight = int(engine.compiled(self.weights)[0].of.bound)
        score = engine.linear_score(self.weights) + (bound * weight if self.bounded else 0)
        self.bounds[item.order] = bound
        scored = item._replace(score=score)
        self.levels[min(item.made, DEEPEST)].append(scored)
        return scored


class PlainDepthFirst(PlainTree):
    """Depth-first search, from the description in ``hsd/searches/depth_first.py``.

    * The successors of a state that have not been met wait in the order of their scores, of equal
      scores the one listed first before the others. A state is met when the search goes there.
      Successors met while they waited are passed over, and so are moves of the cards that the last
      move took.
    * The score is that of ``PlainBestFirst``, of which MovesMade counts only the last move.
    * The goal is a position where no card lies above a lower one, recognised when it is met.

    Args:
        weights: by name of the feature.
        safe: force safe home moves.
        limit: states met at which the search ends.
    """

    def __init__(self, weights: Mapping[str, float], safe: bool, limit: int) -> None:
        super().__init__(safe, True, limit)
        self.weights = weights

    def run(self, board: FreeCellBoard) -> Result:
        here = self.set_root(board)
        path: list[list[Open]] = []
        while not without_inversions(here.state.twin):
            path.append(self._listed(here))
            new = None
            while new is None:
                while path and not path[-1]:
                    path.pop()
                if not path:
                    return self.result("unsolvable")
                if self.at_limit():
                    return self.result("node-limit")
                child = path[-1].pop(0)
                if child.state.twin.key() not in self.visited:
                    new = child
            here = new
            self.visited.add(here.state.twin.key())
        return self.solved(here.state)

    def _listed(self, first: Open) -> list[Open]:
        """The successors that have not been met, the best first."""
        self.expanded += 1
        children = []
        for move in first.state.moves():
            source, target, count = move
            if target != "home" and (source, count) == first.landed:
                self.again += 1
                continue
            child = first.state.after(move, self.safe)
            if child.twin.key() in self.visited:
                continue
            made = 0 if target == "home" else 2 * count - 1
            score = Engine(child.twin.as_board()).linear_score(self.weights, made)
            forced = len(child.path) - len(first.state.path) - 1
            landed = None if forced else _landed(first.state.twin, move)
            children.append(Open(score, 0, child, made, landed))
        return sorted(children, key=lambda child: child.score)
