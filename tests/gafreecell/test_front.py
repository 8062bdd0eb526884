"""The front of a bi-objective run: its solvers as weights, in Python and on the command line."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from conftest import ROOT, Command, job_table, refused
from run_folders import ONE

import gafreecell
from gafreecell.evolution.job import JobError
from gafreecell.evolution.job_reading import make_job
from gafreecell.evolution.trainers.nsga_ii import NsgaII
from gafreecell.installed import plugins
from gafreecell.runs.folder import RunError
from gafreecell.runs.record import Run
from gafreecell.runs.run import evolve, load
from gafreecell.solving.weights import read_weights


@pytest.fixture
def tradeoff(toy: object, tmp_path: Path) -> Run:
    """A run whose last front has several places."""
    job = job_table(trainer="nsga-ii", scheme="fixed", fitness={"measure": "log-nodes"})
    return evolve(job, tmp_path / "tradeoff", ONE)


def test_a_front_has_weights_and_costs(tradeoff: Run) -> None:
    last = tradeoff.lines[-1]
    assert len(tradeoff.front) == len(last["front"]) > 0
    for place, (point, logged) in enumerate(zip(tradeoff.front, last["front"], strict=True)):
        assert (point.log_nodes, point.length) == (logged["log_nodes"], logged["length"])
        assert point.nodes == pytest.approx(math.exp(logged["log_nodes"]))
        assert point.weights.evaluator is not None
        assert list(point.weights.evaluator.weights) == logged["weights"]
        assert point.weights.evaluator.features == tradeoff.features
        assert (point.weights.search, point.weights.limits) == (
            tradeoff.weights.search,
            tradeoff.weights.limits,
        )
        source = point.weights.provenance
        assert (source["run"], source["generation"], source["front"]) == ("small", 6, place)
    assert load(tradeoff.folder).front == tradeoff.front


def test_no_solver_of_a_front_is_beaten_in_both_costs() -> None:
    front = load(ROOT / "runs" / "freecell-tradeoff").front
    assert len(front) > 3
    for one in front:
        for other in front:
            if one is not other:
                assert one.nodes < other.nodes or one.length < other.length
    assert [one.nodes for one in front] == sorted(one.nodes for one in front)


def test_its_weights_solve() -> None:
    front = load(ROOT / "runs" / "freecell-tradeoff").front
    outcome = gafreecell.solve(164, front[-1].weights)
    assert outcome.status is gafreecell.Status.SOLVED
    assert gafreecell.verify(164, outcome)


def test_export_writes_a_place_of_it(tradeoff: Run, tmp_path: Path, command: Command) -> None:
    file, last = tmp_path / "w.json", len(tradeoff.front) - 1
    done = command("export", tradeoff.folder, "--front", last, "-o", file)
    assert (done.status, done.out) == (0, "")
    assert f"place {last} of the front of tradeoff" in done.err
    assert read_weights(file) == tradeoff.front[last].weights
    done = command("export", tradeoff.folder, "--front", 0, "-o", "-")
    assert done.out == tradeoff.front[0].weights.to_text()
    done = command("export", tradeoff.folder, "--front", last + 1, "-o", file)
    refused(done, f"places 0 to {last}", f"--front {last + 1}", "gafreecell show")
    refused(command("export", tradeoff.folder, "--front", "x", "-o", file), "--front")


def test_show_lists_it(tradeoff: Run, command: Command) -> None:
    out = command("show", tradeoff.folder).out
    _, _, listed = out.partition("front of generation 6")
    rows = [line for line in listed.splitlines() if line.startswith("| ") and "---" not in line][1:]
    assert [int(row.split("|")[1]) for row in rows] == list(range(len(tradeoff.front)))
    assert f"{tradeoff.front[0].nodes:,.0f}" in rows[0]
    assert f"{tradeoff.front[0].length:.1f}" in rows[0]


def test_other_runs_have_none(whole: Path, tmp_path: Path, command: Command) -> None:
    with pytest.raises(RunError, match="only runs of the trainer nsga-ii have one"):
        _ = load(whole).front
    refused(command("export", whole, "--front", 0, "-o", tmp_path / "w.json"), "has no front")
    assert "front" not in command("show", whole).out
    plugins.hand_in("trainer", type("Mine", (NsgaII,), {"name": "mine"}))
    with pytest.raises(RunError, match="only runs of the trainer mine or nsga-ii have one, and i"):
        _ = load(whole).front


@pytest.mark.usefixtures("toy")
def test_messages_name_a_trainer_derived_from_it() -> None:
    plugins.hand_in("trainer", type("Mine", (NsgaII,), {"name": "mine"}))
    with pytest.raises(JobError, match="must be log-nodes for the trainer mine, which needs two"):
        make_job(job_table(trainer="mine", fitness={"measure": "cost-per-solved"}))
