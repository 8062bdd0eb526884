"""Heuristic crossover (Wright 1991): children beyond the better parent, away from the worse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def wright(
    first: Any, second: Any, rng: np.random.Generator, reach: float = 1.0
) -> tuple[Sequence[float], Sequence[float]]:
    """Two children on the line from the worse parent through the better one.

    Args:
        first, second: lists of weights with their fitness as ``value``.
        rng: the generator of all random numbers.
        reach: how far beyond the better parent they may lie, in distances between the parents.
    """
    worse, better = (np.array(one) for one in sorted((first, second), key=lambda one: one.value))
    near, far = (better + step * (better - worse) for step in rng.uniform(0, reach, size=2))
    return near.tolist(), far.tolist()
