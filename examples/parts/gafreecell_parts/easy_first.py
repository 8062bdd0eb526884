"""A curriculum: easy deals first, harder ones later."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from gafreecell import Encounter, Game, Job, Moment, Parameter, Purpose, Scheme
from gafreecell.game import Problem
from gafreecell.job import check_sample
from gafreecell.measures import baseline_counts


class EasyFirst(Scheme):
    """A window on the deals, in the order of the baseline's nodes, that slides to the hard end.

    All solvers of a generation meet the same sample of the window. Where it stands follows
    from the generation's number alone, so there is nothing to remember; the job's total of
    generations must not decide it, since a run can be resumed with another total.
    """

    name = "easy-first"
    parameters = (
        Parameter("window", 100, "deals that a sample is drawn from", 1, 1_000_000),
        Parameter("pace", 20, "deals by which the window moves on each generation", 0, 1_000_000),
    )

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        check_sample(job, game, job.sample.deals)

    @cached_property
    def _by_difficulty(self) -> Sequence[Problem]:
        pool = self.setting.pool
        counts = baseline_counts(self.setting.baseline(pool))
        return [pool[place] for place in sorted(range(len(pool)), key=counts.__getitem__)]

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        deals, size = self._by_difficulty, self.setting.job.sample.deals
        window = min(max(int(self.values["window"]), size), len(deals))
        start = min(int(self.values["pace"]) * (moment.generation - 1), len(deals) - window)
        picks = moment.rng(Purpose.SAMPLING).choice(window, size, replace=False)
        return [Encounter(tuple(deals[start + pick] for pick in picks.tolist()))] * solvers
