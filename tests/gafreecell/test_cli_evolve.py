"""The command ``evolve``: what it reports, and which jobs and options it refuses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, as_toml, job_table, refused, written

import gafreecell
from gafreecell.cli.evolution import duration


@pytest.mark.usefixtures("toy")
def test_evolve_reports_and_names_its_folder_after_job_and_seed(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "job.toml", as_toml(job_table(generations=2)))
    done = command("evolve", "job.toml", "--seed", 7, "--jobs", 1)
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "out" / "small-s7" / "state.json").exists()
    assert "gafreecell export out/small-s7" in done.out
    best = gafreecell.load("out/small-s7").best
    for name, weight in zip(("near", "middle", "far"), best.weights, strict=True):
        assert re.search(rf"\| {name} +\| +{weight:.3f} \|", done.out)
    less = command("resume", "out/small-s7", "--generations", 1)
    assert (less.status, less.err) == (0, "")
    assert "--generations 1 is below the 2 generations done" in less.out
    shown = command("show", "out/small-s7").out
    assert "seed 7" in shown
    assert "2 of 2 generations" in shown
    assert "0.0 minutes" not in shown
    assert re.search(r"\ntook [0-9.]+ s\n", shown)
    costs = gafreecell.load("out/small-s7").costs
    assert costs is not None
    for name, purpose in (("training", "solvers"), ("validation", "validation")):
        row = rf"\| {name} +\| +{costs[purpose].evaluations:,} \| +{costs[purpose].nodes:,} \|"
        assert re.search(row, shown)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.04, "0.04 s"), (119, "119 s"), (121, "2.0 minutes"), (7300, "2.0 hours")],
)
def test_times_have_the_unit_that_suits_them(seconds: float, said: str) -> None:
    assert duration(seconds) == said


BAD_JOBS: list[tuple[dict[str, Any], list[str]]] = [
    ({"colour": 1}, ["line ", "colour", "scheme"]),
    ({"problems": {"colour": 1}}, ["line ", "problems.colour", "penalty"]),
    ({"generations": "ten"}, ["line ", "generations", "'ten'", "whole number"]),
    ({"solvers": {"population": 1}}, ["line ", "solvers.population", "1", "2 to"]),
    ({"solvers": {"mutation": 0.9}}, ["line ", "solvers", "sum to 1"]),
    ({"trained": {"search": "guess"}}, ["guess", "think"]),
    ({"trained": {"parameters": {"depth": 1}}}, ["depth", "effort"]),
    ({"deals": {"train": "5-3"}}, ["line ", "deals.train", "5-3"]),
    ({"game": "chess"}, ["chess", "toy"]),
    ({"seconds": 120}, ["line ", "seconds"]),
]


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(("changes", "named"), BAD_JOBS, ids=lambda value: str(value)[:30])
def test_jobs_that_cannot_be(
    tmp_path: Path, command: Command, changes: dict[str, Any], named: list[str]
) -> None:
    path = written(tmp_path / "job.toml", as_toml(job_table(**changes)))
    refused(command("evolve", path, "--out", tmp_path / "run"), str(path), *named)
    assert not (tmp_path / "run").exists()


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--jobs", "0"], "--jobs"),
        (["--backend", "mpi"], "loky"),
        (["--scheduler", "tcp://127.0.0.1:1"], "dask"),
        (["--backend", "dask", "--scheduler", "nonsense://"], "nonsense"),
        (["--generations", "0"], "--generations"),
        (["--seed", "-1"], "--seed"),
        (["--seconds", "5"], "--seconds"),
    ],
)
def test_options_of_evolve_that_cannot_be(
    tmp_path: Path, command: Command, words: list[str], named: str
) -> None:
    path = written(tmp_path / "job.toml", as_toml(job_table()))
    refused(command("evolve", path, "--out", tmp_path / "run", *words), named)
    assert not (tmp_path / "run").exists()
