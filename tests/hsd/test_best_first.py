"""Best-first search: a plain reference, its proofs, its limits, and that nothing else matters."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from engine import Engine
from flood import count_states
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_best_first import PlainBestFirst, without_inversions
from plain_staged import forced_moves_sorted
from plain_twin import Key, Twin
from random_boards import boards

from deals import FreeCellBoard, freecell
from deals.errors import BadInput
from hsd import best_first, solver
from hsd.board import pack_board
from hsd.game import GAME
from hsd.heuristics import MOVES_MADE, NAMES, NINE
from hsd.moves import ANY, MOST_MOVES
from hsd.presets import preset
from hsd.search import Found
from hsd.verifier import verify
from solving.outcome import Evaluator, Limits, Outcome, Search, Status

HSDH = {"HSDH": 1.0}
PRESET = preset("hsd-evolved").evaluator
assert PRESET is not None
EVOLVED = dict(zip(PRESET.features, PRESET.weights, strict=True))
QUICK = {"NotPlaced": 1.0, "OwnSuitBelow": 0.7, "CellsUsedSquared": 0.4, "AboveNext": 0.5}
GOAL = FreeCellBoard(((),) * 8, (), (13, 13, 13, 13))

BOTH = [False, True]
OPTIONS = list(product(BOTH, BOTH))
"""Safe home moves forced, supermoves."""


def solve(
    deal: FreeCellBoard | int,
    weights: Mapping[str, float] = QUICK,
    safe: bool = True,
    supermoves: bool = True,
    patience: int = 0,
    nodes: int = 200_000,
    **more: float,
) -> Outcome:
    parameters = {
        "automatic": "safe" if safe else "none",
        "supermoves": "yes" if supermoves else "no",
        "patience": patience,
    }
    return solver.run(
        deal,
        Evaluator(tuple(weights), tuple(weights.values())),
        Search("best-first", parameters),
        Limits(nodes=nodes, **more),  # type: ignore[arg-type]
    )


def found(outcome: Outcome) -> tuple[object, ...]:
    """All but the seconds."""
    return outcome.status, outcome.moves, outcome.lengths, outcome.nodes


def check_solution(board: FreeCellBoard, outcome: Outcome) -> None:
    """The moves, if there are any, solve the board and are as long as it says."""
    assert (outcome.moves is not None) == (outcome.status is Status.SOLVED)
    if outcome.moves is None:
        assert outcome.lengths is None
        return
    verdict = verify(board, outcome.moves)
    assert verdict.reason == ""
    assert outcome.lengths == {"single": verdict.single, "column": verdict.column}


# ------------------------------------------------------------------ the plain reference


def compare(
    board: FreeCellBoard,
    weights: Mapping[str, float],
    safe: bool,
    supermoves: bool,
    limit: int,
    patience: int = 0,
) -> PlainBestFirst:
    """Run both and compare them; the plain search, run."""
    plain = PlainBestFirst(weights, safe, supermoves, limit, patience)
    expected = plain.run(board)
    outcome = solve(board, weights, safe, supermoves, patience, limit)
    assert outcome.status == expected.status
    assert (outcome.nodes.expanded, outcome.nodes.generated) == (
        expected.expanded,
        expected.generated,
    )
    check_solution(board, outcome)
    if expected.moves is not None:
        assert outcome.moves is not None
        assert forced_moves_sorted(outcome.moves) == forced_moves_sorted(expected.moves)
        assert verify(board, expected.moves).solved
    # Taking up again what has just been moved leads nowhere new: the jitted search omits it.
    assert plain.again_new == 0
    return plain


@st.composite
def endings(draw: st.DrawFn) -> FreeCellBoard:
    """Positions with at most some twenty cards left, in every variant."""
    board = draw(boards())
    assume(sum(board.foundations) >= 30)
    return board


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
        {name: 1 / (i + 2) for i, name in enumerate(NAMES)},
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
    # It is of states expanded out of their turn, too, that this tells.
    assert sum(search.passed for search in plain) > 0


@pytest.mark.parametrize("deal", [2, 4])
def test_depths_beyond_the_deepest_take_their_turn_together(deal: int) -> None:
    plain = compare(freecell(deal), {"MovesMade": -1.0}, True, True, 2500, patience=150)
    assert plain.expanded > 300
    assert sum(item.made > 255 for item in plain.open) > 100


def endgame(seed: int, cascades: int, cells: int, home: int = 6) -> FreeCellBoard:
    """The cards left when all suits are home up to a rank, at random in few places."""
    cards = [4 * rank + suit for rank in range(home + 1, 14) for suit in range(4)]
    random.Random(seed).shuffle(cards)
    columns = tuple(tuple(cards[i::cascades]) for i in range(cascades))
    return FreeCellBoard(columns, (), (home,) * 4, cells)  # type: ignore[arg-type]


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
        # It is of moves left out that this tells.
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
    last = FreeCellBoard(((),) * (cascades - 1) + ((55,),), (), (13, 13, 13, 12), 0)
    outcome = solve(last, safe=safe, supermoves=supermoves)
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
    columns = []
    for column in board.cascades:
        mixed = generator.sample(column, len(column))
        columns.append(tuple(sorted(mixed, key=lambda card: -(card >> 2))))
    board = FreeCellBoard(tuple(columns), board.cells, board.foundations, board.cell_count)
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
    outcome = solver.run(deal, evaluator, Search("best-first"), Limits(nodes=300_000))
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
        # Under full symmetry, as others have counted.
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
    # Four cascades, no cell, every ace at the bottom and no card fits on another.
    text = "\n".join(" ".join(rank + suit for rank in "A3579JK2468TQ") for suit in "CDHS")
    outcome = solve(FreeCellBoard.from_text(text, 0, 4), {}, safe, supermoves)
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


def enumerate_states(board: FreeCellBoard, most: int = 5000) -> tuple[int, bool] | None:
    """How many states are met, depth first, and whether all cards can go home.

    Ends as soon as they do; None if it gives up, at so many states.
    """
    root = Twin.from_board(board)
    seen: set[Key] = {root.key()}
    waiting = [root]
    while waiting:
        twin = waiting.pop()
        if sum(twin.foundations) == 52:
            return len(seen), True
        # What goes home is looked at first.
        for move in sorted(twin.moves(), key=lambda move: move[1] == "home"):
            child = twin.copy()
            child._carry_out(move)
            if child.key() not in seen:
                seen.add(child.key())
                waiting.append(child)
        if len(seen) >= most:
            return None
    return len(seen), False


@st.composite
def tight_endings(draw: st.DrawFn) -> FreeCellBoard:
    """Few cards left, and little room to move them: many of them cannot be solved."""
    cascades, cells = draw(st.integers(4, 6)), draw(st.sampled_from([0, 0, 0, 1]))
    return draw(boards(least_home=8, cascades=cascades, cells=cells))


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


ASTRAY = {"NumCardsNotAtFoundations": -1.0, "DifferenceFromTop": -0.37}


@pytest.mark.parametrize("memory", [1_000_000, 3_000_000, 20_000_000])
def test_the_memory_limit(memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    enlarge = best_first.enlarge

    def measured(work: best_first.BestFirstWork) -> best_first.BestFirstWork:
        larger = enlarge(work)
        sizes.append(sum(array.nbytes for array in larger))
        return larger

    monkeypatch.setattr(best_first, "enlarge", measured)
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


@pytest.mark.parametrize("name", solver.SEARCHES)
def test_only_best_first_weighs_the_moves_made(name: str) -> None:
    search, features = Search(name), ("HSDH", MOVES_MADE)
    solver.check_search(search, NAMES[:-1])
    GAME.check(search, NAMES[:-1])
    evaluator = Evaluator(features, (1.0, 0.5))
    if name == "best-first":
        assert solver.check_search(search, features) == {
            "automatic": "safe",
            "supermoves": "yes",
            "patience": 0,
        }
        GAME.check(search, features)
        assert solver.run(1, evaluator, search, Limits(nodes=10)).status is Status.NODE_LIMIT
        return
    for refused in (
        lambda: solver.check_search(search, features),
        lambda: GAME.check(search, features),
        lambda: solver.run(1, evaluator, search, Limits(nodes=10)),
    ):
        with pytest.raises(BadInput, match=f"{name} cannot weigh MovesMade; best-first can"):
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


@pytest.mark.parametrize("size", [100.0, 1000.0, 1e6, -1e6, 1e300])
def test_large_weights_are_weighed_as_truly_as_small_ones(size: float) -> None:
    """Or refused in words."""
    weights = {"HSDH": size, "FreeCells": size / 3}
    try:
        solve(1, weights, nodes=1)
    except BadInput:
        return
    compare(endgame(1, 5, 2), weights, True, True, 300)


# ------------------------------------------------------------------ nothing else matters

CASES = [
    (deal, *more)
    for deal, more in zip(
        [1, 617, 31465, 1941, 11982, 25450, 2, 178, 9993, 14292, 26693, 30000],
        SETS * 2,
        strict=True,
    )
]


def results(cases: list[tuple[int, Mapping[str, float], bool, bool, int]]) -> list[object]:
    return [found(solve(*case, nodes=30_000)) for case in cases]


@pytest.fixture(scope="module")
def expected() -> list[object]:
    return results(CASES)


@pytest.mark.parametrize("size", [1, 97, 10**9])
def test_slices_do_not_matter(
    size: int, expected: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(best_first, "SLICE", size)
    cases = CASES[:3] if size == 1 else CASES
    assert results(cases) == expected[: len(cases)]


@pytest.mark.parametrize("seed", range(3))
def test_deals_solved_before_do_not_matter(seed: int, expected: list[object]) -> None:
    order = list(range(len(CASES)))
    random.Random(seed).shuffle(order)
    # Another variant in between leaves other things behind.
    solve(freecell(seed + 1, 9, 7), ASTRAY, nodes=25_000)
    solve(freecell(seed + 1, 4, 0), ASTRAY, nodes=25_000)
    for place in order:
        assert results([CASES[place]]) == [expected[place]]


def test_threads_do_not_matter(expected: list[object]) -> None:
    with ThreadPoolExecutor(2) as pool:
        forwards = pool.submit(results, CASES)
        backwards = pool.submit(results, CASES[::-1])
        assert forwards.result() == expected
        assert backwards.result()[::-1] == expected


def run_alone(
    search: best_first.BestFirst,
    deal: int,
    limits: Limits,
    weights: Mapping[str, float],
    patience: int = 0,
) -> tuple[object, ...]:
    board = freecell(deal)
    vector = solver.weight_vector(Evaluator(tuple(weights), tuple(weights.values())))
    values = {"automatic": "none", "supermoves": "yes", "patience": patience}
    result: Found = search.run(pack_board(board), np.array([8, 4]), vector, values, limits)
    return result.status, result.nodes, None if result.moves is None else result.moves.tolist()


@pytest.mark.parametrize("memory", [1_000_000, 5_000_000, 30_000_000])
def test_arrays_that_grew_for_other_deals_do_not_matter(memory: int) -> None:
    small = Limits(nodes=100_000, memory=memory)
    used = best_first.BestFirst()
    run_alone(used, 11982, Limits(nodes=400_000), HSDH)
    run_alone(used, 1941, Limits(nodes=400_000), ASTRAY, patience=1000)
    for deal, *how in [
        (617, QUICK, 0),
        (31465, HSDH, 100),
        (1941, EVOLVED, 0),
        (11982, QUICK, 1),
    ]:
        fresh = run_alone(best_first.BestFirst(), deal, small, *how)
        assert run_alone(used, deal, small, *how) == fresh


def resized(nodes: int, entries: int) -> best_first.BestFirstWork:
    """Arrays for so many expanded states and so many met."""
    work = best_first.new_work()
    sizes = {"table": entries / work.entry_parent.size}
    sizes |= dict.fromkeys(best_first._ENTRY_ARRAYS, entries / work.entry_parent.size)
    sizes |= dict.fromkeys(best_first._NODE_ARRAYS, nodes / work.node_entry.size)
    arrays = {name: getattr(work, name) for name in sizes}
    return work._replace(
        **{name: np.zeros(int(a.size * sizes[name]), a.dtype) for name, a in arrays.items()}
    )


@pytest.mark.parametrize("patience", [0, 50])
@pytest.mark.parametrize("deal", [617, 11982, 1941])
def test_growing_does_not_matter(deal: int, patience: int) -> None:
    """The least arrays there can be against arrays that never have to grow."""
    kinds = []
    for nodes, entries in ((1, 512), (1 << 18, 1 << 18)):
        search = best_first.BestFirst()
        search._small = resized(nodes, entries)
        kinds.append(run_alone(search, deal, Limits(nodes=90_000), HSDH, patience))
    assert kinds[0] == kinds[1]


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


def test_the_evaluators_order_of_features_does_not_matter() -> None:
    turned = dict(reversed(list(EVOLVED.items())))
    assert list(turned) != list(EVOLVED)
    for deal in (1, 2, 3):
        assert found(solve(deal, turned)) == found(solve(deal, EVOLVED))


def test_solving_many_is_solving_each() -> None:
    evaluator = Evaluator(tuple(QUICK), tuple(QUICK.values()))
    weights = solver.Weights("freecell", {}, evaluator, Search("best-first"), Limits(nodes=5000))
    deals = [*range(1, 8), freecell(9, 9, 3), 11982, 31465]
    alone = [found(solver.solve(deal, weights)) for deal in deals]
    for jobs in (1, 2):
        many = solver.solve_many(deals, weights, jobs=jobs)
        assert [found(outcome) for outcome in many] == alone
