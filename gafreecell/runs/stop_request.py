"""A file in a run's folder that asks the run to stop, as Ctrl-C does, whoever started it.

Whoever wants a run to stop writes the file. The run looks for it while it works, stops, and
removes it. So nobody needs to know the run's process, and no other process can be hit.

Who does not know whether a run is its own, as a study that shares its folder with others, writes a
file that only its own run looks for.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from gafreecell.solving.stopping import interruptions

FILE = "stop-request"
LOOK_SECONDS = 0.25
"""How often a run looks for a request."""
GRACE_SECONDS = 1.0
"""How long a run may take to come to a place where it stops by itself."""


class StopRequested(KeyboardInterrupt):
    """Someone asked the run to stop; it is handled like Ctrl-C."""


_owner: ContextVar[str] = ContextVar("owner", default="")
"""Whose run it is that works in this thread; empty if nobody asks it alone."""


def ask(folder: Path, owner: str = "") -> None:
    """Ask the run in a folder to stop.

    Args:
        folder: the run's.
        owner: asks only a run that works ``on_behalf_of`` this one; by default any.

    Raises:
        OSError: if the folder cannot be written to.
    """
    # A link of this name could lead out of the folder.
    opened = os.O_CREAT | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    os.close(os.open(_file(folder, owner), opened))


def is_asked(folder: Path, owner: str = "") -> bool:
    """Whether the run was asked and has not stopped yet."""
    return os.path.lexists(_file(folder, owner))


def withdraw(folder: Path, owner: str = "") -> None:
    """Take a request back; ``OSError`` if the folder cannot be written to."""
    _file(folder, owner).unlink(missing_ok=True)


@contextmanager
def on_behalf_of(owner: str, folder: Path) -> Iterator[None]:
    """Context in which a run, if one works in the folder, heeds requests of this owner, too.

    Afterwards there is none, whether a run worked or another process was in the folder.
    """
    before = _owner.set(owner)
    try:
        yield
    finally:
        _owner.reset(before)
        with suppress(OSError):
            withdraw(folder, owner)


def _file(folder: Path, owner: str) -> Path:
    return folder / (f"{FILE}-{owner}" if owner else FILE)


class Requests:
    """The requests to a run while it works.

    Args:
        folder: the run's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._owners = {"", _owner.get()}
        self._over = threading.Event()

    def heed(self) -> None:
        """Raise ``StopRequested`` if the run was asked to stop."""
        if self._asked():
            self._over.set()
            raise StopRequested

    def _asked(self) -> bool:
        return any(is_asked(self._folder, owner) for owner in self._owners)

    def ignore(self) -> None:
        """Interrupt nothing any more: the run has ended."""
        self._over.set()

    @contextmanager
    def watched(self) -> Iterator[Requests]:
        """Interrupt long searches, too, if the run works in the main thread of a process.

        Elsewhere, and in a process that ignores Ctrl-C, the run stops when its present pieces of
        work are done.

        Enter this as soon as the folder is locked: from then on others take the run for one that
        can be stopped.
        """
        # A request that an earlier process did not live to heed is not meant for this one.
        withdraw(self._folder)
        try:
            with interruptions() as interrupt:

                def look() -> None:
                    while not self._over.wait(LOOK_SECONDS):
                        if self._asked() and not self._over.wait(GRACE_SECONDS):
                            interrupt()
                            return

                threading.Thread(target=look, daemon=True).start()
                try:
                    yield self
                finally:
                    self._over.set()
        finally:
            # An error in here would hide why the run ended.
            with suppress(OSError):
                withdraw(self._folder)
