"""Random numbers for kernels: SplitMix64, whose whole state is one word of an array.

SplitMix64 (Steele, Lea and Flood 2014) mixes the values of a counter. Its numbers depend only on
the seed and are bit-identical on every machine.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit.compiling import int64, kernel, uint64

_STEP = uint64(0x9E3779B97F4A7C15)


def new_draws(seed: int, place: int) -> np.ndarray:
    """A generator (uint64[1]) for one game of a series.

    Args:
        seed: of the series, from 0.
        place: of the game in the series, from 0.
    """
    return np.random.SeedSequence(seed, spawn_key=(place,)).generate_state(1, np.uint64)


@kernel
def below(draws: np.ndarray, n: int) -> int:
    """A random number from 0 to n - 1, with a bias below n / 2^32; n is at most 2^31."""
    draws[0] += _STEP
    z = draws[0]
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    z ^= z >> uint64(31)
    return int64(((z >> uint64(32)) * uint64(n)) >> uint64(32))


@kernel
def shuffle(values: np.ndarray, places: np.ndarray, n: int, draws: np.ndarray) -> None:
    """Shuffle the values at the first n indices in ``places`` (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(draws, i + 1)
        kept = values[places[i]]
        values[places[i]] = values[places[j]]
        values[places[j]] = kept
