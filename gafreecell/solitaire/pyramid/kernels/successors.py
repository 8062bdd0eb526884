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
    State,
    edges_between,
    lowest,
    of_stock,
    pairs_of,
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


class States(NamedTuple):
    """A list of states, all int64[n].

    Attributes:
        shape, left, at, cycle, steps, graph, graph_2: as in ``State``.
        value: ``GOES_ON``, or the units gained if the game ends here.
    """

    shape: np.ndarray
    left: np.ndarray
    at: np.ndarray
    cycle: np.ndarray
    steps: np.ndarray
    graph: np.ndarray
    graph_2: np.ndarray
    value: np.ndarray


def new_states(room: int) -> States:
    """A list with room for a number of states."""
    return States(*(np.zeros(room, np.int64) for _ in States._fields))


@kernel
def state_at(states: States, i: int) -> State:
    """The i-th state of a list."""
    return State(
        states.shape[i],
        states.left[i],
        states.at[i],
        states.cycle[i],
        states.steps[i],
        states.graph[i],
        states.graph_2[i],
    )


@kernel
def _write(states: States, i: int, state: State) -> None:
    """Make a state the i-th of a list."""
    states.shape[i] = state.shape
    states.left[i] = state.left
    states.at[i] = state.at
    states.cycle[i] = state.cycle
    states.steps[i] = state.steps
    states.graph[i] = state.graph
    states.graph_2[i] = state.graph_2


@kernel
def _add(goal: Goal, found: States, count: int, state: State, value: int) -> int:
    """Append a successor if there is room; returns the number of successors, this one included.

    An end of the game that does not fulfil the goal is left out.
    """
    if value != GOES_ON and (value < goal.least or (goal.clearing and state.shape != CLEARED)):
        return count
    if count < found.value.size:
        _write(found, count, state)
        found.value[count] = value
    return count + 1


@kernel
def _pairs_with(deal: Deal, p: int, graph: int, graph_2: int) -> tuple[int, int]:
    """The open pairs of a card of the pyramid, in both words."""
    lines = deal.low_lines[p] | deal.high_lines[p]
    lines_2 = deal.low_lines[52 + p] | deal.high_lines[52 + p]
    return lines & graph, lines_2 & graph_2


@kernel
def _end(deal: Deal, goal: Goal, found: States, count: int, state: State) -> int:
    """Append the end of the game in a state."""
    shape, left, at, cycle, steps, _, _ = state
    none = int64(0)
    value = int64(value_of(deal, goal, shape, left))
    return _add(goal, found, count, State(shape, left, at, cycle, steps, none, none), value)


@kernel
def _end_here(deal: Deal, goal: Goal, found: States, count: int, state: State) -> int:
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
            if pairs_of(deal, p, pairs, pairs_2) == 0:
                continue
            gone = int64(1) << partner
        rest = left & ~gone
        end = State(int64(CLEARED), rest, stock_top(rest, at), cycle, steps + 1, graph, graph_2)
        count = _end(deal, goal, found, count, end)
    return count


@kernel
def _draw_on(deal: Deal, goal: Goal, found: States, count: int, state: State) -> int:
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
            near = pairs_of(deal, top, wanted, wanted_2)
            if under >= 0 and deal.word[CARDS + under] == deal.word[top]:
                near |= deal.line[top] & pairs_of(deal, CARDS + under, graph, graph_2)
            if near:
                choice = State(shape, left, at, cycle, steps, graph, graph_2)
                if gained and goal.kind != CLEAR:
                    count = _end(deal, goal, found, count, choice)
                return _add(goal, found, count, choice, GOES_ON)


@kernel
def _without(deal: Deal, p: int, shape: int, left: int) -> tuple[int, int]:
    """The shape, and the cards left in stock and waste, once a card was removed."""
    if p < CARDS:
        return int64(deal.shapes.without[CARDS * shape + p]), left
    return shape, left & ~(int64(1) << (p - CARDS))


@kernel
def expand(deal: Deal, goal: Goal, stack: States, found: States, start: State) -> int:
    """List the successors of a state.

    Args:
        stack: scratch of size ``DEPTH``: states at a choice, whose playable pairs are not all
            decided.
        found: receives the successors.

    Returns:
        The number of successors; those that do not fit into ``found`` are missing.
    """
    count = 0
    _write(stack, 0, start)
    size = 1
    while size > 0:
        size -= 1
        state = state_at(stack, size)
        opens = deal.shapes.open[state.shape]
        if state.shape == TIP and goal.kind != CLEAR:
            opens = int64(0)
        cards = playable(opens, state.at, waste_top(state.left, state.at))
        pairs, pairs_2 = edges_between(deal, cards)
        pairs &= state.graph
        pairs_2 &= state.graph_2
        if state.shape == CLEARED or pairs | pairs_2 == 0:
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
                stack.graph[size] = state.graph & ~(int64(1) << edge)
            else:
                stack.graph_2[size] = state.graph_2 & ~(int64(1) << (edge - SECOND))
            size += 1
        shape, left = _without(deal, low, state.shape, state.left)
        if low != high:
            shape, left = _without(deal, high, shape, left)
        gone = deal.line[low] | deal.line[high]
        graph = state.graph & ~gone if edge < SECOND else state.graph
        graph_2 = state.graph_2 if edge < SECOND else state.graph_2 & ~gone
        top = stock_top(left, state.at)
        after = State(shape, left, top, state.cycle, state.steps + 1, graph, graph_2)
        _write(stack, size, after)
        size += 1
    return count
