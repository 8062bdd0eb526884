"""The global random generators, lent to code that knows no others, and put back.

DEAP's operators draw from the module ``random``, some from ``numpy.random``. Nothing of ours does.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

_LENT = threading.RLock()
"""The generators are the process's: of two evolutions in it, one waits for the other."""


@contextmanager
def global_generators_kept() -> Iterator[None]:
    """Afterwards, both global generators are as they were, whatever was done to them."""
    plain = random.getstate()
    # A user may have given numpy another kind of generator, so it is kept as an object besides.
    source = np.random.get_bit_generator()  # type: ignore[attr-defined]
    state = np.random.get_state(legacy=False)
    try:
        yield
    finally:
        random.setstate(plain)
        np.random.set_bit_generator(source)  # type: ignore[attr-defined]
        np.random.set_state(state)


@contextmanager
def global_generators_from(rng: np.random.Generator) -> Iterator[None]:
    """Within it, what the global generators draw follows from ``rng`` alone.

    Args:
        rng: the seeds of both are drawn from it.
    """
    words, seed = rng.integers(2**32, size=(2, 8), dtype=np.uint32)
    with _LENT, global_generators_kept():
        random.seed(int.from_bytes(words.astype("<u4").tobytes(), "little"))
        source = np.random.MT19937(np.random.SeedSequence(seed.tolist()))
        np.random.set_bit_generator(source)  # type: ignore[attr-defined]
        yield
