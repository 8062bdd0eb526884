"""A run's log as flat rows, and as a data frame where pandas is installed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, job_table
from run_folders import ONE

from gafreecell.installed.extras import MissingExtra
from gafreecell.runs.rows import row_of, rows_of
from gafreecell.runs.run import evolve, load

LINE = {
    "generation": 3,
    "solvers": {"best": 0.9, "mean": 0.5, "quantiles": [0.1, 0.2, 0.3, 0.4, 0.5]},
    "problems": None,
    "best_weights": [0.25, 0.75],
    "front": [{"log_nodes": 1.0}],
    "validation": {"generation": 2, "value": 7.0},
    "own": {"note": "a word", "step": 2, "flag": True},
    "machine": {"seconds": 1.5},
}


def test_a_line_becomes_a_flat_row() -> None:
    row = {
        "generation": 3,
        "solvers_best": 0.9,
        "solvers_mean": 0.5,
        "solvers_q05": 0.1,
        "solvers_q25": 0.2,
        "solvers_q50": 0.3,
        "solvers_q75": 0.4,
        "solvers_q95": 0.5,
        "validation_generation": 2,
        "validation_value": 7.0,
        "own_step": 2,
        "weight_near": 0.25,
        "weight_far": 0.75,
    }
    assert row_of(LINE, ["near", "far"]) == row
    assert row_of(LINE, ["near", "far"], machine=True) == {**row, "machine_seconds": 1.5}
    validated = [{"generation": 3, "value": 8.0, "solved": 5, "nodes": 6.5}]
    (found,) = rows_of([LINE], validated, ["near", "far"])
    assert found == {**row, "candidate_value": 8.0, "candidate_solved": 5, "candidate_nodes": 6.5}


def test_a_run_as_a_data_frame(whole: Path) -> None:
    pytest.importorskip("pandas")
    run = load(whole)
    frame = run.to_pandas()
    assert list(frame.index) == [1, 2, 3, 4, 5, 6]
    assert frame.index.name == "generation"
    assert frame.loc[4, "solvers_best"] == run.lines[3]["solvers"]["best"]
    assert frame.loc[6, "problems_q50"] == run.lines[5]["problems"]["quantiles"][2]
    assert frame.loc[2, "candidate_value"] == run.validated[1]["value"]
    columns = [f"weight_{name}" for name in run.features]
    assert frame[columns].to_numpy().tolist() == [line["best_weights"] for line in run.lines]
    assert all(kind.kind in "if" for kind in frame.dtypes)
    assert not [name for name in frame if name.startswith("machine")]
    machine = run.to_pandas(machine=True)
    assert list(machine["machine_seconds"]) == [line["machine"]["seconds"] for line in run.lines]


def test_older_runs_and_fronts_as_data_frames() -> None:
    pytest.importorskip("pandas")
    run = load(ROOT / "runs" / "freecell-tradeoff")
    frame = run.to_pandas()
    assert frame.shape[0] == 80
    assert "weight_HSDH" in frame
    assert not [name for name in frame if name.startswith(("front", "candidate", "problems"))]


def test_a_data_frame_of_a_run_that_has_not_begun(toy: Any, tmp_path: Path) -> None:
    pytest.importorskip("pandas")

    class Stop:
        def on_phase(self, name: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(job_table(), tmp_path / "r", ONE, [Stop()])
    frame = load(tmp_path / "r").to_pandas()
    assert (len(frame), frame.index.name) == (0, "generation")


def test_a_missing_pandas_is_named_with_its_extra(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)  # type: ignore[arg-type]
    with pytest.raises(MissingExtra, match=r"pip install 'gafreecell\[pandas\]'"):
        load(whole).to_pandas()
