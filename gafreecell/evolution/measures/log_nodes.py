"""Fitness on a logarithmic scale: the shifted geometric mean of the nodes.

The game's ``scales.nodes`` are added to the nodes of each deal before their logarithm is taken, 300
for FreeCell and Klondike, so that easy deals do not drown hard ones. ``unshifted`` takes them off.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from gafreecell.evolution.generation import Result
from gafreecell.evolution.job import Fitness, Job, Validation
from gafreecell.evolution.measures import Costs
from gafreecell.solving.features import Scales
from gafreecell.solving.outcome import Outcome, Status
from gafreecell.solving.sums import left_to_right

MOST = 300.0
"""The largest logarithm of a number that figures can draw."""


class LogNodes(Costs):
    """1 for no nodes, 0 if all failed; linear in log(nodes + 300), or another ``scales.nodes``."""

    name = "log-nodes"
    axis = "nodes of a deal, log scale: 1 is none, 0 if all failed"

    @classmethod
    def words(cls, job: Job) -> str:
        return (
            "A solver's fitness grows as its nodes shrink, on a logarithmic scale: 1 for none, 0 "
            "if it fails on every deal."
        )

    @classmethod
    def shift(cls, scales: Scales) -> float:
        return scales.nodes

    def fitness(self, results: Sequence[Result]) -> list[float]:
        job, scales = self.setting.job, self.setting.game.scales
        return [log_score(r.outcomes, job.limits.nodes, job.fitness, scales) for r in results]

    def costs(self, results: Sequence[Result]) -> list[tuple[float, float]]:
        job, scales = self.setting.job, self.setting.game.scales
        return [costs_of(r.outcomes, job.limits.nodes, job.fitness, scales) for r in results]


def log_score(outcomes: Sequence[Outcome], budget: int, rules: Fitness, scales: Scales) -> float:
    """``mean_log_nodes`` as a fitness in [0, 1]: 1 for no nodes, 0 where every deal failed."""
    worst = log(rules.failure * budget + scales.nodes) + rules.length * scales.moves / 100
    best = log(scales.nodes)
    mean = mean_log_nodes(outcomes, budget, rules, scales)
    return max((worst - mean) / (worst - best), 0.0)


def mean_log_nodes(
    outcomes: Sequence[Outcome], budget: int, rules: Fitness | Validation, scales: Scales
) -> float:
    """The mean of log(nodes + ``scales.nodes``), plus a charge for length: smaller is better.

    Args:
        outcomes: one for each deal.
        budget: nodes that each deal could take.
        rules: ``failure``, how many times the budget a failure counts; ``length``, the charge
            for each hundred moves of a solution, in the unit the game names first;
            ``expansion``, further nodes that an expanded state counts; ``exponent``, 0 for the
            mean logarithm, otherwise the exponent of a power mean, whose logarithm is taken.
        scales: the game's scales; ``scales.nodes`` is the shift, and a failure is charged for
            ``scales.moves`` moves.
    """
    charge = rules.length * _moves(outcomes, scales) / 100 / len(outcomes)
    return _log_nodes(outcomes, budget, rules, scales) + charge


def costs_of(
    outcomes: Sequence[Outcome], budget: int, rules: Fitness | Validation, scales: Scales
) -> tuple[float, float]:
    """The two parts of ``mean_log_nodes``, both to be small: without its charge, and mean moves."""
    moves = _moves(outcomes, scales) / len(outcomes)
    return _log_nodes(outcomes, budget, rules, scales), moves


def _moves(outcomes: Sequence[Outcome], scales: Scales) -> int:
    return sum(
        next(iter((outcome.lengths or {}).values()), 0)
        if outcome.status is Status.SOLVED
        else scales.moves
        for outcome in outcomes
    )


def _log_nodes(
    outcomes: Sequence[Outcome], budget: int, rules: Fitness | Validation, scales: Scales
) -> float:
    costs = [
        outcome.spent + rules.expansion * outcome.nodes.expanded + scales.nodes
        if outcome.status is Status.SOLVED
        else rules.failure * budget + scales.nodes
        for outcome in outcomes
    ]
    if rules.exponent == 0:
        return left_to_right(map(log, costs)) / len(costs)
    power = rules.exponent
    return log(left_to_right(cost**power for cost in costs) / len(costs)) / power


def unshifted(log_nodes: float, shift: float) -> float:
    """The nodes of a typical deal, from a mean of log(nodes + shift); finite, and at least 0."""
    return max(exp(min(log_nodes, MOST)) - shift, 0.0)
