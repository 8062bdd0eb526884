"""How many deals a generation meets: a fixed number, a growing one, or as many as needed.

Early solvers differ a lot, so few deals tell them apart; late ones differ little.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Annotated, Any, ClassVar

import numpy as np

from deals.checks import whole
from deals.words import plural
from gafreecell.evolution.generation import Result
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.measures.relative import Matrix, complete, log_costs, relative
from gafreecell.solving.features import Scales
from gafreecell.solving.settings import Between

_DEALS = Between(1, 100_000)
SMOOTHING = 0.3
"""Weight of the present generation in the smoothed agreement."""


@dataclass(frozen=True)
class Sample:
    """How many deals all solvers of a generation meet, in schemes without sets of deals.

    Attributes:
        deals: deals that every solver of a generation meets.
        growth: the number of deals from a generation on: ``{41 = 10, 61 = 20}`` for 10 from
            generation 41 and 20 from generation 61. Each number exceeds the one before it, and
            ``deals``. Early solvers differ a lot, so few deals tell them apart.
        agreement: grow the sample by a quarter whenever the ranking of the solvers is less reliable
            than this. The reliability is the expected correlation with their ranking on another
            sample of this size, estimated from the two halves of the sample (split-half
            correlation). 0: never. Values from 0.5 to 0.8 make sense.
        most: the largest number of deals that ``agreement`` can reach; at least ``deals``.
    """

    refused: ClassVar[tuple[str, ...]] = ("growth", "agreement")
    deals: Annotated[int, _DEALS] = 10
    growth: Mapping[str, Any] = field(default_factory=dict)
    agreement: Annotated[float, Between(0, 1)] = 0.0
    most: Annotated[int, _DEALS] = 40


class SampleSize:
    """The number of deals of each generation, by the job's table ``[sample]``."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._rules = job.table(Sample)
        self._growth = growth_of(job)
        self._deals = self._rules.deals
        self._agreement: float | None = None

    def of(self, generation: int) -> int:
        """The number of deals that a generation meets."""
        if self._rules.agreement:
            return self._deals
        reached = [start for start in self._growth if start <= generation]
        return self._growth[max(reached)] if reached else self._rules.deals

    def learn(self, results: Sequence[Result], scales: Scales) -> None:
        """Grow the sample by a quarter if its halves disagree about the solvers."""
        rules, job = self._rules, self._job
        if not rules.agreement:
            return
        # In a race, only solvers that met all deals are ranked by both halves.
        logs = complete(log_costs(results, job.limits.nodes, job.fitness, scales))
        found = agreement(relative(logs, job.fitness.clip))
        before = found if self._agreement is None else self._agreement
        self._agreement = before + SMOOTHING * (found - before)
        if self._agreement < rules.agreement and self._deals < rules.most:
            self._deals = min(ceil(1.25 * self._deals), rules.most)
            # The agreement of smaller samples says nothing about larger ones.
            self._agreement = None

    def state(self) -> dict[str, Any]:
        """The state to keep between two generations."""
        if not self._rules.agreement:
            return {}
        return {"deals": self._deals, "agreement": self._agreement}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state; ``KeyError`` or ``ValueError`` if it is invalid."""
        if not self._rules.agreement:
            return
        deals, found = state["deals"], state["agreement"]
        if whole(deals) is None or not 1 <= deals <= self._rules.most:
            raise ValueError(f"a sample cannot have {deals!r} deals")
        self._deals, self._agreement = deals, None if found is None else float(found)


def agreement(costs: Matrix) -> float:
    """How well these deals' ranking of the solvers would agree with another sample's.

    This is the correlation between the halves of the sample, extrapolated to its full length
    (Spearman 1910, Brown 1910); 0 if it is negative or unknown.

    Args:
        costs: relative costs, one row a solver; NaN for deals that a solver did not meet.
    """
    rows = complete(costs)
    if rows.shape[0] < 3 or rows.shape[1] < 2:
        return 0.0
    halves = rows[:, ::2].mean(axis=1), rows[:, 1::2].mean(axis=1)
    if min(half.std() for half in halves) == 0:
        return 0.0
    found = max(float(np.corrcoef(*halves)[0, 1]), 0.0)
    return 2 * found / (1 + found)


def growth_of(job: Job) -> dict[int, int]:
    """The job's growth: the number of deals by the generation from which it holds.

    Raises:
        JobError: naming the invalid entry.
    """
    found, sample = {}, job.table(Sample)
    for key, deals in sample.growth.items():
        # One spelling for each number, so that no generation is given twice.
        number = isinstance(key, str) and re.fullmatch("[1-9][0-9]{0,5}|1000000", key)
        if not number or type(deals) is not int or not 1 <= deals <= 100_000:
            raise JobError.at(
                "sample.growth",
                " must map numbers of generations, 1 to 1,000,000, to numbers "
                f"of deals, as in {{41 = 10, 61 = 20}}, got {key!r:.40} = {deals!r:.40}",
            )
        found[int(key)] = deals
    if found and sample.agreement:
        raise JobError.at(
            "sample.growth", " and sample.agreement both set the number of deals: drop one"
        )
    before = sample.deals
    for generation, deals in sorted(found.items()):
        if deals <= before:
            raise JobError.at(
                "sample.growth",
                f": samples must grow, from {before} deals to more than that in "
                f"generation {generation}, got {deals}; each number counts all deals",
            )
        before = deals
    return found


def largest_sample(job: Job) -> int:
    """The largest number of deals that a generation can meet."""
    sample = job.table(Sample)
    most = sample.most if sample.agreement else 0
    return max(sample.deals, most, *growth_of(job).values(), 0)


def deals_met(job: Job) -> str:
    """How many deals a generation meets, in words."""
    first, most = job.table(Sample).deals, largest_sample(job)
    return plural(first, "deal") if first == most else f"{first} to {plural(most, 'deal')}"
