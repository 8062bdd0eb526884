"""Pancakes: sort a stack by turning over its top. The simplest search, in plain Python."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise

import numpy as np

from gafreecell import BaseGame, Feature

Row = tuple[int, ...]


class Pancakes(BaseGame):
    """Sort nine pancakes, the smallest on top; a move is the number of pancakes to turn over."""

    name = "pancakes"
    features = (
        Feature("misplaced", "pancakes that are not in their place", baseline=1.0),
        Feature("gaps", "neighbours that differ by more than one in size"),
        Feature("moves", "moves made so far"),
    )

    def deal(self, number: int) -> Row:
        return tuple(np.random.default_rng(number).permutation(9).tolist())

    def solve(self, deal: Row, weights: np.ndarray, nodes: int) -> tuple[list[str] | None, int]:
        queue: list[tuple[float, Row, Row]] = [(0.0, deal, ())]
        sizes, seen = sorted(deal), {deal}
        while queue:
            _, stack, moves = heappop(queue)
            if list(stack) == sizes:
                return list(map(str, moves)), len(seen)
            for count in range(2, len(stack) + 1):
                turned = stack[:count][::-1] + stack[count:]
                if turned not in seen and len(seen) < nodes:
                    seen.add(turned)
                    misplaced = sum(a != b for a, b in zip(turned, sizes, strict=True))
                    gaps = sum(abs(a - b) > 1 for a, b in pairwise(turned))
                    score = float(weights @ (misplaced, gaps, len(moves) + 1))
                    heappush(queue, (score, turned, (*moves, count)))
        return None, len(seen)
