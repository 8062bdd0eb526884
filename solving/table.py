"""A set of 64-bit state keys: open addressing with linear probing.

The key is the state's whole hash, so two states are confused with probability
about n^2 / 2^65 for n states; a search that says ``unsolvable`` needs more.
Zero marks an empty place; a hash of zero is stored as one.
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from solving.bits import prefetch
from solving.runtime import kernel


@kernel
def find(table, key):
    """Index of a key in the table, or -1 - index of the empty place where it belongs.

    Args:
        table: uint64 array, its length a power of two, at least one place empty.
        key: uint64, not zero.
    """
    mask = uint64(table.size - 1)
    i = key & mask
    while table[i] != 0:
        if table[i] == key:
            return np.int64(i)
        i = (i + uint64(1)) & mask
    return -1 - np.int64(i)


@kernel
def rehash(table, larger):
    """Enter every key of one table in another, which is empty and large enough."""
    for i in range(table.size):
        if table[i] != 0:
            place = find(larger, table[i])
            larger[-1 - place] = table[i]


@kernel
def rehash_values(table, values, larger, larger_values):
    """``rehash``, and take along the value that each key has at its index of another array."""
    for i in range(table.size):
        if table[i] != 0:
            place = -1 - find(larger, table[i])
            larger[place] = table[i]
            larger_values[place] = values[i]


@kernel
def find_pair(table, key, second):
    """``find`` for keys of 128 bits, both words side by side in the table.

    Args:
        table: uint64 array, its length a power of two, at least one place empty.
        key, second: uint64, the first not zero.

    Returns:
        Index of the key's first word, or -1 - index of where it belongs.
    """
    mask = uint64(table.size - 1)
    i = (key << uint64(1)) & mask
    while table[i] != 0:
        if table[i] == key and table[i + uint64(1)] == second:
            return np.int64(i)
        i = (i + uint64(2)) & mask
    return -1 - np.int64(i)


@kernel
def expect_pair(table, key):
    """Ask the processor to fetch the place where ``find_pair`` will look first."""
    prefetch(table, np.int64((key << uint64(1)) & uint64(table.size - 1)))


@kernel
def rehash_pairs(table, larger):
    """Enter every key of one table in another, which is empty and large enough."""
    for i in range(0, table.size, 2):
        if table[i] != 0:
            place = -1 - find_pair(larger, table[i], table[i + 1])
            larger[place] = table[i]
            larger[place + 1] = table[i + 1]
