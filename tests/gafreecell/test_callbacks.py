"""Callbacks, rules that finish a run early, and a limit of hours: what ends a run, and how."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import COMMAND, Command, refused, wait_for
from handed_in import Positions
from run_folders import ONE, generations_of, log_of, same, write_job
from toy_game import Toy

from gafreecell.cli.main import main
from gafreecell.runs.callbacks import CallbackError
from gafreecell.runs.folder import RunError, engine_of
from gafreecell.runs.record import Run
from gafreecell.runs.run import evolve, load, resume
from gafreecell.solving.stopping import STOPPING
from gafreecell.workers import unfinished

pytestmark = pytest.mark.usefixtures("toy")


class Diary:
    """Writes down all that it is told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages: list[Any] = []

    def on_start(self, run: Run) -> None:
        self.pages.append(("start", run.generation))

    def on_generation(self, run: Run, record: dict[str, Any]) -> None:
        self.pages.append((record["generation"], run.generation, generations_of(self.folder)))

    def on_end(self, run: Run) -> None:
        self.pages.append(("end", run.generation))


def evolved(tmp_path: Path, callbacks: Any, **changes: Any) -> Run:
    """The run in the folder ``r`` with these callbacks."""
    return evolve(write_job(tmp_path, **changes), tmp_path / "r", ONE, callbacks)


def resumed(whole: Path, folder: Path) -> None:
    """A run is finished, and is then the same as one that nothing interrupted."""
    assert resume(folder, jobs=ONE).finished
    same(whole, folder)


def test_callbacks_are_told_after_each_generation_is_saved_the_first_too(tmp_path: Path) -> None:
    diary, told = Diary(tmp_path / "r"), []
    evolved(tmp_path, [diary, lambda run, record: told.append(run.generation)], generations=3)
    assert diary.pages == [("start", 0), (1, 1, 1), (2, 2, 2), (3, 3, 3), ("end", 3)]
    assert told == [1, 2, 3]


def test_true_ends_the_run_and_resume_completes_it(whole: Path, tmp_path: Path) -> None:
    others: list[int] = []
    callbacks = [lambda run, _: run.generation == 2, lambda run, _: others.append(run.generation)]
    run = evolved(tmp_path, callbacks)
    assert (run.generation, run.finished) == (2, False)
    assert others == [1, 2], "the others are told all the same"
    run = resume(run.folder, jobs=ONE, callbacks=[lambda run, record: True])
    assert run.generation == 3
    assert resume(run.folder, jobs=ONE, callbacks=[lambda run, record: False]).finished
    same(whole, run.folder)


@pytest.mark.parametrize("value", [1, "stop", [True], 0.0])
def test_what_is_neither_true_nor_false_is_refused(tmp_path: Path, value: Any) -> None:
    others: list[int] = []
    callbacks = [lambda run, record: value, lambda run, record: others.append(run.generation)]
    with pytest.raises(CallbackError, match=r"must return True to end the run here, .* got "):
        evolved(tmp_path, callbacks)
    assert others == [1], "the others are told all the same"
    assert load(tmp_path / "r").generation == 1


def test_nothing_a_callback_does_shows_in_the_run(whole: Path, tmp_path: Path) -> None:
    import random

    import numpy as np

    def spoil(run: Run, record: dict[str, Any]) -> None:
        random.seed(1)
        np.random.seed(1)
        record["solvers"]["best"] = 9.0
        record["problems"].clear()
        record["best_weights"][:] = [0.0]
        run.state.trainer["solvers"][:] = []
        run.state.scheme.clear()
        run.lines[-1]["evaluations"] = 10**15
        run.lines[0]["validation"].clear()
        run.validated[-1]["value"] = -1.0
        run.job.trained.parameters["effort"] = 1  # type: ignore[index]
        run.job.options["think"] = {}  # type: ignore[index]
        object.__setattr__(run.job, "generations", 1)
        run.lines.clear()
        seen.append(len(run.logbook))

    seen: list[int] = []
    run = evolved(tmp_path, [lambda run, _: seen.append(len(run.logbook)), spoil])
    same(whole, run.folder)
    assert seen == [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]
    assert len(run.lines) == 6


def test_no_callback_ends_a_run_by_what_it_does_to_the_log(tmp_path: Path) -> None:
    def spoil(run: Run, record: dict[str, Any]) -> None:
        run.lines[-1]["evaluations"] = 10**15

    run = evolved(tmp_path, spoil, generations=3, stop={"evaluations": 10**9})
    assert run.ending == "all its 3 generations are done"


@dataclasses.dataclass(frozen=True)
class Full(Exception):
    """It takes no notes, and no traceback of a ``with`` block."""

    what: str


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (Full("tracker"), RuntimeError, "Full: tracker"),
        (SystemExit(0), CallbackError, r"on_generation of the callback <.* called sys.exit\(0\): "),
        (asyncio.CancelledError(), CallbackError, r"on_generation of .* raised CancelledError\(\)"),
    ],
)
def test_whatever_a_callback_raises_is_named_and_loses_no_generation(
    error: BaseException, kind: type[Exception], said: str, whole: Path, tmp_path: Path
) -> None:
    def fail(run: Run, record: dict[str, Any]) -> None:
        if record["generation"] == 4:
            raise error

    diary = Diary(tmp_path / "r")
    with pytest.raises(kind, match=said) as caught:
        evolved(tmp_path, [diary, fail])
    assert diary.pages[-1] == ("end", 4), "it is told of the end whatever ended it"
    assert caught.value.__cause__ is error
    assert f"gafreecell resume {tmp_path / 'r'}" in "\n".join(caught.value.__notes__)
    resumed(whole, tmp_path / "r")


@pytest.mark.parametrize("cut", [False, True])
def test_a_second_ctrl_c_loses_nothing(
    cut: bool, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, save, folder = Toy.run, unfinished.save, tmp_path / "r"
    diary, ran = Diary(folder), []

    def run(self: Toy, tasks: Any) -> Any:
        ran.append(1)
        if len(ran) == 5:
            signal.raise_signal(signal.SIGINT)
        return usual(self, tasks)

    def again(*given: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        save(*given)
        if cut:
            # As a handler that is not ours does.
            raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt) as caught:
        patched.setattr(Toy, "run", run)
        patched.setattr(unfinished, "save", again)
        evolved(tmp_path, diary)
    assert diary.pages[-1][0] == "end"
    assert (folder / unfinished.FILE).exists()
    assert cut or f"gafreecell resume {folder}" in caught.value.__notes__[0]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    resumed(whole, folder)


class Moody:
    """It notes what it is told, and raises at some of it."""

    def __init__(self, told: list[str], name: str, *moods: str) -> None:
        self.told, self.name, self.moods = told, name, moods

        for event in ("start", "generation", "end"):
            setattr(self, f"on_{event}", partial(self._tell, event))

    def _tell(self, event: str, *given: Any) -> None:
        self.told.append(f"{self.name} {event}")
        if event in self.moods:
            raise RuntimeError(f"{self.name} at {event}")


def test_no_error_in_on_end_hides_the_first_one_or_keeps_others_open(tmp_path: Path) -> None:
    told: list[str] = []
    moods = [Moody(told, "a", "end"), Moody(told, "b", "generation", "end"), Moody(told, "c")]
    with pytest.raises(RuntimeError, match="b at generation") as first:
        evolved(tmp_path, moods)
    assert told[-3:] == ["a end", "b end", "c end"]
    notes = "\n".join(first.value.__notes__)
    assert "RuntimeError('a at end')" in notes and "RuntimeError('b at end')" in notes
    assert f"gafreecell resume {tmp_path / 'r'}" in notes


def test_an_error_in_on_end_alone_is_raised_once_all_are_ended(tmp_path: Path) -> None:
    told: list[str] = []
    moods = [Moody(told, "a", "end"), Moody(told, "b"), Moody(told, "c", "end")]
    with pytest.raises(RuntimeError, match="a at end") as first:
        evolved(tmp_path, moods, generations=1)
    assert told[-3:] == ["a end", "b end", "c end"]
    assert any("RuntimeError('c at end')" in note for note in first.value.__notes__)
    assert load(tmp_path / "r").finished


def test_what_has_not_started_is_not_ended(tmp_path: Path) -> None:
    told: list[str] = []
    moods = [Moody(told, "a"), Moody(told, "b", "start"), Moody(told, "c")]
    with pytest.raises(RuntimeError, match="b at start"):
        evolved(tmp_path, moods)
    assert told == ["a start", "b start", "a end"]


@pytest.mark.parametrize(
    ("callback", "said"),
    [
        *[(one, "on_generation") for one in (5, "print", object(), Diary)],
        (SimpleNamespace(on_generation=None), "on_generation"),
        (lambda run: True, r"two arguments, f\(run, record\).*takes \(run\)"),
    ],
)
def test_what_cannot_be_called_is_refused_before_the_run_begins(
    tmp_path: Path, callback: Any, said: str
) -> None:
    with pytest.raises(CallbackError, match=said):
        evolved(tmp_path, [callback])
    assert not (tmp_path / "r" / "state.json").exists()


@pytest.mark.parametrize("last", [2, 6])
@pytest.mark.parametrize("name", ["log.jsonl", "validation.jsonl"])
def test_a_log_that_is_removed_in_mid_run_is_noticed_and_nothing_is_lost(
    whole: Path, tmp_path: Path, name: str, last: int
) -> None:
    folder, told = tmp_path / "r", []

    def remove(run: Run, record: dict[str, Any]) -> None:
        told.append(run.generation)
        if run.generation == last:
            (folder / name).unlink()

    with pytest.raises(RunError, match=rf"{name} was removed while the run worked, so .* resume"):
        evolved(tmp_path, remove)
    assert told[-1] == last, "before another generation is run"
    resumed(whole, folder)


def test_a_log_that_is_changed_in_mid_run_is_noticed_and_kept(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "r"

    def change(run: Run, record: dict[str, Any]) -> None:
        if run.generation == 2:
            (folder / "log.jsonl").write_text("mine\n")

    with pytest.raises(RunError, match=r"was changed .*; what was there is now log\.jsonl\.before"):
        evolved(tmp_path, change)
    assert (folder / "log.jsonl.before").read_text() == "mine\n"
    resumed(whole, folder)


def test_a_folder_that_is_removed_in_mid_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="was removed while the run worked: begin a new run"):
        evolved(tmp_path, lambda run, _: shutil.rmtree(run.folder))


def test_a_callback_may_change_the_current_folder(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    run = evolve(write_job(tmp_path), "r", ONE, lambda run, _: os.chdir(tmp_path / "elsewhere"))
    assert run.folder == tmp_path / "r"
    same(whole, run.folder)
    monkeypatch.chdir(tmp_path)
    assert resume("r", 7, ONE, lambda run, _: os.chdir("elsewhere")).generation == 7
    monkeypatch.chdir(tmp_path)
    assert resume("r", 8, ONE, [lambda run, _: None]).folder == Path("r")


class Other(Positions):
    """Another class of the same name, so with another engine."""

    engine = "another"


def test_a_run_in_a_callback_changes_nothing_of_the_outer_one(tmp_path: Path) -> None:
    job = {"name": "c", "generations": 2, "trained": {"search": "solve"}, "scheme": "fixed"}
    job |= {"sample": {"deals": 4}, "solvers": {"population": 2}}

    def inner(run: Run, record: Any) -> None:
        evolve(job, tmp_path / f"inner{run.generation}", ONE, game=Other)

    evolve(job, tmp_path / "r", ONE, inner, game=Positions)
    assert engine_of(tmp_path / "r") == Positions().engine
    assert resume(tmp_path / "r", 3, ONE, game=Positions).generation == 3


# Finishing early


def test_a_run_is_finished_after_so_many_generations_without_better_weights(
    tmp_path: Path, command: Command
) -> None:
    long = evolve(write_job(tmp_path, generations=20), tmp_path / "long", ONE)
    bests = [line["validation"]["generation"] for line in long.lines]
    expected = next(g for g, best in enumerate(bests, start=1) if g - best >= 4)
    assert 4 < expected < 20
    job = write_job(tmp_path, "b.toml", generations=20, stop={"patience": 4})
    run = evolve(job, tmp_path / "r", ONE)
    assert run.generation == expected
    assert run.ending == "no better weights in 4 generations"
    assert log_of(run.folder) == log_of(long.folder)[:expected], "all else is the same"
    assert run.job.digest == long.job.digest
    done = command("resume", run.folder)
    assert done.status == 0
    assert done.out.startswith(f"{run.folder} is finished: {run.ending}\n")
    assert "change [stop]" in done.out
    text = (run.folder / "job.toml").read_text()
    (run.folder / "job.toml").write_text(text.replace("patience = 4", "patience = 0"))
    assert command("resume", run.folder, "--generations", expected + 1, "--jobs", 1).status == 0
    assert log_of(run.folder) == log_of(long.folder)[: expected + 1]
    assert command("evolve", job, "--out", tmp_path / "c", "--jobs", 1).status == 0
    assert load(tmp_path / "c").generation == expected


def test_a_run_is_finished_once_its_weights_reach_a_target(tmp_path: Path) -> None:
    long = evolve(write_job(tmp_path, generations=12), tmp_path / "long", ONE)
    values = [line["validation"]["value"] for line in long.lines]
    target = values[6]
    job = write_job(tmp_path, "b.toml", generations=12, stop={"target": target})
    run = evolve(job, tmp_path / "r", ONE)
    assert run.generation == 1 + next(g for g, one in enumerate(values) if one <= target) <= 7
    assert "reached the target" in run.ending
    assert load(run.folder).job.stop.target == target


def test_hours_end_the_command_as_ctrl_c_does(
    whole: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_PAUSE", "0.01")
    folder, job = tmp_path / "r", write_job(tmp_path)
    began = time.monotonic()
    done = command("evolve", job, "--out", folder, "--jobs", 1, "--hours", 1 / 3600)
    assert done.status == 130
    assert time.monotonic() - began < 5
    saved = generations_of(folder)
    assert saved < 6
    assert re.search(rf"stopped; {saved} generations? of {folder} (is|are) saved", done.err)
    monkeypatch.setenv("TOY_PAUSE", "0")
    assert command("resume", folder, "--jobs", 1, "--hours", 1).status == 0
    same(whole, folder)
    refused(command("resume", folder, "--hours", 0), "positive number of hours")


@pytest.fixture
def signals_kept() -> Iterator[None]:
    """A command that was stopped ignores signals until its process has ended."""
    kept = {one: signal.getsignal(one) for one in STOPPING}
    yield
    for one, found in kept.items():
        signal.signal(one, found)


@pytest.mark.usefixtures("signals_kept")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_kill_and_a_closed_terminal_end_the_command_as_ctrl_c_does(
    number: signal.Signals,
    status: int,
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    usual, folder = Toy.run, tmp_path / "r"

    def run(self: Toy, tasks: Any) -> Any:
        if generations_of(folder) == 2:
            signal.raise_signal(number)
        return usual(self, tasks)

    words = ["evolve", str(write_job(tmp_path)), "--out", str(folder), "--jobs", "2"]
    with monkeypatch.context() as patched, pytest.raises(SystemExit) as left:
        patched.setattr(Toy, "run", run)
        # It keeps numba's lock, since the process is about to end: later tests would wait for it.
        patched.setattr(sys.modules[main.__module__], "is_compiling", lambda: False)
        main(words)
    assert left.value.code == status
    # A key that is held down does not end the interpreter on its way out.
    assert {signal.getsignal(one) for one in STOPPING} == {signal.SIG_IGN}
    err = capsys.readouterr().err
    assert f"stopped; 2 generations of {folder} are saved" in err
    assert err.endswith(f"resume: gafreecell resume {folder}\n")
    resumed(whole, folder)


# Jobs changed on the command line


def test_set_changes_a_job_on_the_command_line(tmp_path: Path, command: Command) -> None:
    job = write_job(tmp_path)

    def changed(*settings: str) -> Run:
        words = [word for setting in settings for word in ("--set", setting)]
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        done = command("evolve", job, "--out", folder, *words, "--generations", 1)
        assert done.status == 0, done.err
        return load(folder)

    run = changed("solvers.population=5", "scheme=fixed", "sample.deals=7")
    assert (run.job.solvers.population, run.job.scheme, run.job.sample.deals) == (5, "fixed", 7)
    assert run.lines[0]["evaluations"] == 5 * 7
    named = changed("name=7", "trained.features=near, far", "deals.validation=105").job
    assert (named.name, named.trained.features) == ("7", ("near", "far"))
    assert named.deals.validation == "105"
    tables = changed("variant.slow=2", "cma={start = {near = 0.5}}").job
    assert (tables.variant, tables.cma.start) == ({"slow": 2}, {"near": 0.5})
    listed = changed('trained.features=["near", "far"]', "trained.ranges.near=[0, 2]").job
    assert (listed.trained.features, listed.trained.ranges) == (("near", "far"), {"near": [0, 2]})


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("solvers.size=5", ["solvers.size is not a key"]),
        ("solvers.population", ["KEY=VALUE"]),
        ("solvers=5", ["solvers must be a table"]),
        ("solvers.population=many", ["solvers.population must be a whole number"]),
        ("solvers.population=1", ["solvers.population must be 2 to 100,000, got 1"]),
        ("cma.start={near = 0.4", ["must be a list or a table in TOML", "'{' is not closed"]),
        ('trained.features=["near"', ["a '[' is not closed by ']'"]),
        ("trained.features=[near]", ['as in ["a", "b"]']),
    ],
)
def test_wrong_settings_are_those_of_the_command_line_not_of_the_file(
    word: str, said: list[str], tmp_path: Path, command: Command
) -> None:
    job = write_job(tmp_path)
    done = command("evolve", job, "--out", tmp_path / "s", "--set", word)
    refused(done, *said, "--set")
    assert str(job) not in done.err and ", line " not in done.err


def test_a_setting_that_is_wrong_is_named_among_others(tmp_path: Path, command: Command) -> None:
    job, seed = write_job(tmp_path), ("--set", "seed=3")
    wrong = command("evolve", job, *seed, "--set", "solver.population=3")
    refused(wrong, "gafreecell: --set solver.population=3: solver is not a key", "'solvers'?")
    # The table that an error is about need not be the one that was changed.
    refused(command("evolve", job, *seed, "--set", "game=freecell"), "--set seed=3 --set game=")
    refused(command("evolve", "no-such.toml", *seed), "no-such.toml")


def test_hours_also_end_a_command_that_a_shell_started_deaf_to_ctrl_c(tmp_path: Path) -> None:
    words = ["evolve", write_job(tmp_path), "--out", tmp_path / "r", "--hours", 0.0003]
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)],
        env={**os.environ, "TOY_PAUSE": "0.05"},
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    wait_for(lambda: process.poll() is not None)
    _, err = process.communicate()
    assert process.returncode == 130
    assert b"resume" in err
