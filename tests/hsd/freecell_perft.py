"""How many positions there are by depth, from the rules of the verifier.

    PYTHONPATH=.:tests python tests/hsd/freecell_perft.py

writes ``data/perft.csv`` anew in some minutes. Nothing here shares code with the kernels.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from perft import by_depth, rows

from deals import FreeCellBoard, freecell
from gafreecell.solving.notations import IllegalMove
from hsd.verifier import CELL_LETTERS, Position

TABLE = Path(__file__).parent / "data" / "perft.csv"
HEADER = """\
# Positions of FreeCell by depth: those that so many moves reach, and no fewer.
# A position is which cards lie upon each other, in cells and home; neither the order of the
# cascades nor that of the cells matters. No card goes home unless a move takes it there.
# By cards: a move takes one card to where the rules allow it, home too.
# By runs: a move is one of these or takes a sorted run from one cascade to another, if it has at
#   most one card more than there are free cells and empty cascades other than its target.
"""
MOVES = ("cards", "runs")


class Game(NamedTuple):
    """A deal and the size of its game."""

    deal: int
    cascades: int = 8
    cells: int = 4

    def board(self) -> FreeCellBoard:
        """The position at the start."""
        return freecell(self.deal, self.cascades, self.cells)


DEPTHS = {
    Game(1): 14,
    Game(617): 14,
    Game(11982): 39,
    Game(31465): 14,
    Game(5, cascades=6, cells=3): 20,
    Game(7, cascades=9, cells=7): 7,
}
"""The greatest depth in the table of each game; deal 11982, which is unsolvable, ends before."""


class Node(NamedTuple):
    """A position up to the order of cascades and cells: both are sorted."""

    cascades: tuple[tuple[int, ...], ...]
    cells: tuple[int, ...]
    foundations: tuple[int, ...]

    @classmethod
    def of(cls, position: Position) -> Node:
        """The node of a verifier's position."""
        held = sorted(card for card in position.cells if card is not None)
        columns = sorted(map(tuple, position.cascades))
        return cls(tuple(columns), tuple(held), tuple(position.foundations))

    def position(self, cells: int) -> Position:
        """A verifier's position, in a game with so many cells."""
        empty = [None] * (cells - len(self.cells))
        columns = [list(column) for column in self.cascades]
        return Position(columns, [*self.cells, *empty], list(self.foundations))


def count(game: Game, moves: str, depth: int) -> list[int]:
    """The count by cards or by runs, from depth 0 on."""
    start = Node.of(Position.from_board(game.board()))
    return by_depth(start, lambda node: successors(node, game.cells, moves), depth)


def successors(node: Node, cells: int, moves: str) -> Iterator[Node]:
    """The nodes one move on."""
    position = node.position(cells)
    for token in tokens(node, cells, moves):
        try:
            position.play(token)
        except IllegalMove:
            continue
        yield Node.of(position)
        position = node.position(cells)


def tokens(node: Node, cells: int, moves: str) -> Iterator[str]:
    """Moves in standard notation, illegal ones too, but no run that is too long."""
    columns = {str(number): column for number, column in enumerate(node.cascades, start=1)}
    letters = CELL_LETTERS[:cells]
    empty = sum(not column for column in node.cascades)
    free = cells - len(node.cells)
    for source, column in columns.items():
        yield f"{source}h"
        yield from (source + letter for letter in letters)
        for target, goal in columns.items():
            most = free + empty - (not goal) + 1 if moves == "runs" else 1
            for length in range(1, min(most, len(column)) + 1):
                yield f"{source}{target}v{length:x}"
    for letter in letters:
        yield f"{letter}h"
        yield from (letter + target for target in columns)


def read() -> dict[tuple[Game, str], list[int]]:
    """The table: by game and kind of moves, the positions at each depth from 0 on."""
    found: dict[tuple[Game, str], list[int]] = {}
    for row in rows(TABLE):
        game = Game(int(row["deal"]), int(row["cascades"]), int(row["cells"]))
        counts = found.setdefault((game, row["moves"]), [])
        assert int(row["depth"]) == len(counts)
        counts.append(int(row["positions"]))
    return found


def write() -> None:
    """Count everything anew."""
    lines = [HEADER, "moves,deal,cascades,cells,depth,positions\n"]
    for moves in MOVES:
        for game, depths in DEPTHS.items():
            prefix = ",".join(map(str, (moves, *game)))
            for depth, positions in enumerate(count(game, moves, depths)):
                lines.append(f"{prefix},{depth},{positions}\n")
    TABLE.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write()
