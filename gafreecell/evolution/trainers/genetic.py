"""The genetic algorithm of GA-FreeCell (2011, section 3.3.2): random operators, roulette, elite."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from deap import base, tools

from gafreecell.evolution.generation import Learnt, Moment, Purpose, Result, trained_features
from gafreecell.evolution.job import Job, JobError, check_shared
from gafreecell.evolution.operators import Operator, cases_of, operators_of, put_in_place
from gafreecell.evolution.operators.global_random import global_generators_from
from gafreecell.evolution.populations import (
    Draw,
    Rates,
    measured,
    mutUniform,
    toolbox_of,
    vary,
    within,
)
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
            "copied": rates.reproduction,
            "crossed": rates.crossover,
            "mutated": rates.mutation,
        }
        told = [f"{name} ({100 * share:.3g} %)" for name, share in chance.items() if share]
        chosen = job.operators.selection or rates.selection
        text = (
            f"The trainer {cls.name} breeds each generation from the one before: parents are "
            f"chosen by {chosen} selection and {', '.join(told)}"
        )
        if rates.elite:
            best = "solver survives" if rates.elite == 1 else f"{rates.elite:,} solvers survive"
            text += f"; the best {best}"
        return f"{text}."

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        values = [result.fitness for result in results]
        population = measured((result.solver for result in results), values)
        self._look_at(values)
        rng = moment.rng(Purpose.SOLVER_BREEDING)
        toolbox = self._toolbox(rng, results)
        with global_generators_from(rng):
            children = vary(population, toolbox, self.setting.job.solvers)
        self.bear(children)
        return Learnt(tuple(tools.selBest(population, 1)[0]))

    def _toolbox(self, rng: Draw, results: Sequence[Result]) -> base.Toolbox:
        """The operators to breed with: DEAP's, or those that the job names in their place."""
        selection = self._named.get("selection")
        by_cases = selection is not None and selection.by_cases
        cases = cases_of(self._measure, results) if by_cases else None
        toolbox = solvers_toolbox(self.setting.job.solvers, self.setting.features)
        put_in_place(self._named, toolbox, rng, cases)
        return toolbox


def _check_shared(job: Job, selection: str) -> None:
    """Refuse a selection by cases unless all solvers meet the same deals."""
    rounds = job.table(Racing).rounds
    if rounds > 1:
        raise JobError.at(
            "operators.selection",
            f": {selection} compares solvers deal by deal, but in a race those "
            f"that fall behind meet fewer: set racing.rounds to 1, not {rounds}",
        )
    check_shared(job, f"operators.selection: {selection}")


def solvers_toolbox(rates: Rates, features: Sequence[Feature]) -> base.Toolbox:
    """A DEAP toolbox that breeds the weights of some features.

    Mutation is a Gaussian step within the weight's range if ``rates.sigma`` says so, otherwise a
    uniform draw.
    """
    toolbox, share = toolbox_of(rates, len(features)), rates.gene_mutation
    low, up = [one.low for one in features], [one.high for one in features]
    if rates.sigma:
        steps = [rates.sigma * (most - least) for least, most in zip(low, up, strict=True)]
        toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=steps, indpb=share)
        toolbox.decorate("mutate", within(low, up))
    else:
        toolbox.register("mutate", mutUniform, low=low, up=up, indpb=share)
    return toolbox
