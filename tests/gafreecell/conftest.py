"""The toy game, registered as a third party's package would be, and ways to run commands."""

from __future__ import annotations

import io
import json
import os
import pty
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from own_cache import own_cache
from probes import NOTICE

from gafreecell.installed import plugins

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TOY_PATHS = (str(HERE / "data" / "toy"), str(HERE))
COMMAND = [sys.executable, "-c", "from gafreecell.cli import main; main()"]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What a test hands in is not known to the next."""
    yield
    plugins._handed.clear()


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The toy game, registered under its entry point in this process and in those it starts."""
    for path in reversed(TOY_PATHS):
        monkeypatch.syspath_prepend(path)
    inherited = [path for path in [os.environ.get("PYTHONPATH")] if path]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*TOY_PATHS, *inherited]))
    # Baselines of the toy game do not belong in the user's cache.
    monkeypatch.setenv("GAFREECELL_CACHE", own_cache(tmp_path_factory.mktemp("cache")))
    from gafreecell.solitaire.game import game

    return game("toy")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for runs that tests copy."""
    return tmp_path_factory.mktemp("made")


def copied(made: Path, folder: Path, make: Callable[[Path], object]) -> Path:
    """A copy of the run of that name, which the first test that asks for it makes."""
    kept = made / folder.name
    if not kept.exists():
        # A run that fails is not kept.
        make(folder)
        folder.rename(kept)
    return Path(shutil.copytree(kept, folder))


@pytest.fixture
def whole(toy: Any, tmp_path: Path, made: Path) -> Path:
    """A small run of the toy game that nothing interrupted."""
    from run_folders import ONE, write_job

    from gafreecell import evolve

    job = write_job(tmp_path)
    return copied(made, tmp_path / "whole", lambda folder: evolve(job, folder, ONE))


@pytest.fixture
def broken(toy: Any, tmp_path: Path, made: Path) -> Path:
    """The same run after three of its six generations."""
    from run_folders import ONE

    from gafreecell import evolve, load

    def stop(run: Any, line: Any) -> None:
        if line["generation"] == 3:
            raise KeyboardInterrupt

    def make(folder: Path) -> None:
        with pytest.raises(KeyboardInterrupt):
            evolve(job_table(), folder, ONE, [stop])
        # An interrupt from elsewhere would leave another run for all tests.
        assert load(folder).generation == 3

    return copied(made, tmp_path / "broken", make)


@pytest.fixture
def begun(toy: Any, tmp_path: Path) -> Path:
    """A run that was interrupted in its first generation."""
    from run_folders import ONE

    from gafreecell import evolve

    class Stop:
        def on_phase(self, name: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(job_table(), tmp_path / "begun", ONE, [Stop()])
    return tmp_path / "begun"


@dataclass(frozen=True)
class Ran:
    """What a command left: exit status, standard output, standard error without the notice."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of standard error."""
        return self.err.splitlines()

    @property
    def said(self) -> str:
        """Standard output on one line, however it was folded."""
        return " ".join(self.out.split())


@dataclass(frozen=True)
class Command:
    """Runs ``gafreecell`` commands in this process."""

    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *words: object, stdin: str | bytes = b"") -> Ran:
        from gafreecell.cli.main import run

        given = io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin)
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(given, encoding="utf-8"))
        self.capsys.readouterr()
        try:
            status = run([str(word) for word in words])
        except SystemExit as stop:
            status = int(stop.code or 0)
        out, err = self.capsys.readouterr()
        return Ran(status, out, NOTICE.sub("", err))

    def records(self, *words: object) -> list[dict[str, Any]]:
        """The lines of JSON that a command prints."""
        return records(self(*words, "--format", "jsonl").out)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


File = Callable[..., Path]


@pytest.fixture
def file(tmp_path: Path) -> File:
    """Writes a text to a file; its name counts only where messages tell it."""
    return lambda text, name="file": written(tmp_path / name, text)


def records(text: str) -> list[dict[str, Any]]:
    """Lines of JSON."""
    return [json.loads(line, parse_constant=pytest.fail) for line in text.splitlines()]


def refused(done: Ran, *words: str) -> None:
    """Bad input: status 2, at most three lines that hold these words, nothing printed."""
    assert done.status == 2, done
    assert done.out == ""
    assert 1 <= len(done.lines) <= 3, done.err
    assert done.err.startswith("gafreecell: ")
    assert "Traceback" not in done.err
    for word in words:
        assert word in done.err


def written(path: Path, text: str | bytes) -> Path:
    """A file of that content."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def package(site: Path, name: str, entries: str, **modules: str) -> Path:
    """A folder in which a package is installed: its entry points and the text of its modules."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    written(info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    written(info / "entry_points.txt", entries)
    for module, text in modules.items():
        written(site / f"{module}.py", text)
    return site


def without_seconds(text: str) -> list[dict[str, Any]]:
    """Lines of JSON, as far as they come out again."""
    return [{**record, "seconds": None} for record in records(text)]


def outcomes_of(text: str) -> list[dict[str, Any]]:
    """Lines of JSON without their seconds, and without where a board comes from."""
    dropped = ("seconds", "variant", "source")
    return [{k: v for k, v in record.items() if k not in dropped} for record in records(text)]


def _environment(changes: Mapping[str, str] | None) -> dict[str, str]:
    # Output is to be buffered as it is for users.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**kept, **(changes or {})}


def shell(
    *words: object,
    stdin: str | bytes = b"",
    env: Mapping[str, str] | None = None,
    timeout: float = 120,
    cwd: Path | None = None,
) -> Ran:
    """Run a ``gafreecell`` command in a process of its own."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        timeout=timeout,
        env=_environment(env),
        cwd=cwd,
        check=False,
    )
    err = NOTICE.sub("", done.stderr.decode(errors="replace"))
    return Ran(done.returncode, done.stdout.decode(), err)


def start(*words: object, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start a ``gafreecell`` command in a process group of its own."""
    return subprocess.Popen(
        [*COMMAND, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=_environment(env),
        start_new_session=True,
        # A test run in the background ignores Ctrl-C, and so would the command.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def in_terminal(*words: object) -> str:
    """What a terminal with colours gets of a command."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "NO_COLOR": ""}
    line = [*COMMAND, *map(str, words)]
    with subprocess.Popen(line, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        got = b""
        # Linux says by an error that nobody writes any more.
        with suppress(OSError):
            while data := os.read(ours, 65536):
                got += data
        os.close(ours)
        assert process.wait(100) == 0
    return got.decode().replace("\r\n", "\n")


Cluster = Callable[..., str]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Start a dask scheduler with workers; returns its address."""
    started: list[subprocess.Popen[bytes]] = []

    def run(*words: str, **env: str) -> None:
        command = [sys.executable, "-m", "dask", *words, "--dashboard-address", "127.0.0.1:0"]
        options: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started.append(
            subprocess.Popen(command, env={**os.environ, **env}, cwd=tmp_path, **options)
        )

    def begin(workers: int = 2, wait: bool = True, options: Sequence[str] = (), **env: str) -> str:
        port = free_port()
        address = f"tcp://127.0.0.1:{port}"
        run("scheduler", "--host", "127.0.0.1", "--port", str(port))
        for _ in range(workers):
            run("worker", address, "--nthreads", "1", *options, **env)
        from distributed import Client

        with Client(address, timeout=60, set_as_default=False) as client:
            if workers and wait:
                client.wait_for_workers(workers, timeout=60)
        return address

    yield begin
    for process in started:
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(True)]
        for one in family:
            one.kill()
        process.wait()


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a survey by name, without the lock."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "lock"}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def job_table(**changes: Any) -> dict[str, Any]:
    """A small job of the toy game as a table; ``solvers={...}`` and such replace single keys."""
    table: dict[str, Any] = {
        "name": "small",
        "generations": 6,
        "game": "toy",
        "seed": 5,
        "trained": {"search": "think", "nodes": 20_000},
        "solvers": {"population": 8},
        "problems": {"population": 6, "deals": 3, "every": 2},
        "deals": {"train": "1-60", "validation": "101-120"},
    }
    for key, value in changes.items():
        table[key] = {**table.get(key, {}), **value} if isinstance(value, dict) else value
    return table


def as_toml(table: Mapping[str, Any]) -> str:
    """A table of a job as TOML."""

    def value(one: Any) -> str:
        if isinstance(one, bool):
            return str(one).lower()
        if isinstance(one, str):
            return f"'{one}'"
        if isinstance(one, Mapping):
            return "{" + ", ".join(f"{key} = {value(item)}" for key, item in one.items()) + "}"
        if isinstance(one, Sequence):
            return "[" + ", ".join(map(value, one)) + "]"
        return repr(one)

    plain = [f"{k} = {value(v)}" for k, v in table.items() if not isinstance(v, Mapping)]
    for name, part in table.items():
        if isinstance(part, Mapping):
            plain += ["", f"[{name}]", *[f"{k} = {value(v)}" for k, v in part.items()]]
    return "\n".join(plain) + "\n"


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def rows_of(text: str) -> list[list[str]]:
    """The cells of all rows of the tables in a text; a row without a first cell goes on."""
    rows: list[list[str]] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells and cells[0]:
            rows.append(cells)
        elif cells:
            rows[-1][-1] += f" {cells[-1]}"
    return rows
