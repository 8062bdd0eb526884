"""What an interrupted generation had computed is kept whole."""

from __future__ import annotations

import json
from dataclasses import astuple, fields
from pathlib import Path

import pytest
from conftest import job_table
from run_folders import ONE, same
from test_phases import cache, table
from test_resume import Interrupts

from gafreecell.runs.run import evolve, resume
from gafreecell.solving.checksums import sealed
from gafreecell.solving.outcome import Evaluator, Limits, Nodes, Outcome, Search, Status, Task
from gafreecell.workers import unfinished
from gafreecell.workers.evaluation import BATCH

__all__ = ["cache"]
TASK = Task(617, Evaluator(("a", "b"), (0.1 + 0.2, -1e-300)), Search("think"), Limits(1000))
OUTCOME = Outcome(Status.SOLVED, None, {"single": 88}, Nodes(310, 902, 4711), 1 / 3, 0.1 + 0.2)


def test_every_part_of_an_outcome_comes_back(tmp_path: Path) -> None:
    lacking = [f.name for f in fields(OUTCOME) if getattr(OUTCOME, f.name) is None]
    assert lacking == ["moves"] and None not in astuple(OUTCOME.nodes)
    failed = Outcome(Status.NODE_LIMIT, None, None, Nodes(1, 2))
    other = Task(618, None, Search("think"), Limits(1000))
    unfinished.save(tmp_path, "engine-1", {TASK: OUTCOME, other: failed})
    kept = unfinished.read(tmp_path, "engine-1")
    assert kept == {unfinished.key_of(TASK): OUTCOME, unfinished.key_of(other): failed}
    assert unfinished.read(tmp_path, "engine-2") == {}


def test_a_damaged_file_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert unfinished.read(tmp_path, "engine-1") == {}
    assert capsys.readouterr().err == "", "a run that was not interrupted has none"
    unfinished.save(tmp_path, "engine-1", {TASK: OUTCOME})
    file = tmp_path / unfinished.FILE
    whole = file.read_text()
    for damaged in (whole.replace("902", "903"), whole[:-5], "[" * 50_000):
        file.write_text(damaged)
        assert unfinished.read(tmp_path, "engine-1") == {}
    (said,) = capsys.readouterr().err.splitlines()
    assert str(file) in said and "computed again" in said


@pytest.mark.parametrize(
    ("place", "wrong"),
    [(0, "odd"), (1, {"single": -5}), (1, 3), (2, [1, "x", None]), (2, [1]), (3, None), (4, -1.0)],
)
def test_values_that_cannot_be_right_are_not_taken(
    tmp_path: Path, place: int, wrong: object, capsys: pytest.CaptureFixture[str]
) -> None:
    unfinished.save(tmp_path, "engine-1", {TASK: OUTCOME})
    file = tmp_path / unfinished.FILE
    document = json.loads(file.read_text())
    document["outcomes"][unfinished.key_of(TASK)][place] = wrong
    file.write_text(json.dumps(sealed(document)))
    assert unfinished.read(tmp_path, "engine-1") == {}
    assert "computed again" in capsys.readouterr().err


@pytest.mark.usefixtures("toy")
def test_a_folder_in_its_place_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r" / unfinished.FILE).mkdir(parents=True)
    assert evolve(job_table(generations=1), tmp_path / "r", ONE).finished
    assert "computed again" in capsys.readouterr().err
    assert (tmp_path / "r" / unfinished.FILE).is_dir()


def test_a_file_of_another_version_is_not_read(tmp_path: Path) -> None:
    unfinished.save(tmp_path, "e", {TASK: OUTCOME})
    file = tmp_path / unfinished.FILE
    document = json.loads(file.read_text())
    assert unfinished.read(tmp_path, "e")
    document["format"]["version"] += 1
    file.write_text(json.dumps(sealed(document)))
    assert unfinished.read(tmp_path, "e") == {}


@pytest.mark.parametrize("measure", ["cost-per-solved", "relative"])
@pytest.mark.usefixtures("cache")
def test_fitness_by_successors_scored_is_the_same_after_an_interruption(
    measure: str, tmp_path: Path
) -> None:
    given = table(generations=2, fitness={"measure": measure, "scoring": 0.5})
    whole = evolve(given, tmp_path / "whole", ONE).folder
    folder = tmp_path / "stopped"
    with pytest.raises(KeyboardInterrupt):
        evolve(given, folder, ONE, callbacks=[Interrupts(after=BATCH)])
    again = Interrupts()
    resume(folder, workers=ONE, callbacks=[again])
    assert again.first >= BATCH, "some were kept"
    same(whole, folder)
