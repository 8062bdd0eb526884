"""Proofs, by the searches that grow a tree, that a position cannot be solved."""

from __future__ import annotations

import random

import pytest
from flood import count_states
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from positions import endgame, enumerate_states, nothing_can_move, tight_endings
from searching import HSDH, QUICK
from tree_searching import (
    BOUND,
    BOUNDED,
    DRAWN,
    NONE,
    SCHEDULES,
    Way,
    a_star,
    beam,
    best_first,
    each_in_all_options,
    schedule,
    solve,
)

from deals import FreeCellBoard, freecell
from gafreecell.solving.outcome import DEPTH_IN_TURN, Status


def check_proof(way: Way, board: FreeCellBoard) -> None:
    """It is proved unsolvable, and every state is expanded; A* leaves out those in deadlock."""
    outcome = solve(way, board)
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.moves is None and outcome.lengths is None
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
)
def test_an_unsolvable_deal(way: Way) -> None:
    board = freecell(11982)
    check_proof(way, board)
    states = count_states(board, way.safe, way.longest)
    # Under full symmetry; other solvers count the same.
    assert states < 83_239 if way.safe else states == 83_239


@each_in_all_options(
    best_first(), beam(QUICK, wider=5), beam(wider=5), schedule(), schedule(rule=DEPTH_IN_TURN)
)
@pytest.mark.parametrize(
    ("deal", "cascades", "cells"),
    [(1, 4, 0), (3, 5, 0), (7, 8, 0), (2, 9, 0), (5, 4, 1), (6, 6, 1)],
)
def test_hopeless_variants(deal: int, cascades: int, cells: int, way: Way) -> None:
    check_proof(way, freecell(deal, cascades, cells))


@each_in_all_options(best_first(NONE), beam(HSDH), beam(BOUND), a_star(), schedule(NONE))
def test_nothing_can_move(way: Way) -> None:
    outcome = solve(way, nothing_can_move())
    assert outcome.status is Status.UNSOLVABLE
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (1, 1)


@each_in_all_options(best_first(NONE), beam(), a_star(), schedule())
@pytest.mark.parametrize(
    ("text", "states"),
    [
        # Each card lies on the one that must go first.
        ("Foundations: C-J D-J H-J S-J\nQC KC\nQD KD\nQH KH\nQS KS", 1),
        # A last cascade's worth of room solves it.
        ("Foundations: C-J D-J H-J S-K\nQC KC\nQD KD\nQH KH\n:", 0),
        # The jack moves to and fro between two queens.
        ("Foundations: C-T D-T H-T S-T\nJC KC QC JS\nJD KD QD\nJH KH QH\nKS QS", 0),
    ],
)
def test_tiny_boards_without_cells(text: str, states: int, way: Way) -> None:
    board = FreeCellBoard.from_text(text, 0, 4, "columns")
    outcome = solve(way, board)
    enumerated = enumerate_states(board)
    assert enumerated is not None
    reached, solvable = enumerated
    assert (outcome.status is Status.UNSOLVABLE) == (not solvable)
    if states:
        assert not solvable
        assert outcome.nodes.generated == reached == states


@settings(max_examples=200)
@given(data=st.data(), board=tight_endings())
def test_unsolvable_is_said_if_and_only_if_it_is_so(
    data: st.DataObject, board: FreeCellBoard
) -> None:
    enumerated = enumerate_states(board)
    assume(enumerated is not None)
    assert enumerated is not None
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
            *(schedule(), schedule(NONE, rule=DEPTH_IN_TURN)),
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


@each_in_all_options(best_first(), beam(), schedule())
@pytest.mark.parametrize("deal", [1, 617])
def test_the_order_of_places_does_not_matter_to_proofs(deal: int, way: Way) -> None:
    """An unsolvable position has as many states however its cascades stand."""
    board = freecell(deal, 5, 1)
    counts = set()
    for seed in range(3):
        cascades = random.Random(seed).sample(board.cascades, 5)
        turned = FreeCellBoard(tuple(cascades), cell_count=1)
        outcome = solve(way, turned)
        assert outcome.status is Status.UNSOLVABLE
        counts.add(outcome.nodes.generated)
    assert len(counts) == 1
