"""Positions on which tests try searches, and a slow check whether they can be solved."""

from __future__ import annotations

import random

from hypothesis import assume
from hypothesis import strategies as st
from plain_twin import Key, Twin
from random_boards import boards

from deals import FreeCellBoard
from hsd.kernels.packed import pack_board
from hsd.kernels.replay import Root

PLACES = "123456789abcdefgh"
GOAL = FreeCellBoard(((),) * 8, (), (13, 13, 13, 13))
MIDDLE = """\
Foundations: C-9 D-8 H-9 S-9
Freecells: KH
KS QD JC TD
QH KC JS TH
JD TS 9D
QC
:
KD QS JH TC
"""


def middle(cells: int) -> FreeCellBoard:
    """A position in the middle of a game of six cascades."""
    return FreeCellBoard.from_text(MIDDLE, cells, 6)


def root_of(board: FreeCellBoard, automatic: bool = False) -> Root:
    """Where a search from this board starts."""
    return Root(pack_board(board), len(board.cascades), board.cell_count, automatic)


def engine_move(text: str) -> int:
    """A move in standard notation as the engine's integer."""
    count = int(text[3:], 16) if len(text) > 2 else 1
    return PLACES.index(text[0]) | PLACES.index(text[1]) << 5 | count << 10


@st.composite
def endings(draw: st.DrawFn) -> FreeCellBoard:
    """Positions with at most some twenty cards left, in every variant."""
    board = draw(boards())
    assume(sum(board.foundations) >= 30)
    return board


@st.composite
def tight_endings(draw: st.DrawFn) -> FreeCellBoard:
    """Few cards left and little room to move them; many of these cannot be solved."""
    cascades, cells = draw(st.integers(4, 6)), draw(st.sampled_from([0, 0, 0, 1]))
    return draw(boards(least_home=8, cascades=cascades, cells=cells))


def endgame(seed: int, cascades: int, cells: int, home: int = 6) -> FreeCellBoard:
    """The cards left when all suits are home up to a rank, dealt at random to few cascades."""
    cards = [4 * rank + suit for rank in range(home + 1, 14) for suit in range(4)]
    random.Random(seed).shuffle(cards)
    columns = tuple(tuple(cards[i::cascades]) for i in range(cascades))
    return FreeCellBoard(columns, (), (home,) * 4, cells)


def one_move_from_the_goal(cascades: int) -> FreeCellBoard:
    """The last king, in the last cascade."""
    return FreeCellBoard(((),) * (cascades - 1) + ((55,),), (), (13, 13, 13, 12), 0)


def nothing_can_move() -> FreeCellBoard:
    """Four cascades, no cell, every ace at the bottom and no card fits on another."""
    text = "\n".join(" ".join(rank + suit for rank in "A3579JK2468TQ") for suit in "CDHS")
    return FreeCellBoard.from_text(text, 0, 4)


def sort_cascades(board: FreeCellBoard, generator: random.Random) -> FreeCellBoard:
    """The board with each cascade sorted downwards, equal ranks in any order: no inversions."""
    columns = []
    for column in board.cascades:
        mixed = generator.sample(column, len(column))
        columns.append(tuple(sorted(mixed, key=lambda card: -(card >> 2))))
    return FreeCellBoard(tuple(columns), board.cells, board.foundations, board.cell_count)


def enumerate_states(board: FreeCellBoard, most: int = 5000) -> tuple[int, bool] | None:
    """The number of states met, depth first, and whether all cards can go home.

    Ends as soon as they do; returns None after so many states.
    """
    root = Twin.from_board(board)
    seen: set[Key] = {root.key()}
    waiting = [root]
    while waiting:
        twin = waiting.pop()
        if sum(twin.foundations) == 52:
            return len(seen), True
        # What goes home is looked at first.
        for move in sorted(twin.moves(), key=lambda move: move[1] == "home"):
            child = twin.after(move)
            if child.key() not in seen:
                seen.add(child.key())
                waiting.append(child)
        if len(seen) >= most:
            return None
    return len(seen), False


def fewest_moves(board: FreeCellBoard, longest: int = 13, at_once: bool = False) -> int | None:
    """The fewest moves that bring all cards home, breadth first; None if nothing does.

    Args:
        longest: the most cards that a move may take.
        at_once: whether runs move at once.
    """
    start = Twin.from_board(board)
    start.at_once = at_once
    level = {start.key(): start}
    seen, length = set(level), 0
    while level:
        if any(sum(twin.foundations) == 52 for twin in level.values()):
            return length
        children = (
            twin.after(move)
            for twin in level.values()
            for move in twin.moves()
            if move[2] <= longest
        )
        reached = {child.key(): child for child in children}
        level = {key: child for key, child in reached.items() if key not in seen}
        seen |= set(level)
        length += 1
    return None


def turned_about(board: FreeCellBoard, generator: random.Random) -> FreeCellBoard:
    """The board with its cascades and its held cards in any order: the same state."""
    cascades, cells = (generator.sample(p, len(p)) for p in (board.cascades, board.cells))
    return FreeCellBoard(tuple(cascades), tuple(cells), board.foundations, board.cell_count)
