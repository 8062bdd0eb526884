"""Operators of an author of one's own, who hands them in."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np


def halfway(first: Any, second: Any) -> tuple[Any, Any]:
    """In place, as DEAP's do; draws from both global generators."""
    for place in range(len(first)):
        share = random.random() * np.random.random()
        a, b = first[place], second[place]
        first[place], second[place] = a + share * (b - a), b + share * (a - b)
    return first, second


def step(individual: Any, rng: np.random.Generator, size: float = 0.5) -> tuple[np.ndarray]:
    """A new array, far beyond the ranges now and then; it draws from the generator it is given."""
    return (np.array(individual) + rng.normal(0, size, len(individual)),)


def any_of_the_best(
    individuals: Sequence[Any], k: int, rng: np.random.Generator, share: float = 0.5
) -> list[Any]:
    """Truncation selection."""
    ranked = sorted(individuals, key=lambda one: -one.value)
    best = ranked[: max(1, round(share * len(ranked)))]
    return [best[i] for i in rng.integers(len(best), size=k).tolist()]


def worst_case(individuals: Sequence[Any], k: int, cases: Sequence[Sequence[float]]) -> list[Any]:
    """Those whose worst case is the best."""
    order = sorted(range(len(individuals)), key=lambda place: -min(cases[place]))
    return [individuals[place] for place in order[:k]]
