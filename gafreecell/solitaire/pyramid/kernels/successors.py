"""The successors of a state: pairs removed or left alone, then draws up to the next choice.

A state is expanded at a choice, that is when some open pairs are playable. Each of them is removed,
or left alone for good. Removals can make other pairs playable, until no open pair is. Then the
stock is drawn, and recycled, until there is a choice again.

Kings: an uncovered king of the pyramid is removed at once if the pyramid has to be cleared. A king
on top of the stock is removed instead of drawn. That costs the same and is never worse (dominance),
so no draw puts a king into the waste. But a game in progress may have kings there. A solution need
not remove such a king if it uses no card beneath it and does not draw it again. So a king on top of
the waste is removed or left alone for good, as a pair is. If it is recycled, it is a king of the
stock like any other.

If the goal is not to clear the pyramid, the game may stop after any removal. Removing the tip ends
the game, so it may be better to do it later: pairs with the tip are then not left alone for good.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel
from gafreecell.solitaire.pyramid.goals import CLEAR, Goal
from gafreecell.solitaire.pyramid.kernels.bounds import value_of
from gafreecell.solitaire.pyramid.kernels.states import (
    KING_EDGES,
    SECOND,
    Deal,
    edges_between,
    lowest,
    of_stock,
    playable,
    stock_top,
    waste_top,
)
from gafreecell.solitaire.pyramid.shapes import CARDS, CLEARED, STOCK, TIP

GOES_ON = -1
"""The value of a successor after which the game continues; others have the units gained."""
DEPTH = 256
"""The size of the stack of choices, of which 101 entries are needed.

The index of an entry is at most the number of pairs and kings that were removed or left alone on
the way to it. There are 16 pairs in each of six groups, and 4 kings, and each is decided once.
"""


class Successors(NamedTuple):
    """A list of successors, all int64[n].

    Attributes:
        shape, left, at, cycle: as in ``pyramid.position.Start``.
        graph, graph_2: the open pairs, both words.
        steps: taken from the state that was expanded.
        value: ``GOES_ON``, or the units gained if the game ends here.
    """

    shape: np.ndarray
    left: np.ndarray
    at: np.ndarray
    cycle: np.ndarray
    graph: np.ndarray
    graph_2: np.ndarray
    steps: np.ndarray
    value: np.ndarray


class Stack(NamedTuple):
    """States at a choice, whose playable pairs are not all decided; all int64[DEPTH].

    Attributes:
        shape, left, at: as in ``pyramid.position.Start``.
        graph, graph_2: the open pairs, both words.
        steps: taken from the state that is expanded.
    """

    shape: np.ndarray
    left: np.ndarray
    at: np.ndarray
    graph: np.ndarray
    graph_2: np.ndarray
    steps: np.ndarray


class State(NamedTuple):
    """A state on the way to a successor.

    Attributes:
        shape, left, at, cycle: as in ``pyramid.position.Start``.
        steps: taken from the state that is expanded.
        graph, graph_2: the open pairs, both words.
    """

    shape: int
    left: int
    at: int
    cycle: int
    steps: int
    graph: int
    graph_2: int


def new_successors(room: int) -> Successors:
    """A list with room for a number of successors."""
    return Successors(*(np.zeros(room, np.int64) for _ in Successors._fields))


def new_stack() -> Stack:
    """Scratch for ``expand``."""
    return Stack(*(np.zeros(DEPTH, np.int64) for _ in Stack._fields))


@kernel
def _add(goal: Goal, found: Successors, count: int, state: State, value: int) -> int:
    """Append a successor if there is room; returns the number of successors, this one included.

    An end of the game that does not fulfil the goal is left out.
    """
    if value != GOES_ON and (value < goal.least or (goal.clearing and state.shape != CLEARED)):
        return count
    if count < found.value.size:
        found.shape[count] = state.shape
        found.left[count] = state.left
        found.at[count] = state.at
        found.cycle[count] = state.cycle
        found.steps[count] = state.steps
        found.graph[count] = state.graph
        found.graph_2[count] = state.graph_2
        found.value[count] = value
    return count + 1


@kernel
def _pairs_with(deal: Deal, p: int, graph: int, graph_2: int) -> tuple[int, int]:
    """The open pairs of a card of the pyramid, in both words."""
    lines = deal.low_lines[p] | deal.high_lines[p]
    lines_2 = deal.low_lines[52 + p] | deal.high_lines[52 + p]
    return lines & graph, lines_2 & graph_2


@kernel
def _end(deal: Deal, goal: Goal, found: Successors, count: int, state: State) -> int:
    """Append the end of the game in a state."""
    shape, left, at, cycle, steps, _, _ = state
    none = int64(0)
    value = int64(value_of(deal, goal, shape, left))
    return _add(goal, found, count, State(shape, left, at, cycle, steps, none, none), value)


@kernel
def _end_here(deal: Deal, goal: Goal, found: Successors, count: int, state: State) -> int:
    """Append the ends of the game before the next draw: now, or by removing the tip."""
    shape, left, at, cycle, steps, graph, graph_2 = state
    count = _end(deal, goal, found, count, state)
    if shape != TIP:
        return count
    pairs, pairs_2 = _pairs_with(deal, 0, graph, graph_2)
    for place in range(3):
        # The tip goes with the stock's top card, with the waste's, or alone as a king.
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
        end = State(int64(CLEARED), rest, stock_top(rest, at), cycle, steps + 1, graph, graph_2)
        count = _end(deal, goal, found, count, end)
    return count


@kernel
def _draw_on(deal: Deal, goal: Goal, found: Successors, count: int, state: State) -> int:
    """Append the successors of a state without a playable open pair; returns the new count."""
    shape, left, at, cycle, steps, graph, graph_2 = state
    wanted = int64(0)
    wanted_2 = int64(0)
    opens = deal.shapes.open[shape]
    while opens:
        pairs, pairs_2 = _pairs_with(deal, lowest(opens), graph, graph_2)
        opens &= opens - 1
        wanted |= pairs
        wanted_2 |= pairs_2
    under = waste_top(left, at)
    gained = True
    while True:
        if shape == CLEARED or (gained and goal.kind != CLEAR):
            here = State(shape, left, at, cycle, steps, graph, graph_2)
            count = _end_here(deal, goal, found, count, here)
        if shape == CLEARED:
            return count
        gained = False
        if at == STOCK:
            if cycle == 2 or left == 0:
                return count
            cycle += 1
            at = stock_top(left, 0)
            under = int64(-1)
            # The kings of the waste are now kings of the stock.
            graph &= ~(of_stock(deal, left) >> KING_EDGES << KING_EDGES)
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
                choice = State(shape, left, at, cycle, steps, graph, graph_2)
                if gained and goal.kind != CLEAR:
                    count = _end(deal, goal, found, count, choice)
                return _add(goal, found, count, choice, GOES_ON)


@kernel
def expand(
    deal: Deal,
    goal: Goal,
    stack: Stack,
    found: Successors,
    shape: int,
    left: int,
    at: int,
    cycle: int,
    graph: int,
    graph_2: int,
) -> int:
    """List the successors of a state.

    Args:
        stack: scratch.
        found: receives the successors.
        shape, left, at, cycle: as in ``pyramid.position.Start``.
        graph, graph_2: the open pairs, both words.

    Returns:
        The number of successors; those that do not fit into ``found`` are missing.
    """
    count = 0
    stack.shape[0] = shape
    stack.left[0] = left
    stack.at[0] = at
    stack.graph[0] = graph
    stack.graph_2[0] = graph_2
    stack.steps[0] = 0
    size = 1
    while size > 0:
        size -= 1
        shape = stack.shape[size]
        left = stack.left[size]
        at = stack.at[size]
        graph = stack.graph[size]
        graph_2 = stack.graph_2[size]
        steps = stack.steps[size]
        opens = deal.shapes.open[shape]
        if shape == TIP and goal.kind != CLEAR:
            opens = int64(0)
        pairs, pairs_2 = edges_between(deal, playable(opens, at, waste_top(left, at)))
        pairs &= graph
        pairs_2 &= graph_2
        if shape == CLEARED or pairs | pairs_2 == 0:
            state = State(shape, left, at, cycle, steps, graph, graph_2)
            count = _draw_on(deal, goal, found, count, state)
            continue
        # Kings come first; their edges are the highest bits.
        if pairs >> 48:
            edge = 48 + lowest(pairs >> 48)
        else:
            edge = lowest(pairs) if pairs else SECOND + lowest(pairs_2)
        low, high = deal.low[edge], deal.high[edge]
        if low != high or goal.pass_kings or low >= CARDS:
            # Come back to this state, with the pair left alone for good.
            if edge < SECOND:
                stack.graph[size] = graph & ~(int64(1) << edge)
            else:
                stack.graph_2[size] = graph_2 & ~(int64(1) << (edge - SECOND))
            size += 1
        if low < CARDS:
            shape = int64(deal.shapes.without[CARDS * shape + low])
        else:
            left &= ~(int64(1) << (low - CARDS))
        if low != high:
            if high < CARDS:
                shape = int64(deal.shapes.without[CARDS * shape + high])
            else:
                left &= ~(int64(1) << (high - CARDS))
        if edge < SECOND:
            graph &= ~(deal.line[low] | deal.line[high])
        else:
            graph_2 &= ~(deal.line[low] | deal.line[high])
        stack.shape[size] = shape
        stack.left[size] = left
        stack.at[size] = stock_top(left, at)
        stack.graph[size] = graph
        stack.graph_2[size] = graph_2
        stack.steps[size] = steps + 1
        size += 1
    return count
