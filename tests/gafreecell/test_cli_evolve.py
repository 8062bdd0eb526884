"""``evolve``, ``resume``, ``show`` and ``export``: what they report, and which jobs they refuse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Command, File, as_toml, job_table, refused

import gafreecell
import hsd
from gafreecell.cli.evolution import duration
from gafreecell.solitaire.game import full_title, limits_text, variant_text
from gafreecell.solving.outcome import Limits

ONE_MANY = re.compile(
    r"(?<![\d,.])1 (deals|nodes|moves|steps|generations|evaluations|games|cells)\b"
)


@pytest.mark.usefixtures("toy")
def test_evolve_reports_and_names_its_folder_after_job_and_seed(
    tmp_path: Path, file: File, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    job = file(as_toml(job_table(generations=2)))
    done = command("evolve", job, "--seed", 7, "--jobs", 1)
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "out" / "small-s7" / "state.json").exists()
    assert "gafreecell export out/small-s7" in done.out
    run = gafreecell.load("out/small-s7")
    for name, weight in zip(("near", "middle", "far"), run.best.weights, strict=True):
        assert re.search(rf"\| {name} +\| +{weight:.3f} \|", done.out)
    less = command("resume", "out/small-s7", "--generations", 1)
    assert (less.status, less.err) == (0, "")
    assert "--generations 1 is below the 2 generations done" in less.out
    shown = command("show", "out/small-s7").out
    assert "seed 7" in shown and "2 of 2 generations" in shown
    assert re.search(r"\ntook [0-9.]+ s\n", shown)
    assert run.costs is not None
    for name, purpose in (("training", "solvers"), ("validation", "validation")):
        cost = run.costs[purpose]
        assert re.search(rf"\| {name} +\| +{cost.evaluations:,} \| +{cost.nodes:,} \|", shown)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.04, "0.04 s"), (119, "119 s"), (121, "2.0 minutes"), (7300, "2.0 hours")],
)
def test_times_have_the_unit_that_suits_them(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"problems": {"colour": 1}}, ["line ", "problems.colour", "penalty"]),
        ({"generations": "ten"}, ["line ", "generations", "'ten'", "whole number"]),
        ({"trained": {"search": "guess"}}, ["guess", "think"]),
        ({"deals": {"train": "5-3"}}, ["line ", "deals.train", "5-3"]),
        ({"game": "chess"}, ["chess", "toy"]),
    ],
    ids=str,
)
def test_jobs_that_cannot_be(
    tmp_path: Path, file: File, command: Command, changes: dict[str, Any], named: list[str]
) -> None:
    path = file(as_toml(job_table(**changes)))
    refused(command("evolve", path, "--out", tmp_path / "run"), str(path), *named)
    assert not (tmp_path / "run").exists()


def test_an_export_leaves_other_weights_alone(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    for _ in range(2):
        assert command("export", ROOT / "runs" / "freecell-nine", "-o", path).status == 0
    kept = path.read_bytes()
    refused(command("export", ROOT / "runs" / "freecell-fast", "-o", path), str(path), "exists")
    assert path.read_bytes() == kept


# One of a kind, and games without options


@pytest.mark.parametrize("run", ["klondike-order", "klondike-values"])
def test_a_game_without_options_is_not_with_any(command: Command, run: str) -> None:
    shown = command("show", ROOT / "runs" / run).out
    assert f"{run}: Klondike" in shown
    assert not re.search(r"with [;,\n]", shown)


def test_one_of_a_kind_is_one() -> None:
    assert variant_text({"cascades": 8, "cells": 1}) == "8 cascades, 1 cell"
    assert variant_text({"cells": 0, "draw": 3, "stock": "hidden"}) == (
        "0 cells, draw 3, stock hidden"
    )
    assert full_title(hsd.FreeCell(cells=1)) == "FreeCell with 8 cascades, 1 cell"
    assert limits_text(Limits(nodes=1)) == "1 node"


def test_commands_count_one_as_one(toy: Any, tmp_path: Path, command: Command) -> None:
    run = gafreecell.evolve(job_table(generations=1), tmp_path / "run", jobs=1).folder
    one = "evaluate", "known", "--game", "toy", "--deals", "1", "--nodes", 1
    for words, said in (
        (("show", run), "1 of 1 generation done"),
        (("resume", run), "its one generation is done"),
        (one, "1 deal (1), at most 1 node a deal\n"),
    ):
        text = command(*words).out
        assert said in text and not ONE_MANY.search(text)
