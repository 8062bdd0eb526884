"""The runtime of jitted kernels: how they are compiled, cached and interrupted.

A kernel is compiled once per machine and kept in the user's cache directory,
never in the installed package. Numba's own cache does not notice an edit in
another module that a kernel calls, so the name of the directory contains a hash of
the jitted sources. That makes loading a stale kernel impossible.

Kernels run in slices: a kernel returns after a bounded number of nodes with
all its state in its workspace, and is called again. Between two slices Python
checks the clock, the memory and the stop flag. So kernels need none of these, and
Ctrl-C takes effect within milliseconds.
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
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import numba
import platformdirs
from numba.core import config
from numba.core import event as numba_event
from numba.core.dispatcher import Dispatcher

numba_config: Any = config  # its settings are attributes made at run time
njit: Any = numba.njit  # typed without the options used here
Function = TypeVar("Function", bound=Callable[..., Any])

SLICE = 20_000
"""Nodes that a kernel generates in a slice: about ten milliseconds."""


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
    """Holds Ctrl-C back until the end of the compiler's current pass.

    Python handles a signal that arrives while LLVM works in the first Python code that runs
    afterwards. That is a callback of LLVM's, where an exception is printed and lost.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._held: Callable[[], object] | None = None

    def interrupt(self, action: Callable[[], object]) -> None:
        """Act now or, if the main thread is compiling, as soon as the current pass is over."""
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
    """Within this block Ctrl-C also sets ``STOP``, so that solves in other threads end at once.

    Without it, KeyboardInterrupt would wait for them. The flag stays set until the next
    such block begins, for threads that have not checked it yet. The block changes nothing
    outside the main thread, where signals cannot be handled, or in a process that ignores
    Ctrl-C, as background processes of a shell do.
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
        # If a callback lost KeyboardInterrupt, the next slice raises ``Interrupted``.
        if pressed:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, kept)


def _load_numba_without_scipy() -> None:
    """Keep numba from importing scipy's linear algebra, which takes a fifth of a second.

    No kernel here needs it, and numba does without it after an ImportError.
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
    """The directory of this user's compiled kernels and computed baselines.

    ``GAFREECELL_CACHE`` names another one. If it cannot be written, this process
    uses a temporary directory of its own.
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
        # It is removed when the process ends.
        return Path(_held.enter_context(tempfile.TemporaryDirectory(prefix="gafreecell-")))
    return directory


_BENEATH = frozenset({"deals", "solving"})
"""Packages below all others: any kernel may call their kernels and use their constants."""


@cache
def _hash_of(package: str) -> str:
    """A hash of the sources of a package, or of a script and those beside it."""
    module = import_module(package)
    folder = Path(str(module.__file__)).parent
    digest = hashlib.sha256()
    for path in sorted(folder.glob("**/*.py" if hasattr(module, "__path__") else "*.py")):
        name = path.relative_to(folder)
        # What begins with a dot was left there by an editor or a file system.
        if not any(part.startswith(".") for part in name.parts):
            text = path.read_bytes()
            digest.update(f"{name.as_posix()} {len(text)} ".encode())
            digest.update(text)
    return digest.hexdigest()


def _sources(function: Callable[..., Any]) -> frozenset[str]:
    """The packages of which a kernel can hold code: its own, and those of the kernels it sees."""
    own = function.__module__.partition(".")[0]
    seen = (value for value in function.__globals__.values() if isinstance(value, Dispatcher))
    return _BENEATH.union({own}, *(getattr(other, "sources", ()) for other in seen))


def kernel(function: Function) -> Function:
    """Compile a function without Python objects, free of the GIL, cached on disk.

    Kernels allocate nothing, so they are compiled without numba's reference counting.
    With it, every field read from a tuple of arrays costs two atomic operations, and
    searches take four times as long (measured). Kernels are inlined into their callers.

    A kernel may use constants of its own package, of ``deals`` and of ``solving``, and call kernels
    of any package that are imported by name: when one of these changes, it is compiled anew.
    """
    return _compiled(function, inlined=True)


def large_kernel(function: Function) -> Function:
    """A kernel that is called, not inlined: for long ones with several callers.

    A call costs some ten nanoseconds and saves seconds of compilation for each caller.
    """
    return _compiled(function, inlined=False)


def _compiled(function: Function, inlined: bool) -> Function:
    sources = _sources(function)
    hashes = " ".join(map(_hash_of, sorted(sources)))
    name = hashlib.sha256(hashes.encode()).hexdigest()[:16]
    kept = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = str(cache_directory() / "kernels" / name)
    try:
        compiled = njit(
            cache=True, nogil=True, error_model="numpy", forceinline=inlined, _nrt=False
        )(function)
    finally:
        numba_config.CACHE_DIR = kept
    compiled.sources = sources
    result: Function = compiled
    return result


class _Notice(numba_event.Listener):
    """Says on stderr, once, that kernels are being compiled, as that takes a while."""

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
