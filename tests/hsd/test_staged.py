"""Staged deepening: against a plain reference, and its limits."""

from __future__ import annotations

import random
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_staged import PlainStaged
from positions import GOAL, endgame, endings, nothing_can_move, one_move_from_the_goal
from random_boards import boards
from searching import (
    ASTRAY,
    EVOLVED,
    HSDH,
    as_plain,
    check_solution,
    found,
    in_order,
    run,
)

from deals import FreeCellBoard, freecell
from deals.errors import BadInput
from gafreecell.solving.outcome import LARGEST, Evaluator, Limits, Outcome, Search, Status
from hsd import solver
from hsd.notation import lengths, token
from hsd.verifier import verify


def solve(
    deal: FreeCellBoard | int,
    weights: Mapping[str, float] = EVOLVED,
    depth: int = 2,
    safe: bool = True,
    table: int = 0,
    nodes: int = 100_000,
    **more: float,
) -> Outcome:
    parameters = {"depth": depth, "automatic": "safe" if safe else "none", "table": table}
    return run(deal, "staged", weights, parameters, nodes, **more)


# ------------------------------------------------------------------ the plain reference


def compare(
    board: FreeCellBoard, weights: dict[str, float], depth: int, safe: bool, wipe: int, limit: int
) -> PlainStaged:
    """Run both searches and compare them; returns the plain one."""
    plain = PlainStaged(weights, depth, safe, wipe, limit)
    expected = plain.run(board)
    outcome = solve(board, weights, depth, safe, wipe, limit)
    assert as_plain(outcome) == in_order(expected)
    check_solution(board, outcome)
    return plain


# Features whose sums are the same to the last bit in both, so that equal scores are equal.
TIED = st.sampled_from(
    [
        HSDH,
        {},  # Every score is 0: the open list holds one state.
        {"HSDH": 1.0, "NumCardsNotAtFoundations": 0.5},
        {"NumCardsNotAtFoundations": 1.0},
        {"NumberWellPlaced": 0.25, "FreeCells": 0.125},
        {"HSDH": -1.0, "FreeCells": 0.5},  # Negative scores.
        {"LowestHomeCard": -3.0, "HSDH": 1e-9},
        {"HSDH": 3e9, "FreeCells": -1e12},
    ]
)


@settings(max_examples=100)
@given(
    endings(),
    TIED,
    st.integers(1, 4),
    st.booleans(),
    st.sampled_from([0, 1, 30, 200]),
    st.sampled_from([1, 2, 50, 300]),
)
def test_endings_against_the_plain_search(
    board: FreeCellBoard, weights: dict[str, float], depth: int, safe: bool, wipe: int, limit: int
) -> None:
    compare(board, weights, depth, safe, wipe, limit)


@pytest.mark.parametrize(
    ("deal", "depth", "safe", "wipe", "limit"),
    [
        (1, 1, True, 0, 400),
        (617, 2, True, 0, 400),
        (11982, 3, True, 0, 400),
        (5, 7, False, 0, 400),
        (164, 4, True, 100, 400),
        (7, 1, False, 50, 400),
    ],
)
def test_deals_against_the_plain_search(
    deal: int, depth: int, safe: bool, wipe: int, limit: int
) -> None:
    compare(freecell(deal), HSDH, depth, safe, wipe, limit)


@pytest.mark.parametrize(
    ("cascades", "cells", "depth", "safe", "wipe"),
    [
        (5, 2, 1, True, 0),
        (5, 2, 2, False, 0),
        (4, 3, 2, True, 60),
        (4, 1, 3, False, 0),
        (6, 1, 1, False, 40),
        (7, 0, 2, True, 0),
    ],
)
def test_endgames_against_the_plain_search(
    cascades: int, cells: int, depth: int, safe: bool, wipe: int
) -> None:
    plain = [
        compare(endgame(seed, cascades, cells), HSDH, depth, safe, wipe, 600) for seed in range(6)
    ]
    # There were equal scores, so this tests them.
    assert sum(search.replaced for search in plain) > 10


# ------------------------------------------------------------------ solutions

SETS: list[tuple[Mapping[str, float], int, bool]] = [
    (EVOLVED, 1, True),
    (EVOLVED, 2, True),
    (EVOLVED, 3, False),
    (EVOLVED, 4, True),
    (HSDH, 2, True),
    (HSDH, 3, True),
]


@pytest.mark.parametrize(("weights", "depth", "safe"), SETS)
def test_solutions_solve(weights: Mapping[str, float], depth: int, safe: bool) -> None:
    generator = random.Random(f"{depth}{safe}{len(weights)}")
    solved = 0
    for _ in range(36):
        cascades, cells = generator.choice([(8, 4), (7, 4), (9, 2), (8, 3), (7, 6), (9, 5), (8, 2)])
        board = freecell(generator.randint(1, 32000), cascades, cells)
        outcome = solve(board, weights, depth, safe, nodes=30_000)
        check_solution(board, outcome)
        if outcome.status is not Status.SOLVED:
            continue
        solved += 1
        assert 0 < outcome.nodes.expanded <= outcome.nodes.generated <= 30_000
    assert solved >= 8


def test_many_easy_deals_are_solved_and_verified() -> None:
    outcomes = [solve(deal, nodes=200_000) for deal in range(1, 61)]
    assert sum(outcome.status is Status.SOLVED for outcome in outcomes) >= 57
    for deal, outcome in enumerate(outcomes, start=1):
        if outcome.moves is not None:
            assert verify(freecell(deal), outcome.moves).solved


@given(boards())
def test_mid_game_positions_are_solved_truly_or_not_at_all(board: FreeCellBoard) -> None:
    outcome = solve(board, nodes=5000)
    assert outcome.status in (Status.SOLVED, Status.EXHAUSTED, Status.NODE_LIMIT)
    check_solution(board, outcome)


@pytest.mark.parametrize(("weights", "depth", "safe"), SETS)
def test_an_unsolvable_deal_is_not_solved(
    weights: Mapping[str, float], depth: int, safe: bool
) -> None:
    outcome = solve(11982, weights, depth, safe, nodes=200_000)
    # The open list loses states, so an empty one proves nothing.
    assert outcome.status in (Status.EXHAUSTED, Status.NODE_LIMIT)
    # It has 83,239 states (as others have counted); nothing was wiped.
    assert outcome.nodes.generated <= 83_239


@pytest.mark.parametrize("safe", [False, True])
def test_a_solved_board(safe: bool) -> None:
    outcome = solve(GOAL, safe=safe)
    assert outcome.status is Status.SOLVED
    assert outcome.moves == ()
    assert outcome.lengths == {"single": 0, "column": 0, "manual": 0}
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (0, 1)


@pytest.mark.parametrize("cascades", [4, 9])
def test_one_move_from_the_goal(cascades: int) -> None:
    last = one_move_from_the_goal(cascades)
    forced, chosen = solve(last, safe=True), solve(last, safe=False)
    assert forced.moves == chosen.moves == (f"{cascades}h",)
    assert forced.lengths == chosen.lengths == {"single": 1, "column": 1, "manual": 0}
    assert (forced.nodes.expanded, forced.nodes.generated) == (0, 1)
    assert (chosen.nodes.expanded, chosen.nodes.generated) == (1, 2)
    held = FreeCellBoard(((),) * cascades, (55,), (13, 13, 13, 12), 1)
    assert solve(held, safe=True).moves == solve(held, safe=False).moves == ("ah",)


def test_nothing_can_move() -> None:
    outcome = solve(nothing_can_move())
    assert outcome.status is Status.EXHAUSTED
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (1, 1)


# ------------------------------------------------------------------ limits


@pytest.mark.parametrize("nodes", [1, 2, 100, 1000, 19_999, 20_000, 20_001, 45_000])
@pytest.mark.parametrize(("depth", "safe", "table"), [(1, True, 0), (4, False, 0), (2, True, 700)])
def test_the_node_limit_is_met_exactly(nodes: int, depth: int, safe: bool, table: int) -> None:
    for deal in (1, 11982, 3):
        outcome = solve(deal, HSDH, depth, safe, table, nodes)
        assert outcome.nodes.generated <= nodes
        if outcome.status is Status.NODE_LIMIT:
            assert outcome.nodes.generated == nodes


@pytest.mark.parametrize("deal", [1, 617, 9])
def test_a_limit_of_what_it_takes_is_enough(deal: int) -> None:
    outcome = solve(deal)
    assert outcome.status is Status.SOLVED
    again = solve(deal, nodes=outcome.nodes.generated)
    assert found(again) == found(outcome)
    short = solve(deal, nodes=outcome.nodes.generated - 1)
    assert short.status is Status.NODE_LIMIT
    assert short.nodes.generated == outcome.nodes.generated - 1


def test_wiping_the_table_counts_on() -> None:
    # More states than there are: those forgotten are counted again.
    outcome = solve(11982, depth=2, safe=False, table=3000, nodes=200_000)
    assert (outcome.status, outcome.nodes.generated) == (Status.NODE_LIMIT, 200_000)
    kept = solve(11982, depth=2, safe=False, nodes=200_000)
    assert kept.status is Status.EXHAUSTED
    assert kept.nodes.generated <= 83_239


@pytest.mark.parametrize("depth", [1, 3])
def test_the_memory_limit(depth: int) -> None:
    outcome = solve(1, ASTRAY, depth, safe=False, nodes=3_000_000, memory=20_000_000)
    assert outcome.status is Status.MEMORY_LIMIT
    assert outcome.moves is None
    more = solve(1, ASTRAY, depth, safe=False, nodes=3_000_000, memory=80_000_000)
    assert more.nodes.generated > outcome.nodes.generated
    assert solve(1, memory=100_000_000).status is Status.SOLVED


def test_the_limit_in_seconds() -> None:
    outcome = solve(1, ASTRAY, 3, safe=False, nodes=10_000_000, seconds=0.1)
    assert outcome.status is Status.TIME_LIMIT
    assert 0.1 <= outcome.seconds < 0.5
    assert 0 < outcome.nodes.generated < 10_000_000
    at_once = solve(1, seconds=1e-9)
    assert at_once.status is Status.TIME_LIMIT
    assert solve(GOAL, seconds=1e-9).status is Status.SOLVED


@pytest.mark.parametrize(
    "search",
    [
        Search("staged", {"depth": 17}),
        Search("staged", {"depth": 0}),
        Search("staged", {"automatic": "all"}),
        Search("staged", {"table": -1}),
        Search("staged", {"table": 10**30}),
        Search("staged", {"width": 3}),
        Search("stagged"),
    ],
)
def test_searches_there_are_not(search: Search) -> None:
    with pytest.raises(BadInput, match=next(iter(search.parameters), search.name)):
        solver.run(1, Evaluator(("HSDH",), (1.0,)), search, Limits(nodes=10))


def test_the_largest_limit_is_as_good_as_none() -> None:
    unlimited = solve(1, nodes=LARGEST)
    assert unlimited.status is Status.SOLVED
    assert found(unlimited) == found(solve(1))


def test_the_deepest_stage() -> None:
    outcome = solve(1, depth=16, nodes=3000)
    assert outcome.nodes.generated <= 3000
    assert outcome.nodes.expanded >= 16


def test_unknown_features_and_no_weights_are_refused() -> None:
    with pytest.raises(BadInput, match="unknown features Luck"):
        solve(1, {"HSDH": 1.0, "Luck": 2.0})
    with pytest.raises(BadInput, match="needs weights"):
        solver.run(1, None, Search("staged"), Limits(nodes=10))


# ------------------------------------------------------------------ notation


@given(st.integers(0, 15), st.integers(0, 16), st.integers(1, 13))
def test_moves_in_standard_notation(source: int, target: int, count: int) -> None:
    between = source < 9 and target < 9
    count = count if between else 1
    places = "123456789abcdefgh"
    suffix = f"v{count:x}" if count > 1 else ""
    assert token(source | target << 5 | count << 10) == places[source] + places[target] + suffix


def test_lengths() -> None:
    assert lengths(np.array([], np.int64)) == {"single": 0, "column": 0, "manual": 0}
    run_of_13, to_cell, held_home = 1 << 5 | 13 << 10, 9 << 5 | 1 << 10, 9 | 16 << 5 | 1 << 10
    moves = np.array([run_of_13, to_cell, held_home])
    assert lengths(moves) == {"single": 25 + 1 + 1, "column": 3, "manual": 2}
