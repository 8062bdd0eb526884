"""Runs that were interrupted, at whatever step, resume to the same bits."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import COMMAND, Command, shell, start, wait_for
from run_folders import ONE, generations_of, log_of, names_of, same, write_job

from gafreecell.evolution.job import JobError
from gafreecell.runs.folder import LOCK, RunError
from gafreecell.runs.run import evolve, load, resume
from gafreecell.workers.evaluation import BATCH
from gafreecell.workers.unfinished import FILE


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
        ("informative", "relative", "genetic"),
        ("informative", "relative", "cma-es"),
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


@pytest.mark.parametrize(
    "changes",
    [
        {"sample": {"deals": 3, "agreement": 1, "most": 9}},
        {"sample": {"deals": 3, "growth": {"3": 6}}, "racing": {"rounds": 3, "share": 0.3}},
        {"scheme": "informative", "racing": {"rounds": 2}, "informative": {"age": 2}},
        {"scheme": "coevolution", "problems": {"virulence": 0.75, "every": 1}},
    ],
)
def test_so_do_races_and_samples_that_grow(
    toy: Any, tmp_path: Path, changes: dict[str, Any]
) -> None:
    table = {"scheme": "resampled", "validation": {"candidate": "centroid"}, **changes}
    job = write_job(tmp_path, **table)
    evolve(job, tmp_path / "whole", ONE)
    evolve(job, tmp_path / "parts", ONE, generations=2)
    for total in (3, 6):
        resume(tmp_path / "parts", total, ONE)
    same(tmp_path / "whole", tmp_path / "parts")
    met = [line["evaluations"] for line in load(tmp_path / "whole").lines]
    if "racing" in changes:
        size = 30 if changes.get("scheme") else 24
        assert max(met) < size * 6, "some fell behind"
    if "agreement" in changes.get("sample", {}):
        assert met[-1] > met[0]


class Interrupts:
    """Presses Ctrl-C when so many tasks of a generation's solvers are done; counts those done."""

    def __init__(self, after: int | None = None) -> None:
        self.after, self.first, self.phase = after, -1, ""

    def on_phase(self, name: str) -> None:
        self.phase = name

    def on_progress(self, done: int, total: int) -> None:
        if self.phase != "solvers":
            return
        if self.first < 0:
            self.first = done
        if self.after is not None and done >= self.after:
            raise KeyboardInterrupt


@pytest.mark.parametrize("damage", ["", "{", '{"format": 3}'])
def test_what_an_interrupted_generation_had_computed_is_not_computed_again(
    whole: Path, tmp_path: Path, damage: str
) -> None:
    folder, job = tmp_path / "stopped", tmp_path / "a.toml"
    with pytest.raises(KeyboardInterrupt):
        evolve(job, folder, ONE, callbacks=[Interrupts(after=BATCH)])
    assert (load(folder).generation, (folder / FILE).is_file()) == (0, True)
    if damage:
        (folder / FILE).write_text(damage)
    again = Interrupts()
    resume(folder, workers=ONE, callbacks=[again])
    assert again.first >= BATCH or damage
    assert not (folder / FILE).exists()
    same(whole, folder)


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

        for name in ("fsync", "replace", "chmod", "mkdir", "fdopen", "unlink"):
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
        # Whether the lock is removed, too, depends on the version of filelock.
        assert names_of(folder) - {LOCK} == names_of(whole) - {LOCK}
        shutil.rmtree(folder)
        event += 1
    assert event > 20
    assert deaths == {-1, 0, 1, 2}


def test_fewer_generations_than_are_done_are_refused(whole: Path, broken: Path) -> None:
    before = log_of(broken)
    with pytest.raises(RunError, match=r"has done \d generations?, more than the 1 asked for"):
        resume(broken, 1, ONE)
    assert log_of(broken) == before
    for none in (0, -1):
        with pytest.raises(JobError, match=f"generations must be at least 1, got {none}"):
            resume(whole, none, ONE)
    finished = resume(whole, 1, ONE)
    assert (finished.generation, finished.job.generations) == (6, 6)


@pytest.mark.long
def test_killed_while_resuming_at_any_step(whole: Path, broken: Path, tmp_path: Path) -> None:
    """After Ctrl-C in its last generation, of which some outcomes were kept."""
    resume(broken, 5, ONE)
    with pytest.raises(KeyboardInterrupt):
        resume(broken, 6, ONE, callbacks=[Interrupts(after=BATCH)])
    assert FILE in names_of(broken)
    event, folder, died = 0, tmp_path / "killed", True
    while died:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(broken, folder)
        with (folder / "log.jsonl").open("a") as log:
            log.write('{"generation": 6, "solv')
        died = killed_at(event, lambda: resume(folder, 6, ONE))
        assert resume(folder, 6, ONE).finished
        same(whole, folder)
        assert names_of(folder) == names_of(whole)
        event += 1
    assert event > 8


@pytest.mark.long
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
    assert re.search(rf"{saved} generations? of {folder} (is|are) saved", err)
    assert f"gafreecell resume {folder}" in err
    assert len(err.splitlines()) <= 3
    done = command("resume", folder, "--jobs", 1)
    assert done.status == 0
    same(whole, folder)
