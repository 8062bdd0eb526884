"""Partial expansion: a state's successors are scored when it is expanded, and built one by one.

An expanded state scores all its successors by the differences that their moves make. It waits in
the open list under the best of them that is left (Yoshizumi, Miura and Ishida 2000). Only when
that one's turn comes is it looked up and built. So a search builds and stores a fraction of the
states that it scores.

A *node* is a built state: links to the records of its columns (``hsd.kernels.columns``), the set
of cards in cells, and a few counts. The transposition table identifies nodes by hashes of 128
bits. Nothing is dropped, so a search that runs dry has met every state.

Here are the arrays of the tree and its table; ``successors`` scores, ``nodes`` builds, and
``solutions`` writes the path to the goal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hsd.kernels.columns import RECORD
from jit import Registers, int64, kernel, new_registers, uint64
from jit.slices import enlarged

NODE = 8
"""Words (int64) of a node: links to ten columns in the halves of five, then these."""
CELLS, COUNTS, ORIGIN = 5, 6, 7
# Fields of COUNTS: the foundations' ranks, cards above the next needed card of each suit and above
# the one after it, moves of single cards made.
ABOVE, SECOND, MADE = 16, 24, 32
# Fields of ORIGIN: the parent and, from here on, the move: source, target << 5, and << 10 the
# cards of a run, or the card itself if it comes from a cell. CELL is any cell.
MOVE = 32

SMALL_TABLE = 1 << 11
"""Words of the table that a search begins with."""
MOST = 256
"""An upper bound on the successors of a state."""
NONE = (1 << 63) - 1
"""No successor; others are ``score << 16 | move``."""
UNKNOWN = NONE - 2
SOLUTION = NONE - 1
"""What ``expand`` returns for a position that home moves alone finish."""


class PartialRegisters(Registers):
    """What a tree counts and remembers between slices; the first four are sizes.

    Attributes:
        nodes, records, successors: how many are in use, of the phase at work.
        heap: length of the open list.
        expanded, generated, scored: the search's counts, over all phases.
        phase: the phase at work.
        turn: the depth whose turn it was last.
        node, next: the node at work and its successor to take; ``NONE`` for none.
        after: the successor after that; ``UNKNOWN`` if it has to be looked for.
        mask: of the hashes; the table is as large as the nodes need.
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
        table: uint32, the transposition table: nodes + 1, 0 for none. Its first ``mask`` + 1
            words are in use.
        records: int64, the records of columns.
        nodes: int64, the nodes.
        columns: uint32, the same memory, in which column c of node n is at ``16 * n + c``.
        keys: uint64, both words of the nodes' hashes.
        successors: int64, those of all nodes, ``score << 16 | move``.
        first: uint32, where a node's successors begin.
        width: uint32, how many they are.
        next: int64, the successor under which a node waits.
        heap: int64, the open list as keys.
        onto, lift: int64[16], scratch of ``expand`` by column.
        holder: int64[64], scratch of ``expand``: the column that a card is exposed on.
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
    """A tree with room for so many nodes, a power of two, at least 32: the root needs that."""
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
        MemoryError: if indices of nodes (int32 in heaps) or successors (uint32) end.
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
    """The place of a hash in the table; ``-1 - place`` if it is not there."""
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
    """Make the table one of so many words, a power of two, all of them empty."""
    work.registers.mask = size - 1
    for i in range(size):
        work.table[i] = 0


@kernel
def widen_table(work: Partial) -> None:
    """Double the table if it is half full: a small one is soon cleared, and stays in the cache."""
    registers = work.registers
    if 2 * registers.nodes + 4 <= registers.mask:
        return
    clear_table(work, 2 * (registers.mask + 1))
    for node in range(registers.nodes):
        work.table[-1 - find(work, work.keys[2 * node], work.keys[2 * node + 1])] = node + 1
