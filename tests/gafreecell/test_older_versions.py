"""Run folders that version 1 wrote: their second population was called hosts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, job_table
from run_folders import ONE, log_of, same

from gafreecell import version_1
from gafreecell.game import game
from gafreecell.run import evolve, load, resume
from gafreecell.run_folder import RunError

OLDER = Path(__file__).parent / "data" / "version-1"
CHANGES: dict[str, dict[str, Any]] = {
    "coevolution": {},
    "cma-es": {
        "trainer": "cma-es",
        "scheme": "resampled",
        "solvers": {"population": 8, "sigma": 0.1},
        "sample": {"deals": 4},
        "cma": {"sigma": 0.2},
    },
}


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("name", CHANGES)
def test_a_run_of_version_1_resumes_bit_identical_to_one_of_today(
    name: str, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(OLDER / name, tmp_path / "older"))
    assert "hosts" in (folder / "state.json").read_text()
    assert load(folder).generation == 3
    assert "hosts" in (folder / "state.json").read_text(), "looking changes nothing"
    resume(folder, workers=ONE)
    whole = evolve(job_table(**CHANGES[name]), tmp_path / "whole", ONE).folder
    same(folder, whole)
    assert len(log_of(folder)) == 6
    for file in ("state.json", "log.jsonl", "job.toml"):
        assert "hosts" not in (folder / file).read_text()


@pytest.mark.usefixtures("toy")
def test_a_damaged_one_is_refused(tmp_path: Path, command: Command) -> None:
    folder = Path(shutil.copytree(OLDER / "coevolution", tmp_path / "older"))
    state = json.loads((folder / "state.json").read_text())
    for key in ("hosts", "solvers"):
        damaged = {other: value for other, value in state.items() if other != key}
        (folder / "state.json").write_text(json.dumps(damaged))
        done = command("show", folder)
        assert (done.status, len(done.lines)) == (2, 1)
        assert "state.json is damaged" in done.err


@pytest.mark.usefixtures("toy")
def test_a_changed_job_is_refused_as_version_1_refused_it(tmp_path: Path, command: Command) -> None:
    folder = Path(shutil.copytree(OLDER / "coevolution", tmp_path / "older"))
    text = (folder / "job.toml").read_text()
    (folder / "job.toml").write_text(text.replace("gene_mutation = 0.1", "gene_mutation = 0.9", 1))
    done = command("resume", folder)
    assert done.status == 2
    assert "was changed since the run began" in done.err


@pytest.mark.usefixtures("toy")
def test_its_engine_is_known_by_its_name_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(OLDER / "coevolution", tmp_path / "older"))
    text = (folder / "state.json").read_text()
    (folder / "state.json").write_text(text.replace('"engine": "toy-1"', '"engine": "1"'))
    with pytest.raises(RunError, match="made by engine 1, this is toy-1"):
        resume(folder, workers=ONE)
    monkeypatch.setitem(version_1.ENGINES, "toy", "toy-1")
    assert resume(folder, workers=ONE).finished


def test_engines_of_version_1_are_those_of_today() -> None:
    """They were all called 1, and still return the same."""
    for name, engine in version_1.ENGINES.items():
        assert game(name).engine == engine, (
            f"{name} returns other counts now: leave its engine out of gafreecell/version_1.py"
        )
