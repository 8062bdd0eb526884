"""What searches take: parameters, and features to weigh."""

from __future__ import annotations

import pytest
from engine import NOT_OF_BOARD
from searching import HSDH, evaluator

from deals.errors import BadInput
from gafreecell.solving.outcome import Evaluator, Limits, Search, Status
from hsd import solver
from hsd.game import GAME
from hsd.kernels.features import BREAKS_RUN, DEADLOCK_BOUND, MOVES_MADE, NAMES, NINE

FEW = Limits(nodes=10)


@pytest.mark.parametrize(
    ("search", "parameter", "value"),
    [
        ("best-first", "automatic", "all"),
        ("best-first", "supermoves", "maybe"),
        ("best-first", "supermoves", 2),
        ("best-first", "patience", -1),
        ("best-first", "patience", 0.5),
        ("best-first", "patience", 10**30),
        ("best-first", "depth", 2),
        ("beam", "automatic", "all"),
        ("beam", "supermoves", "maybe"),
        ("beam", "width", 0),
        ("beam", "width", 2.5),
        ("beam", "width", 10**7),
        ("beam", "wider", -1),
        ("beam", "patience", 2),
        ("a-star", "automatic", "all"),
        ("a-star", "supermoves", "yes"),
        ("a-star", "width", -1),
        ("a-star", "wider", 10**7),
        ("staged", "depth", 17),
        ("staged", "depth", 0),
        ("staged", "automatic", "all"),
        ("staged", "table", -1),
        ("staged", "table", 10**30),
        ("staged", "width", 3),
    ],
)
def test_parameters_there_are_not(search: str, parameter: str, value: int | float | str) -> None:
    with pytest.raises(BadInput, match=parameter):
        solver.run(1, evaluator(HSDH), Search(search, {parameter: value}), FEW)


@pytest.mark.parametrize("search", ["best-first", "beam", "staged"])
def test_searches_need_weights_of_features_that_there_are(search: str) -> None:
    with pytest.raises(BadInput, match="needs weights"):
        solver.run(1, None, Search(search), FEW)
    with pytest.raises(BadInput, match="unknown features Luck"):
        solver.run(1, evaluator({"HSDH": 1.0, "Luck": 2.0}), Search(search), FEW)
    with pytest.raises(BadInput, match=f"{search}s"):
        solver.run(1, evaluator(HSDH), Search(f"{search}s"), FEW)


def test_what_best_first_takes_unless_told() -> None:
    assert solver.SOLVER.check(Search("best-first"), ("HSDH", MOVES_MADE)) == {
        "automatic": "safe",
        "supermoves": "yes",
        "patience": 0,
        "shorten": "yes",
    }


WEIGH = {
    MOVES_MADE: ("best-first", "schedule", "depth-first"),
    DEADLOCK_BOUND: ("beam", "a-star"),
    BREAKS_RUN: ("schedule",),
}


@pytest.mark.parametrize("feature", WEIGH)
@pytest.mark.parametrize("name", solver.SOLVER.searches)
def test_only_some_searches_weigh_what_is_not_read_off_a_board(name: str, feature: str) -> None:
    assert set(WEIGH) == NOT_OF_BOARD, "tests/hsd/test_what_searches_take.py: say who weighs it"
    search, features = Search(name), ("AboveNext", feature)
    cannot = solver.SOLVER.searches[name].cannot_weigh
    of_board = [known for known in NAMES if known not in NOT_OF_BOARD | set(cannot)]
    solver.SOLVER.check(search, of_board)
    GAME.check(search, of_board)
    weighed = Evaluator(features, (1.0, 0.5))
    if name in WEIGH[feature] or name in GAME.unguided:
        solver.SOLVER.check(search, features)
        GAME.check(search, features)
        assert solver.run(1, weighed, search, FEW).status is Status.NODE_LIMIT
        return
    able = ", ".join(WEIGH[feature])
    for refused in (
        lambda: solver.SOLVER.check(search, features),
        lambda: GAME.check(search, features),
        lambda: solver.run(1, weighed, search, FEW),
    ):
        with pytest.raises(BadInput, match=f"{name} cannot weigh {feature}; {able} can"):
            refused()


def test_features_to_choose_from_and_those_chosen_by_default() -> None:
    assert tuple(feature.name for feature in GAME.features) == NAMES
    assert GAME.default_features == tuple(feature.name for feature in NINE)
    assert "best-first" in GAME.searches and "best-first" not in GAME.unguided


@pytest.mark.parametrize("feature", ["HSDH", "DifferenceFromTop", "LeastAboveNext"])
def test_a_schedule_weighs_nothing_that_a_move_does_not_change_by_itself(feature: str) -> None:
    with pytest.raises(BadInput, match=f"cannot weigh {feature}: .* take "):
        GAME.check(Search("schedule"), (feature,))
    with pytest.raises(BadInput, match=f"cannot weigh {feature}"):
        solver.run(1, evaluator({feature: 1.0}), Search("schedule"), FEW)
