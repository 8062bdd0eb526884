"""Comparing solvers on the same deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from gafreecell.measures import UNSOLVED_NODES
from solving.outcome import Outcome, Status


@dataclass(frozen=True)
class Summary:
    """One solver on a set of deals.

    Attributes:
        deals: how many deals.
        solved: how many it solved.
        interval: 95 % confidence interval of the share solved (Wilson).
        unsolvable: how many it proved unsolvable.
        nodes_mean, nodes_median: nodes on the deals it solved.
        nodes_penalised: mean nodes where an unsolved deal counts 1000M, as in the paper.
        lengths: mean solution length by unit.
        milliseconds: mean processor time over all the deals.
        nodes_per_second: nodes of all the deals over their processor time.
    """

    deals: int
    solved: int
    interval: tuple[float, float]
    unsolvable: int
    nodes_mean: float
    nodes_median: float
    nodes_penalised: float
    lengths: Mapping[str, float]
    milliseconds: float
    nodes_per_second: float


@dataclass(frozen=True)
class Reduction:
    """How many fewer nodes a solver needs than a reference: 1 - mean / mean.

    Attributes:
        own: each over the deals it solved itself (the paper's measure).
        penalised: with 1000M for every unsolved deal.
        both: over the deals that both solved.
        shared: how many deals that is.
    """

    own: float
    penalised: float
    both: float
    shared: int


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
    units = list(solved[0].lengths or {}) if solved else []
    generated = sum(outcome.nodes.generated for outcome in outcomes)
    return Summary(
        deals=len(outcomes),
        solved=len(solved),
        interval=wilson(len(solved), len(outcomes)),
        unsolvable=sum(outcome.status is Status.UNSOLVABLE for outcome in outcomes),
        nodes_mean=float(nodes.mean()) if solved else nan,
        nodes_median=float(np.median(nodes)) if solved else nan,
        nodes_penalised=float(_penalised(outcomes).mean()),
        lengths={
            unit: float(np.mean([(outcome.lengths or {})[unit] for outcome in solved]))
            for unit in units
        },
        milliseconds=1000 * seconds / len(outcomes),
        nodes_per_second=generated / seconds if seconds else nan,
    )


def reduction(outcomes: Sequence[Outcome], reference: Sequence[Outcome]) -> Reduction:
    """How many fewer nodes the first outcomes took than the reference's on the same deals."""
    both = [
        (mine.nodes.generated, theirs.nodes.generated)
        for mine, theirs in zip(outcomes, reference, strict=True)
        if mine.status is Status.SOLVED and theirs.status is Status.SOLVED
    ]
    mine, theirs = summarise(outcomes), summarise(reference)
    means = np.array(both, float).mean(axis=0) if both else np.array([nan, nan])
    return Reduction(
        own=1 - mine.nodes_mean / theirs.nodes_mean,
        penalised=1 - mine.nodes_penalised / theirs.nodes_penalised,
        both=1 - float(means[0] / means[1]),
        shared=len(both),
    )


def wilson(hits: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The Wilson interval of a share."""
    from scipy.stats import binomtest

    interval = binomtest(hits, trials).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)


def _penalised(outcomes: Sequence[Outcome]) -> np.ndarray:
    return np.array(list(_with_penalty(outcomes)), float)


def _with_penalty(outcomes: Sequence[Outcome]) -> Iterator[int]:
    for outcome in outcomes:
        solved = outcome.status is Status.SOLVED
        yield outcome.nodes.generated if solved else UNSOLVED_NODES
