"""A* against floods for the shortest solution, its proofs, and with an incumbent."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from flood import NO_ROOM, NO_WAY, shortest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from positions import endgame, fewest_moves
from random_boards import boards
from searching import ASTRAY, BOTH, BOUNDED, QUICK, Way, a_star, beam, run, single, solve

from deals import FreeCellBoard
from deals.errors import BadInput
from gafreecell.solving.outcome import Limits, Outcome, Search, Status
from hsd import solver
from hsd.kernels.moves import AT_ONCE, MOST_MOVES

PLENTY = 3_000_000


def check_length(outcome: Outcome, length: int, unit: str = "single") -> None:
    """It is solved in so many moves, and that is proved to be shortest."""
    if unit != "single":
        assert (outcome.lengths[unit], outcome.lengths["bound"]) == (length, length)
        return
    counted = {unit: n for unit, n in outcome.lengths.items() if unit != "manual"}
    assert counted == {"single": length, "column": length, "bound": length}


@settings(max_examples=20)
@given(boards(least_home=11, cascades=4, cells=1) | boards(least_home=12))
def test_the_shortest_solutions_to_compare_with(board: FreeCellBoard) -> None:
    length = fewest_moves(board, longest=1)
    assert shortest(board) == (NO_WAY if length is None else length)


def check_runs(board: FreeCellBoard, safe: bool, length: int) -> None:
    """A* agrees with ``shortest`` about a board if a run counts one move."""
    for unit in ("column", "manual"):
        found = solve(a_star(safe=safe, unit=unit), board, PLENTY)
        if length == NO_WAY:
            assert found.status is Status.UNSOLVABLE
        else:
            home = 52 - sum(board.foundations) if unit == "manual" else 0
            check_length(found, length - home, unit)


@settings(max_examples=20)
@given(boards(least_home=11, cascades=4, cells=1) | boards(least_home=12))
def test_the_fewest_moves_of_runs_to_compare_with(board: FreeCellBoard) -> None:
    length = fewest_moves(board, at_once=True)
    assert shortest(board, longest=AT_ONCE) == (NO_WAY if length is None else length)


@settings(max_examples=30)
@given(
    boards(least_home=11) | boards(least_home=9) | boards(least_home=8, cascades=5), st.booleans()
)
def test_it_finds_the_fewest_moves_of_runs(board: FreeCellBoard, safe: bool) -> None:
    length = shortest(board, 50_000, AT_ONCE)
    assume(length != NO_ROOM)
    check_runs(board, safe, length)


def check(board: FreeCellBoard, safe: bool, length: int) -> None:
    """A* agrees with ``shortest`` about a board."""
    found = solve(a_star(safe=safe), board, PLENTY)
    if length == NO_WAY:
        assert found.status is Status.UNSOLVABLE
    else:
        check_length(found, length)


@settings(max_examples=50)
@given(
    boards(least_home=11) | boards(least_home=9) | boards(least_home=8, cascades=5), st.booleans()
)
def test_it_finds_a_shortest_solution_or_proves_that_there_is_none(
    board: FreeCellBoard, safe: bool
) -> None:
    length = shortest(board, room=50_000)
    assume(length != NO_ROOM)
    check(board, safe, length)


@pytest.mark.parametrize(
    ("home", "cascades", "cells", "seeds"),
    [
        # Random ones, and those that reveal a bound that is wrong in few states.
        (9, 4, 0, (*range(50), 201, 302, 322, 381)),
        (9, 4, 1, (*range(50), 155, 371, 463)),
        (9, 5, 0, (*range(50), 65, 80, 135, 170, 199, 412)),
        (8, 4, 1, (*range(30), 144, 189, 293, 356, 376)),
        (8, 5, 0, (*range(30), 142, 176, 229, 394)),
        (8, 4, 2, (*range(30), 247, 345, 374)),
        (7, 5, 0, (*range(10), 226, 245, 426)),
        (7, 5, 1, (44, 101, 109, 136, 172, 426, 475)),
        (7, 4, 2, (54, 109, 141, 146, 190, 230, 300, 306, 332, 466)),
    ],
)
def test_shortest_solutions_of_endgames(
    home: int, cascades: int, cells: int, seeds: tuple[int, ...]
) -> None:
    for seed in seeds:
        board = endgame(seed, cascades, cells, home)
        length = shortest(board)
        assert length != NO_ROOM
        for safe in BOTH:
            check(board, safe, length)


@pytest.mark.parametrize(
    ("home", "cascades", "cells"),
    [(9, 4, 0), (9, 5, 0), (8, 4, 1), (8, 4, 2), (8, 5, 1), (7, 5, 1)],
)
def test_fewest_moves_of_runs_in_endgames(home: int, cascades: int, cells: int) -> None:
    for seed in range(20):
        board = endgame(seed, cascades, cells, home)
        length = shortest(board, longest=AT_ONCE)
        if length != NO_ROOM:
            for safe in BOTH:
                check_runs(board, safe, length)


SHORTEST = {2: 75, 3: 73, 6: 79, 7: 76, 17: 75, 18: 76, 20: 74}
"""Lengths of some deals' shortest solutions."""


@pytest.mark.parametrize(("deal", "length"), SHORTEST.items())
def test_proved_lengths(deal: int, length: int) -> None:
    check_length(solve(a_star(), deal, PLENTY), length)


# ------------------------------------------------------------------ with a first solution


@pytest.mark.parametrize("weights", [QUICK, BOUNDED])
@pytest.mark.parametrize(("width", "wider"), [(3, 0), (200, 0), (3, 200)])
def test_a_first_solution_does_not_change_the_length(
    weights: Mapping[str, float], width: int, wider: int
) -> None:
    for deal in (3, 7, 20):
        way = a_star(weights, width=width, wider=wider)
        check_length(solve(way, deal, PLENTY), SHORTEST[deal])


@pytest.mark.parametrize("safe", BOTH)
@pytest.mark.parametrize("wider", [0, 30])
def test_at_a_limit_the_best_solution_is_left_with_what_is_proved(wider: int, safe: bool) -> None:
    lengths = []
    for deal, length in SHORTEST.items():
        parameters = {**a_star(safe=safe).parameters, "width": 10, "wider": wider}
        first = run(deal, "beam", BOUNDED, parameters)
        for more in (1, 200, 3000):
            nodes = first.nodes.generated + more
            found = solve(a_star(BOUNDED, safe, 10, wider), deal, nodes)
            assert found.status is Status.SOLVED
            assert found.nodes.generated < nodes + MOST_MOVES
            assert first.lengths["bound"] <= found.lengths["bound"] <= length
            assert length <= single(found) <= single(first)
            lengths.append(found.lengths)
        short = solve(a_star(BOUNDED, safe, 10), deal, first.nodes.generated // 3)
        assert short.status in (Status.NODE_LIMIT, Status.SOLVED)
    assert any(found["bound"] < found["single"] for found in lengths)


WAYS = st.builds(
    a_star,
    st.sampled_from([BOUNDED, QUICK, ASTRAY]),
    st.booleans(),
    st.integers(1, 4),
    st.integers(0, 4),
)


@given(boards(least_home=9), WAYS, st.sampled_from([1, 30, 200, 100_000]))
def test_endings_with_a_first_solution(board: FreeCellBoard, way: Way, nodes: int) -> None:
    length = shortest(board, room=20_000)
    assume(length != NO_ROOM)
    found = solve(way, board, nodes)
    if length == NO_WAY:
        assert found.status in (Status.UNSOLVABLE, Status.NODE_LIMIT)
    elif found.lengths is not None:
        assert found.lengths["bound"] <= length <= single(found)
    if nodes == 100_000:
        assert found.status is (Status.UNSOLVABLE if length == NO_WAY else Status.SOLVED)
        if length != NO_WAY:
            check_length(found, length)


def test_what_cannot_be_solved_is_proved_by_the_beam() -> None:
    found = solve(a_star(QUICK, width=5), 11982)
    first = solve(beam(QUICK, width=5), 11982)
    assert (found.status, found.nodes) == (Status.UNSOLVABLE, first.nodes)


def test_every_limit_leaves_the_first_solution() -> None:
    first = run(2, "beam", BOUNDED, {"width": 16})
    for limits in ({"memory": 3_000_000}, {"seconds": 2 * first.seconds + 0.2}):
        found = solve(a_star(BOUNDED, width=16), 1, 10**9, **limits)
        assert found.status is Status.SOLVED
        assert found.lengths["bound"] < single(found)


def test_a_first_solution_needs_weights() -> None:
    few = Limits(nodes=10)
    with pytest.raises(BadInput, match="a-star needs weights"):
        solver.run(1, None, Search("a-star", {"width": 1}), few)
    wider = solver.run(1, None, Search("a-star", {"wider": 3}), few)
    assert wider.status is Status.NODE_LIMIT
