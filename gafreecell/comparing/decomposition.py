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

_LINE, _BEND = sqrt(3), sqrt(5)
"""Norms of the Legendre polynomials of degree 1 and 2 under a uniform distribution."""


@dataclass(frozen=True)
class Part:
    """A part of the variance.

    Attributes:
        places: the input, or both inputs of a pair, by their places; none otherwise.
        share: of the variance, estimated without bias, so that it can come out below 0 where
            there is none.
        interval: 95 % interval of the share, from 0 to 1.
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
    """The variance that inputs from a box give a mean over deals, in parts that add up to 1.

    Attributes:
        singles: of each input, by its place: a line and a bend of second degree.
        pairs: of each pair of inputs beyond the effects of both: the product of two lines.
        together: of all pairs together.
        rest: what these leave: finer bends and pairs, three inputs or more at a time, and the
            chance of the deals, so that more deals make it smaller.
        deviation: standard deviation of the mean.
    """

    singles: tuple[Part, ...]
    pairs: tuple[Part, ...]
    together: Part
    rest: Part
    deviation: float


def terms(inputs: int) -> int:
    """How many coefficients are fitted for a number of inputs."""
    return 1 + 2 * inputs + inputs * (inputs - 1) // 2


def least_vectors(inputs: int) -> int:
    """Minimum number of vectors: with fewer, residuals say too little about errors."""
    return 4 * terms(inputs)


def decomposition(unit: Numbers, values: Numbers) -> Decomposition:
    """Split the variance that uniformly drawn inputs give a mean over deals.

    The square of a fitted coefficient is too large by the variance of its error, which is taken
    off. It comes from the vectors, by the residuals of the means (HC2 of MacKinnon and White
    1985), and from the deals, by the coefficients of single deals. The noise of a vector on a deal
    is in both and counts once. Intervals are by the delta method and hold for other vectors and
    other deals. They use leave-one-out residuals (HC3), which are safer where the fit is poor.

    Args:
        unit: the inputs, independent and uniform from -1 to 1, shape ``(vectors, inputs)``.
        values: for each vector the quantity on each deal, shape ``(vectors, deals)``.

    Raises:
        ValueError: if there are fewer than ``least_vectors``, or a single deal.
    """
    (vectors, inputs), deals = unit.shape, values.shape[1]
    if vectors < least_vectors(inputs) or deals < 2:
        raise ValueError(
            f"{inputs} inputs need at least {least_vectors(inputs)} vectors and 2 deals, got "
            f"{vectors} and {deals}"
        )
    couples = list(combinations(range(inputs), 2))
    lines = _LINE * unit
    products = [lines[:, one] * lines[:, other] for one, other in couples]
    bends = _BEND * (1.5 * unit**2 - 0.5)
    basis = np.column_stack([np.ones(vectors), lines, bends, *products])
    with threadpool_limits(1):  # Sums that threads share can differ in their last bits.
        fit = _Fit(basis, values)
        rise = fit.fitted.tolist()
        return Decomposition(
            tuple(
                Part((place,), *fit.share([place, inputs + place]), 2 * _LINE * rise[place])
                for place in range(inputs)
            ),
            tuple(
                Part(couple, *fit.share([column]), 3 * rise[column])
                for column, couple in enumerate(couples, 2 * inputs)
            ),
            Part((), *fit.share([*range(2 * inputs, len(rise))])),
            Part((), *fit.rest()),
            sqrt(fit.total),
        )


class _Fit:
    """Coefficients of a mean over deals by least squares, and their shares in its variance.

    Args:
        basis: orthonormal functions of the inputs, the constant first, shape ``(vectors, n + 1)``.
        values: shape ``(vectors, deals)``.

    Attributes:
        fitted: the coefficients without that of the constant, shape ``(n,)``.
        total: the variance of the mean over these deals.
    """

    def __init__(self, basis: Numbers, values: Numbers) -> None:
        from scipy.special import stdtrit

        vectors, deals = values.shape
        self._t = float(stdtrit(deals - 1, 0.975))
        solve = np.linalg.pinv(basis)
        alone = 1 - np.sum(basis.T * solve, axis=0)
        by_deal = solve @ values
        left = values - basis @ by_deal
        solve, by_deal = solve[1:], by_deal[1:]
        # Of a mean over deals, squares of differences of single deals from it add up to the error.
        part = 1 / sqrt(deals * (deals - 1))
        mean, self.fitted = left.mean(axis=1), by_deal.mean(axis=1)
        cell = part * np.linalg.norm(left - mean[:, None], axis=1)
        self._apart = part * (by_deal - self.fitted[:, None])
        residuals, out = mean / np.sqrt(alone), mean / alone
        noise = np.mean(residuals**2)
        from_vectors = np.sum((solve * residuals) ** 2, axis=1)
        from_cells = np.sum((solve * cell) ** 2 / alone, axis=1)
        from_deals = np.sum(self._apart**2, axis=1)
        self._squares = self.fitted**2 - (from_vectors + from_deals - from_cells)
        # Outliers of few vectors may take off more than there is.
        self.total = float(max(np.sum(self.fitted**2 - from_vectors), 0) + noise)
        # By how much a vector, its noise on single deals, and a deal move coefficients and total.
        moved = solve * out, solve * (cell / alone), self._apart
        further = (
            residuals * out - noise,
            2 * out * cell,
            2 * part * out @ (left - mean[:, None]),
        )
        self._moves = [
            (move, 2 * self.fitted @ move + more / vectors)
            for move, more in zip(moved, further, strict=True)
        ]

    def share(self, columns: list[int]) -> tuple[float, Interval]:
        """The share of some coefficients in the variance, and its interval."""
        fitted = self.fitted[columns]
        square = float(fitted @ fitted) / self.total
        share = float(self._squares[columns].sum()) / self.total
        steps = [
            (2 * fitted @ move[columns] - square * total) / self.total
            for move, total in self._moves
        ]
        return share, self._interval(square, steps, square - share)

    def rest(self) -> tuple[float, Interval]:
        """The share of what is left, and its interval."""
        explained = float(self._squares.sum()) / self.total
        steps = [
            (2 * self.fitted @ move - explained * total) / self.total for move, total in self._moves
        ]
        # What is taken off for the deals is a large part of it and depends on the deals, too.
        taken = np.sum(self._apart**2, axis=0) / self.total
        steps[-1] -= taken - taken.mean()
        return 1 - explained, self._interval(1 - explained, steps)

    def _interval(self, value: float, steps: Sequence[Numbers], bias: float = 0.0) -> Interval:
        """The 95 % interval of a share.

        A sum of k squares of normal numbers with error 1, less (k - 1) / 2, has a nearly normal
        root with error 1 around that of the true sum plus (k - 1) / 2.

        Args:
            value: the share, uncorrected.
            steps: by how much each vector, its noise on single deals, and each deal move it.
            bias: by how much it is too large.
        """
        from_vectors, from_cells, from_deals = (float(step @ step) for step in steps)
        variance = from_vectors + max(from_deals - from_cells, 0.0)
        unit = variance / (4 * value) if value > 0 else 0.0
        offset = max(bias - unit, 0.0) / 2
        half = self._t * sqrt(unit)
        low = max(sqrt(max(value - offset, 0.0)) - half, 0.0) ** 2 - offset
        high = (sqrt(max(value, bias) - offset) + half) ** 2 - offset
        return min(max(low, 0.0), 1.0), min(high, 1.0)
