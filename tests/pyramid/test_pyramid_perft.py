"""The move generators against a table of how many positions there are by depth."""

from __future__ import annotations

from collections.abc import Iterator

import pyramid_perft
import pytest
from perft import by_depth, check_table, read_counts
from pyramid_perft import DEALS, choices
from pyramid_searching import prepared, values_of

from deals import pyramid
from gafreecell.solitaire.pyramid.goals import read_goal
from gafreecell.solitaire.pyramid.kernels.states import State
from gafreecell.solitaire.pyramid.kernels.successors import (
    DEPTH,
    GOES_ON,
    expand,
    new_states,
    state_at,
)
from gafreecell.solitaire.pyramid.position import pack_board

TABLE = read_counts(pyramid_perft.TABLE)


def test_the_table_is_what_the_plain_rules_give() -> None:
    check_table(TABLE, "choices", choices, DEALS, most=1000)


@pytest.mark.parametrize("number", DEALS)
def test_the_searchs_moves(number: int) -> None:
    """By choices: ``expand`` lists the next ones."""
    deal, start = prepared(pack_board(pyramid(number)))
    goal = read_goal(values_of("clear"))
    stack, found = new_states(DEPTH), new_states(1 << 12)

    def moves(state: State) -> Iterator[State]:
        count = expand(deal, goal, stack, found, state)
        assert count <= found.value.size
        for i in range(count):
            if found.value[i] == GOES_ON:
                yield state_at(found, i)._replace(steps=0)

    counts = TABLE["choices", number]
    assert by_depth(start, moves, len(counts) - 1) == counts
