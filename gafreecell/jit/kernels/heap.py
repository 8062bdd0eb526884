"""Priority queues in flat arrays, the smallest key first."""

from __future__ import annotations

import numpy as np

from gafreecell.jit.compiling import int64, kernel

_LOW = 0xFFFFFFFF


@kernel
def key_of(score: int, entry: int) -> int:
    """The key of an entry: the least score comes first, and of equal scores the latest entry.

    Args:
        score: a whole number from -2^31 to 2^31 - 1; larger ones lose their upper bits.
        entry: 0 to 2^32 - 1.
    """
    return (score << 32) | (_LOW - entry)


@kernel
def entry_of(key: int) -> int:
    """The entry of a key."""
    return _LOW - (key & _LOW)


@kernel
def push(scores: np.ndarray, items: np.ndarray, size: int, score: float, item: int) -> int:
    """Add an item to a heap of ``size`` entries; returns the new size.

    Args:
        scores: float64 array, longer than ``size``.
        items: int32 array of the same length.
    """
    i = size
    while i > 0:
        parent = (i - 1) >> 1
        if scores[parent] <= score:
            break
        scores[i] = scores[parent]
        items[i] = items[parent]
        i = parent
    scores[i] = score
    items[i] = item
    return size + 1


@kernel
def pop(scores: np.ndarray, items: np.ndarray, size: int) -> int:
    """Remove the smallest entry, which is at index 0, of a non-empty heap; returns the new size."""
    size -= 1
    score = scores[size]
    item = items[size]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and scores[child + 1] < scores[child]:
            child += 1
        if score <= scores[child]:
            break
        scores[i] = scores[child]
        items[i] = items[child]
        i = child
    scores[i] = score
    items[i] = item
    return size


@kernel
def push_key(keys: np.ndarray, size: int, key: int) -> int:
    """Add a key to a four-ary heap of ``size`` keys; returns the new size.

    Nothing checks the length of the array: a kernel that may exceed it must return ``GROW`` first.

    Args:
        keys: int64 array, longer than ``size``; the smallest key is at index 0.
    """
    i = size
    while i > 0:
        parent = (i - 1) >> 2
        if keys[parent] <= key:
            break
        keys[i] = keys[parent]
        i = parent
    keys[i] = key
    return size + 1


@kernel
def replace_key(keys: np.ndarray, size: int, key: int) -> None:
    """Replace the smallest key of a four-ary heap of ``size`` keys by another."""
    _sift(keys, size, 0, key)


@kernel
def make_heap(keys: np.ndarray, size: int) -> None:
    """Order the first ``size`` keys as a four-ary heap."""
    for i in range((size + 2) // 4 - 1, -1, -1):
        _sift(keys, size, i, keys[i])


@kernel
def _sift(keys: np.ndarray, size: int, i: int, key: int) -> None:
    """Replace the key at ``i`` by another and sift it down."""
    while True:
        child = 4 * i + 1
        if child >= size:
            break
        best = child
        least = keys[child]
        for other in range(child + 1, min(child + 4, size)):
            if keys[other] < least:
                best = other
                least = keys[other]
        if key <= least:
            break
        keys[i] = least
        i = best
    keys[i] = key


@kernel
def pop_key(keys: np.ndarray, size: int) -> int:
    """Remove the smallest key, at index 0, of a non-empty four-ary heap; returns the new size."""
    size -= 1
    replace_key(keys, size, keys[size])
    return size


@kernel
def meld(keys: np.ndarray, left: np.ndarray, right: np.ndarray, first: int, second: int) -> int:
    """Meld two skew heaps (Sleator and Tarjan 1986) into one; returns its root.

    Many heaps can share the arrays, as an item belongs to at most one of them.
    The smallest key is at the root; to remove it, meld its two children.

    Args:
        keys: int64 array, a key for each item.
        left, right: int32 arrays, an item's children, -1 for none.
        first, second: roots, -1 for an empty heap.
    """
    if first < 0:
        return second
    if second < 0:
        return first
    if keys[second] < keys[first]:
        first, second = second, first
    root = first
    while True:
        rest = int64(right[first])
        right[first] = left[first]
        if rest < 0:
            left[first] = second
            return root
        if keys[second] < keys[rest]:
            rest, second = second, rest
        left[first] = rest
        first = rest
