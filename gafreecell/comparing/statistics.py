"""Intervals and tests on plain numbers: shares, means, and pairs on the same deals or seeds.

scipy takes a second to import, so it is imported only when needed. Bootstrap intervals draw from
the generator handed in, so the same figures give the same intervals.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, isclose, nan, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Interval = tuple[float, float]
LEAST = 5
"""Minimum number of values for a bootstrap interval; fewer say little about their spread."""
RESAMPLES = 5000
EXACT = 20_000
"""Up to this many permutations, rank tests enumerate all of them. This is exact with ties, too,
where the usual exact tables and normal approximations fail on small samples."""
MOST = 10_000
"""Maximum number of values to resample one by one; of more, neighbours are averaged first."""
_BLOCK = 1_000_000
"""Values drawn at once: some tens of megabytes."""


def wilson(hits: int, trials: int, confidence: float = 0.95) -> Interval:
    """The Wilson interval of a share, without scipy: ``play`` needs nothing else of it."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, spread = hits / trials, z * z / trials
    half = z * sqrt(share * (1 - share) / trials + spread / (4 * trials))
    low, high = ((share + spread / 2 + side) / (1 + spread) for side in (-half, half))
    return max(low, 0.0), min(high, 1.0)


def student(values: Sequence[float] | Numbers) -> Interval:
    """Student's 95 % interval of a mean; NaN for fewer than two values."""
    from scipy.stats import t

    found, count = np.asarray(values, float), len(values)
    if count < 2:
        return nan, nan
    half = float(t.ppf(0.975, count - 1) * found.std(ddof=1) / sqrt(count))
    return float(found.mean()) - half, float(found.mean()) + half


def varied(interval: Interval) -> Interval:
    """An interval; NaN if it has no width: values that are all alike do not tell how others vary.

    So few seeds, or deals, often have one result, as if all others had it, too.
    """
    return (nan, nan) if isclose(*interval, rel_tol=1e-9, abs_tol=1e-12) else interval


def bootstrap(
    statistic: Callable[..., Numbers],
    samples: Sequence[Numbers],
    rng: np.random.Generator,
    paired: bool = True,
) -> Interval:
    """A 95 % bootstrap interval.

    The percentiles are expanded (Hesterberg 2015, "What Teachers Should Know About the
    Bootstrap"): a plain percentile interval of n values is too narrow by about as much as the
    normal distribution is narrower than Student's.

    Args:
        statistic: a function of the samples' means: takes an array of shape ``(resamples, n)``
            for each sample, returns one of shape ``(resamples,)``.
        samples: each of shape ``(n,)``.
        rng: draws the resamples.
        paired: whether the samples belong together value by value and are drawn as pairs.

    Returns:
        The interval's ends; NaN for fewer than ``LEAST`` values in a sample.
    """
    from scipy.stats import norm, t

    samples = [_bundled(sample) for sample in samples]
    sizes = [len(sample) for sample in samples]
    count = min(sizes)
    if count < LEAST:
        return nan, nan
    block = max(_BLOCK // max(sizes), 1)
    found = []
    for first in range(0, RESAMPLES, block):
        rows = min(block, RESAMPLES - first)
        if paired:
            picks = [rng.integers(count, size=(rows, count))] * len(samples)
        else:
            picks = [rng.integers(size, size=(rows, size)) for size in sizes]
        drawn = [sample[pick] for sample, pick in zip(samples, picks, strict=True)]
        found.append(statistic(*drawn))
    tail = float(norm.cdf(t.ppf(0.025, count - 1) * sqrt(count / (count - 1))))
    low, high = np.quantile(np.concatenate(found), (tail, 1 - tail))
    return float(low), float(high)


def _bundled(values: Numbers) -> Numbers:
    """At most ``MOST`` values, averages of neighbours, with about the same mean and error of it."""
    if len(values) <= MOST:
        return values
    starts = np.linspace(0, len(values), MOST, endpoint=False).astype(int)
    means: Numbers = np.add.reduceat(values, starts) / np.diff(starts, append=len(values))
    return means


def signed_rank(differences: Numbers) -> tuple[float, int]:
    """Wilcoxon's signed-rank test of paired differences, two-sided.

    Args:
        differences: infinite ones rank above all others and tie among themselves; zeros are left
            out, as by Wilcoxon.

    Returns:
        The p-value (1 if all differences are 0) and the sign of the side with the larger rank
        sum.
    """
    from scipy.stats import rankdata, wilcoxon

    real = differences[differences != 0]
    if not len(real):
        return 1.0, 0
    largest = float(np.abs(real[np.isfinite(real)]).max(initial=1.0))
    # Equal ratios must tie, although their logarithms may differ by rounding.
    real = np.round(np.clip(real, -2 * largest, 2 * largest), 9)
    ranks = np.sign(real) * rankdata(np.abs(real))
    if 2 ** len(real) <= EXACT:
        turned = np.arange(2 ** len(real))[:, None] >> np.arange(len(real)) & 1
        p_value = _as_far_out((1 - 2 * turned) @ ranks)
    else:
        # Named, since versions of scipy choose differently where ranks tie.
        ties = len(np.unique(np.abs(real))) < len(real)
        method = "approx" if ties or len(real) > 50 else "exact"
        p_value = float(wilcoxon(real, method=method).pvalue)
    return p_value, int(np.sign(ranks.sum()))


def rank_sum(first: Numbers, second: Numbers) -> float:
    """The p-value of the two-sided Mann-Whitney U test of two samples."""
    from scipy.stats import mannwhitneyu, rankdata

    count, both = len(first), len(first) + len(second)
    if comb(both, count) > EXACT:
        return float(mannwhitneyu(first, second).pvalue)
    ranks = rankdata(np.round([*first, *second], 9))
    shared = np.array([*combinations(range(both), count)])
    return _as_far_out(ranks[shared].sum(axis=1))


def _as_far_out(sums: Numbers) -> float:
    """Twice the share of the rank sums that are at least as extreme as the first, on its side."""
    side = min(np.mean(sums >= sums[0] - 1e-9), np.mean(sums <= sums[0] + 1e-9))
    return min(1.0, 2 * float(side))


def exact_sign(first: int, second: int) -> float:
    """The exact two-sided binomial test that two outcomes are equally likely.

    On counts of pairs in which only one of the two succeeded, this is McNemar's exact test.
    """
    from scipy.stats import binomtest

    return float(binomtest(first, first + second).pvalue) if first + second else 1.0


def holm(values: Sequence[float]) -> list[float]:
    """P-values of several tests, corrected by Holm (1979); NaN values are not counted as tests."""
    adjusted = [float(value) for value in values]
    tests = sorted((value, place) for place, value in enumerate(values) if value == value)
    least = 0.0
    for done, (value, place) in enumerate(tests):
        least = max(least, min(1.0, (len(tests) - done) * value))
        adjusted[place] = least
    return adjusted


def rank_test(first: Numbers, second: Numbers, paired: bool) -> float:
    """The p-value of Wilcoxon's signed-rank test for pairs, else of the Mann-Whitney U test.

    NaN if any value is NaN.
    """
    if np.isnan([*first, *second]).any():
        return nan
    if paired:
        return signed_rank(first - second)[0]
    return rank_sum(first, second)


def t_test(first: Numbers, second: Numbers, paired: bool) -> float:
    """The p-value of Student's paired t-test, or of Welch's; NaN if the values do not vary."""
    from scipy.stats import ttest_ind, ttest_rel

    if not np.ptp(first - second if paired else [np.ptp(first), np.ptp(second), 0.0]):
        return nan
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # The warning only says that values that do not vary have no p-value.
        warnings.simplefilter("ignore")
        paired_or_not = (
            ttest_rel(first, second) if paired else ttest_ind(first, second, equal_var=False)
        )
        return float(paired_or_not.pvalue)


def superiority(first: Numbers, second: Numbers) -> float:
    """The effect size A of two samples: how often a value of the first is the smaller one.

    Vargha and Delaney's A12 (2000), with the smaller value as the better one; ties count half.

    Args:
        first, second: of shape ``(n,)`` and ``(m,)``.

    Returns:
        From 0 to 1; 0.5 where neither is better.
    """
    one, other = first[:, None], second[None, :]
    return float((one < other).mean() + (one <= other).mean()) / 2


def superiority_interval(share: float, first: int, second: int) -> Interval:
    """The 95 % interval of the effect size A of two independent samples.

    Method 5 of Newcombe (2006, "Confidence intervals for an effect size measure based on the
    Mann-Whitney statistic", part 2): a score interval, which stays sensible where one sample lies
    wholly below the other and a bootstrap interval has no width.

    Args:
        share: the effect size, 0 to 1.
        first, second: the sizes of the samples.
    """
    from scipy.optimize import brentq
    from scipy.stats import norm

    mean, wide = (first + second) / 2, float(norm.ppf(0.975)) ** 2

    def miss(true: float) -> float:
        """How far the share is from a true value, beyond what that one leads to expect."""
        spread = 2 * mean - 1 - (3 * mean - 3) / ((2 - true) * (1 + true))
        return (share - true) ** 2 - wide * true * (1 - true) * spread / (first * second)

    # The share itself is a root if it is 0 or 1.
    off = 1e-12
    low = brentq(miss, 0.0, share - off) if share > off else 0.0
    high = brentq(miss, share + off, 1.0) if share < 1 - off else 1.0
    return float(low), float(high)


@dataclass(frozen=True)
class Ranks:
    """The ranks of several competitors over blocks, such as seeds or deals; 1 is the best.

    Attributes:
        means: mean rank of each, ties shared.
        p: of Friedman's test that all are equally good; NaN if none differs from another.
        blocks: how many blocks there are.
        critical: the difference of mean ranks from which two differ at 5 % by the test of Nemenyi
            (1963), which is corrected for the number of pairs (Demšar 2006).
    """

    means: Mapping[str, float]
    p: float
    blocks: int
    critical: float


def friedman(values: Mapping[str, Numbers]) -> Ranks:
    """Friedman's test of three or more competitors, with their mean ranks.

    Args:
        values: by competitor, its values in the same blocks, less being better; each of shape
            ``(blocks,)``, with at least two blocks.
    """
    from scipy.stats import friedmanchisquare, rankdata, studentized_range

    table = np.array([*values.values()], float)
    count, blocks = table.shape
    # Equal ratios must tie, although their logarithms may differ by rounding.
    ranks = rankdata(np.round(table, 9), axis=0)
    differ = bool((ranks != ranks[0]).any())
    range_ = float(studentized_range.ppf(0.95, count, np.inf))
    return Ranks(
        means=dict(zip(values, map(float, ranks.mean(axis=1)), strict=True)),
        p=float(friedmanchisquare(*ranks).pvalue) if differ else nan,
        blocks=blocks,
        critical=range_ / sqrt(2) * sqrt(count * (count + 1) / (6 * blocks)),
    )


def least_rank_p(first: int, second: int, paired: bool) -> float:
    """The smallest p-value that ``rank_test`` can return for these sample sizes."""
    return min(1.0, 2.0 / (2**first if paired else comb(first + second, first)))
