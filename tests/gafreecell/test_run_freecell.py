"""Runs of FreeCell, for what depends on kernels: workers, backends, Ctrl-C in a long search."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from conftest import Command, as_toml, start, wait_for
from probes import NOTICE
from run_folders import ONE, generations_of, same

from gafreecell.runs.run import evolve, load
from gafreecell.runs.stop_request import ask, is_asked
from gafreecell.solving.weights import read_weights


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


@pytest.mark.parametrize(("backend", "jobs"), [("threading", -1), ("loky", 2), ("dask", 2)])
def test_neither_workers_nor_backend_show_in_a_run(
    freecell_run: Path, tmp_path: Path, backend: str, jobs: int, command: Command
) -> None:
    job = freecell_run.parent / "fc.toml"
    folder = tmp_path / "other"
    done = command("evolve", job, "--out", folder, "--backend", backend, "--jobs", jobs)
    assert (done.status, done.lines) == (0, [])
    same(freecell_run, folder)


def test_a_freecell_run_is_shown_and_exported_and_solves(
    freecell_run: Path, tmp_path: Path, command: Command
) -> None:
    shown = command("show", freecell_run)
    assert (shown.status, shown.err) == (0, "")
    assert "3 of 3 generations" in shown.out
    assert "NumberWellPlaced" in shown.out
    exported = command("export", freecell_run, "-o", tmp_path / "weights.json")
    assert exported.status == 0
    best = read_weights(freecell_run / "weights" / "best.json")
    assert replace(read_weights(tmp_path / "weights.json"), provenance=best.provenance) == best
    for solver in (freecell_run, tmp_path / "weights.json"):
        solved = command("solve", "1-3", "--weights", solver, "--format", "jsonl")
        assert solved.out.count('"solved"') == 3


def searching(folder: Path, backend: str) -> list[Any]:
    """The words of a command whose searches take minutes."""
    trained = {
        "search": "staged",
        "features": ["HSDH", "HighestHomeCard"],
        "parameters": {"depth": 7, "automatic": "none", "table": 200_000},
        "nodes": 50_000_000,
    }
    job = freecell_job(folder.parent, trained=trained)
    return ["evolve", job, "--out", folder, "--backend", backend, "--jobs", 2]


def stopped(folder: Path, stop: Callable[[], object]) -> float:
    """Stop a run within a search; the time when it was told to."""
    wait_for(lambda: generations_of(folder) == 0)
    time.sleep(0.5)
    began = time.monotonic()
    stop()
    return began


def says_how_to_go_on(folder: Path, status: int | None, err: str) -> None:
    assert status == 130
    assert "Traceback" not in err
    lines = NOTICE.sub("", err).splitlines()
    assert f"gafreecell resume {folder}" in lines[-1]
    assert len(lines) <= 3
    assert load(folder).generation == 0
    assert not is_asked(folder)


@pytest.mark.parametrize(
    "backend", ["threading", *(pytest.param(b, marks=pytest.mark.long) for b in ("loky", "dask"))]
)
def test_ctrl_c_stops_a_run_within_seconds_although_its_search_takes_minutes(
    tmp_path: Path, backend: str
) -> None:
    folder = tmp_path / "long"
    process = start(*searching(folder, backend))
    # A terminal sends Ctrl-C to the whole group, workers included.
    began = stopped(folder, lambda: os.killpg(process.pid, signal.SIGINT))
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - began < 2
    says_how_to_go_on(folder, process.returncode, err)


def test_a_run_that_is_asked_stops_within_seconds_although_its_search_takes_minutes(
    tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "long"
    # Otherwise a run that heeds nothing would work for hours.
    late = Timer(60, os.kill, (os.getpid(), signal.SIGINT))
    late.start()
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(stopped, folder, lambda: ask(folder))
        ran = command(*searching(folder, "threading"))
        ended = time.monotonic()
    late.cancel()
    # A request is looked for now and then.
    assert ended - asking.result() < 4
    says_how_to_go_on(folder, ran.status, ran.err)
