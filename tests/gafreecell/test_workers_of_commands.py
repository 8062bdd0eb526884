"""Commands whose deals go to processes and clusters: the same bytes as from threads."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from conftest import Cluster, Command, start, wait_for, without_seconds

DEALS = "1-4000"


@pytest.mark.parametrize(
    ("words", "backends"),
    [
        (("solve", "1-30", "--format", "jsonl"), ("loky", "dask")),
        (("rate", "1-2", "--format", "jsonl"), ("loky",)),
        (("evaluate", "fast", "short", "--deals", "1-9", "--format", "csv", "--table", "pairs"),
         ("loky", "dask")),
        # Another game would need further processes.
        (("play", "1-4", "--policy", "greedy", "--seed", 3, "--format", "jsonl"), ("dask",)),
    ],
)  # fmt: skip
def test_backends_write_the_same_lines(
    command: Command, words: Sequence[object], backends: Sequence[str]
) -> None:
    here = command(*words, "--jobs", 1)
    for backend in backends:
        there = command(*words, "--jobs", 2, "--backend", backend)
        assert there.status == here.status
        kept = str if "csv" in words else without_seconds
        assert kept(there.out) == kept(here.out)


def test_options_that_contradict_one_another_are_refused(command: Command) -> None:
    ran = command("solve", "1-9", "--scheduler", "tcp://127.0.0.1:1")
    assert ran.status == 2 and "needs the backend dask" in ran.err


def running(*words: str) -> list[psutil.Process]:
    """The processes whose command has these words."""
    found = []
    for one in psutil.Process().children(recursive=True):
        with suppress(psutil.ZombieProcess):
            found += [one] if {*words} <= {*one.cmdline()} else []
    return found


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.long
def test_a_cluster_whose_workers_come_and_go_writes_the_same_lines(
    command: Command, tmp_path: Path, cluster: Cluster
) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    solving = ("solve", DEALS, "--preset", "short", "-o")
    command(*solving, whole)
    address = cluster(3)
    words = (*solving, out, "--backend", "dask", "--scheduler", address, "--no-progress")
    process = start(*words)
    wait_for(lambda: lines(out) > 100, 60)
    killed, frozen, _ = running("worker", address)
    killed.kill()
    frozen.suspend()
    before = lines(out)
    wait_for(lambda: lines(out) > before + 200, 60)
    frozen.resume()
    # Ctrl-C ends it within seconds and leaves no task, and the rest is done later.
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130 and f"are saved in {out}" in err
    from distributed import Client

    with Client(address, timeout=60, set_as_default=False) as client:
        wait_for(lambda: not any(client.processing().values()), 20)
    process = start(*words, "--resume")
    wait_for(lambda: lines(out) > before + 400, 60)
    (scheduler,) = running("scheduler", address.rpartition(":")[2])
    scheduler.kill()
    _, err = process.communicate(timeout=30)
    assert process.returncode == 2 and "the dask scheduler" in err
    assert f"resume: gafreecell {' '.join(map(str, words))} --resume" in err
    assert command(*solving, out, "--resume").status == 0
    assert without_seconds(out.read_text()) == without_seconds(whole.read_text())
