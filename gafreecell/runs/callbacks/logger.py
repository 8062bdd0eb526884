"""The base of loggers: it logs each generation once, however often a run was stopped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gafreecell.runs.callbacks.calling import CallbackError
from gafreecell.runs.rows import rows_of

if TYPE_CHECKING:
    from gafreecell.runs.record import Run


class Logger(ABC):
    """A callback that logs the numbers of each generation, with its number as the step.

    The numbers are the columns of ``Run.to_pandas(machine=True)``, under the same names. A
    resumed run continues its log. Generations in the log are not logged again, and generations
    that it lacks, because the run was killed before they were logged, are logged first.

    Args:
        metric_name: name of the metric that is optimized, the generation's best fitness.

    Raises:
        CallbackError: if ``metric_name`` is not a name.
    """

    def __init__(self, metric_name: str) -> None:
        if not isinstance(metric_name, str) or not metric_name:
            raise CallbackError(f"metric_name must be a metric's name, got {metric_name!r:.60}")
        self._metric_name = metric_name

    def on_start(self, run: Run) -> None:
        """Open the log and add the run's generations that it lacks."""
        try:
            self._log_after(run, self.open(run))
        except BaseException:
            # What has not started is not told of the end.
            self.close(run)
            raise

    def on_generation(self, run: Run, record: Mapping[str, Any]) -> None:
        """Log a generation."""
        self._log_after(run, record["generation"] - 1)

    def on_end(self, run: Run) -> None:
        """Close the log."""
        self.close(run)

    @abstractmethod
    def open(self, run: Run) -> int:
        """Open the run's log; returns the last generation in it, 0 if there is none."""

    @abstractmethod
    def log(self, generation: int, numbers: Mapping[str, float]) -> None:
        """Log the numbers of a generation."""

    @abstractmethod
    def close(self, run: Run) -> None:
        """Close the log, if it was opened."""

    def _log_after(self, run: Run, last: int) -> None:
        validated = [line for line in run.validated if line["generation"] > last]
        for row in rows_of(run.lines[last:], validated, run.features, machine=True):
            generation = int(row.pop("generation"))
            self.log(generation, {self._metric_name: row.pop("solvers_best"), **row})
