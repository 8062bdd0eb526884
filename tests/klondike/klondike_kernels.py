"""Plain handles to the engine's kernels, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from plain_kplus import DRAW, RANKS, SUITS, Action, State

from deals import KlondikeBoard
from gafreecell.solitaire.klondike.kernels.board import (
    COUNT,
    DRAWING,
    HOME_TO_PILE,
    ONE,
    PILE_TO_HOME,
    PILE_TO_PILE,
    SECOND,
    SOURCE,
    TALON_TO_HOME,
    TALON_TO_PILE,
    TARGET,
    Board,
    empty_board,
    hide_stock,
    is_won,
    load,
    make,
    unmake,
    wins,
)
from gafreecell.solitaire.klondike.kernels.dead_ends import (
    find_twins,
    is_lost,
    pair_dead,
    relaxed_dead,
    twins_dead,
)
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solitaire.klondike.rollouts.kernels.actions import list_actions, new_lists
from gafreecell.solitaire.klondike.rollouts.kernels.values import (
    KINDS,
    delta,
    new_values,
    prepare,
    value,
)
from gafreecell.solitaire.klondike.rollouts.values import PUBLISHED, set_weights

_KINDS = {
    PILE_TO_HOME: "ph",
    TALON_TO_HOME: "th",
    PILE_TO_PILE: "pp",
    TALON_TO_PILE: "tp",
    HOME_TO_PILE: "hp",
}


class Engine:
    """A jitted board with the arrays that a search keeps beside it.

    Args:
        board: what it stands at first.
        weights: of H1, H2 and so on.
        sees: whether it knows a stock that nobody has seen.
    """

    def __init__(
        self, board: KlondikeBoard, weights: np.ndarray = PUBLISHED, sees: bool = True
    ) -> None:
        self.board: Board = empty_board()
        load(self.board, pack_board(board))
        if board.unseen and not sees:
            hide_stock(self.board)
        self.values = new_values(weights.size // KINDS)
        set_weights(self.values, weights)
        prepare(self.board, self.values)
        self.twins = np.zeros(56, np.uint64)
        find_twins(self.board, self.twins)
        self._lists = new_lists()
        self._actions = np.zeros(1024, np.int64)
        self._at = np.zeros(7, np.int64)

    def actions(self) -> list[int]:
        end = list_actions(self.board, self._lists, self._actions, 0)
        # As ``MOST_ACTIONS`` has it.
        assert self._lists.sizes.max() <= 115
        assert end <= 199
        return [int(action) for action in self._actions[:end]]

    def make(self, action: int) -> int:
        return int(make(self.board, action))

    def unmake(self, made: int) -> None:
        unmake(self.board, made)

    def value(self, h: int) -> int:
        return int(value(self.board, self.values, h))

    def delta(self, h: int, action: int) -> int:
        return int(delta(self.board, self.values, h, action))

    def wins(self, action: int) -> bool:
        return bool(wins(self.board, action))

    @property
    def won(self) -> bool:
        return bool(is_won(self.board))

    @property
    def key(self) -> int:
        return int(self.board.key[0])

    @property
    def relaxed_dead(self) -> bool:
        return bool(relaxed_dead(self.board, self._at))

    @property
    def twins_dead(self) -> bool:
        return bool(twins_dead(self.board, self.twins))

    def pair_dead(self, wide: bool) -> bool:
        return bool(pair_dead(self.board, self._at, wide))

    def is_lost(self, wide: bool = True) -> bool:
        return bool(is_lost(self.board, self._at, self.twins, wide))

    def content(self) -> list[list[int]]:
        """The whole content of the board, for comparison."""
        b = self.board
        piles = [b.pile[32 * p : 32 * p + b.height[p]].tolist() for p in range(7)]
        counts = [int(b.talon_size[0]), int(b.waste_size[0])]
        talon = b.talon[: b.talon_size[0]]
        rest = [b.down, b.home, talon, b.redeals, b.implied, b.up, b.hidden, b.key]
        return [*piles, counts, *(array.tolist() for array in rest)]

    def state(self) -> State:
        """The position as the plain twin writes it."""
        b = self.board
        names = [RANKS[i >> 2] + SUITS[i & 3] for i in range(52)]
        piles = []
        for p in range(7):
            cards = [names[i] for i in b.pile[32 * p : 32 * p + b.height[p]]]
            piles.append((tuple(cards[: b.down[p]]), tuple(cards[b.down[p] :])))
        talon = tuple(names[i] for i in b.talon[: b.talon_size[0]])
        waste, draw, redeals = (int(one[0]) for one in (b.waste_size, b.draw, b.redeals))
        left = None if redeals < 0 else redeals
        unseen = not b.implied[0]
        return State(tuple(piles), talon, waste, tuple(b.home.tolist()), draw, left, unseen)


def plain(action: int) -> Action:
    """An action as the plain twin writes it."""
    if action == DRAWING:
        return (DRAW,)
    parts: list[Any] = []
    for move in (action & ONE, action >> SECOND & ONE):
        if move:
            kind = _KINDS[move & 7]
            count = move >> COUNT & 15 if kind == "pp" else 1
            parts.append((kind, move >> SOURCE & 31, move >> TARGET & 7, count))
    return tuple(parts)
