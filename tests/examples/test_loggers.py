"""Runs logged in TensorBoard, whose own reader reads what was written, and in MLflow.

MLflow is a large package: a small fake stands in for it.
"""

from __future__ import annotations

import inspect
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_mlflow import FakeMlflow
from own_cache import own_cache

import gafreecell
from gafreecell.runs.callbacks import CallbackError
from gafreecell.runs.record import Run
from gafreecell.runs.rows import rows_of

EXAMPLES = Path(__file__).parents[2] / "examples"
JOB = {
    "name": "small",
    "generations": 6,
    "trained": {"search": "solve"},
    "scheme": "resampled",
    "solvers": {"population": 4},
    "sample": {"deals": 3},
    "deals": {"train": "1-60", "validation": "101-104"},
}
Steps = dict[str, list[tuple[int, float]]]
"""What was logged: step and value by name."""


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for package in ("tiles", "loggers"):
        monkeypatch.syspath_prepend(EXAMPLES / package)
    monkeypatch.setenv("GAFREECELL_CACHE", own_cache(tmp_path / "cache"))


def evolve(folder: Path, callbacks: Any, **changes: Any) -> Run:
    from countdown import Countdown

    return gafreecell.evolve(JOB, folder, 1, callbacks, game=Countdown, **changes)


def resume(folder: Path, generations: int, callbacks: Any) -> Run:
    from countdown import Countdown

    return gafreecell.resume(folder, generations, 1, callbacks, game=Countdown)


def stopped(
    folder: Path, generation: int, *loggers: Any, before: bool = False, seed: int = 1
) -> None:
    """A run that is killed after a generation was saved, before or after the loggers are told."""

    def stop(run: Run, record: Any) -> None:
        if run.generation == generation:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(folder, [stop, *loggers] if before else [*loggers, stop], seed=seed)


def expected(run: Run, metric: str = "value") -> Steps:
    """Every number of every generation, once."""
    columns: Steps = {}
    for row in rows_of(run.lines, run.validated, run.features, machine=True):
        step = int(row.pop("generation"))
        for name, value in row.items():
            columns.setdefault(metric if name == "solvers_best" else name, []).append((step, value))
    return columns


# TensorBoard


@pytest.fixture
def tensorboard(importable: None) -> Callable[..., Any]:
    pytest.importorskip("tensorboard")
    from gafreecell_loggers.tensorboard_logger import TensorBoardCallback

    return TensorBoardCallback


def shows(folder: Path, run: Run, metric: str = "value") -> bool:
    """Whether TensorBoard shows each generation once, as far as 32 bits go."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    accumulator = EventAccumulator(str(folder), size_guidance={"scalars": 0})
    accumulator.Reload()
    found = {
        # Files of the same second are read in any order.
        tag: sorted((event.step, event.value) for event in accumulator.Scalars(tag))
        for tag in accumulator.Tags()["scalars"]
    }
    return found == {
        name: [(step, pytest.approx(value, rel=1e-6)) for step, value in steps]
        for name, steps in expected(run, metric).items()
    }


def raw_steps(folder: Path) -> list[int]:
    """The steps of all events in the files of a folder."""
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

    events = [e for file in folder.iterdir() for e in EventFileLoader(str(file)).Load()]
    return sorted(event.step for event in events if event.HasField("summary"))


def test_tensorboard_shows_each_generation_once(tensorboard: Any, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    run = evolve(tmp_path / "r", tensorboard(logs, metric_name="fitness"))
    assert shows(logs / "r", run, "fitness")


def test_a_resumed_run_goes_on_in_the_same_log(tensorboard: Any, tmp_path: Path) -> None:
    logs, folder = tmp_path / "logs", tmp_path / "r"
    stopped(folder, 3, tensorboard(logs), before=True)
    assert raw_steps(logs / "r") == [1, 2]
    resume(folder, 5, tensorboard(logs))
    assert shows(logs / "r", resume(folder, 6, tensorboard(logs)))
    assert raw_steps(logs / "r") == [1, 2, 3, 4, 5, 6], "nothing is only hidden"


def test_a_new_run_hides_what_another_of_its_name_logged(tensorboard: Any, tmp_path: Path) -> None:
    logs, folder = tmp_path / "logs", tmp_path / "r"
    evolve(folder, tensorboard(logs))
    shutil.rmtree(folder)
    stopped(folder, 2, tensorboard(logs), seed=9)
    assert shows(logs / "r", gafreecell.load(folder))
    assert shows(logs / "r", resume(folder, 4, tensorboard(logs)))


def test_a_run_not_logged_from_the_start_is_completed(tensorboard: Any, tmp_path: Path) -> None:
    stopped(tmp_path / "r", 3)
    assert shows(tmp_path / "logs" / "r", resume(tmp_path / "r", 6, tensorboard(tmp_path / "logs")))


def test_two_runs_of_a_name_have_logs_of_their_own(tensorboard: Any, tmp_path: Path) -> None:
    """Whichever is further, and in whatever order they go on."""
    logs, runs = tmp_path / "logs", {"r": tmp_path / "a" / "r", "r-2": tmp_path / "b" / "r"}
    for seed, folder in enumerate(runs.values()):
        stopped(folder, 3 - seed, tensorboard(logs), seed=seed)
    for name, folder in reversed(runs.items()):
        assert shows(logs / name, resume(folder, 6, tensorboard(logs)))
    assert {folder.name for folder in logs.iterdir()} == {*runs}


def test_another_job_in_a_runs_place_shares_no_generation(tensorboard: Any, tmp_path: Path) -> None:
    logs, folder = tmp_path / "logs", tmp_path / "r"
    evolve(folder, tensorboard(logs), generations=2)
    shutil.rmtree(folder)
    evolve(folder, [], generations=4, seed=9)
    assert shows(logs / "r", resume(folder, 5, tensorboard(logs)))


def test_a_log_of_unknown_origin_is_left_alone(tensorboard: Any, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for _ in range(2):
        evolve(tmp_path / "r", tensorboard(logs), generations=2)
        for marked in logs.glob("*/gafreecell-run.json"):
            marked.unlink()
        shutil.rmtree(tmp_path / "r")
    assert raw_steps(logs / "r") == raw_steps(logs / "r-2") == [1, 2]


def test_a_log_that_is_removed_in_mid_run_is_noticed(tensorboard: Any, tmp_path: Path) -> None:
    logs = tmp_path / "logs"

    def remove(run: Run, record: Any) -> None:
        if run.generation == 2:
            shutil.rmtree(logs / "r")

    with pytest.warns(UserWarning, match="was removed while the run worked"):
        run = evolve(tmp_path / "r", [remove, tensorboard(logs)])
    assert shows(logs / "r", run)


# MLflow


@pytest.fixture
def mlflow(monkeypatch: pytest.MonkeyPatch) -> FakeMlflow:
    """The fake, and ``mlflow.callback`` to log in it."""
    fake = FakeMlflow()
    monkeypatch.setitem(sys.modules, "mlflow", fake)
    monkeypatch.delitem(sys.modules, "gafreecell_loggers.mlflow_logger", raising=False)
    from gafreecell_loggers.mlflow_logger import MLflowCallback

    fake.callback = MLflowCallback
    return fake


def test_mlflow_gets_a_run_in_an_experiment_of_the_job(mlflow: FakeMlflow, tmp_path: Path) -> None:
    logger = mlflow.callback("sqlite:///here.db", "fitness", mlflow_kwargs={"tags": {"by": "me"}})
    run = evolve(tmp_path / "r", logger, exports={"e": {"search": "solve"}}, seed=5)
    (kept,) = mlflow.kept
    assert (mlflow.uri, kept.experiment, kept.name) == ("sqlite:///here.db", "small", "r")
    assert (kept.status, mlflow.active) == ("FINISHED", None)
    assert kept.metrics == expected(run, "fitness")
    assert kept.tags == {"by": "me", "gafreecell.run": "r", "gafreecell.job": run.job.digest}
    assert kept.parameters["solvers.population"] == "4"
    assert (kept.parameters["seed"], kept.parameters["game"]) == ("5", "countdown")
    assert "generations" not in kept.parameters and "exports" not in str(kept.parameters)


def test_mlflow_goes_on_with_a_resumed_run(mlflow: FakeMlflow, tmp_path: Path) -> None:
    stopped(tmp_path / "r", 3, mlflow.callback(), before=True)
    (kept,) = mlflow.kept
    assert (kept.status, [step for step, _ in kept.metrics["value"]]) == ("KILLED", [1, 2])
    resume(tmp_path / "r", 5, mlflow.callback())
    run = resume(tmp_path / "r", 6, mlflow.callback())
    assert (mlflow.kept, kept.status) == ([kept], "FINISHED")
    assert kept.metrics == expected(run)


def test_mlflow_gets_another_run_for_another_run(mlflow: FakeMlflow, tmp_path: Path) -> None:
    for label, seed in (("a", 1), ("b", 1), ("c/a", 1), ("d/a", 6)):
        evolve(tmp_path / label, mlflow.callback(), generations=2, seed=seed)
    assert [kept.name for kept in mlflow.kept] == ["a", "b", "a", "a"]
    assert all(len(kept.metrics["value"]) == 2 for kept in mlflow.kept)


def test_mlflow_logs_where_it_is_told_to(mlflow: FakeMlflow, tmp_path: Path) -> None:
    evolve(tmp_path / "a", mlflow.callback(create_experiment=False), generations=1)
    arguments = {"experiment_id": "mine", "run_name": "me"}
    logger = mlflow.callback(create_experiment=False, mlflow_kwargs=arguments)
    evolve(tmp_path / "b", logger, generations=1)
    resume(tmp_path / "b", 2, logger)
    places = [(kept.experiment, kept.name) for kept in mlflow.kept]
    assert places == [("Default", "a"), ("mine", "me")]
    logger = mlflow.callback(mlflow_kwargs={"run_id": mlflow.kept[0].run_id})
    run = resume(tmp_path / "a", 3, logger)
    assert len(mlflow.kept) == 2
    assert mlflow.kept[0].metrics == expected(run)


def test_a_run_that_mlflow_does_not_start_is_not_ended(mlflow: FakeMlflow, tmp_path: Path) -> None:
    other = mlflow.start_run(run_name="the user's own")
    with pytest.raises(RuntimeError, match="already active"):
        evolve(tmp_path / "r", mlflow.callback())
    assert mlflow.active is other
    nested = mlflow.callback(mlflow_kwargs={"nested": True})
    assert resume(tmp_path / "r", 1, nested).generation == 1


def test_a_run_that_mlflow_started_only_by_halves_is_not_left_running(
    mlflow: FakeMlflow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(parameters: Any) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr(mlflow, "log_params", refuse)
    with pytest.raises(OSError, match="no route"):
        evolve(tmp_path / "r", mlflow.callback())
    assert [kept.status for kept in mlflow.kept] == ["KILLED"]


# Both


def test_arguments_are_named_as_optunas_are(tensorboard: Any, mlflow: FakeMlflow) -> None:
    """Left out: Optuna's two flags for user attributes, which runs do not have."""
    assert [*inspect.signature(tensorboard).parameters] == ["dirname", "metric_name"]
    names = ["tracking_uri", "metric_name", "create_experiment", "mlflow_kwargs"]
    assert [*inspect.signature(mlflow.callback).parameters] == names


@pytest.mark.parametrize("wrong", [["a", "b"], "", None, 5])
def test_a_name_that_is_none_is_refused(tensorboard: Any, wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(CallbackError, match="metric_name must be a metric's name"):
        tensorboard(tmp_path, wrong)
    with pytest.raises(CallbackError, match="dirname must be the path of a folder"):
        tensorboard(5)
