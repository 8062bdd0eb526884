"""Conditions of rules as text, and policies in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals import BadInput
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import BEST_FIRST, LINEAR, RULES, Evaluator, Phase
from gafreecell.solving.policy import Policy, policy_of
from gafreecell.solving.rules import (
    AND,
    AT_MOST,
    OR,
    OVER,
    Comparison,
    ConditionError,
    Rule,
    parse_rule,
)

NAMES = ["near", "far-off", "A_3", "or", "and"]
COMPARISONS = st.builds(
    Comparison,
    st.sampled_from(NAMES),
    st.sampled_from([AT_MOST, OVER]),
    st.floats(allow_nan=False, allow_infinity=False),
)
CONDITIONS = st.builds(
    Rule, st.lists(COMPARISONS, min_size=1, max_size=2).map(tuple), st.sampled_from([AND, OR])
)


@given(CONDITIONS)
def test_what_is_written_is_read(rule: Rule) -> None:
    assert parse_rule(str(rule), NAMES) == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("near>1", Rule((Comparison("near", OVER, 1.0),))),
        ("  near  <=  -2.5e-3 ", Rule((Comparison("near", AT_MOST, -0.0025),))),
        (
            "near > .5   or far-off<=1",
            Rule((Comparison("near", OVER, 0.5), Comparison("far-off", AT_MOST, 1.0)), OR),
        ),
        ("or > 1 or and > 2", Rule((Comparison("or", OVER, 1), Comparison("and", OVER, 2)), OR)),
    ],
)
def test_as_people_write_it(text: str, rule: Rule) -> None:
    assert parse_rule(text, NAMES) == rule


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["a condition is 'FEATURE <= NUMBER'", "''"]),
        ("near", ["a condition is", "'near'"]),
        ("near < 1", ["a condition is", "near < 1"]),
        ("near > 1 xor far-off > 1", ["a condition is", "'and' or 'or'"]),
        *[(text, ["a condition is"]) for text in ("near >= 1", "near = 1", "1 < near", "x" * 500)],
        ("near > 1 and", ["a condition is"]),
        ("near > 1 and far-off > 1 or near > 2", ["a condition is"]),
        ("near > far-off", ["near is compared with a finite number", "'far-off'"]),
        ("near > nan", ["finite number", "'nan'"]),
        ("near > inf", ["finite number", "'inf'"]),
        ("near > 1 and far-off <= -inf", ["far-off is compared with a finite number"]),
        ("luck > 1", ["'luck' is compared", "none of", "near, far-off", "weights of 0"]),
        ("near > 1 or luck > 1", ["'luck' is compared"]),
    ],
)
def test_what_is_no_condition(text: str, parts: list[str]) -> None:
    with pytest.raises(ConditionError) as fault:
        parse_rule(text, NAMES)
    reason = str(fault.value)
    assert "\n" not in reason and len(reason) < 300
    for part in parts:
        assert part in reason


ONE = Comparison("near", OVER, 1.0)
RULE = (Rule((ONE,)),)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: Comparison("near", ">=", 1.0), "a comparison's sign is <= or >"),
        (lambda: Comparison("near", OVER, float("nan")), "a threshold is a finite number"),
        (lambda: Rule(()), "one comparison or two, got 0"),
        (lambda: Rule((ONE,) * 3), "one comparison or two, got 3"),
        (lambda: Rule((ONE, ONE), "xor"), "joined by and or or"),
        (lambda: Evaluator(("near",), (1.0,), (), RULE, (0.0, 0.0)), "but 1 weight for 1 rule and"),
        (lambda: Evaluator(("near",), (1.0, 2.0), (), RULE), "1 rule but 0 offsets"),
        (lambda: Evaluator(("near",), (1.0,), offsets=(1.0,)), "0 rules but 1 offset"),
        (lambda: Evaluator(("far",), (1.0, 2.0), (), RULE, (0.0, 0.0)), "'near', which is none of"),
        (lambda: Evaluator(("near",), (1.0, 2.0), (Phase(),), RULE, (0.0, 0.0)), "not both"),
    ],
)
def test_what_cannot_be_made(make: Any, what: str) -> None:
    with pytest.raises(ValueError, match=what) as fault:
        make()
    assert not isinstance(fault.value, BadInput)


def test_a_lone_comparison_joins_nothing() -> None:
    assert Rule((ONE,), OR) == Rule((ONE,), AND)
    assert hash(Rule((ONE,), OR)) == hash(Rule((ONE,)))


def test_kinds_and_rows() -> None:
    policy = Evaluator(("near", "far"), (1.0, 2.0, 3.0, 4.0), (), (Rule((ONE,)),), (0.5, 0.0))
    assert policy.kind == RULES and policy.rows == ((1.0, 2.0), (3.0, 4.0))
    linear = Evaluator(("near", "far"), (1.0, 2.0))
    assert linear.kind == LINEAR and linear.rows == ((1.0, 2.0),)
    schedule = Evaluator(("near",), (1.0, 2.0), (Phase(9), Phase(None, BEST_FIRST)))
    assert schedule.rows == ((1.0,), (2.0,))
    # Evaluators are keys of what is remembered.
    offsets = Evaluator(("near", "far"), policy.weights, (), policy.rules, (0.5, 1.0))
    assert len({policy, offsets, linear}) == 3


FEATURES = tuple(Feature(name, "") for name in ("near", "middle", "far"))


@given(
    st.lists(st.tuples(CONDITIONS, st.floats(-9, 9)), min_size=1, max_size=4),
    st.lists(st.floats(-2, 2), min_size=5, max_size=5),
)
def test_a_policy_in_plain_python(rules: list[tuple[Rule, float]], values: list[float]) -> None:
    """Against the conditions as Python reads their text."""
    scope = {f"x{i}": value for i, value in enumerate(values)}
    expected = 100.0
    for rule, offset in reversed(rules):
        words = str(rule).split()
        for at in range(0, len(words), 4):
            words[at] = f"x{NAMES.index(words[at])}"
        if eval(" ".join(words), {}, scope):
            expected = offset
    weights = (0.0,) * 5 * (len(rules) + 1)
    offsets = (*(offset for _, offset in rules), 100.0)
    evaluator = Evaluator(tuple(NAMES), weights, (), tuple(rule for rule, _ in rules), offsets)
    features = tuple(Feature(name, "") for name in NAMES)
    policy = policy_of(evaluator, np.array(evaluator.rows), features)
    assert policy.value(values) == expected


def test_its_value_is_offset_and_weighted_sum() -> None:
    rule = parse_rule("far > 1 and near <= 0", ["far", "near"])
    evaluator = Evaluator(("far", "near"), (1.0, 2.0, 3.0, 4.0), (), (rule,), (10.0, 20.0))
    rows = np.array([[2.0, 0.0, 1.0], [4.0, 0.0, 3.0]])
    policy = policy_of(evaluator, rows, FEATURES)
    assert policy.value([0.0, 7.0, 2.0]) == 10 + 2
    assert policy.value([0.5, 7.0, 2.0]) == 20 + 4 * 0.5 + 3 * 2
    assert policy.default.tolist() == [4.0, 0.0, 3.0]
    assert isinstance(policy, Policy) and policy == policy
    assert hash(policy) == hash(policy)
