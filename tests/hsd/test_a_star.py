"""A* against a plain search for the shortest solution, and its word on what cannot be solved."""

from __future__ import annotations

import heapq

import pytest
from hypothesis import given, settings
from plain_twin import Twin
from random_boards import boards

from deals import FreeCellBoard, freecell
from hsd.game import FreeCell
from hsd.solver import run
from solving.outcome import Limits, Outcome, Search, Status

GAME = FreeCell()
PLENTY = Limits(nodes=3_000_000)


def solve(board: FreeCellBoard | int, automatic: str = "safe", limits: Limits = PLENTY) -> Outcome:
    return run(board, None, Search("a-star", {"automatic": automatic}), limits)


def shortest(board: FreeCellBoard) -> int | None:
    """Moves of single cards of a shortest solution, by Dijkstra's algorithm; None if none is."""
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
    return None


@settings(max_examples=40)
@given(boards(least_home=11))
def test_it_finds_a_shortest_solution_or_proves_that_there_is_none(board: FreeCellBoard) -> None:
    length = shortest(board)
    for automatic in ("safe", "none"):
        found = solve(board, automatic)
        if length is None:
            assert found.status is Status.UNSOLVABLE
            continue
        assert found.moves is not None
        assert found.lengths is not None
        assert GAME.verify(board, found.moves) == ""
        assert found.lengths["single"] == found.lengths["column"] == length
        assert found.lengths["bound"] == length


@pytest.mark.parametrize(
    ("deal", "length"), [(2, 75), (3, 73), (6, 79), (7, 76), (17, 75), (18, 76), (20, 74)]
)
def test_proved_lengths(deal: int, length: int) -> None:
    found = solve(deal)
    assert found.lengths == {"single": length, "column": length, "bound": length}
    assert found.moves is not None
    assert GAME.verify(freecell(deal), found.moves) == ""


def test_deal_11982_is_proved_unsolvable() -> None:
    found = solve(11982)
    assert found.status is Status.UNSOLVABLE
    assert found.moves is None
    assert found.lengths is None


def test_limits_are_kept_and_said() -> None:
    short = solve(1, limits=Limits(nodes=5000))
    assert short.status is Status.NODE_LIMIT
    assert 5000 <= short.nodes.generated < 5000 + 256
    assert solve(1, limits=Limits(memory=2_000_000)).status is Status.MEMORY_LIMIT


def test_what_an_earlier_deal_left_behind_does_not_matter() -> None:
    fresh = solve(3)
    solve(8)
    solve(1, limits=Limits(nodes=50_000))
    again = solve(3)
    assert (again.moves, again.nodes) == (fresh.moves, fresh.nodes)
