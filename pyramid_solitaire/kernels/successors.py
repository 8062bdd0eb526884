"""The successors of a state: pairs removed or left alone, then draws up to the next choice.

A state is expanded at a choice: some open pairs are playable. Each of them is removed or
left alone for good, which can make others playable, until none is left. Then the
stock is drawn, and recycled, until there is a choice again.

Kings: an uncovered king of the pyramid goes at once if all must go. A stock king is removed
instead of drawn, which costs the same and is never worse (dominance), so no king ever lies in
the waste.

If the goal is not to clear the pyramid, the game may stop after any removal. To put off its end,
pairs with the tip, whose removal ends the game, are then not left alone for good.
"""

from __future__ import annotations

from numba import int64

from jit import kernel
from pyramid_solitaire.goals import CLEAR, CLEARING, KIND, LEAST, PASS_KINGS
from pyramid_solitaire.kernels.bounds import value_of
from pyramid_solitaire.kernels.states import (
    SECOND,
    edges_between,
    lowest,
    playable,
    stock_top,
    waste_top,
)
from pyramid_solitaire.shapes import CARDS, CLEARED, STOCK, TIP

# Columns of a list of successors.
SHAPE, LEFT, AT, CYCLE, STEPS, GRAPH, GRAPH_2, VALUE = range(8)
COLUMNS = 8
GOES_ON = -1
"""In the column VALUE: the game continues; other values end it, with so many units gained."""
DEPTH = 256
"""The most choices on the stack: each pair is removed or left alone once."""


@kernel
def _add(goal, found, count, shape, left, at, cycle, steps, graph, graph_2, value):
    """Append a successor if there is room; returns the count including it.

    The end of a game counts only if it fulfils the goal.
    """
    if value != GOES_ON and (value < goal[LEAST] or (goal[CLEARING] and shape != CLEARED)):
        return count
    if count < found.shape[0]:
        found[count, SHAPE] = shape
        found[count, LEFT] = left
        found[count, AT] = at
        found[count, CYCLE] = cycle
        found[count, STEPS] = steps
        found[count, GRAPH] = graph
        found[count, GRAPH_2] = graph_2
        found[count, VALUE] = value
    return count + 1


@kernel
def _pairs_with(deal, p, graph, graph_2):
    """The open pairs of a card of the pyramid, in both words."""
    lines = deal.low_lines[p] | deal.high_lines[p]
    lines_2 = deal.low_lines[52 + p] | deal.high_lines[52 + p]
    return lines & graph, lines_2 & graph_2


@kernel
def _end_here(deal, goal, found, count, shape, left, at, cycle, steps, graph, graph_2):
    """Append the ends of the game without a draw: here, or with the removal of the tip."""
    value = int64(value_of(deal, goal, shape, left))
    count = _add(goal, found, count, shape, left, at, cycle, steps, 0, 0, value)
    if shape != TIP:
        return count
    pairs, pairs_2 = _pairs_with(deal, 0, graph, graph_2)
    for place in range(3):
        # The tip goes with the stock's top, with the waste's, or is a king.
        partner = at if place == 0 else int64(waste_top(left, at))
        gone = int64(0)
        if place == 2:
            if deal.rank[0] != 13 or pairs == 0:
                continue
        else:
            if partner < 0 or partner == STOCK:
                continue
            p = CARDS + partner
            if deal.rank[p] + deal.rank[0] != 13:
                continue
            if deal.line[p] & (pairs if deal.word[p] == 0 else pairs_2) == 0:
                continue
            gone = int64(1) << partner
        rest = left & ~gone
        value = int64(value_of(deal, goal, CLEARED, rest))
        top = stock_top(rest, at)
        count = _add(goal, found, count, CLEARED, rest, top, cycle, steps + 1, 0, 0, value)
    return count


@kernel
def _draw_on(deal, goal, found, count, shape, left, at, cycle, steps, graph, graph_2):
    """Append the successors of a state without a playable open pair; returns the count."""
    wanted = int64(0)
    wanted_2 = int64(0)
    opens = deal.open[shape]
    while opens:
        pairs, pairs_2 = _pairs_with(deal, lowest(opens), graph, graph_2)
        opens &= opens - 1
        wanted |= pairs
        wanted_2 |= pairs_2
    under = waste_top(left, at)
    gained = True
    while True:
        if shape == CLEARED or (gained and goal[KIND] != CLEAR):
            count = _end_here(
                deal, goal, found, count, shape, left, at, cycle, steps, graph, graph_2
            )
        if shape == CLEARED:
            return count
        gained = False
        if at == STOCK:
            if cycle == 2 or left == 0:
                return count
            cycle += 1
            at = stock_top(left, 0)
            under = int64(-1)
        elif deal.rank[CARDS + at] == 13:
            gained = True
            left &= ~(int64(1) << at)
            at = stock_top(left, at)
        else:
            under = at
            at = stock_top(left, at + 1)
        steps += 1
        if at < STOCK:
            top = CARDS + at
            near = wanted if deal.word[top] == 0 else wanted_2
            if under >= 0 and deal.word[CARDS + under] == deal.word[top]:
                near |= deal.line[CARDS + under] & (graph if deal.word[top] == 0 else graph_2)
            if near & deal.line[top]:
                if gained and goal[KIND] != CLEAR:
                    value = int64(value_of(deal, goal, shape, left))
                    count = _add(goal, found, count, shape, left, at, cycle, steps, 0, 0, value)
                return _add(
                    goal, found, count, shape, left, at, cycle, steps, graph, graph_2, GOES_ON
                )


@kernel
def expand(deal, goal, stack, found, shape, left, at, cycle, graph, graph_2):
    """List the successors of a state.

    Args:
        deal: ``Deal``; ``goal``: see ``goal_array``.
        stack: int64[DEPTH, 8], scratch.
        found: int64[n, 8], receives the successors.
        shape, left: what is left of the pyramid, and of stock and waste.
        at: the stock's top, 24 if it is empty.
        cycle: how many times the waste was recycled.
        graph, graph_2: the open pairs, both words.

    Returns:
        The number of successors; those beyond the room of ``found`` are missing.
    """
    count = 0
    stack[0, SHAPE] = shape
    stack[0, LEFT] = left
    stack[0, AT] = at
    stack[0, GRAPH] = graph
    stack[0, GRAPH_2] = graph_2
    stack[0, STEPS] = 0
    size = 1
    while size > 0:
        size -= 1
        shape = stack[size, SHAPE]
        left = stack[size, LEFT]
        at = stack[size, AT]
        graph = stack[size, GRAPH]
        graph_2 = stack[size, GRAPH_2]
        steps = stack[size, STEPS]
        opens = deal.open[shape]
        if shape == TIP and goal[KIND] != CLEAR:
            opens = int64(0)
        pairs, pairs_2 = edges_between(deal, playable(opens, at, waste_top(left, at)))
        pairs &= graph
        pairs_2 &= graph_2
        if shape == CLEARED or pairs | pairs_2 == 0:
            count = _draw_on(
                deal, goal, found, count, shape, left, at, cycle, steps, graph, graph_2
            )
            continue
        # Kings come first: their edges are the highest.
        if pairs >> 48:
            edge = 48 + lowest(pairs >> 48)
        else:
            edge = lowest(pairs) if pairs else SECOND + lowest(pairs_2)
        low, high = deal.low[edge], deal.high[edge]
        if low != high or goal[PASS_KINGS]:
            # Left alone for good.
            if edge < SECOND:
                stack[size, GRAPH] = graph & ~(int64(1) << edge)
            else:
                stack[size, GRAPH_2] = graph_2 & ~(int64(1) << (edge - SECOND))
            size += 1
        if low < CARDS:
            shape = int64(deal.without[CARDS * shape + low])
        else:
            left &= ~(int64(1) << (low - CARDS))
        if low != high:
            if high < CARDS:
                shape = int64(deal.without[CARDS * shape + high])
            else:
                left &= ~(int64(1) << (high - CARDS))
        if edge < SECOND:
            graph &= ~(deal.line[low] | deal.line[high])
        else:
            graph_2 &= ~(deal.line[low] | deal.line[high])
        stack[size, SHAPE] = shape
        stack[size, LEFT] = left
        stack[size, AT] = stock_top(left, at)
        stack[size, GRAPH] = graph
        stack[size, GRAPH_2] = graph_2
        stack[size, STEPS] = steps + 1
        size += 1
    return count
