"""``score``, and ``gafreecell.features`` and ``gafreecell.score`` in Python."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Command, refused

import gafreecell
from gafreecell.solitaire.game import game
from hsd.kernels.features import FEATURES


def test_python_and_the_command_tell_the_same(command: Command) -> None:
    weights = gafreecell.presets()["hsd-evolved"]
    assert weights.evaluator is not None
    found = gafreecell.features(617)
    products = zip(weights.evaluator.features, weights.evaluator.weights, strict=True)
    expected = sum(found[name] * weight for name, weight in products)
    assert gafreecell.score(617, weights) == pytest.approx(expected)
    done = command("score", 617, "--weights", "hsd-evolved", "--format", "jsonl")
    line = json.loads(done.out)
    assert line["features"] == found and line["score"] == gafreecell.score(617, "hsd-evolved")
    text = command("score", 617, 618, "--weights", "hsd-evolved").out
    assert f"Deal 617: {expected:.9g} by hsd-evolved" in text
    assert all(f"| {feature.name} " in text for feature in FEATURES)


def test_exported_weights_stand_on_their_own(command: Command, tmp_path: Path) -> None:
    run, file = Path("runs/freecell-nine").absolute(), tmp_path / "mine.json"
    command("export", run, "-o", file)
    weights, plain = gafreecell.read_weights(file), gafreecell.load(run).weights
    assert replace(weights, provenance=plain.provenance) == plain
    (board, *_) = weights.provenance["about"]["vectors"]
    first = game("freecell").deals("ms32k-train")[0]
    assert board["board"] == command("deal", first).out.rstrip()
    assert gafreecell.score(first, file) == board["scores"][0]


def test_a_board_is_called_by_its_file(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(command("deal", 617, 618).out, encoding="utf-8")
    one, other = command("score", file, "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["source"] for line in (one, other)] == [f"{file}:1", f"{file}:2"]
    found = json.loads(other)["score"]
    assert f"\n{file}:2: {found:.9g} by fast\n" in command("score", file).out


def test_what_cannot_be_scored_is_refused(command: Command) -> None:
    refused(command("score", 1, "--game", "klondike"), "Klondike does not tell the features")
    refused(command("score", 1, "--weights", "fast", "--phase", "9"), "have 5 phases, got phase 9")
    with pytest.raises(gafreecell.BadInput, match="has no weights"):
        gafreecell.score(1, "man-machine-2005-n0", "klondike")
