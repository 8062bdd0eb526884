"""A file in a run's folder that asks the run to stop, as Ctrl-C does, whoever started it.

Whoever wants a run to stop writes the file. The run looks for it while it works, stops, and
removes it. So nobody needs to know the run's process, and no other process can be hit.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gafreecell.solving.stopping import interruptions

FILE = "stop-request"
LOOK_SECONDS = 0.25
"""How often a run looks for a request."""
GRACE_SECONDS = 1.0
"""How long a run may take to come to a place where it stops by itself."""


class StopRequested(KeyboardInterrupt):
    """Someone asked the run to stop; it is handled like Ctrl-C."""


def ask(folder: Path) -> None:
    """Ask the run in a folder to stop; ``OSError`` if the folder cannot be written to."""
    # A link of this name could lead out of the folder.
    os.close(os.open(folder / FILE, os.O_CREAT | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)))


def is_asked(folder: Path) -> bool:
    """Whether the run was asked and has not stopped yet."""
    return os.path.lexists(folder / FILE)


class Requests:
    """The requests to a run while it works.

    Args:
        folder: the run's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._over = threading.Event()

    def heed(self) -> None:
        """Raise ``StopRequested`` if the run was asked to stop."""
        if is_asked(self._folder):
            self._over.set()
            raise StopRequested

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
        self._withdraw()
        try:
            with interruptions() as interrupt:

                def look() -> None:
                    while not self._over.wait(LOOK_SECONDS):
                        if is_asked(self._folder) and not self._over.wait(GRACE_SECONDS):
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
                self._withdraw()

    def _withdraw(self) -> None:
        (self._folder / FILE).unlink(missing_ok=True)
