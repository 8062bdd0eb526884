"""Defers Ctrl-C while kernels are compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event as numba_event

from gafreecell.solving import loading, stopping


class _Passes(numba_event.Listener):
    """Defers Ctrl-C until the compiler's current pass ends.

    LLVM callbacks swallow KeyboardInterrupt: if a signal arrives while LLVM works, Python handles
    it in the next Python code that runs, which is such a callback.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._held: stopping.Action | None = None

    def deliver(self, action: stopping.Action) -> None:
        """Act now or, if the main thread is compiling, as soon as the current pass ends."""
        if self._depth:
            self._held = action
            loading.stopping()
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


@contextmanager
def _after_the_pass() -> Iterator[Callable[[stopping.Action], object]]:
    events: Any = numba_event
    passes = _Passes()
    with events.install_listener("numba:run_pass", passes):
        yield passes.deliver


def install() -> None:
    """Make ``solving.stopping`` defer Ctrl-C while kernels are compiled."""
    stopping.deliver_through(_after_the_pass)
