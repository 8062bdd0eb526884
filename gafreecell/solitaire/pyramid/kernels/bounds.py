"""Lower bounds on the steps still needed, and upper bounds on what can still be gained.

All of them count pairs in the graphs of open pairs (see ``kernels.states``), which only shrink
along a path. So the bounds are consistent: no step lowers one by more than one.
"""

from __future__ import annotations

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.bits import count_bits, highest_bit
from gafreecell.solitaire.pyramid.goals import CLEAR, OF_RANK, SCORE, Goal
from gafreecell.solitaire.pyramid.kernels.states import (
    KING_EDGES,
    Deal,
    State,
    lowest,
    of_pyramid,
    of_stock,
    pairs_of,
    without_card,
)
from gafreecell.solitaire.pyramid.shapes import CARDS, CLEARED, REMOVAL_POINTS, ROW_POINTS, ROWS

DEAD = -1
LEVEL = 7
"""Bits of a bound that hold steps; the higher bits hold the units missing from the largest gain."""
ROW_UNITS = tuple(points // REMOVAL_POINTS for points in reversed(ROW_POINTS))
"""The points for clearing each row, in units of a removal's points, the tip's row first."""
_NIBBLE = 15
_KINGS = _NIBBLE << 48


@kernel
def count(some: int) -> int:
    """The number of bits set in a word that is not negative."""
    return count_bits(uint64(some))


@kernel
def rows_of(some: int) -> int:
    """The edges of some low cards of a group: bit i becomes bits 4 i to 4 i + 3."""
    return ((some & 1) | ((some & 2) << 3) | ((some & 4) << 6) | ((some & 8) << 9)) * _NIBBLE


@kernel
def _edges_of(group: int, graph: int, graph_2: int) -> int:
    """The open pairs of a group in 16 bits."""
    return ((graph >> (16 * group)) if group < 3 else (graph_2 >> (16 * group - 48))) & 0xFFFF


@kernel
def steps_to_remove(
    deal: Deal, cards: int, needed: int, left: int, at: int, graph: int, graph_2: int
) -> int:
    """A lower bound on the steps until a set of pyramid cards is gone.

    Removals: in each group, as many of these cards as possible are paired with each other, along
    open pairs. Each of the others is paired with a card outside the set, which takes a removal of
    its own. No fewer removals suffice. Draws: if the waste and the rest of the pyramid have too few
    cards of the right rank for these others, the stock must be drawn up to the last one needed.
    Each card on the way costs a draw unless it is removed, and each card removed beyond the least
    number costs half a removal.

    Args:
        cards: the pyramid's cards left, as positions.
        needed: those of them that must go.
        left, at: as in a state.
        graph, graph_2: the state's open pairs.

    Returns:
        The bound, or ``DEAD`` if the open pairs of some group cannot remove all needed cards.
    """
    matched = deal.shapes.matched
    wanted = of_pyramid(deal, needed)
    steps = count(wanted & _KINGS)
    if wanted & _KINGS and count((graph >> KING_EDGES) & (wanted >> 48)) < steps:
        return DEAD
    ahead = (left >> at) << at
    spare = of_pyramid(deal, cards & ~needed)
    last = int64(0)
    lows = int64(0)
    highs = int64(0)
    paired = int64(0)
    for group in range(6):
        low = (wanted >> (4 * group)) & _NIBBLE
        high = (wanted >> (44 - 4 * group)) & _NIBBLE
        if low | high == 0:
            continue
        edges = _edges_of(group, graph, graph_2)
        low_edges = edges & rows_of(low)
        high_edges = edges & (high * 0x1111)
        low_count, high_count = count(low), count(high)
        if matched[low_edges] < low_count or matched[high_edges] < high_count:
            return DEAD
        pairs = int64(matched[low_edges & high_edges])
        steps += low_count + high_count - pairs
        for side in range(2):
            more = (high_count if side == 0 else low_count) - pairs
            if more > 0:
                rank = int64(group + 1 if side == 0 else 12 - group)
                stock = deal.of_rank[rank] & left
                more -= count(stock & ~ahead) + count((spare >> (4 * (rank - 1))) & _NIBBLE)
                stock &= ahead
                if more > 0:
                    while more > 1:
                        stock &= stock - 1
                        more -= 1
                    last = max(last, stock & -stock)
        lows |= low_count << (4 * group)
        highs |= high_count << (4 * group)
        paired |= pairs << (4 * group)
    between = ahead & (last - 1) if last else int64(0)
    draws = count(between)
    if draws > 0:
        on_the_way = of_stock(deal, between)
        for group in range(6):
            low = count((on_the_way >> (4 * group)) & _NIBBLE)
            high = count((on_the_way >> (44 - 4 * group)) & _NIBBLE)
            pairs = (paired >> (4 * group)) & _NIBBLE
            need_high = ((lows >> (4 * group)) & _NIBBLE) - pairs
            need_low = ((highs >> (4 * group)) & _NIBBLE) - pairs
            draws -= min(low, need_low) + min(high, need_high)
            draws -= max(0, min(pairs, low - need_low, high - need_high))
        steps += max(0, draws)
    return steps


@kernel
def value_of(deal: Deal, goal: Goal, shape: int, left: int) -> int:
    """The gain so far, in units: 5 points, or cards of the rank."""
    if goal.kind == SCORE:
        kings = count(deal.shapes.cards[shape] & deal.kings[0])
        kings += count((left << CARDS) & deal.kings[0])
        others = count(deal.shapes.cards[shape]) + count(left) - kings
        return (48 - others) // 2 + 4 - kings + deal.shapes.paid[shape]
    if goal.kind == OF_RANK:
        rank = goal.rank
        by_rank = of_pyramid(deal, deal.shapes.cards[shape])
        in_pyramid = count((by_rank >> (4 * (rank - 1))) & _NIBBLE)
        return 4 - in_pyramid - count(deal.of_rank[rank] & left)
    return int64(0)


@kernel
def _edges_of_ranks(some: int) -> tuple[int, int]:
    """All edges of a set of cards given by rank, open or not, in both words."""
    edges, edges_2 = int64(0), int64(0)
    for group in range(3):
        low, high = (some >> (4 * group)) & _NIBBLE, (some >> (44 - 4 * group)) & _NIBBLE
        edges |= (rows_of(low) | (high * 0x1111)) << (16 * group)
        low, high = (some >> (12 + 4 * group)) & _NIBBLE, (some >> (32 - 4 * group)) & _NIBBLE
        edges_2 |= (rows_of(low) | (high * 0x1111)) << (16 * group)
    return edges, edges_2


@kernel
def is_stuck(deal: Deal, cards: int, left: int, graph: int, graph_2: int) -> bool:
    """Whether the pyramid cannot be cleared even in a relaxation in which no card is used up.

    In the relaxation, a card with an open pair in stock or waste goes as soon as it is uncovered.
    Any other card needs a partner in the pyramid, and both must be uncovered. So cards that wait
    for one another in a cycle never go.
    """
    edges, edges_2 = _edges_of_ranks(of_stock(deal, left))
    edges = (edges & graph) | (graph >> KING_EDGES << KING_EDGES)
    edges_2 &= graph_2
    waiting = int64(0)
    rest = cards
    while rest:
        p = lowest(rest)
        if pairs_of(deal, p, edges, edges_2) == 0:
            waiting |= rest & -rest
        rest &= rest - 1
    changed = True
    while waiting and changed:
        changed = False
        free = int64(0)
        rest = cards
        while rest:
            p = lowest(rest)
            if deal.shapes.upon[p] & waiting == 0:
                free |= rest & -rest
            rest &= rest - 1
        rest = waiting & free
        while rest:
            p = lowest(rest)
            partners = of_pyramid(deal, free & ~(rest & -rest))
            edges, edges_2 = _edges_of_ranks(partners)
            if pairs_of(deal, p, edges & graph, edges_2 & graph_2):
                waiting &= ~(rest & -rest)
                changed = True
            rest &= rest - 1
    return waiting != 0


@kernel
def _without_stuck(deal: Deal, cards: int, graph: int, graph_2: int) -> tuple[int, int]:
    """The open pairs without those of cards beneath a card that can never be removed."""
    rest = cards
    while rest:
        p = lowest(rest)
        rest &= rest - 1
        if pairs_of(deal, p, graph, graph_2) == 0:
            under = deal.shapes.under[p]
            while under:
                q = lowest(under)
                under &= under - 1
                graph, graph_2 = without_card(deal, q, graph, graph_2)
    return graph, graph_2


@kernel
def _without_buried(
    deal: Deal, cards: int, left: int, at: int, graph: int, graph_2: int
) -> tuple[int, int]:
    """The open pairs in the last cycle without those of waste cards that cannot become free.

    The waste's top card is free. A card beneath it becomes free only once all cards above it are
    gone, each with a card of the pyramid or of the stock, or alone as an open king.
    """
    waste = left & ((int64(1) << at) - 1)
    others = of_pyramid(deal, cards) | of_stock(deal, left & ~waste)
    met = int64(0)
    while waste:
        p = int64(highest_bit(uint64(waste)))
        waste ^= int64(1) << p
        p += CARDS
        rank = deal.rank[p]
        open_pairs = pairs_of(deal, p, graph, graph_2)
        if rank == 13 and open_pairs:
            continue
        met += int64(1) << (4 * rank)
        if open_pairs == 0 or (met >> (4 * rank)) & _NIBBLE > count(
            (others >> (4 * (12 - rank))) & _NIBBLE
        ):
            # This card stays, and so do the cards beneath it.
            while waste:
                q = CARDS + lowest(waste)
                waste &= waste - 1
                graph, graph_2 = without_card(deal, q, graph, graph_2)
    return graph, graph_2


@kernel
def estimate(deal: Deal, goal: Goal, state: State) -> int:
    """The heuristic: a lower bound on the distance of a state from the goal.

    Returns:
        ``DEAD`` if the goal cannot be reached; else ``less << LEVEL | steps``. The gain will be at
        least ``less`` units below ``goal.top``. To reach exactly that gain takes at least ``steps``
        more steps.
    """
    shape, left, at, cycle, _, graph, graph_2 = state
    cards = deal.shapes.cards[shape]
    if cycle == 2:
        graph, graph_2 = _without_buried(deal, cards, left, at, graph, graph_2)
    if not goal.clearing:
        graph, graph_2 = _without_stuck(deal, cards, graph, graph_2)
    pay = deal.shapes.paid[CLEARED] - deal.shapes.paid[shape]
    steps = int64(0)
    if goal.clearing or goal.kind == SCORE:
        # Rows are cleared from the bottom up, the tip last: how far is that possible?
        for row in range(ROWS):
            first = row * (row + 1) // 2
            needed = cards >> first << first
            steps = int64(steps_to_remove(deal, cards, needed, left, at, graph, graph_2))
            if goal.clearing or steps != DEAD:
                break
            pay = max(0, pay - ROW_UNITS[row])
        if goal.clearing and (steps == DEAD or is_stuck(deal, cards, left, graph, graph_2)):
            return int64(DEAD)
        if goal.kind == CLEAR:
            return steps
        steps = max(steps, 0)
    kings = count((graph | of_stock(deal, left)) >> KING_EDGES)
    gain = int64(0)
    if goal.kind == SCORE:
        gain = kings
        for group in range(6):
            gain += int64(deal.shapes.matched[_edges_of(group, graph, graph_2)])
    elif goal.rank == 13:
        gain = kings
    else:
        group = min(goal.rank, 13 - goal.rank) - 1
        gain = int64(deal.shapes.matched[_edges_of(group, graph, graph_2)])
    value = value_of(deal, goal, shape, left)
    if goal.kind != SCORE:
        pay = int64(0)
    best = value + gain + pay
    if best < goal.least:
        return DEAD
    if goal.kind == SCORE and goal.least:
        # Fewer rows than those that can be cleared may suffice.
        steps = int64(0)
    steps = max(steps, gain if goal.least == 0 else goal.least - value - pay)
    return (goal.top - min(best, goal.top)) << LEVEL | steps
