"""What is being loaded: the name in the notice that kernels are compiled, which takes a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """What is loaded as a whole, and compiled where it is not kept yet.

    Attributes:
        name: for people, such as ``FreeCell's search beam``.
        seconds: that compiling it takes, roughly; 0 if nobody knows.
    """

    name: str
    seconds: float = 0.0


_UNNAMED = Part("the solver")
_loaded: ContextVar[Part | None] = ContextVar("loaded", default=None)


@contextmanager
def loading(part: Part) -> Iterator[None]:
    """Within it this part is loaded; in this thread."""
    outer = _loaded.set(part)
    try:
        yield
    finally:
        _loaded.reset(outer)


def loaded() -> Part:
    """The part that is being loaded."""
    return _loaded.get() or _UNNAMED
