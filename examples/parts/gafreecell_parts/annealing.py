"""Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983), many walks side by side."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import numpy as np

from gafreecell import BadInput, Game, Job, Learnt, Moment, Parameter, Purpose, Result
from gafreecell.generation import Genome
from gafreecell.trainers import Population


class Annealing(Population):
    """Half as many walks as solvers: where each walk stands, and where it may go next.

    Both are measured on the present problems, so fitness of other generations is never
    compared. For the same reason both should meet the same ones, as in all schemes but
    ``coevolution`` with encounters of their own.
    """

    name = "annealing"
    parameters = (
        Parameter("temperature", 0.05, "at first: the loss that is taken once in e times", 1e-9, 9),
        Parameter("cooling", 0.9, "the share of it that each generation leaves", 0.01, 1),
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
