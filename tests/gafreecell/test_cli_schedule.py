"""Schedules on the command line and in Python: they are run whole, or refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, records, refused

import gafreecell
import hsd
from gafreecell.evolution.job_reading import make_job
from gafreecell.solving.outcome import DEPTH_IN_TURN, Evaluator, Limits, Phase, Search
from gafreecell.solving.parameters import ParameterError
from gafreecell.solving.weights import Weights
from hsd import solver

SCHEDULE = Weights(
    game="freecell",
    variant={"cascades": 8, "cells": 4},
    evaluator=Evaluator(
        ("NotPlaced", "AboveNext", "BreaksRun"),
        (1.0, 0.5, 0.5, 0.5, 1.0, 0.0),
        (Phase(50, DEPTH_IN_TURN), Phase()),
    ),
    search=Search("schedule"),
    limits=Limits(20_000),
)
OTHERS = [name for name in solver.SOLVER.searches if name != "schedule"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    SCHEDULE.write(tmp_path / "mine.json")
    return tmp_path / "mine.json"


def test_a_schedule_is_run_whole(path: Path, command: Command) -> None:
    done = command("solve", "1-20", "--weights", path, "--format", "jsonl")
    lines = records(done.out)
    outcomes = hsd.solve_many(range(1, 21), SCHEDULE, jobs=1)
    assert [line["moves"] for line in lines] == [list(o.moves or ()) or None for o in outcomes]
    assert [line["nodes"] for line in lines] == [
        {"expanded": n.expanded, "generated": n.generated, "scored": n.scored}
        for n in (outcome.nodes for outcome in outcomes)
    ]
    # Some need its second phase.
    assert max(outcome.nodes.generated for outcome in outcomes) > 50
    assert outcomes[0] == replace(gafreecell.solve(1, SCHEDULE), seconds=outcomes[0].seconds)


def test_lines_of_other_searches_have_the_keys_they_had(command: Command) -> None:
    done = command("solve", "1", "--search", "best-first", "--format", "jsonl")
    assert records(done.out)[0]["nodes"].keys() == {"expanded", "generated"}


@pytest.mark.parametrize("search", OTHERS)
def test_other_searches_refuse_it(
    search: str, path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is compiled."""
    monkeypatch.setattr(solver.SOLVER, "instance", None)
    other = replace(SCHEDULE, search=Search(search), evaluator=_of_board())
    other.write(path)
    message = f"a schedule of 2 phases: the search {search} takes no schedules"
    refused(command("solve", "1", "--weights", path), "mine.json", message)
    refused(command("evaluate", path, "--deals", "1-5"), "mine.json", message)
    with pytest.raises(ParameterError, match=f"{search} takes one weighted sum, not a schedule"):
        hsd.solve(1, other)
    with pytest.raises(ParameterError, match=f"{search} takes one weighted sum, not a schedule"):
        solver.run(1, other.evaluator, other.search, Limits(10))


def _of_board() -> Evaluator:
    """A schedule of what all searches weigh."""
    return Evaluator(("NotPlaced",), (1.0, 0.5), (Phase(50), Phase()))


def test_so_does_a_search_chosen_for_it(path: Path, command: Command) -> None:
    replace(SCHEDULE, evaluator=_of_board()).write(path)
    done = command("solve", "1", "--weights", path, "--search", "best-first")
    refused(done, "a schedule of 2 phases: the search best-first takes no schedules")


def test_weights_of_another_game_are_refused_as_such(path: Path, command: Command) -> None:
    replace(SCHEDULE, game="klondike").write(path)
    refused(command("solve", "1", "--weights", path), "klondike", "freecell")


@pytest.mark.parametrize("search", ["staged", "best-first"])
def test_jobs_train_them_in_searches_that_take_them(search: str) -> None:
    phase: dict[str, Any] = {"nodes": 10, "weights": {"AboveNext": 1.0}}
    table = {
        "name": "a",
        "generations": 1,
        "trained": {"search": search, "features": ["AboveNext"]},
        "deals": {"train": "1-20", "validation": "21-30"},
        "phases": {"first": phase},
    }
    with pytest.raises(gafreecell.evolution.job.JobError) as fault:
        make_job(table)
    assert str(fault.value) == f"phases: the search {search} takes no schedules"


def test_a_figure_of_its_phases(path: Path, command: Command, tmp_path: Path) -> None:
    figure = tmp_path / "phases.svg"
    words = ("plot", path, "--kind", "phases", "--deals", "1-3", "-o", figure)
    assert command(*words).status == 0
    title = f"{path.stem}: what its phases solve of 3 deals (1-3)"
    assert title in figure.read_text().replace("\n", "")
    figure.unlink()
    done = command("plot", path, "hsdh", "--kind", "phases", "--deals", "1", "-o", figure)
    refused(done, "takes one solver, got ", "hsdh")
    done = command("plot", "hsdh", "--kind", "phases", "--deals", "1", "-o", figure)
    refused(done, "needs a schedule of several phases, but hsdh has one")
