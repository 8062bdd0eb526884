"""NSGA-II (Deb et al. 2002): solvers that trade nodes against the length of solutions.

DEAP sorts fronts, measures crowding and holds tournaments. Its own tournament for two costs
(``selTournamentDCD``) compares by domination instead of the rank of fronts, so this is its plain
one, with the paper's comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from deap import base, tools

from gafreecell.evolution.draws import GENERATOR
from gafreecell.evolution.generation import Learnt, Moment, Purpose, Result
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.measures import Costs
from gafreecell.evolution.operators import BY_COSTS
from gafreecell.evolution.operators.global_random import global_generators_from
from gafreecell.evolution.populations import Draw, One, Rates, born, measured
from gafreecell.evolution.returned import rows
from gafreecell.evolution.schemes.racing import Racing
from gafreecell.evolution.trainers.genetic import Genetic
from gafreecell.installed import plugins
from gafreecell.solitaire.game import Game
from gafreecell.solving.settings import OneOf


@dataclass(frozen=True)
class Nsga:
    """NSGA-II: the rates of crossover and mutation are those of the solvers.

    Attributes:
        parents: how parents are chosen from the surviving half. ``crowded-tournament``: the
            better of two drawn solvers, by the rank of its front, then by crowding distance (Deb
            et al. 2002, section III-B). ``uniform``: each with the same chance.
    """

    refused: ClassVar[tuple[str, ...]] = ()
    parents: Annotated[str, OneOf(("crowded-tournament", "uniform"))] = "crowded-tournament"


class NsgaII(Genetic):
    """Keeps the better half by two costs and breeds the other half from it."""

    name = "nsga-ii"
    by_costs = True
    fronts = True
    tables: ClassVar = {"nsga": Nsga}

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse races, measures without two costs, and selections that do not go by them."""
        measure = plugins.find("measure", job.fitness.measure)
        if not issubclass(measure, Costs):
            able = plugins.those("measure", lambda other: issubclass(other, Costs))
            raise JobError.at(
                "fitness.measure",
                f" must be {' or '.join(able)} for the trainer {cls.name}, which needs "
                f"two costs, got {job.fitness.measure!r}",
            )
        rounds = job.table(Racing).rounds
        if rounds > 1:
            raise JobError.at(
                "racing.rounds",
                f": the trainer {cls.name} compares mean costs, but in a race those of "
                "solvers that fall behind are means over fewer deals: set racing.rounds to 1, not "
                f"{rounds}",
            )
        selection, least = job.operators.selection, 7
        if selection not in ("", *BY_COSTS):
            raise JobError.at(
                "operators.selection",
                f" must be {' or '.join(BY_COSTS)} for the trainer {cls.name}, as "
                f"solvers have two costs there, got {selection!r}",
            )
        if selection == "selTournamentDCD" and job.solvers.population < least:
            raise JobError.at(
                "operators.selection",
                f": {selection} needs four survivors, so a solvers.population "
                f"of at least {least}, got {job.solvers.population}",
            )
        super().check(job, game)

    @classmethod
    def words(cls, job: Job) -> str:
        return (
            f"The trainer {cls.name} weighs nodes against the length of solutions: it keeps the "
            "solvers that no other beats in both, and breeds the others from them."
        )

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        population = measured((r.solver for r in results), (r.fitness for r in results))
        costs = rows(
            self._measure.costs(results),
            len(results),
            2,
            f"the fitness measure {self._measure.name!r} must give each solver two finite costs",
        )
        best = tuple(tools.selBest(population, 1)[0])
        points = [
            {"log_nodes": costs[i][0], "length": costs[i][1], "weights": list(results[i].solver)}
            for i in front(costs)
        ]
        rng = moment.rng(Purpose.SOLVER_BREEDING)
        toolbox = self._toolbox(rng, results)
        with global_generators_from(rng):
            children = next_front(population, costs, self.setting.job.solvers, toolbox)
        self.bear(children)
        return Learnt(best, {"front": points})

    def _toolbox(self, rng: Draw, results: Sequence[Result]) -> base.Toolbox:
        toolbox = super()._toolbox(rng, results)
        if not self.setting.job.operators.selection:
            crowded = self.setting.job.table(Nsga).parents == "crowded-tournament"
            toolbox.register("select", tools.selRandom)
            if crowded:
                tournament = {"tournsize": 2, "fit_attr": "order"}
                toolbox.register("select", tools.selTournament, **tournament)
        return toolbox


class _Costs(base.Fitness):  # type: ignore[misc]
    """Two values, smaller is better."""

    weights = (-1.0, -1.0)


class Point:
    """An individual's place in a population and its costs, as DEAP's tools expect it.

    Attributes:
        place: the individual's place in the population.
        fitness: its costs and, once it was chosen, its crowding distance.
        rank: the rank of its front, 0 for the first.
    """

    def __init__(self, place: int, costs: Sequence[float]) -> None:
        self.place = place
        self.fitness: Any = _Costs(tuple(costs))
        self.rank = 0

    @property
    def order(self) -> tuple[int, float]:
        """What the crowded comparison goes by (section III-B): larger is better."""
        return -self.rank, self.fitness.crowding_dist


def survivors(costs: Sequence[Sequence[float]], count: int) -> list[Point]:
    """The individuals that NSGA-II keeps: the best fronts, and of the last the least crowded.

    Ranks and distances are those among all individuals (section III-C).

    Args:
        costs: two for each individual, smaller is better.
        count: how many to keep.
    """
    points = _points(costs)
    for rank, members in enumerate(tools.sortNondominated(points, count)):
        for point in members:
            point.rank = rank
    kept: list[Point] = tools.selNSGA2(points, count)
    return kept


def _points(costs: Sequence[Sequence[float]]) -> list[Point]:
    return [Point(place, pair) for place, pair in enumerate(costs)]


def front(costs: Sequence[Sequence[float]]) -> list[int]:
    """The places of the nondominated individuals, one for each distinct pair of costs."""
    points = _points(costs)
    (first,) = tools.sortNondominated(points, len(points), first_front_only=True)
    by_costs = {point.fitness.values: point.place for point in reversed(first)}
    return [by_costs[pair] for pair in sorted(by_costs)]


def next_front(
    population: Sequence[One],
    costs: Sequence[Sequence[float]],
    rates: Rates,
    toolbox: base.Toolbox,
) -> list[One]:
    """The next population of NSGA-II: half survives, half are children of survivors.

    Both halves are measured anew, so the deals may change from one generation to the next. Of
    ``rates``, only population, crossover and mutation count. The toolbox selects among points.
    """
    kept = survivors(costs, (rates.population + 1) // 2)
    share = rates.crossover / max(rates.crossover + rates.mutation, 1e-9)
    children = [born(toolbox.clone(population[at.place]), "survival", at.place) for at in kept]
    while len(children) < rates.population:
        chosen = [point.place for point in toolbox.select(kept, 2)]
        pair = [born(toolbox.clone(population[place]), "mutation", place) for place in chosen]
        if GENERATOR.random() < share:
            pair = [born(child, "crossover", *chosen) for child in toolbox.mate(*pair)]
        for child in pair:
            birth = child.birth
            for one in toolbox.mutate(child):
                children.append(born(one, birth.operator, *birth.parents))
    for child in children:
        del child.fitness.values
    return children[: rates.population]
