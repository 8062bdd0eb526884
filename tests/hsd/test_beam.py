"""Beam search by levels: levels without end, wider beams, its bound, the second beam."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import endgame, endings
from searching import (
    BOUNDED,
    DRAWN,
    NONE,
    OPTIONS,
    QUICK,
    Way,
    a_star,
    beam,
    compare,
    single,
    solve,
)

from deals import FreeCellBoard
from gafreecell.solving.outcome import Status
from hsd.kernels.moves import MOST_MOVES


@pytest.mark.parametrize(
    ("board", "supermoves"), [(endgame(1, 6, 7, home=8), False), (endgame(2, 5, 7), True)]
)
def test_levels_beyond_the_deepest_are_one(board: FreeCellBoard, supermoves: bool) -> None:
    plain = compare(beam(NONE, False, supermoves, width=1), board, 3000)
    assert sum(item.made > 255 for item in plain.levels[255]) > 10


def test_wide_beams_find_shorter_solutions() -> None:
    lengths = []
    for width in (4, 16, 64):
        outcomes = [solve(beam(width=width), deal) for deal in range(1, 31) if deal != 1]
        assert all(outcome.status is Status.SOLVED for outcome in outcomes)
        lengths.append(sum(map(single, outcomes)))
    assert lengths[0] > lengths[1] > lengths[2]


@pytest.mark.parametrize("deal", [2, 3, 7, 17, 18, 20])
def test_the_bound_lies_below_the_shortest_solution(deal: int) -> None:
    shortest = solve(a_star(), deal, 3_000_000)
    for way in beam(BOUNDED).in_all_options():
        outcome = solve(way, deal)
        assert outcome.lengths["bound"] <= single(shortest) <= single(outcome)


@pytest.mark.parametrize("weights", [QUICK, BOUNDED], ids=["QUICK", "BOUNDED"])
@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
def test_a_second_beam_only_shortens(
    weights: dict[str, float], safe: bool, supermoves: bool
) -> None:
    weights = weights | {"DeadlockBound": 0.5}
    shorter = 0
    for deal in range(2, 12):
        first = solve(beam(weights, safe, supermoves, 4), deal)
        both = solve(beam(weights, safe, supermoves, 4, 40), deal)
        assert (both.status is Status.SOLVED) == (first.status is Status.SOLVED)
        if first.status is Status.SOLVED:
            assert single(both) <= single(first)
            if single(both) == single(first):
                assert both.moves == first.moves
            assert both.nodes.generated > first.nodes.generated
            assert both.nodes.expanded > first.nodes.expanded
            shorter += single(both) < single(first)
    assert shorter >= 4


@pytest.mark.parametrize("unit", ["single", "manual"])
def test_a_repeated_beam_only_shortens(unit: str) -> None:
    shorter = 0
    for deal in range(2, 22):
        way = beam(BOUNDED, width=4, wider=30, unit=unit)
        once = solve(way, deal)
        more = solve(way._replace(own={**way.own, "repeat": "yes"}), deal)
        assert more.lengths[unit] <= once.lengths[unit]
        assert more.nodes.generated >= once.nodes.generated
        shorter += more.lengths[unit] < once.lengths[unit]
    assert shorter > 0


@given(endings(), DRAWN["beam"], st.integers(1, 20))
def test_a_second_beam_only_shortens_endings(board: FreeCellBoard, way: Way, wider: int) -> None:
    # A negligible weight, so that both compute the bound.
    way = way._replace(weights={"DeadlockBound": 1e-5} | way.weights)
    first = solve(way, board, nodes=5000)
    both = solve(way._replace(own={**way.own, "wider": wider}), board, nodes=5000)
    assert both.status is first.status
    if first.moves is not None:
        assert single(both) <= single(first)


@pytest.mark.parametrize("wider", [0, 100])
def test_both_beams_share_the_nodes(wider: int) -> None:
    first_alone, way = beam(width=5), beam(width=5, wider=wider)
    whole, first = solve(way, 3), solve(first_alone, 3)
    for nodes in (first.nodes.generated, first.nodes.generated + 50, whole.nodes.generated):
        outcome = solve(way, 3, nodes=nodes)
        assert outcome.status is Status.SOLVED
        assert outcome.nodes.generated < nodes + MOST_MOVES
        assert single(whole) <= single(outcome) <= single(first)
    short = solve(way, 3, nodes=first.nodes.generated - MOST_MOVES)
    assert short.status is Status.NODE_LIMIT
