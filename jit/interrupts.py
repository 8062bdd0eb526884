"""Ctrl-C while kernels are compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event as numba_event

from solving import loading, stopping


class _Passes(numba_event.Listener):
    """Holds Ctrl-C back until the end of the compiler's current pass.

    LLVM callbacks swallow KeyboardInterrupt: Python handles a signal that arrives while LLVM
    works in the first Python code that runs afterwards, and that is such a callback.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._held: stopping.Action | None = None

    def deliver(self, action: stopping.Action) -> None:
        """Act now or, if the main thread is compiling, as soon as the current pass is over."""
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
    """Let calls (``solving.stopping``) hold Ctrl-C back while kernels are compiled."""
    stopping.deliver_through(_after_the_pass)
