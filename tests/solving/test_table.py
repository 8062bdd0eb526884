"""The table of keys against Python's set."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solving.table import find, rehash

LARGEST = 2**64 - 1
# Keys that differ in their high bits only, so that they meet at few places, the last ones too.
CROWDED = st.builds(
    lambda high, low: (high << 40) + low,
    st.integers(1, 2**24 - 1),
    st.integers(0, 3) | st.integers(2**40 - 4, 2**40 - 1),
)
KEYS = st.integers(1, LARGEST) | st.integers(1, 64) | CROWDED


def add(table: np.ndarray, key: int) -> bool:
    """Enter a key; whether it is new."""
    place = find(table, np.uint64(key))
    if place >= 0:
        assert table[place] == key
        return False
    assert table[-1 - place] == 0
    table[-1 - place] = key
    return True


def holds(table: np.ndarray, key: int) -> bool:
    place = find(table, np.uint64(key))
    assert table[place if place >= 0 else -1 - place] == (key if place >= 0 else 0)
    return bool(place >= 0)


@given(st.lists(KEYS, max_size=31), st.lists(KEYS, max_size=20))
def test_it_is_a_set(keys: list[int], others: list[int]) -> None:
    table = np.zeros(32, np.uint64)
    seen: set[int] = set()
    for key in keys:
        assert add(table, key) == (key not in seen)
        seen.add(key)
    assert all(holds(table, key) for key in seen)
    assert all(holds(table, key) == (key in seen) for key in others)
    assert sorted(table[table != 0].tolist()) == sorted(seen)


@given(st.lists(KEYS, max_size=31), st.sampled_from([32, 64, 256]), st.lists(KEYS, max_size=20))
def test_a_larger_table_holds_the_same(keys: list[int], size: int, others: list[int]) -> None:
    table, larger = np.zeros(32, np.uint64), np.zeros(size, np.uint64)
    for key in keys:
        add(table, key)
    kept = table.copy()
    rehash(table, larger)
    assert (table == kept).all()
    assert sorted(larger[larger != 0].tolist()) == sorted(set(keys))
    assert all(holds(larger, key) for key in keys)
    assert all(holds(larger, key) == (key in keys) for key in others)


@pytest.mark.parametrize("size", [2, 8, 1024])
def test_keys_that_meet_at_the_end_go_on_at_the_start(size: int) -> None:
    table = np.zeros(size, np.uint64)
    keys = [(i << 32) | (size - 1) for i in range(1, size)]
    assert all(add(table, key) for key in keys)
    assert np.count_nonzero(table) == size - 1
    assert not any(add(table, key) for key in keys)
    # Full but for one place: what is not there is still told.
    assert not holds(table, (size << 32) | (size - 1))
    assert not holds(table, LARGEST)


def test_a_table_of_many_random_keys() -> None:
    keys = np.random.default_rng(1).integers(1, LARGEST, 3000, np.uint64, endpoint=True)
    table = np.zeros(4096, np.uint64)
    assert [add(table, key) for key in keys.tolist()] == [True] * 3000
    larger = np.zeros(1 << 14, np.uint64)
    rehash(table, larger)
    assert all(holds(larger, key) for key in keys.tolist())
    assert not any(holds(larger, key ^ 1 << 50) for key in keys.tolist())
