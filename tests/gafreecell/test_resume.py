"""Runs that were interrupted, at whatever step, resume to the same bits."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable
from dataclasses import astuple, fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import COMMAND, job_table
from run_folders import ONE, generations_of, log_of, names_of, same
from test_phases import cache
from test_phases import table as phased_table

from gafreecell.evolution.job import JobError
from gafreecell.runs.folder import LOCK, STATE, RunError
from gafreecell.runs.run import evolve, load, resume
from gafreecell.runs.stop_request import FILE as REQUEST
from gafreecell.runs.stop_request import StopRequested, ask, is_asked
from gafreecell.solving.checksums import sealed
from gafreecell.solving.outcome import Evaluator, Limits, Nodes, Outcome, Search, Status, Task
from gafreecell.workers import unfinished
from gafreecell.workers.chosen import Workers
from gafreecell.workers.evaluation import BATCH
from gafreecell.workers.unfinished import FILE

pytestmark = pytest.mark.usefixtures("toy")

__all__ = ["cache"]


PARTS = [
    ("fixed", "log-nodes", "genetic"),
    ("resampled", "node-reduction", "genetic"),
    ("resampled", "log-nodes", "cma-es"),
    ("coevolution", "node-reduction", "cma-es"),
    ("fixed", "log-nodes", "random"),
    ("informative", "relative", "genetic"),
    ("informative", "relative", "cma-es"),
]
CENTROID = {"scheme": "resampled", "validation": {"candidate": "centroid"}}
CHANGES: list[dict[str, Any]] = [
    *(
        {
            "scheme": scheme,
            "trainer": trainer,
            "fitness": {"measure": measure, "exponent": 0.5, "expansion": 2.0},
            "solvers": {"selection": "windowed"},
        }
        for scheme, measure, trainer in PARTS
    ),
    {**CENTROID, "sample": {"deals": 3, "agreement": 1, "most": 9}},
    {
        **CENTROID,
        "sample": {"deals": 3, "growth": {"3": 6}},
        "racing": {"rounds": 3, "share": 0.3},
    },
    {**CENTROID, "scheme": "informative", "racing": {"rounds": 2}, "informative": {"age": 2}},
    {**CENTROID, "scheme": "coevolution", "problems": {"virulence": 0.75, "every": 1}},
]


@pytest.mark.parametrize("changes", CHANGES)
def test_other_parts_races_and_samples_that_grow_resume_to_the_same_bits(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    job = job_table(generations=4, **changes)
    whole = evolve(job, tmp_path / "whole", ONE)
    evolve(job, tmp_path / "parts", ONE, generations=2)
    for total in (3, 4):
        resume(tmp_path / "parts", total, ONE)
    same(tmp_path / "whole", tmp_path / "parts")
    met = [line["evaluations"] for line in whole.lines]
    if "racing" in changes:
        size = 30 if changes["scheme"] == "informative" else 24
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
    resume(folder, jobs=ONE, callbacks=[again])
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
        # Collecting garbage would copy what it shares with its parent.
        gc.freeze()
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


def test_killed_at_any_step_it_resumes_to_the_same_bits(tmp_path: Path) -> None:
    """Death before every single system call that changes the folder, each from scratch."""
    job = job_table(
        generations=2,
        problems={"every": 1, "population": 2, "deals": 1},
        solvers={"population": 2},
        deals={"validation": "101-102"},
    )
    whole = evolve(job, tmp_path / "whole", ONE).folder
    event, deaths = 0, set()
    folder = tmp_path / "killed"
    while killed_at(event, lambda: evolve(job, folder, ONE)):
        deaths.add(generations_of(folder))
        if (folder / "state.json").exists():
            resume(folder, jobs=ONE)
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


# The last is what a power cut may leave at the end of a file that was being extended.
TAILS = {
    "nothing": b"",
    "line": b'{"generation": 4}\n',
    "half": b'{"generation": 4, "solvers": {"best": 0.',
    "brace": b"{",
    "empty": b"\n",
    "zeros": b"\0" * 100,
    "text": b"nothing of ours\n",
    "no text": b"\xff\xfe\x80",
}


@pytest.mark.parametrize("tail", TAILS.values(), ids=TAILS)
def test_an_interrupted_run_makes_again_what_the_log_holds_beyond_the_state(
    whole: Path, broken: Path, tail: bytes
) -> None:
    with (broken / "log.jsonl").open("ab") as log:
        log.write(tail)
    assert load(broken).generation == 3
    resume(broken, jobs=ONE)
    same(whole, broken)


def test_the_whole_line_may_be_in_the_log_already(whole: Path, broken: Path) -> None:
    shutil.copy(whole / "log.jsonl", broken / "log.jsonl")
    resume(broken, jobs=ONE)
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
    resume(folder, jobs=ONE)
    same(whole, folder)


# The outcomes that an interrupted generation had computed

TASK = Task(617, Evaluator(("a", "b"), (0.1 + 0.2, -1e-300)), Search("think"), Limits(1000))
OUTCOME = Outcome(Status.SOLVED, None, {"single": 88}, Nodes(310, 902, 4711), 1 / 3, 0.1 + 0.2)


def test_every_part_of_an_outcome_comes_back(tmp_path: Path) -> None:
    lacking = [f.name for f in fields(OUTCOME) if getattr(OUTCOME, f.name) is None]
    assert lacking == ["moves"] and None not in astuple(OUTCOME.nodes)
    failed = Outcome(Status.NODE_LIMIT, None, None, Nodes(1, 2))
    other = Task(618, None, Search("think"), Limits(1000))
    unfinished.save(tmp_path, "engine-1", {TASK: OUTCOME, other: failed})
    kept = unfinished.read(tmp_path, "engine-1")
    assert kept == {unfinished.key_of(TASK): OUTCOME, unfinished.key_of(other): failed}
    assert unfinished.read(tmp_path, "engine-2") == {}


def test_a_damaged_file_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert unfinished.read(tmp_path, "engine-1") == {}
    assert capsys.readouterr().err == "", "a run that was not interrupted has none"
    unfinished.save(tmp_path, "engine-1", {TASK: OUTCOME})
    file = tmp_path / FILE
    whole = file.read_text()
    for damaged in (whole.replace("902", "903"), whole[:-5], "[" * 50_000):
        file.write_text(damaged)
        assert unfinished.read(tmp_path, "engine-1") == {}
    (said,) = capsys.readouterr().err.splitlines()
    assert str(file) in said and "computed again" in said


WRONG = [
    (0, "odd"),
    (1, {"single": -5}),
    (1, 3),
    (2, [1, "x", None]),
    (2, [1]),
    (3, None),
    (4, -1.0),
]


@pytest.mark.parametrize(("place", "wrong"), [*WRONG, ("version", 3)])
def test_a_file_of_another_version_or_with_values_that_cannot_be_right_is_not_taken(
    tmp_path: Path, place: Any, wrong: object, capsys: pytest.CaptureFixture[str]
) -> None:
    unfinished.save(tmp_path, "engine-1", {TASK: OUTCOME})
    file = tmp_path / FILE
    document = json.loads(file.read_text())
    part = document["format" if place == "version" else "outcomes"]
    (part if place == "version" else part[unfinished.key_of(TASK)])[place] = wrong
    file.write_text(json.dumps(sealed(document)))
    assert unfinished.read(tmp_path, "engine-1") == {}
    assert "computed again" in capsys.readouterr().err


def test_a_folder_in_its_place_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r" / FILE).mkdir(parents=True)
    assert evolve(job_table(generations=1), tmp_path / "r", ONE).finished
    assert "computed again" in capsys.readouterr().err
    assert (tmp_path / "r" / FILE).is_dir()


@pytest.mark.parametrize("measure", ["cost-per-solved", "relative"])
def test_fitness_by_successors_scored_is_the_same_after_an_interruption(
    measure: str, tmp_path: Path
) -> None:
    given = phased_table(generations=2, fitness={"measure": measure, "scoring": 0.5})
    whole = evolve(given, tmp_path / "whole", ONE).folder
    folder = tmp_path / "stopped"
    with pytest.raises(KeyboardInterrupt):
        evolve(given, folder, ONE, callbacks=[Interrupts(after=BATCH)])
    again = Interrupts()
    resume(folder, jobs=ONE, callbacks=[again])
    assert again.first >= BATCH, "some were kept"
    same(whole, folder)


# A file in a run's folder stops the run as Ctrl-C does


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_stopped_run_resumes_to_the_same_bits(tmp_path: Path, jobs: int) -> None:
    whole = evolve(job_table(), tmp_path / "whole", ONE).folder
    folder = tmp_path / "stopped"

    def asking(run: Any, line: Any) -> None:
        if line["generation"] == 2:
            ask(folder)

    with pytest.raises(StopRequested):
        evolve(job_table(), folder, Workers(jobs), [asking])
    assert load(folder).generation == 2
    assert not is_asked(folder)
    resume(folder, jobs=ONE)
    same(whole, folder)


def test_it_is_heeded_within_a_generation_and_outside_the_main_thread(tmp_path: Path) -> None:
    whole = evolve(job_table(), tmp_path / "whole", ONE).folder
    folder, ended = tmp_path / "stopped", []
    asking = SimpleNamespace(on_progress=lambda done, total: 0 < done < total and ask(folder))

    def work() -> None:
        try:
            evolve(job_table(), folder, ONE, [asking])
        except StopRequested:
            ended.append(load(folder).generation)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert ended == [0]
    assert not is_asked(folder)
    resume(folder, jobs=ONE)
    same(whole, folder)


def test_a_request_that_nobody_heeded_does_not_stop_the_next_run(tmp_path: Path) -> None:
    folder = evolve(job_table(generations=2), tmp_path / "r", ONE).folder
    ask(folder)
    assert resume(folder, 3, ONE).generation == 3
    assert not (folder / REQUEST).exists()


def test_a_run_is_stopped_while_it_is_set_up_and_only_once(tmp_path: Path) -> None:
    """Earlier phases solve the training deals before there is a state."""
    folder = tmp_path / "stopped"

    def progress(done: int, total: int) -> None:
        if done and not (folder / STATE).exists():
            ask(folder)

    with pytest.raises(StopRequested):
        evolve(phased_table(generations=1), folder, ONE, [SimpleNamespace(on_progress=progress)])
    assert not (folder / STATE).exists()
    assert not is_asked(folder)
    # What an earlier process left behind stops neither a new run nor a resumed one.
    ask(folder)
    assert evolve(phased_table(generations=1), folder, ONE).generation == 1
    ask(folder)
    assert resume(folder, 2, ONE).generation == 2
    assert not is_asked(folder)


def test_a_request_is_heeded_from_the_moment_that_others_see_the_run(tmp_path: Path) -> None:
    asking = SimpleNamespace(on_start=lambda run: ask(run.folder))
    with pytest.raises(StopRequested):
        evolve(job_table(), tmp_path / "run", ONE, [asking])


def test_a_request_is_not_written_through_a_link(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / REQUEST).symlink_to(tmp_path / "outside")
    assert is_asked(folder)
    with pytest.raises(OSError, match="symbolic links"):
        ask(folder)
    assert not (tmp_path / "outside").exists()
