"""Randomness in players' choices."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import kernel
from gafreecell.jit.kernels.draws import below


@kernel
def noise(draws: np.ndarray) -> float:
    """A Gumbel-distributed random number: the best score with this noise is a softmax choice.

    Args:
        draws: the player's random numbers.
    """
    return -np.log(-np.log((below(draws, 1 << 30) + 0.5) / (1 << 30)))
