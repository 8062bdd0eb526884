"""The jitted board with a plain interface, for tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
from plain_twin import Move, Twin

from deals import FreeCellBoard
from gafreecell.solving.outcome import Evaluator
from hsd.kernels import board as boards
from hsd.kernels import home as homes
from hsd.kernels import packed as packing
from hsd.kernels.board import CELL, HOME, STRIDE_BITS, Board, empty_board
from hsd.kernels.features import NAMES, ON_BOARD, measure
from hsd.kernels.linear import (
    Linear,
    LinearRules,
    compiled,
    compiled_policy,
    linear_score,
    prepare,
    score_after,
)
from hsd.kernels.moves import ANY, MOST_MOVES, key_after, list_moves, stays_quiet
from hsd.kernels.packed import PACKED, pack_board
from hsd.kernels.policy import rules_of, score_by
from hsd.solver import SOLVER

Key = tuple[int, int]
NOT_OF_BOARD = frozenset(NAMES[ON_BOARD:])
"""Features that are not computed from a board alone."""
Weights = Mapping[str, float] | Evaluator
"""Weights by feature, those not named 0; or an evaluator with rules."""
Snapshot = tuple[list[list[int]], list[int], list[int], list[int], list[int], Key, list[int]]


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
        self.arrays.key[:] = 5
        self.arrays.under[:] = 2**64 - 1
        self.arrays.part[:] = -1
        self.arrays.takers[:] = 511
        self.arrays.numbers.sums = 77
        packing.load(self.arrays, pack_board(board), 0, len(board.cascades), board.cell_count)

    def size(self) -> tuple[int, int]:
        """Cascades and cells."""
        return int(self.arrays.numbers.cascades), int(self.arrays.numbers.cells)

    def columns(self) -> list[list[int]]:
        """The cascades, each from its deepest card to its exposed one."""
        column, height = self.arrays.column, self.arrays.height
        starts = [c << STRIDE_BITS for c in range(int(self.arrays.numbers.cascades))]
        return [column[s : s + height[c]].tolist() for c, s in enumerate(starts)]

    def cells(self) -> list[int]:
        """The card of each cell, 0 for none."""
        return list(self.arrays.cell[: self.arrays.numbers.cells].tolist())

    def home(self) -> list[int]:
        """The highest rank home of each suit."""
        return list(self.arrays.home.tolist())

    def key(self) -> Key:
        """Both words of the hash, kept up to date move by move."""
        first, second = self.arrays.key.tolist()
        return first, second

    def kept(self) -> tuple[Key, list[int], list[int]]:
        """What is kept up to date move by move: the hash, the sums, and where each card is.

        A negative place means that the card is in no cascade.
        """
        return self.key(), self.sums(), list(self.arrays.where.tolist())

    def snapshot(self) -> Snapshot:
        """The whole position, cells and cascades in their order."""
        where = self.arrays.where.tolist()
        numbers = self.arrays.numbers
        size = [int(numbers.cascades), int(numbers.cells), int(numbers.used)]
        return self.columns(), self.cells(), self.home(), where, size, self.key(), self.sums()

    def sums(self) -> list[int]:
        """The arrays behind the sums: the total, then ``part`` and ``under`` by place."""
        arrays = self.arrays
        starts = [c << STRIDE_BITS for c in range(int(arrays.numbers.cascades))]
        kept = [int(arrays.numbers.sums)]
        for c, start in enumerate(starts):
            end = start + int(arrays.height[c])
            kept += arrays.part[start:end].tolist() + arrays.under[start:end].tolist()
        return kept

    def as_board(self) -> FreeCellBoard:
        """The position as a board; held cards move to the first cells."""
        home = self.home()
        return FreeCellBoard(
            tuple(map(tuple, self.columns())),
            tuple(card for card in self.cells() if card),
            (home[0], home[1], home[2], home[3]),
            int(self.arrays.numbers.cells),
        )

    def twin(self) -> Twin:
        """The position as a plain twin."""
        return Twin.from_board(self.as_board())

    def moves(self, longest: int = ANY) -> list[int]:
        """The moves that the searches consider, in their order."""
        found = np.full(3 + MOST_MOVES, -1, np.int64)
        end = list_moves(self.arrays, found, 3, longest)
        assert (found[:3] == -1).all() and (found[end:] == -1).all()
        return list(found[3:end].tolist())

    def as_twins(self, move: int) -> Move:
        """A move in the twin's form."""
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
        boards.play(self.arrays, move)

    def unplay(self, move: int, suit: int) -> None:
        """Unmake the last move; ``suit`` is what ``suit_home`` returned before it."""
        boards.unplay(self.arrays, move, suit)

    @contextmanager
    def made(self, move: int, forced: bool = False) -> Iterator[list[int]]:
        """Make a move, and home moves forced after it if so told, until the block ends.

        Yields the trail of the forced ones.
        """
        suit = self.suit_home(move)
        self.play(move)
        trail = self.play_safe_home() if forced else []
        yield trail
        self.unplay_safe_home(trail)
        self.unplay(move, suit)

    def play_unhashed(self, move: int) -> None:
        boards.play_unhashed(self.arrays, move)

    def unplay_unhashed(self, move: int, suit: int) -> None:
        boards.unplay_unhashed(self.arrays, move, suit)

    def undo(self, move: int, suit: int) -> None:
        """Unmake the last move without updating the hash; ``suit`` as of ``unplay``."""
        boards.undo(self.arrays, move, suit)

    def play_safe_home(self) -> list[int]:
        """Send all safe cards home; returns the trail that ``unplay_safe_home`` takes."""
        trail = np.full(60, -1, np.int64)
        end = homes.play_safe_home(self.arrays, trail, 4)
        assert (trail[:4] == -1).all() and (trail[end:] == -1).all()
        return list(trail[4:end].tolist())

    def unplay_safe_home(self, trail: list[int]) -> None:
        homes.unplay_home(self.arrays, np.array([0, *trail], np.int64), len(trail) + 1, 1)

    def undo_safe_home(self, trail: list[int]) -> None:
        """As ``unplay_safe_home``, without updating the hash."""
        homes.undo_home(self.arrays, np.array([*trail, 0], np.int64), len(trail))

    def stays_quiet(self, move: int) -> bool:
        return bool(stays_quiet(self.arrays, move))

    def key_after(self, move: int) -> Key:
        return int(key_after(self.arrays, move, 0)), int(key_after(self.arrays, move, 1))

    def packed(self) -> np.ndarray:
        """The packed words of the position, as searches keep it."""
        packed = np.zeros(PACKED, np.uint64)
        packing.store(self.arrays, packed, 0)
        return packed

    def load(self, packed: np.ndarray, start: int = 0) -> None:
        """Another position of the same game."""
        packing.load(self.arrays, packed, start, *self.size())

    def reload(self, packed: np.ndarray, start: int = 0) -> None:
        """As ``load``, by the difference alone; then set the hash, as searches do."""
        before = self.arrays.key.copy()
        packing.reload(self.arrays, packed, start)
        assert (self.arrays.key == before).all()
        loaded = empty_board()
        packing.load(loaded, packed, start, *self.size())
        self.arrays.key[:] = loaded.key

    def features(self) -> dict[str, float]:
        """Every feature that is computed from a board alone, by name."""
        values = np.full(len(NAMES), np.nan)
        measure(self.arrays, values)
        assert np.isnan(values).tolist() == [name in NOT_OF_BOARD for name in NAMES]
        known = dict(zip(NAMES, values.tolist(), strict=True))
        return {name: value for name, value in known.items() if name not in NOT_OF_BOARD}

    def compiled(self, weights: Weights) -> tuple[Linear, LinearRules | None]:
        """The coefficients of an evaluator, and of its rules if it has any."""
        if isinstance(weights, Evaluator):
            return compiled_policy(SOLVER.policy(weights), *self.size())
        vector = np.array([weights.get(name, 0.0) for name in NAMES])
        return compiled(vector.tobytes(), *self.size()), None

    def linear_score(self, weights: Weights, made: int = 0) -> int:
        """The weighted sum in whole numbers, without DeadlockBound."""
        return int(linear_score(self.arrays, *self.compiled(weights), made))

    def score_after(self, weights: Weights, move: int, made: int = 0) -> tuple[int, int]:
        """``linear_score`` after a move that is not made, and the board's total there."""
        k, rules = self.compiled(weights)
        score, sums = score_after(self.arrays, k, rules, prepare(self.arrays, k), move, made)
        return int(score), int(sums)

    def check_scores_after(self, weights: Weights, made: int) -> None:
        """``score_after`` tells of each move that is not home what the board has after it."""
        for move in self.moves():
            if (move >> 5) & 31 != HOME:
                told = self.score_after(weights, move, made)
                with self.made(move):
                    here = self.linear_score(weights, made), int(self.arrays.numbers.sums)
                    assert told == here

    def float_score_by_rules(self, evaluator: Evaluator) -> float:
        """What rules make of the position, in floats."""
        policy, values = SOLVER.policy(evaluator), np.zeros(len(NAMES))
        return float(score_by(self.arrays, policy.default, rules_of(policy), values))
