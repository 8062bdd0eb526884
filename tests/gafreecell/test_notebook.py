"""Runs and outcomes as notebooks show them: HTML that is well formed, whatever names are in it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import ROOT, job_table
from run_folders import ONE

from gafreecell.runs.notebook import HEIGHT, WIDTH, curve_svg
from gafreecell.runs.run import evolve, load
from gafreecell.solving.outcome import Nodes, Outcome, Status

LENGTHS = {"single": 12, "column": 2}
SOLVED = Outcome(Status.SOLVED, ("1a", "26v3"), LENGTHS, Nodes(1234, 5678), 0.0012)


def cells(html: str) -> dict[str, str]:
    """The rows of a table, which has to be well-formed XML as well."""
    root = ElementTree.fromstring(html.replace("&nbsp;", " "))
    assert root.tag == "table"
    rows = [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]
    return {name: " ".join(value.split()) for name, value in rows}


def test_an_outcome_as_a_table() -> None:
    assert cells(SOLVED._repr_html_()) == {
        "status": "solved",
        "length": "single 12, column 2",
        "nodes": "5,678 generated, 1,234 expanded",
        "time": "1.2 ms",
        "moves": "1a 26v3",
    }
    unsolved = Outcome(Status.NODE_LIMIT, None, None, Nodes(1, 2), 61.0)
    assert cells(unsolved._repr_html_()) == {
        "status": "node-limit",
        "nodes": "2 generated, 1 expanded",
        "time": "61.0 s",
    }


def test_an_outcome_is_escaped() -> None:
    """Moves of a third party's game can be anything."""
    strange = replace(SOLVED, moves=("<script>",), lengths={"a & b": 1})
    assert "<script>" not in strange._repr_html_()
    assert cells(strange._repr_html_())["moves"] == "<script>"
    assert cells(strange._repr_html_())["length"] == "a & b 1"


def test_a_run_as_a_table(whole: Path) -> None:
    run = load(whole)
    found = cells(run._repr_html_())
    assert found["job"].startswith("small: Toy with ")
    assert found["job"].endswith("genetic, coevolution, seed 5")
    assert found["run"] == f"{whole}: 6 of 6 generations done"
    best = f"generation {run.best.generation}, 20 of the 101-120 deals solved"
    assert found["best weights"].startswith(best)
    for name, weight in zip(run.features, run.best.weights, strict=True):
        assert f"{name} {weight:.3f}" in found["weights"]
    assert "<svg" in run._repr_html_()


def test_a_run_before_its_first_generation_and_one_that_finished_early(
    toy: Any, tmp_path: Path
) -> None:
    class Stop:
        def on_phase(self, name: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(job_table(), tmp_path / "a", ONE, [Stop()])
    assert cells(load(tmp_path / "a")._repr_html_()).keys() == {"job", "run"}
    run = evolve(job_table(), tmp_path / "b", ONE, stop={"target": 1e9})
    assert "1 of 6 generations done; finished: its best" in cells(run._repr_html_())["run"]


def test_a_run_is_escaped(toy: Any, tmp_path: Path) -> None:
    run = evolve(job_table(generations=1), tmp_path / "a<b>&c", ONE)
    assert "<b>" not in run._repr_html_()
    assert "a<b>&c" in cells(run._repr_html_())["run"]


def test_reference_runs_as_tables() -> None:
    folders = [path.parent for path in (ROOT / "runs").glob("*/state.json")]
    assert len(folders) > 5
    for folder in folders:
        html = load(folder)._repr_html_()
        assert len(cells(html)) == 5
        assert len(html) < 20_000


@pytest.mark.parametrize("values", [[5.0], [3.0, 3.0], [9.0, 1.0, 4.0], [1e-300, 1e300]])
def test_a_curve_stays_in_its_picture_and_falls_where_values_fall(values: list[float]) -> None:
    (text,) = re.findall('points="(.*?)"', curve_svg(values))
    points = [tuple(map(float, point.split(","))) for point in text.split()]
    assert len(points) == len(values)
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    assert [x for x, _ in points] == sorted({x for x, _ in points})
    highest = max(range(len(values)), key=values.__getitem__)
    assert points[highest][1] == min(y for _, y in points)
