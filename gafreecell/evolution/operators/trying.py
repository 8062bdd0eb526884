"""Tries out an operator before a run begins."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from deals.words import plural
from gafreecell.evolution.job import JobError
from gafreecell.evolution.operators.global_random import global_generators_from
from gafreecell.evolution.operators.operator import Operator
from gafreecell.evolution.populations import Individual
from gafreecell.installed.plugins import PluginError


def try_out(operator: Operator, population: int) -> None:
    """Use an operator on weights from all over their ranges, before any run depends on it.

    Args:
        operator: the operator; a selection gets ``population`` individuals, at most twenty.
        population: the job's number of solvers.

    Raises:
        JobError: if the operator fails; the message says how.
    """
    rng = np.random.default_rng(0)
    ends = np.array([(feature.low, feature.high) for feature in operator.features])
    points = rng.uniform(ends[:, 0], ends[:, 1], size=(20, len(ends)))
    points[0], points[1] = ends.T
    individuals = [Individual(point) for point in points.tolist()[: max(population, 2)]]
    for one in individuals:
        one.fitness.values = (float(rng.random()),)
        one.fitness.crowding_dist = 0.0
    try:
        with global_generators_from(rng):
            if operator.kind == "selection":
                cases = rng.random((len(individuals), 3)).tolist()
                operator.choose(individuals, rng, cases)
            for first, second in pairwise(individuals):
                if operator.kind == "crossover":
                    operator.mate(first, second, rng)
                elif operator.kind == "mutation":
                    operator.mutate(first, rng)
    except PluginError as error:
        raise JobError.at(f"operators.{operator.kind}", f": {error}") from None
    except Exception as error:
        count = plural(len(operator.features), "weight")
        raise JobError.at(
            f"operators.{operator.kind}",
            f": {operator.name} fails on solvers of {count} with "
            f"{dict(operator.arguments)!r:.120}: {type(error).__name__}: {error}",
        ) from error
