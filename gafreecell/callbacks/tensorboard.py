"""Logs runs for TensorBoard."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gafreecell.callbacks.calling import CallbackError
from gafreecell.callbacks.logger import Logger
from gafreecell.extras import needed

if TYPE_CHECKING:
    from gafreecell.record import Run


class TensorBoardCallback(Logger):
    """Logs a run for TensorBoard: ``tensorboard --logdir DIRNAME``.

    Each run has its own folder in ``dirname``, with the name of the run's folder, so that several
    runs can be compared. A new run under an old name hides what the old one logged.

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

    def open(self, run: Run) -> int:
        from tensorboard.compat.proto.event_pb2 import SessionLog
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        folder = self._dirname / run.label
        last = last_step(folder)
        self._writer = EventFileWriter(str(folder))
        if last > run.generation:
            # From here on, ignore what an earlier run of this name logged.
            self._add(run.generation + 1, session_log=SessionLog(status=SessionLog.START))
        return min(last, run.generation)

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


def last_step(folder: Path) -> int:
    """The last step in a folder of TensorBoard logs, 0 if there is none."""
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
    from tensorboard.compat.proto.event_pb2 import SessionLog

    last = 0
    for file in sorted(folder.glob("*.tfevents.*")):
        for event in EventFileLoader(str(file)).Load():
            if event.HasField("session_log") and event.session_log.status == SessionLog.START:
                last = event.step - 1
            last = max(last, event.step if event.HasField("summary") else 0)
    return last
