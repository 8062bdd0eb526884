"""Iterative deepening and IDA* against a breadth-first search over the plain twin."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from plain_twin import count_by_depth
from positions import fewest_moves, root_of
from searching import BLIND, EVOLVED, ORDERED, TEXTBOOK, Way, each, evaluator, solve

from deals import FreeCellBoard, freecell
from deals.cards import DECK, rank_of, suit_of
from gafreecell.solving.outcome import Limits, Status
from hsd.kernels.board import empty_board, play
from hsd.kernels.features import counted, weighted
from hsd.kernels.home import play_safe_home
from hsd.kernels.moves import ANY, list_moves
from hsd.kernels.packed import load
from hsd.searches.kernels import deepening as kernels
from hsd.searches.search import Position
from hsd.solver import SOLVER


def endgame(seed: int, least_home: int, cells: int, cascades: int) -> FreeCellBoard:
    """A random position whose suits are home up to the given rank or up to two more."""
    generator = random.Random(seed)
    home = tuple(generator.randint(least_home, least_home + 2) for _ in range(4))
    left = [card for card in DECK if rank_of(card) > home[suit_of(card)]]
    generator.shuffle(left)
    return FreeCellBoard(tuple(tuple(left[i::cascades]) for i in range(cascades)), (), home, cells)


# Without a cell and with one; solutions of 6 to 22 moves.
SOLVABLE = (
    *(endgame(seed, 10, 1, 4) for seed in (0, 1, 4)),
    *(endgame(seed, 9, 0, 5) for seed in (0, 3)),
    endgame(5, 8, 1, 4),
)
STUCK = (
    *(endgame(seed, 7, 0, 4) for seed in range(4)),
    endgame(2, 8, 0, 6),
    freecell(7, cascades=8, cells=0),
)
shortest = cache(fewest_moves)
each_solvable = pytest.mark.parametrize("board", SOLVABLE, ids=range(len(SOLVABLE)))


@each(*TEXTBOOK.in_all_options())
@each_solvable
def test_textbook_ida_star_finds_the_shortest_solution(board: FreeCellBoard, way: Way) -> None:
    assert solve(way, board).lengths["column"] == shortest(board)


@each(*BLIND.in_all_options(), *ORDERED.in_all_options())
@each_solvable
def test_bounded_depth_solves(board: FreeCellBoard, way: Way) -> None:
    moves = solve(way, board).moves
    assert len(moves) >= shortest(board) if way.safe else len(moves) == shortest(board)


def test_some_endgames_need_more_than_home_moves() -> None:
    beyond = [shortest(board) - 52 + sum(board.foundations) for board in SOLVABLE]
    assert min(beyond) == 0 and max(beyond) >= 4


@each(BLIND, ORDERED, TEXTBOOK)
@pytest.mark.parametrize("board", STUCK, ids=range(len(STUCK)))
def test_dead_ends_are_exhausted(board: FreeCellBoard, way: Way) -> None:
    assert shortest(board) is None
    assert solve(way, board).status is Status.EXHAUSTED


@each(*BLIND.in_all_options(), *ORDERED.in_all_options())
def test_an_iteration_meets_every_state_within_its_bound_once(way: Way) -> None:
    def generated(board: FreeCellBoard, depth: int) -> int:
        counts = count_by_depth(board, depth, way.safe)
        return sum(sum(counts[: bound + 1]) for bound in range(1, depth + 1))

    for board, depth in ((freecell(617), 3), (freecell(3, 7, 2), 4), (freecell(7, 8, 0), 9)):
        outcome = solve(way._replace(own={"depth": depth}), board)
        assert outcome.status is Status.EXHAUSTED
        assert outcome.nodes.generated == generated(board, depth)
    for board in STUCK:
        # The last iteration is the first whose bound lies beyond the farthest state.
        counts = count_by_depth(board, 60, way.safe)
        farthest = max(depth for depth, count in enumerate(counts) if count)
        assert solve(way, board).nodes.generated == generated(board, farthest + 1)


@pytest.mark.parametrize("automatic", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_children_come_in_the_order_of_their_scores(seed: int, automatic: bool) -> None:
    root = root_of(endgame(seed, 2, 3, 7), automatic)
    weights = SOLVER.weight_vector(evaluator(EVOLVED))
    board, work = empty_board(), kernels.new_work()
    kernels.begin(board, work, root, False)
    forced = play_safe_home(board, work.trail, 0) if automatic else 0
    work.next[0], work.suit[0], work.forced[0] = 0, 0, forced
    work.end[0] = list_moves(board, work.moves, 0, ANY)
    listed = work.moves[: work.end[0]].tolist()
    kernels._order_children(board, work, 0, root, False, weights, None)

    def value(move: int) -> float:
        load(board, root.packed, 0, root.cascades, root.cells)
        for step in (None, move):
            if step is not None:
                play(board, step)
            if automatic:
                play_safe_home(board, np.zeros(128, np.int64), 0)
        return float(weighted(counted(board), weights))

    assert work.moves[: work.end[0]].tolist() == sorted(listed, key=value)


@each(BLIND, ORDERED, TEXTBOOK)
def test_growing_the_table_does_not_change_the_outcome(way: Way) -> None:
    values = {"depth": 200, **way.parameters}
    for board in SOLVABLE[3:5]:
        position = Position(root_of(board).packed, len(board.cascades), board.cell_count)
        found = []
        for places in (1 << 15, 1 << 2):
            instance = SOLVER.searches[way.search]()
            instance._work = instance._work._replace(
                table=np.zeros(places, np.uint64), costs=np.zeros(places, np.uint8)
            )
            weights = SOLVER.weight_vector(evaluator(EVOLVED))
            found.append(instance.run(position, weights, values, Limits()))
        assert found[0].nodes == found[1].nodes
        assert found[0].moves.tolist() == found[1].moves.tolist()
