"""The genetic algorithm of GA-FreeCell (2011, section 3.3.2): drawn operators, roulette, elite."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deap import base

from gafreecell.generation import Learnt, Moment, Purpose, Result
from gafreecell.populations import Draw, Individual, best_of, next_generation, toolbox_of
from gafreecell.trainers import Population
from solving.features import Feature


class Genetic(Population):
    """Breeds the next solvers with the operators and rates of ``[solvers]``."""

    name = "genetic"

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        population = measured(results)
        rates, rng = self.setting.job.solvers, moment.rng(Purpose.SOLVER_BREEDING)
        children = next_generation(population, rates, self._toolbox(rng), rng)
        self.solvers = [tuple(child) for child in children]
        return Learnt(tuple(best_of(population, 1)[0]))

    def _toolbox(self, rng: Draw) -> base.Toolbox:
        rates = self.setting.job.solvers
        return toolbox_of(rates, mutation_of(self.setting.features, rates.sigma), rng)


def measured(results: Sequence[Result]) -> list[Individual]:
    """The solvers of a generation as individuals with their fitness."""
    population = [Individual(result.solver) for result in results]
    for one, result in zip(population, results, strict=True):
        one.fitness.values = (result.fitness,)
    return population


def mutation_of(features: Sequence[Feature], sigma: float) -> Callable[[float, int, Draw], float]:
    """A mutant's new gene: a Gaussian step within the weight's range, or a uniform draw.

    Args:
        features: whose weights the genes are.
        sigma: standard deviation of the step as a share of the range; 0 draws anew.
    """

    def new_weight(gene: float, place: int, rng: Draw) -> float:
        feature = features[place]
        if not sigma:
            return float(rng.uniform(feature.low, feature.high))
        step = rng.normal(0, sigma) * (feature.high - feature.low)
        return float(min(max(gene + step, feature.low), feature.high))

    return new_weight
