"""Seeds the global random generators for code that uses them, and restores them afterwards.

DEAP's operators draw from the module ``random``, some from ``numpy.random``. Our code never does.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

_LENT = threading.RLock()
"""The generators belong to the process, so two evolutions in one process take turns."""


@contextmanager
def global_generators_kept() -> Iterator[None]:
    """Restore both global generators at the end of the block."""
    plain = random.getstate()
    # A user may have set another bit generator, so keep the object as well as its state.
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
    """Seed the global generators from ``rng`` for the block, and restore them at its end.

    Args:
        rng: draws the seeds of both.
    """
    words, seed = rng.integers(2**32, size=(2, 8), dtype=np.uint32)
    with _LENT, global_generators_kept():
        random.seed(int.from_bytes(words.astype("<u4").tobytes(), "little"))
        source = np.random.MT19937(np.random.SeedSequence(seed.tolist()))
        np.random.set_bit_generator(source)  # type: ignore[attr-defined]
        yield
