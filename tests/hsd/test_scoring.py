"""Features and scores of positions, against plain Python and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from engine import Engine
from hypothesis import given, settings
from hypothesis import strategies as st
from linked_boards import bound_of
from plain_features import FUNCTIONS, values_of
from plain_twin import Twin
from random_boards import boards

from deals import FreeCellBoard, freecell
from gafreecell.service.described import described
from gafreecell.solving.outcome import Evaluator, Phase
from gafreecell.solving.rules import parse_rule
from gafreecell.solving.scoring import ScoreError, score_of
from hsd import GAME
from hsd.kernels.deadlock import new_graph
from hsd.kernels.features import NAMES, NINE
from hsd.kernels.linear import UNIT
from hsd.scoring import feature_values

GRAPH = new_graph()
TWO = ("NotPlaced", "CellsUsed")
VALUES = {"NotPlaced": 0.5, "CellsUsed": 0.25}


@settings(max_examples=50)
@given(boards())
def test_features_against_plain_python(board: FreeCellBoard) -> None:
    found = feature_values(board)
    assert tuple(found) == NAMES
    plain = values_of(Twin.from_board(board))
    assert {name: found[name] for name in plain} == pytest.approx(plain, abs=1e-12)
    assert found["DeadlockBound"] * 48 == pytest.approx(bound_of(board, GRAPH, 255))
    assert (found["MovesMade"], found["BreaksRun"]) == (0.0, 0.0)
    assert len(plain) >= len(FUNCTIONS)


@settings(max_examples=30)
@given(boards(), st.integers(0, 2**32))
def test_a_score_is_what_searches_in_whole_numbers_have(board: FreeCellBoard, seed: int) -> None:
    drawn = np.random.default_rng(seed).uniform(-1, 1, len(NINE)).tolist()
    names = tuple(feature.name for feature in NINE)
    exact = score_of(Evaluator(names, tuple(drawn)), feature_values(board))
    whole = Engine(board).linear_score(dict(zip(names, drawn, strict=True)))
    assert whole / UNIT == pytest.approx(exact, abs=1e-4)


def test_a_score_is_the_sum_of_the_products() -> None:
    assert score_of(Evaluator(TWO, (2.0, 4.0)), VALUES) == 2.0
    phases = (Phase(10), Phase())
    schedule = Evaluator(TWO, (2.0, 4.0, 1.0, 0.0), phases)
    assert [score_of(schedule, VALUES, phase) for phase in (1, 2)] == [2.0, 0.5]
    with pytest.raises(ScoreError, match="the weights have 2 phases, got phase 3"):
        score_of(schedule, VALUES, 3)
    with pytest.raises(ScoreError, match="a position alone has no feature OrderHome"):
        score_of(Evaluator(("OrderHome",), (1.0,)), VALUES)


@pytest.mark.parametrize(
    ("rule", "score"),
    [
        ("CellsUsed > 0.2", 12.0),
        ("CellsUsed > 0.25", 20.5),
        ("CellsUsed <= 0.25", 12.0),
        ("CellsUsed > 0.2 and NotPlaced > 0.6", 20.5),
        ("CellsUsed > 0.2 or NotPlaced > 0.6", 12.0),
    ],
)
def test_the_first_rule_that_holds_gives_the_score(rule: str, score: float) -> None:
    rules = (parse_rule(rule, TWO),)
    evaluator = Evaluator(TWO, (2.0, 4.0, 1.0, 0.0), rules=rules, offsets=(10.0, 20.0))
    assert score_of(evaluator, VALUES) == score


def test_a_description_holds_what_plain_python_finds() -> None:
    weights = GAME.preset("hsd-evolved")
    about = described(weights, GAME).provenance["about"]
    assert weights.evaluator and about["engine"] == GAME.engine
    features = weights.evaluator.features
    assert tuple(one["name"] for one in about["features"]) == features
    assert all(one["meaning"] and one["range"] == [0.0, 1.0] for one in about["features"])
    boards = [GAME.read_boards(vector["board"])[0] for vector in about["vectors"]]
    assert (
        boards[0] == freecell(int(GAME.deals("ms32k-train")[0]))
        and len({str(board) for board in boards}) == 4
    )
    for board, vector in zip(boards, about["vectors"], strict=True):
        assert board is not None
        found = values_of(Twin.from_board(board))
        assert vector["features"] == pytest.approx({name: found[name] for name in features})
        products = zip(features, weights.evaluator.weights, strict=True)
        score = sum(found[name] * weight for name, weight in products)
        assert vector["scores"] == pytest.approx([score])


def test_a_schedule_has_a_score_for_each_phase() -> None:
    weights = GAME.preset("fast")
    (first, *_) = described(weights, GAME).provenance["about"]["vectors"]
    assert weights.evaluator and len(first["scores"]) == len(weights.evaluator.phases)
    assert described(GAME.preset("hsdh"), GAME).evaluator == GAME.preset("hsdh").evaluator
