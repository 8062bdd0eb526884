"""A baseline that solves too little is said to, once a run, and changes nothing."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import job_table, shell
from run_folders import ONE, log_of, write_job

from gafreecell import evolve
from gafreecell.baseline_warning import BaselineWarning

# The baseline's weights (1, 0, 0) solve only the easiest of the toy game's deals within these.
FEW = {"nodes": 5000}


def test_a_baseline_that_fails_on_most_deals_is_named_once_a_run(toy: Any, tmp_path: Path) -> None:
    with pytest.warns(BaselineWarning, match=r"solves only \d+ of the \d+ deals") as caught:
        run = evolve(job_table(trained=FEW), tmp_path / "warned", ONE)
    assert len(caught) == 1
    assert caught[0].filename == __file__, "where the run was begun, not where it was judged"
    assert run.generation == 6
    assert "fitness.baseline" in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        evolve(job_table(trained=FEW), tmp_path / "silent", ONE)
    assert log_of(tmp_path / "warned") == log_of(tmp_path / "silent")


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"trained": FEW, "fitness": {"baseline": "known"}},
        {"trained": FEW, "fitness": {"measure": "log-nodes"}, "scheme": "resampled"},
    ],
    ids=["it solves", "a preset that solves", "another measure"],
)
def test_nothing_is_said_where_the_baseline_solves_or_does_not_matter(
    toy: Any, tmp_path: Path, changes: dict[str, Any]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evolve(job_table(**changes), tmp_path / "run", ONE)


def test_coevolution_needs_a_baseline_whatever_the_measure(toy: Any, tmp_path: Path) -> None:
    table = job_table(trained=FEW, fitness={"measure": "log-nodes"})
    said = r"solves only \d+ of the \d+ deals of a generation.* a problem that solvers solve has"
    with pytest.warns(BaselineWarning, match=said) as caught:
        evolve(table, tmp_path / "run", ONE)
    assert len(caught) == 1


def test_the_jobs_own_weights_are_called_so(toy: Any, tmp_path: Path) -> None:
    table = job_table(trained=FEW, fitness={"weights": {"near": 1.0}})
    with pytest.warns(BaselineWarning) as caught:
        evolve(table, tmp_path / "run", ONE)
    said = str(caught[0].message)
    assert said.startswith("the baseline (the weights of fitness.weights) solves only")
    assert "set fitness.baseline, in place of fitness.weights, to a preset" in said


def test_the_command_line_says_it_in_a_line(toy: Any, tmp_path: Path) -> None:
    job = write_job(tmp_path, trained=FEW)
    done = shell("evolve", job, "--out", tmp_path / "run", "--jobs", 1)
    assert done.status == 0
    (said,) = [line for line in done.lines if "baseline" in line]
    assert said.startswith("gafreecell: the baseline (the baseline weights of the features) solves")
