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
from conftest import COMMAND, Command, as_toml, job_table, shell, start, wait_for

import gafreecell
from gafreecell.evaluation import Workers
from gafreecell.job import parse_job
from gafreecell.run import Run, RunError, Watcher, default_folder, evolve, load, resume
from solving.weights import read_weights

ONE = Workers(1)
FILES = ("job.toml", "state.json", "weights/best.json")
KEYS = {"generation", "solvers", "hosts", "best_weights", "nodes", "solved", "evaluations"}


def write_job(folder: Path, name: str = "a.toml", **changes: Any) -> Path:
    path = folder / name
    path.write_text(as_toml(job_table(**changes)), encoding="utf-8")
    return path


def log_of(folder: Path) -> list[dict[str, Any]]:
    """The log without what may differ between machines and interruptions."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    for line in lines:
        assert line.pop("machine").keys() >= {"seconds", "cache_hits"}
    return lines


def same(one: Path, other: Path) -> None:
    """Two folders hold the same run to the bit."""
    assert log_of(one) == log_of(other)
    for name in FILES:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder: bytes and time of the last change."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def generations_of(folder: Path) -> int:
    """Generations that a run at work has saved, -1 before its first state."""
    try:
        return int(json.loads((folder / "state.json").read_bytes())["generation"])
    except FileNotFoundError:
        return -1


@pytest.fixture
def whole(toy: Any, tmp_path: Path) -> Path:
    """A small run of the toy game that nothing interrupted."""
    return evolve(write_job(tmp_path), tmp_path / "whole", ONE).folder


@pytest.fixture
def broken(toy: Any, tmp_path: Path) -> Path:
    """The same run after three of its six generations."""
    job = parse_job(as_toml(job_table()), "a.toml")
    folder = tmp_path / "broken"

    class Stop(Watcher):
        def generation(self, line: Any) -> None:
            if line["generation"] == 3:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(job, folder, ONE, Stop())
    return folder


# What a run leaves


def test_a_run_leaves_its_fixed_files(whole: Path) -> None:
    assert {path.name for path in whole.iterdir()} - {"lock"} == {
        "job.toml",
        "state.json",
        "log.jsonl",
        "weights",
    }
    state = json.loads((whole / "state.json").read_text())
    assert state["format"] == {"name": "gafreecell-run", "version": 1}
    assert (state["engine"], state["generation"], len(state["solvers"])) == ("toy-1", 6, 8)


def test_log_lines_have_the_fixed_keys(whole: Path) -> None:
    text = (whole / "log.jsonl").read_text()
    for number, line in enumerate(text.splitlines(), start=1):
        entry = json.loads(line, parse_constant=pytest.fail)  # no NaN or Infinity: not JSON
        assert entry.keys() >= KEYS | {"machine"}
        assert entry["generation"] == number
        for population in ("solvers", "hosts"):
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
    assert gafreecell.load(run.folder).state.solvers == run.state.solvers
    assert gafreecell.figures.plot_fitness(run)[0].get_title(loc="left").startswith("small-s5")


def test_a_watcher_is_told_after_the_generation_is_saved(toy: Any, tmp_path: Path) -> None:
    seen: list[Any] = []

    class Watch(Watcher):
        def started(self, run: Run) -> None:
            seen.append(run.generation)

        def generation(self, line: Any) -> None:
            seen.append((line["generation"], generations_of(tmp_path / "r")))

    evolve(write_job(tmp_path, generations=3), tmp_path / "r", ONE, Watch())
    assert seen == [0, (1, 1), (2, 2), (3, 3)]


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
    job = write_job(tmp_path, generations=2, hosts={"every": 1}, solvers={"population": 4})
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

    def started(self: Watcher, run: Run) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Watcher, "started", started)


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
        "hosts": {"population": 4, "every": 2},
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

    class Hold(Watcher):
        def phase(self, name: str) -> None:
            reached.set()
            release.wait(20)

    first = threading.Thread(target=evolve, args=(job, tmp_path / "r", ONE, Hold()))
    first.start()
    assert reached.wait(20)
    (tmp_path / "r" / "state.json").unlink()
    with pytest.raises(RunError, match="in use"):
        evolve(job, tmp_path / "r", ONE)
    release.set()
    first.join()
    assert load(tmp_path / "r").finished


# Folders that are not what they should be


def test_a_folder_with_a_run_is_not_overwritten(
    whole: Path, tmp_path: Path, command: Command
) -> None:
    before = snapshot(whole)
    done = command("evolve", tmp_path / "a.toml", "--out", whole)
    assert done.status == 2
    assert f"gafreecell resume {whole}" in done.err
    assert snapshot(whole) == before


def test_an_empty_folder_is_used_and_a_strangers_files_stay(
    whole: Path, tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "diary.txt").write_text("dear diary")
    (folder / "log.jsonl").write_text("my own log")
    (folder / "weights").mkdir()
    (folder / "weights" / "mine.json").write_text("{}")
    assert command("evolve", tmp_path / "a.toml", "--out", folder, "--jobs", 1).status == 0
    same(whole, folder)
    kept = [content for content, _ in snapshot(folder).values()]
    for content in (b"dear diary", b"my own log", b"{}"):
        assert content in kept


def test_a_job_inside_the_run_folder_is_kept(whole: Path, tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    shutil.copy(tmp_path / "a.toml", folder / "job.toml")
    (folder / "job.toml.before").write_text("an older one")
    original = (folder / "job.toml").read_bytes()
    assert command("evolve", folder / "job.toml", "--out", folder, "--jobs", 1).status == 0
    kept = [content for content, _ in snapshot(folder).values()]
    assert original in kept
    assert b"an older one" in kept


FOREIGN = ['{"name": "another program"}', "[]", "null", "5", '"text"', '{"format": {"name": "x"}}']


@pytest.mark.parametrize("content", FOREIGN)
def test_a_foreign_folder_is_refused_and_left_alone(
    toy: Any, tmp_path: Path, command: Command, content: str
) -> None:
    folder = tmp_path / "foreign"
    folder.mkdir()
    (folder / "state.json").write_text(content)
    (folder / "job.toml").write_text("theirs = true")
    before = snapshot(folder)
    job = write_job(tmp_path)
    for words in (
        ["evolve", job, "--out", folder],
        ["resume", folder],
        ["show", folder],
        ["export", folder, "-o", tmp_path / "w.json"],
        ["plot", folder, "-o", tmp_path / "f.png"],
    ):
        done = command(*words)
        assert done.status == 2
        assert str(folder) in done.err
        assert len(done.lines) <= 3
        left = snapshot(folder)
        left.pop("lock", None)
        assert left == before
    assert not (tmp_path / "w.json").exists()


def test_folders_that_hold_no_run(tmp_path: Path, command: Command) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    for name in ("absent", "file", "empty"):
        for words in (["resume"], ["show"], ["export", "-o", tmp_path / "w.json"]):
            done = command(words[0], tmp_path / name, *words[1:])
            assert done.status == 2
            assert name in done.err
            assert len(done.lines) == 1
    assert list((tmp_path / "empty").iterdir()) == []
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("out", ["file", "file/below", "/proc/gafreecell-run"])
def test_folders_that_cannot_be_written(
    toy: Any, tmp_path: Path, command: Command, out: str
) -> None:
    (tmp_path / "file").write_text("precious")
    done = command("evolve", write_job(tmp_path), "--out", tmp_path / out)
    assert done.status == 2
    assert str(tmp_path / out) in done.err
    assert len(done.lines) <= 3
    assert (tmp_path / "file").read_text() == "precious"


@pytest.mark.parametrize("out", ["absent/w.json", ".", "file/w.json"])
def test_export_says_where_it_cannot_write(
    whole: Path, tmp_path: Path, command: Command, out: str
) -> None:
    (tmp_path / "file").write_text("precious")
    done = command("export", whole, "-o", tmp_path / out)
    assert done.status == 2
    assert len(done.lines) == 1
    assert f"{tmp_path / out}" in done.err.replace("'", ""), "it names the file that was asked for"
    assert ".w.json." not in done.err, "and no temporary one"


def test_nothing_to_export_or_draw_before_the_first_generation(
    toy: Any, tmp_path: Path, command: Command
) -> None:
    class Stop(Watcher):
        def phase(self, name: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(write_job(tmp_path), tmp_path / "r", ONE, Stop())
    assert "0 of 6 generations" in command("show", tmp_path / "r").out
    for words in (["export", "-o", tmp_path / "x"], ["plot", "-o", tmp_path / "x.png"]):
        done = command(words[0], tmp_path / "r", *words[1:])
        assert done.status == 2
        assert "no generation is done" in done.err
    assert not list(tmp_path.glob("x*"))


# Damage


def damaged(folder: Path, command: Command) -> str:
    """What ``resume`` says of a damaged run, once it was seen to change nothing."""
    before = snapshot(folder)
    for words in (["show", folder], ["resume", folder, "--jobs", 1]):
        done = command(*words)
        assert done.status == 2
        assert str(folder) in done.err
        assert len(done.lines) <= 3
        assert "Traceback" not in done.err
    assert snapshot(folder) == before
    return done.err


def test_a_truncated_state_is_refused_wherever_it_ends(broken: Path, command: Command) -> None:
    state = (broken / "state.json").read_bytes()
    for size in (0, 1, 20, len(state) // 3, len(state) // 2, len(state) - 3):
        (broken / "state.json").write_bytes(state[:size])
        assert "state.json" in damaged(broken, command)


def test_a_truncated_job_is_refused(broken: Path, command: Command) -> None:
    job = (broken / "job.toml").read_bytes()
    for size in (0, 5, len(job) // 2):
        (broken / "job.toml").write_bytes(job[:size])
        assert "job.toml" in damaged(broken, command)
    (broken / "job.toml").unlink()
    assert "job.toml" in damaged(broken, command)


@pytest.mark.parametrize("name", ["state.json", "job.toml", "log.jsonl"])
def test_files_that_are_no_text_are_refused_by_name(
    broken: Path, command: Command, name: str
) -> None:
    (broken / name).write_bytes(b"\xff\xfe\x80" + (broken / name).read_bytes())
    assert name in damaged(broken, command)


@pytest.mark.parametrize("key", ["format", "job", "generation", "solvers", "hosts", "champion"])
def test_a_state_without_one_of_its_keys_is_refused(
    broken: Path, command: Command, key: str
) -> None:
    state = json.loads((broken / "state.json").read_text())
    del state[key]
    (broken / "state.json").write_text(json.dumps(state))
    assert "state.json" in damaged(broken, command)


WRONG_STATES: dict[str, dict[str, Any]] = {
    "version": {"format": {"name": "gafreecell-run", "version": 99}},
    "generation-text": {"generation": "many"},
    "generation-null": {"generation": None},
    "generation-negative": {"generation": -1},
    "solvers-empty": {"solvers": []},
    "solvers-number": {"solvers": 5},
    "solvers-few": {"solvers": [[0.5, 0.5, 0.5]]},
    "solvers-short": {"solvers": [[0.5, 0.5]] * 8},
    "solvers-text": {"solvers": [["a", "b", "c"]] * 8},
    "hosts-empty": {"hosts": []},
    "hosts-numbers": {"hosts": [1, 2]},
    "hosts-bare": {"hosts": [{}]},
    "champion-bare": {"champion": {}},
    "champion-text": {"champion": "none"},
    "champion-short": {"champion": {"generation": 1, "weights": [1.0], "value": 1, "solved": 1,
                                    "nodes": 1.0}},
}  # fmt: skip


@pytest.mark.parametrize("changes", WRONG_STATES.values(), ids=WRONG_STATES)
def test_a_state_that_does_not_fit_its_job_is_refused(
    broken: Path, command: Command, changes: dict[str, Any]
) -> None:
    state = json.loads((broken / "state.json").read_text())
    (broken / "state.json").write_text(json.dumps({**state, **changes}))
    assert "state.json" in damaged(broken, command)


def test_a_log_that_lost_lines_is_refused(broken: Path, command: Command) -> None:
    lines = (broken / "log.jsonl").read_text().splitlines(keepends=True)
    for text in ("", "".join(lines[:2]), "".join(lines[1:]), lines[0] + "{}\n" + lines[2]):
        (broken / "log.jsonl").write_text(text)
        assert "log.jsonl" in damaged(broken, command)
    (broken / "log.jsonl").unlink()
    assert "log.jsonl" in damaged(broken, command)


def test_another_engine_version_is_refused_unless_forced(
    whole: Path, broken: Path, command: Command
) -> None:
    text = (broken / "state.json").read_text()
    (broken / "state.json").write_text(text.replace('"toy-1"', '"toy-0"'))
    before = snapshot(broken)
    done = command("resume", broken, "--jobs", 1)
    assert done.status == 2
    assert all(word in done.err for word in ("toy-0", "toy-1", "--force"))
    assert snapshot(broken) == before
    assert command("show", broken).status == 0
    assert command("resume", broken, "--force", "--jobs", 1).status == 0
    same(whole, broken)


def test_a_run_of_a_game_that_is_gone_is_refused(
    broken: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setattr(sys, "path", [path for path in sys.path if "data/toy" not in path])
    done = command("resume", broken)
    assert done.status == 2
    assert "toy" in done.err
    assert len(done.lines) <= 3


def test_a_moved_folder_resumes(whole: Path, broken: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere" / "renamed"
    moved.parent.mkdir()
    broken.rename(moved)
    resume(moved, workers=ONE)
    same(whole, moved)
