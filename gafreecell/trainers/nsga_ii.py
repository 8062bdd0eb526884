"""NSGA-II (Deb et al. 2002): solvers that trade nodes against the length of solutions."""

from __future__ import annotations

from collections.abc import Sequence

from deap import base, tools

from gafreecell import plugins
from gafreecell.game import Game
from gafreecell.generation import Learnt, Moment, Purpose, Result, Setting
from gafreecell.job import Job, JobError
from gafreecell.measures import Costs
from gafreecell.populations import Draw, One, Rates, best_of
from gafreecell.trainers.genetic import Genetic, measured


class NsgaII(Genetic):
    """Keeps the better half by two costs and breeds the other half from it."""

    name = "nsga-ii"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._measure = plugins.find("measure", setting.job.fitness.measure)(setting)

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse a fitness measure that has no costs to weigh against each other."""
        measure = plugins.find("measure", job.fitness.measure)
        if not issubclass(measure, Costs):
            able = plugins.those("measure", lambda other: issubclass(other, Costs))
            raise JobError(
                f"fitness.measure must be {' or '.join(able)} for the trainer nsga-ii, which needs "
                f"two costs, got {job.fitness.measure!r}"
            )

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        population = measured(results)
        costs = self._measure.costs(results)
        best = tuple(best_of(population, 1)[0])
        points = [
            {"log_nodes": costs[i][0], "length": costs[i][1], "weights": list(results[i].solver)}
            for i in front(costs)
        ]
        rates, rng = self.setting.job.solvers, moment.rng(Purpose.SOLVER_BREEDING)
        children = next_front(population, costs, rates, self._toolbox(rng), rng)
        self.solvers = [tuple(child) for child in children]
        return Learnt(best, {"front": points})


class _Costs(base.Fitness):  # type: ignore[misc]
    """Two values, smaller is better."""

    weights = (-1.0, -1.0)


class _Point:
    """An individual's place in a population and its costs, as DEAP's tools expect it."""

    def __init__(self, place: int, costs: Sequence[float]) -> None:
        self.place = place
        self.fitness = _Costs(tuple(costs))


def survivors(costs: Sequence[Sequence[float]], count: int) -> list[int]:
    """Places of the individuals that NSGA-II (Deb et al. 2002) keeps, best fronts first.

    Args:
        costs: two for each individual, smaller is better.
        count: how many to keep.
    """
    points = [_Point(place, pair) for place, pair in enumerate(costs)]
    return [point.place for point in tools.selNSGA2(points, count)]


def front(costs: Sequence[Sequence[float]]) -> list[int]:
    """Places of the individuals that no other is better than in both costs, each pair once."""
    points = [_Point(place, pair) for place, pair in enumerate(costs)]
    (first,) = tools.sortNondominated(points, len(points), first_front_only=True)
    by_costs = {point.fitness.values: point.place for point in reversed(first)}
    return [by_costs[pair] for pair in sorted(by_costs)]


def next_front(
    population: Sequence[One],
    costs: Sequence[Sequence[float]],
    rates: Rates,
    toolbox: base.Toolbox,
    rng: Draw,
) -> list[One]:
    """The next population of NSGA-II: half survives, half are children of survivors.

    Both halves are measured anew, so that deals may change from one generation to
    the next. Of ``rates``, crossover and mutation count.
    """
    kept = [population[place] for place in survivors(costs, (rates.population + 1) // 2)]
    share = rates.crossover / max(rates.crossover + rates.mutation, 1e-9)
    children = [toolbox.clone(one) for one in kept]
    while len(children) < rates.population:
        first, second = (kept[int(i)] for i in rng.integers(len(kept), size=2))
        child = toolbox.mate(first, second)[0] if rng.random() < share else first
        children += toolbox.mutate(child)
    return children
