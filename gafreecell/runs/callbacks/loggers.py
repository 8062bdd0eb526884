"""Loggers: each generation is logged once, however often a run was stopped."""

from __future__ import annotations

import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gafreecell.evolution.generation import RunWarning, warn
from gafreecell.evolution.settings import changed_settings
from gafreecell.installed.extras import needed
from gafreecell.runs.callbacks.calling import CallbackError
from gafreecell.runs.rows import rows_of
from gafreecell.solving.files import write_atomically

if TYPE_CHECKING:
    from gafreecell.runs.record import Run

RUN_TAG, JOB_TAG = "gafreecell.run", "gafreecell.job"
"""Tags of an MLflow run that identify the run it logs: its label and its job's hash."""
LONGEST = 500
"""Maximum characters of a parameter's value, for older servers."""
WHOSE = "gafreecell-run.json"
"""The file that says whose log a folder holds: the run's folder, and the hash of its job."""


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


class MLflowCallback(Logger):
    """Logs a run in MLflow: one MLflow run, with a step for each generation.

    Its parameters are the job's keys that differ from their defaults. A resumed run continues
    the same MLflow run. The status is RUNNING during the run, then FINISHED, or KILLED for a run
    that can be resumed.

    Args:
        tracking_uri: URI of the tracking server, as for ``mlflow.set_tracking_uri``; MLflow's
            default if None.
        metric_name: name of the metric that is optimized: the best fitness of each generation.
        create_experiment: whether to log into the experiment with the job's name, created if
            needed. False for the active experiment, or the one with the ``experiment_id`` in
            ``mlflow_kwargs``.
        mlflow_kwargs: arguments of ``mlflow.start_run``, such as ``{"nested": True}``; the
            ``run_name`` is the run's label by default.

    Raises:
        MissingExtra: if MLflow is not installed.
        CallbackError: if ``metric_name`` is not a name.
    """

    def __init__(
        self,
        tracking_uri: str | None = None,
        metric_name: str = "value",
        create_experiment: bool = True,
        mlflow_kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(metric_name)
        with needed("mlflow", "MLflowCallback"):
            import mlflow
        self._mlflow = mlflow
        self._tracking_uri = tracking_uri
        self._create_experiment = create_experiment
        self._arguments = dict(mlflow_kwargs or {})
        self._open = False

    def open(self, run: Run) -> int:
        if self._tracking_uri is not None:
            self._mlflow.set_tracking_uri(self._tracking_uri)
        if self._create_experiment:
            self._mlflow.set_experiment(run.job.name)
        run_id, last = self._earlier(run)
        arguments = {"run_name": run.label, **self._arguments, "run_id": run_id}
        self._mlflow.start_run(**arguments)
        self._open = True
        self._mlflow.set_tags({RUN_TAG: run.label, JOB_TAG: run.job.digest})
        if not last:
            settings = (
                line.partition(" = ") for line in changed_settings(replace(run.job, exports={}))
            )
            parameters = {key: value.strip('"')[:LONGEST] for key, _, value in settings}
            # A resumed run may have more generations, but MLflow parameters cannot change.
            parameters.pop("generations", None)
            self._mlflow.log_params(parameters)
        return last

    def log(self, generation: int, numbers: Mapping[str, float]) -> None:
        self._mlflow.log_metrics(dict(numbers), step=generation)

    def close(self, run: Run) -> None:
        if self._open:
            self._mlflow.end_run("FINISHED" if run.finished else "KILLED")
            self._open = False

    def _earlier(self, run: Run) -> tuple[str | None, int]:
        """The MLflow run to continue (None for a new one) and the last generation in it."""
        if self._arguments.get("run_id"):
            run_id = str(self._arguments["run_id"])
            return run_id, self._last_step(run_id)
        experiment = self._arguments.get("experiment_id")
        for found in self._mlflow.search_runs(
            experiment_ids=None if experiment is None else [experiment],
            filter_string=f"tags.`{JOB_TAG}` = '{run.job.digest}'",
            order_by=["attributes.start_time DESC"],
            output_format="list",
        ):
            last = self._last_step(found.info.run_id)
            # One that is further belongs to an earlier run of this name whose folder is gone.
            if found.data.tags.get(RUN_TAG) == run.label and last <= run.generation:
                return found.info.run_id, last
        return None, 0

    def _last_step(self, run_id: str) -> int:
        history = self._mlflow.MlflowClient().get_metric_history(run_id, self._metric_name)
        return max((metric.step for metric in history), default=0)


class LogGoneWarning(RunWarning):
    """A log that a run writes was removed."""


class TensorBoardCallback(Logger):
    """Logs a run for TensorBoard: ``tensorboard --logdir DIRNAME``.

    Each run has its own folder in ``dirname``, so that several runs can be compared. It has the
    name of the run's folder, with a number behind it if a run in another place has the name, too.
    A new run in the place of an old one hides what the old one logged.

    Warns:
        LogGoneWarning: if somebody removes the log of a run at work. It is written anew.

    Args:
        dirname: folder of the logs.
        metric_name: name of the metric that is optimized: the best fitness of each generation.

    Raises:
        MissingExtra: if TensorBoard is not installed.
        CallbackError: if ``dirname`` is not a path, or ``metric_name`` not a name.
    """

    def __init__(self, dirname: str | os.PathLike[str], metric_name: str = "value") -> None:
        super().__init__(metric_name)
        with needed("tensorboard", "TensorBoardCallback"):
            import tensorboard.compat.proto.event_pb2
            import tensorboard.summary.writer.event_file_writer  # noqa: F401
        if not isinstance(dirname, str | os.PathLike):
            raise CallbackError(f"dirname must be the path of a folder, got {dirname!r:.60}")
        self._dirname = Path(dirname)
        self._writer: Any = None
        self._files: set[Path] = set()

    def on_generation(self, run: Run, record: Mapping[str, Any]) -> None:
        if all(file.exists() for file in self._files):
            return super().on_generation(run, record)
        gone = next(file for file in self._files if not file.exists())
        warn(f"{gone} was removed while the run worked: its log is written anew", LogGoneWarning)
        self.close(run)
        return self.on_start(run)

    def open(self, run: Run) -> int:
        from tensorboard.compat.proto.event_pb2 import SessionLog
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        folder, known = self._folder_of(run)
        last = last_step(folder)
        # Another job's generations differ, even those that this run has in common with it.
        kept = min(last, run.generation) if known else 0
        self._writer = EventFileWriter(str(folder))
        self._files = {*events_in(folder)}
        if last > kept:
            # From here on, ignore what an earlier run in this place logged.
            self._add(kept + 1, session_log=SessionLog(status=SessionLog.START))
        return kept

    def _folder_of(self, run: Run) -> tuple[Path, bool]:
        """The folder of a run's log, and whether a run of its job has logged there."""
        whose = {"folder": str(run.folder.resolve()), "job": run.job.digest}
        for number in count(1):
            name = run.label if number == 1 else f"{run.label}-{number}"
            folder = self._dirname / name
            folder.mkdir(parents=True, exist_ok=True)
            marked = folder / WHOSE
            if not marked.exists() and not any(events_in(folder)):
                # Another process may do the same at this moment: only one of them succeeds.
                with suppress(FileExistsError), marked.open("x", encoding="utf-8") as file:
                    file.write(json.dumps(whose) + "\n")
            try:
                found = json.loads(marked.read_text(encoding="utf-8"))
                if found["folder"] == whose["folder"]:
                    write_atomically(marked, json.dumps(whose) + "\n")
                    return folder, found == whose
            except (OSError, ValueError, KeyError, TypeError):
                # Logs of earlier versions do not say whose they are.
                continue
        raise AssertionError("the numbers end")

    def log(self, generation: int, numbers: Mapping[str, float]) -> None:
        from tensorboard.compat.proto.summary_pb2 import Summary

        values = [Summary.Value(tag=tag, simple_value=value) for tag, value in numbers.items()]
        self._add(generation, summary=Summary(value=values))
        self._writer.flush()

    def close(self, run: Run) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _add(self, step: int, **content: Any) -> None:
        from tensorboard.compat.proto.event_pb2 import Event

        self._writer.add_event(Event(wall_time=time.time(), step=step, **content))


def events_in(folder: Path) -> list[Path]:
    """The files of events in a folder of TensorBoard logs."""
    return sorted(folder.glob("*.tfevents.*"))


def last_step(folder: Path) -> int:
    """The last step in a folder of TensorBoard logs, 0 if there is none."""
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
    from tensorboard.compat.proto.event_pb2 import SessionLog

    last = 0
    for file in events_in(folder):
        for event in EventFileLoader(str(file)).Load():
            if event.HasField("session_log") and event.session_log.status == SessionLog.START:
                last = event.step - 1
            last = max(last, event.step if event.HasField("summary") else 0)
    return last
