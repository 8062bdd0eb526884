"""Runs: what their folders hold, how many generations they take, and who may work on them."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from conftest import ROOT, Command, refused, start, wait_for
from run_folders import ONE, generations_of, same, snapshot, write_job

import gafreecell
from gafreecell.evolution.job_reading import read_job
from gafreecell.evolution.parts import State
from gafreecell.installed.extras import MissingExtra
from gafreecell.runs.callbacks import Callbacks
from gafreecell.runs.folder import RunError
from gafreecell.runs.rows import rows_of
from gafreecell.runs.run import evolve, load, resume
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.weights import Weights, read_weights

pytestmark = pytest.mark.usefixtures("toy")

KEYS = {"generation", "solvers", "problems", "best_weights", "nodes", "solved", "evaluations"}


# What a run leaves


def test_a_run_leaves_its_fixed_files(whole: Path) -> None:
    files = {
        "environment.jsonl",
        "job.toml",
        "state.json",
        "log.jsonl",
        "validation.jsonl",
        "weights",
    }
    assert {path.name for path in whole.iterdir()} - {"lock"} == files
    state = json.loads((whole / "state.json").read_text())
    assert state["format"] == {"name": "gafreecell-run", "version": 4}
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


def test_files_are_json_also_when_nothing_is_ever_solved(tmp_path: Path) -> None:
    run = evolve(write_job(tmp_path, trained={"nodes": 1}, generations=2), tmp_path / "r", ONE)
    for name in ("log.jsonl", "state.json"):
        for line in (run.folder / name).read_text().splitlines():
            json.loads(line, parse_constant=pytest.fail)
    assert run.best.solved == 0


def test_the_best_weights_are_a_weights_file_of_the_champion(whole: Path) -> None:
    run = load(whole)
    weights = read_weights(whole / "weights" / "best.json")
    assert weights.evaluator == Evaluator(("near", "middle", "far"), run.best.weights)
    assert weights.provenance == {
        "run": "small",
        "generation": run.best.generation,
        "seed": 5,
        "job": run.job.digest,
        "trained": "1-60",
        "validated": "101-120",
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
    for total in (2, 5, 6):
        words = ["evolve", job, "--out", folder] if total == 2 else ["resume", folder]
        assert command(*words, "--generations", total, "--jobs", 1).status == 0
        assert load(folder).generation == total
        assert "finished" in command("resume", folder).out, "the total went into the run's job"
    same(whole, folder)


@pytest.fixture
def stopped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C as soon as a run has begun."""
    monkeypatch.setattr(Callbacks, "start", Mock(side_effect=KeyboardInterrupt))


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
    tmp_path: Path, command: Command, option: tuple[str, int]
) -> None:
    """Else the run writes a job.toml that no later command can read."""
    done = command("evolve", write_job(tmp_path), "--out", tmp_path / "r", *option)
    refused(done, option[0].removeprefix("--"))
    assert not (tmp_path / "r").exists()


def test_generations_may_be_edited_in_the_runs_job(broken: Path, command: Command) -> None:
    job = broken / "job.toml"
    job.write_text(job.read_text().replace("generations = 6", "generations = 4"))
    assert command("resume", broken, "--jobs", 1).status == 0
    assert load(broken).generation == 4


# One process at a time


@pytest.fixture
def held(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
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


def test_two_runs_cannot_start_in_one_folder(tmp_path: Path) -> None:
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


# Its log as rows

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
    row = {"generation": 3, "solvers_best": 0.9, "solvers_mean": 0.5}
    row |= {"solvers_q05": 0.1, "solvers_q25": 0.2, "solvers_q50": 0.3, "solvers_q75": 0.4}
    row |= {"solvers_q95": 0.5, "validation_generation": 2, "validation_value": 7.0}
    row |= {"own_step": 2, "weight_near": 0.25, "weight_far": 0.75}
    assert rows_of([LINE], [], ["near", "far"]) == [row]
    with_machine = {**row, "machine_seconds": 1.5}
    assert rows_of([LINE], [], ["near", "far"], machine=True) == [with_machine]
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
    for name, length, missing in (
        ("freecell-fast", 100, ("candidate", "met", "problems")),
        ("freecell-tradeoff", 80, ("front", "problems")),
    ):
        frame = load(ROOT / "runs" / name).to_pandas()
        assert frame.shape[0] == length
        assert "weight_NotPlaced" in frame
        assert not [column for column in frame if column.startswith(missing)]


def test_a_data_frame_of_a_run_that_has_not_begun(begun: Path) -> None:
    pytest.importorskip("pandas")
    frame = load(begun).to_pandas()
    assert (len(frame), frame.index.name) == (0, "generation")


def test_a_missing_pandas_is_named_with_its_extra(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)  # type: ignore[arg-type]
    with pytest.raises(MissingExtra, match=r"pip install 'gafreecell\[pandas\]'"):
        load(whole).to_pandas()


# The runs that come along

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
