"""Run folders that version 1 wrote: their second population was called hosts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from conftest import Command, job_table, refused
from run_folders import ONE, log_of, same

from gafreecell.runs import version_1
from gafreecell.runs.folder import RunError
from gafreecell.runs.run import evolve, load, resume
from gafreecell.solitaire.game import game

OLDER = Path(__file__).parent / "data" / "version-1"


def without_hosts(folder: Path) -> bool:
    files = ("state.json", "log.jsonl", "job.toml")
    return not any("hosts" in (folder / file).read_text() for file in files)


@pytest.mark.usefixtures("toy")
def test_a_run_of_version_1_resumes_bit_identical_to_one_of_today(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(OLDER / "coevolution", tmp_path / "older"))
    assert load(folder).generation == 3
    assert not without_hosts(folder), "looking changes nothing"
    resume(folder, workers=ONE)
    same(folder, evolve(job_table(), tmp_path / "whole", ONE).folder, values=False)
    assert len(log_of(folder)) == 6
    assert without_hosts(folder)


@pytest.mark.usefixtures("toy")
def test_the_strategy_of_version_1_is_taken_over(tmp_path: Path) -> None:
    """It holds figures of linear algebra, whose last bits depend on the machine that made it."""
    older = json.loads((OLDER / "cma-es" / "state.json").read_text())
    whole, parted = (
        Path(shutil.copytree(OLDER / "cma-es", tmp_path / name)) for name in ("whole", "parted")
    )
    run = load(whole)
    assert run.state.trainer == {"solvers": older["solvers"], "strategy": older["strategy"]}
    assert (run.job.solvers.sigma, run.job.cma.sigma) == (0.1, 0.2)
    assert resume(whole, workers=ONE).finished
    resume(parted, workers=ONE, callbacks=[lambda *_: True])
    assert resume(parted, workers=ONE).finished
    same(whole, parted)
    assert without_hosts(whole)


@pytest.mark.usefixtures("toy")
def test_a_damaged_one_is_refused(tmp_path: Path, command: Command) -> None:
    folder = Path(shutil.copytree(OLDER / "coevolution", tmp_path / "older"))
    state = json.loads((folder / "state.json").read_text())
    for key in ("hosts", "solvers"):
        damaged = {other: value for other, value in state.items() if other != key}
        (folder / "state.json").write_text(json.dumps(damaged))
        refused(command("show", folder), "state.json is damaged")


@pytest.mark.usefixtures("toy")
def test_a_changed_job_is_refused_as_version_1_refused_it(tmp_path: Path, command: Command) -> None:
    folder = Path(shutil.copytree(OLDER / "coevolution", tmp_path / "older"))
    text = (folder / "job.toml").read_text()
    (folder / "job.toml").write_text(text.replace("gene_mutation = 0.1", "gene_mutation = 0.9", 1))
    refused(command("resume", folder), "was changed since the run began")


@pytest.mark.usefixtures("toy")
def test_a_key_of_today_that_was_filled_in_changes_no_hash() -> None:
    """A run that was killed as it resumed has such a job."""
    table = job_table(trainer="nsga-ii")
    filled = table | {"nsga": {"parents": "uniform"}}
    assert version_1.older_digest(filled) == version_1.older_digest(table)


@pytest.mark.usefixtures("toy")
def test_its_engine_is_known_by_its_name_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(OLDER / "coevolution", tmp_path / "older"))
    text = (folder / "state.json").read_text()
    (folder / "state.json").write_text(text.replace('"engine": "toy-1"', '"engine": "1"'))
    with pytest.raises(RunError, match="made by engine 1, but this is engine toy-1"):
        resume(folder, workers=ONE)
    monkeypatch.setitem(version_1.ENGINES, "toy", "toy-1")
    assert resume(folder, workers=ONE).finished


def test_engines_of_version_1_are_those_of_today() -> None:
    """They were all called 1, and still return the same."""
    for name, engine in version_1.ENGINES.items():
        present = game(name)
        assert engine in (present.engine, *getattr(present, "earlier_engines", ())), (
            f"{name} returns other counts now: leave its engine out of gafreecell/runs/version_1.py"
        )
