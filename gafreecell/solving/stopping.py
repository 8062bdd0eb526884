"""How a call is stopped before it is done: by a stop token of its own.

A call that solves opens ``interruptible()`` and runs its work, in any threads, through the token
that it gets. Searches call ``check()`` every few milliseconds. A token stops only the work of its
own call, so stopping one call does not affect later or concurrent ones.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any, TypeVar
from weakref import WeakValueDictionary

Result = TypeVar("Result")
Action = Callable[[], object]


STOPPING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""The signals that ask a process to stop: of Ctrl-C, of ``kill`` and batch systems, of a terminal
that is closed."""


class Interrupted(Exception):
    """A call was stopped before it reached a verdict or a limit."""


class StopToken:
    """Asks the work of one call to stop.

    A nested call is stopped with the outer one. Unpickled in the same process, a token is the same
    object again. Unpickled in another process, it is a token that ``stop`` sets there.

    Attributes:
        name: the same in every process.
    """

    def __init__(self, within: StopToken | None = None, name: str = "") -> None:
        self._within = within
        self._set = False
        self.name = name or os.urandom(16).hex()
        _tokens[self.name] = self

    def set(self) -> None:
        """Ask the call's work to stop."""
        self._set = True

    def is_set(self) -> bool:
        """Whether this call, or an outer one, was asked to stop."""
        return self._set or (self._within is not None and self._within.is_set())

    def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run a part of the call's work, in any thread; ``check`` then looks at this token."""
        before = _current.set(self)
        try:
            return work(*arguments)
        finally:
            _current.reset(before)

    def __reduce__(self) -> tuple[Callable[[str], StopToken], tuple[str]]:
        return _token, (self.name,)


_tokens: WeakValueDictionary[str, StopToken] = WeakValueDictionary()
"""The tokens of this process, by name."""


def _token(name: str) -> StopToken:
    return _tokens.get(name) or StopToken(name=name)


def stop(name: str) -> None:
    """Set the token of this name in this process, if there is one."""
    token = _tokens.get(name)
    if token is not None:
        token.set()


_current: ContextVar[StopToken | None] = ContextVar("stop token", default=None)


def check() -> None:
    """Raise ``Interrupted`` if the current call was asked to stop."""
    token = _current.get()
    if token is not None and token.is_set():
        raise Interrupted


@contextmanager
def _at_once() -> Iterator[Callable[[Action], object]]:
    yield lambda action: action()


_delivery: Callable[[], AbstractContextManager[Callable[[Action], object]]] = _at_once


def deliver_through(delivery: Callable[[], AbstractContextManager[Any]]) -> None:
    """Set how Ctrl-C is delivered within ``interruptible`` blocks.

    Args:
        delivery: a context manager, opened with each block. Its value is called with the action
            to take, and takes it at once, or as soon as an exception would not be lost.
    """
    global _delivery
    _delivery = delivery


@contextmanager
def interruptible() -> Iterator[StopToken]:
    """Context of one call: Ctrl-C also sets the call's token, so that its work ends at once.

    Otherwise KeyboardInterrupt would wait for the searches of other threads. The same goes for
    other signals in ``graceful()``. Signals are not handled outside the main thread, nor where
    the process ignores them, as a background process of a shell ignores Ctrl-C. There only the
    caller can set the token.

    Yields:
        The call's token; run the work through ``token.run``.
    """
    token = StopToken(_current.get())
    if threading.current_thread() is not threading.main_thread():
        yield token
        return
    kept = {one: found for one in STOPPING if callable(found := signal.getsignal(one))}
    pressed: list[int] = []
    with _delivery() as deliver:

        def stop(number: int, frame: FrameType | None) -> None:
            pressed.append(number)
            token.set()
            deliver(lambda: kept[signal.Signals(number)](number, frame))

        for one in kept:
            signal.signal(one, stop)
        try:
            yield token
        except Interrupted:
            # If a callback swallowed KeyboardInterrupt, the next slice raises Interrupted.
            if pressed:
                raise KeyboardInterrupt from None
            raise
        finally:
            for one, found in kept.items():
                signal.signal(one, found)


@contextmanager
def graceful(to_the_end: bool = False) -> Iterator[list[int]]:
    """Context in which ``kill``, or closing the terminal, interrupts the process as Ctrl-C does.

    Otherwise these signals end a process at once. Where they do something else already, or are
    ignored, as after ``nohup``, that remains. The first one counts: a service manager sends
    several, and so does a key that is held down. They must not interrupt the saving.

    Args:
        to_the_end: whether the process ends after the context. After a signal it then ignores
            further ones until it has ended.

    Yields:
        A list that gets the number of the signal.
    """
    came: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        if not came:
            came.append(number)
            raise KeyboardInterrupt(signal.Signals(number).name)

    main = threading.current_thread() is threading.main_thread()
    usual = (signal.SIG_DFL, signal.default_int_handler)
    taken = {one: kept for one in STOPPING if main and (kept := signal.getsignal(one)) in usual}
    for one in taken:
        signal.signal(one, end)
    try:
        yield came
    finally:
        for one, kept in taken.items():
            signal.signal(one, signal.SIG_IGN if came and to_the_end else kept)


@contextmanager
def interruptions(even_if_deaf: bool = False) -> Iterator[Action]:
    """A function that interrupts the main thread as Ctrl-C does, from any thread.

    It does nothing once the context has ended, nor if the context is not the main thread's.

    Args:
        even_if_deaf: whether it also works in a process that ignores Ctrl-C, such as a background
            process of a shell. That process then heeds Ctrl-C within the context.
    """
    over, main = threading.Event(), threading.main_thread()
    kept = signal.getsignal(signal.SIGINT)
    deaf = kept is signal.SIG_IGN
    if threading.current_thread() is not main or (deaf and not even_if_deaf):
        yield lambda: None
        return
    if deaf:
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt() -> None:
        if over.is_set():
            return
        if hasattr(signal, "pthread_kill") and main.ident is not None:
            # A signal sent to the main thread also ends whatever that thread waits for.
            signal.pthread_kill(main.ident, signal.SIGINT)
        else:
            signal.raise_signal(signal.SIGINT)

    try:
        yield interrupt
    finally:
        over.set()
        signal.signal(signal.SIGINT, kept)
