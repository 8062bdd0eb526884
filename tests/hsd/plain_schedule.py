"""The search ``schedule`` in plain Python, from its description in ``hsd/searches/schedule.py``.

* A *node* is a state that was built. It is expanded at once: all its successors are scored, and
  none is built. It waits under the best of those not taken yet; of equal scores that is the one
  with the least move number, as ``hsd/searches/kernels/successors.py`` numbers moves.
* The next node is the waiting one with the least score, of equal scores the one built last; or
  where depths take turns the best of the next depth that has one. The depth is the node's own
  number of moves of single cards, home moves left out, up to 255. Its best successor is taken
  and, unless its state was built before, built; the node waits again if it has others left.
* A phase whose limit of nodes is reached, and that would take another successor, gives way to the
  next one, which begins afresh. Where nothing waits there is no solution.
* The goal, recognised when a node is expanded, has no card above a lower one.
* Cards that have just moved, no card having gone home since, do not move again, other than home;
  nor does a longer run on which those lie, if they are two or more. (Single cards take it where it
  would have gone.)
* A successor's score is that of its position. Where cards go home, it is scored as if the
  one that moves had only left its place, and as if no other followed it: its suit does not wait
  for the next card yet, and a king does not lie deepest any more.
* BreaksRun counts if the cards moved came off one on which the deepest of them fits, other than
  home.
* Of several empty cascades the last one is used.

Weights are such that all coefficients are whole numbers (``Whole``), so scores are added up
exactly here, without the rounding that the engine has to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from plain_features import value_of
from plain_staged import Result, State
from plain_tree import without_inversions
from plain_twin import Key, Move, Place, Twin, fits

from deals import FreeCellBoard
from deals.cards import rank_of
from gafreecell.solving.outcome import DEPTH_IN_TURN, Phase

DEEPEST = 255
CELL, HOME = 9, 16
UNIT = 1 << 24
STEP = 1 << 14
"""Each count of a feature adds a multiple of this to a score."""

Whole = Mapping[str, int]
"""By feature how many steps each unit of its count adds, which is a weight; see ``weights_of``."""


def denominators(cascades: int, cells: int) -> dict[str, int]:
    """By what each feature divides what it counts, in a game of this size."""
    held = max(cells, 1)
    return {
        "NumberWellPlaced": 52,
        "NumCardsNotAtFoundations": 52,
        "FreeCells": cells + cascades,
        "LowestHomeCard": 13,
        "HighestHomeCard": 13,
        "DifferenceHome": 13,
        "SumOfBottomCards": 100,
        "AboveNext": 48,
        "AboveSecond": 48,
        "OwnSuitBelow": 48,
        "SequenceBreaks": 51,
        "Inversions": 51,
        "InversionDepth": 200,
        "NotPlaced": 52,
        "KingsBuried": 4,
        "CellsUsed": held,
        "CellsUsedSquared": held**2,
        "CellsFull": 1,
        "CellRanks": 12 * held,
        "OccupiedColumns": cascades,
        "CellsTimesColumns": held * cascades,
        "MovesMade": 100,
        "BreaksRun": 100,
    }


FEATURES = tuple(denominators(8, 4))
"""The features that the search weighs."""


def weights_of(whole: Whole, cascades: int, cells: int) -> tuple[float, ...]:
    """The weights of ``FEATURES`` of which each unit of a count adds so many steps."""
    per = denominators(cascades, cells)
    return tuple(whole.get(name, 0) * per[name] * STEP / UNIT for name in FEATURES)


def score_of(twin: Twin, whole: Whole, made: int, breaks: bool, left: int = 0) -> int:
    """The weighted sum, each feature counted card by card.

    Args:
        twin: the position.
        whole: the weights.
        made: moves of single cards so far.
        breaks: whether the last move took cards off one on which they fit.
        left: cards that are on their way home: nowhere in the position, and not home either.
    """
    per = denominators(len(twin.cascades), twin.cell_count)
    total = 0
    for name, steps in whole.items():
        if name == "MovesMade":
            count = made
        elif name == "BreaksRun":
            count = int(breaks)
        elif name == "KingsBuried":
            count = _kings_buried(twin)
        elif name == "NumCardsNotAtFoundations":
            count = 52 - sum(twin.foundations) - left
        else:
            value = value_of(twin, name) * per[name]
            count = round(value)
            assert abs(value - count) < 1e-6
        total += steps * STEP * count
    return total


def _kings_buried(twin: Twin) -> int:
    """Kings neither home nor deepest in their cascade, those on their way home among them."""
    deepest = sum(bool(column) and rank_of(column[0]) == 13 for column in twin.cascades)
    return 4 - deepest - sum(rank == 13 for rank in twin.foundations)


class Successor(NamedTuple):
    """A scored move; the least is the best."""

    score: int
    number: int
    move: Move


@dataclass(eq=False)
class Node:
    """A state that was built, and its successors that were not taken yet, the best first.

    Attributes:
        order: how many were built before it.
        made: moves of single cards on its path, home moves left out.
        moved: the deepest card of the last move; None if a card has gone home since.
    """

    order: int
    state: State
    made: int
    moved: int | None
    successors: list[Successor]


class PlainSchedule:
    """One search.

    Args:
        phases: limits and rules.
        weights: of each phase.
        safe: force safe home moves.
        limit: states generated at which no other is built.
    """

    early: tuple[Result, ...] = ()
    """Other results that are allowed: none."""

    def __init__(
        self, phases: Sequence[Phase], weights: Sequence[Whole], safe: bool, limit: int
    ) -> None:
        self.plan = list(zip(phases, weights, strict=True))
        self.safe, self.limit = safe, limit
        self.expanded = self.generated = self.scored = 0
        # Moves left out as cards had just moved, those of longer runs, and phases that were begun.
        self.again = self.longer = self.begun = 0

    def run(self, board: FreeCellBoard) -> Result:
        for phase, whole in self.plan:
            self.begun += 1
            result = self._search(board, phase, whole)
            if result is not None:
                return result
        raise AssertionError("the last phase has no limit")

    def _search(self, board: FreeCellBoard, phase: Phase, whole: Whole) -> Result | None:
        """What a phase finds; None if it gives way to the next one."""
        root = State.root(board)
        if self.safe:
            root.send_safe_home()
        waiting: list[Node] = []
        known: set[Key] = set()
        turn = DEEPEST
        built: Node | None = Node(0, root, 0, None, [])
        while True:
            if built is not None:
                known.add(built.state.twin.key())
                self.generated += 1
                if without_inversions(built.state.twin):
                    return self._solved(built.state)
                self._expand(built, whole)
                if built.successors:
                    waiting.append(built)
            if not waiting:
                return self._result("unsolvable")
            if phase.rule == DEPTH_IN_TURN:
                turn = min({_depth(node) for node in waiting}, key=lambda d: (d - turn - 1) % 256)
                node = min((n for n in waiting if _depth(n) == turn), key=_priority)
            else:
                node = min(waiting, key=_priority)
            if self.generated >= self.limit:
                return self._result("node-limit")
            if phase.nodes is not None and len(known) >= phase.nodes:
                return None
            move = node.successors.pop(0).move
            if not node.successors:
                waiting.remove(node)
            child = self._build(node, move, len(known))
            built = None if child.state.twin.key() in known else child

    def _expand(self, node: Node, whole: Whole) -> None:
        """Score all successors of a node."""
        self.expanded += 1
        twin = node.state.twin
        for move in twin.moves():
            source, target, count = move
            if isinstance(target, int) and not twin.cascades[target]:
                target = twin.empty_cascades()[-1]
                move = source, target, count
            card = _deepest(twin, move)
            if target != "home" and self._moved_again(node, move):
                self.again += 1
                continue
            after = twin.after(move)
            made, breaks, left = node.made, False, 0
            if target == "home":
                after.foundations = list(twin.foundations)
                left = 1
            else:
                made += 2 * count - 1
                breaks = isinstance(source, int) and _comes_off(twin.cascades[source], count)
            score = score_of(after, whole, made, breaks, left)
            node.successors.append(Successor(score, _number(move, card), move))
        self.scored += len(node.successors)
        node.successors.sort()

    def _moved_again(self, node: Node, move: Move) -> bool:
        """Whether the cards that have just moved would move again."""
        source, _, count = move
        if not isinstance(source, int):
            return int(source[1]) == node.moved
        cards = node.state.twin.cascades[source][-count:]
        self.longer += node.moved in cards[1:-1]
        return node.moved == cards[0] or node.moved in cards[:-1]

    def _build(self, node: Node, move: Move, order: int) -> Node:
        _, target, count = move
        twin = node.state.twin
        state = State(twin.copy(), list(node.state.cells), list(node.state.path))
        state._note(move)
        state.twin.play(move)
        if self.safe:
            state.send_safe_home()
        quiet = state.twin.foundations == twin.foundations
        made = node.made + (0 if target == "home" else 2 * count - 1)
        return Node(order, state, made, _deepest(twin, move) if quiet else None, [])

    def _solved(self, state: State) -> Result:
        while not state.solved:
            home = next(move for move in state.moves() if move[1] == "home")
            state = state.after(home, safe=False)
        return replace(self._result("solved"), moves=state.path)

    def _result(self, status: str) -> Result:
        return Result(status, None, self.expanded, self.generated, self.scored)


def _priority(node: Node) -> tuple[int, int]:
    return node.successors[0].score, -node.order


def _depth(node: Node) -> int:
    return min(node.made, DEEPEST)


def _deepest(twin: Twin, move: Move) -> int:
    """The deepest of the cards that a move takes."""
    source, _, count = move
    return twin.cascades[source][-count] if isinstance(source, int) else int(source[1])


def _comes_off(column: Sequence[int], count: int) -> bool:
    """Whether the deepest of the last cards of a cascade fits on the one it lies on."""
    return count < len(column) and fits(column[-count], column[-count - 1])


def _number(move: Move, card: int) -> int:
    """A move's number: its source, its target, and the cards of a run or the card of a cell."""
    source, target, count = move
    start, what = (source, count) if isinstance(source, int) else (CELL, card)
    return start | _place(target) << 5 | what << 10


def _place(target: Place) -> int:
    return {"cell": CELL, "home": HOME}[target] if isinstance(target, str) else int(str(target))
