"""A*: finds the fewest steps that clear the pyramid or meet a challenge, or proves there are none.

States are expanded in the order of a bound (``kernels.bounds``): the greatest possible gain first
(if the goal is to gain the most), then the fewest steps, then the latest state. The bound is
admissible and consistent, so the first end of a game that is expanded is optimal. The best end
generated so far is the incumbent; states that cannot be better are pruned.

A state is dominated by another one with the same cards left if the other was reached in no more
steps and in no later cycle, and has all open pairs of the first. Then whatever can be reached from
the first can be reached from the other. Dominated states are dropped.

No other state is dropped, so an empty open list proves that the goal cannot be reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell import jit
from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.slices import GROW, NODE_LIMIT, RUNNING, SOLVED, UNSOLVABLE, enlarged
from gafreecell.solitaire.pyramid.goals import Goal
from gafreecell.solitaire.pyramid.kernels.bounds import DEAD, LEVEL, estimate
from gafreecell.solitaire.pyramid.kernels.states import Deal, State, open_pairs
from gafreecell.solitaire.pyramid.kernels.successors import (
    DEPTH,
    GOES_ON,
    States,
    expand,
    new_states,
    state_at,
)
from gafreecell.solitaire.pyramid.position import Start

START, NO_NODE = -1, -2
"""In place of a node: the start, and no node."""

# A node's state in one word: from bit 0 on the steps taken, then from these bits on the cycle, the
# stock's top, the cards left in stock and waste, the shape, and whether the game ends there.
_CYCLE, _AT, _LEFT, _SHAPE, _END = 8, 10, 15, 39, 50
_STEPS = 255
_DOMINATED = _STEPS
"""In place of the steps: another node dominates this one and replaced it in the table."""
MOST_STEPS = 102
"""The most steps of a game: 72 draws, 2 recycles, 24 pairs and 4 kings."""


class Registers(jit.Registers):
    """The numbers of a search.

    Attributes:
        generated: states generated, ends of the game not counted.
        expanded: states expanded, the start included.
        nodes: states and ends of the game that are stored.
        floor: the first bucket that may hold a node.
        current: the node to be expanded, or ``START`` or ``NO_NODE``.
        cut: 1 if the list of successors was too short for the last expansion, else 0.
        incumbent_gain: the units gained by the best end so far.
        incumbent_steps: its steps; ``MOST_STEPS`` + 1 if there is none.
    """

    generated: int
    expanded: int
    nodes: int
    floor: int
    current: int
    cut: int
    incumbent_gain: int
    incumbent_steps: int


class Work(NamedTuple):
    """The arrays of a search.

    Before a node is expanded, ``is_full`` makes sure of two things: there is room for as many nodes
    as ``found`` holds, and a quarter of the table is empty. The index of a bucket has two parts:
    the units missing from the greatest gain (at most ``Goal.top``), and the length within
    ``LEVEL`` bits (at most ``MOST_STEPS``). So it is always within ``buckets``.

    Attributes:
        registers: the numbers that are kept between slices.
        table: int32, the transposition table: nodes by the hash of their cards left, with open
            addressing; -1 for an empty slot.
        buckets: int32[``buckets_of(goal)``], the open list as a bucket queue: for each bound on
            gain and length, the node added last, or -1.
        state: int64, for each node its packed state, see ``unpack``.
        graph, graph_2: int64, for each node its open pairs.
        parent: int32, for each node its parent, ``START`` for the start.
        next: int32, for each node the one added to its bucket before it.
        found: scratch for successors.
        stack: scratch of ``expand``.
    """

    registers: Registers
    table: np.ndarray
    buckets: np.ndarray
    state: np.ndarray
    graph: np.ndarray
    graph_2: np.ndarray
    parent: np.ndarray
    next: np.ndarray
    found: States
    stack: States


@kernel
def unpack(word: int) -> tuple[int, int, int, int, int]:
    """Unpack a node: its shape, stock and waste cards left, stock's top, cycle, and steps taken."""
    shape = (word >> _SHAPE) & ((1 << (_END - _SHAPE)) - 1)
    left, at = (word >> _LEFT) & 0xFFFFFF, (word >> _AT) & 31
    return shape, left, at, (word >> _CYCLE) & 3, word & _STEPS


@kernel
def _first_slot(table: np.ndarray, key: int) -> int:
    """The first slot of the table for nodes with these cards left."""
    mixed = uint64(key) * uint64(0x9E3779B97F4A7C15)
    return int64((mixed >> uint64(24)) & uint64(table.size - 1))


@kernel
def rehash(table: np.ndarray, state: np.ndarray, larger: np.ndarray) -> None:
    """Enter all nodes of a table in a larger, empty one."""
    mask = larger.size - 1
    for i in range(table.size):
        node = table[i]
        if node >= 0:
            slot = _first_slot(larger, state[node] >> _AT)
            while larger[slot] >= 0:
                slot = (slot + 1) & mask
            larger[slot] = node


@kernel
def _look_up(
    work: Work, key: int, cycle: int, steps: int, graph: int, graph_2: int
) -> tuple[bool, int]:
    """Whether some node dominates this state; and if none does, the slot for the state.

    The slot is that of a node that the state dominates, if there is one, or else an empty one.
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
def _enter(deal: Deal, goal: Goal, work: Work, i: int, parent: int) -> None:
    """Make a node of a successor, unless the successor is dominated or pruned by its bound."""
    registers, value = work.registers, work.found.value[i]
    successor = state_at(work.found, i)
    shape, left, at, cycle, steps, graph, graph_2 = successor
    key = (shape << (_SHAPE - _AT)) | (left << (_LEFT - _AT)) | at
    if value == GOES_ON:
        dominated, slot = _look_up(work, key, cycle, steps, graph, graph_2)
        if dominated:
            return
        bound = int64(estimate(deal, goal, successor))
        if bound == DEAD:
            return
        length = steps + (bound & ((1 << LEVEL) - 1))
        less = bound >> LEVEL
        gain = goal.top - less
        if length > MOST_STEPS or gain < registers.incumbent_gain:
            return
        if gain == registers.incumbent_gain and length >= registers.incumbent_steps:
            return
        node = int64(registers.nodes)
        registers.generated += 1
        if work.table[slot] >= 0:
            work.state[work.table[slot]] |= _DOMINATED
        work.table[slot] = node
    else:
        value = min(value, goal.top)
        if value < registers.incumbent_gain:
            return
        if value == registers.incumbent_gain and steps >= registers.incumbent_steps:
            return
        registers.incumbent_gain = value
        registers.incumbent_steps = steps
        less = goal.top - value
        length = steps
        key |= int64(1) << (_END - _AT)
        node = int64(registers.nodes)
    registers.nodes = node + 1
    work.state[node] = (key << _AT) | (cycle << _CYCLE) | steps
    work.graph[node] = graph
    work.graph_2[node] = graph_2
    work.parent[node] = parent
    bucket = (less << LEVEL) + length
    work.next[node] = work.buckets[bucket]
    work.buckets[bucket] = node
    registers.floor = min(registers.floor, bucket)


@kernel
def _choose(work: Work) -> int:
    """Remove and return the best node of the open list, ``NO_NODE`` if there is none."""
    registers, buckets = work.registers, work.buckets
    while True:
        while registers.floor < buckets.size and buckets[registers.floor] < 0:
            registers.floor += 1
        if registers.floor == buckets.size:
            return int64(NO_NODE)
        node = int64(buckets[registers.floor])
        buckets[registers.floor] = work.next[node]
        if work.state[node] & _STEPS != _DOMINATED:
            return node


@kernel
def advance(deal: Deal, goal: Goal, work: Work, start: Start, limit: int, pause: int) -> int:
    """Continue until the deal is decided or ``pause`` nodes were expanded.

    Args:
        deal: filled in by ``prepare``.
        goal: what to search for.
        work: its registers are zero before the first slice.
        start: where to begin.
        limit: states that may be generated.
        pause: expansions at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the best end in ``current``, ``UNSOLVABLE``, ``NODE_LIMIT``,
        ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    registers, state = work.registers, work.state
    if registers.expanded == 0:
        for i in range(work.table.size):
            work.table[i] = -1
        for i in range(work.buckets.size):
            work.buckets[i] = -1
        registers.current = START
        registers.incumbent_gain = 0
        registers.incumbent_steps = MOST_STEPS + 1
        registers.expanded = 1
    while True:
        current = int64(registers.current)
        if current != NO_NODE:
            if is_full(work):
                return GROW
            shape, left, at, cycle = start.shape, start.left, start.at, start.cycle
            taken = int64(0)
            if current == START:
                graph, graph_2 = open_pairs(deal, shape, left, at)
            else:
                shape, left, at, cycle, taken = unpack(state[current])
                graph, graph_2 = work.graph[current], work.graph_2[current]
            here = State(shape, left, at, cycle, taken, graph, graph_2)
            count = expand(deal, goal, work.stack, work.found, here)
            registers.cut = int64(count > work.found.value.size)
            if registers.cut != 0:
                return GROW
            for i in range(count):
                _enter(deal, goal, work, i, current)
            registers.current = NO_NODE
        if registers.generated >= limit:
            return NODE_LIMIT
        if registers.expanded >= pause:
            return RUNNING
        current = int64(_choose(work))
        if current == NO_NODE:
            return UNSOLVABLE
        registers.current = current
        if state[current] >> _END:
            return SOLVED
        registers.expanded += 1


@kernel
def is_full(work: Work) -> bool:
    """Whether the successors of one more node might not fit."""
    more = work.found.value.size
    nodes = work.registers.nodes + more
    return work.registers.cut != 0 or nodes > work.state.size or 4 * nodes > 3 * work.table.size


def buckets_of(goal: Goal) -> int:
    """How many buckets a search for a goal needs."""
    return (goal.top + 1) << LEVEL


def new_work() -> Work:
    """Small arrays, which grow as needed, with buckets for the goal that needs the fewest."""
    nodes = 1 << 12
    return Work(
        registers=jit.new_registers(Registers),
        table=np.full(2 * nodes, -1, np.int32),
        buckets=np.zeros(1 << LEVEL, np.int32),
        state=np.zeros(nodes, np.int64),
        graph=np.zeros(nodes, np.int64),
        graph_2=np.zeros(nodes, np.int64),
        parent=np.zeros(nodes, np.int32),
        next=np.zeros(nodes, np.int32),
        found=new_states(1 << 9),
        stack=new_states(DEPTH),
    )


def enlarge(work: Work) -> Work:
    """The same search with larger arrays in place of those that are full."""
    if work.registers.cut:
        work.registers.cut = 0
        work = work._replace(found=enlarged(work.found, *States._fields))
    nodes = work.registers.nodes + work.found.value.size
    if nodes > work.state.size:
        work = enlarged(work, "state", "graph", "graph_2", "parent", "next")
    if 4 * nodes > 3 * work.table.size:
        table = np.full(2 * work.table.size, -1, np.int32)
        rehash(work.table, work.state, table)
        work = work._replace(table=table)
    return work
