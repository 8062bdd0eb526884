"""Real workers that end, never come or cannot load the game, and processes that are ended.

Each case ends within seconds, with the cause, the game, the deal where it can be known, and how to
resume; and no worker is left.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import psutil
import pytest
from conftest import Cluster, as_toml, free_port, package, start, wait_for, written
from own_cache import own_cache
from run_folders import generations_of

pytestmark = pytest.mark.long
BAD = """
import os, sys, threading, time
from gafreecell import BaseGame, Feature

class Odd(Exception):
    def __init__(self):
        super().__init__("odd")
        self.lock = threading.Lock()

class Panic(BaseException):
    pass

def fault(error):
    raise error

FAULTS = {
    "exit": lambda: os._exit(7),
    "leave": lambda: sys.exit(3),
    "crash": lambda: os.kill(os.getpid(), 11),
    "odd": lambda: fault(Odd),
    "pipe": lambda: fault(BrokenPipeError),
    "panic": lambda: fault(Panic("lost")),
    "sleep": lambda: time.sleep(57),
}

class Bad(BaseGame):
    name = "bad"
    features = (Feature("one", "the first"),)

    def __init__(self, **options):
        super().__init__(**options)
        if os.environ.get("BAD") == "lock":
            self.lock = threading.Lock()

    def deal(self, number):
        return number

    def solve(self, deal, weights, nodes):
        time.sleep(float(os.environ.get("BAD_PAUSE", "0")))
        if deal == 17:
            FAULTS.get(os.environ.get("BAD"), int)()
        return ["go"], 10 + deal % 7

GAME = Bad()
"""
LOKY = ["--backend", "loky", "--jobs", 2]
LACKING = "raise ImportError('not here')"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a game that does what ``BAD`` says at deal 17; new processes have it."""
    entries = "[gafreecell.games]\nbad = bad_games:GAME\n"
    site = package(tmp_path / "site", "bad_games", entries, bad_games=BAD)
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setenv("GAFREECELL_CACHE", own_cache(tmp_path / "cache"))
    return site


@pytest.fixture
def job(site: Path, tmp_path: Path) -> Path:
    table = {
        "name": "b",
        "generations": 3,
        "game": "bad",
        "trained": {"search": "solve"},
        "solvers": {"population": 6},
        "scheme": "fixed",
        "sample": {"deals": 20},
        "deals": {"train": "1-20", "validation": "101-110"},
    }
    return written(tmp_path / "b.toml", as_toml(table))


def ended(job: Path, folder: Path, words: list[Any], seconds: float = 60, **env: str) -> str:
    """What a run says that ends itself."""
    process = start("evolve", job, "--out", folder, "--no-progress", *words, env=env)
    _, err = process.communicate(timeout=seconds)
    assert process.returncode in (1, 2), err
    return err


@pytest.mark.parametrize("words", [LOKY, ["--backend", "loky", "--jobs", 1]])
@pytest.mark.parametrize(
    ("fault", "said"), [("exit", "ended with exit status 7"), ("crash", "was ended by SIGSEGV")]
)
def test_a_deal_that_ends_its_process_is_named(
    fault: str, said: str, words: list[Any], job: Path, tmp_path: Path
) -> None:
    err = ended(job, tmp_path / "r", words, BAD=fault)
    assert f"gafreecell: a worker process {said}, at the game 'bad', deal 17 (and again" in err
    assert f"gafreecell resume {tmp_path / 'r'}" in err
    assert "in _return_or_raise" not in err


@pytest.mark.parametrize("words", [["--jobs", 2], LOKY, ["--backend", "dask", "--jobs", 2]])
def test_a_game_that_leaves_or_raises_what_cannot_be_pickled_is_named(
    words: list[Any], job: Path, tmp_path: Path
) -> None:
    err = ended(job, tmp_path / "r", words, BAD="leave")
    assert err.startswith("gafreecell: the game 'bad', deal 17: solve called sys.exit(3)")
    err = ended(job, tmp_path / "p", words, BAD="panic")
    assert err.startswith("gafreecell: the game 'bad', deal 17: solve raised Panic('lost')")
    for fault in ("odd", "pipe"):
        err = ended(job, tmp_path / fault, words, BAD=fault)
        assert "raised by the game 'bad', deal 17: solve" in err
        assert f"gafreecell resume {tmp_path / fault}" in err
        assert err.splitlines()[-1].startswith("gafreecell: this is a bug in the game 'bad'")


def test_a_game_that_cannot_be_sent_is_named(job: Path, tmp_path: Path, cluster: Cluster) -> None:
    for words in (LOKY, ["--backend", "dask", "--scheduler", cluster()]):
        err = ended(job, tmp_path / words[1], words, BAD="lock")
        assert err.startswith("gafreecell: the game 'bad' cannot be sent to worker processes")
        assert f"gafreecell resume {tmp_path / words[1]}" in err


def test_a_deal_that_ends_dask_workers_is_named(
    job: Path, tmp_path: Path, cluster: Cluster
) -> None:
    words = ["--backend", "dask", "--scheduler", cluster(BAD="exit")]
    err = ended(job, tmp_path / "r", words, 120, BAD="exit")
    said = "ended, at the game 'bad', deal 17 (a worker process ended with exit status 7 when tried"
    assert said in err.replace("ended one after another,", "ended,")


@pytest.mark.parametrize(
    ("module", "text", "said"),
    [
        ("bad_games", LACKING, "the game 'bad' cannot be loaded by a worker on"),
        ("gafreecell", LACKING, "cannot run gafreecell (ImportError: not here)"),
        ("bad_games", BAD.replace("10 + deal", "20 + deal"), "the game 'bad' of a worker on"),
    ],
    ids=["no game", "no gafreecell", "another version"],
)
def test_what_a_dask_worker_lacks_is_named(
    module: str, text: str, said: str, job: Path, tmp_path: Path, cluster: Cluster
) -> None:
    (tmp_path / "other").mkdir()
    written(tmp_path / "other" / f"{module}.py", text)
    address = cluster(PYTHONPATH=str(tmp_path / "other"))
    err = ended(job, tmp_path / "r", ["--backend", "dask", "--scheduler", address])
    assert said in err and "install" in err
    assert ("ImportError: not here" if text == LACKING else "has the engine") in err
    assert f"gafreecell resume {tmp_path / 'r'}" in err


RELOADED = """
import importlib, gafreecell, bad_games
from gafreecell.installed import plugins

def evolved(backend):
    out = f"{backend}-{bad_games.GAME.engine}"
    run = gafreecell.evolve("b.toml", out, gafreecell.Workers(2, backend), game=bad_games.GAME)
    return run.lines[-1]["nodes"]

def main():
    first = evolved("loky")
    with open(bad_games.__file__, "a") as file:
        file.write("\\nBad.solve = lambda self, deal, weights, nodes: (['go'], 9000)\\n")
    importlib.invalidate_caches()
    importlib.reload(bad_games)
    plugins._handed.clear()
    print(first, evolved("threading"), evolved("loky"))

if __name__ == "__main__":
    main()
"""


def test_processes_that_are_kept_do_not_keep_the_code_of_an_edited_game(
    job: Path, tmp_path: Path
) -> None:
    script = written(tmp_path / "reloaded.py", RELOADED)
    command = [sys.executable, "-B", script]
    out = subprocess.check_output(command, cwd=tmp_path, text=True, timeout=60)
    before, threads, processes = out.split()
    assert before != threads == processes


def test_paused_workers_and_a_scheduler_that_does_not_answer_are_named(
    job: Path, tmp_path: Path, cluster: Cluster
) -> None:
    words = ["--backend", "dask", "--wait", 9, "--scheduler"]
    pause = {"DASK_DISTRIBUTED__WORKER__MEMORY__PAUSE": "0.00001"}
    address = cluster(1, wait=False, BAD_PAUSE="0.3", **pause)
    err = ended(job, tmp_path / "r", [*words, address])
    assert f"the dask scheduler at {address} has had only paused workers for 9 s: they lack" in err
    address = cluster(1, BAD_PAUSE="0.1")
    process = at_work(job, tmp_path / "s", [*words, address])
    schedulers = [
        one
        for one in psutil.Process().children(True)
        if {"scheduler", address[-5:]} <= {*one.cmdline()}
    ]
    time.sleep(2)
    schedulers[-1].suspend()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert f"gafreecell: the dask scheduler at {address} has not answered for 9 s" in err
    assert f"gafreecell resume {tmp_path / 's'}" in err


def test_a_scheduler_without_workers_or_none_is_named(
    job: Path, tmp_path: Path, cluster: Cluster
) -> None:
    words = ["--backend", "dask", "--wait", 2, "--scheduler"]
    address = cluster(workers=0)
    err = ended(job, tmp_path / "r", [*words, address])
    assert f"the dask scheduler at {address} has had no worker for 2 s" in err
    server = HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        for port in (free_port(), server.server_port, silent.getsockname()[1]):
            err = ended(job, tmp_path / "s", [*words, f"tcp://127.0.0.1:{port}"])
            assert f"gafreecell: no dask scheduler at tcp://127.0.0.1:{port}: " in err
    server.shutdown()


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """The worker processes of a command."""
    children = psutil.Process(process.pid).children(recursive=True)
    return [child for child in children if "popen_loky_posix" in " ".join(child.cmdline())]


def at_work(job: Path, folder: Path, words: list[Any], **env: str) -> subprocess.Popen[str]:
    """A run that has begun."""
    process = start("evolve", job, "--out", folder, "--no-progress", *words, env=env)
    wait_for(lambda: generations_of(folder) >= 0 or process.poll() is not None)
    return process


@pytest.mark.parametrize(
    ("env", "said"),
    [
        (
            {"BAD_PAUSE": "0.1"},
            r"a worker process was ended by SIGKILL, at the game 'bad' \(deal .*someone ended it",
        ),
        # The trial takes too long.
        (
            {"BAD": "sleep"},
            r"in 5 s, only \d+ of \d+ deals could be tried again alone, and none",
        ),
    ],
)
def test_a_worker_that_is_killed_is_named(
    env: dict[str, str], said: str, job: Path, tmp_path: Path
) -> None:
    process = at_work(job, tmp_path / "r", LOKY, **env)
    wait_for(lambda: len(workers_of(process)) == 2)
    time.sleep(2)
    workers_of(process)[0].kill()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert re.search(said, err)
    assert f"gafreecell resume {tmp_path / 'r'}" in err


@pytest.mark.parametrize("seconds", [0, 0.05, 0.1, 0.2])
def test_ctrl_c_as_worker_processes_start_shows_nothing_of_them(
    seconds: float, job: Path, tmp_path: Path
) -> None:
    process = start("evolve", job, "--out", tmp_path / "r", "--no-progress", *LOKY)
    wait_for(lambda: bool(workers_of(process)))
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert "Traceback" not in err, err


@pytest.mark.parametrize("backend", ["threading", "loky", "dask"])
def test_a_key_that_is_held_down_is_one_ctrl_c(backend: str, job: Path, tmp_path: Path) -> None:
    more = ["--set", "deals.train=1-900", "--set", "sample.deals=500"]
    words = ["--backend", backend, "--jobs", 2, *more]
    process = at_work(job, tmp_path / "r", words, BAD_PAUSE="0.01")
    time.sleep(5)
    while process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        time.sleep(1 / 30)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert re.search(r"gafreecell: stopped; \d+ generations? of", err)
    assert err.endswith(f"resume: gafreecell resume {tmp_path / 'r'}\n")
    assert (tmp_path / "r" / "unfinished.json").exists()


def test_progress_that_nobody_reads_ends_no_run(job: Path, tmp_path: Path) -> None:
    code = f"import gafreecell; gafreecell.evolve({str(job)!r}, 'r', 1, progress=True)"
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-c", code], stderr=writing, cwd=tmp_path, check=False)
    os.close(writing)
    assert (done.returncode, generations_of(tmp_path / "r")) == (0, 3)


def test_workers_end_with_a_killed_main_process(job: Path, tmp_path: Path) -> None:
    process = at_work(job, tmp_path / "r", LOKY, BAD="sleep")
    wait_for(lambda: len(workers_of(process)) == 2)
    time.sleep(1)
    workers = workers_of(process)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(workers, timeout=5)
    assert not alive


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize("backend", ["threading", "loky", "dask", "cluster"])
def test_a_run_that_is_stopped_does_not_wait_for_the_deal_in_hand(
    backend: str,
    number: signal.Signals,
    status: int,
    job: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    words: list[Any] = ["--backend", backend, "--jobs", 2]
    if backend == "cluster":
        address = request.getfixturevalue("cluster")(BAD="sleep")
        words = ["--backend", "dask", "--scheduler", address]
    process = at_work(job, tmp_path / "r", words, BAD="sleep")
    time.sleep(4)
    began = time.monotonic()
    # A terminal sends Ctrl-C to worker processes, too, as batch systems do SIGTERM.
    (os.kill if number is signal.SIGHUP else os.killpg)(process.pid, number)
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - began < 5
    assert process.returncode == status
    assert err.endswith(f"resume: gafreecell resume {tmp_path / 'r'}\n")
    assert "Traceback" not in err
