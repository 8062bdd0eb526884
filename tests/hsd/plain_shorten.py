"""A slow and plain version of dropping redundant moves, for comparison.

A step is the cards that move and where they go: ``home``, ``cell``, ``empty`` or onto a card.
"""

from __future__ import annotations

from collections.abc import Sequence

from deals import FreeCellBoard
from gafreecell.solving.notations import IllegalMove
from hsd.verifier import CELL_LETTERS, Position

Card = int
Step = tuple[tuple[Card, ...], Card | str]


def copy_of(position: Position) -> Position:
    columns = [list(column) for column in position.cascades]
    return Position(columns, list(position.cells), list(position.foundations))


def step_of(position: Position, move: str) -> Step:
    """The step that a legal move stands for."""
    count = int(move[3:] or "1", 16)
    if move[0] in CELL_LETTERS:
        cards = (position.cells[CELL_LETTERS.index(move[0])],)
    else:
        cards = tuple(position.cascades[int(move[0]) - 1][-count:])
    if not move[1].isdigit():
        return cards, "home" if move[1] == "h" else "cell"
    target = position.cascades[int(move[1]) - 1]
    return cards, target[-1] if target else "empty"


def deepest(column: Sequence[Card], cards: Sequence[Card]) -> bool:
    """Whether the deepest card is where as many lie above it."""
    return column[-len(cards) :][:1] == [cards[0]] and len(column) >= len(cards)


def play(position: Position, step: Step, at_once: bool = False) -> str | None:
    """Make a step if it is possible; returns the move, None if it is not."""
    cards, where = step
    columns, cells = position.cascades, position.cells
    empty = [c for c, column in enumerate(columns) if not column]
    free = [i for i, card in enumerate(cells) if card is None]
    # The same number of cards from the deepest one on; those above it may be others by now.
    sources = [str(c + 1) for c, column in enumerate(columns) if deepest(column, cards)]
    sources += [CELL_LETTERS[i] for i, card in enumerate(cells) if (card,) == cards]
    targets = {"home": ["h"], "empty": [str(c + 1) for c in empty[:1]]}
    targets["cell"] = [CELL_LETTERS[i] for i in free[:1]]
    ends = [str(c + 1) for c, column in enumerate(columns) if column[-1:] == [where]]
    for source in sources:
        for target in targets.get(where, ends):
            whole = source.isdigit() and len(columns[int(source) - 1]) == len(cards)
            if where == "empty" and whole:
                continue
            if not at_once and len(cards) > len(free) + len(empty) + (where != "empty"):
                continue
            move = source + target + (f"v{len(cards):x}" if len(cards) > 1 else "")
            try:
                position.play(move)
            except IllegalMove:
                continue
            return move
    return None


def cost(steps: list[Step], at_once: bool) -> int:
    counted = (1 if at_once else 2 * len(cards) - 1 for cards, where in steps if where != "home")
    return sum(counted)


def replay(
    position: Position, steps: list[Step], most: int, misses: int, late: int, at_once: bool
) -> list[Step] | None:
    """The steps that are made if all cards get home in at most so many moves; None if not."""
    made: list[Step] = []
    waiting: list[Step] = []
    missed = spent = 0
    for step in steps:
        if play(position, step, at_once) is None:
            if step[1] == "home":
                waiting.append(step)
            else:
                missed += 1
            if missed > misses or len(waiting) > late:
                return None
            continue
        made.append(step)
        spent += cost([step], at_once)
        if spent > most:
            return None
        i = 0
        while i < len(waiting):
            if play(position, waiting[i], at_once) is None:
                i += 1
                continue
            made.append(waiting[i])
            waiting[i] = waiting[-1]
            waiting.pop()
            i = 0
    return made if position.is_solved else None


def shorten(
    board: FreeCellBoard, moves: Sequence[str], misses: int, late: int, at_once: bool = False
) -> list[str]:
    """The moves left once the redundant ones are dropped; a run counts one move if ``at_once``."""
    start = Position.from_board(board)
    now = copy_of(start)
    steps = []
    for move in moves:
        steps.append(step_of(now, move))
        assert play(now, steps[-1], at_once)
    before = None
    while before != steps:
        before = list(steps)
        now = copy_of(start)
        k = 0
        while k < len(steps):
            shorter = _shorter_from(now, steps, k, misses, late, at_once)
            if shorter is not None:
                steps = steps[:k] + shorter
            else:
                play(now, steps[k], at_once)
                k += 1
    return [str(play(start, step, at_once)) for step in steps]


def _shorter_from(
    position: Position, steps: list[Step], k: int, misses: int, late: int, at_once: bool
) -> list[Step] | None:
    cards, where = steps[k]
    if where == "home":
        return None
    rest = steps[k + 1 :]
    most = cost(steps[k:], at_once) - 1
    dropped = replay(copy_of(position), rest, most, misses, late, at_once)
    if dropped is not None:
        return dropped
    key = (cards[0], len(cards))
    same = [i for i, (them, _) in enumerate(rest) if (them[0], len(them)) == key]
    if not same or rest[same[0]][1] == "home":
        return None
    sooner = [rest[same[0]], *rest[: same[0]], *rest[same[0] + 1 :]]
    return replay(copy_of(position), sooner, most, misses, late, at_once)
