"""Tells progress bars what is being loaded, and whether it is being compiled."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Event


@dataclass(frozen=True, slots=True)
class Part:
    """Code that is loaded as a whole, and compiled if it is not in the cache yet.

    Attributes:
        name: for people, such as ``FreeCell's search beam``.
        seconds: how long compiling takes on a slow machine, roughly; 0 if unknown.
        beside: modules with kernels that are needed afterwards and can be compiled at the same
            time; each has a function ``load_kernels`` without arguments.
    """

    name: str
    seconds: float = 0.0
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Compilation:
    """A part that is being compiled.

    Attributes:
        part: what is compiled.
        began: when that began, on the monotonic clock.
    """

    part: Part
    began: float

    def told(self, now: float, brief: bool = False) -> str:
        """What is being compiled and how much time is left, for a progress bar.

        Args:
            now: the time on the monotonic clock.
            brief: whether there is little room.
        """
        left = self.time_left(now)
        if left == _LATE:
            return f"still compiling{'' if brief else left}"
        return f"compiling{'' if brief else f' {self.part.name}'}{left}"

    def time_left(self, now: float) -> str:
        """The time left as a suffix, ``: 4 s left``; empty if unknown."""
        if _stopping.is_set():
            return ": stopping"
        if self.part.seconds <= 0:
            return ""
        left = self.part.seconds - (now - self.began)
        return f": {left:.0f} s left" if left >= 1 else _LATE


_LATE = "; this machine is slower than most"
_UNNAMED = Part("the solver")
_loaded: ContextVar[Part | None] = ContextVar("loaded", default=None)
# Not a context variable: progress bars are drawn in another thread.
_compiled: dict[Part, Compilation] = {}
# Set while Ctrl-C waits for the compiler.
_stopping = Event()


@contextmanager
def loading(part: Part) -> Iterator[None]:
    """Context in which this thread loads a part."""
    outer = _loaded.set(part)
    _stopping.clear()
    try:
        yield
    finally:
        _loaded.reset(outer)
        _compiled.pop(part, None)
        _stopping.clear()


def loaded() -> Part:
    """The part that this thread is loading."""
    return _loaded.get() or _UNNAMED


def compiling() -> Part:
    """Note that the part being loaded is now compiled, and return it."""
    part = loaded()
    if part is not _UNNAMED:
        _compiled.setdefault(part, Compilation(part, time.monotonic()))
    return part


def stopping() -> None:
    """Note that compiling will end as soon as it can, so that bars react to Ctrl-C at once."""
    _stopping.set()


def compilation() -> Compilation | None:
    """What this process is compiling, in any thread; the first if there are several."""
    return next(iter([*_compiled.values()]), None)
