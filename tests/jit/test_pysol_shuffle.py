"""Shuffles made in a kernel against PySol FC's own package."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from deals.pysol import shuffled_pysol
from gafreecell.jit.kernels import pysol
from gafreecell.jit.kernels.pysol import new_shuffled, shuffle

SHUFFLED = new_shuffled()
NUMBERS = st.integers(1, 40_000) | st.integers(1, 2**33) | st.integers(1, 2**63 - 1)


@given(NUMBERS)
@example(32_000)
@example(32_001)
@example(2**32 - 1)
@example(2**32)
@example(2**63 - 1)
def test_any_shuffle(number: int) -> None:
    shuffle(number, SHUFFLED)
    assert tuple(SHUFFLED.deck.tolist()) == shuffled_pysol(number)


@given(NUMBERS)
def test_the_twister_is_seeded_as_pythons(number: int) -> None:
    state = np.zeros(624, np.int64)
    pysol._seed(number, state)
    generator = random.Random(number)
    assert state.tolist() == list(generator.getstate()[1][:624])
    words = [int(pysol._word(state, k)) for k in range(227)]
    assert words == [generator.getrandbits(32) for _ in range(227)]
