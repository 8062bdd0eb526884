"""Progress of a command on stderr: a bar in a terminal, elsewhere a plain line now and then."""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum
from typing import Any, TextIO

from gafreecell.solving.loading import compilation
from gafreecell.solving.saying import say
from gafreecell.terminal.progress import duration
from gafreecell.terminal.tables import rounded

QUIET_SECONDS = 1.0
"""A bar appears after this long without output, so quick commands show none."""
NARROW = 76
"""Columns that a bar with its full note needs."""
LINE_SECONDS = 30.0
"""Seconds between two plain lines."""


class View(Enum):
    """How progress is shown."""

    NONE = "none"
    BAR = "bar"
    LINES = "lines"


def wanted(no_progress: bool) -> View:
    """How to show progress: a bar if stderr is a terminal, else lines; nothing if so asked."""
    if no_progress:
        return View.NONE
    return View.BAR if sys.stderr.isatty() else View.LINES


def display_of(*columns: Any) -> Any:
    """A rich display on stderr that erases itself at its end and does not touch stdout."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    # Room for the ^C that terminals echo: on a line of its own, it would leave the bar behind.
    console.width -= len("^C") + 1
    return Progress(*columns, console=console, transient=True, redirect_stdout=False)


class Counter:
    """Counts what is done, and shows the count while nothing else is printed.

    Args:
        total: how many there are to do.
        label: the bar's label.
        unit: what is counted, in the plural.
        good: the word for successes, such as ``solved``; empty if they are not counted.
        before: how many were done, and how many of them were successes, before this command.
        view: how to show it.
    """

    def __init__(
        self, total: int, label: str, unit: str, good: str, before: tuple[int, int], view: View
    ) -> None:
        self._total, self._label, self._unit, self._good = total, label, unit, good
        self._view = view
        self._done, self._well = before
        self._first = before[0]
        self._began = self._printed = time.monotonic()
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._display: Any = None
        self._bar: Any = None
        self._shown = False

    def __call__(self, done: int, well: int) -> None:
        """Count more as done, and how many of these were successes."""
        with self._lock:
            self._done += done
            self._well += well
            if self._shown:
                self._update()

    @contextmanager
    def printing_to(self, out: TextIO) -> Iterator[None]:
        """Hide the bar while results are printed, if they may go to the same terminal."""
        if out is not sys.stdout or _is_file(out):
            yield
            return
        with self._lock:
            self._hide()
            yield
            self._printed = time.monotonic()

    @contextmanager
    def shown(self) -> Iterator[Counter]:
        """Show progress in the ``with`` block, and erase the bar at its end."""
        if self._view is View.NONE:
            yield self
            return
        watch = self._watch_bar if self._view is View.BAR else self._watch_lines
        threading.Thread(target=watch, daemon=True).start()
        try:
            yield self
        finally:
            self._over.set()
            with self._lock:
                self._hide()

    def _watch_bar(self) -> None:
        while not self._over.wait(QUIET_SECONDS / 4):
            with self._lock:
                quiet = time.monotonic() - self._printed >= QUIET_SECONDS
                if quiet and not self._shown and not self._over.is_set():
                    self._show()
                elif self._shown:
                    # Nothing is counted while kernels are compiled, but time goes on.
                    self._update()

    def _watch_lines(self) -> None:
        while not self._over.wait(LINE_SECONDS):
            with self._lock:
                label = "" if self._label == self._unit else f"{self._label}: "
                line = f"{label}{self._done:,} of {self._total:,} {self._unit}"
                say(line + self._note(", "))

    def _show(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

        if self._display is None:
            # The elapsed time moves even while nothing is done.
            self._display = display_of(
                TextColumn("{task.description}"),
                BarColumn(bar_width=None),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.fields[note]}"),
            )
            self._bar = self._display.add_task(self._label, total=self._total, note="")
            self._display.tasks[0].start_time = self._began
        self._update()
        self._display.start()
        self._shown = True

    def _update(self) -> None:
        narrow = self._display.console.width < NARROW
        self._display.update(self._bar, completed=self._done, note=self._note(brief=narrow))

    def _hide(self) -> None:
        if self._shown:
            self._shown = False
            # A terminal that was closed cannot be written to.
            with suppress(OSError):
                self._display.stop()

    def _note(self, before: str = "", brief: bool = False) -> str:
        """What is being compiled, or else the pace; empty until something is done."""
        compiled = compilation()
        if compiled is not None:
            return before + compiled.told(time.monotonic(), brief)
        done = self._done - self._first
        if not done:
            return ""
        rate = done / max(time.monotonic() - self._began, 1e-9)
        left = duration((self._total - self._done) / rate)
        if brief:
            return f"{before}{left} left"
        well = f"{self._well:,} {self._good}, " if self._good else ""
        return f"{before}{well}{rounded(rate)} {self._unit}/s, {left} left"


@contextmanager
def counted(
    total: int,
    view: View,
    label: str = "",
    unit: str = "deals",
    good: str = "solved",
    before: tuple[int, int] = (0, 0),
) -> Iterator[Counter]:
    """Show how many of a total are done; yields the counter to call with what is newly done.

    Args:
        total: how many there are to do.
        view: how to show it.
        label: the bar's label; the unit by default.
        unit: what is counted, in the plural.
        good: the word for successes; empty if they are not counted.
        before: how many were done, and how many of them were successes, before this command.
    """
    with Counter(total, label or unit, unit, good, before, view).shown() as counter:
        yield counter


def _is_file(out: TextIO) -> bool:
    """Whether a stream writes to a regular file: not to a terminal, nor to a pager by a pipe."""
    try:
        return stat.S_ISREG(os.fstat(out.fileno()).st_mode)
    except (OSError, ValueError):
        return False


@contextmanager
def followed(view: View, label: str, unit: str = "deals") -> Iterator[Callable[[int, int], None]]:
    """Show work that reports its own total; yields the function to call with done and total."""
    counters: list[Counter] = []
    done_before = 0
    with ExitStack() as stack:

        def advance(done: int, total: int) -> None:
            nonlocal done_before
            if not counters:
                before = (done, 0)
                shown = counted(total, view, label, unit, good="", before=before)
                counters.append(stack.enter_context(shown))
            else:
                counters[0](done - done_before, 0)
            done_before = done

        yield advance
