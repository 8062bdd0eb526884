"""Commands whose deals go to processes and clusters: the same bytes as from threads."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from conftest import Cluster, Command, contents, start, wait_for, without_seconds

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


@pytest.mark.long
def test_a_deal_for_which_workers_lack_memory_is_told(
    command: Command, tmp_path: Path, cluster: Cluster
) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    # Deal 982 takes all the memory that it may.
    solving = ("solve", "975-985", "--cells", 2, "--nodes", 10**9, "--memory", "1G", "-o")
    assert command(*solving, whole).status == 1
    address = cluster(2, options=("--memory-limit", "600MB"))
    ended = command(*solving, out, "--backend", "dask", "--scheduler", address)
    assert ended.status == 2 and "982" in ended.err
    assert "dask workers ended one after another" in ended.err and "memory ran out" in ended.err
    assert f"are saved in {out}" in ended.err
    assert command(*solving, out, "--resume").status == 1
    assert without_seconds(out.read_text()) == without_seconds(whole.read_text())


@pytest.mark.long
def test_a_survey_with_killed_workers_and_killed_itself_has_the_same_files(
    command: Command, tmp_path: Path, cluster: Cluster
) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    asked = ("survey", "1-40000", "--shard", 5000, "--check", 0, "--no-progress", "-o")
    assert command(*asked, whole).status == 0
    address = cluster(3)
    process = start(*asked, out, "--backend", "dask", "--scheduler", address)
    wait_for(lambda: len([*out.glob("*.npz")]) > 1, 60)
    running("worker", address)[0].kill()
    wait_for(lambda: len([*out.glob("*.npz")]) > 4, 60)
    process.kill()
    process.communicate()
    assert command(*asked, out).status == 0
    assert contents(out) == contents(whole)
