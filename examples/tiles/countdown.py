"""A game in ten lines: take matches away, at most nine at a time."""

import numpy as np

from gafreecell import BaseGame, Feature


class Countdown(BaseGame):
    """The weight says how many matches a move takes."""

    name = "countdown"
    features = (Feature("stride", "matches to take", 0, 10, baseline=1),)

    def deal(self, number: int) -> int:
        return 10 * number

    def solve(self, deal: int, weights: np.ndarray, nodes: int) -> tuple[list[str] | None, int]:
        moves = -(-deal // max(1, min(round(weights[0]), 9)))
        return (["take"] * moves, moves) if moves <= nodes else (None, nodes)
