"""The heaps against Python's ``heapq``."""

from __future__ import annotations

import heapq
import random
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gafreecell.jit.kernels.heap import entry_of, key_of, meld, pop, pop_key, push, push_key

SCORES = st.integers(-3, 3).map(float) | st.floats(allow_nan=False)
KEYS = st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1)
LARGEST = 64


class Heap:
    """A heap of the kernels in full arrays: the content behind its end must not matter."""

    def __init__(self) -> None:
        self.scores = np.full(LARGEST, -np.inf)
        self.items = np.full(LARGEST, -1, np.int32)
        self.size = 0

    def push(self, entry: tuple[float, int]) -> None:
        self.size = push(self.scores, self.items, self.size, *entry)

    def pop(self) -> tuple[float, int]:
        first = float(self.scores[0]), int(self.items[0])
        self.size = pop(self.scores, self.items, self.size)
        return first

    def entries(self) -> list[Any]:
        items = self.items[: self.size].tolist()
        return sorted(zip(self.scores[: self.size].tolist(), items, strict=True))


class KeyHeap:
    """As ``Heap``, of keys alone."""

    def __init__(self, room: int = LARGEST) -> None:
        self.keys = np.full(room, -(2**63), np.int64)
        self.size = 0

    def push(self, key: int) -> None:
        self.size = push_key(self.keys, self.size, key)

    def pop(self) -> int:
        first = int(self.keys[0])
        self.size = pop_key(self.keys, self.size)
        return first

    def entries(self) -> list[Any]:
        return sorted(self.keys[: self.size].tolist())


def check(heap: Heap | KeyHeap, orders: list[Any]) -> None:
    """Push each entry, and pop for None."""
    plain: list[Any] = []
    for order in orders:
        if order is not None:
            heap.push(order)
            plain.append(order)
        elif plain:
            popped = heap.pop()
            # Equal scores may come in any order.
            least = min(plain)
            assert popped == least if isinstance(heap, KeyHeap) else popped[0] == least[0]
            plain.remove(popped)
        assert heap.size == len(plain)
        assert heap.entries() == sorted(plain)


@given(st.lists(st.none() | SCORES, max_size=LARGEST))
def test_it_gives_the_smallest_first(orders: list[float | None]) -> None:
    check(Heap(), [score if score is None else (score, i) for i, score in enumerate(orders)])


@given(st.lists(st.none() | KEYS, max_size=LARGEST))
def test_keys_come_smallest_first(orders: list[int | None]) -> None:
    check(KeyHeap(), orders)


@given(st.lists(SCORES, unique=True, max_size=LARGEST))
def test_it_sorts(scores: list[float]) -> None:
    heap, entries = Heap(), [(score, item) for item, score in enumerate(scores)]
    for entry in entries:
        heap.push(entry)
    assert [heap.pop() for _ in scores] == sorted(entries)
    assert heap.size == 0


@given(st.lists(KEYS, max_size=LARGEST))
def test_keys_are_sorted(keys: list[int]) -> None:
    heap = KeyHeap()
    for key in keys:
        heap.push(key)
    assert [heap.pop() for _ in keys] == sorted(keys)
    assert heap.size == 0


def test_infinite_scores_have_their_place() -> None:
    heap = Heap()
    for item, score in enumerate([0.0, float("inf"), float("-inf"), 1.0]):
        heap.push((score, item))
    assert [heap.pop()[1] for _ in range(4)] == [2, 0, 3, 1]


def test_many_keys() -> None:
    """Pushed and popped by turns, more often pushed at first: all levels of a deep heap."""
    generator = random.Random(1)
    heap, plain = KeyHeap(20_000), list[int]()
    for step in range(30_000):
        if plain and generator.random() < step / 40_000:
            assert heap.pop() == heapq.heappop(plain)
        else:
            key = generator.randrange(-500, 500) << 32 | generator.randrange(2**32)
            heap.push(key)
            heapq.heappush(plain, key)
    while plain:
        assert heap.pop() == heapq.heappop(plain)


# Many heaps in one


class Skew:
    """Heaps of items that share their arrays; the content of unused items must not matter."""

    def __init__(self, room: int, heaps: int) -> None:
        self.keys = np.full(room, -(2**63), np.int64)
        self.left = np.full(room, 9_999, np.int32)
        self.right = np.full(room, 9_999, np.int32)
        self.roots = [-1] * heaps

    def _meld(self, first: int, second: int) -> int:
        return int(meld(self.keys, self.left, self.right, first, second))

    def push(self, heap: int, item: int, key: int) -> None:
        self.keys[item], self.left[item], self.right[item] = key, -1, -1
        self.roots[heap] = self._meld(self.roots[heap], item)

    def pop(self, heap: int) -> int:
        """The key that is removed."""
        root = self.roots[heap]
        self.roots[heap] = self._meld(int(self.left[root]), int(self.right[root]))
        return int(self.keys[root])

    def join(self, heap: int, other: int) -> None:
        self.roots[heap] = self._meld(self.roots[heap], self.roots[other])
        self.roots[other] = -1


@given(st.lists(st.tuples(st.integers(0, 2), st.none() | st.booleans() | KEYS), max_size=LARGEST))
def test_heaps_that_share_arrays(orders: list[tuple[int, int | bool | None]]) -> None:
    """A key is pushed, None pops, a truth value joins the next heap to this one."""
    heaps, plain = Skew(LARGEST, 3), [list[int](), list[int](), list[int]()]
    for item, (at, order) in enumerate(orders):
        if isinstance(order, bool):
            other = (at + 1) % 3
            heaps.join(at, other)
            plain[at] += plain[other]
            plain[other] = []
            heapq.heapify(plain[at])
        elif order is not None:
            heaps.push(at, item, order)
            heapq.heappush(plain[at], order)
        elif plain[at]:
            assert heaps.pop(at) == heapq.heappop(plain[at])
        assert [root >= 0 for root in heaps.roots] == [bool(keys) for keys in plain]
    for at, keys in enumerate(plain):
        assert [heaps.pop(at) for _ in keys] == sorted(keys)
        assert heaps.roots[at] == -1


def test_long_chains() -> None:
    """Keys in order, either way, make chains: no depth is too much."""
    for keys in (range(20_000), range(20_000, 0, -1)):
        heaps = Skew(20_000, 1)
        for item, key in enumerate(keys):
            heaps.push(0, item, key)
        assert [heaps.pop(0) for _ in keys] == sorted(keys)


@given(st.lists(st.tuples(st.integers(-(2**31), 2**31 - 1), st.integers(0, 2**32 - 1))))
def test_keys_order_by_score_and_then_the_latest_entry(pairs: list[tuple[int, int]]) -> None:
    keys = {int(key_of(score, entry)): (score, entry) for score, entry in pairs}
    assert {key: int(entry_of(key)) for key in keys} == {k: entry for k, (_, entry) in keys.items()}
    ordered = [keys[key] for key in sorted(keys)]
    assert ordered == sorted(set(pairs), key=lambda pair: (pair[0], -pair[1]))
