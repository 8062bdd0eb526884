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
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64

from hsd.board import STRIDE_BITS
from solving.bits import count_bits, lowest_bit
from solving.runtime import kernel

DEEPEST = 52
"""Cards that can be set aside in a branch; a board has fewer circles without a common card."""

_HIGHER = np.array(
    [
        sum(1 << (4 * rank + (card & 3)) for rank in range((card >> 2) + 1, 14))
        for card in range(64)
    ],
    np.uint64,
)


class Graph(NamedTuple):
    """Scratch of ``deadlock_bound``: a graph for each depth of its search.

    Attributes:
        waits: uint64[53 * 64], for each depth and card the set of cards that wait for it.
        left: uint64[53], for each depth the cards left in the graph.
        taken: int64[53], for each depth the cards already chosen.
        branch: int64[53], for each depth the card branched on; -1 if it was put back.
    """

    waits: np.ndarray
    left: np.ndarray
    taken: np.ndarray
    branch: np.ndarray


def new_graph() -> Graph:
    """Scratch arrays."""
    levels = DEEPEST + 1
    return Graph(
        np.zeros(levels * 64, np.uint64),
        np.zeros(levels, np.uint64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
    )


@kernel
def _strip(waits, base, left):
    """The cards that both wait and are waited for, again and again until none drops out."""
    while True:
        waiting = uint64(0)
        waited = uint64(0)
        rest = left
        while rest:
            card = lowest_bit(rest)
            rest &= rest - uint64(1)
            who = waits[base + card] & left
            if who:
                waited |= uint64(1) << uint64(card)
                waiting |= who
        kept = waited & waiting
        if kept == left:
            return left
        left = kept


@kernel
def _reduce(waits, base, left):
    """Shrink a graph without changing the answer; returns what is left and how many were taken.

    A card that waits for itself is taken. A card with a single one that waits
    for it, or that it waits for, is bypassed (Levy and Low 1988).
    """
    taken = 0
    again = True
    while again:
        again = False
        left = _strip(waits, base, left)
        rest = left
        while rest:
            card = lowest_bit(rest)
            bit = uint64(1) << uint64(card)
            rest &= rest - uint64(1)
            if not left & bit:
                continue
            who = waits[base + card] & left
            if who & bit:
                left &= ~bit
                taken += 1
                again = True
                continue
            single = who != 0 and who & (who - uint64(1)) == 0
            # Those it waits for.
            count = 0
            last = 0
            others = left
            while others:
                other = lowest_bit(others)
                others &= others - uint64(1)
                if waits[base + other] & bit:
                    count += 1
                    last = other
            if not single and count != 1:
                if who == 0 or count == 0:
                    left &= ~bit
                    again = True
                continue
            left &= ~bit
            again = True
            if single:
                others = left
                while others:
                    other = lowest_bit(others)
                    others &= others - uint64(1)
                    if waits[base + other] & bit:
                        waits[base + other] |= who
            else:
                waits[base + last] |= who
    return left, taken


@kernel
def _packed_circles(waits, base, left):
    """A number of circles without a common card, found greedily: pairs, then threes."""
    found = 0
    rest = left
    while rest:
        card = lowest_bit(rest)
        bit = uint64(1) << uint64(card)
        rest &= ~bit
        mates = waits[base + card] & rest
        while mates:
            mate = lowest_bit(mates)
            mates &= mates - uint64(1)
            if waits[base + mate] & bit:
                found += 1
                rest &= ~(uint64(1) << uint64(mate))
                left &= ~(bit | (uint64(1) << uint64(mate)))
                break
    rest = left
    while rest:
        card = lowest_bit(rest)
        bit = uint64(1) << uint64(card)
        rest &= ~bit
        who = waits[base + card] & rest
        done = False
        while who and not done:
            second = lowest_bit(who)
            who &= who - uint64(1)
            thirds = waits[base + second] & rest
            while thirds:
                third = lowest_bit(thirds)
                thirds &= thirds - uint64(1)
                if waits[base + third] & bit:
                    found += 1
                    rest &= ~((uint64(1) << uint64(second)) | (uint64(1) << uint64(third)))
                    done = True
                    break
    return found


@kernel
def _busiest(waits, base, left):
    """The card with the most circles through it, as far as its neighbours tell."""
    best = -1
    card_of_best = 0
    rest = left
    while rest:
        card = lowest_bit(rest)
        bit = uint64(1) << uint64(card)
        rest &= rest - uint64(1)
        outgoing = 0
        others = left
        while others:
            other = lowest_bit(others)
            others &= others - uint64(1)
            if waits[base + other] & bit:
                outgoing += 1
        value = outgoing * count_bits(waits[base + card] & left)
        if value > best:
            best = value
            card_of_best = card
    return card_of_best


@kernel
def deadlock_bound(board, graph, most):
    """The least number of cards that breaks all circles, or ``most`` if it is that or more.

    Args:
        board: a ``Board``.
        graph: scratch.
        most: a larger answer is not needed.
    """
    waits = graph.waits
    left = uint64(0)
    alone = 0
    for c in range(board.size[0]):
        who = uint64(0)
        for i in range(board.height[c]):
            card = board.column[(c << STRIDE_BITS) + i]
            bit = uint64(1) << uint64(card)
            waits[card] = who
            if who & bit:
                alone += 1
            else:
                left |= bit
            who |= _HIGHER[card]
    left = _strip(waits, 0, left)
    if left == 0 or alone >= most:
        return min(alone, most)
    left, taken = _reduce(waits, 0, left)
    best = most - alone
    depth = 0
    graph.left[0] = left
    graph.taken[0] = taken
    graph.branch[0] = -2
    while depth >= 0:
        base = depth << 6
        if graph.branch[depth] == -2:
            # Met for the first time: settle it or branch.
            left = graph.left[depth]
            if left == 0:
                best = min(best, graph.taken[depth])
                depth -= 1
                continue
            if (
                graph.taken[depth] + _packed_circles(waits, base, left) >= best
                or depth + 1 > DEEPEST
            ):
                depth -= 1
                continue
            card = _busiest(waits, base, left)
            graph.branch[depth] = card
            bit = uint64(1) << uint64(card)
            for other in range(64):
                waits[base + 64 + other] = waits[base + other]
            remaining, taken = _reduce(waits, base + 64, left & ~bit)
            graph.left[depth + 1] = remaining
            graph.taken[depth + 1] = graph.taken[depth] + 1 + taken
            graph.branch[depth + 1] = -2
            depth += 1
            continue
        if graph.branch[depth] == -1:
            depth -= 1
            continue
        # The card is not taken: all that wait for it wait for what it waits for.
        card = graph.branch[depth]
        graph.branch[depth] = -1
        bit = uint64(1) << uint64(card)
        left = graph.left[depth] & ~bit
        who = waits[base + card] & left
        for other in range(64):
            set_there = waits[base + other]
            waits[base + 64 + other] = set_there | who if set_there & bit else set_there
        remaining, taken = _reduce(waits, base + 64, left)
        graph.left[depth + 1] = remaining
        graph.taken[depth + 1] = graph.taken[depth] + taken
        graph.branch[depth + 1] = -2
        depth += 1
    return alone + best
