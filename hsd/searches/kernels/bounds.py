"""The deadlock bounds of a tree's states, evaluated lazily.

Until an entry reaches the front of the open list, its bound is the least that its move allows. Then
its exact bound is computed, usually from the two sets of its parent (``hsd.kernels.deadlock``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.bits import count_bits, lowest_bit
from hsd.kernels.board import CELL, HOME
from hsd.kernels.deadlock import ASSUMED, EVERY, NO_CUTOFF, Graph, least_feedback, strip
from hsd.kernels.linked_columns import HIGHER, INFO, LOOPED, UNDER, WAITING, beneath, card_of
from hsd.kernels.replay import Root
from hsd.searches.kernels.linked import LinkedTree, cell_of, column_at

NO_INCUMBENT = 1 << 20
"""In place of the incumbent's g if there is no incumbent."""


class Bounds(NamedTuple):
    """The bounds of the states of a tree.

    Attributes:
        entry_h: uint8, for each entry its deadlock bound, or the least possible value of the bound
            with ``ASSUMED`` added.
        closed_feedback, closed_cycles: uint64, for each closed state its feedback set and its
            cycle cards.
    """

    entry_h: np.ndarray
    closed_feedback: np.ndarray
    closed_cycles: np.ndarray


BY_CLOSED = "closed_feedback", "closed_cycles"
"""The arrays that grow with the closed states; ``entry_h`` grows with the entries."""


def new_bounds(closed: int, entries: int) -> Bounds:
    """Bounds with room for this many closed states and entries."""
    return Bounds(
        entry_h=np.zeros(entries, np.uint8),
        closed_feedback=np.zeros(closed, np.uint64),
        closed_cycles=np.zeros(closed, np.uint64),
    )


@kernel
def node_bound(tree: LinkedTree, node: int, root: Root, graph: Graph, cutoff: int) -> int:
    """The deadlock bound of a node; ``graph`` and ``cutoff`` are as in ``least_feedback``."""
    records = tree.records
    self_loops = 0
    left = 0
    for c in range(root.cascades):
        at = column_at(tree, node, c)
        self_loops |= records[at + LOOPED]
        left |= records[at + UNDER]
    graph.cycle_cards[0] = EVERY
    if count_bits(self_loops) >= cutoff:
        return cutoff
    for c in range(root.cascades):
        at = column_at(tree, node, c)
        while at != 0:
            graph.waits[card_of(records[at + INFO])] = records[at + WAITING]
            at = beneath(records, at)
    return bound_of_waits(graph, left, self_loops, cutoff)


@kernel
def bound_of_waits(graph: Graph, left: int, self_loops: int, cutoff: int) -> int:
    """The deadlock bound, from who waits for whom.

    Args:
        graph: its ``waits`` says of each card in a cascade which cards wait for it; scratch.
        left: the set of these cards.
        self_loops: the set of those that wait for themselves.
        cutoff: as in ``least_feedback``.
    """
    cards = strip(graph.waits, uint64(left & ~self_loops))
    for card in range(64):
        graph.bypassed[card] = uint64(0)
    rest = cards
    while rest:
        graph.needs[lowest_bit(rest)] = uint64(0)
        rest &= rest - uint64(1)
    rest = cards
    while rest:
        bit = rest & (~rest + uint64(1))
        rest ^= bit
        who = graph.waits[lowest_bit(bit)] & cards
        while who:
            graph.needs[lowest_bit(who)] |= bit
            who &= who - uint64(1)
    return least_feedback(graph, cards, uint64(self_loops), cutoff)


@kernel
def bound_after(
    tree: LinkedTree,
    node: int,
    others: int,
    following: int,
    move: int,
    bound: int,
    feedback_set: int,
    cycle_cards: int,
) -> int:
    """The bound after a node's move, or the bound's least possible value with ``ASSUMED`` added.

    Args:
        others, following: the node's ``OTHERS`` and its next needed cards.
        move: the move.
        bound, feedback_set, cycle_cards: the node's bound and two sets.
    """
    records = tree.records
    source = move & 31
    target = (move >> 5) & 31
    if target == HOME:
        # A card that goes home waits for none, so it is on no cycle.
        return bound
    if move >> 10 > 1:
        return max(bound - (move >> 10), 0) | ASSUMED
    least = bound
    most = bound
    if source >= CELL:
        card = cell_of(others, source - CELL)
    else:
        card = card_of(records[column_at(tree, node, source) + INFO])
        bit = uint64(1) << uint64(card)
        if feedback_set & bit:
            least -= 1
            most -= 1
        elif cycle_cards & bit:
            least -= 1
    if target < CELL:
        column = column_at(tree, node, target)
        if column != 0:
            info = records[column + INFO]
            if (records[column + WAITING] | HIGHER[card_of(info)]) & (1 << card):
                least += 1
                most += 1
            elif (following >> card) & 1 == 0:
                # The card may be on a cycle again.
                most += 1
    return least if least == most else least | ASSUMED


@kernel
def settle(
    tree: LinkedTree,
    graph: Graph,
    root: Root,
    move: int,
    estimate: int,
    feedback_set: int,
    cycle_cards: int,
) -> int:
    """The exact bound of the node built last; its two sets are left in ``graph``.

    Args:
        move: the move to the node.
        estimate: the result of ``bound_after`` for this move.
        feedback_set, cycle_cards: those of the position before the move.
    """
    node = tree.registers.expanded
    if move >> 10 > 1:
        return node_bound(tree, node, root, graph, NO_CUTOFF)
    records = tree.records
    card = tree.registers.card
    bit = uint64(1) << uint64(card)
    target = (move >> 5) & 31
    column = column_at(tree, node, target) if target < CELL else 0
    # A forced home move may have sent the card home.
    if card_of(records[column + INFO]) != card:
        column = 0
    if estimate & ASSUMED == 0:
        if (records[column + LOOPED] >> card) & 1:
            graph.feedback_set[0] = feedback_set | bit
            graph.cycle_cards[0] = cycle_cards | bit
        else:
            graph.feedback_set[0] = feedback_set & ~bit
            graph.cycle_cards[0] = cycle_cards
        return estimate
    onto = column != 0 and beneath(records, column) != 0
    graph.feedback_set[0] = feedback_set | bit if onto else feedback_set
    return node_bound(tree, node, root, graph, count_bits(graph.feedback_set[0]))


@kernel
def settle_entry(tree: LinkedTree, bounds: Bounds, graph: Graph, root: Root, entry: int) -> int:
    """The exact bound of the entry built last; its two sets are left in ``graph``."""
    parent = int64(tree.entry_parent[entry])
    if parent < 0:
        return node_bound(tree, 0, root, graph, NO_CUTOFF)
    return settle(
        tree, graph, root, int64(tree.entry_move[entry]), int64(bounds.entry_h[entry]),
        bounds.closed_feedback[parent], bounds.closed_cycles[parent],
    )  # fmt: skip


@kernel
def keep_sets(tree: LinkedTree, bounds: Bounds, graph: Graph) -> None:
    """Store the two sets of ``graph`` for the state that is closed next."""
    closed = tree.registers.expanded
    bounds.closed_feedback[closed] = graph.feedback_set[0]
    bounds.closed_cycles[closed] = graph.cycle_cards[0]
