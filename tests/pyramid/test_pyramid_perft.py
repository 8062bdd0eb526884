"""The move generators against a table of how many positions there are by depth."""

from __future__ import annotations

from collections.abc import Iterator

import pyramid_perft
import pytest
from perft import by_depth, read_counts
from pyramid_perft import COUNTS, DEALS, Ranks, ranks_of

from gafreecell.solitaire.pyramid.goals import PARAMETERS, read_goal
from gafreecell.solitaire.pyramid.kernels.states import (
    SECOND,
    Deal,
    edges_between,
    new_deal,
    open_pairs,
    playable,
    prepare,
    stock_top,
    waste_top,
)
from gafreecell.solitaire.pyramid.kernels.successors import (
    GOES_ON,
    expand,
    new_stack,
    new_successors,
)
from gafreecell.solitaire.pyramid.position import pack
from gafreecell.solitaire.pyramid.shapes import CARDS, CLEARED, STOCK
from gafreecell.solitaire.pyramid.steps import State

TABLE = read_counts(pyramid_perft.TABLE)


@pytest.mark.parametrize("name", COUNTS)
def test_the_table_is_what_the_plain_rules_give(name: str) -> None:
    assert {deal for count, deal in TABLE if count == name} == {*DEALS}
    for deal in DEALS:
        counts = TABLE[name, deal]
        depth = sum(sum(counts[: depth + 1]) < 1000 for depth in range(len(counts)))
        assert COUNTS[name](deal, depth - 1) == counts[:depth]


@pytest.mark.parametrize("number", DEALS)
def test_the_searchs_moves(number: int) -> None:
    """By choices: ``expand`` lists the next ones."""
    deal, start = prepared(ranks_of(number))
    goal = read_goal({parameter.name: parameter.default for parameter in PARAMETERS})
    scratch = new_stack(), new_successors(1 << 12)

    def moves(node: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        stack, found = scratch
        count = expand(deal, goal, stack, found, *node)
        assert count <= found.value.size
        columns = (found.shape, found.left, found.at, found.cycle, found.graph, found.graph_2)
        ends = found.value[:count].tolist()
        rows = zip(*(column[:count].tolist() for column in columns), strict=True)
        return (row for row, end in zip(rows, ends, strict=True) if end == GOES_ON)

    counts = TABLE["choices", number]
    node = (*start, *open_pairs(deal, start.shape, start.left, start.at))
    assert by_depth(node, moves, len(counts) - 1) == counts


@pytest.mark.parametrize("number", DEALS)
def test_steps_from_the_tables_of_the_kernels(number: int) -> None:
    """By steps: what can be played, which pairs there are, and where stock and waste go on."""
    deal, start = prepared(ranks_of(number))
    counts = TABLE["steps", number]
    assert by_depth(start, lambda state: steps(deal, state), len(counts) - 1) == counts


def prepared(ranks: Ranks) -> tuple[Deal, State]:
    """A deck as kernels see it, and the state at its start."""
    deal, start = new_deal(), pack(list(ranks))
    prepare(deal, start.ranks)
    return deal, State(start.shape, start.left, start.at, start.cycle)


def steps(deal: Deal, state: State) -> Iterator[State]:
    """The states one step on."""
    shape, left, at, cycle = state
    if shape == CLEARED:
        return
    if at < STOCK:
        yield State(shape, left, int(stock_top(left, at + 1)), cycle)
    elif left and cycle < 2:
        yield State(shape, left, int(stock_top(left, 0)), cycle + 1)
    under = int(waste_top(left, at))
    edges, edges_2 = edges_between(deal, playable(int(deal.shapes.open[shape]), at, under))
    both = int(edges) | int(edges_2) << SECOND
    pairs = [
        {int(deal.low[edge]), int(deal.high[edge])}
        for edge in range(2 * SECOND)
        if both >> edge & 1
    ]
    for cards in pairs:
        after, rest = shape, left
        for card in cards:
            if card < CARDS:
                after = int(deal.shapes.without[CARDS * after + card])
            else:
                rest &= ~(1 << (card - CARDS))
        yield State(after, rest, int(stock_top(rest, at)), cycle)
