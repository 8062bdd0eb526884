"""What makes a quantity vary: its variance split over inputs and pairs of inputs.

A functional ANOVA (Hoeffding 1948, Sobol 1993) of a fitted polynomial in orthonormal Legendre
polynomials, in which the squares of coefficients are the parts of the variance (Sudret 2008,
"Global sensitivity analysis using polynomial chaos expansions").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

import numpy as np
from threadpoolctl import threadpool_limits

from gafreecell.comparing.statistics import Interval, Numbers

RESAMPLES = 1000
_LINE, _BEND = sqrt(3), sqrt(5)
"""Norms of the Legendre polynomials of degree 1 and 2 under a uniform distribution."""


@dataclass(frozen=True)
class Part:
    """A part of the variance.

    Attributes:
        places: the input, or both inputs of a pair, by their places; none otherwise.
        share: of the variance, corrected for the noise of the fit, so that it can come out
            slightly below 0 where there is none.
        interval: 95 % interval of the share.
        slope: of an input: how much the straight line in it rises from its low to its high end.
            Of a pair: how far the quantity lies above the sum of single effects where both
            inputs are at their high ends. 0 otherwise.
    """

    places: tuple[int, ...]
    share: float
    interval: Interval
    slope: float = 0.0


@dataclass(frozen=True)
class Decomposition:
    """The variance of a quantity over a box of inputs, in parts that add up to 1.

    Attributes:
        singles: of each input, by its place: a line and a bend of second degree.
        pairs: of each pair of inputs beyond the effects of both: the product of two lines.
        together: of all pairs together.
        rest: what these leave: finer bends and pairs, three inputs or more at a time, noise.
        deviation: standard deviation of the quantity.
    """

    singles: tuple[Part, ...]
    pairs: tuple[Part, ...]
    together: Part
    rest: Part
    deviation: float


def terms(inputs: int) -> int:
    """How many coefficients are fitted for a number of inputs."""
    return 1 + 2 * inputs + inputs * (inputs - 1) // 2


def decomposition(unit: Numbers, values: Numbers, rng: np.random.Generator) -> Decomposition:
    """Split the variance of a mean over deals, of which inputs have been drawn uniformly.

    Intervals are percentiles of a bootstrap that draws both vectors and deals anew (Owen 2007,
    "The pigeonhole bootstrap"): they hold for other deals, too.

    Args:
        unit: the inputs, independent and uniform from -1 to 1, shape ``(vectors, inputs)``.
        values: for each vector the quantity on each deal, shape ``(vectors, deals)``.
        rng: draws the resamples.

    Raises:
        ValueError: if there are no more vectors than coefficients.
    """
    vectors, inputs = unit.shape
    if vectors <= terms(inputs):
        raise ValueError(
            f"{inputs} inputs need more than {terms(inputs)} vectors, got {vectors}: draw more"
        )
    couples = list(combinations(range(inputs), 2))
    lines = _LINE * unit
    products = [lines[:, one] * lines[:, other] for one, other in couples]
    bends = _BEND * (1.5 * unit**2 - 0.5)
    basis = np.column_stack([np.ones(vectors), lines, bends, *products])
    once = np.ones(vectors)
    with threadpool_limits(1):  # Sums that threads share can differ in their last bits.
        fitted, noise = _fit(basis, values.mean(axis=1), once)
        resampled = [_resampled(basis, values, rng) for _ in range(RESAMPLES)]
    drawn = np.array([coefficients for coefficients, _ in resampled])
    noises = np.array([left for _, left in resampled])
    # Fewer vectors and deals are distinct in a resample, which changes how much is left.
    noises *= noise / max(noises.mean(), np.finfo(float).tiny)
    error = drawn.var(axis=0)
    # A fitted square is too large by its error, and a resampled one by the error twice.
    squares, others = fitted**2 - error, drawn**2 - 2 * error
    total = squares[1:].sum() + noise
    totals = others[:, 1:].sum(axis=1) + noises

    def part(places: tuple[int, ...], columns: Sequence[int], slope: float) -> Part:
        shares = others[:, list(columns)].sum(axis=1) / totals
        return Part(
            places, float(squares[list(columns)].sum() / total), _middle(shares), float(slope)
        )

    return Decomposition(
        tuple(
            part((place,), [1 + place, 1 + inputs + place], 2 * _LINE * fitted[1 + place])
            for place in range(inputs)
        ),
        tuple(
            part(couple, [column], 3 * fitted[column])
            for column, couple in enumerate(couples, 1 + 2 * inputs)
        ),
        part((), range(1 + 2 * inputs, basis.shape[1]), 0.0),
        Part((), float(noise / total), _middle(noises / totals)),
        float(np.sqrt(max(total, 0.0))),
    )


def _fit(basis: Numbers, values: Numbers, times: Numbers) -> tuple[Numbers, float]:
    """Least squares, each vector ``times``: the coefficients, and the variance that they leave."""
    weighted = basis * times[:, None]
    solved = np.linalg.lstsq(weighted.T @ basis, weighted.T @ values, rcond=None)
    found = np.asarray(solved[0], np.float64)
    left = values - basis @ found
    return found, float(times @ left**2) / (len(basis) - basis.shape[1])


def _resampled(basis: Numbers, values: Numbers, rng: np.random.Generator) -> tuple[Numbers, float]:
    """The same for vectors and deals drawn anew, each as often as it was drawn."""
    times = [
        np.bincount(rng.integers(size, size=size), minlength=size).astype(float)
        for size in values.shape
    ]
    return _fit(basis, values @ times[1] / values.shape[1], times[0])


def _middle(values: Numbers) -> Interval:
    low, high = np.quantile(values, (0.025, 0.975)).tolist()
    return low, high
