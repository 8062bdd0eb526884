"""Solvers on the same deals: a summary of each, and comparisons of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import nan

import numpy as np
from numpy.typing import NDArray

from gafreecell.comparing.statistics import (
    Interval,
    Numbers,
    Ranks,
    bootstrap,
    exact_sign,
    friedman,
    holm,
    signed_rank,
    varied,
    wilson,
)
from gafreecell.evolution.measures import UNSOLVED_NODES
from gafreecell.solving.outcome import BOUND, Outcome, Status

Flags = NDArray[np.bool_]
SEED = 2011
"""Seed of the bootstrap resamples, so that the same outcomes give the same intervals."""
COST = "cost"
"""Stands for ``Outcome.cost`` among the units of length."""
FEW = 3
"""Up to this many solvers, every pair is compared; of more, the first with each other one."""


@dataclass(frozen=True)
class Summary:
    """One solver on a set of deals.

    Attributes:
        deals: how many deals.
        solved: how many it solved.
        interval: 95 % confidence interval of the share solved (Wilson).
        unsolvable: how many it proved unsolvable.
        nodes_mean, nodes_median: nodes (states generated) on the deals it solved.
        nodes_penalised: mean nodes where an unsolved deal counts 1000M, as in the paper.
        lengths: mean solution length in moves, by unit, on the deals it solved; with the mean
            ``cost`` of outcomes that have one of their own.
        milliseconds: mean processor time of a deal in ms, over all the deals.
        nodes_per_second: nodes of all the deals over their processor time in seconds.
    """

    deals: int
    solved: int
    interval: Interval
    unsolvable: int
    nodes_mean: float
    nodes_median: float
    nodes_penalised: float
    lengths: Mapping[str, float]
    milliseconds: float
    nodes_per_second: float


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % bootstrap interval; NaN stands for an unknown number."""

    value: float
    interval: Interval = (nan, nan)


@dataclass(frozen=True)
class Comparison:
    """One solver against another on the same deals.

    Attributes:
        solver, against: their names.
        deals: how many deals.
        both: how many deals both solved; ratios and lengths are over these deals.
        nodes_typical: the solver's nodes as a multiple of the other's on a typical deal: the
            geometric mean of the ratios.
        nodes_mean: the ratio of the mean nodes, which the hardest deals dominate.
        lengths: by unit, by how many moves its solutions are longer on average; and by how much
            their ``cost`` is higher, if outcomes have one of their own.
        nodes_p: Wilcoxon's signed-rank test on the logarithms of nodes over all deals that
            either solved. A deal that only one solved counts as a larger difference than any
            between solutions.
        nodes_p_holm: ``nodes_p`` corrected for the number of comparisons (Holm).
        better: 1 if the solver does better by those ranks, -1 if worse, 0 if neither.
        solved, solved_against: how many deals each solved.
        only, only_against: how many deals only this solver, or only the other, solved.
        solved_p, solved_p_holm: McNemar's exact test on ``only`` and ``only_against``; the same
            corrected.
        penalised: the ratio of mean nodes where each unsolved deal counts 1000M.
        a12: the share of deals on which the solver needs fewer nodes, ties counted half: the
            effect size A of Vargha and Delaney for pairs. A deal that only one solved is its.
    """

    solver: str
    against: str
    deals: int
    both: int
    nodes_typical: Estimate
    nodes_mean: Estimate
    lengths: Mapping[str, Estimate]
    nodes_p: float
    nodes_p_holm: float
    better: int
    solved: int
    solved_against: int
    only: int
    only_against: int
    solved_p: float
    solved_p_holm: float
    penalised: float
    a12: float = nan


def ranks_of(results: Mapping[str, Sequence[Outcome]]) -> Ranks | None:
    """The ranks of three or more solvers by their nodes, deal by deal; an unsolved deal is last.

    None for fewer solvers, or fewer than two deals.
    """
    nodes = {
        name: np.where(
            which_solved(outcomes), logarithms([o.nodes.generated for o in outcomes]), np.inf
        )
        for name, outcomes in results.items()
    }
    enough = len(nodes) > 2 and all(len(one) > 1 for one in nodes.values())
    return friedman(nodes) if enough else None


def summarise(outcomes: Sequence[Outcome]) -> Summary:
    """The summary of one solver's outcomes.

    Raises:
        ValueError: if there are none.
    """
    if not outcomes:
        raise ValueError("no outcomes to summarise")
    solved = [outcome for outcome in outcomes if outcome.status is Status.SOLVED]
    nodes = np.array([outcome.nodes.generated for outcome in solved], float)
    seconds = sum(outcome.seconds for outcome in outcomes)
    figures = [figures_of(outcome) for outcome in solved]
    units = shared_units(figures)
    generated = sum(outcome.nodes.generated for outcome in outcomes)
    return Summary(
        deals=len(outcomes),
        solved=len(solved),
        interval=wilson(len(solved), len(outcomes)),
        unsolvable=sum(outcome.status is Status.UNSOLVABLE for outcome in outcomes),
        nodes_mean=float(nodes.mean()) if solved else nan,
        nodes_median=float(np.median(nodes)) if solved else nan,
        nodes_penalised=float(_penalised(outcomes).mean()),
        lengths={unit: float(np.mean([one[unit] for one in figures])) for unit in units},
        milliseconds=1000 * seconds / len(outcomes),
        nodes_per_second=generated / seconds if seconds else nan,
    )


def intervals_of(outcomes: Sequence[Outcome]) -> dict[str, Interval]:
    """95 % bootstrap intervals of one solver's mean ``nodes`` and lengths by unit.

    They are over the deals that it solved; NaN for fewer than five.
    """
    solved = [outcome for outcome in outcomes if outcome.status is Status.SOLVED]
    figures = [figures_of(outcome) for outcome in solved]
    values = {"nodes": np.array([outcome.nodes.generated for outcome in solved], float)}
    values |= {unit: np.array([one[unit] for one in figures]) for unit in shared_units(figures)}
    return {
        what: varied(bootstrap(_mean, (one,), np.random.default_rng(SEED)))
        for what, one in values.items()
    }


def _mean(values: Numbers) -> Numbers:
    found: Numbers = values.mean(axis=-1)
    return found


def pairs_of(names: Sequence[str]) -> list[tuple[str, str]]:
    """Every pair of up to ``FEW`` names; of more, the first with each of the others."""
    pairs = list(combinations(names, 2))
    return pairs if len(names) <= FEW else [pair for pair in pairs if pair[0] == names[0]]


def compare_solvers(results: Mapping[str, Sequence[Outcome]]) -> list[Comparison]:
    """Compare solvers in pairs, as ``pairs_of`` chooses them.

    Args:
        results: outcomes on the same deals, by the solver's name.

    Raises:
        ValueError: if solvers have different numbers of outcomes.
    """
    found = [
        _compared(one, results[one], other, results[other])
        for one, other in pairs_of(list(results))
    ]
    nodes = holm([comparison.nodes_p for comparison in found])
    solved = holm([comparison.solved_p for comparison in found])
    return [
        replace(comparison, nodes_p_holm=nodes_p, solved_p_holm=solved_p)
        for comparison, nodes_p, solved_p in zip(found, nodes, solved, strict=True)
    ]


def figures_of(outcome: Outcome) -> dict[str, float]:
    """The lengths of a solution by unit, and its ``COST`` if it has one of its own.

    A bound is named with its unit, because searches that save different units prove different ones.
    """
    found: dict[str, float] = dict(outcome.lengths or {})
    if BOUND in found:
        found[f"{next(iter(found))} {BOUND}"] = found.pop(BOUND)
    return found if outcome.cost is None else {**found, COST: outcome.cost}


def shared_units(figures: Sequence[Mapping[str, float]]) -> list[str]:
    """The units that all figures of outcomes have, in the order of the first ones."""
    return [unit for unit in figures[0] if all(unit in one for one in figures)] if figures else []


def which_solved(outcomes: Sequence[Outcome]) -> Flags:
    """Whether each deal was solved."""
    return np.array([outcome.status is Status.SOLVED for outcome in outcomes])


def ratio_of_means(first: Numbers, second: Numbers) -> Numbers:
    """A statistic of resamples: the ratio of the means."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Numbers = first.mean(axis=-1) / second.mean(axis=-1)
    return ratio


def difference_of_means(first: Numbers, second: Numbers) -> Numbers:
    """A statistic of resamples: the difference of the means."""
    difference: Numbers = first.mean(axis=-1) - second.mean(axis=-1)
    return difference


def ratio_of_typical(first: Numbers, second: Numbers) -> Numbers:
    """A statistic of resamples of logarithms: the ratio of the geometric means."""
    ratio: Numbers = np.exp(difference_of_means(first, second))
    return ratio


def logarithms(nodes: Sequence[int] | Numbers) -> Numbers:
    """Logarithms of counts of nodes; a deal that needs no search counts 1."""
    logs: Numbers = np.log(np.maximum(np.array(nodes, float), 1))
    return logs


def _compared(
    name: str, outcomes: Sequence[Outcome], other: str, reference: Sequence[Outcome]
) -> Comparison:
    pairs = list(zip(outcomes, reference, strict=True))
    mine, theirs = which_solved(outcomes), which_solved(reference)
    both = [pair for pair, shared in zip(pairs, mine & theirs, strict=True) if shared]
    nodes = [np.array([pair[side].nodes.generated for pair in both], float) for side in (0, 1)]
    logs = logarithms(nodes[0]), logarithms(nodes[1])
    only, only_against = int((mine & ~theirs).sum()), int((theirs & ~mine).sum())
    failures = np.repeat([-np.inf, np.inf], [only, only_against])
    differences = np.concatenate([logs[0] - logs[1], failures])
    p_value, sign = signed_rank(differences)
    counted = np.append(differences, np.zeros(len(pairs) - len(differences)))
    solved_p = exact_sign(only, only_against)
    return Comparison(
        solver=name,
        against=other,
        deals=len(pairs),
        both=len(both),
        nodes_typical=_estimate(ratio_of_typical, *logs),
        nodes_mean=_estimate(ratio_of_means, *nodes),
        lengths=_length_differences(both),
        nodes_p=p_value,
        nodes_p_holm=p_value,
        better=-sign,
        solved=int(mine.sum()),
        solved_against=int(theirs.sum()),
        only=only,
        only_against=only_against,
        solved_p=solved_p,
        solved_p_holm=solved_p,
        penalised=float(ratio_of_means(_penalised(outcomes), _penalised(reference))),
        a12=float((counted < 0).mean() + (counted <= 0).mean()) / 2,
    )


def _length_differences(both: Sequence[tuple[Outcome, Outcome]]) -> dict[str, Estimate]:
    """By unit, how much longer or dearer the first solutions are on average than the second."""
    if not both:
        return {}
    first, second = ([figures_of(pair[side]) for pair in both] for side in (0, 1))
    units = shared_units([*first, *second])
    return {
        unit: _estimate(
            difference_of_means,
            *(np.array([one[unit] for one in figures], float) for figures in (first, second)),
        )
        for unit in units
    }


def _estimate(statistic: Callable[..., Numbers], first: Numbers, second: Numbers) -> Estimate:
    """A statistic of pairs with its interval; NaN if there are no pairs."""
    if not len(first):
        return Estimate(nan)
    interval = varied(bootstrap(statistic, (first, second), np.random.default_rng(SEED)))
    return Estimate(float(statistic(first, second)), interval)


def _penalised(outcomes: Sequence[Outcome]) -> Numbers:
    """The nodes of each deal; an unsolved one counts 1000M, as in the paper."""
    nodes = [one.nodes.generated for one in outcomes]
    return np.array(np.where(which_solved(outcomes), nodes, UNSOLVED_NODES), float)
