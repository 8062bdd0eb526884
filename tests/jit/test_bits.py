"""Single bits against Python's whole numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gafreecell.jit import kernel
from gafreecell.jit.kernels.bits import count_bits, highest_bit, lowest_bit, prefetch

MASKS = st.integers(0, 2**64 - 1) | st.integers(0, 63).map(lambda bit: 1 << bit)
EDGES = sorted({(1 << bit) + step for bit in range(64) for step in (-1, 0, 1)} | {2**64 - 1})
"""0, all powers of two with their neighbours, all ones."""


@kernel
def _lowest(mask):  # type: ignore[no-untyped-def]
    return lowest_bit(mask)


@kernel
def _highest(mask):  # type: ignore[no-untyped-def]
    return highest_bit(mask)


@kernel
def _count(mask):  # type: ignore[no-untyped-def]
    return count_bits(mask)


@kernel
def _fetch(array, index):  # type: ignore[no-untyped-def]
    prefetch(array, index)


@given(MASKS)
def test_the_lowest_bit(mask: int) -> None:
    expected = (mask & -mask).bit_length() - 1 if mask else 64
    assert _lowest(np.uint64(mask)) == expected


@given(MASKS)
def test_the_highest_bit(mask: int) -> None:
    assert _highest(np.uint64(mask)) == mask.bit_length() - 1


@given(MASKS)
def test_how_many_bits_are_set(mask: int) -> None:
    assert _count(np.uint64(mask)) == mask.bit_count()


def test_bits_of_powers_of_two_and_their_neighbours() -> None:
    for mask in EDGES:
        assert _highest(np.uint64(mask)) == mask.bit_length() - 1
        assert _lowest(np.uint64(mask)) == ((mask & -mask).bit_length() - 1 if mask else 64)
        assert _count(np.uint64(mask)) == mask.bit_count()


def test_fetching_ahead_changes_nothing() -> None:
    for kind in (np.uint64, np.int64, np.uint8):
        array = np.arange(100, dtype=kind)
        for index in (0, 50, 99):
            _fetch(array, index)
        assert (array == np.arange(100)).all()
