"""Weights files on the command line: they bring their variant and limits, and which are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, records, refused, written

import hsd
from gafreecell.solitaire import klondike
from gafreecell.solving.outcome import Limits, Search
from gafreecell.solving.parameters import Value
from gafreecell.solving.weights import read_weights


def test_weights_play_the_variant_they_were_made_for(tmp_path: Path, command: Command) -> None:
    base = hsd.solver.SOLVER.weights("hsd-evolved")
    two, four = tmp_path / "two.json", tmp_path / "four.json"
    replace(base, variant={"cascades": 8, "cells": 2}).write(two)
    base.write(four)
    found = {}
    for name, words in {
        "two": ["--weights", two],
        "four": ["--weights", four],
        "two asked for four": ["--weights", two, "--cells", "4"],
        "four asked for two": ["--weights", four, "--cells", "2"],
    }.items():
        line = records(command("solve", "1-5", "--format", "jsonl", *words).out)
        found[name] = [(record["status"], record["nodes"]) for record in line]
    assert found["two"] == found["four asked for two"]
    assert found["four"] == found["two asked for four"]
    assert found["two"] != found["four"]
    in_python = [hsd.solve(n, replace(base, variant={"cells": 2})).nodes for n in range(1, 6)]
    counts = [{"expanded": n.expanded, "generated": n.generated} for n in in_python]
    assert counts == [nodes for _, nodes in found["two"]]
    compared = command("evaluate", two, "hsd-evolved", "--deals", "1-5", "--format", "json")
    assert compared.status == 0
    refused(command("evaluate", two, four, "--deals", "1-5"), "2 cells", "4 cells")
    odd = tmp_path / "odd.json"
    replace(base, variant={"colour": 1}).write(odd)
    refused(command("solve", "1", "--weights", odd), "colour")
    for cells in (8, "two"):
        replace(base, variant={"cells": cells}).write(odd)
        refused(command("solve", "1", "--weights", odd), "cells")


def test_weights_say_which_rules_they_were_made_for(tmp_path: Path, command: Command) -> None:
    three = tmp_path / "three.json"
    replace(PRESET, variant={"cells": 3}).write(three)
    made_for = f"gafreecell: {three} was made for 8 cascades, 3 cells, not for 8 cascades, 4 cells"
    done = command("solve", 1, "--weights", three, "--cells", 4)
    assert made_for in done.err.splitlines()
    assert "made for" not in command("solve", 1, "--weights", three, "--cells", 3).err
    assert "made for" not in command("solve", 1, "--weights", three).err
    assert "made for" not in command("solve", 1, "--preset", "hsdh-same-search", "--cells", 3).err
    done = command("evaluate", three, "hsd-evolved", "--deals", "1-2", "--cells", 4)
    assert made_for.replace(str(three), "three") in done.err.splitlines()


def test_weights_of_klondike_bring_their_rules(tmp_path: Path, command: Command) -> None:
    usual, ones = tmp_path / "usual.json", tmp_path / "ones.json"
    base = klondike.solver.SOLVER.weights("rollouts-evolved")
    rules: dict[str, Value] = {"draw": 1, "redeals": 2, "stock": "known"}
    replace(base, variant=rules).write(ones)
    base.write(usual)
    words = "draws of one card and two redeals"

    def said(*given: str | Path) -> list[str]:
        done = command(*given, "--game", "klondike")
        return [line for line in done.err.splitlines() if "made for" in line]

    limit = "--nodes", "300"
    assert said("solve", "1", "--weights", ones, *limit) == []
    asked = "--variant", "draw=3", "--variant", "redeals=unlimited"
    assert said("solve", "1", "--weights", ones, *limit, *asked) == [
        f"gafreecell: {ones} was made for {words}, not for the usual rules"
    ]
    other = f"was made for the usual rules, not for {words}"
    asked = "--variant", "draw=1", "--variant", "redeals=2"
    for given in ("solve", "1", "--weights", usual), ("hint", "1", "--weights", usual):
        assert said(*given, *limit, *asked) == [f"gafreecell: {usual} {other}"]
    compared = said("evaluate", usual, "--deals", "1-2", *limit, *asked)
    assert compared == [f"gafreecell: usual {other}"]
    assert said("solve", "1", "--preset", "rollouts-evolved", *limit, *asked) == []
    # Nor does a preset become another solver's weights by a parameter of its search.
    assert said("solve", "1", "--set", "shorten=9", *limit, *asked) == []
    for more in ((), ("--set", "shorten=9")):
        [line] = said("solve", "1", "--preset", "vegas-1", *limit, *more)
        assert "draws of one card and no redeals, not for the usual rules" in line
    # A board names its own rules, and the answer does.
    board = written(tmp_path / "board.txt", str(klondike.GAME.vary(draw=1, redeals=0).deal(1)))
    assert said("solve", board, "--preset", "vegas-1", *limit) == []
    board = written(tmp_path / "two.txt", str(klondike.GAME.vary(draw=1, redeals=2).deal(1)))
    assert said("solve", board, "--weights", usual, *limit) == [f"gafreecell: {usual} {other}"]
    compared = said("evaluate", usual, "--deals", board, *limit)
    assert compared == [f"gafreecell: usual {other}"]
    no_redeals = tmp_path / "none.json"
    replace(base, variant={**rules, "redeals": 0}).write(no_redeals)
    refused(
        command("solve", board, "--weights", no_redeals, "--game", "klondike"),
        "expected at most redeals=0, as the options or the weights say, got redeals=2",
    )
    game = "--game", "klondike", *limit
    [line] = records(command("solve", "1", "--weights", ones, *game, "--format", "jsonl").out)
    assert line["variant"] == rules
    name = Path(__file__).parents[2] / "runs" / "klondike-vegas-1"
    played = command("play", "1", "--weights", name, "--samples", "3", "--format", "jsonl")
    assert records(played.out)[0]["variant"] == {"draw": 1, "redeals": 0, "stock": "known"}
    assert "made for" not in played.err
    refused(command("evaluate", usual, ones, "--deals", "1-2", *game), "the usual rules", words)


PRESET = read_weights(Path(hsd.__file__).parent / "presets_data" / "hsdh-same-search.json")


def test_the_memory_of_the_weights_is_the_limit(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "little.json"
    search = Search("best-first", {"automatic": "none"})
    little = Limits(nodes=3_000_000, memory=2_000_000)
    replace(PRESET, search=search, limits=little, provenance={}).write(path)
    done = command("solve", 11982, "--weights", path, "--format", "jsonl")
    assert [record["status"] for record in records(done.out)] == ["memory-limit"]
    done = command("evaluate", path, "--deals", "11982", "-o", tmp_path / "deals.csv")
    assert "memory-limit" in (tmp_path / "deals.csv").read_text()


def weights_text(change: Callable[[dict[str, Any]], None]) -> str:
    document = json.loads(PRESET.to_text())
    change(document)
    return json.dumps(document)


BAD_WEIGHTS: dict[str, tuple[str | bytes, list[str]]] = {
    "other-game": (
        weights_text(lambda d: d.update(game="klondike", variant={})),
        ["klondike", "freecell"],
    ),
    "unknown-feature": (
        weights_text(lambda d: d["evaluator"].update(features=["Luck"], weights=[1])),
        ["Luck", "HSDH"],
    ),
    "feature-twice": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"] * 2, weights=[1, 1])),
        ["twice"],
    ),
    "too-few-weights": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"], weights=[])),
        ["1 feature but 0 weights"],
    ),
    "weight-text": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"], weights=["1"])),
        ["weights", "numbers"],
    ),
    "weight-nan": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"], weights=[float("nan")])),
        ["weights"],
    ),
    "weight-infinite": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"], weights=[float("inf")])),
        ["weights"],
    ),
    "weight-huge": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"], weights=[10**400])),
        ["weights"],
    ),
    "kind": (weights_text(lambda d: d["evaluator"].update(kind="tree")), ["tree", "linear"]),
    "no-evaluator": (weights_text(lambda d: d.update(evaluator=None)), ["weights"]),
    "search": (weights_text(lambda d: d["search"].update(name="guess")), ["guess", "staged"]),
    "parameter": (
        weights_text(lambda d: d["search"]["parameters"].update(width=1)),
        ["width", "depth"],
    ),
    "parameter-range": (
        weights_text(lambda d: d["search"]["parameters"].update(depth=99)),
        ["depth", "1 to"],
    ),
    "parameter-null": (
        weights_text(lambda d: d["search"]["parameters"].update(depth=None)),
        ["depth"],
    ),
    "parameter-list": (
        weights_text(lambda d: d["search"]["parameters"].update(depth=[2])),
        ["depth"],
    ),
    "nodes": (weights_text(lambda d: d["limits"].update(nodes=0)), ["nodes", "positive"]),
    "nodes-huge": (weights_text(lambda d: d["limits"].update(nodes=10**30)), ["nodes"]),
    "format": (weights_text(lambda d: d.update(format={"name": "x"})), ["format"]),
    "version": (weights_text(lambda d: d["format"].update(version=9)), ["version", "9"]),
    "list": ("[1, 2]", ["format"]),
    "truncated": (PRESET.to_text()[:200], ["line ", "JSON"]),
    "empty": ("", ["JSON"]),
    "binary": (b"\xff\xff", ["not text"]),
    "nested": ("[" * 100_000, []),
}


@pytest.mark.parametrize(("content", "named"), BAD_WEIGHTS.values(), ids=BAD_WEIGHTS)
def test_weights_files_that_cannot_be(
    tmp_path: Path, command: Command, content: str | bytes, named: list[str]
) -> None:
    path = written(tmp_path / "weights.json", content)
    evaluate = ["evaluate", path, "--deals", "1", "--game", "freecell"]
    for words in (["solve", "1", "--weights", path], evaluate):
        refused(command(*words), "weights.json", *named)


def test_a_directory_without_a_run_is_no_weights_file(tmp_path: Path, command: Command) -> None:
    refused(command("solve", "1", "--weights", tmp_path), str(tmp_path), "directory")
