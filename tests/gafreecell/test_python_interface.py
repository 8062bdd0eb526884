"""The Python interface: what it takes, what it gives, and what it says of a wrong type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import job_table
from run_folders import ONE, same, write_job

import gafreecell
from deals.errors import BadInput
from gafreecell.job import JobError
from gafreecell.run import default_folder, evolve


@pytest.mark.usefixtures("toy")
def test_a_number_of_workers_and_a_single_callback_will_do(tmp_path: Path) -> None:
    seen: list[int] = []
    evolve(job_table(), tmp_path / "r", 2, lambda run, record: seen.append(run.generation))
    assert seen == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: evolve([1]), "a job is a gafreecell.Job, a mapping or the path"),  # type: ignore
        (lambda: evolve(None), "a job is a gafreecell.Job"),  # type: ignore[arg-type]
        (lambda: gafreecell.Workers("2"), "jobs must be positive"),  # type: ignore[arg-type]
        (lambda: gafreecell.solve("164"), "a deal is a number or a board"),
        (lambda: gafreecell.solve(7, [1, 2]), "weights are a name, a path or"),  # type: ignore
        (lambda: gafreecell.solve(7, game=3), "game is a name or a game"),  # type: ignore
        (lambda: gafreecell.solve(7, "fast", nodes=-1), "nodes must be positive"),
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
    first = gafreecell.Job(**{**table, "trained": table["trained"]})
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
