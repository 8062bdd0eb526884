"""Proofs that a position cannot be solved, and searches that end without one."""

from __future__ import annotations

import pytest
from flood import count_states
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from positions import endgame, enumerate_states, nothing_can_move, tight_endings
from searching import (
    BOUND,
    BOUNDED,
    DRAWN,
    EVOLVED,
    HSDH,
    NONE,
    QUICK,
    SCHEDULES,
    TEXTBOOK,
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


def check_proof(way: Way, board: FreeCellBoard) -> None:
    """It is proved unsolvable, and every state is expanded; A* leaves out those in deadlock."""
    outcome = solve(way, board)
    assert outcome.status is Status.UNSOLVABLE
    states = count_states(board, way.safe, way.longest)
    if way.search == "a-star":
        assert outcome.nodes.generated <= states
        return
    assert outcome.nodes.expanded == outcome.nodes.generated == states


@each_in_all_options(
    best_first(),
    best_first(NONE),
    best_first({"MovesMade": 1.0, "HSDH": -1.0}),
    best_first(patience=1),
    best_first(HSDH, patience=5000),
    beam(QUICK),
    beam(NONE, width=1),
    beam(width=4),
    beam(BOUND, width=10**6),
    a_star(),
    a_star(QUICK, width=5),
    schedule(),
    schedule(NONE, rule=DEPTH_IN_TURN),
    schedule({"MovesMade": 1.0, "AboveNext": -1.0}),
    depth_first(),
    depth_first({"MovesMade": 1.0, "HSDH": -1.0}),
)
def test_an_unsolvable_deal(way: Way) -> None:
    board = freecell(11982)
    check_proof(way, board)
    states = count_states(board, way.safe, way.longest)
    # Under full symmetry; other solvers count the same.
    assert states < 83_239 if way.safe else states == 83_239


@each_in_all_options(
    *(best_first(), beam(QUICK, wider=5), beam(wider=5), depth_first()),
    *(schedule(), schedule(rule=DEPTH_IN_TURN)),
)
@pytest.mark.parametrize(
    ("deal", "cascades", "cells"),
    [(1, 4, 0), (3, 5, 0), (7, 8, 0), (2, 9, 0), (5, 4, 1), (6, 6, 1)],
)
def test_hopeless_variants(deal: int, cascades: int, cells: int, way: Way) -> None:
    check_proof(way, freecell(deal, cascades, cells))


@each_in_all_options(
    best_first(NONE), beam(HSDH), beam(BOUND), a_star(), schedule(NONE), depth_first(), staged()
)
def test_nothing_can_move(way: Way) -> None:
    outcome = solve(way, nothing_can_move())
    assert outcome.status is way.nothing_left
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (1, 1)


@settings(max_examples=70)
@given(data=st.data(), board=tight_endings())
def test_unsolvable_is_said_if_and_only_if_it_is_so(
    data: st.DataObject, board: FreeCellBoard
) -> None:
    enumerated = enumerate_states(board)
    assume(enumerated is not None)
    states, solvable = enumerated
    for drawn in (*map(data.draw, [*DRAWN.values(), SCHEDULES]), a_star()):
        for way in drawn.in_all_options():
            outcome = solve(way, board)
            assert outcome.status is (Status.SOLVED if solvable else Status.UNSOLVABLE)
            if not solvable and not way.safe and way.search != "a-star":
                assert outcome.nodes.generated == states


def test_both_kinds_of_tight_endgames_are_told_apart() -> None:
    """The same with endgames dealt out, of which enough are of either kind."""
    kinds = []
    for seed in range(60):
        board = endgame(seed, 4 + seed % 3, seed % 2, home=8 + seed % 3)
        width = 1 + seed % 4
        tried = (
            *(best_first(NONE), beam(HSDH, width=width), beam(BOUNDED, width=width), a_star()),
            *(schedule(), schedule(NONE, rule=DEPTH_IN_TURN), depth_first()),
        )
        ways = [way for one in tried for way in one.in_all_options()]
        statuses = {solve(way, board).status for way in ways}
        assert len(statuses) == 1
        kinds.append(statuses.pop())
        if kinds[-1] is Status.UNSOLVABLE:
            for way in (best_first(safe=False), beam(BOUND, safe=False), schedule(safe=False)):
                check_proof(way, board)
    assert set(kinds) == {Status.SOLVED, Status.UNSOLVABLE}
    assert min(kinds.count(kind) for kind in set(kinds)) >= 10


# ------------------------------------------------------------------ without a proof


@each(
    *(staged(EVOLVED, depth, depth != 3) for depth in (1, 2, 3, 4)),
    *(staged(HSDH, depth) for depth in (2, 3)),
    staged(EVOLVED, 2, False),
)
def test_staged_deepening_proves_nothing(way: Way) -> None:
    outcome = solve(way, 11982)
    # The open list loses states, so an empty one proves nothing.
    assert outcome.status in (Status.EXHAUSTED, Status.NODE_LIMIT)
    # Nothing was wiped.
    assert outcome.nodes.generated <= 83_239


def test_states_that_were_wiped_are_counted_again() -> None:
    outcome = solve(staged(EVOLVED, 2, False, table=3000), 11982)
    assert (outcome.status, outcome.nodes.generated) == (Status.NODE_LIMIT, 200_000)


def test_the_deepest_stage() -> None:
    outcome = solve(staged(depth=16), 1, nodes=3000)
    assert outcome.nodes.generated <= 3000
    assert outcome.nodes.expanded >= 16


def test_no_bound_on_f_below_the_cards_left() -> None:
    outcome = solve(TEXTBOOK._replace(own={"bound": "f", "depth": 51}), 617)
    assert (outcome.status, outcome.nodes.generated) == (Status.EXHAUSTED, 0)
