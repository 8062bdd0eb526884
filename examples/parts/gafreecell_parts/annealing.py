"""Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) with many parallel walks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Annotated, ClassVar

import numpy as np

from gafreecell import BadInput, Game, Job, Learnt, Moment, Purpose, Result
from gafreecell.evolution.generation import Genome
from gafreecell.evolution.trainers import Population
from gafreecell.solving.settings import Between


@dataclass(frozen=True)
class Cooling:
    """The table ``[annealing]`` of a job.

    Attributes:
        temperature: the initial one: the loss that is accepted with probability 1/e.
        cooling: factor of the temperature for each generation.
        step: standard deviation of a step, as a share of the range.
    """

    temperature: Annotated[float, Between(1e-9, 9)] = 0.05
    cooling: Annotated[float, Between(0.01, 1)] = 0.9
    step: Annotated[float, Between(1e-9, 9)] = 0.1


class Annealing(Population):
    """Simulated annealing with two solvers for each walk: its present state and a candidate.

    Both are measured in the same generation, so fitness is never compared across generations.
    Both should also meet the same deals, as they do in all schemes except ``coevolution``
    with ``encounters = "own"``.
    """

    name = "annealing"
    tables: ClassVar = {"annealing": Cooling}

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        if job.solvers.population % 2:
            raise BadInput(
                f"solvers.population must be even for annealing, got {job.solvers.population}"
            )

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        keys, rng = self.setting.job.table(Cooling), moment.rng(Purpose.LEARNING)
        temperature = max(keys.temperature * keys.cooling ** (moment.generation - 1), 1e-12)
        self.solvers = []
        for here, there in zip(results[::2], results[1::2], strict=True):
            loss = max(here.fitness - there.fitness, 0.0)
            stand = there.solver if rng.random() < exp(-loss / temperature) else here.solver
            self.solvers += [stand, self._near(stand, rng)]
        best = max(results, key=lambda result: result.fitness)
        return Learnt(best.solver, {"temperature": temperature})

    def _near(self, solver: Genome, rng: np.random.Generator) -> Genome:
        low, high = np.array([(f.low, f.high) for f in self.setting.features]).T
        step = self.setting.job.table(Cooling).step
        steps = rng.normal(0, step, len(solver)) * (high - low)
        return tuple(np.clip(np.array(solver) + steps, low, high).tolist())
