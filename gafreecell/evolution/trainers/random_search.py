"""Random search, the control that every other trainer has to beat."""

from __future__ import annotations

from collections.abc import Sequence

from gafreecell.evolution.generation import Learnt, Moment, Purpose, Result
from gafreecell.evolution.job import Job
from gafreecell.evolution.populations import Individual
from gafreecell.evolution.trainers import Population


class RandomSearch(Population):
    """Draws the solvers of every generation uniformly from the ranges of their weights."""

    name = "random"

    @classmethod
    def words(cls, job: Job) -> str:
        return (
            f"The trainer {cls.name} draws each generation at random. It learns nothing, so it is "
            "what every other trainer has to beat."
        )

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        best = max(results, key=lambda result: result.fitness).solver
        drawn = self.setting.uniform(len(results), moment.rng(Purpose.SOLVER_BREEDING))
        self.bear(map(Individual, drawn))
        return Learnt(best)
