"""Baker's Game: FreeCell in which columns are built down by suit. The search is in ``kernels``.

With the option ``build=colour`` it is FreeCell itself. A move is written as in FreeCell's standard
notation: columns are ``1`` to ``8``, cells ``a`` to ``d``, and ``h`` is the foundations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bakers import kernels
from deals import FreeCellBoard, freecell, read_freecell_boards
from gafreecell import BadInput, BaseGame, Feature, Limits, Nodes, Outcome, Parameter, Status, jit

PLACES = "12345678abcdh"
SLICE = 2_000
"""Positions expanded in a slice, some milliseconds."""


class Bakers(BaseGame):
    """The game; the option ``build`` says what a card must be to lie on another."""

    name = "bakers"
    title = "Baker's Game"
    features = (
        Feature("cards", "cards that are not home", baseline=0.25),
        Feature("inversions", "cards that lie above a lower one", baseline=0.25),
        Feature("breaks", "cards that lie on a card that they do not fit", baseline=0.125),
        Feature("cells", "cells in use", baseline=1.0),
    )
    options = (Parameter("build", "suit", "how columns are built", choices=("suit", "colour")),)
    searches = ("best-first",)

    def deal(self, number: int) -> FreeCellBoard:
        return freecell(number)

    def solve(
        self, deal: FreeCellBoard, weights: np.ndarray, nodes: int, limits: Limits | None = None
    ) -> Outcome:
        state, by_suit = packed(deal), self.variant["build"] == "suit"
        # The search adds whole numbers, and only the proportions of weights matter.
        whole = np.rint(10_000 * weights / (np.abs(weights).max() or 1)).astype(np.int64)

        def advance(tree: jit.Tree) -> int:
            pause = tree.registers.expanded + SLICE
            return kernels.advance(tree, whole, by_suit, nodes, pause)

        tree = jit.new_tree(state, *kernels.hash_of(state), kernels.MOST_MOVES)
        status, tree = jit.drive(tree, advance, jit.enlarge_tree, limits or Limits())
        counts = Nodes(int(tree.registers.expanded), int(tree.registers.generated))
        if status is not Status.SOLVED:
            return Outcome(status, None, None, counts)
        path = jit.path_to(tree, tree.registers.goal)
        moves = tuple(PLACES[move & 15] + PLACES[move >> 4] for move in path)
        return Outcome(status, moves, {"moves": len(moves)}, counts)

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[FreeCellBoard | None]:
        return read_freecell_boards(text, cells=4, cascades=8, faults=faults)

    def verify(self, board: FreeCellBoard, moves: Sequence[str], goal: Any = None) -> str:
        columns = [list(column) for column in board.cascades]
        piles = columns + [[card] for card in board.cells] + [[] for _ in range(4)]
        home = list(board.foundations)
        for number, move in enumerate(moves, start=1):
            if len(move) != 2 or not {*move} <= {*PLACES} or move[0] == "h":
                raise BadInput(f"expected a move such as 1a, a7 or 3h, got {move!r}")
            source, target = map(PLACES.index, move)
            if not piles[source]:
                return f"move {number}, {move}: there is no card to move"
            card = piles[source].pop()
            if move[1] == "h":
                home[card % 4] += 1
                fine = home[card % 4] == card // 4
            else:
                fine = not piles[target] or (target < 8 and self._fits(card, piles[target][-1]))
                piles[target].append(card)
            if not fine:
                return f"move {number}, {move}: the card may not go there"
        return "" if sum(home) == 52 else f"{52 - sum(home)} cards are not home"

    def _fits(self, card: int, target: int) -> bool:
        suits = card % 4, target % 4
        red = [suit in (1, 2) for suit in suits]
        alike = suits[0] == suits[1] if self.variant["build"] == "suit" else red[0] != red[1]
        return alike and target // 4 == card // 4 + 1


def packed(board: FreeCellBoard) -> np.ndarray:
    """A board as the kernels take it (uint8[80])."""
    state = np.zeros(kernels.ROW, np.uint8)
    state[: kernels.TOP] = kernels.GONE
    for place, column in enumerate(board.cascades):
        for beneath, card in zip((kernels.EMPTY, *column), column, strict=False):
            state[card], state[kernels.TOP + place] = beneath, card
    for place, card in enumerate(board.cells, start=kernels.COLUMNS):
        state[card], state[kernels.TOP + place] = kernels.CELL, card
    state[kernels.HOME :] = board.foundations
    return state
