"""Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) with many parallel walks."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import numpy as np

from gafreecell import BadInput, Game, Job, Learnt, Moment, Parameter, Purpose, Result
from gafreecell.evolution.generation import Genome
from gafreecell.evolution.trainers import Population


class Annealing(Population):
    """Simulated annealing with two solvers for each walk: its present state and a candidate.

    Both are measured in the same generation, so fitness is never compared across generations.
    Both should also meet the same problems, as they do in all schemes except ``coevolution``
    with ``encounters = "own"``.
    """

    name = "annealing"
    parameters = (
        Parameter("temperature", 0.05, "initial: the loss accepted with probability 1/e", 1e-9, 9),
        Parameter("cooling", 0.9, "factor of the temperature for each generation", 0.01, 1),
        Parameter("step", 0.1, "standard deviation of a step, as a share of the range", 1e-9, 9),
    )

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        if job.solvers.population % 2:
            raise BadInput(
                f"solvers.population must be even for annealing, got {job.solvers.population}"
            )

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        rng = moment.rng(Purpose.LEARNING)
        cooled = float(self.values["cooling"]) ** (moment.generation - 1)
        temperature = max(float(self.values["temperature"]) * cooled, 1e-12)
        self.solvers = []
        for here, there in zip(results[::2], results[1::2], strict=True):
            loss = max(here.fitness - there.fitness, 0.0)
            stand = there.solver if rng.random() < exp(-loss / temperature) else here.solver
            self.solvers += [stand, self._near(stand, rng)]
        best = max(results, key=lambda result: result.fitness)
        return Learnt(best.solver, {"temperature": temperature})

    def _near(self, solver: Genome, rng: np.random.Generator) -> Genome:
        low, high = np.array([(f.low, f.high) for f in self.setting.features]).T
        step = rng.normal(0, float(self.values["step"]), len(solver)) * (high - low)
        return tuple(np.clip(np.array(solver) + step, low, high).tolist())
