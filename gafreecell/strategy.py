"""CMA-ES as a trainer: the solvers are drawn from a distribution that follows the best.

The covariance matrix adaptation itself is the package ``cmaes`` (Hansen 2016
describes it). Here it works on weights scaled to [0, 1] by their ranges, and
its state is plain numbers, so that a run saves and resumes it to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gafreecell.populations import Draw


@dataclass(frozen=True)
class Strategy:
    """The distribution that solvers are drawn from, and how it got there.

    Attributes:
        mean: of each scaled weight.
        spread: standard deviation that all directions share.
        covariance: row by row.
        step_path, covariance_path: the evolution paths, a number a weight.
        updates: how often it was updated.
    """

    mean: list[float]
    spread: float
    covariance: list[list[float]]
    step_path: list[float]
    covariance_path: list[float]
    updates: int = 0


def begin(start: Sequence[float], spread: float) -> Strategy:
    """The strategy of a new run: around scaled weights, the same spread in every direction."""
    size = len(start)
    return Strategy(list(start), spread, np.eye(size).tolist(), [0.0] * size, [0.0] * size)


def draw(strategy: Strategy, population: int, rng: Draw) -> list[list[float]]:
    """So many scaled genomes, all within [0, 1]."""
    sampler = _restored(strategy, population, rng)
    return [sampler.ask().tolist() for _ in range(population)]


def follow(
    strategy: Strategy, genomes: Sequence[Sequence[float]], fitness: Sequence[float], rng: Draw
) -> Strategy:
    """The strategy after it has seen how fit its genomes are; larger is fitter."""
    learner = _restored(strategy, len(genomes), rng)
    learner.tell([(np.array(g), -value) for g, value in zip(genomes, fitness, strict=True)])
    return Strategy(
        learner._mean.tolist(),
        float(learner._sigma),
        learner._C.tolist(),
        learner._p_sigma.tolist(),
        learner._pc.tolist(),
        int(learner._g),
    )


def _restored(strategy: Strategy, population: int, rng: Draw) -> Any:
    """The package's object in the strategy's state, which it has no public way to set."""
    # It takes a second to load, and only this trainer needs it.
    from cmaes import CMA

    size = len(strategy.mean)
    made: Any = CMA(
        mean=np.array(strategy.mean),
        sigma=strategy.spread,
        bounds=np.array([[0.0, 1.0]] * size),
        seed=int(rng.integers(2**32)),
        population_size=population,
        cov=np.array(strategy.covariance),
    )
    made._p_sigma = np.array(strategy.step_path)
    made._pc = np.array(strategy.covariance_path)
    made._g = strategy.updates
    return made
