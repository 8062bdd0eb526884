"""The move generator against tables of how many positions there are by depth."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

import freecell_perft
import numpy as np
import pytest
from engine import Engine, Key
from flood import states_by_depth
from freecell_perft import DEPTHS, MOVES, Game, count
from perft import by_depth
from plain_twin import count_by_depth
from positions import middle

from deals import FreeCellBoard, freecell
from hsd.kernels.moves import ANY

TABLE = freecell_perft.read()
LONGEST = {"cards": 1, "runs": ANY}
Node = tuple[Key, np.ndarray]
"""A hash and a packed board."""

each_count = pytest.mark.parametrize(("game", "moves"), TABLE, ids=str)


def test_the_table_has_every_count() -> None:
    assert [*TABLE] == [(game, moves) for moves in MOVES for game in DEPTHS]


@each_count
def test_the_table_is_what_the_plain_rules_give(game: Game, moves: str) -> None:
    counts = TABLE[game, moves]
    depth = sum(sum(counts[: depth + 1]) < 1000 for depth in range(len(counts)))
    assert count(game, moves, depth - 1) == counts[:depth]


@each_count
def test_the_jitted_moves(game: Game, moves: str) -> None:
    counts = TABLE[game, moves]
    assert len(counts) == DEPTHS[game] + 1
    room = sum(counts) + 1
    found = states_by_depth(game.board(), DEPTHS[game], False, LONGEST[moves], room)
    assert found == counts


@pytest.mark.parametrize("moves", MOVES)
def test_the_states_of_an_unsolvable_deal_are_as_many_as_others_count(moves: str) -> None:
    """83,239 under full symmetry; runs reach no state that their cards, one by one, do not."""
    counts = TABLE[Game(11982), moves]
    assert counts[-1] == 0 and sum(counts) == 83_239


@pytest.mark.parametrize("safe", [False, True])
@pytest.mark.parametrize(
    ("board", "depth"),
    [
        (freecell(1), 3),
        (freecell(617), 3),
        (freecell(2, cascades=4, cells=7), 3),
        (freecell(3, cascades=9, cells=0), 4),
        (freecell(11982, cells=1), 4),
        (middle(2), 4),
    ],
)
def test_positions_by_depth(board: FreeCellBoard, depth: int, safe: bool) -> None:
    """Against the plain twin: states are told apart by the hash alone, and moves are unmade."""
    engine = Engine(board)
    if safe:
        engine.play_safe_home()

    def moves(node: Node) -> Iterator[Node]:
        engine.load(node[1])
        for move in engine.moves():
            with engine.made(move, safe):
                yield engine.key(), engine.packed()

    start = engine.key(), engine.packed()
    assert by_depth(start, moves, depth, name=itemgetter(0)) == count_by_depth(board, depth, safe)
