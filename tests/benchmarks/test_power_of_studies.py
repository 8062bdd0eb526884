"""How much of a difference a study would find."""

from __future__ import annotations

import numpy as np
from scipy.stats import ttest_1samp

from benchmarks.studies import detectable


def test_the_detectable_difference_is_found_in_four_of_five_studies() -> None:
    rng = np.random.default_rng(1)
    for pairs in (3, 10):
        drawn = rng.normal(size=pairs)
        # The spread that was seen is taken for the true one.
        drawn = (drawn - drawn.mean()) / drawn.std(ddof=1)
        least = detectable(drawn)
        studies = rng.normal(least, 1.0, size=(20_000, pairs))
        assert abs(np.mean(ttest_1samp(studies, 0.0, axis=1).pvalue < 0.05) - 0.8) < 0.015
