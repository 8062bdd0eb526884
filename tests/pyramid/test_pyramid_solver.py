"""Whole decks through the package's front door, and the game as the framework sees it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from deals import DealError, PyramidDeck, pyramid
from gafreecell.solitaire.game import game
from gafreecell.solitaire.pyramid import GAME, solve, solve_many, verify
from gafreecell.solitaire.pyramid.solver import SOLVER, with_goal
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Search, Status, Task
from gafreecell.solving.parameters import ParameterError
from gafreecell.solving.weights import WeightsError, parse_weights

EXAMPLE = PyramidDeck.from_text(
    "6d 5h Ah Jd 4s Ks 6s 8c 2h 4d 9s Kd 6c Ad 8s Ac 5c 9d 7h 3h 8d 5s 4c Qc Jh Kc Kh 3c 3s 9c As "
    "5d Qh Ts 4h 7s Td 9h Th 7c 8h 2c 7d Tc 2d 6h 2s Js Qd 3d Qs Jc"
)
"""The example in the README of mchung94/pyramid-solver."""
SLOWEST = PyramidDeck.from_text(
    "Th 2h 4d 3h Qd 8h 9h 5d Jc Td 7c 4c Ts Ac 9c 8d 5s 2s 7h 6s 7s 2c 9d Qs 3d 5c 5h Ad "
    "8s Js 6c 9s 4h Kh Jd 4s 2d 6d Ks Qc 3s 3c Kc 7d Tc Ah 6h Qh Kd 8c As Jh"
)
"""The slowest deck it knows: it has no solution."""
TABLE = Path(__file__).parents[2] / "docs" / "pyramid.csv"


def replayed(deck: PyramidDeck, outcome: Outcome, goal: str = "clear") -> None:
    """A solution is legal, ends where it should and is as long as it says."""
    assert (outcome.moves is not None) == (outcome.status is Status.SOLVED)
    if outcome.moves is None or outcome.lengths is None:
        return
    verdict = verify(deck, outcome.moves)
    assert verdict.legal
    assert verdict.cleared or goal != "clear"
    assert outcome.lengths["steps"] == len(outcome.moves) == verdict.steps
    if goal.startswith("score"):
        assert outcome.lengths["score"] == verdict.score
    if goal.startswith("cards"):
        assert outcome.lengths["cards"] == verdict.count("A23456789TJQK".index(goal[6]) + 1)


def test_the_decks_of_the_readme() -> None:
    outcome = solve(EXAMPLE)
    replayed(EXAMPLE, outcome)
    assert outcome.lengths == {"steps": 45}
    assert solve(SLOWEST).status is Status.UNSOLVABLE


def test_deals_have_the_lengths_of_the_committed_table() -> None:
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["deal"]) for row in rows] == list(range(1, 1501))
    for row, outcome in zip(rows, solve_many(range(1, 101), jobs=1), strict=False):
        assert row["status"] == outcome.status
        assert row["generated"] == str(outcome.nodes.generated)
        assert row["steps"] == str((outcome.lengths or {}).get("steps", ""))
        replayed(pyramid(int(row["deal"])), outcome)


@pytest.mark.parametrize("goal", ["score", "score:500", "cards:Q", "cards:K:4", "cards:6:3"])
def test_challenges(goal: str) -> None:
    for number in range(1, 9):
        deck = pyramid(number)
        outcome = solve(deck, goal=goal)
        assert outcome.status.decided
        replayed(deck, outcome, goal)
        if outcome.lengths and goal.count(":") == (2 if goal[0] == "c" else 1):
            kind = goal.partition(":")[0]
            assert outcome.lengths[kind] >= int(goal.rpartition(":")[2])


def test_limits() -> None:
    assert solve(SLOWEST, limits=Limits(nodes=1000)).status is Status.NODE_LIMIT
    assert 1000 <= solve(SLOWEST, limits=Limits(nodes=1000)).nodes.generated < 1600
    assert solve(SLOWEST, limits=Limits(memory=500_000)).status is Status.MEMORY_LIMIT
    assert solve(SLOWEST, limits=Limits(seconds=1e-6)).status is Status.TIME_LIMIT
    for goal in ("score", "cards:Q"):
        assert solve(SLOWEST, limits=Limits(nodes=10), goal=goal).status is Status.NODE_LIMIT


def test_nothing_depends_on_who_solves_what_before() -> None:
    alone = {n: solve(n) for n in (7, 3)}
    many = solve_many([3, 7, 3], jobs=2)
    for outcome, number in zip(many, (3, 7, 3), strict=True):
        assert (outcome.moves, outcome.nodes) == (alone[number].moves, alone[number].nodes)
    assert solve_many([]) == []


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("win", "'win' is not a goal: expected clear, score"),
        ("score:", "is not a goal"),
        ("score:0", "expected a positive number"),
        ("score:1291", "'score:1291': there are at most 1,290 points"),
        ("cards", "is not a goal"),
        ("cards:X", "rank must be A or 2"),
        ("cards:Q:5", "'cards:Q:5': there are at most 4 cards"),
    ],
)
def test_goals_that_are_none(goal: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        solve(1, goal=goal)


def test_bad_input() -> None:
    with pytest.raises(DealError):
        solve(0)
    with pytest.raises(WeightsError, match="Pyramid has optimal"):
        solve(1, preset="best")
    with pytest.raises(ParameterError, match="jobs must be positive"):
        solve_many([1], jobs=0)
    with pytest.raises(ParameterError, match="there is no search 'beam'; there are a-star"):
        GAME.check(Search("beam"))
    with pytest.raises(ParameterError, match="no parameter 'width'; it has goal, rank"):
        GAME.check(Search("a-star", {"width": 3}))
    with pytest.raises(WeightsError, match="unknown features Kings; Pyramid has none"):
        SOLVER.run(1, Evaluator(("Kings",), (1.0,)), Search("a-star"), Limits(), {})
    with pytest.raises(ParameterError, match="Pyramid has no option 'cells'; it has none"):
        GAME.vary(cells=3)


def test_the_game_as_the_framework_sees_it() -> None:
    assert game("pyramid") is GAME
    assert GAME.vary().variant == GAME.variant == {}
    weights = GAME.preset(GAME.default_preset)
    assert parse_weights(weights.to_text(), "text") == weights
    assert with_goal("optimal", "cards:10:2").search.parameters["rank"] == "T"
    board = GAME.read_deal(3)
    assert GAME.read_boards(GAME.write_board(board)) == [board]
    assert list(GAME.deal_set("2-4")) == [2, 3, 4]
    with pytest.raises(ParameterError, match="Pyramid has no set of deals"):
        GAME.deal_set("all")
    outcome = GAME.run([Task(board, None, weights.search, weights.limits)])[0]
    lines = list(GAME.write_solution(board, outcome))
    assert lines[0].split(". ")[0].strip() == "1" and len(lines) == len(outcome.moves or ())
    for text in ("\n".join(lines), json.dumps({"moves": outcome.moves}), " ".join(lines).upper()):
        steps = GAME.read_moves(text)
        assert GAME.verify(board, steps) == ""
        assert "expected an empty pyramid" in GAME.verify(board, steps[:-1])
    with pytest.raises(ValueError, match=r"^line 1: expected Draw, .*got 'nothing'"):
        GAME.read_moves("nothing")
