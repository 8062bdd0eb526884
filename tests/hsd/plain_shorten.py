"""A slow and plain version of dropping redundant moves, for comparison.

A step is the cards that move and where they go: ``home``, ``cell``, ``empty`` or onto a card.
"""

from __future__ import annotations

import copy
from itertools import pairwise

from deals import FreeCellBoard

Card = int
Step = tuple[tuple[Card, ...], Card | str]

NAMES = "123456789"
CELLS = "abcdefg"


class Board:
    """Cascades and cells as lists of cards, played by steps."""

    def __init__(self, board: FreeCellBoard) -> None:
        self.cascades = [list(column) for column in board.cascades]
        self.cells = [*board.cells, *[0] * (board.cell_count - len(board.cells))]
        self.foundations = list(board.foundations)

    def copy(self) -> Board:
        return copy.deepcopy(self)

    def step(self, move: str) -> Step:
        """The step that a legal move stands for."""
        count = int(move[3:], 16) if len(move) > 2 else 1
        if move[0] in CELLS:
            cards = (self.cells[CELLS.index(move[0])],)
        else:
            cards = tuple(self.cascades[NAMES.index(move[0])][-count:])
        if move[1] == "h":
            return cards, "home"
        if move[1] in CELLS:
            return cards, "cell"
        target = self.cascades[NAMES.index(move[1])]
        return cards, target[-1] if target else "empty"

    def play(self, step: Step) -> str | None:
        """Make a step if it is possible; returns the move, None if it is not."""
        cards, where = step
        count = len(cards)
        source = None
        for c, column in enumerate(self.cascades):
            if cards[0] in column and len(column) - column.index(cards[0]) == count:
                run = column[-count:]
                if all(_fits(b, a) for a, b in pairwise(run)):
                    source = NAMES[c]
        if count == 1 and cards[0] in self.cells:
            source = CELLS[self.cells.index(cards[0])]
        if source is None:
            return None
        empty = [c for c, column in enumerate(self.cascades) if not column]
        free = [i for i, card in enumerate(self.cells) if card == 0]
        vacant = len(free) + len(empty)
        if where == "home":
            if self.foundations[cards[0] & 3] != (cards[0] >> 2) - 1:
                return None
            target = "h"
        elif where == "cell":
            if source in CELLS or not free:
                return None
            target = CELLS[free[0]]
        elif where == "empty":
            whole = source in NAMES and len(self.cascades[NAMES.index(source)]) == count
            if not empty or whole or count > vacant:
                return None
            target = NAMES[empty[0]]
        else:
            ends = [column[-1] if column else 0 for column in self.cascades]
            if where not in ends or NAMES[ends.index(int(where))] == source or count > vacant + 1:
                return None
            target = NAMES[ends.index(int(where))]
        self._carry_out(source, target, count)
        return source + target + (f"v{count:x}" if count > 1 else "")

    def _carry_out(self, source: str, target: str, count: int) -> None:
        if source in CELLS:
            cards = [self.cells[CELLS.index(source)]]
            self.cells[CELLS.index(source)] = 0
        else:
            column = self.cascades[NAMES.index(source)]
            cards = column[-count:]
            del column[-count:]
        if target == "h":
            self.foundations[cards[0] & 3] += 1
        elif target in CELLS:
            self.cells[CELLS.index(target)] = cards[0]
        else:
            self.cascades[NAMES.index(target)] += cards


def _fits(card: Card, target: Card) -> bool:
    return (card >> 2) + 1 == target >> 2 and (card & 3 in (1, 2)) != (target & 3 in (1, 2))


def cost(steps: list[Step]) -> int:
    return sum(2 * len(cards) - 1 for cards, where in steps if where != "home")


def replay(board: Board, steps: list[Step], most: int, misses: int, late: int) -> list[Step] | None:
    """The steps that are made if all cards get home in at most so many moves; None if not."""
    made: list[Step] = []
    waiting: list[Step] = []
    missed = 0
    for step in steps:
        if board.play(step) is None:
            if step[1] == "home":
                waiting.append(step)
            else:
                missed += 1
            if missed > misses or len(waiting) > late:
                return None
            continue
        made.append(step)
        if cost(made) > most:
            return None
        i = 0
        while i < len(waiting):
            if board.play(waiting[i]) is None:
                i += 1
                continue
            made.append(waiting[i])
            waiting[i] = waiting[-1]
            waiting.pop()
            i = 0
    return made if sum(board.foundations) == 52 else None


def shorten(board: FreeCellBoard, moves: list[str], misses: int, late: int) -> list[str]:
    """The moves left once the redundant ones are dropped."""
    start = Board(board)
    now = start.copy()
    steps = []
    for move in moves:
        steps.append(now.step(move))
        assert now.play(steps[-1])
    before = None
    while before != steps:
        before = list(steps)
        now = start.copy()
        k = 0
        while k < len(steps):
            shorter = _shorter_from(now, steps, k, misses, late)
            if shorter is not None:
                steps = steps[:k] + shorter
            else:
                now.play(steps[k])
                k += 1
    return [str(start.play(step)) for step in steps]


def _shorter_from(
    board: Board, steps: list[Step], k: int, misses: int, late: int
) -> list[Step] | None:
    cards, where = steps[k]
    if where == "home":
        return None
    rest = steps[k + 1 :]
    most = cost(steps[k:]) - 1
    dropped = replay(board.copy(), rest, most, misses, late)
    if dropped is not None:
        return dropped
    key = (cards[0], len(cards))
    same = [i for i, (them, _) in enumerate(rest) if (them[0], len(them)) == key]
    if not same or rest[same[0]][1] == "home":
        return None
    at_once = [rest[same[0]], *rest[: same[0]], *rest[same[0] + 1 :]]
    return replay(board.copy(), at_once, most, misses, late)
