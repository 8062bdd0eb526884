"""Weights files: round trips, and the messages for files that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals import BadInput
from gafreecell.solving.outcome import Evaluator, Limits, Search
from gafreecell.solving.weights import Weights, WeightsError, parse_weights, read_weights

WEIGHTS = Weights(
    game="freecell",
    variant={"cascades": 8, "cells": 4},
    evaluator=Evaluator(("HSDH", "FreeCells"), (0.1, 1 / 3)),
    search=Search("staged", {"depth": 2, "automatic": "safe"}),
    limits=Limits(nodes=1000),
    provenance={"run": "demo", "generation": 7},
)

NAMES = st.text(min_size=1, max_size=10)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.integers() | NUMBERS | NAMES | st.booleans()
WEIGHTS_OF_ANY_KIND = st.builds(
    Weights,
    game=NAMES,
    variant=st.dictionaries(NAMES, st.integers(0, 9) | NAMES, max_size=3),
    evaluator=st.none()
    | st.dictionaries(NAMES, NUMBERS, max_size=9).map(
        lambda d: Evaluator(tuple(d), tuple(d.values()))
    ),
    search=st.builds(Search, NAMES, st.dictionaries(NAMES, VALUES, max_size=4)),
    limits=st.builds(Limits, nodes=st.integers(1, 2**40)),
    provenance=st.dictionaries(NAMES, VALUES, max_size=3),
)


@given(WEIGHTS_OF_ANY_KIND)
def test_what_is_written_is_read(weights: Weights) -> None:
    text = weights.to_text()
    assert parse_weights(text, "here") == weights
    assert parse_weights(text, "here").to_text() == text


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "best.json"
    WEIGHTS.write(path)
    assert read_weights(path) == read_weights(str(path)) == WEIGHTS
    assert path.read_text() == WEIGHTS.to_text()


def test_the_file_is_what_others_rely_on() -> None:
    document = {
        "format": {"name": "gafreecell-weights", "version": 5},
        "game": "freecell",
        "variant": {"cascades": 8, "cells": 4},
        "evaluator": {
            "kind": "linear",
            "features": ["HSDH", "FreeCells"],
            "weights": [0.1, 1 / 3],
        },
        "search": {"name": "staged", "parameters": {"depth": 2, "automatic": "safe"}},
        "limits": {"nodes": 1000},
        "provenance": {"run": "demo", "generation": 7},
    }
    assert WEIGHTS.to_text() == json.dumps(document, indent=2) + "\n"


def test_whole_numbers_are_weights_too() -> None:
    read = parse_weights(changed("evaluator", "weights", [1, 2]), "here")
    assert read.evaluator == Evaluator(("HSDH", "FreeCells"), (1.0, 2.0))


def changed(*path_and_value: Any) -> str:
    """The good file's text with another value at a path; ``...`` as value leaves the key out."""
    *path, last, value = path_and_value
    document = json.loads(WEIGHTS.to_text())
    part = document
    for key in path:
        part = part[key]
    if value is ...:
        del part[last]
    else:
        part[last] = value
    return json.dumps(document)


DEEP = "[" * 100_000
LONG_NUMBER = "9" * 5000


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["line 1", "not JSON"]),
        ("{", ["line 1", "not JSON"]),
        ('{\n"format": 1,,\n}', ["line 2", "not JSON"]),
        (WEIGHTS.to_text() + "{}", ["not JSON"]),
        ("\ufeff" + WEIGHTS.to_text(), ["not JSON"]),
        (DEEP, []),
        ("[]", ["'format'", "an object"]),
        ("3", ["'format'", "an object"]),
        ("null", ["'format'", "an object"]),
        ("{}", ["'format'", "an object"]),
        (changed("format", "gafreecell-weights"), ["'format'", "an object"]),
        (changed("format", "name", "weights"), ["format.name", "'weights'"]),
        (changed("format", "name", ...), ["format.name", "None"]),
        (changed("format", "version", 6), ["format.version 6", "reads 5: another"]),
        (changed("format", "version", 4), ["format.version 4", "reads 5"]),
        (changed("format", "version", "5"), ["format.version", "'5'", "reads 5"]),
        (changed("format", "version", True), ["format.version", "True"]),
        (changed("rules", {}), ["'rules' is not known", "provenance"]),
        (
            changed("evaluator", "phases", []),
            ["'phases' is not known in evaluator", "kind, features, weights"],
        ),
        (
            changed("search", "schedule", []),
            ["'schedule' is not known in search", "name, parameters"],
        ),
        (changed("limits", "hours", 1), ["'hours' is not known in limits", "nodes, memory"]),
        (changed("format", "version", ...), ["format.version", "None"]),
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
        (changed("evaluator", "linear"), ["evaluator must be", "an object"]),
        (changed("evaluator", []), ["evaluator must be", "an object"]),
        (changed("evaluator", "kind", ...), ["evaluator.kind is missing"]),
        (changed("evaluator", "kind", "tree"), ["evaluator.kind", "'tree'", "linear", "later"]),
        (changed("evaluator", "features", ...), ["evaluator.features is missing"]),
        (changed("evaluator", "features", "HSDH"), ["evaluator.features must be", "a list"]),
        (changed("evaluator", "features", [1, 2]), ["evaluator.features", "names"]),
        (changed("evaluator", "features", ["HSDH", "HSDH"]), ["evaluator.features", "twice"]),
        (changed("evaluator", "features", ["HSDH"]), ["1 feature but", "2 weights"]),
        (changed("evaluator", "weights", ...), ["evaluator.weights is missing"]),
        (changed("evaluator", "weights", {"HSDH": 1}), ["evaluator.weights must be", "a list"]),
        (changed("evaluator", "weights", [1, "2"]), ["evaluator.weights", "numbers"]),
        (changed("evaluator", "weights", [1, True]), ["evaluator.weights", "numbers"]),
        (changed("evaluator", "weights", [1, None]), ["evaluator.weights", "numbers"]),
        (changed("evaluator", "weights", [1, float("nan")]), ["weights"]),
        (changed("evaluator", "weights", [1, float("inf")]), ["weights"]),
        (changed("evaluator", "weights", [1, 10**400]), ["weights"]),
        (changed("evaluator", "weights", [1, 2]).replace("[1, 2]", f"[1, {LONG_NUMBER}]"), []),
        (changed("provenance", ["here"]), ["provenance"]),
        (changed("provenance", "mine"), ["provenance"]),
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


def test_a_search_without_an_evaluator() -> None:
    for text in (changed("evaluator", None), changed("evaluator", ...)):
        assert parse_weights(text, "here").evaluator is None


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
