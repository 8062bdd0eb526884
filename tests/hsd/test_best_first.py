"""Best-first search: a plain reference, its proofs and its limits."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections.abc import Mapping

import pytest
from engine import Engine
from flood import count_states
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_best_first import PlainBestFirst
from plain_tree import without_inversions
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
    BOTH,
    EVOLVED,
    HSDH,
    OPTIONS,
    QUICK,
    as_plain,
    check_solution,
    found,
    in_order,
    options,
    run,
)

from deals import FreeCellBoard, freecell
from deals.errors import BadInput
from hsd import solver
from hsd.game import GAME
from hsd.kernels.features import DEADLOCK_BOUND, MOVES_MADE, NAMES, NINE, NOT_OF_BOARD
from hsd.kernels.moves import ANY, MOST_MOVES
from hsd.searches.kernels.best_first import BestFirstWork, enlarge
from jit.slices import size_in_bytes
from solving.outcome import Evaluator, Limits, Outcome, Search, Status


def solve(
    deal: FreeCellBoard | int,
    weights: Mapping[str, float] = QUICK,
    safe: bool = True,
    supermoves: bool = True,
    patience: int = 0,
    nodes: int = 200_000,
    **more: float,
) -> Outcome:
    parameters = options(safe, supermoves) | {"patience": patience}
    return run(deal, "best-first", weights, parameters, nodes, **more)


# ------------------------------------------------------------------ the plain reference


def compare(
    board: FreeCellBoard,
    weights: Mapping[str, float],
    safe: bool,
    supermoves: bool,
    limit: int,
    patience: int = 0,
) -> PlainBestFirst:
    """Run both searches and compare them; returns the plain one."""
    plain = PlainBestFirst(weights, safe, supermoves, limit, patience)
    expected = plain.run(board)
    outcome = solve(board, weights, safe, supermoves, patience, limit)
    assert as_plain(outcome) == in_order(expected)
    check_solution(board, outcome)
    # To move the same cards again leads to no new state: the jitted search omits it.
    assert plain.again_new == 0
    return plain


GUIDES = st.sampled_from(
    [
        HSDH,
        {},  # Every score is 0: depth first.
        QUICK,
        EVOLVED,
        {"MovesMade": 1.0},  # Breadth first, a run as far as its cards.
        {"MovesMade": 0.25, "HSDH": 1.0, "NotPlaced": 0.5},
        {"MovesMade": -1.0, "OccupiedColumns": -0.5},
        {"NumberWellPlaced": 0.25, "FreeCells": 0.125},
        {"HSDH": -1.0, "FreeCells": 0.5},  # Negative scores.
        {name: 1 / (i + 2) for i, name in enumerate(NAMES) if name != DEADLOCK_BOUND},
    ]
)


@settings(max_examples=150)
@given(
    endings(),
    GUIDES,
    st.booleans(),
    st.booleans(),
    st.sampled_from([1, 2, 50, 300]),
    st.sampled_from([0, 0, 1, 2, 7, 30]),
)
def test_endings_against_the_plain_search(
    board: FreeCellBoard,
    weights: dict[str, float],
    safe: bool,
    supermoves: bool,
    limit: int,
    patience: int,
) -> None:
    compare(board, weights, safe, supermoves, limit, patience)


@pytest.mark.parametrize(
    ("deal", "weights", "safe", "supermoves"),
    [
        (freecell(1), HSDH, True, True),
        (freecell(617), QUICK, True, True),
        (freecell(11982), EVOLVED, False, True),
        (freecell(5), {"MovesMade": 0.5, "AboveNext": 1.0}, False, False),
        (freecell(164), QUICK, True, False),
        (freecell(7, 9, 7), {}, True, True),
        (freecell(8, 4, 7), QUICK, False, True),
        (freecell(9, 4, 0), HSDH, False, False),
        (freecell(10, 9, 0), EVOLVED, True, True),
        (freecell(11, 6, 3), {"MovesMade": 1.0}, True, False),
        (freecell(12, 7, 1), QUICK, False, False),
    ],
)
def test_deals_against_the_plain_search(
    deal: FreeCellBoard, weights: Mapping[str, float], safe: bool, supermoves: bool
) -> None:
    compare(deal, weights, safe, supermoves, 500)


@pytest.mark.parametrize("patience", [1, 2, 9, 40])
@pytest.mark.parametrize(("cascades", "cells", "safe"), [(5, 2, True), (6, 1, False), (4, 4, True)])
def test_depths_take_turns_as_in_the_plain_search(
    cascades: int, cells: int, safe: bool, patience: int
) -> None:
    plain = [
        compare(endgame(seed, cascades, cells), weights, safe, True, 400, patience)
        for seed in range(3)
        for weights in (HSDH, QUICK)
    ]
    # Some states were expanded out of turn, so this tests them too.
    assert sum(search.passed for search in plain) > 0


@pytest.mark.parametrize("deal", [2, 4])
def test_depths_beyond_the_deepest_take_their_turn_together(deal: int) -> None:
    plain = compare(freecell(deal), {"MovesMade": -1.0}, True, True, 2500, patience=150)
    assert plain.expanded > 300
    assert sum(item.made > 255 for item in plain.open.values()) > 50


@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
@pytest.mark.parametrize(
    ("cascades", "cells", "weights"),
    [
        (4, 0, HSDH),
        (4, 3, QUICK),
        (4, 7, {}),
        (5, 2, {"MovesMade": 0.2, "NotPlaced": 1.0}),
        (6, 1, EVOLVED),
        (7, 0, QUICK),
        (8, 4, HSDH),
        (9, 7, {"NumCardsNotAtFoundations": 1.0}),
    ],
)
def test_endgames_against_the_plain_search(
    cascades: int, cells: int, weights: Mapping[str, float], safe: bool, supermoves: bool
) -> None:
    plain = [
        compare(endgame(seed, cascades, cells), weights, safe, supermoves, 300) for seed in range(3)
    ]
    if cells:
        # Such moves were omitted, so this tests that.
        assert sum(search.again for search in plain) > 20


# ------------------------------------------------------------------ solutions

SETS: list[tuple[Mapping[str, float], bool, bool, int]] = [
    (QUICK, True, True, 0),
    (QUICK, False, True, 100),
    (QUICK, True, False, 0),
    (QUICK | {"MovesMade": 0.1}, False, False, 0),
    (EVOLVED, True, True, 1000),
    ({"HSDH": 1.0, "NotPlaced": 1.0}, True, True, 1),
]


@pytest.mark.parametrize(("weights", "safe", "supermoves", "patience"), SETS)
def test_solutions_solve(
    weights: Mapping[str, float], safe: bool, supermoves: bool, patience: int
) -> None:
    generator = random.Random(f"{safe}{supermoves}{len(weights)}")
    solved = 0
    for _ in range(36):
        cascades, cells = generator.choice([(8, 4), (7, 4), (9, 2), (8, 3), (7, 6), (9, 5), (8, 2)])
        board = freecell(generator.randint(1, 32000), cascades, cells)
        outcome = solve(board, weights, safe, supermoves, patience, nodes=30_000)
        check_solution(board, outcome)
        solved += outcome.status is Status.SOLVED
        if outcome.moves is not None:
            assert 0 < outcome.nodes.expanded < outcome.nodes.generated < 30_000 + MOST_MOVES
            if not supermoves:
                assert not any("v" in move for move in outcome.moves)
    assert solved >= 8


def test_many_easy_deals_are_solved_and_verified() -> None:
    outcomes = [solve(deal) for deal in range(1, 61)]
    assert sum(outcome.status is Status.SOLVED for outcome in outcomes) >= 57
    for deal, outcome in enumerate(outcomes, start=1):
        check_solution(freecell(deal), outcome)


@given(boards(), st.booleans(), st.booleans())
def test_mid_game_positions_are_solved_truly_or_not_at_all(
    board: FreeCellBoard, safe: bool, supermoves: bool
) -> None:
    check_solution(board, solve(board, safe=safe, supermoves=supermoves, nodes=5000))


@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
def test_a_solved_board(safe: bool, supermoves: bool) -> None:
    outcome = solve(GOAL, safe=safe, supermoves=supermoves)
    assert outcome.status is Status.SOLVED
    assert outcome.moves == ()
    assert outcome.lengths == {"single": 0, "column": 0}
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (0, 1)


@pytest.mark.parametrize("cascades", [4, 9])
@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
def test_one_move_from_the_goal(cascades: int, safe: bool, supermoves: bool) -> None:
    outcome = solve(one_move_from_the_goal(cascades), safe=safe, supermoves=supermoves)
    assert outcome.moves == (f"{cascades}h",)
    assert outcome.lengths == {"single": 1, "column": 1}
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (0, 1)
    held = FreeCellBoard(((),) * cascades, (55,), (13, 13, 13, 12), 1)
    assert solve(held, safe=safe, supermoves=supermoves).moves == ("ah",)


SORTED = """\
Foundations: 0 0 0 0
Freecells: 7S 3D AH -
KC KD KS QH JC TS 9H 8D 8H 8S 6H 4S 2H AS
KH QC QS JD TD TC 9S 7D 7C 6S 5C 3S 2C AC
QD JS JH TH 9D 9C 8C 7H 6D 6C 5H 4D 4C 3C 2S
5D 5S 4H 3H 2D AD
""".replace("0 0 0 0", "C-0 D-0 H-0 S-0")


@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
def test_a_board_without_inversions_is_solved_by_home_moves(safe: bool, supermoves: bool) -> None:
    # Equal ranks upon each other, no order of colours, cards in cells.
    board = FreeCellBoard.from_text(SORTED, 4, 6)
    outcome = solve(board, {}, safe, supermoves, nodes=1)
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (0, 1)
    assert outcome.moves is not None and len(outcome.moves) == 52
    assert all(move.endswith("h") for move in outcome.moves)
    check_solution(board, outcome)


@given(boards(), st.randoms(use_true_random=False))
def test_boards_without_inversions(board: FreeCellBoard, generator: random.Random) -> None:
    board = sort_cascades(board, generator)
    for safe in BOTH:
        outcome = solve(board, {}, safe, nodes=1)
        assert (outcome.nodes.expanded, outcome.nodes.generated) == (0, 1)
        assert outcome.moves is not None and len(outcome.moves) == 52 - sum(board.foundations)
        check_solution(board, outcome)


@given(boards())
def test_what_is_solved_at_once_has_no_inversions(board: FreeCellBoard) -> None:
    outcome = solve(board, {}, safe=False, nodes=1)
    at_once = without_inversions(Engine(board).twin())
    assert outcome.status is (Status.SOLVED if at_once else Status.NODE_LIMIT)


LONG = """
from deals import freecell
from hsd import solver
from hsd.verifier import verify
from solving.outcome import Evaluator, Limits, Search

for deal, name in ((2, "NumCardsNotAtFoundations"), (4, "NumCardsNotAtFoundations")):
    evaluator = Evaluator((name,), (1.0,))
    search = Search("best-first", {"shorten": "no"})
    outcome = solver.run(deal, evaluator, search, Limits(nodes=300_000))
    assert outcome.moves is not None, outcome.status
    assert verify(freecell(deal), outcome.moves).solved
    print(len(outcome.moves) > 4096)
"""


def test_solutions_of_many_thousand_moves() -> None:
    """A process of its own: an array too short for them would spoil this one."""
    done = subprocess.run(
        [sys.executable, "-c", LONG], capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "True\nTrue\n"


# ------------------------------------------------------------------ proofs


@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
@pytest.mark.parametrize(
    ("weights", "patience"),
    [(QUICK, 0), ({}, 0), ({"MovesMade": 1.0, "HSDH": -1.0}, 0), (QUICK, 1), (HSDH, 5000)],
)
def test_an_unsolvable_deal(
    weights: Mapping[str, float], patience: int, safe: bool, supermoves: bool
) -> None:
    outcome = solve(11982, weights, safe, supermoves, patience)
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.moves is None and outcome.lengths is None
    assert outcome.nodes.expanded == outcome.nodes.generated
    states = count_states(freecell(11982), safe, ANY if supermoves else 1)
    assert outcome.nodes.generated == states
    if not safe:
        # Under full symmetry; other solvers count the same.
        assert states == 83_239
    else:
        assert states < 83_239


@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
@pytest.mark.parametrize(
    ("deal", "cascades", "cells"),
    [(1, 4, 0), (3, 5, 0), (7, 8, 0), (2, 9, 0), (5, 4, 1), (6, 6, 1)],
)
def test_hopeless_variants(
    deal: int, cascades: int, cells: int, safe: bool, supermoves: bool
) -> None:
    board = freecell(deal, cascades, cells)
    outcome = solve(board, QUICK, safe, supermoves)
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.nodes.expanded == outcome.nodes.generated
    assert outcome.nodes.generated == count_states(board, safe, ANY if supermoves else 1)


@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
def test_nothing_can_move(safe: bool, supermoves: bool) -> None:
    outcome = solve(nothing_can_move(), {}, safe, supermoves)
    assert outcome.status is Status.UNSOLVABLE
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (1, 1)


@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
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
def test_tiny_boards_without_cells(text: str, states: int, safe: bool, supermoves: bool) -> None:
    board = FreeCellBoard.from_text(text, 0, 4)
    outcome = solve(board, {}, safe, supermoves)
    check_solution(board, outcome)
    enumerated = enumerate_states(board)
    assert enumerated is not None
    reached, solvable = enumerated
    assert (outcome.status is Status.UNSOLVABLE) == (not solvable)
    if states:
        assert not solvable
        assert outcome.nodes.generated == reached == states


@settings(max_examples=300)
@given(tight_endings(), GUIDES, st.sampled_from([0, 0, 1, 20]))
def test_unsolvable_is_said_if_and_only_if_it_is_so(
    board: FreeCellBoard, weights: dict[str, float], patience: int
) -> None:
    enumerated = enumerate_states(board)
    assume(enumerated is not None)
    assert enumerated is not None
    states, solvable = enumerated
    for safe, supermoves in OPTIONS:
        outcome = solve(board, weights, safe, supermoves, patience)
        assert outcome.status is (Status.SOLVED if solvable else Status.UNSOLVABLE)
        check_solution(board, outcome)
        if not solvable and not safe:
            assert outcome.nodes.generated == states


def test_both_kinds_of_tight_endgames_are_told_apart() -> None:
    """The same with endgames dealt out, of which enough are of either kind."""
    kinds = []
    for seed in range(60):
        board = endgame(seed, 4 + seed % 3, seed % 2, home=8 + seed % 3)
        statuses = {solve(board, {}, *options).status for options in OPTIONS}
        assert len(statuses) == 1
        kinds.append(statuses.pop())
        if kinds[-1] is Status.UNSOLVABLE:
            states = solve(board, QUICK, safe=False).nodes.generated
            assert states == count_states(board, safe=False)
    assert set(kinds) == {Status.SOLVED, Status.UNSOLVABLE}
    assert min(kinds.count(kind) for kind in set(kinds)) >= 10


@pytest.mark.parametrize("deal", [1, 617])
@pytest.mark.parametrize(("safe", "supermoves"), OPTIONS)
def test_the_order_of_places_does_not_matter_to_proofs(
    deal: int, safe: bool, supermoves: bool
) -> None:
    """An unsolvable position has as many states however its cascades stand."""
    board = freecell(deal, 5, 1)
    counts = set()
    for seed in range(3):
        cascades = random.Random(seed).sample(board.cascades, 5)
        turned = FreeCellBoard(tuple(cascades), cell_count=1)
        outcome = solve(turned, QUICK, safe, supermoves)
        assert outcome.status is Status.UNSOLVABLE
        counts.add(outcome.nodes.generated)
    assert len(counts) == 1


# ------------------------------------------------------------------ limits


@pytest.mark.parametrize("nodes", [1, 2, 100, 1000, 19_999, 20_000, 20_001, 45_000])
@pytest.mark.parametrize(
    ("weights", "safe", "supermoves", "patience"),
    [(HSDH, True, True, 0), (EVOLVED, False, True, 300), (HSDH, False, False, 0)],
)
def test_the_node_limit_ends_the_search_after_an_expansion(
    nodes: int, weights: Mapping[str, float], safe: bool, supermoves: bool, patience: int
) -> None:
    for deal in (1, 11982, 3):
        outcome = solve(deal, weights, safe, supermoves, patience, nodes)
        assert outcome.nodes.generated < nodes + MOST_MOVES
        if outcome.status is Status.NODE_LIMIT:
            assert outcome.nodes.generated >= nodes
            # One state less to spend, and it ends no later.
            before = solve(deal, weights, safe, supermoves, patience, max(nodes - 1, 1))
            assert before.nodes.expanded <= outcome.nodes.expanded


def test_the_node_limit_follows_expansions() -> None:
    """It ends after the first expansion that reaches the limit."""
    counts = sorted({solve(1, HSDH, nodes=nodes).nodes.generated for nodes in range(1, 300)})
    assert counts[0] == 1
    for nodes in range(1, 300):
        outcome = solve(1, HSDH, nodes=nodes)
        assert outcome.status is Status.NODE_LIMIT
        assert outcome.nodes.generated == next(count for count in counts if count >= nodes)


@pytest.mark.parametrize("deal", [1, 617, 9])
def test_a_limit_of_what_it_takes_is_enough(deal: int) -> None:
    outcome = solve(deal)
    assert outcome.status is Status.SOLVED
    again = solve(deal, nodes=outcome.nodes.generated)
    assert found(again) == found(outcome)
    short = solve(deal, nodes=outcome.nodes.generated - MOST_MOVES)
    assert short.status is Status.NODE_LIMIT
    assert short.nodes.generated < outcome.nodes.generated


def test_a_proof_needs_every_state() -> None:
    assert solve(11982, safe=False, nodes=83_240).status is Status.UNSOLVABLE
    assert solve(11982, safe=False, nodes=83_000).status is Status.NODE_LIMIT


@pytest.mark.parametrize("memory", [1_000_000, 3_000_000, 20_000_000])
def test_the_memory_limit(memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def measured(work: BestFirstWork) -> BestFirstWork:
        larger = enlarge(work)
        sizes.append(size_in_bytes(larger))
        return larger

    monkeypatch.setattr(solver.SOLVER.instance("best-first"), "_enlarge", measured)
    outcome = solve(1, ASTRAY, safe=False, nodes=3_000_000, memory=memory)
    assert outcome.status is Status.MEMORY_LIMIT
    assert outcome.moves is None
    assert memory / 4 < max(sizes) <= memory
    more = solve(1, ASTRAY, safe=False, nodes=3_000_000, memory=4 * memory)
    assert more.nodes.generated > outcome.nodes.generated
    assert solve(1, memory=100_000_000).status is Status.SOLVED


def test_the_limit_in_seconds() -> None:
    outcome = solve(1, ASTRAY, safe=False, nodes=100_000_000, seconds=0.05, memory=4_000_000_000)
    assert outcome.status is Status.TIME_LIMIT
    assert outcome.seconds >= 0.05
    assert 0 < outcome.nodes.generated < 100_000_000
    assert solve(1, seconds=1e-9).status is Status.TIME_LIMIT


# ------------------------------------------------------------------ what it takes


@pytest.mark.parametrize(
    "search",
    [
        Search("best-first", {"automatic": "all"}),
        Search("best-first", {"supermoves": "maybe"}),
        Search("best-first", {"supermoves": True}),
        Search("best-first", {"patience": -1}),
        Search("best-first", {"patience": 0.5}),
        Search("best-first", {"patience": 10**30}),
        Search("best-first", {"depth": 2}),
        Search("bestfirst"),
    ],
)
def test_searches_there_are_not(search: Search) -> None:
    with pytest.raises(BadInput):
        solver.run(1, Evaluator(("HSDH",), (1.0,)), search, Limits(nodes=10))


def test_unknown_features_and_no_weights_are_refused() -> None:
    with pytest.raises(BadInput, match="unknown features Luck"):
        solve(1, {"HSDH": 1.0, "Luck": 2.0})
    with pytest.raises(BadInput, match="needs weights"):
        solver.run(1, None, Search("best-first"), Limits(nodes=10))


def test_what_it_takes_unless_told() -> None:
    assert solver.SOLVER.check(Search("best-first"), ("HSDH", MOVES_MADE)) == {
        "automatic": "safe",
        "supermoves": "yes",
        "patience": 0,
        "shorten": "yes",
    }


WEIGH = {MOVES_MADE: ("best-first",), DEADLOCK_BOUND: ("beam", "a-star")}


@pytest.mark.parametrize("feature", WEIGH)
@pytest.mark.parametrize("name", solver.SOLVER.searches)
def test_only_some_searches_weigh_what_is_not_read_off_a_board(name: str, feature: str) -> None:
    assert set(WEIGH) == NOT_OF_BOARD
    search, features = Search(name), ("HSDH", feature)
    of_board = [known for known in NAMES if known not in NOT_OF_BOARD]
    solver.SOLVER.check(search, of_board)
    GAME.check(search, of_board)
    evaluator = Evaluator(features, (1.0, 0.5))
    if name in WEIGH[feature] or name in GAME.unguided:
        solver.SOLVER.check(search, features)
        GAME.check(search, features)
        assert solver.run(1, evaluator, search, Limits(nodes=10)).status is Status.NODE_LIMIT
        return
    able = ", ".join(WEIGH[feature])
    for refused in (
        lambda: solver.SOLVER.check(search, features),
        lambda: GAME.check(search, features),
        lambda: solver.run(1, evaluator, search, Limits(nodes=10)),
    ):
        with pytest.raises(BadInput, match=f"{name} cannot weigh {feature}; {able} can"):
            refused()


def test_features_to_choose_from_and_those_chosen_by_default() -> None:
    assert tuple(feature.name for feature in GAME.features) == NAMES
    assert GAME.default_features == tuple(feature.name for feature in NINE)
    assert "best-first" in GAME.searches and "best-first" not in GAME.unguided


def test_the_moves_made_weigh() -> None:
    """With some weight on them solutions are shorter."""
    lengths = []
    for weight in (0.0, 1.0):
        outcomes = [solve(deal, QUICK | {"MovesMade": weight}) for deal in range(1, 31)]
        assert all(outcome.status is Status.SOLVED for outcome in outcomes)
        lengths.append(sum(outcome.lengths["single"] for outcome in outcomes if outcome.lengths))
    assert lengths[1] < lengths[0]


@pytest.mark.parametrize("size", [2.0**10, 2.0**20, -(2.0**20), 2.0**1000])
def test_of_large_weights_only_the_proportions_matter(size: float) -> None:
    board, small = endgame(1, 5, 2), math.copysign(32.0, size)
    large_ones, small_ones = ({"HSDH": one, "FreeCells": one / 3} for one in (size, small))
    assert found(solve(board, large_ones)) == found(solve(board, small_ones))
