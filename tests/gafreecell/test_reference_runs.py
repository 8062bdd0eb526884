"""The runs that come along: they load, are finished, and say what they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT

from gafreecell.job_reading import read_job
from gafreecell.run import load

RUNS = ROOT / "runs"
FOLDERS = sorted(path.parent for path in RUNS.glob("*/state.json"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_reference_run_is_whole(folder: Path) -> None:
    run = load(folder)
    assert run.finished
    assert run.job == read_job(RUNS / f"{folder.name}.toml")
    assert (folder / "weights/best.json").read_text(encoding="utf-8") == run.weights.to_text()
    for name, weights in run.exports.items():
        file = folder / "weights" / f"{name}.json"
        assert file.read_text(encoding="utf-8") == weights.to_text()


def test_the_two_that_are_compared_spent_the_same() -> None:
    spent = {
        name: sum(line["evaluations"] for line in load(RUNS / name).lines)
        for name in ("freecell-nine", "freecell-nine-plain")
    }
    assert len(set(spent.values())) == 1
