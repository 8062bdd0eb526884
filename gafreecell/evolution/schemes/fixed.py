"""One population on the same deals in every generation."""

from __future__ import annotations

from gafreecell.evolution.generation import Encounter, Moment
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.schemes import Sampled
from gafreecell.evolution.schemes.sample_size import Sample, deals_met
from gafreecell.solitaire.game import Game


class Fixed(Sampled):
    """All solvers of all generations meet the same sample."""

    name = "fixed"
    unread = ("sample.growth", "sample.agreement")

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse samples that would change."""
        super().check(job, game)
        sample = job.table(Sample)
        if sample.growth or sample.agreement:
            raise JobError.at(
                "sample",
                f": growth and agreement change the number of deals, but the scheme {cls.name!r} "
                "keeps its deals: drop them (or set sample.growth = {} and sample.agreement = 0), "
                "or use 'resampled'",
            )

    @classmethod
    def words(cls, job: Job) -> str:
        return (
            f"In every generation all solvers meet the same {deals_met(job)}, drawn from the deals "
            f"{job.deals.train}."
        )

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        return self.sampled(Moment(moment.seed, 0), solvers)
