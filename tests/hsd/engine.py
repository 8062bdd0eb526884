"""The jitted board with plain handles, for tests."""

from __future__ import annotations

import numpy as np
from plain_twin import Move, Twin

from deals import FreeCellBoard
from hsd import board as kernels
from hsd.board import CELL, HOME, PACKED, STRIDE_BITS, Board, empty_board, pack_board
from hsd.heuristics import NAMES, measure
from hsd.moves import MOST_MOVES, key_after, list_moves, stays_quiet

Snapshot = tuple[list[list[int]], list[int], list[int], list[int], list[int], int]


class Engine:
    """A position on a jitted board.

    Attributes:
        arrays: the ``Board`` that the kernels change.
    """

    def __init__(self, board: FreeCellBoard) -> None:
        self.arrays: Board = empty_board()
        # What an earlier position left behind must not matter.
        self.arrays.column[:] = 7
        self.arrays.where[:] = 99
        self.arrays.cell[:] = 0
        kernels.load(self.arrays, pack_board(board), 0, len(board.cascades), board.cell_count)

    def columns(self) -> list[list[int]]:
        """The cascades, each from its deepest card to its exposed one."""
        column, height = self.arrays.column, self.arrays.height
        starts = [c << STRIDE_BITS for c in range(int(self.arrays.size[0]))]
        return [column[s : s + height[c]].tolist() for c, s in enumerate(starts)]

    def cells(self) -> list[int]:
        """The card of each cell, 0 for none."""
        return list(self.arrays.cell[: self.arrays.size[1]].tolist())

    def home(self) -> list[int]:
        """The highest rank home of each suit."""
        return list(self.arrays.home.tolist())

    def key(self) -> int:
        """The hash, kept up to date move by move."""
        return int(self.arrays.key[0])

    def fresh_key(self) -> int:
        """The hash of the same position loaded anew."""
        return Engine(self.as_board()).key()

    def snapshot(self) -> Snapshot:
        """Everything there is, cells and cascades in their order."""
        where = self.arrays.where.tolist()
        size = self.arrays.size.tolist()
        return self.columns(), self.cells(), self.home(), where, size, self.key()

    def as_board(self) -> FreeCellBoard:
        """The position as a board; held cards move to the first cells."""
        home = self.home()
        return FreeCellBoard(
            tuple(map(tuple, self.columns())),
            tuple(card for card in self.cells() if card),
            (home[0], home[1], home[2], home[3]),
            int(self.arrays.size[1]),
        )

    def twin(self) -> Twin:
        """The position as a plain twin."""
        return Twin.from_board(self.as_board())

    def moves(self) -> list[int]:
        """The moves that the searches consider, in their order."""
        found = np.full(3 + MOST_MOVES, -1, np.int64)
        end = list_moves(self.arrays, found, 3)
        assert (found[:3] == -1).all() and (found[end:] == -1).all()
        return list(found[3:end].tolist())

    def as_twins(self, move: int) -> Move:
        """A move in the twin's words."""
        source, target, count = move & 31, (move >> 5) & 31, move >> 10
        origin = source if source < CELL else ("cell", self.cells()[source - CELL])
        if target == HOME:
            return origin, "home", count
        return origin, ("cell" if target >= CELL else target), count

    def suit_home(self, move: int) -> int:
        """The suit of the card that a move takes home, 0 if it goes elsewhere."""
        if (move >> 5) & 31 != HOME:
            return 0
        source = move & 31
        card = self.cells()[source - CELL] if source >= CELL else self.columns()[source][-1]
        return card & 3

    def play(self, move: int) -> None:
        kernels.play(self.arrays, move)

    def unplay(self, move: int, suit: int) -> None:
        """Take back the last move; ``suit`` as ``suit_home`` gave it before."""
        kernels.unplay(self.arrays, move, suit)

    def play_safe_home(self) -> list[int]:
        """Send all safe cards home; what ``unplay_safe_home`` needs to take them back."""
        trail = np.full(60, -1, np.int64)
        end = kernels.play_safe_home(self.arrays, trail, 4)
        assert (trail[:4] == -1).all() and (trail[end:] == -1).all()
        return list(trail[4:end].tolist())

    def unplay_safe_home(self, trail: list[int]) -> None:
        kernels.unplay_home(self.arrays, np.array([0, *trail], np.int64), len(trail) + 1, 1)

    def stays_quiet(self, move: int) -> bool:
        return bool(stays_quiet(self.arrays, move))

    def key_after(self, move: int) -> int:
        return int(key_after(self.arrays, move))

    def packed(self) -> np.ndarray:
        """The packed bytes of the position, as searches keep it."""
        packed = np.zeros(PACKED, np.uint8)
        kernels.store(self.arrays, packed, 0)
        return packed

    def load(self, packed: np.ndarray, start: int = 0) -> None:
        """Another position of the same game."""
        cascades, cells = int(self.arrays.size[0]), int(self.arrays.size[1])
        kernels.load(self.arrays, packed, start, cascades, cells)

    def heuristics(self) -> dict[str, float]:
        """The nine distances by name."""
        values = np.full(len(NAMES), np.nan)
        measure(self.arrays, values)
        return dict(zip(NAMES, values.tolist(), strict=True))
