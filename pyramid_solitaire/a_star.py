"""A*: the fewest steps that clear the pyramid, or that fulfil a challenge, or the proof of none.

States are expanded in the order of a bound on what they can lead to (``pyramid_solitaire.bounds``):
the most gained first (where the goal is to gain the most), then the fewest steps, then the
latest; the first end of a game that comes up is best. A state is dropped if
another with the same cards left was met as soon or sooner, in the same cycle or an earlier
one, with all its open pairs still open: whatever it leads to, the other does too.

Nothing is ever lost, so a search that runs dry has proved that the goal cannot be reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from pyramid_solitaire.bounds import DEAD, LEVEL, estimate
from pyramid_solitaire.goals import TOP
from pyramid_solitaire.states import open_pairs
from pyramid_solitaire.steps import State
from pyramid_solitaire.successors import (
    AT,
    COLUMNS,
    CYCLE,
    DEPTH,
    GOES_ON,
    GRAPH,
    GRAPH_2,
    LEFT,
    SHAPE,
    STEPS,
    VALUE,
    expand,
)
from solving.runtime import kernel
from solving.slices import GROW, NODE_LIMIT, RUNNING, SOLVED, UNSOLVABLE, enlarged

# What a kernel keeps between slices: counts; the first bucket that may hold a node; the node to be
# expanded, START for the position itself, NOBODY for none; whether the list of successors is too
# short; the best end met so far, its units gained and its steps.
GENERATED, EXPANDED, NODES, FLOOR, CURRENT, CUT, GAINED, LENGTH = range(8)
START, NOBODY = -1, -2

# A node's state in a word: from bit 0 on steps taken, cycle, top of the stock, stock, shape, end.
_CYCLE, _AT, _LEFT, _SHAPE, _END = 8, 10, 15, 39, 50
_STEPS = 255
_DROPPED = _STEPS
"""In place of the steps: a better node has replaced it."""
MOST_STEPS = 102
"""No game is longer: 72 draws, 2 recycles, 24 pairs and 4 kings."""
SLICE_EXPANSIONS = 10_000
"""Nodes expanded in a slice, some ten milliseconds."""


class Work(NamedTuple):
    """The arrays of a search.

    Attributes:
        registers: int64[8].
        table: int32, nodes by the hash of their cards left (open addressing); -1 for no node.
        buckets: int32, for each bound on the gain and the length the last node put there, or -1.
        state: int64, of each node.
        graph, graph_2: int64, its open pairs.
        parent: int32, the node it follows, ``START`` for the position itself.
        next: int32, the node put in its bucket before it.
        found: int64[n, 8], scratch for successors.
        stack: int64[DEPTH, 8], scratch of ``expand``.
    """

    registers: np.ndarray
    table: np.ndarray
    buckets: np.ndarray
    state: np.ndarray
    graph: np.ndarray
    graph_2: np.ndarray
    parent: np.ndarray
    next: np.ndarray
    found: np.ndarray
    stack: np.ndarray


@kernel
def _place(table, key):
    """Where the nodes with these cards left begin in the table."""
    mixed = uint64(key) * uint64(0x9E3779B97F4A7C15)
    return int64((mixed >> uint64(24)) & uint64(table.size - 1))


@kernel
def rehash(table, state, larger):
    """Enter all nodes of a table in a larger one, which is empty."""
    mask = larger.size - 1
    for i in range(table.size):
        node = table[i]
        if node >= 0:
            place = _place(larger, state[node] >> _AT)
            while larger[place] >= 0:
                place = (place + 1) & mask
            larger[place] = node


@kernel
def _look_up(work, key, cycle, steps, graph, graph_2):
    """Whether a node makes this state needless, and the place for it if not.

    That is the place of a node that this state makes needless, if there is one.
    """
    mask = work.table.size - 1
    place = _place(work.table, key)
    better = int64(-1)
    while work.table[place] >= 0:
        node = int64(work.table[place])
        state = work.state[node]
        if state >> _AT == key:
            other_cycle, other_steps = (state >> _CYCLE) & 3, state & _STEPS
            other, other_2 = work.graph[node], work.graph_2[node]
            wider = graph & ~other == 0 and graph_2 & ~other_2 == 0
            if wider and other_cycle <= cycle and other_steps <= steps:
                return True, place
            narrower = other & ~graph == 0 and other_2 & ~graph_2 == 0
            if better < 0 and narrower and cycle <= other_cycle and steps <= other_steps:
                better = place
        place = (place + 1) & mask
    return False, better if better >= 0 else place


@kernel
def _enter(deal, goal, work, i, steps_before, parent):
    """Make a node of a successor, unless it is needless or hopeless."""
    registers, found = work.registers, work.found
    shape, left, at, cycle = found[i, SHAPE], found[i, LEFT], found[i, AT], found[i, CYCLE]
    steps = steps_before + found[i, STEPS]
    graph, graph_2 = found[i, GRAPH], found[i, GRAPH_2]
    key = (shape << (_SHAPE - _AT)) | (left << (_LEFT - _AT)) | at
    value = found[i, VALUE]
    if value == GOES_ON:
        needless, place = _look_up(work, key, cycle, steps, graph, graph_2)
        if needless:
            return
        bound = int64(estimate(deal, goal, shape, left, at, cycle, graph, graph_2))
        if bound == DEAD:
            return
        length = steps + (bound & ((1 << LEVEL) - 1))
        less = bound >> LEVEL
        gain = goal[TOP] - less
        if length > MOST_STEPS or gain < registers[GAINED]:
            return
        if gain == registers[GAINED] and length >= registers[LENGTH]:
            return
        node = int64(registers[NODES])
        registers[GENERATED] += 1
        if work.table[place] >= 0:
            work.state[work.table[place]] |= _DROPPED
        work.table[place] = node
    else:
        value = min(value, goal[TOP])
        if value < registers[GAINED]:
            return
        if value == registers[GAINED] and steps >= registers[LENGTH]:
            return
        registers[GAINED] = value
        registers[LENGTH] = steps
        less = goal[TOP] - value
        length = steps
        key |= int64(1) << (_END - _AT)
        node = int64(registers[NODES])
    registers[NODES] = node + 1
    work.state[node] = (key << _AT) | (cycle << _CYCLE) | steps
    work.graph[node] = graph
    work.graph_2[node] = graph_2
    work.parent[node] = parent
    bucket = (less << LEVEL) + length
    work.next[node] = work.buckets[bucket]
    work.buckets[bucket] = node
    registers[FLOOR] = min(registers[FLOOR], bucket)


@kernel
def _choose(work):
    """Take the best open node off its bucket; returns it, ``NOBODY`` if there is none."""
    registers, buckets = work.registers, work.buckets
    while True:
        while registers[FLOOR] < buckets.size and buckets[registers[FLOOR]] < 0:
            registers[FLOOR] += 1
        if registers[FLOOR] == buckets.size:
            return int64(NOBODY)
        node = int64(buckets[registers[FLOOR]])
        buckets[registers[FLOOR]] = work.next[node]
        if work.state[node] & _STEPS != _DROPPED:
            return node


@kernel
def advance(deal, goal, work, start, limit, pause):
    """Search on until the deal is decided or ``pause`` nodes were expanded.

    Args:
        deal: ``Deal``, filled in.
        goal: see ``goal_array``.
        work: ``Work``, its registers zero before the first slice.
        start: int64[4], shape, stock cards left, stock's top and cycle at the start.
        limit: states that may be generated.
        pause: expansions at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the best end in ``CURRENT``, ``UNSOLVABLE``, ``NODE_LIMIT``,
        ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    registers, state = work.registers, work.state
    if registers[EXPANDED] == 0:
        for i in range(work.table.size):
            work.table[i] = -1
        for i in range(work.buckets.size):
            work.buckets[i] = -1
        registers[CURRENT] = START
        registers[GAINED] = 0
        registers[LENGTH] = MOST_STEPS + 1
        registers[EXPANDED] = 1
    while True:
        current = int64(registers[CURRENT])
        if current != NOBODY:
            if is_full(work):
                return GROW
            taken, shape, left, at, cycle = int64(0), start[0], start[1], start[2], start[3]
            if current == START:
                graph, graph_2 = open_pairs(deal, shape, left)
            else:
                node = state[current]
                taken, shape, left = node & _STEPS, node >> _SHAPE, (node >> _LEFT) & 0xFFFFFF
                at, cycle = (node >> _AT) & 31, (node >> _CYCLE) & 3
                graph, graph_2 = work.graph[current], work.graph_2[current]
            count = expand(
                deal, goal, work.stack, work.found, shape, left, at, cycle, graph, graph_2
            )
            registers[CUT] = count > work.found.shape[0]
            if registers[CUT]:
                return GROW
            for i in range(count):
                _enter(deal, goal, work, i, taken, current)
            registers[CURRENT] = NOBODY
        if registers[GENERATED] >= limit:
            return NODE_LIMIT
        if registers[EXPANDED] >= pause:
            return RUNNING
        current = int64(_choose(work))
        if current == NOBODY:
            return UNSOLVABLE
        registers[CURRENT] = current
        if state[current] >> _END:
            return SOLVED
        registers[EXPANDED] += 1


@kernel
def is_full(work):
    """Whether the successors of one more node might find no room."""
    more = work.found.shape[0]
    nodes = work.registers[NODES] + more
    return work.registers[CUT] or nodes > work.state.size or 4 * nodes > 3 * work.table.size


def new_work() -> Work:
    """Arrays for a search that stays small; they grow as a search needs."""
    nodes = 1 << 12
    return Work(
        registers=np.zeros(8, np.int64),
        table=np.full(2 * nodes, -1, np.int32),
        buckets=np.zeros(1 << LEVEL, np.int32),
        state=np.zeros(nodes, np.int64),
        graph=np.zeros(nodes, np.int64),
        graph_2=np.zeros(nodes, np.int64),
        parent=np.zeros(nodes, np.int32),
        next=np.zeros(nodes, np.int32),
        found=np.zeros((1 << 9, COLUMNS), np.int64),
        stack=np.zeros((DEPTH, COLUMNS), np.int64),
    )


def enlarge(work: Work) -> Work:
    """The same search with larger arrays in place of those that are full."""
    if work.registers[CUT]:
        work.registers[CUT] = 0
        work = enlarged(work, "found")
    nodes = int(work.registers[NODES]) + work.found.shape[0]
    if nodes > work.state.size:
        work = enlarged(work, "state", "graph", "graph_2", "parent", "next")
    if 4 * nodes > 3 * work.table.size:
        table = np.full(2 * work.table.size, -1, np.int32)
        rehash(work.table, work.state, table)
        work = work._replace(table=table)
    return work


def way_to(work: Work, node: int) -> list[State]:
    """The states on the way to a node, itself last, without the start."""
    states: list[State] = []
    while node != START:
        word = int(work.state[node])
        shape = word >> _SHAPE & (1 << (_END - _SHAPE)) - 1
        states.append((shape, word >> _LEFT & 0xFFFFFF, word >> _AT & 31, word >> _CYCLE & 3))
        node = int(work.parent[node])
    return states[::-1]
