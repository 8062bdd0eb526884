"""The heap against Python's ``heapq``."""

from __future__ import annotations

import heapq

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solving.heap import pop, push

SCORES = st.integers(-3, 3).map(float) | st.floats(allow_nan=False)
LARGEST = 64


class Heap:
    """A heap of the kernels in full arrays: what lies behind its end must not matter."""

    def __init__(self) -> None:
        self.scores = np.full(LARGEST, -np.inf)
        self.items = np.full(LARGEST, -1, np.int32)
        self.size = 0

    def push(self, score: float, item: int) -> None:
        self.size = push(self.scores, self.items, self.size, score, item)

    def pop(self) -> tuple[float, int]:
        first = float(self.scores[0]), int(self.items[0])
        self.size = pop(self.scores, self.items, self.size)
        return first

    def entries(self) -> list[tuple[float, int]]:
        pairs = zip(self.scores[: self.size], self.items[: self.size], strict=True)
        return sorted((float(score), int(item)) for score, item in pairs)


@given(st.lists(st.none() | SCORES, max_size=LARGEST))
def test_it_gives_the_smallest_first(orders: list[float | None]) -> None:
    """A score is pushed, None pops."""
    heap, plain = Heap(), list[tuple[float, int]]()
    for item, score in enumerate(orders):
        if score is not None:
            heap.push(score, item)
            heapq.heappush(plain, (score, item))
        elif plain:
            popped = heap.pop()
            assert popped[0] == plain[0][0]
            # Equal scores may come in any order.
            plain.remove(popped)
            heapq.heapify(plain)
        assert heap.size == len(plain)
        assert heap.entries() == sorted(plain)


@given(st.lists(SCORES, unique=True, max_size=LARGEST))
def test_it_sorts(scores: list[float]) -> None:
    heap = Heap()
    for item, score in enumerate(scores):
        heap.push(score, item)
    assert [heap.pop() for _ in scores] == sorted(zip(scores, range(len(scores)), strict=True))
    assert heap.size == 0


def test_infinite_scores_have_their_place() -> None:
    heap = Heap()
    for item, score in enumerate([0.0, float("inf"), float("-inf"), 1.0]):
        heap.push(score, item)
    assert [heap.pop()[1] for _ in range(4)] == [2, 0, 3, 1]
