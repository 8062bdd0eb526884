"""A callback that shows the progress of any evolution."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gafreecell.evolution.earlier_phases import EARLIER
from gafreecell.terminal.progress import Bar, Clock, Display, Pace, shown

if TYPE_CHECKING:
    from gafreecell.runs.record import Run

_PHASES = {
    "solvers": "of the solvers",
    "baseline": "of the baseline",
    "validation": "on validation deals",
}


class EvolutionWatch:
    """Shows generations, the evaluations of the present one, and the last one's results.

    Args:
        display: shows the bars.
        clock: tells the time in seconds.
    """

    def __init__(self, display: Display, clock: Clock = time.monotonic) -> None:
        self._display, self._clock = display, clock
        self._pace, self._tries = Pace(clock), Pace(clock)
        self._phase = ""
        self._generations: list[Bar] = []
        self._evaluations = Bar("evaluations", 0, 1)
        self._solved: list[Bar] = []

    def on_start(self, run: Run) -> None:
        self._pace = Pace(self._clock)
        self._generations = [Bar("generation", run.generation, run.job.generations)]
        self._show()

    def on_phase(self, name: str) -> None:
        self._phase = name
        note = _PHASES.get(name, name)
        self._evaluations = Bar("evaluations", 0, self._evaluations.total, note)

    def on_progress(self, done: int, total: int) -> None:
        if self._phase == EARLIER:
            self._show_tries(done, total)
            return
        self._evaluations = Bar("evaluations", done, total, self._evaluations.note)
        self._show()

    def on_generation(self, run: Run, line: Mapping[str, Any]) -> None:
        done, total = line["generation"], run.job.generations
        fitness, rate = line["solvers"], line["machine"]["evaluations_per_second"]
        note = f"best {fitness['best']:.3f}, mean {fitness['mean']:.3f}"
        # Kernels are compiled during the first generation of a process, also by its workers.
        note += self._pace.left(done, total)
        self._generations = [Bar("generation", done, total, note)]
        note = f"in the last generation, {rate:,.0f} evaluations/s"
        self._solved = [Bar("solved", line["solved"], line["evaluations"], note)]
        self._show()

    def _show(self) -> None:
        self._display.show([*self._generations, self._evaluations, *self._solved])

    def _show_tries(self, done: int, total: int) -> None:
        """Show progress before the run begins, when there is no generation to show yet."""
        note = f"by earlier phases{self._tries.left(done, total)}"
        self._display.show([Bar("deals tried", done, total, note)])


@contextmanager
def evolution_display(wanted: bool, eager: bool = False) -> Iterator[Sequence[EvolutionWatch]]:
    """The callbacks that show an evolution; empty if it is not wanted.

    Args:
        wanted: whether to show the evolution.
        eager: as for ``terminal.progress.PlainLines``.
    """
    if not wanted:
        yield []
        return
    with shown(eager) as display:
        yield [EvolutionWatch(display)]
