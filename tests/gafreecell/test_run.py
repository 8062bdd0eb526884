"""Runs: what their folders hold, how many generations they take, and who may work on them."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, refused, start, wait_for
from run_folders import ONE, generations_of, same, snapshot, write_job

import gafreecell
from gafreecell.evolution.loop import State
from gafreecell.runs.callbacks import Callbacks
from gafreecell.runs.folder import RunError
from gafreecell.runs.record import Run
from gafreecell.runs.run import evolve, load, resume
from gafreecell.solving.weights import read_weights

KEYS = {"generation", "solvers", "problems", "best_weights", "nodes", "solved", "evaluations"}


# What a run leaves


def test_a_run_leaves_its_fixed_files(whole: Path) -> None:
    assert {path.name for path in whole.iterdir()} - {"lock"} == {
        "job.toml",
        "state.json",
        "log.jsonl",
        "validation.jsonl",
        "weights",
    }
    state = json.loads((whole / "state.json").read_text())
    assert state["format"] == {"name": "gafreecell-run", "version": 2}
    assert (state["engine"], state["generation"]) == ("toy-1", 6)
    assert len(state["trainer"]["solvers"]) == 8


def test_log_lines_have_the_fixed_keys(whole: Path) -> None:
    text = (whole / "log.jsonl").read_text()
    for number, line in enumerate(text.splitlines(), start=1):
        entry = json.loads(line, parse_constant=pytest.fail)  # no NaN or Infinity: not JSON
        assert entry.keys() >= KEYS | {"machine"}
        assert entry["generation"] == number
        for population in ("solvers", "problems"):
            assert entry[population].keys() >= {"best", "mean", "quantiles"}
            assert len(entry[population]["quantiles"]) == 5
        assert (entry["evaluations"], entry["solved"] <= 48) == (8 * 2 * 3, True)
        assert len(entry["best_weights"]) == 3


def test_files_are_json_also_when_nothing_is_ever_solved(toy: Any, tmp_path: Path) -> None:
    run = evolve(write_job(tmp_path, trained={"nodes": 1}, generations=2), tmp_path / "r", ONE)
    for name in ("log.jsonl", "state.json"):
        for line in (run.folder / name).read_text().splitlines():
            json.loads(line, parse_constant=pytest.fail)
    assert run.best.solved == 0


def test_the_best_weights_are_a_weights_file_of_the_champion(whole: Path) -> None:
    run = load(whole)
    weights = read_weights(whole / "weights" / "best.json")
    assert weights.evaluator is not None
    assert weights.evaluator.features == ("near", "middle", "far")
    assert weights.evaluator.weights == run.best.weights
    assert weights.provenance == {
        "run": "small",
        "generation": run.best.generation,
        "seed": 5,
        "job": run.job.digest,
        "package": gafreecell.__version__,
    }
    assert (weights.limits.nodes, weights.search.name) == (20_000, "think")


# More generations


def test_resuming_a_finished_run_says_so_and_changes_nothing(whole: Path, command: Command) -> None:
    before = snapshot(whole)
    for words in ([], ["--generations", 6], ["--generations", 2], ["--force"]):
        done = command("resume", whole, *words)
        assert (done.status, done.err) == (0, "")
        assert "finished" in done.out
        assert "6 generations" in done.out
        assert snapshot(whole) == before


def test_a_finished_run_writes_exports_that_its_job_gained(whole: Path, command: Command) -> None:
    table = '\n[exports.quick]\nsearch = "think"\nparameters = {effort = 500}\nnodes = 1000\n'
    job, file = whole / "job.toml", whole / "weights" / "quick.json"
    text = job.read_text()
    job.write_text(text + table)
    done = command("resume", whole)
    assert done.status == 0
    assert f"wrote {file}" in done.out.splitlines()
    assert read_weights(file) == load(whole).exports["quick"]
    before = snapshot(whole)
    assert "wrote" not in command("resume", whole).out
    assert snapshot(whole) == before
    # Another budget is written as well, the rest stays.
    job.write_text(text + table.replace("1000", "2000"))
    assert resume(whole, 3).finished
    assert read_weights(file).limits.nodes == 2000
    after = snapshot(whole)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"job.toml", "weights/quick.json"}


def test_generations_are_a_total(whole: Path, tmp_path: Path, command: Command) -> None:
    folder, job = tmp_path / "parts", tmp_path / "a.toml"
    assert command("evolve", job, "--out", folder, "--generations", 2, "--jobs", 1).status == 0
    assert load(folder).generation == 2
    assert "finished" in command("resume", folder).out, "the total went into the run's job"
    assert command("resume", folder, "--generations", 5, "--jobs", 1).status == 0
    assert load(folder).generation == 5
    assert command("resume", folder, "--generations", 6, "--jobs", 1).status == 0
    same(whole, folder)


@pytest.fixture
def stopped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C as soon as a run has begun."""

    def start(self: Callbacks, run: Run) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Callbacks, "start", start)


@pytest.mark.usefixtures("stopped_at_once")
def test_a_total_out_of_range_is_refused_and_the_run_stays_usable(
    broken: Path, command: Command
) -> None:
    """A total that job.toml may not hold must not get into it."""
    before = snapshot(broken)
    refused(command("resume", broken, "--generations", 2_000_000), "generations", "2000000")
    assert snapshot(broken) == before


@pytest.mark.usefixtures("stopped_at_once")
@pytest.mark.parametrize("option", [("--seed", 2**63), ("--generations", 10**7)])
def test_options_out_of_the_jobs_range_are_refused(
    toy: Any, tmp_path: Path, command: Command, option: tuple[str, int]
) -> None:
    """Else the run writes a job.toml that no later command can read."""
    done = command("evolve", write_job(tmp_path), "--out", tmp_path / "r", *option)
    refused(done, option[0].removeprefix("--"))
    assert not (tmp_path / "r").exists()


def test_hand_edited_generations_in_the_run_are_taken_other_changes_refused(
    whole: Path, broken: Path, command: Command
) -> None:
    text = (broken / "job.toml").read_text()
    (broken / "job.toml").write_text(text.replace("penalty = 1000000000", "penalty = 5"))
    before = snapshot(broken)
    refused(command("resume", broken), "job.toml")
    assert snapshot(broken) == before
    (broken / "job.toml").write_text(text.replace("generations = 6", "generations = 4"))
    assert command("resume", broken, "--jobs", 1).status == 0
    assert load(broken).generation == 4


# One process at a time


@pytest.fixture
def held(toy: Any, tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """A run folder that another process is at work in."""
    folder = tmp_path / "held"
    job = write_job(tmp_path, generations=1000)
    process = start("evolve", job, "--out", folder, "--jobs", 1, env={"TOY_PAUSE": "0.01"})
    wait_for(lambda: generations_of(folder) >= 1)
    yield folder, process
    process.kill()
    process.communicate()


def test_a_run_in_use_is_refused_until_its_process_is_dead(
    held: tuple[Path, subprocess.Popen[str]], tmp_path: Path, command: Command
) -> None:
    folder, process = held
    for words in (["resume", folder], ["evolve", tmp_path / "a.toml", "--out", folder]):
        refused(command(*words), str(folder), "in use")
    assert command("show", folder).status == 0, "looking is allowed"
    assert command("export", folder, "-o", tmp_path / "w.json").status == 0
    assert process.poll() is None
    process.kill()
    process.communicate()
    saved = load(folder).generation
    assert command("resume", folder, "--generations", saved + 1, "--jobs", 1).status == 0
    assert load(folder).generation == saved + 1


def test_two_runs_cannot_start_in_one_folder(toy: Any, tmp_path: Path) -> None:
    """Also before either has written a state."""
    job, reached, release = write_job(tmp_path), threading.Event(), threading.Event()

    class Hold:
        def on_phase(self, name: str) -> None:
            reached.set()
            release.wait(20)

    first = threading.Thread(target=evolve, args=(job, tmp_path / "r", ONE, [Hold()]))
    first.start()
    assert reached.wait(20)
    (tmp_path / "r" / "state.json").unlink()
    with pytest.raises(RunError, match="in use"):
        evolve(job, tmp_path / "r", ONE)
    release.set()
    first.join()
    assert load(tmp_path / "r").finished


def test_what_a_run_is_fits_in_a_line(whole: Path, broken: Path) -> None:
    run = load(whole)
    assert repr(run) == (
        f"<gafreecell.Run {whole}: toy, 6 of 6 generations done, "
        f"best weights of generation {run.best.generation}>"
    )
    assert "3 of 6 generations done" in repr(load(broken))
    assert repr(run.state) == (
        f"<State after 6 generations, champion of generation {run.best.generation}>"
    )
    assert repr(run.job) == (
        "<gafreecell.Job small: toy, genetic, coevolution, 6 generations, seed 5>"
    )
    assert repr(State(0)) == "<State after 0 generations>"
