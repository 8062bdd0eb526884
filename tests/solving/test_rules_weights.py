"""Weights files with rules: round trips, and the messages for files that hold none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_rules_text import CONDITIONS
from test_rules_text import NAMES as COMPARED
from test_weights import NUMBERS, WEIGHTS

from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.rules import parse_rule
from gafreecell.solving.weights import Weights, WeightsError, parse_weights, read_weights

FEATURES = ("AboveNext", "CellsUsed", "NotPlaced")
POLICY = replace(
    WEIGHTS,
    evaluator=Evaluator(
        FEATURES,
        (0.5, 0.0, 1 / 3, -2.0, 0.0, 0.0, 1.0, 0.0, 1e-300),
        rules=(
            parse_rule("CellsUsed > 0.5 and NotPlaced <= 0.25", FEATURES),
            parse_rule("NotPlaced > 0.1", FEATURES),
        ),
        offsets=(0.1, 0.0, -3.0),
    ),
)


@st.composite
def policies(draw: st.DrawFn) -> Weights:
    """Weights files with rules of any kind."""
    rules = draw(st.lists(CONDITIONS, min_size=1, max_size=4))
    rows = len(rules) + 1
    count = len(COMPARED) * rows
    weights = draw(st.lists(NUMBERS, min_size=count, max_size=count))
    offsets = draw(st.lists(NUMBERS, min_size=rows, max_size=rows))
    evaluator = Evaluator(tuple(COMPARED), tuple(weights), (), tuple(rules), tuple(offsets))
    return replace(POLICY, evaluator=evaluator)


@given(policies())
def test_what_is_written_is_read(weights: Weights) -> None:
    text = weights.to_text()
    assert parse_weights(text, "here") == weights
    assert parse_weights(text, "here").to_text() == text


def test_the_file_is_what_others_rely_on(tmp_path: Path) -> None:
    POLICY.write(tmp_path / "best.json")
    assert read_weights(tmp_path / "best.json") == POLICY
    assert json.loads((tmp_path / "best.json").read_text()) == {
        "format": {"name": "gafreecell-weights", "version": 5},
        "game": "freecell",
        "variant": {"cascades": 8, "cells": 4},
        "evaluator": {
            "kind": "rules",
            "features": ["AboveNext", "CellsUsed", "NotPlaced"],
            "rules": [
                {
                    "if": "CellsUsed > 0.5 and NotPlaced <= 0.25",
                    "offset": 0.1,
                    "weights": [0.5, 0.0, 1 / 3],
                },
                {"if": "NotPlaced > 0.1", "offset": 0.0, "weights": [-2.0, 0.0, 0.0]},
            ],
            "default": {"offset": -3.0, "weights": [1.0, 0.0, 1e-300]},
        },
        "search": {"name": "staged", "parameters": {"depth": 2, "automatic": "safe"}},
        "limits": {"nodes": 1000},
        "provenance": {"run": "demo", "generation": 7},
    }


def test_offsets_may_be_left_out() -> None:
    assert parse_weights(changed("rules", 1, "offset", ...), "here") == POLICY
    without = parse_weights(changed("default", "offset", ...), "here").evaluator
    assert without is not None and without.offsets == (0.1, 0.0, 0.0)


def changed(*path_and_value: Any) -> str:
    """The good file's text with another value in the evaluator."""
    *path, last, value = path_and_value
    document = json.loads(POLICY.to_text())
    part = document["evaluator"]
    for key in path:
        part = part[key]
    if value is ...:
        del part[last]
    else:
        part[last] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (changed("kind", "rule"), ["evaluator.kind", "'rule'", "linear, schedule, rules", "later"]),
        (
            changed("kind", "linear"),
            ["'rules' is not known in evaluator", "kind, features, weights"],
        ),
        (
            changed("kind", "schedule"),
            ["'rules' is not known in evaluator", "kind, features, phases"],
        ),
        (
            changed("weights", [1, 2, 3]),
            ["'weights' is not known in evaluator", "kind, features, rules, default"],
        ),
        (changed("rules", ...), ["evaluator.rules is missing"]),
        (changed("rules", {}), ["evaluator.rules must be a list"]),
        (changed("rules", []), ["evaluator.rules is empty", "at least one rule", "linear"]),
        (changed("rules", [5]), ["evaluator.rules, rule 1 must be an object", "5"]),
        (changed("default", ...), ["evaluator.default must be an object", "None"]),
        (changed("default", [1, 2, 3]), ["evaluator.default must be an object"]),
        (
            changed("default", "if", "NotPlaced > 1"),
            ["'if' is not known in evaluator.default", "offset, weights"],
        ),
        (changed("default", "offset", "1"), ["evaluator.default: offset must be a number", "'1'"]),
        (changed("default", "weights", [1.0]), ["3 features but 1 weight", "evaluator.default"]),
        (changed("features", ["A", "A", "B"]), ["evaluator.features", "twice"]),
        (
            changed("rules", 0, "nodes", 3),
            ["'nodes' is not known in evaluator.rules, rule 1", "if, offset, weights"],
        ),
        (changed("rules", 0, "if", ...), ["rule 1: 'if' must be a condition as text", "None"]),
        (changed("rules", 0, "if", ["a", ">", 1]), ["rule 1: 'if' must be a condition as text"]),
        (
            changed("rules", 1, "if", "NotPlaced < 1"),
            ["rule 2: a condition is 'FEATURE <="],
        ),
        (changed("rules", 1, "if", "Luck > 1"), ["rule 2: 'Luck' is compared", "AboveNext, Cells"]),
        (changed("rules", 1, "if", "NotPlaced > nan"), ["rule 2: NotPlaced", "finite number"]),
        (changed("rules", 0, "offset", None), ["rule 1: offset must be a number", "None"]),
        (changed("rules", 0, "offset", True), ["rule 1: offset must be a number", "True"]),
        (changed("rules", 0, "offset", float("inf")), ["rule 1: offset", "inf"]),
        (changed("rules", 1, "weights", ...), ["rule 2.weights is missing"]),
        (changed("rules", 1, "weights", [1, "2", 3]), ["rule 2.weights", "numbers", "'2'"]),
        (changed("rules", 1, "weights", [1, 2]), ["3 features but 2 weights", "rule 2"]),
    ],
)
def test_what_is_no_policy(text: str, parts: list[str]) -> None:
    with pytest.raises(WeightsError) as fault:
        parse_weights(text, "mine.json")
    reason = str(fault.value)
    assert reason.startswith("mine.json: ") and "\n" not in reason and len(reason) < 300
    for part in parts:
        assert part in reason
