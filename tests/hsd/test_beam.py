"""Beam search by levels: a plain reference, its proofs, its bound, the second beam, its limits."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from flood import count_states
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_beam import PlainBeam
from positions import (
    GOAL,
    endgame,
    endings,
    enumerate_states,
    nothing_can_move,
    one_move_from_the_goal,
    sort_cascades,
    tight_endings,
)
from random_boards import boards
from searching import (
    ASTRAY,
    EVOLVED,
    HSDH,
    OPTIONS,
    QUICK,
    as_plain,
    check_solution,
    in_order,
    options,
    run,
)

from deals import FreeCellBoard, freecell
from deals.errors import BadInput
from hsd import solver
from hsd.kernels.features import DEADLOCK_BOUND
from hsd.kernels.moves import ANY, MOST_MOVES
from hsd.searches.kernels.beam import BeamWork, enlarge
from jit.slices import size_in_bytes
from solving.outcome import Evaluator, Limits, Outcome, Search, Status

BOUND = {"DeadlockBound": 1.0}
BOUNDED = {"DeadlockBound": 1.0, "NotPlaced": 0.4, "AboveNext": 0.3, "CellsUsedSquared": 0.1}


def solve(
    deal: FreeCellBoard | int,
    weights: Mapping[str, float] = BOUNDED,
    safe: bool = True,
    supermoves: bool = False,
    width: int = 16,
    wider: int = 0,
    nodes: int = 200_000,
    **more: float,
) -> Outcome:
    parameters = options(safe, supermoves) | {"width": width, "wider": wider}
    outcome = run(deal, "beam", weights, parameters, nodes, **more)
    board = freecell(deal) if isinstance(deal, int) else deal
    check_solution(board, outcome, bounded=DEADLOCK_BOUND in weights or wider > 0)
    return outcome


def single(outcome: Outcome) -> int:
    """The length of a solution."""
    assert outcome.lengths is not None
    return outcome.lengths["single"]


# ------------------------------------------------------------------ the plain reference


def compare(
    board: FreeCellBoard,
    weights: Mapping[str, float],
    safe: bool,
    supermoves: bool,
    limit: int,
    width: int,
) -> PlainBeam:
    """Run both searches and compare them; returns the plain one."""
    plain = PlainBeam(weights, safe, supermoves, limit, width)
    expected = plain.run(board)
    outcome = solve(board, weights, safe, supermoves, width, nodes=limit)
    assert as_plain(outcome) in map(in_order, [expected, *plain.early])
    # To move the same cards again leads to no new state: the jitted search omits it.
    assert plain.again_new == 0
    return plain


UNBOUNDED_GUIDES = [
    HSDH,
    {},  # Every score is 0: the state met last comes first.
    QUICK,
    EVOLVED,
    {"HSDH": -1.0, "FreeCells": 0.5},  # Negative scores.
]
BOUNDED_GUIDES = [
    BOUND,
    BOUNDED,
    {"DeadlockBound": 0.3, "OccupiedColumns": -0.5, "InversionDepth": 0.2},
    {"DeadlockBound": 0.01, "HSDH": -1.0},
]
GUIDES = st.sampled_from(UNBOUNDED_GUIDES + BOUNDED_GUIDES)
WIDTHS = st.integers(1, 4)


@settings(max_examples=150)
@given(endings(), GUIDES, st.booleans(), st.booleans(), st.sampled_from([1, 2, 50, 300]), WIDTHS)
def test_endings_against_the_plain_search(
    board: FreeCellBoard,
    weights: dict[str, float],
    safe: bool,
    supermoves: bool,
    limit: int,
    width: int,
) -> None:
    compare(board, weights, safe, supermoves, limit, width)


@pytest.mark.parametrize(
    ("deal", "weights", "safe", "supermoves", "width"),
    [
        (freecell(1), HSDH, True, False, 1),
        (freecell(617), QUICK, True, True, 2),
        (freecell(2), BOUNDED, True, False, 4),
        (freecell(11982), EVOLVED, False, True, 3),
        (freecell(5), BOUND, False, True, 2),
        (freecell(7, 9, 7), {}, True, False, 2),
        (freecell(8, 4, 7), BOUNDED, False, False, 3),
        (freecell(9, 4, 0), HSDH, False, False, 4),
        (freecell(10, 9, 0), BOUND, True, True, 1),
        (freecell(12, 7, 1), QUICK, False, False, 400),
    ],
)
def test_deals_against_the_plain_search(
    deal: FreeCellBoard, weights: Mapping[str, float], safe: bool, supermoves: bool, width: int
) -> None:
    compare(deal, weights, safe, supermoves, 400, width)


@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
@pytest.mark.parametrize(
    ("cascades", "cells", "weights", "width"),
    [
        (4, 0, HSDH, 3),
        (4, 3, BOUNDED, 1),
        (4, 7, {}, 2),
        (5, 2, BOUND, 2),
        (6, 1, EVOLVED, 1),
        (7, 0, QUICK, 4),
        (8, 4, BOUNDED, 3),
        (9, 7, {"NumCardsNotAtFoundations": 1.0}, 1),
    ],
)
def test_endgames_against_the_plain_search(
    cascades: int,
    cells: int,
    weights: Mapping[str, float],
    width: int,
    safe: bool,
    supermoves: bool,
) -> None:
    plain = [
        compare(endgame(seed, cascades, cells), weights, safe, supermoves, 200, width)
        for seed in range(3)
    ]
    if cells:
        # Such moves were omitted, so this tests that.
        assert sum(search.again for search in plain) > 5


@pytest.mark.parametrize(
    ("board", "supermoves"), [(endgame(1, 6, 7, home=8), False), (endgame(2, 5, 7), True)]
)
def test_levels_beyond_the_deepest_are_one(board: FreeCellBoard, supermoves: bool) -> None:
    plain = compare(board, {}, False, supermoves, 3000, 1)
    assert sum(item.made > 255 for item in plain.levels[255]) > 10


# ------------------------------------------------------------------ solutions

SETS: list[tuple[Mapping[str, float], bool, bool, int]] = [
    (BOUNDED, True, False, 16),
    (BOUNDED, False, False, 5),
    (BOUNDED, True, True, 100),
    (QUICK, True, False, 16),
    (EVOLVED, False, True, 30),
    (QUICK | {"DeadlockBound": -0.2}, True, False, 50),
]


@pytest.mark.parametrize(("weights", "safe", "supermoves", "width"), SETS)
def test_solutions_solve(
    weights: Mapping[str, float], safe: bool, supermoves: bool, width: int
) -> None:
    generator = random.Random(f"{safe}{supermoves}{len(weights)}")
    solved = 0
    for _ in range(24):
        cascades, cells = generator.choice([(8, 4), (7, 4), (9, 2), (8, 3), (7, 6), (9, 5), (8, 2)])
        board = freecell(generator.randint(1, 32000), cascades, cells)
        outcome = solve(board, weights, safe, supermoves, width, nodes=30_000)
        solved += outcome.status is Status.SOLVED
        if outcome.moves is not None:
            assert 0 < outcome.nodes.expanded < outcome.nodes.generated < 30_000 + MOST_MOVES
            if not supermoves:
                assert not any("v" in move for move in outcome.moves)
    assert solved >= 8


def test_many_easy_deals_are_solved_and_verified() -> None:
    outcomes = [solve(deal) for deal in range(1, 61)]
    assert sum(outcome.status is Status.SOLVED for outcome in outcomes) >= 57


@given(boards(), st.booleans(), st.booleans(), WIDTHS)
def test_mid_game_positions_are_solved_truly_or_not_at_all(
    board: FreeCellBoard, safe: bool, supermoves: bool, width: int
) -> None:
    solve(board, BOUNDED, safe, supermoves, width, nodes=5000)


def test_wide_beams_find_shorter_solutions() -> None:
    lengths = []
    for width in (4, 16, 64):
        outcomes = [solve(deal, width=width) for deal in range(1, 31) if deal != 1]
        assert all(outcome.status is Status.SOLVED for outcome in outcomes)
        lengths.append(sum(map(single, outcomes)))
    assert lengths[0] > lengths[1] > lengths[2]


@pytest.mark.parametrize("weights", [HSDH, BOUND])
@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
def test_a_solved_board(weights: Mapping[str, float], safe: bool, supermoves: bool) -> None:
    outcome = solve(GOAL, weights, safe, supermoves, wider=3)
    assert outcome.moves == ()
    assert outcome.lengths == {"single": 0, "column": 0, "bound": 0}
    assert outcome.nodes.expanded == 0


@pytest.mark.parametrize("weights", [HSDH, BOUND])
@pytest.mark.parametrize("cascades", [4, 9])
@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
def test_one_move_from_the_goal(
    cascades: int, weights: Mapping[str, float], safe: bool, supermoves: bool
) -> None:
    outcome = solve(one_move_from_the_goal(cascades), weights, safe, supermoves)
    assert outcome.moves == (f"{cascades}h",)
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (0, 1)


@given(boards(), st.randoms(use_true_random=False), st.booleans(), st.sampled_from([HSDH, BOUND]))
def test_boards_without_inversions_are_solved_by_home_moves(
    board: FreeCellBoard, generator: random.Random, safe: bool, weights: dict[str, float]
) -> None:
    board = sort_cascades(board, generator)
    outcome = solve(board, weights, safe, nodes=1)
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (0, 1)
    assert outcome.moves is not None and len(outcome.moves) == 52 - sum(board.foundations)


def test_what_home_moves_alone_finish_is_solved_at_once_with_the_bound() -> None:
    """The KS lies above the QC, but no cycle keeps the QS from going home first."""
    board = FreeCellBoard.from_text("Foundations: C-J D-K H-K S-J\nQC KS\nKC QS\n")
    outcome = solve(board, BOUND, nodes=1)
    assert outcome.moves is not None and len(outcome.moves) == 4
    assert outcome.lengths is not None and outcome.lengths["bound"] == 4
    assert solve(board, HSDH, safe=False, nodes=1).status is Status.NODE_LIMIT


# ------------------------------------------------------------------ proofs


@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
@pytest.mark.parametrize(("weights", "width"), [(QUICK, 16), ({}, 1), (BOUNDED, 4), (BOUND, 10**6)])
def test_an_unsolvable_deal(
    weights: Mapping[str, float], width: int, safe: bool, supermoves: bool
) -> None:
    outcome = solve(11982, weights, safe, supermoves, width)
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.nodes.expanded == outcome.nodes.generated
    states = count_states(freecell(11982), safe, ANY if supermoves else 1)
    assert outcome.nodes.generated == states
    if not safe:
        # Under full symmetry; other solvers count the same.
        assert states == 83_239


@pytest.mark.parametrize("weights", [QUICK, BOUNDED])
@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
@pytest.mark.parametrize(
    ("deal", "cascades", "cells"),
    [(1, 4, 0), (3, 5, 0), (7, 8, 0), (2, 9, 0), (5, 4, 1), (6, 6, 1)],
)
def test_hopeless_variants(
    deal: int,
    cascades: int,
    cells: int,
    weights: Mapping[str, float],
    safe: bool,
    supermoves: bool,
) -> None:
    board = freecell(deal, cascades, cells)
    outcome = solve(board, weights, safe, supermoves, wider=5)
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.nodes.expanded == outcome.nodes.generated
    assert outcome.nodes.generated == count_states(board, safe, ANY if supermoves else 1)


@pytest.mark.parametrize("weights", [HSDH, BOUND])
@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
def test_nothing_can_move(weights: Mapping[str, float], safe: bool, supermoves: bool) -> None:
    outcome = solve(nothing_can_move(), weights, safe, supermoves)
    assert outcome.status is Status.UNSOLVABLE
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (1, 1)


@settings(max_examples=200)
@given(tight_endings(), GUIDES, WIDTHS)
def test_unsolvable_is_said_if_and_only_if_it_is_so(
    board: FreeCellBoard, weights: dict[str, float], width: int
) -> None:
    enumerated = enumerate_states(board)
    assume(enumerated is not None)
    assert enumerated is not None
    states, solvable = enumerated
    for safe, supermoves in OPTIONS:
        outcome = solve(board, weights, safe, supermoves, width)
        assert outcome.status is (Status.SOLVED if solvable else Status.UNSOLVABLE)
        if not solvable and not safe:
            assert outcome.nodes.generated == states


def test_both_kinds_of_tight_endgames_are_told_apart() -> None:
    """The same with endgames dealt out, of which enough are of either kind."""
    kinds = []
    for seed in range(60):
        board = endgame(seed, 4 + seed % 3, seed % 2, home=8 + seed % 3)
        statuses = {
            solve(board, weights, *how, width=1 + seed % 4).status
            for how in OPTIONS
            for weights in (HSDH, BOUNDED)
        }
        assert len(statuses) == 1
        kinds.append(statuses.pop())
        if kinds[-1] is Status.UNSOLVABLE:
            states = solve(board, BOUND, safe=False).nodes.generated
            assert states == count_states(board, safe=False)
    assert set(kinds) == {Status.SOLVED, Status.UNSOLVABLE}
    assert min(kinds.count(kind) for kind in set(kinds)) >= 10


# ------------------------------------------------------------------ the bound and the second beam


@pytest.mark.parametrize("deal", [2, 3, 7, 17, 18, 20])
def test_the_bound_lies_below_the_shortest_solution(deal: int) -> None:
    shortest = solver.run(deal, None, Search("a-star"), Limits())
    for safe, supermoves in OPTIONS:
        outcome = solve(deal, BOUNDED, safe, supermoves)
        assert outcome.lengths is not None
        assert outcome.lengths["bound"] <= single(shortest) <= outcome.lengths["single"]


@pytest.mark.parametrize("weights", [QUICK, BOUNDED])
@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
def test_a_second_beam_only_shortens(
    weights: dict[str, float], safe: bool, supermoves: bool
) -> None:
    shorter = 0
    for deal in range(2, 26):
        first = solve(deal, weights | {"DeadlockBound": 0.5}, safe, supermoves, 4)
        both = solve(deal, weights | {"DeadlockBound": 0.5}, safe, supermoves, 4, 40)
        assert (both.status is Status.SOLVED) == (first.status is Status.SOLVED)
        if first.status is Status.SOLVED:
            assert single(both) <= single(first)
            if single(both) == single(first):
                assert both.moves == first.moves
            assert both.nodes.generated > first.nodes.generated
            assert both.nodes.expanded > first.nodes.expanded
            shorter += single(both) < single(first)
    assert shorter >= 8


@given(endings(), GUIDES, st.booleans(), st.booleans(), WIDTHS, st.integers(1, 20))
def test_a_second_beam_only_shortens_endings(
    board: FreeCellBoard,
    weights: dict[str, float],
    safe: bool,
    supermoves: bool,
    width: int,
    wider: int,
) -> None:
    # A negligible weight, so that both compute the bound.
    weights = {"DeadlockBound": 1e-5} | weights
    first = solve(board, weights, safe, supermoves, width, nodes=5000)
    both = solve(board, weights, safe, supermoves, width, wider, nodes=5000)
    assert both.status is first.status
    if first.moves is not None:
        assert single(both) <= single(first)


# ------------------------------------------------------------------ limits


@pytest.mark.parametrize("nodes", [1, 2, 100, 1000, 19_999, 20_000, 45_000])
@pytest.mark.parametrize(
    ("weights", "safe", "supermoves", "width"),
    [(BOUND, True, False, 5), (EVOLVED, False, True, 100), (HSDH, False, False, 1)],
)
def test_the_node_limit_ends_the_search_after_an_expansion(
    nodes: int, weights: Mapping[str, float], safe: bool, supermoves: bool, width: int
) -> None:
    for deal in (1, 11982, 3):
        outcome = solve(deal, weights, safe, supermoves, width, nodes=nodes)
        assert outcome.nodes.generated < nodes + MOST_MOVES
        if outcome.status is Status.NODE_LIMIT:
            assert outcome.nodes.generated >= nodes
            # One state less to spend, and it ends no later.
            before = solve(deal, weights, safe, supermoves, width, nodes=max(nodes - 1, 1))
            assert before.nodes.expanded <= outcome.nodes.expanded


@pytest.mark.parametrize("wider", [0, 100])
def test_both_beams_share_the_nodes(wider: int) -> None:
    whole = solve(3, width=5, wider=wider)
    first = solve(3, width=5)
    for nodes in (first.nodes.generated, first.nodes.generated + 50, whole.nodes.generated):
        outcome = solve(3, width=5, wider=wider, nodes=nodes)
        assert outcome.status is Status.SOLVED
        assert outcome.nodes.generated < nodes + MOST_MOVES
        assert single(whole) <= single(outcome) <= single(first)
    short = solve(3, width=5, wider=wider, nodes=first.nodes.generated - MOST_MOVES)
    assert short.status is Status.NODE_LIMIT


def test_a_proof_needs_every_state() -> None:
    assert solve(11982, safe=False, nodes=83_240).status is Status.UNSOLVABLE
    assert solve(11982, safe=False, nodes=83_000).status is Status.NODE_LIMIT


@pytest.mark.parametrize("memory", [1_000_000, 3_000_000, 20_000_000])
def test_the_memory_limit(memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def measured(work: BeamWork) -> BeamWork:
        larger = enlarge(work)
        sizes.append(size_in_bytes(larger))
        return larger

    monkeypatch.setattr(solver.SOLVER.instance("beam"), "_enlarge", measured)
    outcome = solve(1, ASTRAY, safe=False, nodes=3_000_000, memory=memory)
    assert outcome.status is Status.MEMORY_LIMIT
    assert memory / 4 < max(sizes) <= memory
    more = solve(1, ASTRAY, safe=False, nodes=3_000_000, memory=4 * memory)
    assert more.nodes.generated > outcome.nodes.generated
    assert solve(2, memory=100_000_000).status is Status.SOLVED


def test_the_limit_in_seconds() -> None:
    outcome = solve(1, ASTRAY, safe=False, nodes=100_000_000, seconds=0.05, memory=4_000_000_000)
    assert outcome.status is Status.TIME_LIMIT
    assert outcome.seconds >= 0.05
    assert 0 < outcome.nodes.generated < 100_000_000
    assert solve(1, seconds=1e-9).status is Status.TIME_LIMIT


# ------------------------------------------------------------------ what it takes


@pytest.mark.parametrize(
    "parameters",
    [
        {"automatic": "all"},
        {"supermoves": "maybe"},
        {"width": 0},
        {"width": 2.5},
        {"width": 10**7},
        {"wider": -1},
        {"patience": 2},
    ],
)
def test_parameters_there_are_not(parameters: Mapping[str, int | float | str]) -> None:
    with pytest.raises(BadInput):
        solver.run(1, Evaluator(("HSDH",), (1.0,)), Search("beam", parameters), Limits(nodes=10))


def test_it_needs_weights() -> None:
    with pytest.raises(BadInput, match="needs weights"):
        solver.run(1, None, Search("beam"), Limits(nodes=10))
