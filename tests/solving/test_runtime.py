"""The runtime of kernels: where they are cached, when they are recompiled, how they stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from llvmlite import binding
from numba.core import event

from hsd import solver
from solving.outcome import Evaluator, Limits, Search
from solving.runtime import STOP, Interrupted, StopFlag, cache_directory, interruptible


@pytest.fixture(autouse=True)
def _stop_flag_down() -> Iterator[None]:
    yield
    STOP.clear()


def solve_for_long() -> object:
    """A search that goes astray: it prefers states far from the goal, for half a minute."""
    return solver.run(
        1,
        Evaluator(("NumCardsNotAtFoundations", "DifferenceFromTop"), (-1.0, -0.37)),
        Search("staged", {"depth": 4, "automatic": "none"}),
        Limits(nodes=50_000_000, memory=4_000_000_000),
    )


@pytest.fixture(scope="module")
def _kernels_loaded() -> None:
    solver.SOLVER.instance("staged")


@pytest.mark.usefixtures("_kernels_loaded")
def test_the_stop_flag_ends_a_long_solve() -> None:
    timer = threading.Timer(0.3, STOP.set)
    timer.start()
    start = time.perf_counter()
    with pytest.raises(Interrupted):
        solve_for_long()
    assert 0.25 < time.perf_counter() - start < 1.5
    timer.join()
    with pytest.raises(Interrupted):
        solve_for_long()
    # A new call from outside begins afresh.
    assert solver.solve(1).moves is not None


def test_a_stop_flag() -> None:
    flag = StopFlag()
    flag.check()
    flag.set()
    flag.set()
    with pytest.raises(Interrupted):
        flag.check()
    flag.clear()
    flag.check()


@pytest.mark.usefixtures("_kernels_loaded")
def test_ctrl_c_ends_solves_of_other_threads() -> None:
    ended = []

    def work() -> None:
        try:
            solve_for_long()
        except Interrupted:
            ended.append(time.perf_counter())

    thread = threading.Thread(target=work, daemon=True)
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), interruptible():
        thread.start()
        time.sleep(0.3)
        pressed = time.perf_counter()
        signal.raise_signal(signal.SIGINT)
    try:
        thread.join(3)
        assert ended and ended[0] - pressed < 1.5
    finally:
        STOP.set()
        thread.join()
    assert signal.getsignal(signal.SIGINT) is handler


def test_ctrl_c_is_not_lost_in_the_compiler(capfd: pytest.CaptureFixture[str]) -> None:
    """LLVM reports each object it has made to a callback, which cannot raise exceptions."""
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(
        binding.parse_assembly("define i32 @one() { ret i32 1 }"), machine
    )
    called = []

    def made(module: object, code: bytes) -> None:
        called.append(code)
        signal.raise_signal(signal.SIGINT)

    engine.set_object_cache(made, lambda module: None)
    with pytest.raises(KeyboardInterrupt), interruptible(), event.trigger_event("numba:run_pass"):
        engine.finalize_object()
        assert called
    assert capfd.readouterr().err == ""


def test_ctrl_c_that_a_callback_loses_ends_the_next_slice() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        STOP.check()
    # Nobody pressed anything here.
    with pytest.raises(Interrupted), interruptible():
        STOP.set()
        STOP.check()


def test_afterwards_solves_run_again() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        signal.raise_signal(signal.SIGINT)
    with interruptible():
        STOP.check()
    STOP.check()


def test_in_another_thread_it_changes_nothing() -> None:
    handlers = []

    def work() -> None:
        with interruptible():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]


def test_the_cache_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path / "deep" / "cache"))
    assert cache_directory() == tmp_path / "deep" / "cache"
    assert cache_directory().is_dir()
    assert list(cache_directory().iterdir()) == []


def test_without_a_word_it_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GAFREECELL_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    directory = cache_directory()
    assert directory.is_dir() and directory.is_relative_to(tmp_path)
    assert directory.name == "gafreecell"


def test_a_cache_that_cannot_be_written_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file", tmp_path / "file" / "beneath"):
        monkeypatch.setenv("GAFREECELL_CACHE", str(place))
        directory = cache_directory()
        assert directory.is_dir() and os.access(directory, os.W_OK)
        assert not directory.is_relative_to(tmp_path)
        assert cache_directory() == directory
        directory.rmdir()
    assert (tmp_path / "file").read_text() == "in the way"


CALLED = """
from solving.runtime import kernel

@kernel
def step(x):
    return x + {step}
"""

HELD = "STEP = {step}"

CALLS = """
from solving.runtime import kernel
from {package}.inner import step

@kernel
def twice(x):
    return step(step(x))

print(twice(10), sum(twice.stats.cache_hits.values()))
"""

HOLDS = """
from solving.runtime import kernel
from {package}.inner import STEP

@kernel
def twice(x):
    return x + 2 * STEP

print(twice(10), sum(twice.stats.cache_hits.values()))
"""


def run_toy(folder: Path, cache: Path) -> tuple[list[str], str]:
    """Import the toy package in a new process; the words it prints and its standard error."""
    environment = dict(os.environ, GAFREECELL_CACHE=str(cache))
    environment["PYTHONPATH"] = os.pathsep.join([str(folder), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", "import toy.outer"],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout.split(), done.stderr


@pytest.mark.parametrize(
    ("package", "outer", "inner"),
    [
        pytest.param("toy", CALLS, CALLED, id="a kernel of its package"),
        pytest.param("toy", HOLDS, HELD, id="a constant of its package"),
        pytest.param("deals", HOLDS, HELD, id="a constant of deals"),
        pytest.param("other", CALLS, CALLED, id="a kernel of another package"),
    ],
)
def test_kernels_are_compiled_once_said_so_and_never_stale(
    package: str, outer: str, inner: str, tmp_path: Path
) -> None:
    toy, below, cache = tmp_path / "toy", tmp_path / package, tmp_path / "cache"
    for folder in (toy, below):
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").write_text("")
    (below / "inner.py").write_text(inner.format(step=1))
    (toy / "outer.py").write_text(outer.format(package=package))
    words, said = run_toy(tmp_path, cache)
    assert words == ["12", "0"]
    assert said.count("Compiling") == 1 and said.count("\n") == 1
    # What editors leave there is no source.
    (below / ".#inner.py").symlink_to("somebody@somewhere.1234")
    (below / ".kept").mkdir()
    (below / ".kept" / "inner.py").write_text(inner.format(step=7))
    words, said = run_toy(tmp_path, cache)
    assert words == ["12", "1"]
    assert said == ""
    # Numba alone would reuse the kernel of outer.py, which did not change.
    (below / "inner.py").write_text(inner.format(step=5))
    words, said = run_toy(tmp_path, cache)
    assert words == ["20", "0"]
    assert not list(tmp_path.glob("*/*.nbi"))
    # Kernels work even where nothing can be cached.
    words, said = run_toy(tmp_path, below / "inner.py")
    assert words == ["20", "0"]
