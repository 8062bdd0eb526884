"""The move generator against tables of how many positions there are by depth."""

from __future__ import annotations

import freecell_perft
import pytest
from flood import states_by_depth
from freecell_perft import DEPTHS, MOVES, Game, count

from hsd.kernels.moves import ANY

TABLE = freecell_perft.read()
LONGEST = {"cards": 1, "runs": ANY}

each_count = pytest.mark.parametrize(("game", "moves"), TABLE, ids=str)


def test_the_table_has_every_count() -> None:
    assert [*TABLE] == [(game, moves) for moves in MOVES for game in DEPTHS]


@each_count
def test_the_table_is_what_the_plain_rules_give(game: Game, moves: str) -> None:
    counts = TABLE[game, moves]
    depth = sum(sum(counts[: depth + 1]) < 250 for depth in range(len(counts)))
    assert count(game, moves, depth - 1) == counts[:depth]


@each_count
def test_the_jitted_moves(game: Game, moves: str) -> None:
    counts = TABLE[game, moves]
    assert len(counts) == DEPTHS[game] + 1
    depth = sum(sum(counts[: depth + 1]) < 30_000 for depth in range(len(counts))) - 1
    assert states_by_depth(game.board(), depth, False, LONGEST[moves]) == counts[: depth + 1]


@pytest.mark.parametrize("moves", MOVES)
def test_the_states_of_an_unsolvable_deal_are_as_many_as_others_count(moves: str) -> None:
    """83,239 under full symmetry; runs reach no state that their cards, one by one, do not."""
    counts = TABLE[Game(11982), moves]
    assert counts[-1] == 0 and sum(counts) == 83_239
