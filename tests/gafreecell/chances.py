"""Whether counts are as frequent as they should be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import chisquare

UNLIKELY = 1e-4


def fits(observed: Sequence[int], expected: Sequence[float]) -> bool:
    """Whether counts are in these proportions; what is never expected must never occur."""
    found, shares = np.array(observed), np.array(expected, float)
    possible = shares > 0
    if found[~possible].any():
        return False
    shares *= found.sum() / shares.sum()
    return bool(chisquare(found[possible], shares[possible]).pvalue > UNLIKELY)
