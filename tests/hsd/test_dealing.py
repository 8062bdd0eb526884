"""Deals made in a kernel against those of ``deals.microsoft``."""

from __future__ import annotations

import random

import numpy as np
import pytest

from deals.freecell_board import MAX_CASCADES, MIN_CASCADES
from deals.microsoft import LARGEST_DEAL, shuffled_deck
from hsd.kernels.dealing import deal
from hsd.kernels.packed import PACKED, pack_cascades


@pytest.mark.parametrize("cascades", range(MIN_CASCADES, MAX_CASCADES + 1))
def test_a_deal_is_the_plain_one(cascades: int) -> None:
    generator = random.Random(cascades)
    numbers = [1, 2, 32_000, 65_536, 10**6, 2**30, LARGEST_DEAL - 1, LARGEST_DEAL]
    numbers += [generator.randint(1, LARGEST_DEAL) for _ in range(400)]
    dirty = 2**64 - 1
    packed, scratch = np.full(3 * PACKED, dirty, np.uint64), np.full(52, -7, np.int64)
    for number in numbers:
        packed[PACKED : 2 * PACKED] = dirty
        deal(number, cascades, packed, PACKED, scratch)
        deck = shuffled_deck(number)
        expected = pack_cascades([deck[i::cascades] for i in range(cascades)])
        assert packed[PACKED : 2 * PACKED].tolist() == expected.tolist()
    assert set(packed[:PACKED].tolist()) == set(packed[2 * PACKED :].tolist()) == {dirty}
