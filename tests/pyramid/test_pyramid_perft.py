"""The move generators against a table of how many positions there are by depth."""

from __future__ import annotations

from collections.abc import Iterator

import pyramid_perft
import pytest
from perft import by_depth, check_table, read_counts
from pyramid_perft import DEALS, choices

from deals import pyramid
from gafreecell.solitaire.pyramid.goals import PARAMETERS, read_goal
from gafreecell.solitaire.pyramid.kernels.states import new_deal, open_pairs, prepare
from gafreecell.solitaire.pyramid.kernels.successors import (
    GOES_ON,
    expand,
    new_stack,
    new_successors,
)
from gafreecell.solitaire.pyramid.position import pack_deck

TABLE = read_counts(pyramid_perft.TABLE)


def test_the_table_is_what_the_plain_rules_give() -> None:
    check_table(TABLE, "choices", choices, DEALS, most=1000)


@pytest.mark.parametrize("number", DEALS)
def test_the_searchs_moves(number: int) -> None:
    """By choices: ``expand`` lists the next ones."""
    deal, start = new_deal(), pack_deck(pyramid(number))
    prepare(deal, start.ranks)
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
    _, *state = start
    node = (*state, *open_pairs(deal, *state[:3]))
    assert by_depth(node, moves, len(counts) - 1) == counts
