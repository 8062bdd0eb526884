"""Chooses the run's champion among the generations' best, by the validation deals."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from deap import base, tools

from gafreecell.evolution.generation import Genome
from gafreecell.evolution.job import Validation
from gafreecell.evolution.measures.cost_per_solved import log_cost_per_solved
from gafreecell.evolution.measures.log_nodes import mean_log_nodes
from gafreecell.solving.features import Scales
from gafreecell.solving.outcome import Outcome, Status

RANKINGS = {
    "mean-nodes": (
        "their mean nodes",
        "mean nodes, where an unsolved deal counts {failure:g} times the budget",
    ),
    "log-nodes": ("the nodes of a typical deal", "mean logarithm of the nodes + {shift:g}"),
    "cost-per-solved": (
        "the nodes spent for each solved deal",
        "logarithm of the nodes spent for each solved deal",
    ),
}
"""What each ``validation.ranking`` goes by, and what its value is, in words.

The words are filled with ``failure`` and with ``shift``, the game's ``scales.nodes``.
"""


class _Fitness(base.Fitness):  # type: ignore[misc]
    """The value on the validation deals, then the generation; smaller is better."""

    weights = (-1.0, -1.0)


@dataclass(frozen=True)
class Champion:
    """A generation's best solver, with its results on the validation deals.

    Attributes:
        generation: the first generation whose best solver it was.
        weights: its genome.
        value: its value under the job's ``validation.ranking``; smaller is better.
        solved: validation deals it solved.
        nodes: its mean nodes on those it solved, 0 if none.
    """

    generation: int
    weights: Genome
    value: float
    solved: int
    nodes: float

    @property
    def fitness(self) -> base.Fitness:
        """What DEAP's ``HallOfFame`` ranks it by; of equal values, the earlier is better."""
        return _Fitness((self.value, self.generation))

    @classmethod
    def from_document(cls, kept: Mapping[str, Any]) -> Champion:
        """The champion from its ``asdict`` form."""
        return cls(**{**kept, "weights": tuple(float(gene) for gene in kept["weights"])})


def hall_of_fame(size: int, solvers: Iterable[Champion] = ()) -> tools.HallOfFame:
    """DEAP's hall of fame of the best distinct solvers, best first.

    Args:
        size: the most that it holds.
        solvers: what it is filled with.
    """
    hall = tools.HallOfFame(size, similar=lambda one, other: one.weights == other.weights)
    hall.update(list(solvers))
    return hall


def champion_of(
    generation: int,
    weights: Genome,
    outcomes: Sequence[Outcome],
    rules: Validation,
    budget: int,
    scales: Scales,
) -> Champion:
    """A solver with its results on the validation deals.

    Args:
        generation: the generation whose best it is.
        weights: its genome.
        outcomes: one for each validation deal.
        rules: how solvers are ranked.
        budget: node budget of each deal.
        scales: the game's.
    """
    if rules.ranking == "mean-nodes":
        value = mean_nodes(outcomes, budget, rules.failure)
    elif rules.ranking == "cost-per-solved":
        # Limited to a finite number, because state files hold no others.
        value = min(log_cost_per_solved(outcomes, rules), sys.float_info.max)
    else:
        value = mean_log_nodes(outcomes, budget, rules, scales)
    nodes = [o.nodes.generated for o in outcomes if o.status is Status.SOLVED]
    return Champion(generation, weights, value, len(nodes), float(np.mean(nodes)) if nodes else 0.0)


def mean_nodes(outcomes: Sequence[Outcome], budget: int, failure: float) -> float:
    """Mean nodes, where a failure counts ``failure`` times the budget; smaller is better.

    Unlike the mean logarithm, it is dominated by the few hardest deals.
    """
    total = 0.0
    for outcome in outcomes:
        solved = outcome.status is Status.SOLVED
        total += outcome.spent if solved else failure * budget
    return total / len(outcomes)
