"""The genetic algorithm of GA-FreeCell (2011, section 3.3.2): random operators, roulette, elite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from deap import base

from gafreecell.evolution.generation import Learnt, Moment, Purpose, Result, trained_features
from gafreecell.evolution.job import Job, JobError, check_shared
from gafreecell.evolution.operators import Operator, cases_of, in_place, operators_of
from gafreecell.evolution.populations import Draw, best_of, measured, next_generation, toolbox_of
from gafreecell.evolution.schemes.racing import Racing
from gafreecell.evolution.trainers import Population
from gafreecell.installed import plugins
from gafreecell.solitaire.game import Game
from gafreecell.solving.features import Feature


class Genetic(Population):
    """Breeds the next solvers with the operators and rates of ``[solvers]``."""

    name = "genetic"
    operators = ("crossover", "mutation", "selection")
    by_costs = False
    """Whether parents are chosen by two costs instead of fitness."""

    @cached_property
    def _measure(self) -> Any:
        """The job's fitness measure, which is not needed before solvers are bred."""
        return plugins.find("measure", self.setting.job.fitness.measure)(self.setting)

    @cached_property
    def _named(self) -> dict[str, Operator]:
        """The operators that the job names, which are not needed before solvers are bred."""
        return operators_of(self.setting.job, self.setting.features, self.by_costs)

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse operators that do not work here, or that need what the job does not have."""
        named = operators_of(job, trained_features(job, game), cls.by_costs)
        for operator in named.values():
            operator.try_out(job.solvers.population)
        if "selection" in named and named["selection"].by_cases:
            _check_shared(job, named["selection"].name)

    @classmethod
    def words(cls, job: Job) -> str:
        rates = job.solvers
        chance = {
            "copies": rates.reproduction,
            "crossover": rates.crossover,
            "mutation": rates.mutation,
        }
        parts = ", ".join(f"{100 * share:.3g} % {name}" for name, share in chance.items() if share)
        text = (
            f"The trainer {cls.name} breeds each generation from the one before: parents are "
            f"chosen by {job.operators.selection or rates.selection} selection; {parts}"
        )
        if rates.elite:
            best = "solver survives" if rates.elite == 1 else f"{rates.elite:,} solvers survive"
            text += f"; the best {best}"
        return f"{text}."

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        values = [result.fitness for result in results]
        population = measured((result.solver for result in results), values)
        self._look_at(values)
        rates, rng = self.setting.job.solvers, moment.rng(Purpose.SOLVER_BREEDING)
        with self._toolbox(rng, results) as toolbox:
            children = next_generation(population, rates, toolbox, rng)
        self.solvers = [tuple(child) for child in children]
        return Learnt(tuple(best_of(population, 1)[0]))

    @contextmanager
    def _toolbox(self, rng: Draw, results: Sequence[Result]) -> Iterator[base.Toolbox]:
        """A context with the operators to breed with."""
        selection = self._named.get("selection")
        by_cases = selection is not None and selection.by_cases
        cases = cases_of(self._measure, results) if by_cases else None
        toolbox = self._own_toolbox(rng)
        with in_place(self._named, toolbox, rng, cases):
            yield toolbox

    def _own_toolbox(self, rng: Draw) -> base.Toolbox:
        """Its own operators; a job can name others in their place."""
        rates = self.setting.job.solvers
        return toolbox_of(rates, mutation_of(self.setting.features, rates.sigma), rng)


def _check_shared(job: Job, selection: str) -> None:
    """Refuse a selection by cases unless all solvers meet the same problems."""
    rounds = job.table(Racing).rounds
    if rounds > 1:
        raise JobError.at(
            "operators.selection",
            f": {selection} compares solvers deal by deal, but in a race those "
            f"that fall behind meet fewer: set racing.rounds to 1, not {rounds}",
        )
    check_shared(job, f"operators.selection: {selection}")


def mutation_of(features: Sequence[Feature], sigma: float) -> Callable[[float, int, Draw], float]:
    """A mutant's new gene: a Gaussian step within the weight's range, or a uniform draw.

    Args:
        features: the features whose weights the genes are.
        sigma: standard deviation of the step as a share of the range; 0 for a uniform draw.
    """

    def new_weight(gene: float, place: int, rng: Draw) -> float:
        feature = features[place]
        if not sigma:
            return float(rng.uniform(feature.low, feature.high))
        step = rng.normal(0, sigma) * (feature.high - feature.low)
        return float(min(max(gene + step, feature.low), feature.high))

    return new_weight
