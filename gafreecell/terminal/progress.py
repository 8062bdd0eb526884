"""Progress displays: bars in a terminal or a notebook, else a plain line now and then.

Code that works reports its progress (``Display.show``). The display decides how often to show it,
and how. Everything goes to stderr.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import Any, Protocol

from gafreecell.solving.loading import compilation
from gafreecell.solving.saying import say

Clock = Callable[[], float]
QUIET = 1.0
"""Seconds before bars appear, so that quick work shows none."""
REDRAWN = 0.2
"""Seconds between two redraws of a notebook's bars."""
EVERY = 30.0
"""Seconds between two plain lines, at least."""


@dataclass(frozen=True)
class Bar:
    """The progress of something.

    Attributes:
        label: what is counted.
        done, total: how many are done, of how many.
        note: a remark, such as the time left.
    """

    label: str
    done: int
    total: int
    note: str = ""


class Display(Protocol):
    """Shows progress."""

    def show(self, bars: Sequence[Bar]) -> None:
        """Show the present progress; may be called any number of times."""
        ...

    def close(self) -> None:
        """End the display: the work is over, finished or not."""
        ...


class TerminalBars:
    """Bars by rich, which erase themselves at the end.

    Args:
        clock: tells the time in seconds.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock, self._began = clock, clock()
        self._progress: Any = None
        self._tasks: dict[str, Any] = {}

    def show(self, bars: Sequence[Bar]) -> None:
        if self._progress is None:
            if self._clock() - self._began < QUIET:
                return
            self._start()
        for label in self._tasks.keys() - {bar.label for bar in bars}:
            self._progress.remove_task(self._tasks.pop(label))
        for bar in bars:
            if bar.label not in self._tasks:
                self._tasks[bar.label] = self._progress.add_task(bar.label, note="")
            self._progress.update(
                self._tasks[bar.label], completed=bar.done, total=bar.total, note=bar.note
            )

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        # Lines of at most 80 columns.
        self._progress = Progress(
            TextColumn("{task.description:<11}"),
            BarColumn(bar_width=16),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
        )
        self._progress.start()


class NotebookBars:
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


class PlainLines:
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


class CompilationShown:
    """Adds a bar to a display while kernels are compiled and nobody else reports progress.

    Args:
        display: the display, which must be able to redraw.
        every: seconds between two checks.
    """

    def __init__(self, display: Display, every: float = 0.25) -> None:
        self._display, self._every = display, every
        self._bars: Sequence[Bar] = ()
        self._compiling = False
        self._lock, self._over = threading.Lock(), threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def show(self, bars: Sequence[Bar]) -> None:
        with self._lock:
            self._bars = bars
            self._redraw()

    def close(self) -> None:
        self._over.set()
        with self._lock:
            self._display.close()

    def _watch(self) -> None:
        while not self._over.wait(self._every):
            with self._lock:
                if not self._over.is_set() and (self._compiling or compilation()):
                    self._redraw()

    def _redraw(self) -> None:
        compiled = compilation()
        self._compiling = compiled is not None
        bars = [*self._bars]
        if compiled is not None:
            now, whole = time.monotonic(), round(compiled.part.seconds)
            done = min(int(now - compiled.began), whole)
            note = f"{compiled.part.name}{compiled.time_left(now)}"
            bars.append(Bar("compiling", done, whole, note))
        # A terminal that was closed cannot be written to.
        with suppress(OSError):
            self._display.show(bars)


@contextmanager
def shown(eager: bool = False) -> Iterator[Display]:
    """The display that suits this process, closed at the end of the block.

    Args:
        eager: as for ``PlainLines``.
    """
    display: Display
    if in_notebook():
        display = NotebookBars()
    elif sys.stderr.isatty():
        display = CompilationShown(TerminalBars())
    else:
        display = PlainLines(eager)
    try:
        yield display
    finally:
        with suppress(OSError):
            display.close()


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
