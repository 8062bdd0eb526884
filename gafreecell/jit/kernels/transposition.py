"""Transposition tables: hashes of the states seen, with open addressing and linear probing.

A key is the whole hash of a state. With 64 bits, the probability that two of n states share a
hash is about n^2 / 2^65. A search that proves deals unsolvable needs 128 bits, or a hash that
is one-to-one. Zero marks an empty slot; a hash of zero is stored as one.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit.compiling import int64, kernel, uint64
from gafreecell.jit.kernels.bits import prefetch


@kernel
def not_zero(key: int) -> int:
    """A hash as tables keep it."""
    return key if key != 0 else uint64(1)


@kernel
def find(table: np.ndarray, key: int) -> int:
    """Index of a key's slot, or -1 - index of the empty slot where it belongs.

    In a table without an empty slot, a key that it does not hold is sought for ever.

    Args:
        table: uint64 array, its length a power of two, at least one slot empty.
        key: uint64, not zero.
    """
    mask = uint64(table.size - 1)
    i = key & mask
    while table[i] != 0:
        if table[i] == key:
            return int64(i)
        i = (i + uint64(1)) & mask
    return -1 - int64(i)


@kernel
def prefetch_slot(table: np.ndarray, key: int) -> None:
    """Prefetch the slot where ``find`` will look first."""
    prefetch(table, int64(key & uint64(table.size - 1)))


@kernel
def rehash(table: np.ndarray, larger: np.ndarray) -> None:
    """Copy every key of a table to another one, which must be empty and large enough."""
    for i in range(table.size):
        if table[i] != 0:
            slot = find(larger, table[i])
            larger[-1 - slot] = table[i]


@kernel
def rehash_values(
    table: np.ndarray, values: np.ndarray, larger: np.ndarray, larger_values: np.ndarray
) -> None:
    """``rehash`` for a table whose slots have values, kept in a second array."""
    for i in range(table.size):
        if table[i] != 0:
            slot = -1 - find(larger, table[i])
            larger[slot] = table[i]
            larger_values[slot] = values[i]


@kernel
def find_pair(table: np.ndarray, key: int, second: int) -> int:
    """``find`` for keys of 128 bits, whose two words lie side by side in the table.

    Args:
        table: uint64 array, its length a power of two, at least one slot empty.
        key, second: uint64, the first not zero.

    Returns:
        Index of the key's first word, or -1 - index of the empty slot where it belongs.
    """
    mask = uint64(table.size - 1)
    i = (key << uint64(1)) & mask
    while table[i] != 0:
        if table[i] == key and table[i + uint64(1)] == second:
            return int64(i)
        i = (i + uint64(2)) & mask
    return -1 - int64(i)


@kernel
def prefetch_pair(table: np.ndarray, key: int) -> None:
    """Prefetch the slot where ``find_pair`` will look first."""
    prefetch(table, int64((key << uint64(1)) & uint64(table.size - 1)))


@kernel
def rehash_pairs(table: np.ndarray, larger: np.ndarray) -> None:
    """Copy every key of a table to another one, which must be empty and large enough."""
    for i in range(0, table.size, 2):
        if table[i] != 0:
            slot = -1 - find_pair(larger, table[i], table[i + 1])
            larger[slot] = table[i]
            larger[slot + 1] = table[i + 1]
