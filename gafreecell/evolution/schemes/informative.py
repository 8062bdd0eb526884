"""Informative deals, which rank solvers as all others do at a low price, are met again.

Problems that evolve to be hard cost the most and rank solvers the worst, as luck decides on hard
deals. Here the fitness of a deal is how well it predicts the ranking by all other deals of the same
generation (fitness predictors: Schmidt and Lipson 2008; informative tests: Boldi et al. 2024), less
its price and its likeness to the deals chosen before it. At least half of each generation's deals
are new, and no deal is met for longer than the age limit. So solvers cannot settle on a few deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import ceil
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deals.words import plural
from gafreecell.evolution.generation import Encounter, Moment, Purpose, Result, Setting
from gafreecell.evolution.job import Job, JobError, training_pool
from gafreecell.evolution.measures.relative import complete, informativeness, log_costs, relative
from gafreecell.evolution.populations import quantiles
from gafreecell.evolution.schemes import (
    LEAST_COMPARED,
    MOST_LISTED,
    Sampled,
    check_finishers,
)
from gafreecell.evolution.schemes.sample_size import deals_met, largest_sample
from gafreecell.solitaire.game import Deal, Game
from gafreecell.solving.settings import Between
from gafreecell.terminal.tables import Table


@dataclass
class Known:
    """A deal that solvers have met.

    Attributes:
        deal: the deal.
        born: the first generation that met it.
        met: how many generations met it.
        told: the sum over these generations of the correlation between its costs and those of all
            other deals, plus once that of the average deal, so that a lucky first one counts half.
        price: the sum over these generations of its log nodes less the mean of all their deals.
        generation: the last generation that met it.
        rest: what its costs told there that the other deals' costs did not, one number for each
            solver.
    """

    deal: Deal
    born: int
    met: int
    told: float
    price: float
    generation: int
    rest: list[float]

    def worth(self, price: float) -> float:
        """How much it tells of the solvers, less what it costs."""
        return self.told / (self.met + 1) - price * self.price / max(self.met, 1)


@dataclass(frozen=True)
class Memory:
    """The scheme ``informative``: deals that tell solvers apart are met again.

    Attributes:
        population: the number of deals that are remembered.
        fresh: the smallest share of a generation's deals that are new, that is, not remembered.
            ``deals.train`` must hold as many deals as can be remembered, plus the new ones: 55
            with the defaults.
        age: generations after which a deal is forgotten.
        price: penalty of a deal that takes e = 2.718 times the nodes of the others, in units of
            correlation.
        likeness: penalty of a deal that ranks solvers exactly as a deal chosen before it does.
    """

    population: Annotated[int, Between(1, 100_000)] = 50
    fresh: Annotated[float, Between(0.5, 1)] = 0.5
    age: Annotated[int, Between(1, 1_000_000)] = 10
    price: Annotated[float, Between(0, 100)] = 0.1
    likeness: Annotated[float, Between(0, 100)] = 0.1


class Informative(Sampled):
    """At least half of the deals are new; the others are the known ones that are worth most."""

    name = "informative"
    tables: ClassVar = {**Sampled.tables, "informative": Memory}
    axis = "how well a deal ranks the solvers, less its price (higher is better)"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._known: list[Known] = []

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse races that too few finish, and a pool too small for new deals."""
        super().check(job, game)
        check_finishers(job, f"the scheme {cls.name}")
        _check_pool(job, len(training_pool(job, game)), "deals.train holds")

    @classmethod
    def words(cls, job: Job) -> str:
        fresh = 100 * job.table(Memory).fresh
        return (
            f"In each generation all solvers meet {deals_met(job)} of the deals {job.deals.train}. "
            f"At least {fresh:.3g} % of them are new; the others are earlier ones that rank "
            "solvers well and cost few nodes."
        )

    @classmethod
    def remembered(cls, state: Mapping[str, Any], job: Job, run: str) -> Iterator[Table]:
        known = [Known(**kept) for kept in state.get("known", ())]
        if not known:
            return
        yield Table(
            f"The deals that {run} remembers at the end, the most valuable first",
            ["deal", "informativeness", "generations that met it", "first met in generation"],
            [
                [str(one.deal), f"{one.worth(0.0):.2f}", f"{one.met}", f"{one.born}"]
                for one in known[:MOST_LISTED]
            ],
            [
                "Informativeness: how well the deal ranks the solvers as the other deals do, up to "
                "1."
            ],
        )

    def found(self, moment: Moment) -> None:
        """Refuse a pool of which earlier phases leave too few for new deals."""
        super().found(moment)
        _check_pool(self.setting.job, len(self.setting.pool), "the earlier phases leave")

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        size = self.size.of(moment.generation)
        again = [one.deal for one in self._chosen(met_again(size, self.setting.job))]
        met = [*again, *self._new(moment, size, size - len(again))]
        # Mixed, so that halves and rounds of the generation are samples of both kinds.
        order = moment.rng(Purpose.MEETING).permutation(size)
        return [Encounter(tuple(met[i] for i in order.tolist()))] * solvers

    def tell(self, moment: Moment, results: Sequence[Result]) -> dict[str, Any]:
        super().tell(moment, results)
        job, scales = self.setting.job, self.setting.game.scales
        rules = job.table(Memory)
        # Only solvers that met all deals: in a race the others met fewer.
        logs = complete(log_costs(results, job.limits.nodes, job.fitness, scales))
        costs = relative(logs, job.fitness.clip)
        rest, deals = _rests(costs), max((one.encounter.deals for one in results), key=len)
        told = informativeness(costs) if len(rest) >= LEAST_COMPARED else np.zeros(len(deals))
        prices = logs.mean(axis=0) - logs.mean()
        known = {one.deal: one for one in self._known}
        again = [deal in known for deal in deals]
        for place, deal in enumerate(deals):
            new = Known(deal, moment.generation, 0, float(told.mean()), 0.0, 0, [])
            met = known.setdefault(deal, new)
            met.met += 1
            met.told += float(told[place])
            met.price += float(prices[place])
            met.generation = moment.generation
            met.rest = rest[:, place].tolist()
        young = [one for one in known.values() if moment.generation - one.born < rules.age - 1]
        young.sort(key=lambda one: -one.worth(rules.price))
        self._known = young[: rules.population]
        worths = [known[deal].worth(rules.price) for deal in deals]
        return {**quantiles(worths), "met_again": sum(again)}

    def state(self) -> dict[str, Any]:
        return {**super().state(), "known": [asdict(one) for one in self._known]}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self._known = [Known(**kept) for kept in state["known"]]
        if not all(isinstance(one.deal, int | str) for one in self._known):
            raise ValueError("a deal is a number or a name")

    def _new(self, moment: Moment, size: int, count: int) -> list[Deal]:
        """Deals that are not remembered, from the generation's sample as far as it has enough."""
        known = {one.deal for one in self._known}
        new = [one for one in self.drawn(moment, size) if one not in known][:count]
        if len(new) < count:
            # More deals in place of those that are remembered.
            taken = known.union(new)
            more = self.drawn(moment, min(count - len(new) + len(taken), len(self.setting.pool)))
            new += [one for one in more if one not in taken][: count - len(new)]
        return new

    def _chosen(self, most: int) -> list[Known]:
        """The deals to meet again, chosen one by one: each is worth most beside those before it."""
        rules = self.setting.job.table(Memory)
        left, chosen = list(self._known), list[Known]()
        while left and len(chosen) < most:
            worths = [
                one.worth(rules.price)
                - rules.likeness * max((_likeness(one, other) for other in chosen), default=0.0)
                for one in left
            ]
            chosen.append(left.pop(int(np.argmax(worths))))
        return chosen


def met_again(size: int, job: Job) -> int:
    """The most deals of a sample that are remembered ones; the rest is the share of new ones.

    The share counts as it is written: 0.1 of 10 deals is one deal, whatever floats make of it.
    """
    return size - ceil(Fraction(str(job.table(Memory).fresh)) * size)


def _check_pool(job: Job, held: int, where: str) -> None:
    """Refuse a pool that has too few new deals once as many as possible are remembered."""
    rules, size = job.table(Memory), largest_sample(job)
    again = met_again(size, job)
    # The first generation's deals are all new; those of the last ``age`` ones are remembered.
    known = min(rules.population, size + max(rules.age - 2, 0) * (size - again))
    known *= rules.age > 1
    new = size - min(again, known)
    if held < known + new:
        raise JobError.at(
            "informative",
            f": {where} {plural(held, 'deal')}, fewer than {known + new:,}: up to "
            f"{known:,} are remembered (informative.population and age), and {new:,} of the "
            f"{size:,} of a generation are new ones: give a larger pool, or lower "
            "informative.population",
        )


def _rests(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each deal's costs say beyond the mean of all deals, a row for each solver."""
    own = costs - costs.mean(axis=0)
    mean = own.mean(axis=1, keepdims=True)
    size = float((mean**2).sum())
    found: NDArray[np.float64] = own - mean * ((own * mean).sum(axis=0) / size if size else 0.0)
    return found


def _likeness(one: Known, other: Known) -> float:
    """The correlation of what two deals said beyond the others; 0 if no solvers met both."""
    if one.generation != other.generation or len(one.rest) != len(other.rest):
        return 0.0
    first, second = np.array(one.rest), np.array(other.rest)
    size = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return max(float((first * second).sum()) / size, 0.0) if size else 0.0
