"""Fitness by common random numbers: each deal's log nodes against those of the other solvers.

The cost of a deal mostly depends on the deal. We subtract the median of the generation's solvers on
this deal, which leaves the part that depends on the solver. Differences are clipped, so that no
single hard deal decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from gafreecell.evolution.generation import Result
from gafreecell.evolution.job import Fitness, Job, check_shared
from gafreecell.evolution.measures import Measure
from gafreecell.solitaire.game import Game
from gafreecell.solving.features import Scales
from gafreecell.solving.outcome import Outcome, Status

Matrix = NDArray[np.float64]


class Relative(Measure):
    """``fitness.clip`` less the mean of the clipped differences.

    So a solver that is at the median on each deal has the fitness ``fitness.clip``, and one that is
    clipped on each deal has 0.
    """

    name = "relative"
    axis = "log nodes saved against the median, plus fitness.clip"

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse solvers that meet deals of their own, as there is no median then."""
        check_shared(job, f"fitness.measure: {cls.name}")

    @classmethod
    def words(cls, job: Job) -> str:
        return (
            "A solver's fitness says how many fewer nodes it needs than the median solver of its "
            "generation, deal by deal, on a logarithmic scale."
        )

    def fitness(self, results: Sequence[Result]) -> list[float]:
        job, scales = self.setting.job, self.setting.game.scales
        logs = log_costs(results, job.limits.nodes, job.fitness, scales)
        costs = relative(logs, job.fitness.clip)
        return [float(job.fitness.clip - value) for value in np.nanmean(costs, axis=1)]


def log_costs(results: Sequence[Result], budget: int, rules: Fitness, scales: Scales) -> Matrix:
    """Each solver's log cost of each deal.

    Args:
        results: the results of a generation.
        budget: nodes that each deal could take.
        rules: ``failure``, how many times the budget a failure counts; ``length``, ``expansion``
            and ``scoring`` as for ``log_cost``.
        scales: the game's scales.

    Returns:
        A row for each solver and a column for each deal, in the order in which they appear; NaN
        where the two did not meet.
    """
    places: dict[object, int] = {}
    for result in results:
        for deal in result.encounter.deals:
            places.setdefault(deal, len(places))
    costs = np.full((len(results), len(places)), np.nan)
    for row, result in zip(costs, results, strict=True):
        for deal, outcome in zip(result.encounter.deals, result.outcomes, strict=True):
            row[places[deal]] = log_cost(outcome, budget, rules, scales)
    return costs


def relative(costs: Matrix, clip: float) -> Matrix:
    """Costs less the median of all solvers that met the deal, at most the clip."""
    found: Matrix = np.minimum(costs - np.nanmedian(costs, axis=0), clip)
    return found


def log_cost(outcome: Outcome, budget: int, rules: Fitness, scales: Scales) -> float:
    """The logarithm of what a deal cost, plus the charge for the length of its solution."""
    if outcome.status is not Status.SOLVED:
        return log(rules.failure * budget) + rules.length * scales.moves / 100
    nodes = outcome.spent + rules.expansion * outcome.nodes.expanded
    nodes += rules.scoring * (outcome.nodes.scored or 0)
    moves = next(iter((outcome.lengths or {}).values()), 0)
    return log(max(nodes, 1.0)) + rules.length * moves / 100


def informativeness(costs: Matrix) -> NDArray[np.float64]:
    """How well each deal predicts what the other deals say of the solvers.

    Args:
        costs: relative costs, a row for each solver; solvers that did not meet all deals are
            ignored.

    Returns:
        For each deal the correlation of its costs with the solvers' mean costs on all others, 0
        where that is undefined; empty if fewer than three solvers met all deals.
    """
    rows = complete(costs)
    solvers, deals = rows.shape
    if solvers < 3:
        return np.zeros(0)
    found = np.zeros(deals)
    if deals < 2:
        return found
    others = (rows.sum(axis=1, keepdims=True) - rows) / (deals - 1)
    own, rest = rows - rows.mean(axis=0), others - others.mean(axis=0)
    size = np.sqrt((own**2).sum(axis=0) * (rest**2).sum(axis=0))
    np.divide((own * rest).sum(axis=0), size, out=found, where=size > 1e-12)
    return found


def complete(costs: Matrix) -> Matrix:
    """The rows of solvers that met all deals."""
    found: Matrix = costs[~np.isnan(costs).any(axis=1)]
    return found
