"""The runtime of jitted kernels: how they are compiled, cached and interrupted.

A kernel is compiled once per machine and kept in the user's cache directory,
never in the installed package. Numba's own cache does not notice an edit in
another module that a kernel calls, so the directory carries a hash of the
jitted sources: a stale kernel cannot be loaded.

Kernels run in slices: a kernel returns after a bounded number of nodes with
all its state in its workspace, and is called again. Between two slices Python
looks at the clock, the memory and the stop flag, so kernels need to know of
none of them, and Ctrl-C is never far away.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import numba
import platformdirs
from numba.core import config
from numba.core import event as numba_event

numba_config: Any = config  # its settings are attributes made at run time
njit: Any = numba.njit  # typed without the options used here
Function = TypeVar("Function", bound=Callable[..., Any])

SLICE = 20_000
"""Nodes a kernel generates before it looks up: about ten milliseconds."""


class Interrupted(Exception):
    """A solve was stopped by ``STOP`` before it reached a verdict or a limit."""


class StopFlag:
    """A flag that asks every running solve of this process to stop at its next slice."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Ask running solves to stop."""
        self._event.set()

    def clear(self) -> None:
        """Let solves run again."""
        self._event.clear()

    def check(self) -> None:
        """Raise ``Interrupted`` if the flag is set."""
        if self._event.is_set():
            raise Interrupted


STOP = StopFlag()


class _Passes(numba_event.Listener):
    """Holds Ctrl-C back to the end of the compiler's present pass.

    A signal that comes in while LLVM works is handled in the first Python that runs
    afterwards. That is a callback of LLVM's, and what is raised there is printed and lost.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._held: Callable[[], object] | None = None

    def interrupt(self, action: Callable[[], object]) -> None:
        """Act now or, if the main thread is compiling, as soon as the present pass is over."""
        if self._depth:
            self._held = action
        else:
            action()

    def on_start(self, event: object) -> None:
        if threading.current_thread() is threading.main_thread():
            self._depth += 1

    def on_end(self, event: object) -> None:
        if threading.current_thread() is threading.main_thread():
            self._depth -= 1
            action, self._held = self._held, None
            if action is not None:
                action()


_events: Any = numba_event
_passes = _Passes()
_events.register("numba:run_pass", _passes)


@contextmanager
def interruptible() -> Iterator[None]:
    """Within it, Ctrl-C also sets ``STOP``, so that solves in other threads end at once.

    Without this, KeyboardInterrupt would wait for them. The flag stays set, for
    threads that have not looked yet, until the next such block is entered.
    Outside the main thread, where signals cannot be handled, it changes nothing,
    nor in a process started to ignore Ctrl-C, as a shell starts those in its background.
    """
    main = threading.current_thread() is threading.main_thread()
    kept = signal.getsignal(signal.SIGINT)
    if not main or kept is signal.SIG_IGN:
        yield
        return
    STOP.clear()
    pressed = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        STOP.set()
        if callable(kept):
            _passes.interrupt(lambda: kept(number, frame))

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    except Interrupted:
        # Where KeyboardInterrupt was lost in a callback, the next slice comes here.
        if pressed:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, kept)


def _load_numba_without_scipy() -> None:
    """Spare every start the fifth of a second in which numba asks scipy for linear algebra.

    No kernel here has any; numba takes an ImportError for the answer that there is none.
    """
    asked = "scipy.linalg.cython_blas"
    if asked not in sys.modules:
        sys.modules[asked] = None  # type: ignore[assignment]
        try:
            import numba.np.arraymath  # noqa: F401
        finally:
            del sys.modules[asked]


_load_numba_without_scipy()


def cache_directory() -> Path:
    """Where this user's compiled kernels and computed baselines are kept.

    ``GAFREECELL_CACHE`` names another place. A directory that cannot be
    written is replaced by one of this process alone.
    """
    named = os.environ.get("GAFREECELL_CACHE")
    directory = Path(named) if named else Path(platformdirs.user_cache_dir("gafreecell"))
    return _writable(directory)


_held = ExitStack()
atexit.register(_held.close)


@cache
def _writable(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError:
        # Held until the process ends, and removed then.
        return Path(_held.enter_context(tempfile.TemporaryDirectory(prefix="gafreecell-")))
    return directory


@cache
def _source_hash(package: str) -> str:
    digest = hashlib.sha256()
    for name in dict.fromkeys(("solving", package)):
        module = sys.modules[name]
        for path in sorted(Path(str(module.__file__)).parent.rglob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def kernel(function: Function) -> Function:
    """Compile a function without Python objects, free of the GIL, cached on disk.

    Kernels allocate nothing, so numba's reference counting is left out: with it,
    every field read from a tuple of arrays costs two atomic operations (measured:
    four times slower). Small kernels are inlined into those that call them.
    """
    return _compiled(function, inlined=True)


def large_kernel(function: Function) -> Function:
    """A kernel that is called, not inlined: one that is long and has callers in several places.

    A call costs some ten nanoseconds and saves seconds of compilation for each caller.
    """
    return _compiled(function, inlined=False)


def _compiled(function: Function, inlined: bool) -> Function:
    package = function.__module__.partition(".")[0]
    directory = cache_directory() / "kernels" / _source_hash(package)
    kept = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = str(directory)
    try:
        compiled: Function = njit(
            cache=True, nogil=True, error_model="numpy", forceinline=inlined, _nrt=False
        )(function)
    finally:
        numba_config.CACHE_DIR = kept
    return compiled


class _Notice(numba_event.Listener):
    """Says once on stderr that kernels are being compiled, which takes a while."""

    def __init__(self) -> None:
        self._said = False

    def on_start(self, event: object) -> None:
        if not self._said:
            self._said = True
            print(
                "Compiling the solver for this machine, once; this takes up to a minute ...",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: object) -> None:
        pass


_events.register("numba:compile", _Notice())
