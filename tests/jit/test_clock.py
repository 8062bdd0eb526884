"""The clock that kernels read."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from gafreecell.jit import kernel
from gafreecell.jit.kernels.clock import thread_seconds

SAME = 1e-6
"""What two clocks may differ by: one adds seconds and nanoseconds as floats."""


@kernel
def _read(times):  # type: ignore[no-untyped-def]
    for i in range(times.size):
        times[i] = thread_seconds()


def readings(count: int) -> list[float]:
    """The kernel's clock, between two readings of Python's."""
    import numpy as np

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
