"""A file in a run's folder stops the run as Ctrl-C does; resumed, it is bit-identical."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import job_table, start, wait_for
from run_folders import ONE, generations_of, same
from test_phases import cache
from test_phases import table as phased_table
from test_run_freecell import freecell_job

from gafreecell.runs.folder import STATE
from gafreecell.runs.run import evolve, load, resume
from gafreecell.runs.stop_request import FILE, StopRequested, ask, is_asked
from gafreecell.workers.evaluation import Workers

__all__ = ["cache"]
LONG = {
    "search": "staged",
    "features": ["HSDH", "HighestHomeCard"],
    "parameters": {"depth": 7, "automatic": "none", "table": 200_000},
    "nodes": 50_000_000,
}


@pytest.mark.usefixtures("toy")
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
    resume(folder, workers=ONE)
    same(whole, folder)


@pytest.mark.usefixtures("toy")
def test_it_is_heeded_within_a_generation_and_outside_the_main_thread(tmp_path: Path) -> None:
    class Asking:
        def on_progress(self, done: int, total: int) -> None:
            if 0 < done < total:
                ask(folder)

    whole = evolve(job_table(), tmp_path / "whole", ONE).folder
    folder, ended = tmp_path / "stopped", []

    def work() -> None:
        try:
            evolve(job_table(), folder, ONE, [Asking()])
        except StopRequested:
            ended.append(load(folder).generation)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert ended == [0]
    assert not is_asked(folder)
    resume(folder, workers=ONE)
    same(whole, folder)


@pytest.mark.usefixtures("toy")
def test_a_request_that_nobody_heeded_does_not_stop_the_next_run(tmp_path: Path) -> None:
    folder = evolve(job_table(generations=2), tmp_path / "r", ONE).folder
    ask(folder)
    assert resume(folder, 3, ONE).generation == 3
    assert not (folder / FILE).exists()


def test_a_command_ends_within_seconds_although_its_search_takes_minutes(tmp_path: Path) -> None:
    folder = tmp_path / "long"
    process = start("evolve", freecell_job(tmp_path, trained=LONG), "--out", folder, "--jobs", 2)
    wait_for(lambda: generations_of(folder) == 0)
    time.sleep(2.5)
    began = time.monotonic()
    ask(folder)
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - began < 4
    assert process.returncode == 130
    assert f"gafreecell resume {folder}" in err.splitlines()[-1]
    assert "Traceback" not in err
    assert not is_asked(folder)


@pytest.mark.usefixtures("cache")
def test_a_run_is_stopped_while_it_is_set_up_and_only_once(tmp_path: Path) -> None:
    """Earlier phases solve the training deals before there is a state."""

    class Asking:
        def on_progress(self, done: int, total: int) -> None:
            if done and not (folder / STATE).exists():
                ask(folder)

    folder = tmp_path / "stopped"
    with pytest.raises(StopRequested):
        evolve(phased_table(generations=1), folder, ONE, [Asking()])
    assert not (folder / STATE).exists()
    assert not is_asked(folder)
    # What an earlier process left behind stops neither a new run nor a resumed one.
    ask(folder)
    assert evolve(phased_table(generations=1), folder, ONE).generation == 1
    ask(folder)
    assert resume(folder, 2, ONE).generation == 2
    assert not is_asked(folder)


@pytest.mark.usefixtures("toy")
def test_a_request_is_heeded_from_the_moment_that_others_see_the_run(tmp_path: Path) -> None:
    class Asking:
        def on_start(self, run: Any) -> None:
            ask(run.folder)

    with pytest.raises(StopRequested):
        evolve(job_table(), tmp_path / "run", ONE, [Asking()])


def test_a_request_is_not_written_through_a_link(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / FILE).symlink_to(tmp_path / "outside")
    assert is_asked(folder)
    with pytest.raises(OSError, match="symbolic links"):
        ask(folder)
    assert not (tmp_path / "outside").exists()
