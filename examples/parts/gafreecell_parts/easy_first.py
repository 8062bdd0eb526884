"""A curriculum: easy deals first, harder ones later."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from gafreecell import Encounter, Game, Job, Moment, Parameter, Purpose, Scheme
from gafreecell.evolution.job import check_sample
from gafreecell.evolution.measures import baseline_counts
from gafreecell.evolution.schemes.sample_size import Sample
from gafreecell.solitaire.game import Deal


class EasyFirst(Scheme):
    """A window that slides over the deals, ordered by the baseline's nodes, from easy to hard.

    All solvers of a generation meet the same sample of the window. The position of the window
    depends only on the number of the generation, so there is no state to save. It must not
    depend on the job's total of generations, since a run can be resumed with another total.
    """

    name = "easy-first"
    baseline = True
    parameters = (
        Parameter("window", 100, "deals from which a sample is drawn", 1, 1_000_000),
        Parameter("pace", 20, "deals by which the window moves in a generation", 0, 1_000_000),
    )

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        check_sample(job, game, job.table(Sample).deals)

    @cached_property
    def _by_difficulty(self) -> Sequence[Deal]:
        pool = self.setting.pool
        counts = baseline_counts(self.setting.baseline(pool))
        return [pool[place] for place in sorted(range(len(pool)), key=counts.__getitem__)]

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        deals, size = self._by_difficulty, self.setting.job.table(Sample).deals
        window = min(max(int(self.values["window"]), size), len(deals))
        start = min(int(self.values["pace"]) * (moment.generation - 1), len(deals) - window)
        picks = moment.rng(Purpose.SAMPLING).choice(window, size, replace=False)
        return [Encounter(tuple(deals[start + pick] for pick in picks.tolist()))] * solvers
