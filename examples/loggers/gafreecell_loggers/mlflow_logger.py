"""Logs runs in MLflow. The arguments have the names of Optuna's ``MLflowCallback``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import mlflow

from gafreecell.runs.callbacks import Logger
from gafreecell.runs.record import Run
from gafreecell.solving.settings import changed_settings

RUN_TAG, JOB_TAG = "gafreecell.run", "gafreecell.job"
"""Tags of an MLflow run that identify the run it logs: its label and its job's hash."""
LONGEST = 500
"""Maximum characters of a parameter's value, for older servers."""


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
        self._tracking_uri = tracking_uri
        self._create_experiment = create_experiment
        self._arguments = dict(mlflow_kwargs or {})
        self._open = False

    def open(self, run: Run) -> int:
        if self._tracking_uri is not None:
            mlflow.set_tracking_uri(self._tracking_uri)
        if self._create_experiment:
            mlflow.set_experiment(run.job.name)
        run_id, last = self._earlier(run)
        arguments = {"run_name": run.label, **self._arguments, "run_id": run_id}
        mlflow.start_run(**arguments)
        self._open = True
        mlflow.set_tags({RUN_TAG: run.label, JOB_TAG: run.job.digest})
        if not last:
            settings = (
                line.partition(" = ") for line in changed_settings(replace(run.job, exports={}))
            )
            parameters = {key: value.strip('"')[:LONGEST] for key, _, value in settings}
            # A resumed run may have more generations, but MLflow parameters cannot change.
            parameters.pop("generations", None)
            mlflow.log_params(parameters)
        return last

    def log(self, generation: int, numbers: Mapping[str, float]) -> None:
        mlflow.log_metrics(dict(numbers), step=generation)

    def close(self, run: Run) -> None:
        if self._open:
            mlflow.end_run("FINISHED" if run.finished else "KILLED")
            self._open = False

    def _earlier(self, run: Run) -> tuple[str | None, int]:
        """The MLflow run to continue (None for a new one) and the last generation in it."""
        if self._arguments.get("run_id"):
            run_id = str(self._arguments["run_id"])
            return run_id, self._last_step(run_id)
        experiment = self._arguments.get("experiment_id")
        for found in mlflow.search_runs(
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
        history = mlflow.MlflowClient().get_metric_history(run_id, self._metric_name)
        return max((metric.step for metric in history), default=0)
