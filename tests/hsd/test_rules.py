"""Policies of rules in FreeCell's searches: against plain twins, and who takes them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from engine import NOT_OF_BOARD, Engine
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_features import values_of
from plain_rules import Plain, Sum
from positions import endgame, endings
from random_games import SEEDS, starts, walk
from searching import (
    EVOLVED,
    PATIENCES,
    QUICK,
    Way,
    best_first,
    compare,
    evaluator,
    found,
    run,
    staged,
)

from deals import FreeCellBoard, freecell
from deals.errors import BadInput
from gafreecell.solving.outcome import Evaluator, Limits, Search, Status
from gafreecell.solving.parameters import ParameterError
from gafreecell.solving.rules import parse_rule
from hsd import solver
from hsd.game import GAME
from hsd.kernels.features import MOVES_MADE, NAMES
from hsd.kernels.linear import UNIT

MADE = st.integers(0, 300)
ON_BOARD = [name for name in NAMES if name not in NOT_OF_BOARD]
COMPARED = [*ON_BOARD, MOVES_MADE]
TAKEN = ("staged", "best-first", "ida-star")


@st.composite
def conditions(draw: st.DrawFn, names: list[str] = COMPARED) -> str:
    """Conditions on thresholds that no feature of a position meets by rounding."""
    sides = [
        f"{draw(st.sampled_from(names))} {draw(st.sampled_from(['<=', '>']))} "
        f"{draw(st.integers(-1, 96)) / 97!r}"
        for _ in range(draw(st.integers(1, 2)))
    ]
    return draw(st.sampled_from([" and ", " or "])).join(sides)


def policies(sums: st.SearchStrategy[Sum], names: list[str] = COMPARED) -> st.SearchStrategy[Plain]:
    rules = st.lists(st.tuples(conditions(names), sums), min_size=1, max_size=4).map(tuple)
    return st.builds(Plain, rules, sums)


WEIGHTS = st.dictionaries(st.sampled_from(COMPARED), st.floats(-1, 1), max_size=6)
SUMS = st.tuples(st.floats(-2, 2), WEIGHTS)


# ------------------------------------------------------------------ the value of a state


@settings(max_examples=30)
@given(starts(), policies(SUMS), MADE, SEEDS)
def test_the_first_rule_that_holds_gives_the_sum(
    board: FreeCellBoard, policy: Plain, made: int, seed: int
) -> None:
    rules = evaluator(policy)
    for engine in walk(board, seed, 6):
        offset, weights = policy.chosen(engine.twin(), made)
        expected = engine.linear_score(weights, made) + round(offset * UNIT)
        assert engine.linear_score(rules, made) == expected


@settings(max_examples=30)
@given(starts(), policies(SUMS), MADE, SEEDS)
def test_the_score_after_a_move_is_told_before_it(
    board: FreeCellBoard, policy: Plain, made: int, seed: int
) -> None:
    rules = evaluator(policy)
    for engine in walk(board, seed, 4):
        engine.check_scores_after(rules, made)


WEIGHTS_ON_BOARD = st.dictionaries(st.sampled_from(ON_BOARD), st.floats(-1, 1), max_size=6)


@given(starts(), policies(st.tuples(st.floats(-2, 2), WEIGHTS_ON_BOARD), ON_BOARD))
def test_the_value_in_floats(board: FreeCellBoard, policy: Plain) -> None:
    engine, rules = Engine(board), evaluator(policy)
    offset, weights = policy.chosen(engine.twin())
    values = values_of(engine.twin())
    expected = offset + sum(weight * values[name] for name, weight in weights.items())
    assert engine.float_score_by_rules(rules) == pytest.approx(expected, abs=1e-12)
    # The same in Python, for searches that are not jitted.
    known = engine.features()
    listed = [known.get(name, 0.0) for name in NAMES]
    told = solver.SOLVER.policy(rules).value(listed)
    assert told == pytest.approx(engine.float_score_by_rules(rules), abs=1e-12)


@pytest.mark.parametrize("name", COMPARED)
@given(board=starts(), made=MADE, threshold=st.integers(-1, 96))
@settings(max_examples=10)
def test_each_feature_compared(name: str, board: FreeCellBoard, made: int, threshold: int) -> None:
    policy = Plain(((f"{name} <= {threshold / 97!r}", (1.0, {})),), (-1.0, {}))
    offset, _ = policy.chosen(Engine(board).twin(), made)
    assert Engine(board).linear_score(evaluator(policy), made) == offset * UNIT


def test_rows_are_halved_alike() -> None:
    """Whole numbers have no room for large weights: offsets and all rows shrink as much."""
    small, large = (
        Plain((("CellsFull > 0.5", (size, {"HSDH": size / 2})),), (size / 4, {"AboveNext": size}))
        for size in (1.0, 2.0**40)
    )
    for seed in range(20):
        one, other = (
            run(endgame(seed, 5, 2), "best-first", policy, {}, 3000) for policy in (small, large)
        )
        assert found(one) == found(other)


# ------------------------------------------------------------------ the searches

POLICIES = [
    Plain(
        (("CellsUsed > 0.3", (0.25, {"HSDH": 1.0})), ("NotPlaced <= 0.4", (0.0, QUICK))),
        (0.5, {"NotPlaced": 1.0, "MovesMade": 0.1}),
    ),
    Plain(
        (("MovesMade <= 0.05 or LeastAboveNext > 0.1", (0.0, {"LeastAboveNext": 1.0})),), (0.0, {})
    ),
    Plain(
        (
            ("CellsFull > 0.5 and FreeCells > 0.9", (1.0, {"NumCardsNotAtFoundations": 0.5})),
            ("KingsBuried > 0.9 or NumberWellPlaced > 0.5", (0.0, {"HSDH": -1.0})),
            ("SequenceBreaks <= 0.31", (0.125, QUICK)),
        ),
        (-0.5, QUICK | {"MovesMade": 0.25}),
    ),
]


# Sums that are the same to the last bit in both, so that equal scores are equal.
TIED: list[Sum] = [
    (0.0, {"HSDH": 1.0}),
    (0.25, {"NumCardsNotAtFoundations": 1.0}),
    (-1.5, {}),
    (0.0, {"NumberWellPlaced": 0.25, "FreeCells": 0.125}),
]
BY_RULES = st.builds(
    best_first, st.sampled_from(POLICIES), st.booleans(), st.booleans(), PATIENCES
) | st.builds(staged, policies(st.sampled_from(TIED), ON_BOARD), st.integers(1, 3), st.booleans())


@settings(max_examples=30)
@given(BY_RULES, endings(), st.sampled_from([1, 50, 300]))
def test_endings_against_plain_searches(way: Way, board: FreeCellBoard, limit: int) -> None:
    compare(way, board, limit)


@pytest.mark.parametrize("policy", POLICIES)
def test_best_first_uses_every_rule(policy: Plain) -> None:
    by = []
    for seed in range(2):
        by += compare(best_first(policy), endgame(seed, 5, 3), 250).by
    by += compare(best_first(policy, False, patience=20), freecell(3), 150).by
    assert all(any(one is used for used in by) for _, one in policy.rules)
    assert any(policy.default is used for used in by)


@pytest.mark.parametrize("depth", [1, 2])
def test_staged_deepening_uses_every_rule(depth: int) -> None:
    policy = Plain(
        (("CellsUsed > 0.4", TIED[1]), ("HSDH <= 0.05 or AboveNext > 0.5", TIED[3])), TIED[0]
    )
    by = [one for deal in (1, 5) for one in compare(staged(policy, depth), freecell(deal), 200).by]
    assert {one[0] for one in by} == {TIED[i][0] for i in (0, 1, 3)}


@pytest.mark.parametrize("search", TAKEN)
def test_rules_that_never_hold_and_rules_that_always_do(search: str) -> None:
    """Then a policy is the weighted sum that is left."""
    linear = evaluator(EVOLVED)
    other = tuple(weight * (i % 3 - 1) for i, weight in enumerate(linear.weights))
    first = linear.features[0]
    for text, rows in ((f"{first} > 2", (other, linear.weights)), (f"{first} <= 2", ())):
        weights = sum(rows or (linear.weights, other), ())
        rules = (parse_rule(text, linear.features),)
        policy = replace(linear, weights=weights, rules=rules, offsets=(0.0, 0.0))
        for deal in (1, 617, 11982):
            by_sum, by_rules = (
                solver.run(deal, by, Search(search), Limits(5_000)) for by in (linear, policy)
            )
            assert found(by_sum) == found(by_rules)


def test_other_weights_make_another_search() -> None:
    """What a rule says matters to each search that takes rules."""
    for search in TAKEN:
        counts = set()
        for weight in (0.0, 1.0, -1.0):
            policy = Plain(
                (("CellsUsed > 0.3", (0.1, {"CellRanks": weight})),), (0.0, {"HSDH": 1.0})
            )
            outcome = run(1, search, policy, {}, 20_000)
            counts.add((outcome.status, outcome.nodes, outcome.moves))
        assert len(counts) == 3, search


def test_a_deal_without_a_solution_is_proved_by_rules_as_well() -> None:
    outcome = run(11982, "best-first", POLICIES[0], {})
    assert outcome.status is Status.UNSOLVABLE
    # As many states as any best-first search meets (see ``test_schedule``).
    assert outcome.nodes.generated == 61_643


# ------------------------------------------------------------------ who takes them


def test_some_searches_take_rules() -> None:
    assert GAME.ruled == TAKEN


@pytest.mark.parametrize("search", [name for name in GAME.searches if name not in TAKEN])
def test_the_others_refuse_them(search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is compiled."""
    monkeypatch.setattr(solver.SOLVER, "instance", None)
    policy = Plain((("NotPlaced > 0.5", (0.0, {})),), (0.0, {"NotPlaced": 1.0}))
    with pytest.raises(ParameterError, match=f"{search} takes one weighted sum, no rules"):
        run(1, search, policy, {}, 10)


@pytest.mark.parametrize(
    ("search", "feature"), [("staged", MOVES_MADE), ("best-first", "BreaksRun")]
)
def test_what_a_search_does_not_weigh_it_does_not_compare(search: str, feature: str) -> None:
    policy = Plain(((f"{feature} > 0.5", (0.0, {})),), (0.0, {"NotPlaced": 1.0}))
    with pytest.raises(BadInput, match=f"{search} cannot weigh {feature}"):
        run(1, search, policy, {}, 10)
    unknown = Evaluator(("Luck",), (1.0, 0.0), (), (parse_rule("Luck > 1", ["Luck"]),), (0.0, 0.0))
    with pytest.raises(BadInput, match="unknown features Luck"):
        solver.run(1, unknown, Search(search), Limits(10))


def test_arrays_hold_no_more_than_kernels_read() -> None:
    policy = solver.SOLVER.policy(evaluator(POLICIES[2]))
    assert policy.weights.shape == (4, len(NAMES)) and policy.offsets.shape == (4,)
    assert policy.feature.shape == policy.threshold.shape == policy.over.shape == (6,)
    assert policy.either.tolist() == [0, 1, 0]
    assert policy.feature.tolist() == [
        NAMES.index(name)
        for name in ["CellsFull", "FreeCells", "KingsBuried", "NumberWellPlaced", "SequenceBreaks"]
    ] + [NAMES.index("SequenceBreaks")]
    assert policy.over.tolist() == [1, 1, 1, 1, 0, 0]
    assert np.allclose(policy.threshold, [0.5, 0.9, 0.9, 0.5, 0.31, 0.31])
