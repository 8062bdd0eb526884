"""Solutions of every search."""

from __future__ import annotations

import random

import pytest
from engine import Engine
from hypothesis import given
from hypothesis import strategies as st
from plain_tree import without_inversions
from positions import GOAL, one_move_from_the_goal, sort_cascades
from random_boards import boards
from searching import (
    BLIND,
    BOTH,
    BOUND,
    EVOLVED,
    HSDH,
    NONE,
    ORDERED,
    QUICK,
    SCHEDULES,
    TEXTBOOK,
    WIDTHS,
    Way,
    a_star,
    beam,
    best_first,
    depth_first,
    each,
    each_in_all_options,
    schedule,
    solve,
    staged,
)

from deals import FreeCellBoard, freecell
from gafreecell.solving.outcome import DEPTH_IN_TURN, Status


@each(
    best_first(),
    best_first(safe=False, patience=100),
    best_first(supermoves=False),
    best_first(QUICK | {"MovesMade": 0.1}, False, False),
    best_first(EVOLVED, patience=1000),
    best_first({"HSDH": 1.0, "NotPlaced": 1.0}, patience=1),
    beam(),
    beam(safe=False, width=5),
    beam(supermoves=True, width=100),
    beam(QUICK),
    beam(EVOLVED, False, True, 30),
    beam(QUICK | {"DeadlockBound": -0.2}, width=50),
    schedule(),
    schedule(QUICK | {"MovesMade": 0.1, "BreaksRun": 1.0}, safe=False),
    schedule(rule=DEPTH_IN_TURN),
    depth_first(),
    depth_first(QUICK | {"MovesMade": 0.1}, safe=False),
    staged(depth=1),
    staged(),
    staged(depth=3, safe=False),
    staged(depth=4),
    staged(HSDH),
    staged(HSDH, depth=3),
)
def test_solutions_solve(way: Way) -> None:
    generator = random.Random(f"{way.safe}{way.supermoves}{len(way.weights)}")
    solved = 0
    for _ in range(18):
        cascades, cells = generator.choice([(8, 4), (7, 4), (9, 2), (8, 3), (7, 6), (9, 5), (8, 2)])
        board = freecell(generator.randint(1, 32000), cascades, cells)
        outcome = solve(way, board, nodes=30_000)
        solved += outcome.status is Status.SOLVED
        if outcome.moves is not None:
            assert 0 < outcome.nodes.expanded <= outcome.nodes.generated < 30_000 + way.over
            assert (outcome.nodes.scored is not None) == (way.search == "schedule")
            if not way.supermoves:
                assert not any("v" in move for move in outcome.moves)
    assert solved >= 4


@each(best_first(), beam(), schedule(), staged())
def test_many_easy_deals_are_solved_and_verified(way: Way) -> None:
    outcomes = [solve(way, deal) for deal in range(1, 31)]
    assert sum(outcome.status is Status.SOLVED for outcome in outcomes) >= 28


@pytest.mark.parametrize(
    "ways",
    [
        st.builds(best_first, safe=st.booleans(), supermoves=st.booleans()),
        st.builds(beam, safe=st.booleans(), supermoves=st.booleans(), width=WIDTHS),
        st.builds(a_star, safe=st.booleans()),
        SCHEDULES,
        st.builds(depth_first, safe=st.booleans()),
        st.just(staged()),
    ],
    ids=["best-first", "beam", "a-star", "schedule", "depth-first", "staged"],
)
@given(data=st.data(), board=boards())
def test_mid_game_positions_are_solved_truly_or_not_at_all(
    ways: st.SearchStrategy[Way], data: st.DataObject, board: FreeCellBoard
) -> None:
    way = data.draw(ways)
    statuses = Status.SOLVED, way.nothing_left, Status.NODE_LIMIT
    assert solve(way, board, nodes=5000).status in statuses


# ------------------------------------------------------------------ solved at once


def lengths(way: Way, length: int) -> dict[str, int]:
    """Those of an outcome whose solution has so many moves, all of them home moves."""
    all_three = {"single": length, "column": length, "manual": 0}
    return all_three | {"bound": length} if way.bounded else all_three


@each_in_all_options(
    *(best_first(), beam(HSDH), beam(BOUND, wider=3), beam(HSDH, wider=3), a_star()),
    *(a_star(QUICK, width=5, wider=5), schedule(), schedule(rule=DEPTH_IN_TURN)),
    *(depth_first(), staged(), BLIND, ORDERED, TEXTBOOK),
)
def test_a_solved_board(way: Way) -> None:
    outcome = solve(way, GOAL)
    assert outcome.status is Status.SOLVED
    assert outcome.moves == ()
    assert outcome.lengths == lengths(way, 0)
    # Each of two beams meets the root, and so does A* after them.
    beams = bool(way.own.get("wider")) + bool(way.own.get("width"))
    met = 1 + beams if way.search == "a-star" else max(beams, 1)
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (0, met)


@each_in_all_options(best_first(), beam(HSDH), beam(BOUND), a_star(), depth_first(), staged())
@pytest.mark.parametrize("cascades", [4, 9])
def test_one_move_from_the_goal(cascades: int, way: Way) -> None:
    outcome = solve(way, one_move_from_the_goal(cascades))
    assert outcome.moves == (f"{cascades}h",)
    assert outcome.lengths == lengths(way, 1)
    makes_it = way.search == "staged" and not way.safe
    assert (outcome.nodes.expanded, outcome.nodes.generated) == ((1, 2) if makes_it else (0, 1))
    held = FreeCellBoard(((),) * cascades, (55,), (13, 13, 13, 12), 1)
    assert solve(way, held).moves == ("ah",)


@pytest.mark.parametrize("safe", BOTH)
@given(boards(), st.randoms(use_true_random=False))
def test_boards_without_inversions(
    safe: bool, board: FreeCellBoard, generator: random.Random
) -> None:
    """Home moves solve them; equal ranks lie upon each other, in no order of colours."""
    board = sort_cascades(board, generator)
    others = beam(BOUND, safe), a_star(safe=safe), depth_first(safe=safe)
    for way in (best_first(NONE, safe), beam(HSDH, safe), schedule(safe=safe), *others):
        outcome = solve(way, board, nodes=1)
        assert (outcome.nodes.expanded, outcome.nodes.generated) == (0, 1)
        assert len(outcome.moves) == 52 - sum(board.foundations)
        assert all(move.endswith("h") for move in outcome.moves)


@given(boards())
def test_what_is_solved_at_once_has_no_inversions(board: FreeCellBoard) -> None:
    """Without a bound, which may tell more."""
    at_once = without_inversions(Engine(board).twin())
    for way in (best_first(NONE, safe=False), beam(HSDH, safe=False), schedule(safe=False)):
        outcome = solve(way, board, nodes=1)
        assert outcome.status is (Status.SOLVED if at_once else Status.NODE_LIMIT)


def test_what_home_moves_alone_finish_is_solved_at_once_with_the_bound() -> None:
    """The KS lies above the QC, but no cycle keeps the QS from going home first."""
    board = FreeCellBoard.from_text("Foundations: C-J D-K H-K S-J\nQC KS\nKC QS\n")
    for way in (beam(BOUND), a_star()):
        outcome = solve(way, board, nodes=1)
        assert len(outcome.moves) == outcome.lengths["bound"] == 4
    assert solve(beam(HSDH, safe=False), board, nodes=1).status is Status.NODE_LIMIT
