"""A lower bound on the moves that are not home moves: deadlocks (Paul and Helmert 2016).

Every card goes home once, so a solution has as many moves of single cards as
there are cards not home, and g moves more. Card x of a cascade waits for card y
if y lies above a card of x's suit that is lower than x and not home: before x
can go home, y has to leave. Cards that all went straight home could not wait
for each other in a circle, so of every circle one card at least must make a
move that is not a home move. The bound is the least number of cards that breaks
all circles, a minimum feedback vertex set: admissible, and consistent because
one move takes at most one card out of the graph. It is 0 exactly when home
moves alone finish.

Two sets tell what a move does to the bound, mostly without a search: the
*breakers*, a least set that breaks all circles, and the *circled*, the cards of
as many circles without a common card as there are breakers, if such were found.
Without a breaker one breaker fewer will do; without a card that is not circled
all those circles remain.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64

from hsd.board import CELL, HOME, LOOPS, STRIDE_BITS
from solving.bits import count_bits, lowest_bit
from solving.runtime import kernel

DEEPEST = 52
"""Cards that can be set aside in a branch; a board has fewer circles without a common card."""

ASSUMED = 128
"""Marks a bound that was not computed: the least it can be."""
ENOUGH = 64
"""Above every bound."""
_EVERY = np.uint64(0xFFFFFFFFFFFFFFFF)

_HIGHER = np.array(
    [
        sum(1 << (4 * rank + (card & 3)) for rank in range((card >> 2) + 1, 14))
        for card in range(64)
    ],
    np.uint64,
)

_LOWER = np.array(
    [sum(1 << (4 * rank + (card & 3)) for rank in range(1, card >> 2)) for card in range(64)],
    np.uint64,
)


class Graph(NamedTuple):
    """Scratch of ``deadlock_bound``: a graph for each depth of its search, and what it found.

    Attributes:
        waits: uint64[53 * 64], for each depth and card the set of cards that wait for it.
        needs: uint64[53 * 64], for each depth and card the set of cards it waits for.
        along: uint64[64], the cards bypassed next to a card, at depth 0.
        left: uint64[53], for each depth the cards left in the graph.
        taken: uint64[53], for each depth the breakers chosen so far.
        branch: int64[53], for each depth the card branched on; -1 once it was kept, -2 before.
        breakers, circled: uint64[1], of the last position whose bound was computed.
    """

    waits: np.ndarray
    needs: np.ndarray
    along: np.ndarray
    left: np.ndarray
    taken: np.ndarray
    branch: np.ndarray
    breakers: np.ndarray
    circled: np.ndarray


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
        np.zeros(1, np.uint64),
        np.zeros(1, np.uint64),
    )


@kernel
def _strip(waits, needs, base, left):
    """The cards that both wait and are waited for, again and again until none drops out."""
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
def _reduce(graph, base, left, taken):
    """Shrink a graph without changing the answer; returns what is left and the breakers taken.

    A card that waits for itself is taken. A card with a single one that waits
    for it, or that it waits for, is bypassed (Levy and Low 1988).
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
                left &= ~bit
                taken |= bit
            elif who & (who - uint64(1)) == 0:
                left &= ~bit
                before = lowest_bit(who)
                needs[base + before] |= whom
                if base == 0:
                    graph.along[before] |= graph.along[card] | bit
                while whom:
                    waits[base + lowest_bit(whom)] |= who
                    whom &= whom - uint64(1)
            elif whom & (whom - uint64(1)) == 0:
                left &= ~bit
                after = lowest_bit(whom)
                waits[base + after] |= who
                if base == 0:
                    graph.along[after] |= graph.along[card] | bit
                while who:
                    needs[base + lowest_bit(who)] |= whom
                    who &= who - uint64(1)
            else:
                continue
            again = True
    return left, taken


@kernel
def _packed_circles(graph, base, left):
    """Circles without a common card, found greedily: pairs, then threes, then one longer.

    Returns:
        How many, and the cards in them.
    """
    waits = graph.waits
    needs = graph.needs
    found = 0
    whole = left
    rest = left
    while rest:
        card = lowest_bit(rest)
        bit = uint64(1) << uint64(card)
        rest &= ~bit
        mates = waits[base + card] & needs[base + card] & rest
        if mates:
            found += 1
            bit |= mates & (~mates + uint64(1))
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
                rest &= ~bit
                left &= ~bit
                break
    rest = _strip(waits, needs, base, left)
    if rest:
        found += 1
        left &= ~rest
    return found, whole & ~left


@kernel
def _busiest(graph, base, left):
    """The card with the most circles through it, as far as its neighbours tell."""
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
def _alongside(graph, cards):
    """Cards, and those bypassed next to them at depth 0."""
    every = cards
    while cards:
        every |= graph.along[lowest_bit(cards)]
        cards &= cards - uint64(1)
    return every


@kernel
def deadlock_bound(board, graph, most):
    """The least number of cards that breaks all circles, or ``most`` if it is that or more.

    Args:
        board: a ``Board``.
        graph: scratch; if the answer is below ``most``, ``breakers`` and ``circled``
            tell of this position, else ``breakers`` are left as they were.
        most: a larger answer is not needed.
    """
    waits = graph.waits
    needs = graph.needs
    left = uint64(0)
    alone = uint64(0)
    for c in range(board.size[0]):
        who = uint64(0)
        for i in range(board.height[c]):
            card = board.column[(c << STRIDE_BITS) + i]
            bit = uint64(1) << uint64(card)
            waits[card] = who
            graph.along[card] = uint64(0)
            if who & bit:
                alone |= bit
            else:
                left |= bit
            who |= _HIGHER[card]
    for s in range(4):
        whom = uint64(0)
        for rank in range(board.home[s] + 1, 14):
            card = 4 * rank + s
            needs[card] = whom
            at = board.where[card]
            if at >= 0:
                exposed = (at | 63) - 63 + board.height[at >> STRIDE_BITS] - 1
                whom |= board.under[exposed] & ~board.under[at]
    graph.circled[0] = _EVERY
    if count_bits(alone) >= most:
        return most
    left = _strip(waits, needs, 0, left)
    left, taken = _reduce(graph, 0, left, alone)
    found, circled = _packed_circles(graph, 0, left)
    circles = count_bits(taken) + found
    if circles >= most:
        graph.circled[0] = _alongside(graph, taken | circled)
        return most
    best = most
    depth = 0
    graph.left[0] = left
    graph.taken[0] = taken
    graph.branch[0] = -2
    while depth >= 0:
        base = depth << 6
        left = graph.left[depth]
        if graph.branch[depth] == -2:
            # Met for the first time: settle it or branch.
            count = count_bits(graph.taken[depth])
            if left == 0:
                if count < best:
                    best = count
                    graph.breakers[0] = graph.taken[depth]
                    if best == circles:
                        break
                depth -= 1
                continue
            if depth > 0:
                found, _ = _packed_circles(graph, base, left)
            if count + found >= best or depth + 1 > DEEPEST:
                depth -= 1
                continue
            card = _busiest(graph, base, left)
            graph.branch[depth] = card
            for other in range(64):
                waits[base + 64 + other] = waits[base + other]
                needs[base + 64 + other] = needs[base + other]
            bit = uint64(1) << uint64(card)
            taken = graph.taken[depth] | bit
            left &= ~bit
        elif graph.branch[depth] == -1:
            depth -= 1
            continue
        else:
            # The card is not taken: all that wait for it wait for what it waits for.
            card = graph.branch[depth]
            graph.branch[depth] = -1
            bit = uint64(1) << uint64(card)
            left &= ~bit
            who = waits[base + card] & left
            whom = needs[base + card] & left
            for other in range(64):
                set_there = waits[base + other]
                waits[base + 64 + other] = set_there | who if set_there & bit else set_there
                set_there = needs[base + other]
                needs[base + 64 + other] = set_there | whom if set_there & bit else set_there
            taken = graph.taken[depth]
        left, taken = _reduce(graph, base + 64, left, taken)
        depth += 1
        graph.left[depth] = left
        graph.taken[depth] = taken
        graph.branch[depth] = -2
    if best == circles and best < most:
        graph.circled[0] = _alongside(graph, graph.taken[0] | circled)
    return best


@kernel
def bound_after(board, move, bound, breakers, circled):
    """The bound after a move, or the least it can be with ``ASSUMED`` added.

    Args:
        board: the position before the move.
        move: the move.
        bound, breakers, circled: of that position.
    """
    source = move & 31
    target = (move >> 5) & 31
    if target == HOME:
        # What goes home waits for nobody.
        return bound
    if move >> 10 > 1:
        return max(bound - (move >> 10), 0) | ASSUMED
    least = bound
    most = bound
    if source >= CELL:
        card = board.cell[source - CELL]
    else:
        card = board.column[(source << STRIDE_BITS) + board.height[source] - 1]
        bit = uint64(1) << uint64(card)
        if breakers & bit:
            least -= 1
            most -= 1
        elif circled & bit:
            least -= 1
    if target < CELL and board.height[target] > 0:
        met = board.under[(target << STRIDE_BITS) + board.height[target] - 1]
        if met & _LOWER[card]:
            least += 1
            most += 1
        elif board.home[card & 3] != (card >> 2) - 1:
            # It may wait for others again, and others for it.
            most += 1
    return least if least == most else least | ASSUMED


@kernel
def settle(board, graph, move, card, bound, breakers, circled):
    """The bound after a move, exactly; ``graph`` then tells the position's breakers and circled.

    Args:
        board: the position after the move, and forced home moves.
        move: the move.
        card: the card it took, if it took one.
        bound: what ``bound_after`` said.
        breakers, circled: of the position before.
    """
    if move >> 10 > 1:
        return deadlock_bound(board, graph, ENOUGH)
    bit = uint64(1) << uint64(card)
    at = board.where[card]
    if bound & ASSUMED == 0:
        if at >= 0 and (board.part[at] >> LOOPS) & 1:
            graph.breakers[0] = breakers | bit
            graph.circled[0] = circled | bit
        else:
            graph.breakers[0] = breakers & ~bit
            graph.circled[0] = circled
        return bound
    onto = at >= 0 and at & 63 > 0
    graph.breakers[0] = breakers | bit if onto else breakers
    return deadlock_bound(board, graph, count_bits(graph.breakers[0]))
