"""Transposition tables against Python's set."""

from __future__ import annotations

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
)

LARGEST = 2**64 - 1
# Keys that differ in their high bits only collide in few slots, among them the last ones.
CROWDED = st.builds(
    lambda high, low: (high << 40) + low,
    st.integers(1, 2**24 - 1),
    st.integers(0, 3) | st.integers(2**40 - 4, 2**40 - 1),
)
KEYS = st.integers(1, LARGEST) | st.integers(1, 64) | CROWDED


def add(table: np.ndarray, key: int) -> bool:
    """Enter a key; whether it is new."""
    slot = find(table, np.uint64(key))
    if slot >= 0:
        assert table[slot] == key
        return False
    assert table[-1 - slot] == 0
    table[-1 - slot] = key
    return True


def holds(table: np.ndarray, key: int) -> bool:
    slot = find(table, np.uint64(key))
    assert table[slot if slot >= 0 else -1 - slot] == (key if slot >= 0 else 0)
    return bool(slot >= 0)


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
    # With one empty slot left, an absent key is still found to be absent.
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


# ------------------------------------------------------------------ keys of two words

Pair = tuple[int, int]
# Few first words, so that many keys share one; the second may be zero.
SHARED = st.tuples(st.integers(1, 4), st.integers(0, 6) | st.integers(0, LARGEST))
PAIRS = st.tuples(KEYS, st.integers(0, LARGEST)) | SHARED


def slot_of(table: np.ndarray, pair: Pair) -> int:
    return int(find_pair(table, np.uint64(pair[0]), np.uint64(pair[1])))


def add_pair(table: np.ndarray, pair: Pair) -> bool:
    """Enter a key; whether it is new."""
    slot = slot_of(table, pair)
    if slot >= 0:
        assert (table[slot], table[slot + 1]) == pair
        return False
    slot = -1 - slot
    assert slot % 2 == 0 and table[slot] == 0
    table[slot], table[slot + 1] = pair
    return True


def pairs_of(table: np.ndarray) -> list[Pair]:
    pairs = [(first, second) for first, second in table.reshape(-1, 2).tolist()]
    return sorted(pair for pair in pairs if pair[0])


@given(st.lists(PAIRS, max_size=31), st.lists(PAIRS, max_size=20))
def test_pairs_are_a_set(pairs: list[Pair], others: list[Pair]) -> None:
    table = np.zeros(64, np.uint64)
    seen: set[Pair] = set()
    for pair in pairs:
        assert add_pair(table, pair) == (pair not in seen)
        seen.add(pair)
    assert all(slot_of(table, pair) >= 0 for pair in seen)
    assert all((slot_of(table, pair) >= 0) == (pair in seen) for pair in others)
    assert pairs_of(table) == sorted(seen)


@given(KEYS, st.lists(st.integers(0, LARGEST), min_size=1, max_size=15, unique=True))
def test_pairs_that_share_their_first_word_are_told_apart(first: int, seconds: list[int]) -> None:
    table = np.zeros(32, np.uint64)
    for number, second in enumerate(seconds):
        assert slot_of(table, (first, second)) < 0
        assert add_pair(table, (first, second))
        assert np.count_nonzero(table[::2]) == number + 1
    assert len({slot_of(table, (first, second)) for second in seconds}) == len(seconds)
    absent = next(second for second in range(16) if second not in seconds)
    assert slot_of(table, (first, absent)) < 0


@given(st.integers(1, LARGEST), st.integers(1, LARGEST))
def test_the_words_of_a_pair_are_not_interchangeable(first: int, second: int) -> None:
    table = np.zeros(32, np.uint64)
    add_pair(table, (first, second))
    assert (slot_of(table, (second, first)) >= 0) == (first == second)


@given(st.lists(PAIRS, max_size=31), st.sampled_from([64, 128, 1024]), st.lists(PAIRS, max_size=20))
def test_a_larger_table_holds_the_same_pairs(
    pairs: list[Pair], size: int, others: list[Pair]
) -> None:
    table, larger = np.zeros(64, np.uint64), np.zeros(size, np.uint64)
    for pair in pairs:
        add_pair(table, pair)
    kept = table.copy()
    rehash_pairs(table, larger)
    assert (table == kept).all()
    assert pairs_of(larger) == sorted(set(pairs))
    assert all(slot_of(larger, pair) >= 0 for pair in pairs)
    assert all((slot_of(larger, pair) >= 0) == (pair in pairs) for pair in others)


@pytest.mark.parametrize("size", [4, 16, 2048])
def test_pairs_that_meet_at_the_end_go_on_at_the_start(size: int) -> None:
    table = np.zeros(size, np.uint64)
    pairs = [((i << 32) | (size // 2 - 1), i % 3) for i in range(1, size // 2)]
    assert all(add_pair(table, pair) for pair in pairs)
    assert np.count_nonzero(table[::2]) == size // 2 - 1
    assert not any(add_pair(table, pair) for pair in pairs)
    # With one empty slot left, an absent key is still found to be absent.
    assert slot_of(table, (pairs[0][0], 9)) < 0
    assert slot_of(table, (LARGEST, LARGEST)) < 0


def test_a_table_of_many_random_pairs() -> None:
    drawn = np.random.default_rng(1).integers(1, LARGEST, (3000, 2), np.uint64, endpoint=True)
    pairs = [(first, second) for first, second in drawn.tolist()]
    table = np.zeros(8192, np.uint64)
    assert [add_pair(table, pair) for pair in pairs] == [True] * 3000
    larger = np.zeros(1 << 15, np.uint64)
    rehash_pairs(table, larger)
    assert pairs_of(larger) == sorted(pairs)
    assert not any(slot_of(larger, (first, second ^ 1)) >= 0 for first, second in pairs)
    assert not any(slot_of(larger, (first ^ 1 << 50, second)) >= 0 for first, second in pairs)


def test_prefetching_a_pair_changes_nothing() -> None:
    @kernel
    def expect(table, keys):  # type: ignore[no-untyped-def]
        for i in range(keys.size):
            prefetch_pair(table, keys[i])

    table = np.arange(64, dtype=np.uint64)
    expect(table, np.array([0, 1, 31, 32, LARGEST, 1 << 63], np.uint64))
    assert (table == np.arange(64)).all()
