"""Fitness for solvers that give up early, as the phases of a schedule do."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log

from gafreecell.evolution.generation import Result
from gafreecell.evolution.job import Fitness, Job, Validation
from gafreecell.evolution.measures import Measure
from gafreecell.solving.outcome import Outcome, Status
from gafreecell.solving.sums import left_to_right


class CostPerSolved(Measure):
    """1 if nothing was spent, 0 if all was spent and at most one deal was solved.

    A solver that soon gives up on a few deals can be better than one that solves them all. So
    the cost is everything spent, also on failures, divided by the number of deals solved. That
    is how the expected run time of restarts is computed (Luby, Sinclair and Zuckerman 1993).
    """

    name = "cost-per-solved"
    axis = "cost of a solved deal, log scale: 1 is none, 0 the most"

    @classmethod
    def words(cls, job: Job) -> str:
        return (
            "A solver's fitness grows as the nodes that it spends for each solved deal shrink, "
            "failures included."
        )

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
    """The logarithm of the cost of all deals by the number solved, plus a charge for length.

    Args:
        outcomes: one for each deal.
        rules: ``length``, the charge for each hundred moves of a mean solution, in the unit the
            game names first; ``expansion`` and ``scoring``, further nodes that an expanded state
            and a scored successor count; ``unsolved``, further nodes that a failure counts.

    Returns:
        Smaller is better; ``inf`` if no deal was solved.
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
