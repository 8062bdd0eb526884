"""Weights files that hold a schedule: round trips, and the messages for those that are none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_weights import NAMES, NUMBERS, WEIGHTS

from gafreecell.solving.outcome import (
    BEST_FIRST,
    DEPTH_IN_TURN,
    LARGEST,
    Evaluator,
    Limits,
    Phase,
    Search,
)
from gafreecell.solving.weights import Weights, WeightsError, parse_weights, read_weights

SCHEDULE = replace(
    WEIGHTS,
    evaluator=Evaluator(
        ("AboveNext", "BreaksRun"),
        (0.5, 1 / 3, -2.0, 0.0, 1.0, 1e-300),
        (Phase(100), Phase(3000, DEPTH_IN_TURN), Phase()),
    ),
    search=Search("schedule", {"automatic": "safe"}),
)


@st.composite
def schedules(draw: st.DrawFn) -> Weights:
    features = draw(st.lists(NAMES, max_size=5, unique=True))
    limits = [*draw(st.lists(st.integers(1, LARGEST), max_size=4)), None]
    phases = [Phase(n, draw(st.sampled_from([BEST_FIRST, DEPTH_IN_TURN]))) for n in limits]
    count = len(features) * len(phases)
    weights = draw(st.lists(NUMBERS, min_size=count, max_size=count))
    evaluator = Evaluator(tuple(features), tuple(weights), tuple(phases))
    return replace(SCHEDULE, evaluator=evaluator, limits=Limits(draw(st.integers(1, LARGEST))))


@given(schedules())
def test_what_is_written_is_read(weights: Weights) -> None:
    text = weights.to_text()
    assert parse_weights(text, "here") == weights
    assert parse_weights(text, "here").to_text() == text


def test_the_file_is_what_others_rely_on(tmp_path: Path) -> None:
    SCHEDULE.write(tmp_path / "best.json")
    assert read_weights(tmp_path / "best.json") == SCHEDULE
    assert json.loads((tmp_path / "best.json").read_text()) == {
        "format": {"name": "gafreecell-weights", "version": 5},
        "game": "freecell",
        "variant": {"cascades": 8, "cells": 4},
        "evaluator": {
            "kind": "schedule",
            "features": ["AboveNext", "BreaksRun"],
            "phases": [
                {"nodes": 100, "rule": "best-first", "weights": [0.5, 1 / 3]},
                {"nodes": 3000, "rule": "depth-in-turn", "weights": [-2.0, 0.0]},
                {"nodes": None, "rule": "best-first", "weights": [1.0, 1e-300]},
            ],
        },
        "search": {"name": "schedule", "parameters": {"automatic": "safe"}},
        "limits": {"nodes": 1000},
        "provenance": {"run": "demo", "generation": 7},
    }


def test_rule_and_last_limit_may_be_left_out() -> None:
    text = changed(2, "nodes", ...)
    assert parse_weights(text, "here") == SCHEDULE
    assert parse_weights(changed(0, "rule", ...), "here") == SCHEDULE
    turned = parse_weights(changed(1, "rule", ...), "here").evaluator
    assert turned is not None and turned.phases[1] == Phase(3000, BEST_FIRST)


def changed(*path_and_value: Any) -> str:
    """The good file's text with another value in the evaluator, or in a phase by its number."""
    *path, last, value = path_and_value
    document = json.loads(SCHEDULE.to_text())
    part = document["evaluator"]
    for key in path:
        part = part["phases"][key] if isinstance(key, int) else part[key]
    if value is ...:
        del part[last]
    else:
        part[last] = value
    return json.dumps(document)


def with_phases(*phases: Any) -> str:
    return changed("phases", list(phases))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (changed("kind", "tree"), ["evaluator.kind", "'tree'", "linear, schedule, rules", "later"]),
        (
            changed("kind", "linear"),
            ["'phases' is not known in evaluator", "kind, features, weights"],
        ),
        (
            changed("weights", [1, 2]),
            ["'weights' is not known in evaluator", "kind, features, phases"],
        ),
        (changed("phases", ...), ["evaluator.phases is missing"]),
        (changed("phases", {}), ["evaluator.phases must be a list"]),
        (changed("phases", []), ["evaluator.phases is empty", "at least one phase"]),
        (with_phases(5), ["evaluator.phases, phase 1 must be an object", "5"]),
        (with_phases([1.0, 2.0]), ["phase 1 must be an object"]),
        (changed("features", ["A", "A"]), ["evaluator.features", "twice"]),
        (changed("features", ["A"]), ["1 feature but 2 weights", "phase 1"]),
        (changed(1, "weights", [1.0]), ["2 features but 1 weight", "phase 2"]),
        (changed(1, "weights", ...), ["phase 2.weights is missing"]),
        (changed(1, "weights", [1, "2"]), ["phase 2.weights", "numbers", "'2'"]),
        (changed(1, "weights", [1, True]), ["phase 2.weights", "numbers", "True"]),
        (changed(2, "weights", [1, float("nan")]), ["phase 3.weights", "nan"]),
        (changed(2, "weights", [1, float("inf")]), ["phase 3.weights", "inf"]),
        (changed(0, "rule", "worst-first"), ["phase 1: rule", "best-first or depth-in-turn"]),
        (changed(0, "rule", 3), ["phase 1: rule", "best-first or depth-in-turn", "3"]),
        (changed(0, "rule", None), ["phase 1: rule", "None"]),
        (changed(0, "rule", ["best-first"]), ["phase 1: rule", "best-first or depth-in-turn"]),
        (
            changed(0, "patience", 3),
            ["'patience' is not known in evaluator.phases, phase 1,", "has nodes, rule, weights"],
        ),
        (changed(0, "nodes", ...), ["phase 1: nodes", "positive whole number", "None"]),
        (changed(1, "nodes", None), ["phase 2: nodes", "positive whole number", "None"]),
        (changed(0, "nodes", 0), ["phase 1: nodes", "positive whole number", "0"]),
        (changed(0, "nodes", -5), ["phase 1: nodes", "positive whole number", "-5"]),
        (changed(0, "nodes", 1.5), ["phase 1: nodes", "positive whole number", "1.5"]),
        (changed(0, "nodes", True), ["phase 1: nodes", "positive whole number", "True"]),
        (changed(0, "nodes", "10"), ["phase 1: nodes", "positive whole number", "'10'"]),
        (changed(0, "nodes", LARGEST + 1), ["phase 1: nodes", "positive whole number"]),
        (changed(2, "nodes", 10), ["phase 3: the last phase has no limit", "10"]),
        (changed(2, "nodes", 0), ["phase 3: the last phase has no limit", "0"]),
    ],
)
def test_what_is_no_schedule(text: str, parts: list[str]) -> None:
    with pytest.raises(WeightsError) as fault:
        parse_weights(text, "mine.json")
    reason = str(fault.value)
    assert reason.startswith("mine.json: ") and "\n" not in reason and len(reason) < 300
    for part in parts:
        assert part in reason
