"""Kernels that games share: bits, the clock, PySol FC's shuffles."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from deals.pysol import shuffled_pysol
from gafreecell.jit import kernel
from gafreecell.jit.kernels.bits import count_bits, highest_bit, lowest_bit, prefetch
from gafreecell.jit.kernels.clock import thread_seconds
from gafreecell.jit.kernels.shuffles import new_shuffled, shuffle_pysol

EDGES = sorted({(1 << bit) + step for bit in range(64) for step in (-1, 0, 1)} | {2**64 - 1})
"""0, all powers of two with their neighbours, all ones."""


@kernel
def _bits(mask):  # type: ignore[no-untyped-def]
    return lowest_bit(mask), highest_bit(mask), count_bits(mask)


@kernel
def _fetch(array, index):  # type: ignore[no-untyped-def]
    prefetch(array, index)


def check(mask: int) -> None:
    lowest = (mask & -mask).bit_length() - 1 if mask else 64
    assert _bits(np.uint64(mask)) == (lowest, mask.bit_length() - 1, mask.bit_count()), mask


@given(st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3))
def test_the_lowest_and_the_highest_bit_and_how_many_are_set(masks: list[int]) -> None:
    for mask in masks:
        check(mask)


def test_bits_of_powers_of_two_and_their_neighbours() -> None:
    for mask in EDGES:
        check(mask)


def test_fetching_ahead_changes_nothing() -> None:
    for kind in (np.uint64, np.int64, np.uint8):
        array = np.arange(100, dtype=kind)
        for index in (0, 50, 99):
            _fetch(array, index)
        assert (array == np.arange(100)).all()


SAME = 1e-6
"""What two clocks may differ by: one adds seconds and nanoseconds as floats."""


@kernel
def _read(times):  # type: ignore[no-untyped-def]
    for i in range(times.size):
        times[i] = thread_seconds()


def readings(count: int) -> list[float]:
    """The kernel's clock, between two readings of Python's."""
    times = np.zeros(count)
    _read(times)
    before = time.thread_time()
    _read(times)
    return [before, *times.tolist(), time.thread_time()]


def test_it_is_the_threads_processor_time() -> None:
    found = readings(1000)
    assert found[0] > 0
    assert all(a <= b + SAME for a, b in pairwise(found))
    time.sleep(0.05)
    assert readings(1)[1] - found[-1] < 0.04, "it stands while the thread sleeps"


def test_each_thread_has_its_own() -> None:
    here = readings(1)[1]
    with ThreadPoolExecutor(1) as pool:
        there = pool.submit(readings, 1).result()
    assert there[0] <= there[1] + SAME <= there[2] + 2 * SAME
    assert there[2] < here


SHUFFLED = new_shuffled()
NUMBERS = st.integers(1, 40_000) | st.integers(1, 2**33) | st.integers(1, 2**63 - 1)


@given(NUMBERS)
@example(32_000)
@example(32_001)
@example(2**32 - 1)
@example(2**32)
@example(2**63 - 1)
def test_any_shuffle(number: int) -> None:
    shuffle_pysol(number, SHUFFLED)
    assert tuple(SHUFFLED.deck.tolist()) == shuffled_pysol(number)
