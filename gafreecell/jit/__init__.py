"""The runtime of jitted kernels: how they are compiled, cached, driven and interrupted.

Every jitted function lies in a folder named ``kernels``, here and in the built-in games' packages.
With ``NUMBA_DISABLE_JIT=1`` they run as plain Python, slowly, for debuggers and coverage.

The names below are what a game of your own needs for a compiled search
(docs/extend/compiled.md):

- ``kernel``, ``large_kernel`` compile a function, ``int64``, ``uint64`` convert numbers in it;
- ``Tree`` is a search tree with a transposition table and an open list;
- ``find`` and ``find_pair`` look up the keys of a table, ``push_key`` and ``pop_key`` keep a heap;
- ``drive`` runs a search slice by slice, within its limits and until Ctrl-C.
"""

from gafreecell.jit.compiling import DISABLED, int64, kernel, large_kernel, uint64
from gafreecell.jit.kernels.bits import count_bits, highest_bit, lowest_bit, prefetch
from gafreecell.jit.kernels.heap import entry_of, key_of, pop_key, push_key
from gafreecell.jit.kernels.transposition import (
    find,
    find_pair,
    not_zero,
    rehash,
    rehash_pairs,
    rehash_values,
)
from gafreecell.jit.kernels.tree import (
    Tree,
    add,
    choose,
    close,
    enlarge_tree,
    is_full,
    new_tree,
    path_to,
    queue,
    take_back,
)
from gafreecell.jit.registers import Registers, clear, nested, new_registers
from gafreecell.jit.slices import (
    EXHAUSTED,
    GROW,
    NODE_LIMIT,
    RUNNING,
    SOLVED,
    UNSOLVABLE,
    drive,
    enlarged,
)

__all__ = [
    "DISABLED",
    "EXHAUSTED",
    "GROW",
    "NODE_LIMIT",
    "RUNNING",
    "SOLVED",
    "UNSOLVABLE",
    "Registers",
    "Tree",
    "add",
    "choose",
    "clear",
    "close",
    "count_bits",
    "drive",
    "enlarge_tree",
    "enlarged",
    "entry_of",
    "find",
    "find_pair",
    "highest_bit",
    "int64",
    "is_full",
    "kernel",
    "key_of",
    "large_kernel",
    "lowest_bit",
    "nested",
    "new_registers",
    "new_tree",
    "not_zero",
    "path_to",
    "pop_key",
    "prefetch",
    "push_key",
    "queue",
    "rehash",
    "rehash_pairs",
    "rehash_values",
    "take_back",
    "uint64",
]
