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
from hsd.kernels.deadlock import (
    ASSUMED,
    EVERY,
    NO_CUTOFF,
    Graph,
    least_feedback,
    strip,
)
from hsd.kernels.linked_columns import (
    AT_END,
    HIGHER,
    INFO,
    LOOPED,
    RUN,
    UNDER,
    WAITING,
    beneath,
    card_of,
)
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
def node_bound(
    tree: LinkedTree, node: int, root: Root, graph: Graph, at_once: bool, cutoff: int
) -> int:
    """The deadlock bound of a node.

    Args:
        graph: as in ``least_feedback``. With ``at_once`` and a cutoff, its ``feedback_set`` breaks
            all cycles, and the cutoff falls to the number of runs of which it has cards.
        at_once: whether the unit of cost is a move of a run.
        cutoff: as in ``least_feedback``.
    """
    records = tree.records
    if at_once:
        return _bound_by_runs(tree, node, root, graph, cutoff)
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
    return bound_of_waits(graph, at_once, left, self_loops, cutoff)


@kernel
def _bound_by_runs(tree: LinkedTree, node: int, root: Root, graph: Graph, cutoff: int) -> int:
    """``node_bound`` if the unit of cost is a move of a run."""
    records = tree.records
    known = int64(graph.feedback_set[0])
    self_loops = 0
    left = 0
    size = 0
    chosen = 0
    for c in range(root.cascades):
        at = column_at(tree, node, c)
        while at != 0:
            run = records[at + AT_END]
            looped = records[at + LOOPED] & run
            if known & run:
                size += 1
                chosen |= run
            if looped:
                self_loops |= looped & -looped
            else:
                left |= run
            for _ in range((records[at + INFO] >> RUN) & 15):
                info = records[at + INFO]
                graph.waits[card_of(info)] = records[at + WAITING]
                graph.runs[card_of(info)] = run
                at = beneath(records, at)
    if cutoff < NO_CUTOFF:
        cutoff = size
        graph.feedback_set[0] = chosen
    graph.cycle_cards[0] = EVERY
    if count_bits(self_loops) >= cutoff:
        return cutoff
    return bound_of_waits(graph, True, left, self_loops, cutoff)


@kernel
def bound_of_waits(graph: Graph, at_once: bool, left: int, self_loops: int, cutoff: int) -> int:
    """The deadlock bound, from who waits for whom.

    Args:
        graph: its ``waits`` says of each card in a cascade which cards wait for it; scratch.
        left: the set of these cards.
        at_once, self_loops, cutoff: as in ``least_feedback``.
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
    return least_feedback(graph, at_once, cards, uint64(self_loops), cutoff)


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
    at_once: bool,
) -> int:
    """The bound after a node's move, or the bound's least possible value with ``ASSUMED`` added.

    Args:
        others, following: the node's ``OTHERS`` and its next needed cards.
        move: the move.
        bound, feedback_set, cycle_cards: the node's bound and two sets.
        at_once: as in ``node_bound``.
    """
    records = tree.records
    source = move & 31
    target = (move >> 5) & 31
    if target == HOME:
        # A card that goes home waits for none, so it is on no cycle.
        return bound
    if at_once:
        return _after_run(tree, node, others, following, move, bound, feedback_set, cycle_cards)
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
def _after_run(
    tree: LinkedTree,
    node: int,
    others: int,
    following: int,
    move: int,
    bound: int,
    feedback_set: int,
    cycle_cards: int,
) -> int:
    """``bound_after`` if the unit of cost is a move of a run, and the move sends no card home.

    It lowers the bound by at most one, and only if it takes a cycle card. It raises the bound by at
    most one: the set with the run that the move makes is a feedback vertex set again.
    """
    records = tree.records
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    least = bound
    most = bound
    if source >= CELL:
        card = cell_of(others, source - CELL)
        moved = 1 << card
    else:
        column = column_at(tree, node, source)
        cut = column
        for _ in range(count - 1):
            cut = beneath(records, cut)
        card = card_of(records[cut + INFO])
        moved = records[column + UNDER] & ~records[beneath(records, cut) + UNDER]
        whole = records[column + AT_END] == moved
        if int64(cycle_cards) & moved:
            least -= 1
        if count == 1 and whole and int64(feedback_set) & moved:
            most -= 1
        elif count > 1 and not whole:
            # Both parts of the run may be needed now.
            most += 1
    if target < CELL:
        column = column_at(tree, node, target)
        if column != 0:
            most = max(most, least) + 1
            run = records[column + AT_END]
            cut = records[column + WAITING] | HIGHER[card_of(records[column + INFO])]
            if count == 1 and (following >> card) & 1:
                # The card waits for none.
                most -= 1
            elif cut & moved and int64(cycle_cards) & run == 0:
                least += 1
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
    at_once: bool,
) -> int:
    """The exact bound of the node built last; its two sets are left in ``graph``.

    Args:
        at_once: as in ``node_bound``.
        move: the move to the node.
        estimate: the result of ``bound_after`` for this move.
        feedback_set, cycle_cards: those of the position before the move.
    """
    node = tree.registers.expanded
    records = tree.records
    if at_once:
        return _settle_run(tree, graph, root, move, estimate, feedback_set, cycle_cards)
    if move >> 10 > 1:
        return node_bound(tree, node, root, graph, at_once, NO_CUTOFF)
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
    return node_bound(tree, node, root, graph, at_once, count_bits(graph.feedback_set[0]))


@kernel
def _settle_run(
    tree: LinkedTree,
    graph: Graph,
    root: Root,
    move: int,
    estimate: int,
    feedback_set: int,
    cycle_cards: int,
) -> int:
    """``settle`` if the unit of cost is a move of a run."""
    records = tree.records
    bit = 1 << tree.registers.card
    target = (move >> 5) & 31
    column = column_at(tree, tree.registers.expanded, target) if target < CELL else 0
    run = records[column + AT_END]
    # In an empty cascade no card waits for a single one. A forced home move may have sent the
    # deepest of the moved cards home, and those above it before.
    if records[column + UNDER] == bit or run & bit == 0:
        run = 0
    graph.feedback_set[0] = uint64(int64(feedback_set) & ~bit)
    if estimate & ASSUMED == 0:
        graph.cycle_cards[0] = cycle_cards
        looped = records[column + LOOPED] & run
        if looped:
            graph.feedback_set[0] |= uint64(run)
            graph.cycle_cards[0] |= uint64(looped)
        return estimate
    graph.feedback_set[0] |= uint64(run)
    return node_bound(tree, tree.registers.expanded, root, graph, True, NO_CUTOFF - 1)


@kernel
def settle_entry(
    tree: LinkedTree, bounds: Bounds, graph: Graph, root: Root, at_once: bool, entry: int
) -> int:
    """The exact bound of the entry built last; its two sets are left in ``graph``."""
    parent = int64(tree.entry_parent[entry])
    if parent < 0:
        return node_bound(tree, 0, root, graph, at_once, NO_CUTOFF)
    return settle(
        tree, graph, root, int64(tree.entry_move[entry]), int64(bounds.entry_h[entry]),
        bounds.closed_feedback[parent], bounds.closed_cycles[parent], at_once,
    )  # fmt: skip


@kernel
def keep_sets(tree: LinkedTree, bounds: Bounds, graph: Graph) -> None:
    """Store the two sets of ``graph`` for the state that is closed next."""
    closed = tree.registers.expanded
    bounds.closed_feedback[closed] = graph.feedback_set[0]
    bounds.closed_cycles[closed] = graph.cycle_cards[0]
