"""The part that plain searches with an open list share: the states they have met.

* Safe home moves, if forced, follow every move and come before the first.
* ``generated`` counts the states met, the root included.
* The limit is checked before a state is expanded, so an expansion is finished.
* Once the goal is reached, all cards left go home.

Every move is tried, even one of the cards that the last move took, which the jitted
searches omit: ``again`` counts such moves, ``again_new`` those of them that led to a new
state. Other results that are allowed, as the goal may be recognised sooner, go to ``early``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plain_staged import Result, State
from plain_twin import Key, Move, Place, Twin

from deals import FreeCellBoard
from deals.cards import rank_of

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
    """One search.

    Args:
        safe: force safe home moves.
        supermoves: move runs as one.
        limit: states generated at which no other is expanded.
    """

    def __init__(self, safe: bool, supermoves: bool, limit: int) -> None:
        self.safe, self.supermoves, self.limit = safe, supermoves, limit
        self.visited: set[Key] = set()
        self.expanded = self.again = self.again_new = 0
        self.early: list[Result] = []

    def set_root(self, board: FreeCellBoard) -> Open:
        """The state the search starts from."""
        root = State.root(board)
        if self.safe:
            root.send_safe_home()
        self.visited.add(root.twin.key())
        return Open(0, 0, root, 0, None)

    def successors(self, first: Open) -> Iterator[Open]:
        """Expand a state: yields its new successors, not yet scored."""
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
            order = -len(self.visited)
            self.visited.add(child.twin.key())
            made = first.made + (0 if target == "home" else 2 * count - 1)
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
