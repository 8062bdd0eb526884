"""As much of MLflow's interface as the callback uses, kept in memory.

It refuses what MLflow refuses: two active runs at once, and a parameter that changes its value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any


@dataclass
class Kept:
    """A run in the store."""

    run_id: str
    experiment: str
    name: str
    status: str = "RUNNING"
    tags: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, list[tuple[int, float]]] = field(default_factory=dict)

    @property
    def info(self) -> Any:
        return SimpleNamespace(run_id=self.run_id)

    @property
    def data(self) -> Any:
        return SimpleNamespace(tags=self.tags, params=self.parameters)


class FakeMlflow(ModuleType):
    """The module ``mlflow``."""

    def __init__(self) -> None:
        super().__init__("mlflow")
        self.uri: str | None = None
        self.experiment = "Default"
        self.kept: list[Kept] = []
        self.active: Any = None
        self.callback: Any = None

    def set_tracking_uri(self, uri: str) -> None:
        self.uri = uri

    def set_experiment(self, experiment_name: str) -> None:
        self.experiment = experiment_name

    def start_run(
        self, run_id: Any = None, experiment_id: Any = None, run_name: Any = None,
        nested: bool = False, tags: Any = None,
    ) -> Kept:  # fmt: skip
        if self.active is not None and not nested:
            raise RuntimeError("a run is already active")
        if run_id is None:
            where = experiment_id or self.experiment
            self.active = Kept(f"id{len(self.kept)}", where, str(run_name))
            self.kept.append(self.active)
        else:
            (self.active,) = (run for run in self.kept if run.run_id == run_id)
            self.active.status = "RUNNING"
        self.active.tags |= tags or {}
        return self.active

    def end_run(self, status: str = "FINISHED") -> None:
        self.active.status, self.active = status, None

    def set_tags(self, tags: dict[str, str]) -> None:
        self.active.tags |= tags

    def log_params(self, params: dict[str, str]) -> None:
        for key, value in params.items():
            if self.active.parameters.setdefault(key, value) != value:
                raise RuntimeError(f"changing param values is not allowed: {key}")

    def log_metrics(self, metrics: dict[str, float], step: int) -> None:
        for key, value in metrics.items():
            self.active.metrics.setdefault(key, []).append((step, value))

    def search_runs(
        self, experiment_ids: Any, filter_string: str, order_by: list[str], output_format: str
    ) -> list[Kept]:
        assert (order_by, output_format) == (["attributes.start_time DESC"], "list")
        tag, _, value = filter_string.removeprefix("tags.`").partition("` = ")
        where = experiment_ids or [self.experiment]
        here = [run for run in self.kept if run.experiment in where]
        found = [run for run in here if run.tags.get(tag) == value.strip("'")]
        return found[::-1]

    def MlflowClient(self) -> Any:
        return SimpleNamespace(get_metric_history=self._history)

    def _history(self, run_id: str, key: str) -> list[Any]:
        (run,) = (run for run in self.kept if run.run_id == run_id)
        return [SimpleNamespace(step=step, value=v) for step, v in run.metrics.get(key, [])]
