"""Weights files: round trips, and the messages for files that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_rules_text import CONDITIONS
from test_rules_text import NAMES as COMPARED

from deals import BadInput
from gafreecell.solving.outcome import (
    BEST_FIRST,
    DEPTH_IN_TURN,
    LARGEST,
    Evaluator,
    Limits,
    Phase,
    Search,
)
from gafreecell.solving.rules import parse_rule
from gafreecell.solving.weights import Weights, WeightsError, parse_weights, read_weights

WEIGHTS = Weights(
    game="freecell",
    variant={"cascades": 8, "cells": 4},
    evaluator=Evaluator(("HSDH", "FreeCells"), (0.1, 1 / 3)),
    search=Search("staged", {"depth": 2, "automatic": "safe"}),
    limits=Limits(nodes=1000),
    provenance={"run": "demo", "generation": 7},
)
SCHEDULE = replace(
    WEIGHTS,
    evaluator=Evaluator(
        ("AboveNext", "BreaksRun"),
        (0.5, 1 / 3, -2.0, 0.0, 1.0, 1e-300),
        (Phase(100), Phase(3000, DEPTH_IN_TURN), Phase()),
    ),
)
FEATURES = ("AboveNext", "CellsUsed", "NotPlaced")
WRITTEN = "CellsUsed > 0.5 and NotPlaced <= 0.25", "NotPlaced > 0.1"
POLICY = replace(
    WEIGHTS,
    evaluator=Evaluator(
        FEATURES,
        (0.5, 0.0, 1 / 3, -2.0, 0.0, 0.0, 1.0, 0.0, 1e-300),
        rules=tuple(parse_rule(condition, FEATURES) for condition in WRITTEN),
        offsets=(0.1, 0.0, -3.0),
    ),
)
DOCUMENT = {
    "format": {"name": "gafreecell-weights", "version": 5},
    "game": "freecell",
    "variant": {"cascades": 8, "cells": 4},
    "evaluator": {"kind": "linear", "features": ["HSDH", "FreeCells"], "weights": [0.1, 1 / 3]},
    "search": {"name": "staged", "parameters": {"depth": 2, "automatic": "safe"}},
    "limits": {"nodes": 1000},
    "provenance": {"run": "demo", "generation": 7},
}
SCHEDULED = {
    "kind": "schedule",
    "features": ["AboveNext", "BreaksRun"],
    "phases": [
        {"nodes": 100, "rule": "best-first", "weights": [0.5, 1 / 3]},
        {"nodes": 3000, "rule": "depth-in-turn", "weights": [-2.0, 0.0]},
        {"nodes": None, "rule": "best-first", "weights": [1.0, 1e-300]},
    ],
}
RULED = {
    "kind": "rules",
    "features": ["AboveNext", "CellsUsed", "NotPlaced"],
    "rules": [
        {"if": WRITTEN[0], "offset": 0.1, "weights": [0.5, 0.0, 1 / 3]},
        {"if": WRITTEN[1], "offset": 0.0, "weights": [-2.0, 0.0, 0.0]},
    ],
    "default": {"offset": -3.0, "weights": [1.0, 0.0, 1e-300]},
}

NAMES = st.text(min_size=1, max_size=10)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.integers() | NUMBERS | NAMES | st.booleans()
LINEAR = st.dictionaries(NAMES, NUMBERS, max_size=9).map(
    lambda d: Evaluator(tuple(d), tuple(d.values()))
)


def numbers(draw: st.DrawFn, count: int) -> tuple[float, ...]:
    return tuple(draw(st.lists(NUMBERS, min_size=count, max_size=count)))


@st.composite
def schedules(draw: st.DrawFn) -> Evaluator:
    features = draw(st.lists(NAMES, max_size=5, unique=True))
    limits = [*draw(st.lists(st.integers(1, LARGEST), max_size=4)), None]
    phases = [Phase(n, draw(st.sampled_from([BEST_FIRST, DEPTH_IN_TURN]))) for n in limits]
    weights = numbers(draw, len(features) * len(phases))
    return Evaluator(tuple(features), weights, tuple(phases))


@st.composite
def policies(draw: st.DrawFn) -> Evaluator:
    rules = draw(st.lists(CONDITIONS, min_size=1, max_size=4))
    weights = numbers(draw, len(COMPARED) * (len(rules) + 1))
    offsets = numbers(draw, len(rules) + 1)
    return Evaluator(tuple(COMPARED), weights, (), tuple(rules), offsets)


@pytest.mark.parametrize("evaluators", [st.none() | LINEAR, schedules(), policies()])
@given(st.data())
def test_what_is_written_is_read(
    evaluators: st.SearchStrategy[Evaluator | None], data: st.DataObject
) -> None:
    weights = data.draw(
        st.builds(
            Weights,
            game=NAMES,
            variant=st.dictionaries(NAMES, st.integers(0, 9) | NAMES, max_size=3),
            evaluator=evaluators,
            search=st.builds(Search, NAMES, st.dictionaries(NAMES, VALUES, max_size=4)),
            limits=st.builds(Limits, nodes=st.integers(1, LARGEST)),
            provenance=st.dictionaries(NAMES, VALUES, max_size=3),
        )
    )
    text = weights.to_text()
    assert parse_weights(text, "here") == weights
    assert parse_weights(text, "here").to_text() == text


@pytest.mark.parametrize(
    ("weights", "evaluator"),
    [(WEIGHTS, DOCUMENT["evaluator"]), (SCHEDULE, SCHEDULED), (POLICY, RULED)],
)
def test_the_file_is_what_others_rely_on(weights: Weights, evaluator: Any, tmp_path: Path) -> None:
    path = tmp_path / "best.json"
    weights.write(path)
    assert read_weights(path) == read_weights(str(path)) == weights
    assert path.read_text() == json.dumps({**DOCUMENT, "evaluator": evaluator}, indent=2) + "\n"


def changed(*path_and_value: Any, of: Weights = WEIGHTS) -> str:
    """A good file's text with another value at a path; ``...`` as value leaves the key out."""
    *path, last, value = path_and_value
    document = part = json.loads(of.to_text())
    for key in path:
        part = part[key]
    if value is ...:
        del part[last]
    else:
        part[last] = value
    return json.dumps(document)


def evaluator(*path_and_value: Any) -> str:
    return changed("evaluator", *path_and_value)


def schedule(*path_and_value: Any) -> str:
    return changed("evaluator", *path_and_value, of=SCHEDULE)


def phase(*path_and_value: Any) -> str:
    return schedule("phases", *path_and_value)


def policy(*path_and_value: Any) -> str:
    return changed("evaluator", *path_and_value, of=POLICY)


def rule(*path_and_value: Any) -> str:
    return policy("rules", *path_and_value)


def read(text: str) -> Evaluator | None:
    return parse_weights(text, "here").evaluator


def test_whole_numbers_are_weights_too() -> None:
    read_one = read(evaluator("weights", [1, 2]))
    assert read_one == Evaluator(("HSDH", "FreeCells"), (1.0, 2.0))


def test_a_search_without_an_evaluator() -> None:
    for text in (changed("evaluator", None), changed("evaluator", ...)):
        assert read(text) is None


def test_rule_and_last_limit_of_a_schedule_may_be_left_out() -> None:
    for text in (phase(2, "nodes", ...), phase(0, "rule", ...)):
        assert read(text) == SCHEDULE.evaluator
    turned = read(phase(1, "rule", ...))
    assert turned is not None and turned.phases[1] == Phase(3000, BEST_FIRST)


def test_offsets_of_a_policy_may_be_left_out() -> None:
    assert read(rule(1, "offset", ...)) == POLICY.evaluator
    without = read(policy("default", "offset", ...))
    assert without is not None and without.offsets == (0.1, 0.0, 0.0)


DEEP = "[" * 100_000
LONG_NUMBER = "9" * 5000
POSITIVE = "positive whole number"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["line 1", "not JSON"]),
        ("{", ["line 1", "not JSON"]),
        ('{\n"format": 1,,\n}', ["line 2", "not JSON"]),
        (WEIGHTS.to_text() + "{}", ["not JSON"]),
        ("\ufeff" + WEIGHTS.to_text(), ["not JSON"]),
        (DEEP, []),
        *[(text, ["'format'", "an object"]) for text in ("[]", "3", "null", "{}")],
        (changed("format", "gafreecell-weights"), ["'format'", "an object"]),
        (changed("format", "name", "weights"), ["format.name", "'weights'"]),
        (changed("format", "name", ...), ["format.name", "None"]),
        (changed("format", "version", 6), ["format.version 6", "reads 5: another"]),
        (changed("format", "version", 4), ["format.version 4", "reads 5"]),
        (changed("format", "version", "5"), ["format.version", "'5'", "reads 5"]),
        (changed("format", "version", True), ["format.version", "True"]),
        (changed("format", "version", ...), ["format.version", "None"]),
        (changed("rules", {}), ["'rules' is not known", "provenance"]),
        (changed("search", "schedule", []), ["'schedule' is not known in search", "name, param"]),
        (changed("limits", "hours", 1), ["'hours' is not known in limits", "nodes, memory"]),
        (changed("game", ...), ["game is missing"]),
        (changed("game", 5), ["game must be", "text", "5"]),
        (changed("variant", ...), ["variant is missing"]),
        (changed("variant", [8, 4]), ["variant must be", "an object"]),
        (changed("variant", "cells", [4]), ["cells", "a word", "[4]"]),
        (changed("variant", "cells", True), ["cells", "a word"]),
        (changed("variant", "cells", None), ["cells"]),
        (changed("search", ...), ["search is missing"]),
        (changed("search", "staged"), ["search must be", "an object", "staged"]),
        (changed("search", "name", ...), ["search.name is missing"]),
        (changed("search", "parameters", ...), ["search.parameters is missing"]),
        (changed("search", "parameters", ["depth"]), ["search.parameters must be", "an object"]),
        (changed("search", "parameters", "depth", [2]), ["depth"]),
        (changed("limits", ...), ["limits is missing"]),
        (changed("limits", 1000), ["limits must be", "an object"]),
        (changed("limits", "nodes", ...), ["limits.nodes is missing"]),
        (changed("limits", "nodes", 1.5), ["limits.nodes must be", "a whole number", "1.5"]),
        (changed("limits", "nodes", "many"), ["limits.nodes must be", "a whole number", "many"]),
        (changed("limits", "nodes", True), ["limits.nodes must be", "a whole number"]),
        (changed("limits", "nodes", 0), ["nodes must be positive", "0"]),
        (changed("limits", "nodes", -1), ["nodes must be positive", "-1"]),
        (changed("provenance", ["here"]), ["provenance"]),
        (changed("provenance", "mine"), ["provenance"]),
        # Evaluators.
        (changed("evaluator", "linear"), ["evaluator must be", "an object"]),
        (changed("evaluator", []), ["evaluator must be", "an object"]),
        (evaluator("kind", ...), ["evaluator.kind is missing"]),
        (evaluator("kind", "tree"), ["evaluator.kind", "'tree'", "linear, schedule, ru", "later"]),
        (evaluator("phases", []), ["'phases' is not known in evaluator", "kind, features, wei"]),
        (evaluator("features", ...), ["evaluator.features is missing"]),
        (evaluator("features", "HSDH"), ["evaluator.features must be", "a list"]),
        (evaluator("features", [1, 2]), ["evaluator.features", "names"]),
        (evaluator("features", ["HSDH", "HSDH"]), ["evaluator.features", "twice"]),
        (evaluator("features", ["HSDH"]), ["1 feature but", "2 weights"]),
        (evaluator("weights", ...), ["evaluator.weights is missing"]),
        (evaluator("weights", {"HSDH": 1}), ["evaluator.weights must be", "a list"]),
        *[
            (evaluator("weights", [1, wrong]), ["evaluator.weights", "numbers"])
            for wrong in ("2", True, None, float("nan"), float("inf"), 10**400)
        ],
        (evaluator("weights", [1, 2]).replace("[1, 2]", f"[1, {LONG_NUMBER}]"), []),
        # Schedules.
        (schedule("kind", "linear"), ["'phases' is not known in evaluator", "kind, features, wei"]),
        (schedule("weights", [1]), ["'weights' is not known in evaluator", "kind, features, pha"]),
        (schedule("phases", ...), ["evaluator.phases is missing"]),
        (schedule("phases", {}), ["evaluator.phases must be a list"]),
        (schedule("phases", []), ["evaluator.phases is empty", "at least one phase"]),
        (schedule("phases", [5]), ["evaluator.phases, phase 1 must be an object", "5"]),
        (schedule("phases", [[1.0, 2.0]]), ["phase 1 must be an object"]),
        (schedule("features", ["A"]), ["1 feature but 2 weights", "phase 1"]),
        (phase(1, "weights", [1.0]), ["2 features but 1 weight", "phase 2"]),
        (phase(1, "weights", ...), ["phase 2.weights is missing"]),
        (phase(1, "weights", [1, "2"]), ["phase 2.weights", "numbers", "'2'"]),
        (phase(2, "weights", [1, float("nan")]), ["phase 3.weights", "nan"]),
        *[
            (phase(0, "rule", wrong), ["phase 1: rule", "best-first or depth-in-turn", f"{wrong}"])
            for wrong in ("worst-first", 3, None, ["best-first"])
        ],
        (phase(0, "patience", 3), ["'patience' is not known in evaluator.phases, phase 1, which"]),
        (phase(0, "nodes", ...), ["phase 1: nodes", POSITIVE, "None"]),
        (phase(1, "nodes", None), ["phase 2: nodes", POSITIVE, "None"]),
        *[
            (phase(0, "nodes", wrong), ["phase 1: nodes", POSITIVE, repr(wrong)])
            for wrong in (0, -5, 1.5, True, "10", LARGEST + 1)
        ],
        (phase(2, "nodes", 10), ["phase 3: the last phase has no limit", "10"]),
        (phase(2, "nodes", 0), ["phase 3: the last phase has no limit", "0"]),
        # Policies.
        (policy("kind", "schedule"), ["'rules' is not known in evaluator", "kind, features, pha"]),
        (policy("weights", [1]), ["'weights' is not known in eval", "kind, features, rules, def"]),
        (policy("rules", ...), ["evaluator.rules is missing"]),
        (policy("rules", {}), ["evaluator.rules must be a list"]),
        (policy("rules", []), ["evaluator.rules is empty", "at least one rule", "linear"]),
        (policy("rules", [5]), ["evaluator.rules, rule 1 must be an object", "5"]),
        (policy("default", ...), ["evaluator.default must be an object", "None"]),
        (policy("default", "if", "A > 1"), ["'if' is not known in evaluator.default", "offset, w"]),
        (policy("default", "offset", "1"), ["evaluator.default: offset must be a number", "'1'"]),
        (policy("default", "weights", [1.0]), ["3 features but 1 weight", "evaluator.default"]),
        (
            rule(0, "nodes", 3),
            ["'nodes' is not known in evaluator.rules, rule 1, which has if, of"],
        ),
        (rule(0, "if", ...), ["rule 1: 'if' must be a condition as text", "None"]),
        (rule(0, "if", ["a", ">", 1]), ["rule 1: 'if' must be a condition as text"]),
        (rule(1, "if", "NotPlaced < 1"), ["rule 2: a condition is 'FEATURE <="]),
        (rule(1, "if", "Luck > 1"), ["rule 2: 'Luck' is compared", "AboveNext, Cells"]),
        (rule(1, "if", "NotPlaced > nan"), ["rule 2: NotPlaced", "finite number"]),
        (rule(0, "offset", None), ["rule 1: offset must be a number", "None"]),
        (rule(0, "offset", True), ["rule 1: offset must be a number", "True"]),
        (rule(0, "offset", float("inf")), ["rule 1: offset", "inf"]),
        (rule(1, "weights", ...), ["rule 2.weights is missing"]),
        (rule(1, "weights", [1, "2", 3]), ["rule 2.weights", "numbers", "'2'"]),
        (rule(1, "weights", [1, 2]), ["3 features but 2 weights", "rule 2"]),
    ],
)
def test_what_is_no_weights_file(text: str, parts: list[str]) -> None:
    with pytest.raises(WeightsError) as fault:
        parse_weights(text, "runs/mine.json")
    reason = str(fault.value)
    assert reason.startswith("runs/mine.json")
    assert "\n" not in reason and len(reason) < 300
    for part in parts:
        assert part in reason.removeprefix("runs/mine.json")
    assert isinstance(fault.value, BadInput)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "cannot read"),
        (Path.mkdir, "is a directory"),
        (lambda path: path.write_bytes(b"\xff{}"), "is not text"),
        (lambda path: path.write_text("{}"), "'format'"),
    ],
)
def test_files_that_cannot_be_read(
    tmp_path: Path, make: Callable[[Path], object], words: str
) -> None:
    path = tmp_path / "mine.json"
    make(path)
    with pytest.raises(WeightsError) as fault:
        read_weights(path)
    assert str(path) in str(fault.value) and words in str(fault.value)
