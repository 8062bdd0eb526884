"""The progress of an evolution, on stderr."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from gafreecell.cli.progress import View, display_of, duration
from gafreecell.run import Run

_PHASES = {
    "solvers": "of the solvers",
    "baseline": "of the baseline",
    "validation": "on validation deals",
}


class EvolutionDisplay:
    """Two bars: the generations, and the evaluations of the present one."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

        # Three lines of at most 80 columns.
        self._bars = display_of(
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

    def on_start(self, run: Run) -> None:
        self._began, self._first = time.perf_counter(), run.generation
        self._total = run.job.generations
        self._bars.update(self._generations, completed=run.generation, total=self._total)

    def on_phase(self, name: str) -> None:
        self._bars.update(self._evaluations, note=_PHASES.get(name, name))

    def on_progress(self, done: int, total: int) -> None:
        self._bars.update(self._evaluations, completed=done, total=total)

    def on_generation(self, run: Run, line: Mapping[str, Any]) -> None:
        done = line["generation"]
        pace = (time.perf_counter() - self._began) / (done - self._first)
        fitness, rate = line["solvers"], line["machine"]["evaluations_per_second"]
        self._bars.update(
            self._generations,
            completed=done,
            note=f"best {fitness['best']:.3f}, mean {fitness['mean']:.3f}, "
            f"{duration(pace * (self._total - done))} left",
        )
        self._bars.update(
            self._solved,
            completed=line["solved"],
            total=line["evaluations"],
            note=f"in the last generation, {rate:,.0f} evaluations/s",
            visible=True,
        )


@contextmanager
def evolution_display(view: View) -> Iterator[Sequence[EvolutionDisplay]]:
    """The callbacks that show an evolution: none if it is not to be shown."""
    if view is not View.BAR:
        yield []
        return
    with EvolutionDisplay() as display:
        yield [display]
