"""Jobs driven from outside: the black box, and trainers asked and told."""

from __future__ import annotations

import json
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import job_table
from run_folders import ONE, state_of
from toy_game import nodes_needed

import gafreecell
from deals.errors import BadInput
from gafreecell import AskTell, BlackBox
from gafreecell.solitaire.game import game

RELATIVE = {"measure": "relative"}
JOBS: dict[str, dict[str, Any]] = {
    "coevolution": job_table(),
    "cma-es": job_table(trainer="cma-es", scheme="resampled", fitness=RELATIVE),
    "informative": job_table(scheme="informative", fitness=RELATIVE),
    "nsga-ii": job_table(trainer="nsga-ii", scheme="resampled", fitness={"measure": "log-nodes"}),
    "random": job_table(trainer="random", scheme="fixed"),
    "virulence": job_table(problems={"virulence": 0.75, "encounters": "shared", "every": 1}),
}


RULES = {
    "name": "rules",
    "generations": 1,
    "trainer": "cma-es",
    "scheme": "resampled",
    "trained": {"search": "best-first", "nodes": 100},
    "fitness": RELATIVE,
    "rules": {"count": 2, "structure": "drawn"},
}


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("name", JOBS)
def test_told_what_a_run_finds_it_asks_for_the_same_solvers(name: str, tmp_path: Path) -> None:
    run = gafreecell.evolve(JOBS[name], tmp_path / "r", ONE)
    box, driven = BlackBox(JOBS[name]), AskTell(JOBS[name])
    for line in run.lines:
        # Saved and restored before each step, as JSON.
        driven = AskTell(JOBS[name], json.loads(json.dumps(driven.state())))
        asked = driven.ask()
        assert asked == driven.ask()
        told = [box.outcomes(one.weights, one.deals) for one in asked]
        best = driven.tell(told)
        if run.job.validation.candidate == "trainer":
            assert list(best) == line["best_weights"]
    kept, state = driven.state(), state_of(run.folder)
    assert kept["generation"] == run.generation == driven.generation
    assert (kept["trainer"], kept["scheme"]) == (state["trainer"], state["scheme"])
    assert kept["job"] == state["job"]
    # The state that was given away is not the one that it goes on from.
    kept["trainer"].clear()
    assert driven.state() != kept
    assert box.spent.evaluations == sum(line["evaluations"] for line in run.lines)
    assert box.spent.nodes == sum(line["nodes"] for line in run.lines)


@pytest.mark.usefixtures("toy")
def test_costs_of_ones_own_can_be_told() -> None:
    job = job_table(trainer="cma-es", scheme="resampled", fitness=RELATIVE, generations=60)
    driven = AskTell(job, solvers={"population": 12})
    aim = np.array([0.6, 0.4, 0.8])
    for _ in range(60):
        asked = driven.ask()
        costs = [[10 + float(((aim - one.weights) ** 2).sum())] * len(one.deals) for one in asked]
        best = driven.tell(costs)
    assert np.abs(aim - best).max() < 0.05
    weights = driven.weights(best)
    assert weights.evaluator and weights.evaluator.weights == best
    assert weights.provenance["job"] == driven.job.digest


@pytest.mark.usefixtures("toy")
def test_a_black_box_gives_the_costs_that_rank_champions() -> None:
    rank = {"ranking": "log-nodes", "failure": 7.0}
    with BlackBox(job_table(validation=rank), trained={"nodes": 3000}) as box:
        vector, deals = [0.9, 0.1, 0.9], [10, 12, 14, 20]
        needed = [nodes_needed(deal, vector) for deal in deals]
        assert {one.status.value for one in box.outcomes(vector, deals)} == {"solved", "node-limit"}
        shift = game("toy").scales.nodes
        counted = [n if n <= 3000 else 7 * 3000 for n in needed]
        expected = sum(log(n + shift) for n in counted) / 4
        assert box.cost(vector, deals) == pytest.approx(expected)
        assert exp(expected) > 3000
        assert box.spent.evaluations == 8
        assert [feature.name for feature in box.features] == ["near", "middle", "far"]
        assert box.low.tolist() == [0.0, 0.0, -1.0] and box.high.tolist() == [1.0, 1.0, 2.0]
        assert len(box.training) == 59 and list(box.validation) == [*range(101, 121)]
        drawn = box.sample(12, np.random.default_rng(1))
        assert len({*drawn}) == 12 and {*drawn} <= {*box.training}
        assert drawn == box.sample(12, np.random.default_rng(1))
        several = BlackBox(job_table(validation=rank), 2, trained={"nodes": 3000})
        assert several.cost(vector, deals) == box.cost(vector, deals)
        several.close()
        # Sums may leave a range by a rounding error.
        assert box.cost([1 + 1e-15, 0, 0], deals) > 0
        assert "met" not in box.weights(vector).provenance
        box.cost(vector, np.array([205, 61, 207, 206, 101]))
    made = box.weights(vector)
    assert made.provenance["met"] == ["61-61", "205-207"]
    found = gafreecell.evaluate({"mine": made}, "10-14")
    assert (found.count, found.seen) == (5, {"mine": 4})
    assert gafreecell.evaluate({"mine": made}, "201-210").seen == {"mine": 3}


@pytest.mark.usefixtures("toy")
def test_what_cannot_be_driven_gets_a_sentence() -> None:
    box, driven = BlackBox(job_table()), AskTell(job_table())
    state = driven.state()
    cases: list[tuple[Any, str]] = [
        (lambda: box.cost([0.1], [1]), r"the job 'small' takes 3 finite weights, got \[0.1\]"),
        (lambda: box.cost([0.1, 0.2, float("nan")], [1]), "3 finite weights, got nan"),
        (lambda: box.cost("high", [1]), "3 finite weights, got 'high'"),
        (lambda: box.cost([0.1, 1.2, 0.3], [1]), "got 1.2 for middle, which has 0 to 1"),
        (lambda: box.weights(None), "3 finite weights, got None"),
        (lambda: box.weights([0.1, 0.2, -9]), "got -9.0 for far, which has -1 to 2"),
        (lambda: driven.weights([1j, 0, 0]), "3 finite weights, got 1j"),
        (lambda: box.cost([0.1, 0.2, 0.3], 5), "deals must be a list of numbers and names, got 5"),
        (lambda: box.cost([0.1, 0.2, 0.3], "1-5"), "must be a list of numbers and names"),
        (lambda: box.sample(60, np.random.default_rng(1)), "1 to 59 training deals, got 60"),
        (lambda: box.sample(1.5, np.random.default_rng(1)), "must be a whole number, got 1.5"),
        (lambda: box.sample(2, 1), r"rng must be a numpy.random.Generator, got 1"),
        (lambda: box.cost([0.1, 0.2, 0.3], []), "there are no deals"),
        (lambda: BlackBox(RULES), "takes a job that trains the weights"),
        (lambda: driven.tell([]), "nothing to tell before ask"),
        (lambda: AskTell(job_table(), state, seed=6), "of another job than 'small'"),
        (lambda: AskTell(job_table(), {"generation": 1}), "must be what AskTell.state returned"),
        (lambda: AskTell(job_table(), {**state, "trainer": {}}), "must be what AskTell.state"),
        (lambda: AskTell(job_table(scheme="informative", racing={"rounds": 2})), "racing.rounds"),
        (lambda: BlackBox("none.toml"), "cannot read none.toml"),
    ]
    for call, words in cases:
        with pytest.raises(BadInput, match=words):
            call()
    asked = driven.ask()
    with pytest.raises(BadInput, match="outcomes of 8 solvers, got 1"):
        driven.tell([[1.0]])
    for wrong in (5, [1] * 8, ["x"] * 8):
        with pytest.raises(BadInput, match="outcomes of 8 solvers"):
            driven.tell(wrong)
    short = [[1.0]] * len(asked)
    with pytest.raises(BadInput, match="an outcome for each of 6 deals of a solver, got 1"):
        driven.tell(short)
    for wrong in ("x", -1.0, float("nan")):
        told: Any = [[wrong] * 6] * len(asked)
        with pytest.raises(BadInput, match=r"gafreecell\.Outcome or a finite number of 0 or more"):
            driven.tell(told)
