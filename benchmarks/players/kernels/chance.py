"""Chance in what players choose."""

from __future__ import annotations

import numpy as np

from jit import kernel
from jit.kernels.draws import below


@kernel
def noise(draws: np.ndarray) -> float:
    """A random number (Gumbel's distribution): the best of scores with noise is a softmax choice.

    Args:
        draws: the player's random numbers.
    """
    return -np.log(-np.log((below(draws, 1 << 30) + 0.5) / (1 << 30)))
