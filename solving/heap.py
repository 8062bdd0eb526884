"""A binary heap of (score, item), smallest score first, in two flat arrays."""

from __future__ import annotations

from solving.runtime import kernel


@kernel
def push(scores, items, size, score, item):
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
def pop(scores, items, size):
    """Remove the smallest entry of a heap that is not empty; read it at index 0 before."""
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
