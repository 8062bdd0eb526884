"""From outcomes to fitness: the paper's measure, a smoother one, and the hosts'.

GA-FreeCell 2011, sections 3.3.4 and 3.4, with the readings that docs/results.md
gives for the places where the paper contradicts itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from solving.outcome import Outcome, Status

UNSOLVED_NODES = 1_000_000_000
"""What a deal counts that the baseline did not solve: the paper's 1000M."""
PARTIAL = 1000.0
"""The paper's C: a solution without node reduction scores at most 1 / C."""
SHIFT = 300
"""Nodes added before a logarithm, so that easy deals do not drown hard ones."""
LONG = 200
"""Moves that a failure is charged for, where lengths count."""


def node_reduction(outcome: Outcome, baseline_nodes: int) -> float:
    """The paper's f_i for one deal, in [0, 1].

    Args:
        outcome: what the solver made of the deal.
        baseline_nodes: what the baseline needed, ``UNSOLVED_NODES`` if it failed.
    """
    if outcome.status is not Status.SOLVED:
        return 0.0
    ratio = outcome.nodes.generated / baseline_nodes
    if ratio < 1:
        return 1 - ratio
    excess = ratio - 1
    return max((1 - excess) / PARTIAL, 0.0)


def mean_node_reduction(outcomes: Sequence[Outcome], baseline: Sequence[int]) -> float:
    """The paper's f_s: the mean of f_i over the deals."""
    scores = [node_reduction(o, n) for o, n in zip(outcomes, baseline, strict=True)]
    return sum(scores) / len(scores)


def mean_log_nodes(
    outcomes: Sequence[Outcome],
    budget: int,
    failure: float,
    length: float,
    expansion: float = 0.0,
    exponent: float = 0.0,
) -> float:
    """Mean log of nodes, plus a charge for length: smaller is better.

    Args:
        outcomes: one a deal.
        budget: nodes that each deal could take.
        failure: how many times the budget a failure counts.
        length: charge for each hundred moves of a solution, in the unit the
            game names first; a failure is charged for ``LONG`` moves.
        expansion: nodes that an expanded state counts besides.
        exponent: 0 for the mean logarithm, else that of the power mean whose
            logarithm is taken.
    """
    costs, moves = [], 0
    for outcome in outcomes:
        if outcome.status is Status.SOLVED and outcome.lengths:
            moves += next(iter(outcome.lengths.values()))
            costs.append(outcome.nodes.generated + expansion * outcome.nodes.expanded + SHIFT)
        else:
            moves += LONG
            costs.append(failure * budget + SHIFT)
    charge = length * moves / 100 / len(outcomes)
    if exponent == 0:
        return sum(map(log, costs)) / len(costs) + charge
    return log(sum(cost**exponent for cost in costs) / len(costs)) / exponent + charge


def nodes_and_length(
    outcomes: Sequence[Outcome], budget: int, failure: float, expansion: float, exponent: float
) -> tuple[float, float]:
    """The two costs of a bi-objective run: ``mean_log_nodes`` without lengths, and the mean length.

    A failure is charged for ``LONG`` moves.
    """
    nodes = mean_log_nodes(outcomes, budget, failure, 0.0, expansion, exponent)
    both = mean_log_nodes(outcomes, budget, failure, 100.0, expansion, exponent)
    return nodes, both - nodes


def mean_nodes(outcomes: Sequence[Outcome], budget: int, failure: float) -> float:
    """Mean of nodes, a failure counting ``failure`` times the budget: smaller is better.

    Unlike the mean logarithm it is ruled by the few hardest deals.
    """
    total = 0.0
    for outcome in outcomes:
        solved = outcome.status is Status.SOLVED
        total += outcome.nodes.generated if solved else failure * budget
    return total / len(outcomes)


def log_score(
    outcomes: Sequence[Outcome],
    budget: int,
    failure: float,
    length: float,
    expansion: float = 0.0,
    exponent: float = 0.0,
) -> float:
    """``mean_log_nodes`` as a fitness in [0, 1]: 1 for no nodes, 0 where every deal failed."""
    worst = log(failure * budget + SHIFT) + length * LONG / 100
    best = log(SHIFT)
    mean = mean_log_nodes(outcomes, budget, failure, length, expansion, exponent)
    return max((worst - mean) / (worst - best), 0.0)


def host_fitness(
    nodes: Sequence[int],
    solved: Sequence[int],
    met: int,
    baseline: Sequence[int],
    penalty: int,
) -> float:
    """How hard a host is: nodes of those that met it over the baseline's, on its deals.

    Args:
        nodes: for each deal, nodes summed over the solvers that met the host.
        solved: for each deal, how many of them solved it.
        met: how many solvers met it, at least one.
        baseline: for each deal, the baseline's nodes.
        penalty: what a deal counts that none of them solved.
    """
    means = [
        total / met if count else float(penalty) for total, count in zip(nodes, solved, strict=True)
    ]
    return sum(means) / sum(baseline)


def baseline_counts(deals: Sequence[int], outcomes: Mapping[int, Outcome]) -> list[int]:
    """The baseline's nodes on each deal, ``UNSOLVED_NODES`` where it failed."""
    return [
        outcomes[deal].nodes.generated if outcomes[deal].status is Status.SOLVED else UNSOLVED_NODES
        for deal in deals
    ]
