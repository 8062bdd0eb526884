"""How a call is stopped before it is done: by a token of its own.

A call that solves opens ``interruptible()`` and runs its work through the token that it gets, in
whatever threads. Searches ask ``check()`` every few milliseconds. A token reaches the work of its
call and nothing else, so a call that was stopped leaves no trace in those that follow or that run
beside it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any, TypeVar
from uuid import uuid4
from weakref import WeakValueDictionary

Result = TypeVar("Result")
Action = Callable[[], object]


class Interrupted(Exception):
    """A call was stopped before it reached a verdict or a limit."""


class StopToken:
    """Asks the work of one call to stop.

    A call within another one's work is stopped with it. Within a process a pickled token comes back
    as the same token: dask pickles work even for workers that are threads. In another process it
    comes back as one that nobody sets: the pool ends such processes.
    """

    def __init__(self, within: StopToken | None = None) -> None:
        self._within = within
        self._set = False
        self._name = uuid4().hex
        _tokens[self._name] = self

    def set(self) -> None:
        """Ask the call's work to stop."""
        self._set = True

    def is_set(self) -> bool:
        """Whether the call, or one that it belongs to, was asked to stop."""
        return self._set or (self._within is not None and self._within.is_set())

    def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run a part of the call's work, in any thread: there ``check`` asks this token."""
        before = _current.set(self)
        try:
            return work(*arguments)
        finally:
            _current.reset(before)

    def __reduce__(self) -> tuple[Callable[[str], StopToken], tuple[str]]:
        return _token, (self._name,)


_tokens: WeakValueDictionary[str, StopToken] = WeakValueDictionary()
"""The tokens of this process by name."""


def _token(name: str) -> StopToken:
    return _tokens.get(name) or StopToken()


_current: ContextVar[StopToken | None] = ContextVar("stop token", default=None)


def check() -> None:
    """Raise ``Interrupted`` if the call that this work belongs to was asked to stop."""
    token = _current.get()
    if token is not None and token.is_set():
        raise Interrupted


@contextmanager
def _at_once() -> Iterator[Callable[[Action], object]]:
    yield lambda action: action()


_delivery: Callable[[], AbstractContextManager[Callable[[Action], object]]] = _at_once


def deliver_through(delivery: Callable[[], AbstractContextManager[Any]]) -> None:
    """Say how a Ctrl-C reaches Python in an ``interruptible`` block.

    Args:
        delivery: opened with each block; gives what is called with the action to take, now or
            as soon as an exception would not be lost.
    """
    global _delivery
    _delivery = delivery


@contextmanager
def interruptible() -> Iterator[StopToken]:
    """A call: within this block Ctrl-C also sets its token, so that its work ends at once.

    Without that, KeyboardInterrupt would wait for the searches of other threads. Outside the main
    thread, where signals cannot be handled, and in a process that ignores Ctrl-C, as background
    processes of a shell do, nothing but a caller sets the token.

    Yields:
        The call's token; run the work through ``token.run``.
    """
    token = StopToken(_current.get())
    main = threading.current_thread() is threading.main_thread()
    kept = signal.getsignal(signal.SIGINT)
    # None: code that is not Python handles it, and could not be put back.
    if not main or kept in (signal.SIG_IGN, None):
        yield token
        return
    pressed = False
    with _delivery() as deliver:

        def stop(number: int, frame: FrameType | None) -> None:
            nonlocal pressed
            pressed = True
            token.set()
            if callable(kept):
                deliver(lambda: kept(number, frame))

        signal.signal(signal.SIGINT, stop)
        try:
            yield token
        except Interrupted:
            # If a callback lost KeyboardInterrupt, the next slice raises ``Interrupted``.
            if pressed:
                raise KeyboardInterrupt from None
            raise
        finally:
            signal.signal(signal.SIGINT, kept)
