"""What runs cost, and what they submit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, job_table
from outcomes import failed, solved
from run_folders import ONE
from toy_game import nodes_needed

from gafreecell import evolve, load
from gafreecell.evolution.costs import PURPOSES, Spent, costs_of
from gafreecell.runs.folder import RunError


def test_every_outcome_counts() -> None:
    assert Spent.on([solved(10, seconds=0.25), failed(7)]) == Spent(2, 17, 0.75)
    assert Spent(1, 2, 0.5) + Spent(3, 4, 0.25) == Spent(4, 6, 0.75)


def test_a_run_knows_what_it_cost(toy: Any, tmp_path: Path) -> None:
    run = evolve(job_table(scheme="resampled", sample={"deals": 4}), tmp_path / "run", ONE)
    costs = run.costs
    assert costs is not None and tuple(costs) == PURPOSES
    assert costs["solvers"].evaluations == 6 * 8 * 4
    assert costs["solvers"].nodes == sum(line["nodes"] for line in run.lines)
    # Each generation has a deal of its own to compare with.
    assert 4 <= costs["baseline"].evaluations <= 6 * 4
    assert costs["baseline"].seconds > 0
    assert load(tmp_path / "run").costs == costs
    older = [{**line, "machine": {}} for line in run.lines]
    assert costs_of(older) is None


def test_a_champion_that_stands_again_counts_again(toy: Any, tmp_path: Path) -> None:
    run = evolve(job_table(scheme="fixed", generations=8), tmp_path / "run", ONE)
    stood = [line["best_weights"] for line in run.lines]
    spent = [line["machine"]["costs"]["validation"]["evaluations"] for line in run.lines]
    assert {*spent} == {0, 20} and len({*map(tuple, stood)}) == spent.count(20) > 1
    nodes = [min(nodes_needed(deal, one), 20_000) for one in stood for deal in range(101, 121)]
    assert run.costs and run.costs["validation"] == Spent(8 * 20, sum(nodes), pytest.approx(0.16))


def test_the_last_candidate_is_that_of_the_last_line(toy: Any, tmp_path: Path) -> None:
    run = evolve(job_table(), tmp_path / "run", ONE)
    assert run.candidate().evaluator is not None
    assert run.candidate().evaluator.weights == tuple(run.lines[-1]["best_weights"])
    assert run.candidate(2).provenance["generation"] == 2
    assert run.candidate(run.best.generation) == run.weights
    for wrong in (0, 7, -7):
        with pytest.raises(RunError, match="generations 1 to 6"):
            run.candidate(wrong)


def table(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]


@pytest.mark.parametrize("seeds", [1, 2])
def test_compare_tells_the_costs(seeds: int, toy: Any, tmp_path: Path, command: Command) -> None:
    folders = []
    for trainer in ("genetic", "random"):
        for seed in range(seeds):
            folders.append(tmp_path / str(seed) / trainer)
            job = job_table(name=trainer, trainer=trainer, seed=seed, generations=2)
            evolve(job, folders[-1], ONE)
    compare = ("compare", *folders, "--deals", "201-210")
    told = command(*compare).out
    rows = [row[2:6] for row in table(told) if row[1:2] == ["genetic"] and len(row) == 7]
    rows = [row for row in rows if row[0] in (*PURPOSES, "total")]
    assert [row[0] for row in rows] == [*PURPOSES, "total"] and rows[0][1] == "96"
    for column in (1, 2):
        counts = [int(row[column].replace(",", "")) for row in rows]
        assert sum(counts[:-1]) == pytest.approx(counts[-1], abs=2)
    assert "--submit last" not in told
    document = json.loads(command(*compare, "--format=json").out)
    over = "deals" if seeds == 1 else "seeds"
    assert (document["over"], document["submit"]) == (over, "champion")
    costs = document["costs"]
    assert list(costs["random"]) == [*PURPOSES, "total"], "as in the table"
    # What is submitted last did without the validation.
    document = json.loads(command(*compare, "--submit", "last", "--format=json").out)
    assert document["submit"] == "last"
    purposes = [name for name in PURPOSES if name != "validation"]
    assert list(document["costs"]["random"]) == [*purposes, "total"]
    for spent in (costs["random"], *document["costs"].values()):
        assert spent["solvers"]["evaluations"] == 96
        parts = [name for name in PURPOSES if name in spent]
        for key in ("evaluations", "nodes", "seconds"):
            total = sum(spent[name][key] for name in parts)
            assert total == pytest.approx(spent["total"][key])
    told = command(*compare, "--submit", "last").out
    assert "each run is measured by the candidate of its last generation" in told
    assert "validation" not in {row[2] for row in table(told) if len(row) > 2}
    assert "Validation is left out" in told
