"""The runs that come along: they load, are finished, and say what they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import ROOT

import gafreecell
from gafreecell.evolution.job_reading import read_job
from gafreecell.runs.run import load
from gafreecell.solving.weights import Weights

RUNS = ROOT / "runs"
FOLDERS = sorted(path.parent for path in RUNS.glob("*/state.json"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_reference_run_is_whole(folder: Path) -> None:
    run = load(folder)
    assert run.finished
    assert run.job == read_job(RUNS / f"{folder.name}.toml")
    _are_same(folder / "weights/best.json", run.weights)
    for name, weights in run.exports.items():
        _are_same(folder / "weights" / f"{name}.json", weights)


def _are_same(file: Path, weights: Weights) -> None:
    """Weights and their file are the same, but for the version that wrote them."""
    written = json.loads(file.read_text(encoding="utf-8"))
    exported = json.loads(weights.to_text())
    assert exported["provenance"].pop("package") == gafreecell.__version__
    assert written["provenance"].pop("package")
    assert exported == written


def test_the_two_that_are_compared_spent_the_same() -> None:
    spent = {
        name: sum(line["evaluations"] for line in load(RUNS / name).lines)
        for name in ("freecell-nine", "freecell-nine-plain")
    }
    assert len(set(spent.values())) == 1
