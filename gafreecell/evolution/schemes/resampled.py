"""One population on new deals in every generation."""

from __future__ import annotations

from gafreecell.evolution.generation import Encounter, Moment
from gafreecell.evolution.job import Job
from gafreecell.evolution.schemes import Sampled
from gafreecell.evolution.schemes.sample_size import deals_met


class Resampled(Sampled):
    """All solvers of a generation meet the same sample; each generation draws a new one."""

    name = "resampled"

    @classmethod
    def words(cls, job: Job) -> str:
        return (
            f"In each generation all solvers meet {deals_met(job)}, drawn anew from the deals "
            f"{job.deals.train}."
        )

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        return self.sampled(moment, solvers)
