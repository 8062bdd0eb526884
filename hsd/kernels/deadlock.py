"""The deadlock bound: a lower bound on the moves that are not home moves (Paul and Helmert 2016).

Every card goes home once, so a solution has one home move for each card not home, and g
other single-card moves. Card x of a cascade waits for card y if y lies above a card of
x's suit that is lower than x: y has to leave before x can go home. If cards wait for one
another in a cycle, they cannot all go straight home. So at least one card of every cycle
makes a move that is not a home move. The bound is the size of a minimum feedback vertex
set: the fewest cards that break all cycles. It is a lower bound on g, so the heuristic is
admissible. It is consistent because a single-card move takes at most one card out of the
graph. It is 0 if and only if home moves alone finish the game.

Branch and bound finds the set after the graph has been reduced; a greedy packing of
disjoint cycles gives the lower bound on its size.

Two sets of cards usually tell how a move changes the bound, without a search (delta
evaluation). The *feedback set* is a minimum feedback vertex set. The *cycle cards* are
the cards of disjoint cycles, as many cycles as the feedback set has cards, if that many
were found. If a card of the feedback set leaves the graph, the rest of the set breaks all
cycles, so the bound falls by one. If a card leaves that is not a cycle card, all those
cycles remain, so the bound does not change.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import kernel, uint64
from gafreecell.jit.kernels.bits import count_bits, lowest_bit

DEEPEST = 52
"""The greatest depth of the branching: each branch removes one of at most 52 cards."""

ASSUMED = 128
"""Flag of a lazily evaluated bound: what is stored so far is the least value that it can have."""
NO_CUTOFF = 64
"""A cutoff above every bound."""
EVERY = np.uint64(0xFFFFFFFFFFFFFFFF)


class Graph(NamedTuple):
    """Scratch of ``least_feedback``, with a graph for each depth of its search, and its results.

    Attributes:
        waits: uint64[53 * 64], for each depth and card the set of cards that wait for it.
        needs: uint64[53 * 64], for each depth and card the set of cards it waits for.
        bypassed: uint64[64], for each card the cards bypassed next to it at depth 0.
        left: uint64[53], for each depth the cards left in the graph.
        taken: uint64[53], for each depth the cards taken into the feedback set so far.
        branch: int64[53], for each depth the card branched on; -2 before one is chosen, -1 in
            the second branch, which does not take it.
        runs: uint64[64], for each card the cards of its run.
        feedback_set, cycle_cards: uint64[1], those of the last position whose bound was computed.
    """

    waits: np.ndarray
    needs: np.ndarray
    bypassed: np.ndarray
    left: np.ndarray
    taken: np.ndarray
    branch: np.ndarray
    runs: np.ndarray
    feedback_set: np.ndarray
    cycle_cards: np.ndarray


def new_graph() -> Graph:
    """Scratch arrays."""
    levels = DEEPEST + 1
    return Graph(
        np.zeros(levels * 64, np.uint64),
        np.zeros(levels * 64, np.uint64),
        np.zeros(64, np.uint64),
        np.zeros(levels, np.uint64),
        np.zeros(levels, np.uint64),
        np.zeros(levels, np.int64),
        np.zeros(64, np.uint64),
        np.zeros(1, np.uint64),
        np.zeros(1, np.uint64),
    )


@kernel
def _strip(waits: np.ndarray, needs: np.ndarray, base: int, left: int) -> int:
    """Remove cards that wait for none or that none waits for, again and again; returns the rest."""
    again = True
    while again:
        again = False
        rest = left
        while rest:
            card = lowest_bit(rest)
            rest &= rest - uint64(1)
            if waits[base + card] & left == 0 or needs[base + card] & left == 0:
                left &= ~(uint64(1) << uint64(card))
                again = True
    return left


@kernel
def with_runs(graph: Graph, at_once: bool, cards: int) -> int:
    """A set of cards, with the rest of their runs if runs move at once."""
    if not at_once:
        return cards
    every = cards
    while cards:
        every |= graph.runs[lowest_bit(cards)]
        cards &= cards - uint64(1)
    return every


@kernel
def _reduce(graph: Graph, at_once: bool, base: int, left: int, taken: int) -> tuple[int, int]:
    """Reduce a graph without losing its minimum feedback vertex set (Levy and Low 1988).

    A card that waits for itself is taken into the set, and its run with it. A card is bypassed if
    only one card waits for it, or if it waits for only one: its neighbours then wait for each
    other directly. That is not done while the graph has another card of its run, as taking that
    card would break the way through this one.

    Returns:
        The cards left in the graph, and the cards taken, one for each run.
    """
    waits = graph.waits
    needs = graph.needs
    again = True
    while again:
        again = False
        rest = left
        while rest:
            card = lowest_bit(rest)
            bit = uint64(1) << uint64(card)
            rest &= rest - uint64(1)
            who = waits[base + card] & left
            whom = needs[base + card] & left
            if who == 0 or whom == 0:
                left &= ~bit
            elif who & bit:
                taken |= bit
                left &= ~with_runs(graph, at_once, bit)
                rest &= left
            elif at_once and graph.runs[card] & left != bit:
                continue
            elif who & (who - uint64(1)) == 0:
                left &= ~bit
                before = lowest_bit(who)
                needs[base + before] |= whom
                if base == 0:
                    graph.bypassed[before] |= graph.bypassed[card] | bit
                while whom:
                    waits[base + lowest_bit(whom)] |= who
                    whom &= whom - uint64(1)
            elif whom & (whom - uint64(1)) == 0:
                left &= ~bit
                after = lowest_bit(whom)
                waits[base + after] |= who
                if base == 0:
                    graph.bypassed[after] |= graph.bypassed[card] | bit
                while who:
                    needs[base + lowest_bit(who)] |= whom
                    who &= who - uint64(1)
            else:
                continue
            again = True
    return left, taken


@kernel
def _pack_cycles(graph: Graph, at_once: bool, base: int, left: int) -> tuple[int, int]:
    """Pack disjoint cycles greedily: those of two cards, those of three, then one longer cycle.

    No two of them have cards of one run.

    Returns:
        The number of cycles, which is a lower bound on the size of the feedback vertex set, and
        their cards.
    """
    waits = graph.waits
    needs = graph.needs
    found = 0
    used = uint64(0)
    rest = left
    while rest:
        card = lowest_bit(rest)
        bit = uint64(1) << uint64(card)
        rest &= ~bit
        mates = waits[base + card] & needs[base + card] & rest
        if mates:
            found += 1
            bit |= mates & (~mates + uint64(1))
            used |= bit
            bit = with_runs(graph, at_once, bit)
            rest &= ~bit
            left &= ~bit
    rest = left
    while rest:
        card = lowest_bit(rest)
        bit = uint64(1) << uint64(card)
        rest &= ~bit
        who = waits[base + card] & rest
        while who:
            second = who & (~who + uint64(1))
            who ^= second
            thirds = waits[base + lowest_bit(second)] & needs[base + card] & rest
            if thirds:
                found += 1
                bit |= second | (thirds & (~thirds + uint64(1)))
                used |= bit
                bit = with_runs(graph, at_once, bit)
                rest &= ~bit
                left &= ~bit
                break
    rest = _strip(waits, needs, base, left)
    if rest:
        found += 1
        used |= rest
    return found, used


@kernel
def _branching_card(graph: Graph, base: int, left: int) -> int:
    """The card to branch on: the one with the most paths of two edges through it."""
    best = -1
    card_of_best = 0
    rest = left
    while rest:
        card = lowest_bit(rest)
        rest &= rest - uint64(1)
        value = count_bits(graph.waits[base + card] & left) * count_bits(
            graph.needs[base + card] & left
        )
        if value > best:
            best = value
            card_of_best = card
    return card_of_best


@kernel
def _without_mates(graph: Graph, base: int, left: int, mates: int) -> int:
    """Leave more cards out of the feedback set, one after another.

    Returns:
        The cards left in the graph; ``EVERY`` if some card would wait for itself.
    """
    while mates:
        card = lowest_bit(mates)
        bit = uint64(1) << uint64(card)
        mates &= ~bit
        left &= ~bit
        if graph.waits[base + card] & bit:
            return uint64(EVERY)
        who = graph.waits[base + card] & left
        whom = graph.needs[base + card] & left
        rest = who
        while rest:
            graph.needs[base + lowest_bit(rest)] |= whom
            rest &= rest - uint64(1)
        while whom:
            graph.waits[base + lowest_bit(whom)] |= who
            whom &= whom - uint64(1)
    return left


@kernel
def _with_bypassed(graph: Graph, cards: int) -> int:
    """A set of cards, and the cards bypassed next to them at depth 0."""
    every = cards
    while cards:
        every |= graph.bypassed[lowest_bit(cards)]
        cards &= cards - uint64(1)
    return every


@kernel
def strip(waits: np.ndarray, left: int) -> int:
    """Like ``_strip`` at depth 0, from ``waits`` alone.

    A card waits for another if and only if it is in the other's set, so ``needs`` is not used.
    """
    again = True
    while again:
        before = left
        some = uint64(0)
        rest = left
        while rest:
            card = lowest_bit(rest)
            rest &= rest - uint64(1)
            who = waits[card] & left
            some |= who
            if who == 0:
                left &= ~(uint64(1) << uint64(card))
        left &= some
        again = left != before
    return left


@kernel
def least_feedback(graph: Graph, at_once: bool, left: int, self_loops: int, cutoff: int) -> int:
    """The size of a minimum feedback vertex set, by branch and bound; at most ``cutoff``.

    With ``at_once``, it is the least number of runs of which the set has cards.

    Args:
        graph: its ``waits`` and ``needs`` are set for the cards left at depth 0, and ``bypassed``
            for all. If the result is below ``cutoff``, its ``feedback_set`` and ``cycle_cards``
            are those of this position; if not, ``feedback_set`` is unchanged.
        at_once: whether runs move at once; ``graph.runs`` is then set for each card left and each
            of ``self_loops``.
        left: what ``strip`` leaves of the cards in cascades that do not wait for themselves, nor
            are in the run of one that does.
        self_loops: the cards that wait for themselves, fewer than ``cutoff``; with ``at_once``, one
            of each run.
        cutoff: the result if the set is that large or larger.
    """
    waits = graph.waits
    needs = graph.needs
    left, taken = _reduce(graph, at_once, 0, left, self_loops)
    found, cycle_cards = _pack_cycles(graph, at_once, 0, left)
    cycles = count_bits(taken) + found
    if cycles >= cutoff:
        graph.cycle_cards[0] = _with_bypassed(graph, taken | cycle_cards)
        return cutoff
    incumbent = cutoff
    depth = 0
    graph.left[0] = left
    graph.taken[0] = taken
    graph.branch[0] = -2
    while depth >= 0:
        base = depth << 6
        left = graph.left[depth]
        if graph.branch[depth] == -2:
            # First visit: the graph is empty or hopeless, or we branch.
            count = count_bits(graph.taken[depth])
            if left == 0:
                if count < incumbent:
                    incumbent = count
                    graph.feedback_set[0] = with_runs(graph, at_once, graph.taken[depth])
                    if incumbent == cycles:
                        break
                depth -= 1
                continue
            if depth > 0:
                found, _ = _pack_cycles(graph, at_once, base, left)
            if count + found >= incumbent or depth + 1 > DEEPEST:
                depth -= 1
                continue
            card = _branching_card(graph, base, left)
            graph.branch[depth] = card
            for other in range(64):
                waits[base + 64 + other] = waits[base + other]
                needs[base + 64 + other] = needs[base + other]
            bit = uint64(1) << uint64(card)
            taken = graph.taken[depth] | bit
            left &= ~with_runs(graph, at_once, bit)
        elif graph.branch[depth] == -1:
            depth -= 1
            continue
        else:
            # Second branch, without the card: what waits for it now waits for what it waits for.
            card = graph.branch[depth]
            graph.branch[depth] = -1
            bit = uint64(1) << uint64(card)
            mates = with_runs(graph, at_once, bit) & left & ~bit
            left &= ~bit
            who = waits[base + card] & left
            whom = needs[base + card] & left
            for other in range(64):
                set_there = waits[base + other]
                waits[base + 64 + other] = set_there | who if set_there & bit else set_there
                set_there = needs[base + other]
                needs[base + 64 + other] = set_there | whom if set_there & bit else set_there
            if at_once:
                left = _without_mates(graph, base + 64, left, mates)
                if left == EVERY:
                    continue
            taken = graph.taken[depth]
        left, taken = _reduce(graph, at_once, base + 64, left, taken)
        depth += 1
        graph.left[depth] = left
        graph.taken[depth] = taken
        graph.branch[depth] = -2
    if incumbent == cycles and incumbent < cutoff:
        graph.cycle_cards[0] = _with_bypassed(graph, graph.taken[0] | cycle_cards)
    return incumbent
