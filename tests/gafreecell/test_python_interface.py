"""The Python interface: what it takes, what it gives, and what it says of a wrong type."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, job_table
from run_folders import ONE, same, write_job

import gafreecell
from deals.errors import BadInput
from gafreecell.evolution.job import JobError
from gafreecell.runs.run import default_folder, evolve


@pytest.mark.usefixtures("toy")
def test_a_number_of_workers_and_a_single_callback_will_do(tmp_path: Path) -> None:
    seen: list[int] = []
    evolve(job_table(), tmp_path / "r", 2, lambda run, record: seen.append(run.generation))
    assert seen == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: evolve([1]), "a job must be a gafreecell.Job, a mapping or the path"),  # type: ignore
        (lambda: evolve(None), "a job must be a gafreecell.Job"),  # type: ignore[arg-type]
        (lambda: gafreecell.Workers("2"), "jobs must be positive"),  # type: ignore[arg-type]
        (lambda: gafreecell.solve(3.5), "a deal of FreeCell must be a number, a board"),
        (lambda: gafreecell.solve(None), "a deal of FreeCell must be a number"),
        (lambda: gafreecell.solve(True), "a deal of FreeCell must be a number"),
        (lambda: gafreecell.solve_many([1, True]), "a deal of FreeCell must be a number"),
        (lambda: gafreecell.solve([1, 2]), "a deal of FreeCell must be a number"),
        (lambda: gafreecell.solve_many(164), "use solve for a single deal"),
        (lambda: gafreecell.solve_many([1], jobs=0), "jobs must be positive"),
        (lambda: gafreecell.deal("164"), "deal takes a deal number"),  # type: ignore
        (lambda: gafreecell.verify(164, 5), "moves must be an outcome, a text"),  # type: ignore
        (lambda: gafreecell.solve(7, variant=3), "variant must be a mapping"),  # type: ignore
        (lambda: gafreecell.solve(7, [1, 2]), "weights must be a name, a path or"),  # type: ignore
        (lambda: gafreecell.solve(7, game=3), "game must be a name, a game or its class"),  # type: ignore
        (lambda: gafreecell.solve(7, "fast", nodes=-1), "nodes must be positive"),
        (lambda: gafreecell.solve(7, "fast", nodes=0), "nodes must be positive"),
        (lambda: gafreecell.solve(7, "fast", nodes="5"), "nodes must be a number"),  # type: ignore
    ],
)
def test_a_wrong_type_gets_a_sentence(call: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        call()


def test_the_python_interface(toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = gafreecell.evolve(write_job(tmp_path), workers=gafreecell.Workers(1))
    assert run.folder == Path("out/small-s5") == default_folder(run.job)
    assert len(run.best.weights) == 3
    assert run.logbook.select("generation") == list(range(1, 7))
    assert len(run.logbook.chapters["solvers"].select("best")) == 6
    assert run.finished
    assert gafreecell.load(run.folder).state == run.state
    assert gafreecell.figures.plot_fitness(run)[0].get_title(loc="left").startswith("small-s5")


def test_a_job_is_a_file_a_mapping_or_an_object(whole: Path, tmp_path: Path) -> None:
    table = job_table()
    tables = {"problems": table["problems"]}
    first = gafreecell.Job(**{k: v for k, v in table.items() if k not in tables}, tables=tables)
    for number, job in enumerate((table, first, write_job(tmp_path), gafreecell.read_job(
        write_job(tmp_path)
    ))):  # fmt: skip
        same(whole, evolve(job, tmp_path / str(number), ONE).folder)


@pytest.mark.usefixtures("toy")
def test_keywords_change_a_job_key_by_key(tmp_path: Path) -> None:
    job = write_job(tmp_path)
    run = evolve(job, tmp_path / "r", ONE, generations=2, solvers={"population": 5}, seed=9)
    assert run.finished
    assert (run.job.seed, run.job.solvers.population) == (9, 5)
    assert run.job.problems.population == 6, "the rest stays as it was"
    with pytest.raises(JobError, match=r"solvers\.size is not a key"):
        evolve(job, tmp_path / "s", ONE, solvers={"size": 5})
    with pytest.raises(JobError, match=r"solvers\.size is not a key"):
        gafreecell.Job("a", 1, {"search": "think"}, solvers={"size": 5})  # type: ignore[arg-type]


@pytest.mark.usefixtures("toy")
def test_an_empty_table_empties_the_jobs(tmp_path: Path) -> None:
    table = job_table(trained={"ranges": {"near": [0.0, 0.5]}}, trainer="random")
    table["options"] = {"genetic": {"none": 1}}
    with pytest.raises(gafreecell.BadInput, match=r"options\.genetic"):
        gafreecell.evolve(table, tmp_path / "refused")
    changes: dict[str, Any] = {"options": {}, "trained": {"ranges": {}}, "generations": 1}
    made = gafreecell.evolve(table, tmp_path / "made", **changes).job
    assert not made.options
    assert not made.trained.ranges
    assert made.trained.search == "think"


def test_every_name_that_is_offered_has_a_docstring_and_is_listed() -> None:
    for name in gafreecell.__all__:
        offered = getattr(gafreecell, name)
        assert (inspect.getdoc(offered) or "").strip(), name
        assert not (offered.__doc__ or "").startswith(f"{name}("), f"{name}: dataclass makes that"
    assert set(dir(gafreecell)) == {*gafreecell.__all__, "__version__"}


def test_functions_that_are_offered_say_what_they_take() -> None:
    functions = [n for n in gafreecell.__all__ if inspect.isfunction(getattr(gafreecell, n))]
    assert len(functions) > 10
    for name in functions:
        function = getattr(gafreecell, name)
        signature = inspect.signature(function)
        assert signature.return_annotation is not inspect.Signature.empty, name
        for parameter in signature.parameters.values():
            assert parameter.annotation is not inspect.Parameter.empty, (name, parameter)
            assert parameter.name in function.__doc__, (name, parameter.name)


def test_the_version_is_that_of_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert gafreecell.__version__ == project["version"]


def test_an_import_loads_nothing_heavy() -> None:
    code = "import sys, gafreecell; dir(gafreecell); gafreecell.games\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numba", "scipy", "matplotlib", "rich", "pandas", "joblib", "tensorboard", "mlflow"}
    assert not heavy & set(done.stdout.split())
