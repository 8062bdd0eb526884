"""Staged deepening in plain Python on the plain twin, after Heineman's rules.

Written from the descriptions in ``hsd/staged.py`` and the DESIGN:

* The open list is a map from score to one state; an equal score replaces the
  older state. The smallest score is next.
* A stage searches depth first, at most K moves deep. A state visited before is
  pruned; a state exactly K moves away joins the open list.
* All stages share one visited set. Before a stage, once its root is off the open
  list, the set is emptied if it holds ``wipe`` states or more; the root is not put back.
* Safe home moves, if forced, follow every move and come before the first.
* ``generated`` counts the states put into the visited set, the root included;
  ``expanded`` those whose moves were listed, the root of every stage included.
* The goal is recognised as soon as it is generated. One state more than the
  limit ends the search.

The order of a state's moves decides which of two equal scores survives, so it
is part of the rules (``move_order``): home from cells, home from cascades; then
cascade by cascade to the others, to the first empty one by length of the run,
to the first free cell; then from the cells. Cells and cascades go by their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from plain_features import value_of
from plain_rules import Guide, Sum, as_policy
from plain_twin import Move, Twin

from deals import FreeCellBoard

CELL_LETTERS = "abcdefg"


@dataclass
class State:
    """A position, the cells its held cards lie in, and how it was reached.

    Attributes:
        twin: the position.
        cells: the card of each cell, 0 for none.
        path: the moves from the root in standard notation, forced ones included.
    """

    twin: Twin
    cells: list[int]
    path: list[str] = field(default_factory=list)

    @classmethod
    def root(cls, board: FreeCellBoard) -> State:
        free = board.cell_count - len(board.cells)
        return cls(Twin.from_board(board), [*board.cells, *[0] * free])

    @property
    def solved(self) -> bool:
        return sum(self.twin.foundations) == 52

    def moves(self) -> list[Move]:
        return sorted(self.twin.moves(), key=self.move_order)

    def move_order(self, move: Move) -> tuple[int, ...]:
        source, target, count = move
        held = not isinstance(source, int)
        place = self.cells.index(int(source[1])) if held else int(str(source))
        if target == "home":
            return 0, not held, place
        if target == "cell":
            return 1, place, 2
        empty = not self.twin.cascades[int(str(target))]
        return 1 + held, place, empty, count if empty else int(str(target))

    def after(self, move: Move, safe: bool) -> State:
        """The state after a move and, if forced, the safe home moves that follow."""
        child = State(self.twin.copy(), list(self.cells), list(self.path))
        child._note(move)
        child.twin.play(move)
        if safe:
            child.send_safe_home()
        return child

    def send_safe_home(self) -> None:
        for move in self.twin.safe_home_moves():
            self._note(move)

    def _note(self, move: Move) -> None:
        """Write a move down, in the path and in the cells."""
        source, target, count = move
        if isinstance(source, int):
            start = str(source + 1)
        else:
            place = self.cells.index(int(source[1]))
            self.cells[place] = 0
            start = CELL_LETTERS[place]
        if target == "home":
            end = "h"
        elif target == "cell":
            place = self.cells.index(0)
            assert isinstance(source, int)
            self.cells[place] = self.twin.cascades[source][-1]
            end = CELL_LETTERS[place]
        else:
            end = str(int(str(target)) + 1)
        self.path.append(start + end + (f"v{count:x}" if count > 1 else ""))


@dataclass(frozen=True)
class Result:
    """The result of a search, in the terms of ``solving.outcome``."""

    status: str
    moves: list[str] | None
    expanded: int
    generated: int
    scored: int | None = None


class _Ended(Exception):
    pass


class PlainStaged:
    """One search.

    Args:
        guide: weights by name of the feature, summed up in this order; or a policy.
        depth: K.
        safe: force safe home moves.
        wipe: size at which the visited set is emptied, 0 for never.
        limit: states that may be generated.
    """

    early: tuple[Result, ...] = ()
    """Other results that are allowed: none."""

    def __init__(self, guide: Guide, depth: int, safe: bool, wipe: int, limit: int) -> None:
        self.policy, self.depth, self.safe = as_policy(guide), depth, safe
        # The sums that were used.
        self.by: list[Sum] = []
        self.wipe, self.limit = wipe, limit
        self.visited: set[object] = set()
        self.open: dict[float, State] = {}
        self.expanded = self.generated = self.replaced = 0

    def run(self, board: FreeCellBoard) -> Result:
        try:
            root = State.root(board)
            if self.safe:
                root.send_safe_home()
            self._enter(root)
            self._open(root)
            while self.open:
                state = self.open.pop(min(self.open))
                if self.wipe and len(self.visited) >= self.wipe:
                    self.visited.clear()
                self._deepen(state, self.depth)
        except _Ended as ended:
            status, moves = ended.args
            return Result(status, moves, self.expanded, self.generated)
        return Result("exhausted", None, self.expanded, self.generated)

    def _deepen(self, state: State, depth: int) -> None:
        self.expanded += 1
        for move in state.moves():
            child = state.after(move, self.safe)
            if child.twin.key() in self.visited:
                continue
            self._enter(child)
            if depth > 1:
                self._deepen(child, depth - 1)
            else:
                self._open(child)

    def _enter(self, state: State) -> None:
        if self.generated >= self.limit:
            raise _Ended("node-limit", None)
        self.visited.add(state.twin.key())
        self.generated += 1
        if state.solved:
            raise _Ended("solved", state.path)

    def _open(self, state: State) -> None:
        score = self.score(state)
        self.replaced += score in self.open
        self.open[score] = state

    def score(self, state: State) -> float:
        score, weights = chosen = self.policy.chosen(state.twin)
        self.by.append(chosen)
        for name, weight in weights.items():
            score += weight * value_of(state.twin, name)
        return score


def forced_moves_sorted(moves: Sequence[str]) -> list[str]:
    """The moves with consecutive home moves sorted, as the order of forced ones is free."""
    blocks: list[list[str]] = []
    for token in moves:
        if token.endswith("h") and blocks and blocks[-1][-1].endswith("h"):
            blocks[-1].append(token)
        else:
            blocks.append([token])
    return [token for block in blocks for token in sorted(block)]
