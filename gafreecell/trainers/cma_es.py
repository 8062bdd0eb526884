"""CMA-ES as a trainer: the solvers are drawn from a distribution that follows the best.

The covariance matrix adaptation itself is the package ``cmaes`` (Hansen 2016
describes it). Here it works on weights scaled to [0, 1] by their ranges, and
its state is plain numbers, so that a run saves and resumes it to the bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gafreecell.game import Game
from gafreecell.generation import Genome, Learnt, Moment, Purpose, Result
from gafreecell.job import Job, JobError
from gafreecell.populations import Draw
from gafreecell.trainers import Population


class CmaEs(Population):
    """Draws the solvers from a normal distribution that follows the fittest."""

    name = "cma-es"
    _strategy: Strategy

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse a start with unknown features or weights out of their ranges."""
        ranges = {feature.name: (feature.low, feature.high) for feature in game.features}
        features = job.trained.features
        for name, weight in job.cma.start.items():
            if name not in features:
                raise JobError(
                    f"cma.start: {name!r} is not one of the trained {', '.join(features)}"
                )
            low, high = ranges[name]
            if type(weight) not in (int, float) or not low <= weight <= high:
                raise JobError(f"cma.start: {name} must be {low:g} to {high:g}, got {weight!r}")

    def found(self, moment: Moment) -> None:
        """Draw solvers around the start, or the middle of the weights' ranges."""
        settings, features = self.setting.job.cma, self.setting.features
        start = [settings.start.get(f.name, (f.low + f.high) / 2) for f in features]
        self._strategy = begin(self._scaled(start), settings.sigma)
        self._draw(self.setting.job.solvers.population, moment.rng(Purpose.FOUNDING))

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        genomes = [self._scaled(result.solver) for result in results]
        values = [result.fitness for result in results]
        self._strategy = follow(self._strategy, genomes, values, moment.rng(Purpose.LEARNING))
        self._draw(len(results), moment.rng(Purpose.SOLVER_BREEDING))
        # The centre is less a matter of luck than the luckiest of those drawn.
        return Learnt(self._unscaled(self._strategy.mean))

    def state(self) -> dict[str, Any]:
        return {**super().state(), "strategy": asdict(self._strategy)}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self._strategy = Strategy(**state["strategy"])
        if len(self._strategy.mean) != len(self.setting.features):
            raise ValueError("its strategy has another number of weights than the job")

    def _draw(self, count: int, rng: Draw) -> None:
        self.solvers = [self._unscaled(genome) for genome in draw(self._strategy, count, rng)]

    def _scaled(self, weights: Sequence[float]) -> list[float]:
        return [
            min(max((w - f.low) / (f.high - f.low), 0.0), 1.0)
            for f, w in zip(self.setting.features, weights, strict=True)
        ]

    def _unscaled(self, genome: Sequence[float]) -> Genome:
        features = self.setting.features
        return tuple(f.low + x * (f.high - f.low) for f, x in zip(features, genome, strict=True))


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
