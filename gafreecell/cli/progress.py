"""Progress on stderr, where it is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from gafreecell.run import Run, Watcher


def wanted(no_progress: bool) -> bool:
    """Whether to show progress: stderr is a terminal and nobody said not to."""
    return not no_progress and sys.stderr.isatty()


def _display(*columns: Any) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True), transient=True)


@contextmanager
def counted(total: int, what: str, shown: bool, good: str = "solved") -> Iterator[Any]:
    """A bar for so many deals; yields a function to call with those newly done and solved.

    ``good`` is what messages call those solved.
    """
    if not shown:
        yield lambda done, solved: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    display = _display(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    with display:
        bar = display.add_task(what, total=total, note="")
        count = {"done": 0, "solved": 0}
        began = time.perf_counter()

        def advance(done: int, solved: int) -> None:
            count["done"] += done
            count["solved"] += solved
            rate = count["done"] / (time.perf_counter() - began)
            display.update(
                bar, advance=done, note=f"{count['solved']:,} {good}, {rate:,.3g} {what}/s, left"
            )

        yield advance


class EvolutionDisplay(Watcher):
    """Two bars: the generations, and the evaluations of the present one."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

        # Three lines of at most 80 columns.
        self._bars = _display(
            TextColumn("{task.description:<11}"),
            BarColumn(bar_width=16),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
        )
        self._generations = self._bars.add_task("generation", total=1, note="")
        self._evaluations = self._bars.add_task("evaluations", total=1, note="")
        self._solved = self._bars.add_task("solved", total=1, note="", visible=False)
        self._began = 0.0
        self._first = 0
        self._total = 0

    def __enter__(self) -> EvolutionDisplay:
        self._bars.start()
        return self

    def __exit__(self, *ignored: object) -> None:
        self._bars.stop()

    def started(self, run: Run) -> None:
        self._began, self._first = time.perf_counter(), run.generation
        self._total = run.job.generations
        self._bars.update(self._generations, completed=run.generation, total=self._total)

    def phase(self, name: str) -> None:
        self._bars.update(self._evaluations, note=f"on {name} deals")

    def progress(self, done: int, total: int) -> None:
        self._bars.update(self._evaluations, completed=done, total=total)

    def generation(self, line: Mapping[str, Any]) -> None:
        done = line["generation"]
        pace = (time.perf_counter() - self._began) / (done - self._first)
        fitness, rate = line["solvers"], line["machine"]["evaluations_per_second"]
        self._bars.update(
            self._generations,
            completed=done,
            note=f"best {fitness['best']:.3f}, mean {fitness['mean']:.3f}, "
            f"{_duration(pace * (self._total - done))} left",
        )
        self._bars.update(
            self._solved,
            completed=line["solved"],
            total=line["evaluations"],
            note=f"in the last generation, {rate:,.0f} evaluations/s",
            visible=True,
        )


@contextmanager
def evolution_display(shown: bool) -> Iterator[Watcher]:
    """The watcher that shows an evolution, or one that shows nothing."""
    if not shown:
        yield Watcher()
        return
    with EvolutionDisplay() as display:
        yield display


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
