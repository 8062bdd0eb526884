"""Progress displays: bars in a terminal or a notebook, else a plain line now and then.

Code that works reports its progress (``Display.show``), or counts what is done (``counted``). The
display decides how often to show it, and how. Everything goes to stderr.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from html import escape
from importlib import import_module
from typing import Any, TextIO

from gafreecell.solving.loading import compilation
from gafreecell.solving.saying import say
from gafreecell.terminal.tables import rounded

Clock = Callable[[], float]
QUIET = 1.0
"""Bars appear after so many seconds without output, so that quick work shows none."""
NARROW = 76
"""Columns that a bar with its full note needs."""
REDRAWN = 0.2
"""Seconds between two redraws of a notebook's bars."""
TICK = 0.25
"""Seconds between two looks at what time alone changes."""
EVERY = 30.0
"""Seconds between two plain lines, at least."""


@dataclass(frozen=True)
class Bar:
    """The progress of something.

    Attributes:
        label: what is counted.
        done, total: how many are done, of how many.
        note: a remark, such as the time left.
        brief: the remark where there is little room; empty if it is the same.
        unit: what is counted, if the label does not say so.
    """

    label: str
    done: int
    total: int
    note: str = ""
    brief: str = ""
    unit: str = ""


class Display:
    """Shows progress; this one shows nothing."""

    def show(self, bars: Sequence[Bar]) -> None:
        """Show the present progress; may be called any number of times."""

    def hide(self) -> None:
        """Make room for output that may go to the same terminal."""

    def close(self) -> None:
        """End the display: the work is over, finished or not."""


class TerminalBars(Display):
    """Bars by rich, which erase themselves at the end and do not touch standard output.

    Args:
        clock: tells the time in seconds.
        single: whether there is one bar, which is as wide as the terminal allows and tells the
            time that has passed; that moves even while nothing is done.
    """

    def __init__(self, clock: Clock = time.monotonic, single: bool = False) -> None:
        self._clock, self._single = clock, single
        self._began = self._quiet_since = clock()
        self._progress: Any = None
        self._tasks: dict[str, Any] = {}
        self.shown = False

    def show(self, bars: Sequence[Bar]) -> None:
        if not self.shown and self._clock() - self._quiet_since < QUIET:
            return
        progress = self._progress = self._progress or self._made()
        for label in self._tasks.keys() - {bar.label for bar in bars}:
            progress.remove_task(self._tasks.pop(label))
        narrow = progress.console.width < NARROW
        for bar in bars:
            if bar.label not in self._tasks:
                self._tasks[bar.label] = progress.add_task(bar.label, note="")
                progress.tasks[-1].start_time = self._began
            note = bar.brief or bar.note if narrow else bar.note
            progress.update(self._tasks[bar.label], completed=bar.done, total=bar.total, note=note)
        if not self.shown:
            progress.start()
            self.shown = True

    def hide(self) -> None:
        if self.shown:
            self.shown = False
            # A terminal that was closed cannot be written to.
            with suppress(OSError):
                self._progress.stop()
        self._quiet_since = self._clock()

    close = hide

    def _made(self) -> Any:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        console = Console(stderr=True)
        # Room for the ^C that terminals echo: on a line of its own, it would leave the bar behind.
        console.width -= len("^C") + 1
        note = TextColumn("{task.fields[note]}")
        columns: tuple[Any, ...] = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            note,
        )
        if not self._single:
            # Lines of at most 80 columns.
            name = TextColumn("{task.description:<11}")
            columns = name, BarColumn(bar_width=16), MofNCompleteColumn(), note
        return Progress(*columns, console=console, transient=True, redirect_stdout=False)


class NotebookBars(Display):
    """Bars below a notebook's cell, which stay there.

    rich would need ipywidgets to draw in a notebook; this needs only the notebook.

    Args:
        clock: tells the time in seconds.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._handle: Any = None
        self._drawn = clock()
        self._latest: Sequence[Bar] = ()

    def show(self, bars: Sequence[Bar]) -> None:
        self._latest = bars
        if self._clock() - self._drawn >= REDRAWN:
            self._draw()

    def close(self) -> None:
        # Quick work shows no bars; bars that were shown get their final values.
        if self._handle is not None:
            self._draw()

    def _draw(self) -> None:
        notebook: Any = import_module("IPython.display")
        picture = notebook.HTML(bars_html(self._latest))
        self._drawn = self._clock()
        if self._handle is None:
            self._handle = notebook.display(picture, display_id=True)
        else:
            self._handle.update(picture)


class PlainLines(Display):
    """A line for the first bar now and then, for outputs that cannot be redrawn.

    Args:
        eager: whether to write lines for the first and the last step, too, however soon they come.
        every: seconds between two lines, at least.
        clock: tells the time in seconds.
        write: writes a line; to stderr by default.
    """

    def __init__(
        self,
        eager: bool = False,
        every: float = EVERY,
        clock: Clock = time.monotonic,
        write: Callable[[str], None] | None = None,
    ) -> None:
        self._eager, self._every, self._clock = eager, every, clock
        self._first = eager
        self._write = write or say
        self._said_at = clock()
        self._said: Bar | None = None
        self._latest: Bar | None = None

    def show(self, bars: Sequence[Bar]) -> None:
        bar = self._latest = bars[0]
        if self._said is None or self._said.label != bar.label:
            # The start is not worth a line; a resumed run does not start at 0.
            self._said, self._first = bar, self._eager
        elif bar.done != self._said.done and (
            self._first or self._clock() - self._said_at >= self._every
        ):
            self._say(bar)

    def close(self) -> None:
        bar, said = self._latest, self._said
        if self._eager and bar is not None and said is not None and bar.done != said.done:
            self._say(bar)

    def _say(self, bar: Bar) -> None:
        self._first = False
        self._said, self._said_at = bar, self._clock()
        self._write(f"{bar.label} {bar.done:,} of {bar.total:,}" + (bar.note and f": {bar.note}"))


class SteadyLines(Display):
    """A line now and then, whether anything has moved or not: whoever waits sees that it works."""

    def __init__(self) -> None:
        self._said_at = time.monotonic()

    def show(self, bars: Sequence[Bar]) -> None:
        if time.monotonic() - self._said_at >= EVERY:
            self._said_at = time.monotonic()
            bar = bars[0]
            label = "" if bar.label == bar.unit else f"{bar.label}: "
            note = bar.note and f", {bar.note}"
            say(f"{label}{bar.done:,} of {bar.total:,} {bar.unit}{note}")


class Pace:
    """Tells the time left; what came before the first step that it is told of does not count.

    Args:
        clock: tells the time in seconds.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._since: tuple[float, int] | None = None

    def left(self, done: int, total: int) -> str:
        """The time left as a suffix; empty at the first step, and if nothing is left."""
        now = self._clock()
        began, first = self._since = self._since or (now, done)
        if not first < done < total:
            return ""
        return f", {duration((now - began) / (done - first) * (total - done))} left"


class _Live(ABC):
    """Draws a display also when only time has passed.

    Args:
        display: the display, which must be able to redraw.
        every: seconds between two drawings; ``TICK`` by default.
    """

    def __init__(self, display: Display, every: float | None = None) -> None:
        self._display, self._every = display, every or TICK
        self._drawn = False
        self._lock, self._over = threading.RLock(), threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    @abstractmethod
    def _bars(self) -> Sequence[Bar]:
        """What is to be shown now."""

    def close(self) -> None:
        """End the display."""
        self._over.set()
        with self._lock:
            self._display.close()

    def _draw(self) -> None:
        # A terminal that was closed cannot be written to.
        with self._lock, suppress(OSError):
            bars = self._bars()
            if (bars or self._drawn) and not self._over.is_set():
                self._drawn = True
                self._display.show(bars)

    def _watch(self) -> None:
        while not self._over.wait(self._every):
            self._draw()


class CompilationShown(_Live, Display):
    """Adds a bar to a display while kernels are compiled, whoever else reports progress."""

    _shown: Sequence[Bar] = ()

    def show(self, bars: Sequence[Bar]) -> None:
        self._shown = bars
        self._draw()

    def _bars(self) -> Sequence[Bar]:
        compiled = compilation()
        if compiled is None:
            return self._shown
        now, whole = time.monotonic(), round(compiled.part.seconds)
        done = min(int(now - compiled.began), whole)
        note = f"{compiled.part.name}{compiled.time_left(now)}"
        return [*self._shown, Bar("compiling", done, whole, note)]


class Counter(_Live):
    """Counts what is done, and shows the count while nothing else is printed.

    Args:
        display: shows it.
        total, label, unit, good, before: as for ``counted``.
    """

    def __init__(
        self,
        display: Display,
        total: int,
        label: str,
        unit: str,
        good: str,
        before: tuple[int, int],
    ) -> None:
        self._total, self._label, self._unit, self._good = total, label, unit, good
        self._done, self._well = before
        self._first = before[0]
        self._began = time.monotonic()
        super().__init__(display)
        self._draw()

    def __call__(self, done: int, well: int) -> None:
        """Count more as done, and how many of these were successes."""
        with self._lock:
            first = self._done == self._first
            self._done += done
            self._well += well
            # Others are drawn in time: counting must cost nothing.
            if first or self._done == self._total:
                self._draw()

    @contextmanager
    def printing_to(self, out: TextIO) -> Iterator[None]:
        """Hide the bar while results are printed, if they may go to the same terminal."""
        if out is not sys.stdout or _is_file(out):
            yield
            return
        with self._lock:
            self._display.hide()
            yield

    def _bars(self) -> Sequence[Bar]:
        """The count, with what is being compiled, or else the pace once something is done."""
        note = brief = ""
        compiled, done = compilation(), self._done - self._first
        if compiled is not None:
            now = time.monotonic()
            note, brief = compiled.told(now), compiled.told(now, brief=True)
            # The pace is that of the work that follows.
            self._began = self._began if done else now
        elif done:
            rate = done / max(time.monotonic() - self._began, 1e-9)
            brief = f"{duration((self._total - self._done) / rate)} left"
            well = f"{self._well:,} {self._good}, " if self._good else ""
            note = f"{well}{rounded(rate)} {self._unit}/s, {brief}"
        return [Bar(self._label, self._done, self._total, note, brief, self._unit)]


@contextmanager
def counted(
    total: int,
    wanted: bool,
    label: str = "",
    unit: str = "deals",
    good: str = "solved",
    before: tuple[int, int] = (0, 0),
    eager: bool = False,
) -> Iterator[Counter]:
    """Show how many of a total are done; yields the counter to call with what is newly done.

    Args:
        total: how many there are to do.
        wanted: whether to show it.
        label: the bar's label; the unit by default.
        unit: what is counted, in the plural.
        good: the word for successes, such as ``solved``; empty if they are not counted.
        before: how many were done, and how many of them were successes, before this command.
        eager: whether plain lines are those of ``PlainLines``, not ``SteadyLines``.
    """
    display = Display()
    if wanted:
        plain = partial(PlainLines, eager) if eager else SteadyLines
        display = _suitable(partial(TerminalBars, single=True), plain)
    counter = Counter(display, total, label or unit, unit, good, before)
    try:
        yield counter
    finally:
        with suppress(OSError):
            counter.close()


@contextmanager
def followed(wanted: bool, label: str, unit: str = "deals") -> Iterator[Callable[[int, int], None]]:
    """Show work that reports its own total; yields the function to call with done and total."""
    counters: list[Counter] = []
    done_before = 0
    with ExitStack() as stack:

        def advance(done: int, total: int) -> None:
            nonlocal done_before
            if not counters:
                before = (done, 0)
                shown = counted(total, wanted, label, unit, good="", before=before)
                counters.append(stack.enter_context(shown))
            else:
                counters[0](done - done_before, 0)
            done_before = done

        yield advance


@contextmanager
def shown(eager: bool = False) -> Iterator[Display]:
    """The display that suits this process, closed at the end of the block.

    Args:
        eager: as for ``PlainLines``.
    """
    display = _suitable(lambda: CompilationShown(TerminalBars()), partial(PlainLines, eager))
    try:
        yield display
    finally:
        with suppress(OSError):
            display.close()


def _suitable(terminal: Callable[[], Display], plain: Callable[[], Display]) -> Display:
    """The display that suits this process, made as told where it is no notebook's."""
    if in_notebook():
        return NotebookBars()
    return terminal() if sys.stderr.isatty() else plain()


def _is_file(out: TextIO) -> bool:
    """Whether a stream writes to a regular file: not to a terminal, nor to a pager by a pipe."""
    try:
        return stat.S_ISREG(os.fstat(out.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    if "IPython" not in sys.modules:
        return False
    from rich.console import Console

    return Console(stderr=True).is_jupyter


def bars_html(bars: Sequence[Bar]) -> str:
    """Bars as an HTML table."""
    rows = "".join(
        f"<tr><td>{escape(bar.label)}</td>"
        f'<td><progress value="{bar.done}" max="{max(bar.total, 1)}"></progress></td>'
        f"<td>{bar.done:,} of {bar.total:,}</td><td>{escape(bar.note)}</td></tr>"
        for bar in bars
    )
    return f"<table>{rows}</table>"


def duration(seconds: float) -> str:
    """A duration in words: to the second below an hour, to the minute above."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
