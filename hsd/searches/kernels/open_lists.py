"""Open lists by depth: a priority queue of the tree's entries for each number of moves made."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel
from gafreecell.jit.kernels.heap import meld

DEEPEST = 255
"""The last depth, to which all deeper states belong too."""


class OpenLists(NamedTuple):
    """The open lists of all depths, as skew heaps that share their arrays.

    Attributes:
        key: int64, for each entry its key in its list (``heap.key_of``).
        left, right: int32, for each entry its children in the heap, -1 for none.
        roots: int32[256], the root of each depth's heap, -1 if it is empty.
    """

    key: np.ndarray
    left: np.ndarray
    right: np.ndarray
    roots: np.ndarray


BY_ENTRY = "key", "left", "right"
"""The arrays that grow with the tree."""


def new_open_lists(entries: int) -> OpenLists:
    """Lists with room for this many entries."""
    return OpenLists(
        key=np.zeros(entries, np.int64),
        left=np.zeros(entries, np.int32),
        right=np.zeros(entries, np.int32),
        roots=np.zeros(DEEPEST + 1, np.int32),
    )


@kernel
def clear_lists(lists: OpenLists) -> None:
    """Empty all lists."""
    for depth in range(DEEPEST + 1):
        lists.roots[depth] = -1


@kernel
def queue(lists: OpenLists, depth: int, entry: int, key: int) -> None:
    """Add an entry to the list of its depth."""
    lists.key[entry] = key
    lists.left[entry] = -1
    lists.right[entry] = -1
    lists.roots[depth] = meld(
        lists.key, lists.left, lists.right, int64(lists.roots[depth]), int64(entry)
    )


@kernel
def take_best(lists: OpenLists, depth: int) -> int:
    """Remove and return the best entry of a list, which must not be empty."""
    entry = int64(lists.roots[depth])
    left, right = int64(lists.left[entry]), int64(lists.right[entry])
    lists.roots[depth] = meld(lists.key, lists.left, lists.right, left, right)
    return entry
