"""A* against floods for the shortest solution, its proofs, and with an incumbent."""

from __future__ import annotations

import heapq
from collections.abc import Mapping

import pytest
from flood import NO_ROOM, NO_WAY, shortest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_twin import Twin
from positions import GOAL, endgame
from random_boards import boards
from searching import ASTRAY, QUICK, check_solution, evaluator, run

from deals import FreeCellBoard, freecell
from deals.errors import BadInput
from gafreecell.solving.outcome import Limits, Outcome, Search, Status
from hsd import solver
from hsd.kernels.moves import MOST_MOVES

PLENTY = 3_000_000
BOUNDED = {"DeadlockBound": 1.0, "NotPlaced": 0.4, "AboveNext": 0.3}


def solve(
    deal: FreeCellBoard | int,
    automatic: str = "safe",
    nodes: int = PLENTY,
    weights: Mapping[str, float] | None = None,
    width: int = 0,
    wider: int = 0,
    **more: float,
) -> Outcome:
    search = Search("a-star", {"automatic": automatic, "width": width, "wider": wider})
    limits = Limits(nodes=nodes, **more)  # type: ignore[arg-type]
    outcome = solver.run(deal, evaluator(weights) if weights else None, search, limits)
    board = freecell(deal) if isinstance(deal, int) else deal
    check_solution(board, outcome, bounded=True)
    return outcome


def check_length(outcome: Outcome, length: int) -> None:
    """It is solved in so many moves, and that is proved to be shortest."""
    assert outcome.lengths is not None
    counted = {unit: n for unit, n in outcome.lengths.items() if unit != "manual"}
    assert counted == {"single": length, "column": length, "bound": length}


def shortest_plainly(board: FreeCellBoard) -> int:
    """As ``shortest``, on the plain twin with Dijkstra's algorithm."""
    start = Twin.from_board(board)
    best = {start.key(): 0}
    queue = [(0, 0, start)]
    count = 0
    while queue:
        length, _, position = heapq.heappop(queue)
        if length > best[position.key()]:
            continue
        if sum(position.foundations) == 52:
            return length
        for move in position.moves():
            if move[2] > 1:
                continue
            after = position.copy()
            after.play(move)
            key = after.key()
            if length + 1 < best.get(key, 10**9):
                best[key] = length + 1
                count += 1
                heapq.heappush(queue, (length + 1, count, after))
    return NO_WAY


@settings(max_examples=20)
@given(boards(least_home=11, cascades=4, cells=1) | boards(least_home=12))
def test_the_shortest_solutions_to_compare_with(board: FreeCellBoard) -> None:
    assert shortest(board) == shortest_plainly(board)


def check(board: FreeCellBoard, automatic: str, length: int) -> None:
    """A* agrees with ``shortest`` about a board."""
    found = solve(board, automatic)
    if length == NO_WAY:
        assert found.status is Status.UNSOLVABLE
    else:
        check_length(found, length)


@settings(max_examples=100)
@given(
    boards(least_home=11) | boards(least_home=9) | boards(least_home=8, cascades=5),
    st.sampled_from(["safe", "none"]),
)
def test_it_finds_a_shortest_solution_or_proves_that_there_is_none(
    board: FreeCellBoard, automatic: str
) -> None:
    length = shortest(board, room=50_000)
    assume(length != NO_ROOM)
    check(board, automatic, length)


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
        for automatic in ("safe", "none"):
            check(board, automatic, length)


SHORTEST = {2: 75, 3: 73, 6: 79, 7: 76, 17: 75, 18: 76, 20: 74}
"""Lengths of some deals' shortest solutions."""


@pytest.mark.parametrize(("deal", "length"), SHORTEST.items())
def test_proved_lengths(deal: int, length: int) -> None:
    check_length(solve(deal), length)


# ------------------------------------------------------------------ with a first solution


@pytest.mark.parametrize("weights", [QUICK, BOUNDED])
@pytest.mark.parametrize(("width", "wider"), [(3, 0), (200, 0), (3, 200)])
def test_a_first_solution_does_not_change_the_length(
    weights: Mapping[str, float], width: int, wider: int
) -> None:
    for deal in (3, 7, 20):
        check_length(solve(deal, "safe", PLENTY, weights, width, wider), SHORTEST[deal])


@pytest.mark.parametrize("automatic", ["safe", "none"])
@pytest.mark.parametrize("wider", [0, 30])
def test_at_a_limit_the_best_solution_is_left_with_what_is_proved(
    wider: int, automatic: str
) -> None:
    lengths = []
    for deal, length in SHORTEST.items():
        first = run(deal, "beam", BOUNDED, {"automatic": automatic, "width": 10, "wider": wider})
        for more in (1, 200, 3000):
            nodes = first.nodes.generated + more
            found = solve(deal, automatic, nodes, BOUNDED, 10, wider)
            assert found.status is Status.SOLVED
            assert found.lengths is not None and first.lengths is not None
            assert found.nodes.generated < nodes + MOST_MOVES
            assert first.lengths["bound"] <= found.lengths["bound"] <= length
            assert length <= found.lengths["single"] <= first.lengths["single"]
            lengths.append(found.lengths)
        short = solve(deal, automatic, first.nodes.generated // 3, BOUNDED, 10, 0)
        assert short.status in (Status.NODE_LIMIT, Status.SOLVED)
    assert any(found["bound"] < found["single"] for found in lengths)


@given(
    boards(least_home=9),
    st.sampled_from(["safe", "none"]),
    st.sampled_from([BOUNDED, QUICK, ASTRAY]),
    st.integers(1, 4),
    st.integers(0, 4),
    st.sampled_from([1, 30, 200, 100_000]),
)
def test_endings_with_a_first_solution(
    board: FreeCellBoard,
    automatic: str,
    weights: dict[str, float],
    width: int,
    wider: int,
    nodes: int,
) -> None:
    length = shortest(board, room=20_000)
    assume(length != NO_ROOM)
    found = solve(board, automatic, nodes, weights, width, wider)
    if length == NO_WAY:
        assert found.status in (Status.UNSOLVABLE, Status.NODE_LIMIT)
    elif found.lengths is not None:
        assert found.lengths["bound"] <= length <= found.lengths["single"]
    if nodes == 100_000:
        assert found.status is (Status.UNSOLVABLE if length == NO_WAY else Status.SOLVED)
        if length != NO_WAY:
            check_length(found, length)


def test_what_cannot_be_solved_is_proved_by_the_beam() -> None:
    found = solve(11982, weights=QUICK, width=5)
    beam = run(11982, "beam", QUICK, {"width": 5})
    assert (found.status, found.nodes) == (Status.UNSOLVABLE, beam.nodes)


def test_nothing_to_do_with_a_first_solution() -> None:
    check_length(solve(GOAL, weights=QUICK, width=5, wider=5), 0)


def test_every_limit_leaves_the_first_solution() -> None:
    first = run(2, "beam", BOUNDED, {"width": 16})
    for limits in ({"memory": 3_000_000}, {"seconds": 2 * first.seconds + 0.2}):
        found = solve(1, weights=BOUNDED, width=16, nodes=10**9, **limits)
        assert found.status is Status.SOLVED
        assert found.lengths is not None
        assert found.lengths["bound"] < found.lengths["single"]


def test_a_first_solution_needs_weights() -> None:
    with pytest.raises(BadInput, match="a-star needs weights"):
        solve(1, width=1)
    assert solve(1, nodes=10, wider=3).status is Status.NODE_LIMIT
