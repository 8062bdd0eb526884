"""Partial expansion: expanding a state scores all its successors, which are built one by one.

An expanded state scores its successors by the differences that their moves make. It then waits in
the open list under the score of the best successor left (Yoshizumi, Miura and Ishida 2000). A
successor is looked up and built only when its turn comes. So a search builds and stores a fraction
of the states that it scores.

A *node* is a built state: links to the records of its columns (``hsd.kernels.columns``), the set
of cards in cells, and a few counts. The transposition table identifies nodes by hashes of 128
bits. No node is dropped, so a search whose open list is empty has met every state.

This module has the arrays of the tree and its table. ``successors`` scores, ``nodes`` builds, and
``solutions`` writes the path to the goal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, new_registers, uint64
from gafreecell.jit.slices import enlarged
from hsd.kernels.columns import RECORD

NODE = 8
"""Words (int64) of a node: five with links to ten columns, two in each; then CELLS, COUNTS and
ORIGIN."""
CELLS, COUNTS, ORIGIN = 5, 6, 7
# Fields of COUNTS, each named by its lowest bit. From bit 0: the foundations' ranks, cards above
# the next needed card of each suit, cards above the one after it, single-card moves made.
ABOVE, SECOND, MADE = 16, 24, 32
# ORIGIN has the parent, and from this bit on the move: source | target << 5 | count << 10. A move
# from a cell has the card itself in place of the count, as CELL stands for any cell.
MOVE = 32

SMALL_TABLE = 1 << 11
"""Words of the table with which a search begins."""
MOST = 256
"""An upper bound on the successors of a state."""
NONE = (1 << 63) - 1
"""In place of a successor if there is none; a successor is ``score << 16 | move``."""
UNKNOWN = NONE - 2
SOLUTION = NONE - 1
"""The result of ``expand`` for a position that home moves alone finish."""


class PartialRegisters(Registers):
    """What a tree counts and remembers between slices; the first four are sizes.

    Attributes:
        nodes, records, successors: how many are in use in the current phase.
        heap: length of the open list.
        expanded, generated, scored: the search's counts, over all phases.
        phase: the current phase.
        turn: the depth from which a node was last taken in turn.
        node, next: the current node, and its successor to be built; ``NONE`` if there is none.
        after: the successor after ``next``; ``UNKNOWN`` if it has to be searched for.
        mask: the bits of a hash that give its place in the part of the table in use.
        goal: the node of the goal, -1 for none.
        length: moves of the solution.
    """

    nodes: int
    records: int
    successors: int
    heap: int
    expanded: int
    generated: int
    scored: int
    phase: int
    turn: int
    node: int
    next: int
    after: int
    mask: int
    goal: int
    length: int


class Partial(NamedTuple):
    """The arrays of a tree; the driver enlarges those that fill up.

    Attributes:
        registers: ``PartialRegisters``.
        table: uint32, the transposition table: node + 1, or 0 in an empty slot. Its first
            ``mask`` + 1 words are in use.
        records: int64, the records of columns.
        nodes: int64, the nodes.
        columns: uint32, the memory of ``nodes``; column c of node n is at ``16 * n + c``.
        keys: uint64, both words of the nodes' hashes.
        successors: int64, those of all nodes, ``score << 16 | move``.
        first: uint32, for each node the index of its first successor.
        width: uint32, for each node the number of its successors.
        next: int64, for each node the successor under which it waits.
        heap: int64, the open list as keys.
        onto, lift: int64[16], scratch of ``expand``, for each column.
        holder: int64[64], scratch of ``expand``: for each exposed card its column.
        path: int64, the solution; its second half is scratch.
        trail: int64[128], scratch.
    """

    registers: PartialRegisters
    table: np.ndarray
    records: np.ndarray
    nodes: np.ndarray
    columns: np.ndarray
    keys: np.ndarray
    successors: np.ndarray
    first: np.ndarray
    width: np.ndarray
    next: np.ndarray
    heap: np.ndarray
    onto: np.ndarray
    lift: np.ndarray
    holder: np.ndarray
    path: np.ndarray
    trail: np.ndarray


BY_NODE = "nodes", "keys", "first", "width", "next", "heap"
"""The arrays that grow with the number of nodes."""


def new_partial(nodes: int) -> Partial:
    """A tree with room for this many nodes: a power of two, at least 32, which the root needs."""
    words = np.zeros(NODE * nodes, np.int64)
    return Partial(
        registers=new_registers(PartialRegisters),
        table=np.zeros(2 * nodes, np.uint32),
        records=np.zeros(2 * RECORD * nodes, np.int64),
        nodes=words,
        columns=words.view(np.uint32),
        keys=np.zeros(2 * nodes, np.uint64),
        successors=np.zeros(8 * nodes, np.int64),
        first=np.zeros(nodes, np.uint32),
        width=np.zeros(nodes, np.uint32),
        next=np.zeros(nodes, np.int64),
        heap=np.zeros(nodes, np.int64),
        onto=np.zeros(16, np.int64),
        lift=np.zeros(16, np.int64),
        holder=np.zeros(64, np.int64),
        path=np.zeros(2048, np.int64),
        trail=np.zeros(128, np.int64),
    )


@kernel
def is_full(work: Partial) -> bool:
    """Whether one more node, its records or its successors might not fit."""
    registers = work.registers
    return (
        registers.nodes + 4 >= work.first.size
        or RECORD * (registers.records + 16) >= work.records.size
        or registers.successors + MOST >= work.successors.size
    )


def enlarge_partial(work: Partial) -> Partial:
    """The same tree with larger arrays in place of those that are full.

    Raises:
        MemoryError: if the indices of nodes (int32 in heaps) or successors (uint32) run out.
    """
    registers = work.registers
    if max(work.first.size, work.successors.size // 2) >= 1 << 31:
        raise MemoryError("no more indices")
    if registers.nodes + 4 >= work.first.size:
        work = enlarged(work, *BY_NODE, "table")
        work = work._replace(columns=work.nodes.view(np.uint32))
    if RECORD * (registers.records + 16) >= work.records.size:
        work = enlarged(work, "records")
    if registers.successors + MOST >= work.successors.size:
        work = enlarged(work, "successors")
    if 2 * (registers.length + 64) > work.path.size:
        work = work._replace(path=np.zeros(4 * (registers.length + 64), np.int64))
    return work


@kernel
def find(work: Partial, first: int, second: int) -> int:
    """The place of a hash in the table, or ``-1 - place`` for the empty place where it belongs."""
    mask = work.registers.mask
    at = int64(first >> uint64(20)) & mask
    while work.table[at] != 0:
        node = int64(work.table[at]) - 1
        if work.keys[2 * node] == first and work.keys[2 * node + 1] == second:
            return at
        at = (at + 1) & mask
    return -1 - at


@kernel
def clear_table(work: Partial, size: int) -> None:
    """Set the size of the table in use (words, a power of two) and empty it."""
    work.registers.mask = size - 1
    for i in range(size):
        work.table[i] = 0


@kernel
def widen_table(work: Partial) -> None:
    """Double the part of the table in use once it is half full.

    A small table is quickly cleared and stays in the processor's cache.
    """
    registers = work.registers
    if 2 * registers.nodes + 4 <= registers.mask:
        return
    clear_table(work, 2 * (registers.mask + 1))
    for node in range(registers.nodes):
        work.table[-1 - find(work, work.keys[2 * node], work.keys[2 * node + 1])] = node + 1
