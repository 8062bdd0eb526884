"""CMA-ES as a trainer: the solvers are drawn from a distribution that follows the best.

The algorithm is described in Hansen 2016. The distribution (``cma_strategy``) works on weights
scaled to [0, 1] by their ranges, linearly or, if the job says so, by a cosine. The best weights
often lie close to an end of their range. Genomes drawn beyond the end are drawn again, which pushes
the centre away from it. The cosine takes small steps there, so it pushes less.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from gafreecell.evolution.generation import (
    Genome,
    Learnt,
    Moment,
    Purpose,
    Result,
    trained_features,
)
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.populations import Draw, Individual
from gafreecell.evolution.trainers import Population
from gafreecell.evolution.trainers.cma_strategy import Strategy, begin, draw, follow
from gafreecell.solitaire.game import Game
from gafreecell.solving.settings import Between, OneOf


@dataclass(frozen=True)
class Cma:
    """CMA-ES: the size of its population is that of the solvers.

    Attributes:
        sigma: initial standard deviation, as a share of each weight's range (or of the cosine
            scale). The population's size is that of ``[solvers]``.
        start: weights to start around, ``{HSDH = 0.4}``; a feature that is not named starts in
            the middle of its range. With ``rules-gp``, all rules start from them.
        scale: (``cma-es``) the scale on which weights are drawn within their ranges:
            ``linear``, or ``cosine``, on which equal steps become small near both ends. The
            best weights often lie there.
    """

    refused: ClassVar[tuple[str, ...]] = ("scale",)
    sigma: Annotated[float, Between(1e-6, 10)] = 0.3
    start: Mapping[str, Any] = field(default_factory=dict)
    scale: Annotated[str, OneOf(("linear", "cosine"))] = "linear"


def check_start(job: Job, game: Game, features: Sequence[str], known: str) -> None:
    """Refuse a start with unknown features or weights out of their ranges.

    Args:
        features: those that can be named.
        known: what says which these are, after "is not one of".

    Raises:
        JobError: naming the feature.
    """
    ranges = {one.name: (one.low, one.high) for one in trained_features(job, game)}
    for name, weight in job.table(Cma).start.items():
        if name not in features:
            raise JobError.at("cma.start", f": {name!r} is not one of {known}")
        low, high = ranges[name]
        if type(weight) not in (int, float) or not low <= weight <= high:
            raise JobError.at("cma.start", f": {name} must be {low:g} to {high:g}, got {weight!r}")


class CmaEs(Population):
    """Draws the solvers from a normal distribution that follows the fittest."""

    name = "cma-es"
    stands = "centre"
    tables: ClassVar = {"cma": Cma}
    _strategy: Strategy

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse a start with unknown features or weights out of their ranges."""
        check_start(job, game, job.genes, f"the trained {', '.join(job.genes)}")

    @classmethod
    def words(cls, job: Job) -> str:
        return (
            f"The trainer {cls.name} draws each generation from a normal distribution, and moves "
            "the distribution towards the fittest of them."
        )

    @classmethod
    def differences(cls, state: Mapping[str, Any]) -> str:
        return Strategy.from_document(state["strategy"]).differences()

    def found(self, moment: Moment) -> None:
        """Draw solvers around the start, or the middle of the weights' ranges."""
        settings, features = self.setting.job.table(Cma), self.setting.features
        # A rule's weights start where the default's do.
        named = [settings.start.get(f.name.rpartition(".")[2]) for f in features]
        start = [
            settings.start.get(f.name, (f.low + f.high) / 2 if at is None else at)
            for f, at in zip(features, named, strict=True)
        ]
        self._strategy = begin(self._scaled(start), settings.sigma)
        self._draw(self.setting.job.solvers.population, moment.rng(Purpose.FOUNDING))

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        genomes = [self._scaled(result.solver) for result in results]
        values = [result.fitness for result in results]
        self._strategy = follow(self._strategy, genomes, values)
        self._draw(len(results), moment.rng(Purpose.SOLVER_BREEDING))
        # The centre owes less to luck than the fittest of those drawn.
        return Learnt(self._unscaled(self._strategy.mean))

    def state(self) -> dict[str, Any]:
        return {**super().state(), "strategy": self._strategy.as_document()}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self._strategy = Strategy.from_document(state["strategy"])
        if len(self._strategy.mean) != len(self.setting.features):
            raise ValueError("its strategy and the job differ in the number of weights")

    def _draw(self, count: int, rng: Draw) -> None:
        self.bear(Individual(self._unscaled(one)) for one in draw(self._strategy, count, rng))

    def _scaled(self, weights: Sequence[float]) -> list[float]:
        shares = [
            min(max((w - f.low) / (f.high - f.low), 0.0), 1.0)
            for f, w in zip(self.setting.features, weights, strict=True)
        ]
        if self.setting.job.table(Cma).scale == "cosine":
            return [math.acos(1 - 2 * share) / math.pi for share in shares]
        return shares

    def _unscaled(self, genome: Sequence[float]) -> Genome:
        if self.setting.job.table(Cma).scale == "cosine":
            genome = [(1 - math.cos(math.pi * x)) / 2 for x in genome]
        features = self.setting.features
        return tuple(f.low + x * (f.high - f.low) for f, x in zip(features, genome, strict=True))
