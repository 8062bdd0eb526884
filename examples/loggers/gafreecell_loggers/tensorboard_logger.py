"""Logs runs for TensorBoard. The arguments have the names of Optuna's ``TensorBoardCallback``."""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from gafreecell.evolution.generation import RunWarning
from gafreecell.runs.callbacks import CallbackError, Logger
from gafreecell.runs.record import Run
from gafreecell.solving.files import write_atomically

WHOSE = "gafreecell-run.json"
"""The file that says whose log a folder holds: the run's folder, and the hash of its job."""


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
        CallbackError: if ``dirname`` is not a path, or ``metric_name`` not a name.
    """

    def __init__(self, dirname: str | os.PathLike[str], metric_name: str = "value") -> None:
        super().__init__(metric_name)
        if not isinstance(dirname, str | os.PathLike):
            raise CallbackError(f"dirname must be the path of a folder, got {dirname!r:.60}")
        self._dirname = Path(dirname)
        self._writer: Any = None
        self._files: set[Path] = set()

    def on_generation(self, run: Run, record: Mapping[str, Any]) -> None:
        if all(file.exists() for file in self._files):
            return super().on_generation(run, record)
        gone = next(file for file in self._files if not file.exists())
        told = f"{gone} was removed while the run worked: its log is written anew"
        warnings.warn(told, LogGoneWarning, stacklevel=2)
        self.close(run)
        return self.on_start(run)

    def open(self, run: Run) -> int:
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
        values = [Summary.Value(tag=tag, simple_value=value) for tag, value in numbers.items()]
        self._add(generation, summary=Summary(value=values))
        self._writer.flush()

    def close(self, run: Run) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _add(self, step: int, **content: Any) -> None:
        self._writer.add_event(Event(wall_time=time.time(), step=step, **content))


def events_in(folder: Path) -> list[Path]:
    """The files of events in a folder of TensorBoard logs."""
    return sorted(folder.glob("*.tfevents.*"))


def last_step(folder: Path) -> int:
    """The last step in a folder of TensorBoard logs, 0 if there is none."""
    last = 0
    for file in events_in(folder):
        for event in EventFileLoader(str(file)).Load():
            if event.HasField("session_log") and event.session_log.status == SessionLog.START:
                last = event.step - 1
            last = max(last, event.step if event.HasField("summary") else 0)
    return last
