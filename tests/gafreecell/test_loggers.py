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
from conftest import job_table
from fake_mlflow import FakeMlflow
from run_folders import ONE, same

from deals.errors import BadInput
from gafreecell.installed.extras import MissingExtra
from gafreecell.runs.callbacks import CallbackError, MLflowCallback, TensorBoardCallback
from gafreecell.runs.callbacks.loggers import LogGoneWarning
from gafreecell.runs.record import Run
from gafreecell.runs.rows import rows_of
from gafreecell.runs.run import evolve, load, resume

pytestmark = pytest.mark.usefixtures("toy")
Steps = dict[str, list[tuple[int, float]]]
"""What was logged: step and value by name."""


def expected(run: Run, metric: str = "value") -> Steps:
    """Every number of every generation, once."""
    columns: Steps = {}
    for row in rows_of(run.lines, run.validated, run.features, machine=True):
        step = int(row.pop("generation"))
        for name, value in row.items():
            columns.setdefault(metric if name == "solvers_best" else name, []).append((step, value))
    return columns


def kill_after(generation: int) -> Callable[[Run, Any], None]:
    def stop(run: Run, record: Any) -> None:
        if run.generation == generation:
            raise KeyboardInterrupt

    return stop


def approximately(found: Steps) -> Any:
    """TensorBoard keeps 32 bits."""
    return {
        name: [(step, pytest.approx(value, rel=1e-6)) for step, value in steps]
        for name, steps in found.items()
    }


# TensorBoard


def read_back(folder: Path) -> Steps:
    """What TensorBoard shows of a folder."""
    reader: Any = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    accumulator = reader.EventAccumulator(str(folder), size_guidance={"scalars": 0})
    accumulator.Reload()
    return {
        # Files of the same second are read in any order.
        tag: sorted((event.step, event.value) for event in accumulator.Scalars(tag))
        for tag in accumulator.Tags()["scalars"]
    }


def raw_steps(folder: Path) -> list[int]:
    """The steps of all events in the files of a folder."""
    loader: Any = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    events = [e for file in folder.iterdir() for e in loader.EventFileLoader(str(file)).Load()]
    return [event.step for event in events if event.HasField("summary")]


def tensorboard(folder: Path, **options: Any) -> TensorBoardCallback:
    pytest.importorskip("tensorboard")
    return TensorBoardCallback(folder, **options)


def test_tensorboard_shows_each_generation_once(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    run = evolve(job_table(), tmp_path / "r", ONE, tensorboard(logs, metric_name="fitness"))
    assert read_back(logs / "r") == approximately(expected(run, "fitness"))


def test_a_resumed_run_goes_on_in_the_same_log(whole: Path, tmp_path: Path) -> None:
    logs, folder = tmp_path / "logs", tmp_path / "r"
    with pytest.raises(KeyboardInterrupt):
        # Killed after generation 3 was saved, before the logger was told.
        evolve(job_table(), folder, ONE, [kill_after(3), tensorboard(logs)])
    assert [step for step, _ in read_back(logs / "r")["value"]] == [1, 2]
    resume(folder, 5, ONE, tensorboard(logs))
    run = resume(folder, 6, ONE, tensorboard(logs))
    assert read_back(logs / "r") == approximately(expected(run))
    assert sorted(raw_steps(logs / "r")) == [1, 2, 3, 4, 5, 6], "nothing is only hidden"
    same(whole, folder)


def test_a_new_run_hides_what_another_of_its_name_logged(tmp_path: Path) -> None:
    logs, folder = tmp_path / "logs", tmp_path / "r"
    evolve(job_table(), folder, ONE, tensorboard(logs))
    shutil.rmtree(folder)
    with pytest.raises(KeyboardInterrupt):
        evolve(job_table(), folder, ONE, [tensorboard(logs), kill_after(2)], seed=9)
    assert read_back(logs / "r") == approximately(expected(load(folder)))
    run = resume(folder, 4, ONE, tensorboard(logs))
    assert read_back(logs / "r") == approximately(expected(run))


def test_a_run_that_was_not_logged_from_the_start_is_completed(
    broken: Path, tmp_path: Path
) -> None:
    run = resume(broken, workers=ONE, callbacks=tensorboard(tmp_path))
    assert read_back(tmp_path / "broken") == approximately(expected(run))


def test_two_runs_of_a_name_have_logs_of_their_own(tmp_path: Path) -> None:
    """Whichever is further, and in whatever order they go on."""
    logs, runs = tmp_path / "logs", {"r": tmp_path / "a" / "r", "r-2": tmp_path / "b" / "r"}
    for seed, folder in enumerate(runs.values()):
        with pytest.raises(KeyboardInterrupt):
            evolve(job_table(), folder, ONE, [tensorboard(logs), kill_after(3 - seed)], seed=seed)
    for name, folder in reversed(runs.items()):
        run = resume(folder, workers=ONE, callbacks=tensorboard(logs))
        assert read_back(logs / name) == approximately(expected(run))
    assert {folder.name for folder in logs.iterdir()} == {*runs}


def test_another_job_in_a_runs_place_shares_no_generation_with_it(tmp_path: Path) -> None:
    logs, folder = tmp_path / "logs", tmp_path / "r"
    evolve(job_table(generations=2), folder, ONE, tensorboard(logs))
    shutil.rmtree(folder)
    evolve(job_table(generations=4), folder, ONE, seed=9)
    run = resume(folder, 5, ONE, tensorboard(logs))
    assert read_back(logs / "r") == approximately(expected(run))


def test_a_log_of_an_earlier_version_is_left_alone(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for _ in range(2):
        run = evolve(job_table(generations=2), tmp_path / "r", ONE, tensorboard(logs))
        for marked in logs.glob("*/gafreecell-run.json"):
            marked.unlink()
        shutil.rmtree(tmp_path / "r")
    for name in ("r", "r-2"):
        assert len(read_back(logs / name)["value"]) == len(run.lines)


def test_a_log_that_is_removed_in_mid_run_is_noticed(tmp_path: Path) -> None:
    logs = tmp_path / "logs"

    def remove(run: Run, record: Any) -> None:
        if run.generation == 2:
            shutil.rmtree(logs / "r")

    with pytest.warns(LogGoneWarning, match="was removed while the run worked"):
        run = evolve(job_table(), tmp_path / "r", ONE, [remove, tensorboard(logs)])
    assert read_back(logs / "r") == approximately(expected(run))


# MLflow


@pytest.fixture
def mlflow(monkeypatch: pytest.MonkeyPatch) -> FakeMlflow:
    fake = FakeMlflow()
    monkeypatch.setitem(sys.modules, "mlflow", fake)
    return fake


def test_mlflow_gets_a_run_in_an_experiment_called_as_the_job(
    mlflow: FakeMlflow, tmp_path: Path
) -> None:
    logger = MLflowCallback("sqlite:///here.db", "fitness", mlflow_kwargs={"tags": {"by": "me"}})
    run = evolve(job_table(), tmp_path / "r", ONE, logger, exports={"e": {"search": "think"}})
    (kept,) = mlflow.kept
    assert (mlflow.uri, kept.experiment, kept.name) == ("sqlite:///here.db", "small", "r")
    assert (kept.status, mlflow.active) == ("FINISHED", None)
    assert kept.metrics == expected(run, "fitness")
    assert kept.tags == {"by": "me", "gafreecell.run": "r", "gafreecell.job": run.job.digest}
    assert kept.parameters["solvers.population"] == "8"
    assert (kept.parameters["seed"], kept.parameters["game"]) == ("5", "toy")
    assert "generations" not in kept.parameters


def test_mlflow_goes_on_with_a_resumed_run(mlflow: FakeMlflow, whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "r"
    with pytest.raises(KeyboardInterrupt):
        evolve(job_table(), folder, ONE, [kill_after(3), MLflowCallback()])
    (kept,) = mlflow.kept
    assert (kept.status, [step for step, _ in kept.metrics["value"]]) == ("KILLED", [1, 2])
    resume(folder, 5, ONE, MLflowCallback())
    run = resume(folder, 6, ONE, MLflowCallback())
    assert mlflow.kept == [kept]
    assert kept.status == "FINISHED"
    assert kept.metrics == expected(run)
    same(whole, folder)


def test_mlflow_gets_another_run_for_another_run(mlflow: FakeMlflow, tmp_path: Path) -> None:
    job = job_table(generations=2)
    for label in ("a", "b"):
        evolve(job, tmp_path / label, ONE, MLflowCallback())
    evolve(job, tmp_path / "c" / "a", ONE, MLflowCallback())
    evolve(job, tmp_path / "d" / "a", ONE, MLflowCallback(), seed=6)
    assert [kept.name for kept in mlflow.kept] == ["a", "b", "a", "a"]
    assert all(len(kept.metrics["value"]) == 2 for kept in mlflow.kept)


def test_mlflow_logs_where_it_is_told_to(mlflow: FakeMlflow, tmp_path: Path) -> None:
    evolve(job_table(generations=1), tmp_path / "a", ONE, MLflowCallback(create_experiment=False))
    arguments = {"experiment_id": "mine", "run_name": "me"}
    logger = MLflowCallback(create_experiment=False, mlflow_kwargs=arguments)
    evolve(job_table(generations=1), tmp_path / "b", ONE, logger)
    resume(tmp_path / "b", 2, ONE, logger)
    assert [(kept.experiment, kept.name) for kept in mlflow.kept] == [
        ("Default", "a"),
        ("mine", "me"),
    ]
    logger = MLflowCallback(mlflow_kwargs={"run_id": mlflow.kept[0].run_id})
    run = resume(tmp_path / "a", 3, ONE, logger)
    assert len(mlflow.kept) == 2
    assert mlflow.kept[0].metrics == expected(run)


def test_a_run_that_mlflow_refuses_to_start_is_not_ended(
    mlflow: FakeMlflow, tmp_path: Path
) -> None:
    other = mlflow.start_run(run_name="the user's own")
    with pytest.raises(RuntimeError, match="already active"):
        evolve(job_table(), tmp_path / "r", ONE, MLflowCallback())
    assert mlflow.active is other
    nested = MLflowCallback(mlflow_kwargs={"nested": True})
    assert resume(tmp_path / "r", 1, ONE, nested).generation == 1


def test_a_run_that_mlflow_started_only_by_halves_is_not_left_running(
    mlflow: FakeMlflow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(parameters: Any) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr(mlflow, "log_params", refuse)
    with pytest.raises(OSError, match="no route"):
        evolve(job_table(), tmp_path / "r", ONE, MLflowCallback())
    assert [kept.status for kept in mlflow.kept] == ["KILLED"]


# Both


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (TensorBoardCallback, ["dirname", "metric_name"]),
        (MLflowCallback, ["tracking_uri", "metric_name", "create_experiment", "mlflow_kwargs"]),
    ],
)
def test_arguments_are_named_as_optunas_are(kind: type[Any], names: list[str]) -> None:
    """Left out: Optuna's two flags for user attributes, which runs do not have."""
    assert list(inspect.signature(kind).parameters) == names


@pytest.mark.parametrize("package", ["tensorboard", "mlflow"])
def test_a_missing_package_is_named_with_its_extra(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)  # type: ignore[arg-type]
    call = {"tensorboard": lambda: TensorBoardCallback("logs"), "mlflow": MLflowCallback}[package]
    with pytest.raises(MissingExtra, match=rf"pip install 'gafreecell\[{package}\]'"):
        call()


def test_a_name_that_is_none_is_refused(mlflow: FakeMlflow, tmp_path: Path) -> None:
    for wrong in (["a", "b"], "", None):
        with pytest.raises(CallbackError, match="metric_name must be a metric's name"):
            MLflowCallback(metric_name=wrong)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="metric_name"):
        TensorBoardCallback(tmp_path, 5)  # type: ignore[arg-type]
