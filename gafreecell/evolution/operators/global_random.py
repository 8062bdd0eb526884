"""Seeds all generators that breeding draws from, and restores them afterwards.

DEAP's operators draw from the module ``random``, some from ``numpy.random``, and operators of
anybody's may, too. DEAP's own get ``draws.GENERATOR`` in place of the module, since other threads
may draw from that at the same time.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from gafreecell.evolution.draws import DRAWING, GENERATOR

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
    """Seed the generators from ``rng`` for the block, and restore the global ones at its end.

    Args:
        rng: draws the seeds of all.
    """
    words, seed = rng.integers(2**32, size=(2, 8), dtype=np.uint32)
    drawn = int.from_bytes(words.astype("<u4").tobytes(), "little")
    with _LENT, global_generators_kept(), _deaps_own():
        GENERATOR.seed(drawn)
        # Another stream, so that whoever draws from it does not repeat what was drawn for us.
        random.seed(drawn + 1)
        source = np.random.MT19937(np.random.SeedSequence(seed.tolist()))
        np.random.set_bit_generator(source)  # type: ignore[attr-defined]
        yield


@contextmanager
def _deaps_own() -> Iterator[None]:
    """Have DEAP's modules draw from our generator in the block."""
    kept = [vars(module)["random"] for module in DRAWING]
    for module in DRAWING:
        vars(module)["random"] = GENERATOR
    try:
        yield
    finally:
        for module, before in zip(DRAWING, kept, strict=True):
            vars(module)["random"] = before
