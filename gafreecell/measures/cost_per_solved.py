"""Fitness for solvers that give up early, as the phases of a schedule do."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log

from gafreecell.generation import Result
from gafreecell.job import Fitness, Validation
from gafreecell.measures import Measure
from solving.outcome import Outcome, Status
from solving.sums import left_to_right


class CostPerSolved(Measure):
    """1 for no cost, 0 where at most one problem was solved for all that was spent.

    What a restart costs is not what one search costs: a solver that gives up soon on a few
    problems can be better than one that solves them all. So all that was spent, on failures too,
    is divided by the number of problems solved, as in the expected run time of restarts (Luby,
    Sinclair and Zuckerman 1993).
    """

    name = "cost-per-solved"
    axis = "cost of a solved deal, log scale: 1 is none, 0 the most"

    def fitness(self, results: Sequence[Result]) -> list[float]:
        job, scales = self.setting.job, self.setting.game.scales
        fitness = []
        for result in results:
            count = len(result.outcomes)
            most = job.limits.nodes + job.fitness.unsolved
            worst = log(most * count) + job.fitness.length * scales.moves / 100
            value = log_cost_per_solved(result.outcomes, job.fitness)
            fitness.append(max((worst - value) / worst, 0.0))
        return fitness


def log_cost_per_solved(outcomes: Sequence[Outcome], rules: Fitness | Validation) -> float:
    """Logarithm of the cost of all problems for each one solved, plus a charge for length.

    Args:
        outcomes: one a problem.
        rules: ``length``, the charge for each hundred moves of a mean solution, in the unit the
            game names first; ``expansion`` and ``scoring``, nodes that an expanded state and a
            scored successor count besides; ``unsolved``, those that a failure does.

    Returns:
        Smaller is better; ``inf`` if no problem was solved.
    """
    cost = left_to_right(
        outcome.spent
        + rules.expansion * outcome.nodes.expanded
        + rules.scoring * (outcome.nodes.scored or 0)
        for outcome in outcomes
    )
    solved = [outcome for outcome in outcomes if outcome.status is Status.SOLVED]
    if not solved:
        return inf
    cost += rules.unsolved * (len(outcomes) - len(solved))
    moves = sum(next(iter((outcome.lengths or {}).values()), 0) for outcome in solved)
    return log(max(cost, 1.0) / len(solved)) + rules.length * moves / 100 / len(solved)
