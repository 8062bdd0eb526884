"""Schemes, which decide what deals the solvers meet: one module for each.

A scheme is registered under the entry point group ``gafreecell.schemes``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from deals.words import plural
from gafreecell.evolution.generation import Encounter, Moment, Part, Purpose, Result, Setting
from gafreecell.evolution.job import Job, JobError, check_sample
from gafreecell.evolution.schemes.racing import Racing, finishers
from gafreecell.evolution.schemes.sample_size import Sample, SampleSize, largest_sample
from gafreecell.solitaire.game import Deal, Game
from gafreecell.terminal.tables import Table

MOST_LISTED = 10
"""Deals that a table of a report shows."""
LEAST_COMPARED = 3
"""The fewest solvers for a correlation between deals; with two it is always 1 or -1."""


class Scheme(Part, ABC):
    """What decides which deals the solvers meet.

    As with a trainer, ``state`` holds all that it remembers between generations, and random
    numbers come from the moment's generators alone. A scheme is restored before ``ask`` and again
    before ``tell``, so what ``tell`` needs of ``ask`` goes into ``Encounter.met``. A scheme without
    memory needs only ``ask``.

    Attributes:
        races: whether solvers may meet only the first of their deals (``[racing]``).
        axis: the axis label of a figure of its problems' fitness, if it has a population of them.
        hint: what a reader of such a figure must know.
        to_share: what a job sets so that ``shares`` is true, if that depends on the job.
        adversarial: whether its problems evolve against the solvers.
    """

    tables: ClassVar = {"racing": Racing}
    races = False
    axis: str = "fitness"
    hint: str = ""
    to_share = ""
    adversarial = False

    @classmethod
    def suits(cls, job: Job, game: Game) -> None:
        super().suits(job, game)
        if job.table(Racing).rounds > 1 and not cls.races:
            raise JobError.at(
                "racing.rounds",
                f": solvers cannot race in the scheme {job.scheme!r}, which needs each "
                "solver's outcomes on all its deals: set racing.rounds = 1",
            )

    @classmethod
    def shares(cls, job: Job) -> bool:
        """Whether all solvers of a generation meet the same deals, which then compare them.

        Selections by cases need that. A scheme that does so overrides this.
        """
        return False

    @classmethod
    def remembered(cls, state: Mapping[str, Any], job: Job, run: str) -> Iterator[Table]:
        """What its state holds, as tables for the report of a run of some name."""
        yield from ()

    def found(self, moment: Moment) -> None:
        """Set up what the first generation needs."""
        return

    @abstractmethod
    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        """Choose what each of ``solvers`` solvers meets in this generation."""

    def tell(self, moment: Moment, results: Sequence[Result]) -> dict[str, Any] | None:
        """Learn from the solvers' results, which are in the order of ``ask``.

        Returns:
            The entry ``problems`` of this generation in the log; None without a population.
        """
        return None

    def state(self) -> dict[str, Any]:
        """All that it remembers between generations: plain numbers, strings, lists and mappings."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a state that ``state`` returned.

        Raises:
            KeyError, TypeError, ValueError: if it is not such a state.
        """
        return


class Sampled(Scheme):
    """A scheme in which all solvers meet the same sample of the pool (common random numbers)."""

    tables: ClassVar = {"sample": Sample}
    races = True

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.size = SampleSize(setting.job)

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse a pool that is smaller than a sample, and an impossible growth or maximum."""
        sample = job.table(Sample)
        check_sample(job, game, largest_sample(job))
        if sample.agreement:
            check_finishers(job, "sample.agreement above 0")
            if sample.most < sample.deals:
                raise JobError.at(
                    "sample.most",
                    f" must be at least sample.deals, {sample.deals}, got "
                    f"{sample.most}: with sample.agreement, samples start at sample.deals and "
                    "grow to sample.most",
                )

    @classmethod
    def shares(cls, job: Job) -> bool:
        return True

    def found(self, moment: Moment) -> None:
        """Refuse a pool of which earlier phases leave fewer deals than a sample."""
        left, needed = len(self.setting.pool), largest_sample(self.setting.job)
        if left < needed:
            raise JobError.at(
                "phases",
                f": the earlier ones leave {plural(left, 'deal')} of deals.train, fewer than "
                f"the {needed:,} of one sample: give a larger pool, or lower limits",
            )

    def tell(self, moment: Moment, results: Sequence[Result]) -> dict[str, Any] | None:
        self.size.learn(results, self.setting.game.scales)
        return None

    def state(self) -> dict[str, Any]:
        return self.size.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        self.size.restore(state)

    def sampled(self, moment: Moment, solvers: int) -> list[Encounter]:
        """The moment's sample, once for each solver."""
        return [Encounter(self.drawn(moment, self.size.of(moment.generation)))] * solvers

    def drawn(self, moment: Moment, deals: int) -> tuple[Deal, ...]:
        """Draw this number of distinct deals from the pool."""
        pool = self.setting.pool
        picks = moment.rng(Purpose.SAMPLING).choice(len(pool), size=deals, replace=False)
        return tuple(pool[i] for i in picks.tolist())


def check_finishers(job: Job, what: str) -> None:
    """Raise ``JobError`` if too few solvers finish the job's race for ``what`` to compare them."""
    rules, population = job.table(Racing), job.solvers.population
    found = finishers(population, largest_sample(job), rules)
    if rules.rounds > 1 and found < LEAST_COMPARED:
        raise JobError.at(
            "racing",
            f": {what} compares solvers that met all deals, at least {LEAST_COMPARED}, and "
            f"of {population} (solvers.population) only {found} would after {rules.rounds} rounds "
            f"(racing.rounds) from which a share of {rules.share:g} goes on (racing.share): raise "
            "the population or the share, or take fewer rounds",
        )
