"""Compares groups of runs over their seeds.

How good a run's weights are depends on its seed, so a job is judged by several runs. A run is one
observation, however many deals it is measured on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, nan

import numpy as np

from gafreecell.comparing.pairs import (
    SEED,
    Estimate,
    Flags,
    difference_of_means,
    figures_of,
    logarithms,
    pairs_of,
    ratio_of_typical,
    shared_units,
    which_solved,
)
from gafreecell.comparing.statistics import (
    Interval,
    Numbers,
    Ranks,
    bootstrap,
    friedman,
    holm,
    least_rank_p,
    rank_test,
    student,
    superiority,
    superiority_interval,
    t_test,
    varied,
)
from gafreecell.solving.outcome import Outcome

FAILURE = 10
"""A deal that a run failed counts this many times the budget."""


@dataclass(frozen=True)
class Measured:
    """A group's runs on a set of deals.

    Attributes:
        name: the group's.
        seeds: of its runs.
        nodes: for each run, the geometric mean of nodes (states generated) over the deals that
            any run of any group solved; a deal that it failed counts ``FAILURE`` times the budget.
        solved: the number of deals that each run solved.
        lengths: by unit, for each run, the mean length in moves over the deals that all runs
            solved.
        nodes_mean: geometric mean of ``nodes`` with Student's 95 % interval over the seeds; NaN
            where all runs are alike.
        solved_mean: mean of ``solved`` with the same kind of interval.
    """

    name: str
    seeds: tuple[int, ...]
    nodes: tuple[float, ...]
    solved: tuple[int, ...]
    lengths: Mapping[str, tuple[float, ...]]
    nodes_mean: Estimate
    solved_mean: Estimate


@dataclass(frozen=True)
class Tested:
    """The comparison of one figure between two groups, over their seeds.

    Attributes:
        difference: between the groups, with its 95 % bootstrap interval over the seeds; NaN where
            all seeds have the same difference.
        p: Wilcoxon's signed-rank test if both groups have the same seeds, else the Mann-Whitney
            test.
        p_holm: ``p`` corrected for the number of pairs of groups (Holm).
        p_t: Student's paired t-test, or Welch's if the seeds differ; not corrected.
        interval_t: the 95 % interval of that paired test; NaN if the seeds differ.
    """

    difference: Estimate
    p: float
    p_holm: float
    p_t: float
    interval_t: Interval = (nan, nan)


@dataclass(frozen=True)
class GroupComparison:
    """One group against another over their seeds.

    Attributes:
        group, against: their names.
        seeds, seeds_against: how many each has.
        paired: whether both have the same seeds, which are then compared one by one.
        least_p: the smallest p-value that the rank test can give with so many seeds.
        nodes: the group's nodes as a multiple of the other's; the tests are on logarithms.
        a12: the effect size A of Vargha and Delaney (2000): the probability that a run of the
            group needs fewer nodes than one of the other, ties counted half, with its 95 %
            interval for independent runs (Newcombe 2006, method 5).
        solved: how many more deals it solves.
        lengths: by unit, by how many moves its solutions are longer.
    """

    group: str
    against: str
    seeds: int
    seeds_against: int
    paired: bool
    least_p: float
    nodes: Tested
    a12: Estimate
    solved: Tested
    lengths: Mapping[str, Tested]


def measured(
    results: Mapping[str, Mapping[int, Sequence[Outcome]]], budget: int
) -> dict[str, Measured]:
    """Measure each group's runs on the same deals.

    Args:
        results: by group and seed, the outcomes of a run's weights on the deals.
        budget: node budget of each deal, the same for all runs.

    Raises:
        ValueError: if runs have different numbers of outcomes.
    """
    rows = [outcomes for by_seed in results.values() for outcomes in by_seed.values()]
    solved = np.array([which_solved(row) for row in rows])
    some, every = np.logical_or.reduce(solved), np.logical_and.reduce(solved)
    units = shared_units(
        [figures_of(o) for row in rows for o, shared in zip(row, every, strict=True) if shared]
    )
    found = {}
    for name, by_seed in results.items():
        nodes = [_typical_nodes(outcomes, some, budget) for outcomes in by_seed.values()]
        counts = [int(which_solved(outcomes).sum()) for outcomes in by_seed.values()]
        logs = np.log(nodes)
        low, high = np.exp(student(logs))
        fewest, most = np.clip(student(counts), 0, len(some))
        found[name] = Measured(
            name=name,
            seeds=tuple(by_seed),
            nodes=tuple(nodes),
            solved=tuple(counts),
            lengths={
                unit: tuple(_mean_length(row, every, unit) for row in by_seed.values())
                for unit in units
            },
            nodes_mean=Estimate(float(np.exp(logs.mean())), varied((float(low), float(high)))),
            solved_mean=Estimate(float(np.mean(counts)), varied((float(fewest), float(most)))),
        )
    return found


def compare_groups(groups: Mapping[str, Measured]) -> list[GroupComparison]:
    """Compare the groups with two or more seeds, in pairs."""
    several = [name for name, group in groups.items() if len(group.seeds) > 1]
    found = [_compared(groups[one], groups[other]) for one, other in pairs_of(several)]
    nodes = corrected([one.nodes for one in found])
    solved = corrected([one.solved for one in found])
    units = list(found[0].lengths) if found else []
    lengths = {unit: corrected([one.lengths[unit] for one in found]) for unit in units}
    return [
        replace(
            one,
            nodes=nodes[place],
            solved=solved[place],
            lengths={unit: lengths[unit][place] for unit in units},
        )
        for place, one in enumerate(found)
    ]


def corrected(verdicts: Sequence[Tested]) -> list[Tested]:
    """One figure's tests on all pairs, with rank tests corrected for their number (Holm)."""
    values = holm([verdict.p for verdict in verdicts])
    return [replace(one, p_holm=value) for one, value in zip(verdicts, values, strict=True)]


def _compared(one: Measured, other: Measured) -> GroupComparison:
    paired = one.seeds == other.seeds
    return GroupComparison(
        group=one.name,
        against=other.name,
        seeds=len(one.seeds),
        seeds_against=len(other.seeds),
        paired=paired,
        least_p=least_rank_p(len(one.seeds), len(other.seeds), paired),
        nodes=tested(np.log(one.nodes), np.log(other.nodes), paired, ratio=True),
        a12=_effect(np.log(one.nodes), np.log(other.nodes)),
        solved=tested(np.array(one.solved, float), np.array(other.solved, float), paired),
        lengths={
            unit: tested(np.array(values), np.array(other.lengths[unit]), paired)
            for unit, values in one.lengths.items()
        },
    )


def tested(one: Numbers, other: Numbers, paired: bool, ratio: bool = False) -> Tested:
    """One figure of two groups, run by run; with ``ratio`` its logarithms."""
    statistic = ratio_of_typical if ratio else difference_of_means
    interval = varied(bootstrap(statistic, (one, other), np.random.default_rng(SEED), paired))
    p_value = rank_test(one, other, paired)
    difference = Estimate(float(statistic(one, other)), interval)
    p_t = t_test(one, other, paired)
    interval_t = (nan, nan)
    if paired and p_t == p_t:
        low, high = student(one - other)
        interval_t = (float(np.exp(low)), float(np.exp(high))) if ratio else (low, high)
    return Tested(difference, p_value, p_value, p_t, interval_t)


def _effect(one: Numbers, other: Numbers) -> Estimate:
    if np.isnan([*one, *other]).any():
        return Estimate(nan)
    # Equal ratios must tie, although their logarithms may differ by rounding.
    share = superiority(np.round(one, 9), np.round(other, 9))
    return Estimate(share, superiority_interval(share, len(one), len(other)))


def ranks_of(groups: Mapping[str, Measured]) -> Ranks | None:
    """The ranks of three or more groups by nodes, seed by seed.

    None for fewer groups, groups with other seeds than the first, or a single seed.
    """
    seeds = [group.seeds for group in groups.values()]
    if len(seeds) < 3 or len(seeds[0]) < 2 or any(one != seeds[0] for one in seeds):
        return None
    nodes = {name: np.log(group.nodes) for name, group in groups.items()}
    return None if np.isnan([*nodes.values()]).any() else friedman(nodes)


def _typical_nodes(outcomes: Sequence[Outcome], counted: Flags, budget: int) -> float:
    """Geometric mean of nodes over the deals counted, NaN if there are none."""
    logs = logarithms([outcome.nodes.generated for outcome in outcomes])
    logs[~which_solved(outcomes)] = log(FAILURE * budget)
    return float(np.exp(logs[counted].mean())) if counted.any() else nan


def _mean_length(outcomes: Sequence[Outcome], counted: Flags, unit: str) -> float:
    lengths = [
        figures_of(outcome)[unit]
        for outcome, counts in zip(outcomes, counted, strict=True)
        if counts
    ]
    return float(np.mean(lengths))
