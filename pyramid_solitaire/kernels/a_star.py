"""A*: the fewest steps that clear the pyramid, or that fulfil a challenge, or the proof of none.

States are expanded in the order of a bound (``kernels.bounds``): the greatest possible gain first
(if the goal is to gain the most), then the fewest steps, then the latest state. The bound is
admissible and consistent, so the first end of a game that is expanded is optimal. The best end
generated so far is the incumbent, which prunes states that cannot be better.

A state is dominated if another one with the same cards left was met as soon or sooner, in the
same cycle or an earlier one, with all its open pairs still open: all that can be reached from it
can be reached from the other one. Dominated states are dropped.

No other state is ever lost, so an empty open list proves that the goal cannot be reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from jit import kernel
from jit.slices import GROW, NODE_LIMIT, RUNNING, SOLVED, UNSOLVABLE, enlarged
from pyramid_solitaire.goals import TOP
from pyramid_solitaire.kernels.bounds import DEAD, LEVEL, estimate
from pyramid_solitaire.kernels.states import open_pairs
from pyramid_solitaire.kernels.successors import (
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
from pyramid_solitaire.steps import State

# Registers, which a kernel keeps between slices: counts; the first bucket that may hold a node; the
# node to be expanded, START for the position itself, NO_NODE for none; whether the list of
# successors is too short; the units gained by the incumbent, and its steps.
GENERATED, EXPANDED, NODES, FLOOR, CURRENT, CUT, INCUMBENT_GAIN, INCUMBENT_STEPS = range(8)
START, NO_NODE = -1, -2

# A node's state in a word: from bit 0 on steps taken, cycle, top of the stock, stock, shape, end.
_CYCLE, _AT, _LEFT, _SHAPE, _END = 8, 10, 15, 39, 50
_STEPS = 255
_DOMINATED = _STEPS
"""In place of the steps: another node dominates this one and has replaced it."""
MOST_STEPS = 102
"""The most steps of a game: 72 draws, 2 recycles, 24 pairs and 4 kings."""
SLICE_EXPANSIONS = 10_000
"""Nodes expanded in a slice, some ten milliseconds."""


class Work(NamedTuple):
    """The arrays of a search.

    Attributes:
        registers: int64[8].
        table: int32, the transposition table: nodes by the hash of their cards left, with open
            addressing; -1 for an empty slot.
        buckets: int32, the open list as a bucket queue: for each bound on the gain and the length
            the last node put there, or -1.
        state: int64, of each node.
        graph, graph_2: int64, its open pairs.
        parent: int32, the node before it, ``START`` for the position itself.
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
def _first_slot(table, key):
    """The first slot of the table for nodes with these cards left."""
    mixed = uint64(key) * uint64(0x9E3779B97F4A7C15)
    return int64((mixed >> uint64(24)) & uint64(table.size - 1))


@kernel
def rehash(table, state, larger):
    """Enter all nodes of a table in a larger one, which is empty."""
    mask = larger.size - 1
    for i in range(table.size):
        node = table[i]
        if node >= 0:
            slot = _first_slot(larger, state[node] >> _AT)
            while larger[slot] >= 0:
                slot = (slot + 1) & mask
            larger[slot] = node


@kernel
def _look_up(work, key, cycle, steps, graph, graph_2):
    """Whether a node dominates this state; and if not, the slot for it.

    That is the slot of a node that this state dominates, if there is one.
    """
    mask = work.table.size - 1
    slot = _first_slot(work.table, key)
    dominated = int64(-1)
    while work.table[slot] >= 0:
        node = int64(work.table[slot])
        state = work.state[node]
        if state >> _AT == key:
            other_cycle, other_steps = (state >> _CYCLE) & 3, state & _STEPS
            other, other_2 = work.graph[node], work.graph_2[node]
            wider = graph & ~other == 0 and graph_2 & ~other_2 == 0
            if wider and other_cycle <= cycle and other_steps <= steps:
                return True, slot
            narrower = other & ~graph == 0 and other_2 & ~graph_2 == 0
            if dominated < 0 and narrower and cycle <= other_cycle and steps <= other_steps:
                dominated = slot
        slot = (slot + 1) & mask
    return False, dominated if dominated >= 0 else slot


@kernel
def _enter(deal, goal, work, i, steps_before, parent):
    """Make a successor a node, unless it is dominated or pruned by its bound."""
    registers, found = work.registers, work.found
    shape, left, at, cycle = found[i, SHAPE], found[i, LEFT], found[i, AT], found[i, CYCLE]
    steps = steps_before + found[i, STEPS]
    graph, graph_2 = found[i, GRAPH], found[i, GRAPH_2]
    key = (shape << (_SHAPE - _AT)) | (left << (_LEFT - _AT)) | at
    value = found[i, VALUE]
    if value == GOES_ON:
        dominated, slot = _look_up(work, key, cycle, steps, graph, graph_2)
        if dominated:
            return
        bound = int64(estimate(deal, goal, shape, left, at, cycle, graph, graph_2))
        if bound == DEAD:
            return
        length = steps + (bound & ((1 << LEVEL) - 1))
        less = bound >> LEVEL
        gain = goal[TOP] - less
        if length > MOST_STEPS or gain < registers[INCUMBENT_GAIN]:
            return
        if gain == registers[INCUMBENT_GAIN] and length >= registers[INCUMBENT_STEPS]:
            return
        node = int64(registers[NODES])
        registers[GENERATED] += 1
        if work.table[slot] >= 0:
            work.state[work.table[slot]] |= _DOMINATED
        work.table[slot] = node
    else:
        value = min(value, goal[TOP])
        if value < registers[INCUMBENT_GAIN]:
            return
        if value == registers[INCUMBENT_GAIN] and steps >= registers[INCUMBENT_STEPS]:
            return
        registers[INCUMBENT_GAIN] = value
        registers[INCUMBENT_STEPS] = steps
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
    """Take the best node off the open list; returns it, or ``NO_NODE`` if there is none."""
    registers, buckets = work.registers, work.buckets
    while True:
        while registers[FLOOR] < buckets.size and buckets[registers[FLOOR]] < 0:
            registers[FLOOR] += 1
        if registers[FLOOR] == buckets.size:
            return int64(NO_NODE)
        node = int64(buckets[registers[FLOOR]])
        buckets[registers[FLOOR]] = work.next[node]
        if work.state[node] & _STEPS != _DOMINATED:
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
        registers[INCUMBENT_GAIN] = 0
        registers[INCUMBENT_STEPS] = MOST_STEPS + 1
        registers[EXPANDED] = 1
    while True:
        current = int64(registers[CURRENT])
        if current != NO_NODE:
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
            registers[CURRENT] = NO_NODE
        if registers[GENERATED] >= limit:
            return NODE_LIMIT
        if registers[EXPANDED] >= pause:
            return RUNNING
        current = int64(_choose(work))
        if current == NO_NODE:
            return UNSOLVABLE
        registers[CURRENT] = current
        if state[current] >> _END:
            return SOLVED
        registers[EXPANDED] += 1


@kernel
def is_full(work):
    """Whether the successors of one more node might not fit."""
    more = work.found.shape[0]
    nodes = work.registers[NODES] + more
    return work.registers[CUT] or nodes > work.state.size or 4 * nodes > 3 * work.table.size


def new_work() -> Work:
    """Small arrays, which grow as a search needs."""
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


def path_to(work: Work, node: int) -> list[State]:
    """The states on the path to a node, itself last, without the start."""
    states: list[State] = []
    while node != START:
        word = int(work.state[node])
        shape = word >> _SHAPE & (1 << (_END - _SHAPE)) - 1
        states.append((shape, word >> _LEFT & 0xFFFFFF, word >> _AT & 31, word >> _CYCLE & 3))
        node = int(work.parent[node])
    return states[::-1]
