"""Run folders: what they hold, and that nothing that happens to a run shows in it.

Most runs are of the toy game, whose generations take milliseconds; what depends
on kernels (backends, Ctrl-C in a long search) is done with small jobs of FreeCell.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import COMMAND, Command, as_toml, shell, start, wait_for
from run_folders import ONE, generations_of, same, snapshot, write_job

import gafreecell
from gafreecell.callbacks import Callbacks
from gafreecell.run import Run, default_folder, evolve, load, resume
from gafreecell.run_folder import RunError
from solving.weights import read_weights

KEYS = {"generation", "solvers", "problems", "best_weights", "nodes", "solved", "evaluations"}


# What a run leaves


def test_a_run_leaves_its_fixed_files(whole: Path) -> None:
    assert {path.name for path in whole.iterdir()} - {"lock"} == {
        "job.toml",
        "state.json",
        "log.jsonl",
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
        "package": gafreecell.run.VERSION,  # type: ignore[attr-defined]
    }
    assert (weights.limits.nodes, weights.search.name) == (20_000, "think")


def test_the_python_interface(toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = gafreecell.evolve(write_job(tmp_path), workers=gafreecell.Workers(1))
    assert run.folder == Path("out/small-s5") == default_folder(run.job)
    assert len(run.best.weights) == 3
    assert run.logbook.select("generation") == list(range(1, 7))
    assert len(run.logbook.chapters["solvers"].select("best")) == 6
    assert run.finished
    assert gafreecell.load(run.folder).state == run.state
    assert gafreecell.figures.plot_fitness(run)[0].get_title(loc="left").startswith("small-s5")


# Interrupted and resumed


def test_an_interrupted_run_resumes_to_the_same_bits(whole: Path, broken: Path) -> None:
    assert load(broken).generation == 3
    assert resume(broken, workers=ONE).finished
    same(whole, broken)


@pytest.mark.parametrize(
    ("scheme", "measure", "trainer"),
    [
        ("fixed", "log-nodes", "genetic"),
        ("resampled", "node-reduction", "genetic"),
        ("resampled", "log-nodes", "cma-es"),
        ("coevolution", "node-reduction", "cma-es"),
        ("fixed", "log-nodes", "random"),
    ],
)
def test_so_do_the_other_schemes_and_trainers(
    toy: Any, tmp_path: Path, scheme: str, measure: str, trainer: str
) -> None:
    job = write_job(
        tmp_path,
        scheme=scheme,
        trainer=trainer,
        fitness={"measure": measure, "exponent": 0.5, "expansion": 2.0},
        solvers={"selection": "windowed"},
    )
    short = tmp_path / "short.toml"
    short.write_text(job.read_text().replace("generations = 6", "generations = 2"))
    evolve(job, tmp_path / "whole", ONE)
    evolve(short, tmp_path / "parts", ONE)
    for total in (3, 6):
        resume(tmp_path / "parts", total, ONE)
    same(tmp_path / "whole", tmp_path / "parts")


def killed_at(event: int, work: Callable[[], Any]) -> bool:
    """Do the work in a forked process that dies at the so-manyth thing it does to the disk.

    Returns:
        Whether it died; False if it was done before.
    """
    child = os.fork()
    if child == 0:
        left = event

        def dying(call: Any) -> Any:
            def once(*arguments: Any, **options: Any) -> Any:
                nonlocal left
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return call(*arguments, **options)

            return once

        for name in ("fsync", "replace", "chmod", "mkdir", "fdopen"):
            setattr(os, name, dying(getattr(os, name)))
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def test_killed_at_any_step_it_resumes_to_the_same_bits(toy: Any, tmp_path: Path) -> None:
    """Death before every single system call that changes the folder, each from scratch."""
    job = write_job(tmp_path, generations=2, problems={"every": 1}, solvers={"population": 4})
    whole = evolve(job, tmp_path / "whole", ONE).folder
    event, deaths = 0, set()
    folder = tmp_path / "killed"
    while killed_at(event, lambda: evolve(job, folder, ONE)):
        deaths.add(generations_of(folder))
        if (folder / "state.json").exists():
            resume(folder, workers=ONE)
        else:
            evolve(job, folder, ONE)
        same(whole, folder)
        shutil.rmtree(folder)
        event += 1
    assert event > 20
    assert deaths == {-1, 0, 1, 2}


def test_killed_while_resuming_at_any_step(whole: Path, broken: Path, tmp_path: Path) -> None:
    resume(broken, 5, ONE)
    event, folder, died = 0, tmp_path / "killed", True
    while died:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(broken, folder)
        with (folder / "log.jsonl").open("a") as log:
            log.write('{"generation": 6, "solv')
        died = killed_at(event, lambda: resume(folder, 6, ONE))
        assert resume(folder, 6, ONE).finished
        same(whole, folder)
        event += 1
    assert event > 8


def test_killed_again_and_again_at_random_moments(whole: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    folder, slow = tmp_path / "killed", {"TOY_PAUSE": "0.004"}
    words: list[Any] = ["evolve", tmp_path / "a.toml", "--out", folder, "--jobs", 2]
    reached = -1
    for _ in range(4):
        process = start(*words, env=slow)
        # How long a process takes to begin is the machine's affair.
        wait_for(lambda p=process, g=reached: generations_of(folder) > g or p.poll() is not None)
        time.sleep(rng.uniform(0, 0.6))
        process.kill()
        process.communicate()
        reached = generations_of(folder)
        words = ["resume", folder, "--jobs", 2]
    assert generations_of(folder) > 0, "it got on between two deaths"
    done = shell(*words)
    assert (done.status, done.err) == (0, "")
    same(whole, folder)


@pytest.mark.parametrize(
    "tail",
    [
        '{"generation": 4}\n',
        '{"generation": 4, "solvers": {"best": 0.',
        "{",
        "\n",
        "\0" * 100,
        "nothing of ours\n",
    ],
    ids=["line", "half", "brace", "empty", "zeros", "text"],
)
def test_what_the_log_holds_beyond_the_state_is_made_again(
    whole: Path, broken: Path, tail: str
) -> None:
    with (broken / "log.jsonl").open("a") as log:
        log.write(tail)
    assert load(broken).generation == 3
    resume(broken, workers=ONE)
    same(whole, broken)


def test_bytes_beyond_the_state_that_are_no_text_are_made_again(whole: Path, broken: Path) -> None:
    """What a power cut may leave at the end of a file that was being extended."""
    with (broken / "log.jsonl").open("ab") as log:
        log.write(b"\xff\xfe\x80")
    resume(broken, workers=ONE)
    same(whole, broken)


def test_the_whole_line_may_be_in_the_log_already(whole: Path, broken: Path) -> None:
    shutil.copy(whole / "log.jsonl", broken / "log.jsonl")
    resume(broken, workers=ONE)
    same(whole, broken)


def test_a_full_disk_loses_nothing(whole: Path, tmp_path: Path) -> None:
    """A limit on the size of files stops the log in the middle of a line."""
    folder = tmp_path / "full"
    words = ["evolve", str(tmp_path / "a.toml"), "--out", str(folder), "--jobs", "1"]
    done = subprocess.run(
        ["bash", "-c", 'ulimit -f 3; exec "$@"', "bash", *COMMAND, *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3
    assert 0 < load(folder).generation < 6
    resume(folder, workers=ONE)
    same(whole, folder)


def test_ctrl_c_and_resume_equal_an_uninterrupted_run(
    whole: Path, tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "stopped"
    job = tmp_path / "a.toml"
    process = start("evolve", job, "--out", folder, "--jobs", 2, env={"TOY_PAUSE": "0.01"})
    wait_for(lambda: generations_of(folder) >= 2)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    saved = load(folder).generation
    assert f"{saved} generations of {folder} are saved" in err
    assert f"gafreecell resume {folder}" in err
    assert len(err.splitlines()) <= 3
    done = command("resume", folder, "--jobs", 1)
    assert done.status == 0
    same(whole, folder)


# More generations


def test_resuming_a_finished_run_says_so_and_changes_nothing(whole: Path, command: Command) -> None:
    before = snapshot(whole)
    for words in ([], ["--generations", 6], ["--generations", 2], ["--force"]):
        done = command("resume", whole, *words)
        assert (done.status, done.err) == (0, "")
        assert "finished" in done.out
        assert "6 generations" in done.out
        assert snapshot(whole) == before


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
    assert command("resume", broken, "--generations", 2_000_000).status == 2
    assert snapshot(broken) == before


@pytest.mark.usefixtures("stopped_at_once")
@pytest.mark.parametrize("option", [("--seed", 2**63), ("--generations", 10**7)])
def test_options_out_of_the_jobs_range_are_refused(
    toy: Any, tmp_path: Path, command: Command, option: tuple[str, int]
) -> None:
    """Else the run writes a job.toml that no later command can read."""
    done = command("evolve", write_job(tmp_path), "--out", tmp_path / "r", *option)
    assert done.status == 2
    assert option[0].removeprefix("--") in done.err
    assert not (tmp_path / "r").exists()


def test_hand_edited_generations_in_the_run_are_taken_other_changes_refused(
    whole: Path, broken: Path, command: Command
) -> None:
    text = (broken / "job.toml").read_text()
    (broken / "job.toml").write_text(text.replace("penalty = 1000000000", "penalty = 5"))
    before = snapshot(broken)
    done = command("resume", broken)
    assert done.status == 2
    assert "job.toml" in done.err
    assert snapshot(broken) == before
    (broken / "job.toml").write_text(text.replace("generations = 6", "generations = 4"))
    assert command("resume", broken, "--jobs", 1).status == 0
    assert load(broken).generation == 4


# Workers


def freecell_job(folder: Path, **changes: Any) -> Path:
    table = {
        "name": "fc",
        "generations": 3,
        "trained": {
            "search": "staged",
            "parameters": {"depth": 2, "automatic": "safe"},
            "nodes": 20_000,
        },
        "solvers": {"population": 6},
        "problems": {"population": 4, "every": 2},
        "deals": {"train": "1-300", "validation": "40001-40010"},
        **changes,
    }
    path = folder / "fc.toml"
    path.write_text(as_toml(table), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def freecell_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run of FreeCell on one thread."""
    folder = tmp_path_factory.mktemp("freecell")
    return evolve(freecell_job(folder), folder / "one", ONE).folder


@pytest.mark.parametrize(
    ("backend", "jobs"), [("threading", 2), ("threading", -1), ("loky", 2), ("dask", 2)]
)
def test_neither_workers_nor_backend_show_in_a_run(
    freecell_run: Path, tmp_path: Path, backend: str, jobs: int
) -> None:
    job = freecell_run.parent / "fc.toml"
    folder = tmp_path / "other"
    done = shell("evolve", job, "--out", folder, "--backend", backend, "--jobs", jobs)
    assert (done.status, done.err) == (0, "")
    same(freecell_run, folder)


def test_freecell_killed_and_resumed_with_other_workers(freecell_run: Path, tmp_path: Path) -> None:
    job, folder = freecell_run.parent / "fc.toml", tmp_path / "killed"
    process = start("evolve", job, "--out", folder, "--jobs", 2)
    wait_for(lambda: generations_of(folder) >= 1)
    process.kill()
    process.communicate()
    stopped = load(folder).generation
    assert 1 <= stopped <= 3
    assert resume(folder, workers=ONE).finished
    same(freecell_run, folder)


def test_a_freecell_run_is_shown_exported_evaluated_and_drawn(
    freecell_run: Path, tmp_path: Path, command: Command
) -> None:
    shown = command("show", freecell_run)
    assert (shown.status, shown.err) == (0, "")
    assert "3 of 3 generations" in shown.out
    assert "NumberWellPlaced" in shown.out
    exported = command("export", freecell_run, "-o", tmp_path / "weights.json")
    assert exported.status == 0
    best = (freecell_run / "weights" / "best.json").read_bytes()
    assert (tmp_path / "weights.json").read_bytes() == best
    for solver in (freecell_run, tmp_path / "weights.json"):
        solved = command("solve", "1-3", "--weights", solver, "--format", "jsonl")
        assert solved.out.count('"solved"') == 3
    for kind in ("fitness", "weights"):
        figure = tmp_path / f"{kind}.png"
        assert command("plot", freecell_run, "-o", figure, "--kind", kind).status == 0
        assert figure.read_bytes().startswith(b"\x89PNG")
    cactus = ["--kind", "cactus", "--deals", "1-5", "-o", tmp_path / "cactus.svg"]
    assert command("plot", freecell_run, tmp_path / "weights.json", *cactus).status == 0
    assert "<svg" in (tmp_path / "cactus.svg").read_text()


@pytest.mark.parametrize("backend", ["threading", "loky", "dask"])
def test_ctrl_c_in_a_long_generation_ends_within_two_seconds(tmp_path: Path, backend: str) -> None:
    job = freecell_job(
        tmp_path,
        trained={
            "search": "staged",
            "features": ["HSDH", "HighestHomeCard"],
            "parameters": {"depth": 7, "automatic": "none", "table": 200_000},
            "nodes": 50_000_000,
        },
    )
    folder = tmp_path / "long"
    process = start("evolve", job, "--out", folder, "--backend", backend, "--jobs", 2)
    wait_for(lambda: generations_of(folder) == 0)
    time.sleep(2.5)
    # A terminal sends Ctrl-C to the whole group, workers included.
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    seconds = time.monotonic() - began
    assert process.returncode == 130
    assert "Traceback" not in err
    lines = [line for line in err.splitlines() if not line.startswith("Compiling")]
    assert f"gafreecell resume {folder}" in lines[-1]
    assert len(lines) <= 3
    assert load(folder).generation == 0
    assert seconds < 2


def test_ctrl_c_while_modules_load_leaves_no_traceback(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a second passes before a command's code is there, and that is no time to misbehave."""

    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("importlib.import_module", interrupted)
    assert command("solve", 1).status == 130


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
        done = command(*words)
        assert done.status == 2
        assert str(folder) in done.err
        assert "in use" in done.err
        assert len(done.lines) <= 3
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
