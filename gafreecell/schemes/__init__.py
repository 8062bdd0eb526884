"""Which problems the solvers meet: a module for each scheme.

A scheme is registered under the entry point group ``gafreecell.schemes``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from deals.words import plural
from gafreecell.game import Game, Problem
from gafreecell.generation import Encounter, Moment, Part, Purpose, Result, Setting
from gafreecell.job import Job, JobError, check_sample
from gafreecell.racing import finishers
from gafreecell.sample_size import SampleSize, largest_sample

LEAST_COMPARED = 3
"""Solvers that a correlation between problems takes: of two it is 1 or -1."""


class Scheme(Part, ABC):
    """What decides which problems the solvers meet.

    As with a trainer, ``state`` holds all that is remembered between generations, and random
    numbers come from the moment's generators alone. A scheme is restored before it is asked
    and again before it is told: what ``tell`` needs of ``ask`` goes into ``Encounter.met``. A
    scheme without memory need only ``ask``.

    Attributes:
        races: whether solvers may meet only the first of their problems (``[racing]``).
        axis: what a figure's axis says of its problems' fitness, if it has a population of them.
        adversarial: whether its problems evolve against the solvers.
    """

    races = False
    axis: str = "fitness"
    adversarial = False

    @classmethod
    def shares(cls, job: Job) -> bool:
        """Whether all solvers of a generation meet the same problems, so that these compare them.

        Selections by cases need that. A scheme of which it holds says so.
        """
        return False

    def found(self, moment: Moment) -> None:
        """Make what there is before the first generation."""
        return

    @abstractmethod
    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        """What each of so many solvers meets in this generation."""

    def tell(self, moment: Moment, results: Sequence[Result]) -> dict[str, Any] | None:
        """Learn what became of the solvers, in their order.

        Returns:
            What the log's ``problems`` says of this generation; None without a population.
        """
        return None

    def state(self) -> dict[str, Any]:
        """All that it is between two generations: plain numbers, words, lists and mappings."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Become what ``state`` described.

        Raises:
            KeyError, TypeError, ValueError: if that cannot be such a state.
        """
        return


class Sampled(Scheme):
    """A scheme in which all solvers meet the same sample of the pool (common random numbers)."""

    races = True

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.size = SampleSize(setting.job)

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse a pool that is smaller than a sample, and a growth or a most that cannot be."""
        check_sample(job, game, largest_sample(job))
        if job.sample.agreement:
            check_finishers(job, "sample.agreement above 0")
            if job.sample.most < job.sample.deals:
                raise JobError(
                    f"sample.most must be at least sample.deals, {job.sample.deals}, got "
                    f"{job.sample.most}: with sample.agreement samples start at the one and grow "
                    "to the other"
                )

    @classmethod
    def shares(cls, job: Job) -> bool:
        return True

    def found(self, moment: Moment) -> None:
        """Refuse a pool of which earlier phases leave less than a sample."""
        left, needed = len(self.setting.pool), largest_sample(self.setting.job)
        if left < needed:
            raise JobError(
                f"phases: the earlier ones leave {plural(left, 'deal')} of deals.train, fewer than "
                f"the {needed:,} of one sample: give a larger pool, or lower limits"
            )

    def tell(self, moment: Moment, results: Sequence[Result]) -> dict[str, Any] | None:
        self.size.learn(results, self.setting.game.scales)
        return None

    def state(self) -> dict[str, Any]:
        return self.size.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        self.size.restore(state)

    def sampled(self, moment: Moment, solvers: int) -> list[Encounter]:
        """The moment's sample, for each of so many solvers."""
        return [Encounter(self.drawn(moment, self.size.of(moment.generation)))] * solvers

    def drawn(self, moment: Moment, deals: int) -> tuple[Problem, ...]:
        """So many distinct problems of the pool."""
        pool = self.setting.pool
        picks = moment.rng(Purpose.SAMPLING).choice(len(pool), size=deals, replace=False)
        return tuple(pool[i] for i in picks.tolist())


def check_finishers(job: Job, what: str) -> None:
    """Raise ``JobError`` if too few solvers finish the job's race for what compares those."""
    rules, population = job.racing, job.solvers.population
    found = finishers(population, largest_sample(job), rules)
    if rules.rounds > 1 and found < LEAST_COMPARED:
        raise JobError(
            f"racing: {what} compares solvers that met all deals, at least {LEAST_COMPARED}, and "
            f"of {population} (solvers.population) only {found} would after {rules.rounds} rounds "
            f"(racing.rounds) from which a share of {rules.share:g} goes on (racing.share): raise "
            "the population or the share, or take fewer rounds"
        )
