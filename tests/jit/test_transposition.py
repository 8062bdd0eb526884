"""Transposition tables against Python's set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gafreecell.jit import kernel
from gafreecell.jit.kernels.transposition import (
    find,
    find_pair,
    prefetch_pair,
    rehash,
    rehash_pairs,
    rehash_values,
)

LARGEST = 2**64 - 1
# Keys that differ in their high bits only collide in few slots, among them the last ones.
CROWDED = st.builds(
    lambda high, low: (high << 40) + low,
    st.integers(1, 2**24 - 1),
    st.integers(0, 3) | st.integers(2**40 - 4, 2**40 - 1),
)
KEYS = st.integers(1, LARGEST) | st.integers(1, 64) | CROWDED
# Few first words, so that many keys share one; the second may be zero.
SHARED = st.tuples(st.integers(1, 4), st.integers(0, 6) | st.integers(0, LARGEST))
PAIRS = st.tuples(KEYS, st.integers(0, LARGEST)) | SHARED

Key = tuple[int, ...]


class Table:
    """A table of keys of one word or of two."""

    def __init__(self, slots: int, words: int) -> None:
        self.words, self.array = words, np.zeros(slots * words, np.uint64)

    def slot_of(self, key: Key) -> int:
        """As of the kernel, checked: it holds the key, or nothing."""
        looked_up = (find, find_pair)[self.words - 1]
        slot = int(looked_up(self.array, *map(np.uint64, key)))
        at = slot if slot >= 0 else -1 - slot
        assert at % self.words == 0
        if slot >= 0:
            assert tuple(self.array[at : at + self.words].tolist()) == key
        else:
            assert self.array[at] == 0
        return slot

    def holds(self, key: Key) -> bool:
        return self.slot_of(key) >= 0

    def add(self, key: Key) -> bool:
        """Enter a key; whether it is new."""
        slot = self.slot_of(key)
        if slot < 0:
            self.array[-1 - slot : -1 - slot + self.words] = key
        return slot < 0

    def keys(self) -> list[Key]:
        rows = map(tuple, self.array.reshape(-1, self.words).tolist())
        return sorted(key for key in rows if key[0])

    def copied_to(self, slots: int) -> Table:
        """A table of so many slots with the same keys; this one is left as it is."""
        kept, larger = self.array.copy(), Table(slots, self.words)
        (rehash, rehash_pairs)[self.words - 1](self.array, larger.array)
        assert (self.array == kept).all()
        return larger


of_any_words = pytest.mark.parametrize(
    ("words", "keys"), [(1, st.tuples(KEYS)), (2, PAIRS)], ids=["words", "pairs"]
)


@of_any_words
@given(st.data())
def test_it_is_a_set(words: int, keys: st.SearchStrategy[Key], data: st.DataObject) -> None:
    table = Table(32, words)
    seen: set[Key] = set()
    for key in data.draw(st.lists(keys, max_size=31)):
        assert table.add(key) == (key not in seen)
        seen.add(key)
    assert all(map(table.holds, seen))
    assert all(table.holds(key) == (key in seen) for key in data.draw(st.lists(keys, max_size=20)))
    assert table.keys() == sorted(seen)


@of_any_words
@given(st.data())
def test_a_larger_table_holds_the_same(
    words: int, keys: st.SearchStrategy[Key], data: st.DataObject
) -> None:
    table, added = Table(32, words), data.draw(st.lists(keys, max_size=31))
    for key in added:
        table.add(key)
    larger = table.copied_to(data.draw(st.sampled_from([32, 64, 256])))
    assert larger.keys() == sorted(set(added))
    assert all(map(larger.holds, added))
    others = data.draw(st.lists(keys, max_size=20))
    assert all(larger.holds(key) == (key in added) for key in others)


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("size", [2, 8, 1024])
def test_keys_that_meet_at_the_end_go_on_at_the_start(words: int, size: int) -> None:
    table = Table(size, words)
    keys = [((i << 32) | (size - 1), i % 3)[:words] for i in range(1, size)]
    assert all(map(table.add, keys))
    assert len(table.keys()) == size - 1
    assert not any(map(table.add, keys))
    # With one empty slot left, an absent key is still found to be absent.
    for absent in ((size << 32 | size - 1, 1), (LARGEST, LARGEST)):
        assert not table.holds(absent[:words])
    assert words == 1 or not table.holds((keys[0][0], 9))


@pytest.mark.parametrize("words", [1, 2])
def test_a_table_of_many_random_keys(words: int) -> None:
    drawn = np.random.default_rng(1).integers(1, LARGEST, (3000, words), np.uint64, endpoint=True)
    keys = [tuple(row) for row in drawn.tolist()]
    table = Table(4096, words)
    assert all(map(table.add, keys))
    larger = table.copied_to(1 << 14)
    assert larger.keys() == sorted(keys)
    assert not any(larger.holds((first ^ 1 << 50, *second)) for first, *second in keys)
    assert not any(larger.holds((*first, last ^ 1)) for *first, last in keys)


@given(KEYS, st.lists(st.integers(0, LARGEST), min_size=1, max_size=15, unique=True))
def test_pairs_that_share_their_first_word_are_told_apart(first: int, seconds: list[int]) -> None:
    table = Table(16, 2)
    assert all(table.add((first, second)) for second in seconds)
    assert len({table.slot_of((first, second)) for second in seconds}) == len(seconds)
    absent = next(second for second in range(16) if second not in seconds)
    assert not table.holds((first, absent))


@given(st.integers(1, LARGEST), st.integers(1, LARGEST))
def test_the_words_of_a_pair_are_not_interchangeable(first: int, second: int) -> None:
    table = Table(16, 2)
    table.add((first, second))
    assert table.holds((second, first)) == (first == second)


@kernel
def _expect(table: Any, keys: Any) -> None:
    for i in range(keys.size):
        prefetch_pair(table, keys[i])


def test_prefetching_a_pair_changes_nothing() -> None:
    table = np.arange(64, dtype=np.uint64)
    _expect(table, np.array([0, 1, 31, 32, LARGEST, 1 << 63], np.uint64))
    assert (table == np.arange(64)).all()


ORDERS = st.tuples(KEYS, st.none() | st.integers(0, 2**31 - 1))


@given(st.lists(ORDERS, max_size=60))
def test_with_values_it_is_a_dict_that_grows_and_is_wiped(orders: list[Any]) -> None:
    """A value is kept under its key; None wipes a table of fewer than four keys."""
    table, values = np.zeros(8, np.uint64), np.zeros(8, np.int32)
    kept: dict[int, int] = {}
    for key, value in orders:
        if value is None:
            if len(kept) < 4:
                table[:] = 0
                kept.clear()
            continue
        if 2 * len(kept) >= table.size:
            larger = np.zeros(2 * table.size, np.uint64), np.zeros(2 * table.size, np.int32)
            rehash_values(table, values, *larger)
            table, values = larger
        slot = int(find(table, np.uint64(key)))
        assert (slot >= 0) == (key in kept)
        slot = slot if slot >= 0 else -1 - slot
        table[slot], values[slot] = key, value
        kept[key] = value
        assert all(values[find(table, np.uint64(one))] == kept[one] for one in kept)
