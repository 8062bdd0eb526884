"""The hall of fame of a run: the best distinct solvers, by what they made of the validation."""

from __future__ import annotations

import json
import shutil
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import job_table
from deap import base, tools
from hypothesis import given
from hypothesis import strategies as st
from run_folders import ONE, put_state, same, state_of, write_job
from toy_game import nodes_needed

from gafreecell.evolution import validation
from gafreecell.evolution.job import JobError
from gafreecell.evolution.validation import Champion
from gafreecell.runs import hall_of_fame
from gafreecell.runs.record import Run
from gafreecell.runs.run import evolve, load, resume
from gafreecell.solving.checksums import NO_LINES

pytestmark = pytest.mark.usefixtures("toy")
VARIED = job_table(trainer="random", generations=9)
"""The best of a generation is another one every time."""


@pytest.fixture
def varied(tmp_path: Path) -> Path:
    """A run with several solvers in its hall of fame."""
    return evolve(VARIED, tmp_path / "varied", ONE, generations=4).folder


class _Value(base.Fitness):  # type: ignore[misc]
    weights = (-1.0,)


class _Solver(list):  # type: ignore[type-arg]
    def __init__(self, genes: Any, value: float) -> None:
        super().__init__(genes)
        self.fitness = _Value((value,))


def line(generation: int, gene: float) -> dict[str, Any]:
    champion = value(0, 0.0)
    return {"generation": generation, "best_weights": [gene], "validation": champion}


def value(generation: int, of: float) -> dict[str, Any]:
    return {"generation": generation, "value": of, "solved": 1, "nodes": 1.0}


@given(st.lists(st.integers(0, 30), max_size=40), st.integers(1, 12))
def test_it_holds_what_deaps_holds(drawn: list[int], size: int) -> None:
    """A solver is a number here; its value is one that no other has."""
    values = {solver: float((7 * solver) % 31) for solver in range(31)}
    deaps = tools.HallOfFame(size, similar=np.array_equal)
    for solver in drawn:
        deaps.update([_Solver([float(solver)], values[solver])])
    lines = [line(g, float(solver)) for g, solver in enumerate(drawn, start=1)]
    validated = [value(g, values[solver]) for g, solver in enumerate(drawn, start=1)]
    found = hall_of_fame.members(lines, validated, size)
    assert [list(one.weights) for one in found] == [list(one) for one in deaps]
    assert [drawn.index(one.weights[0]) + 1 for one in found] == [one.generation for one in found]


def test_of_equals_the_earlier_comes_first() -> None:
    lines = [line(g, float(g)) for g in (1, 2, 3)]
    validated = [value(1, 5.0), value(2, 4.0), value(3, 4.0)]
    assert [one.generation for one in hall_of_fame.members(lines, validated, 9)] == [2, 3, 1]


def test_solvers_enter_deaps_hall_of_fame_as_they_are() -> None:
    first, again, better, equal = (
        Champion(number, (gene,), value, 1, 1.0)
        for number, gene, value in [(1, 0.1, 5.0), (2, 0.1, 5.0), (3, 0.3, 4.0), (4, 0.4, 4.0)]
    )
    hall = validation.hall_of_fame(2, [again, first])
    assert isinstance(hall, tools.HallOfFame) and list(hall) == [again], "the same solver"
    hall.update([equal, better, first])
    assert list(hall) == [better, equal]
    assert list(validation.hall_of_fame(1, [equal, better])) == [better]
    assert better.fitness > equal.fitness > first.fitness


def validation_value(weights: Any) -> float:
    """What the job ranks by, worked out by hand."""
    budget = 20_000
    needed = [nodes_needed(deal, weights) for deal in range(101, 121)]
    return sum(n if n <= budget else 20 * budget for n in needed) / len(needed)


def plain_hall(run: Run, size: int) -> list[tuple[float, ...]]:
    bests = dict.fromkeys(tuple(entry["best_weights"]) for entry in run.lines)
    return sorted(bests, key=validation_value)[:size]


def test_a_runs_best_solvers_by_a_plain_computation(tmp_path: Path) -> None:
    run = evolve(VARIED, tmp_path / "r", ONE, hall_of_fame=4)
    assert [one.weights for one in run.hall_of_fame] == plain_hall(run, 4)
    for one in run.hall_of_fame:
        assert one.value == pytest.approx(validation_value(one.weights)) == run.nodes_of(one)
        assert list(one.weights) == run.lines[one.generation - 1]["best_weights"]
    assert run.hall_of_fame[0] == run.best
    assert load(run.folder).hall_of_fame == run.hall_of_fame


def test_a_value_in_nodes_is_the_shifted_geometric_mean(tmp_path: Path) -> None:
    run = evolve({**VARIED, "validation": {"ranking": "log-nodes"}}, tmp_path / "r", ONE)
    needed = [nodes_needed(deal, run.best.weights) for deal in range(101, 121)]
    counted = [n if n <= 20_000 else 20 * 20_000 for n in needed]
    typical = exp(sum(log(n + 300) for n in counted) / len(counted)) - 300
    assert run.nodes_of(run.best) == pytest.approx(typical)
    assert run.best.value == pytest.approx(log(typical + 300))


class Stop:
    """Interrupts a run when a phase comes for the second time."""

    def __init__(self, phase: str) -> None:
        self.phase, self.met = phase, 0

    def on_phase(self, name: str) -> None:
        self.met += name == self.phase
        if self.met == 2:
            raise KeyboardInterrupt


def test_an_interrupted_run_has_the_same_one(tmp_path: Path) -> None:
    whole, folder = evolve(VARIED, tmp_path / "whole", ONE), tmp_path / "r"
    assert len(whole.hall_of_fame) == 9
    evolve(VARIED, folder, ONE, [lambda run, record: record["generation"] == 2])
    for phase in ("solvers", "validation"):
        with pytest.raises(KeyboardInterrupt):
            resume(folder, jobs=ONE, callbacks=[Stop(phase)])
    run = resume(folder, jobs=ONE)
    same(whole.folder, run.folder)
    assert run.hall_of_fame == whole.hall_of_fame


def test_a_run_before_its_first_generation_has_an_empty_one(tmp_path: Path) -> None:
    stop = Stop("solvers")
    stop.met = 1
    with pytest.raises(KeyboardInterrupt):
        evolve(job_table(), tmp_path / "r", ONE, [stop])
    assert load(tmp_path / "r").hall_of_fame == []


def test_whatever_a_kill_leaves_beyond_the_state_shows_nowhere(whole: Path, broken: Path) -> None:
    """The state is written last: what the file holds beyond it is done again."""
    values, before = (whole / "validation.jsonl").read_bytes(), load(broken)
    kept = (broken / "validation.jsonl").read_bytes()
    fourth = values.splitlines(keepends=True)[3]
    tails = (fourth[:9], fourth[:-1], b"\n", b"\0" * 100, b"nothing of ours\n", b"\xff\n", fourth)
    for tail in tails:
        (broken / "validation.jsonl").write_bytes(kept + tail)
        assert load(broken) == before, tail
    for tail in tails[1:4]:
        (broken / "validation.jsonl").write_bytes(kept + tail)
        folder = Path(shutil.copytree(broken, broken.with_name("copy"), dirs_exist_ok=True))
        run = resume(folder, jobs=ONE)
        same(whole, folder)
        assert run.hall_of_fame == load(whole).hall_of_fame
        shutil.rmtree(folder)


def test_without_the_file_it_holds_those_that_were_best_until_then(tmp_path: Path) -> None:
    """As that of some reference runs, whose logs tell the values of champions alone."""
    whole = evolve(VARIED, tmp_path / "whole", ONE)
    older = evolve(VARIED, tmp_path / "r", ONE, [lambda run, record: run.generation == 5]).folder
    (older / "validation.jsonl").unlink()
    state = state_of(older)
    put_state(older, {**state, "logs": {**state["logs"], "validation": NO_LINES}})
    champions = {entry["validation"]["generation"] for entry in load(older).lines}
    assert 1 < len(champions) < 5
    found = load(older).hall_of_fame
    assert found == [one for one in whole.hall_of_fame if one.generation in champions]
    run = resume(older, jobs=ONE)
    same(whole.folder, older, values=False)
    known = champions | {6, 7, 8, 9}
    assert run.hall_of_fame == [one for one in whole.hall_of_fame if one.generation in known]
    assert load(older).hall_of_fame == run.hall_of_fame


def test_its_size_is_a_key_that_may_be_changed_at_any_time(varied: Path, tmp_path: Path) -> None:
    whole = varied
    assert "hall_of_fame = 10\n" in (whole / "job.toml").read_text()
    everyone = load(whole).hall_of_fame
    assert len(everyone) == 4
    text = (whole / "job.toml").read_text()
    (whole / "job.toml").write_text(text.replace("hall_of_fame = 10", "hall_of_fame = 2"))
    assert load(whole).hall_of_fame == everyone[:2]
    for wrong in (0, "many"):
        with pytest.raises(JobError, match="hall_of_fame must be"):
            evolve(write_job(tmp_path, hall_of_fame=wrong), tmp_path / "x", ONE)


def test_solvers_of_it_become_weights_as_the_best_does(varied: Path) -> None:
    run = load(varied)
    assert run.weights_of(run.best) == run.weights
    second = run.hall_of_fame[1]
    weights = run.weights_of(second)
    assert weights.evaluator is not None
    assert weights.evaluator.weights == second.weights
    assert weights.provenance["generation"] == second.generation
    assert (weights.search, weights.limits) == (run.weights.search, run.weights.limits)


def test_a_values_file_of_someone_elses_is_kept(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "validation.jsonl").write_text('{"theirs": true}\n')
    evolve(job_table(), folder, ONE)
    same(whole, folder)
    assert json.loads((folder / "validation.jsonl.before").read_text()) == {"theirs": True}
