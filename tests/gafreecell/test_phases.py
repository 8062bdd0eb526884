"""Jobs that train a phase of a schedule behind phases that were trained before."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, as_toml
from run_folders import ONE, same

from gafreecell import evolve
from gafreecell.evolution.job import EarlierPhase, Job, JobError, job_text
from gafreecell.evolution.job_reading import make_job, parse_job, read_job
from gafreecell.evolution.loop import Evolution
from gafreecell.figures import Score, progress_data
from gafreecell.runs.run import load, resume
from gafreecell.solving.outcome import (
    BEST_FIRST,
    DEPTH_IN_TURN,
    Evaluator,
    Limits,
    Phase,
    Search,
    Status,
)
from gafreecell.solving.weights import Weights, read_weights
from gafreecell.workers.evaluation import Evaluation
from hsd import solver


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache, but for kernels."""
    folder = tmp_path / "cache"
    monkeypatch.setattr("gafreecell.workers.evaluation.cache_directory", lambda: folder)
    return folder


ONE_SUM = {"NotPlaced": 1.0, "AboveNext": 0.25}
TWO_SUM = {"SequenceBreaks": 0.75, "BreaksRun": 0.5, "NotPlaced": 0.125}
PHASES: dict[str, dict[str, Any]] = {
    "quick": {"nodes": 90, "weights": ONE_SUM},
    "wide": {"nodes": 120, "rule": DEPTH_IN_TURN, "weights": TWO_SUM},
}
TRAIN, VALIDATION = range(1, 41), range(41, 61)


def table(**changes: Any) -> dict[str, Any]:
    """A small job of FreeCell; ``trained={...}`` and such replace single keys."""
    whole: dict[str, Any] = {
        "name": "third",
        "generations": 3,
        "scheme": "resampled",
        "trainer": "cma-es",
        "trained": {
            "search": "schedule",
            "features": ["NotPlaced", "OwnSuitBelow", "BreaksRun"],
            "parameters": {"rule": DEPTH_IN_TURN},
            "nodes": 300,
        },
        "solvers": {"population": 4},
        "sample": {"deals": 5},
        "fitness": {"measure": "cost-per-solved", "scoring": 0.1, "length": 0.5},
        "deals": {"train": "1-40", "validation": "41-60"},
        "validation": {"ranking": "cost-per-solved", "scoring": 0.1, "length": 0.5},
        "phases": PHASES,
    }
    for key, value in changes.items():
        both = isinstance(value, dict) and key != "phases"
        whole[key] = {**whole.get(key, {}), **value} if both else value
    return whole


def linear(weights: Mapping[str, float]) -> Evaluator:
    return Evaluator(tuple(weights), tuple(weights.values()))


def weights_file(path: Path, evaluator: Evaluator | None, **parameters: Any) -> Path:
    path.parent.mkdir(exist_ok=True)
    search = Search("schedule", parameters)
    Weights("freecell", {"cascades": 8, "cells": 4}, evaluator, search).write(path)
    return path


def refusal(given: Mapping[str, Any]) -> str:
    with pytest.raises(JobError) as caught:
        make_job(given)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


# ------------------------------------------------------------------ reading and writing


def test_files_are_read_relative_to_the_job(tmp_path: Path, monkeypatch: Any) -> None:
    """Weights and rule of one sum; of a schedule those of its last phase."""
    weights_file(tmp_path / "one" / "best.json", linear(TWO_SUM), rule=DEPTH_IN_TURN)
    features = ("AboveNext", "CellsUsed", "MovesMade")
    rows = (0.5, 0.0, 0.25, 1.0, -0.5, 0.0)
    schedule = Evaluator(features, rows, (Phase(50, DEPTH_IN_TURN), Phase()))
    weights_file(tmp_path / "two" / "best.json", schedule, rule=DEPTH_IN_TURN)
    (tmp_path / "jobs").mkdir()
    path = tmp_path / "jobs" / "third.toml"
    phases = {
        "a": {"nodes": 30, "file": "../one/best.json"},
        "b": {"nodes": 40, "file": "../two/best.json"},
        "c": {"nodes": 50, "rule": BEST_FIRST, "file": str(tmp_path / "one" / "best.json")},
    }
    path.write_text(as_toml(table(phases=phases)))
    monkeypatch.chdir(tmp_path / "two")
    read = read_job(path)
    a, b, c = read.phases.values()
    assert a == EarlierPhase(30, DEPTH_IN_TURN, TWO_SUM, "../one/best.json")
    # A weight of zero is left out: the other phases have it.
    assert b == EarlierPhase(40, BEST_FIRST, {"AboveNext": 1.0, "CellsUsed": -0.5}, b.file)
    assert (c.rule, c.weights) == (BEST_FIRST, TWO_SUM), "what the job says goes first"

    # Written back whole, it needs no files any more.
    text = job_text(read)
    shutil.rmtree(tmp_path / "one")
    shutil.rmtree(tmp_path / "two")
    again = parse_job(text, str(tmp_path / "elsewhere" / "job.toml"))
    assert again == read
    assert again.digest == read.digest
    assert job_text(again) == text


def test_a_mapping_has_its_files_where_the_process_is(tmp_path: Path, monkeypatch: Any) -> None:
    weights_file(tmp_path / "one.json", linear(ONE_SUM))
    monkeypatch.chdir(tmp_path)
    phases = {"a": {"nodes": 30, "file": "one.json"}}
    assert make_job(table(phases=phases)).phases["a"].weights == ONE_SUM


def test_phases_are_written_back_in_their_order() -> None:
    for phases in (PHASES, dict(reversed(PHASES.items()))):
        job = make_job(table(phases=phases))
        again = parse_job(job_text(job), "job.toml")
        assert again == job and list(again.phases) == list(phases)


def test_the_digest_changes_with_each_thing_in_a_phase_and_with_their_order() -> None:
    job = make_job(table())
    quick, wide = job.phases.values()

    def digest(*phases: EarlierPhase) -> str:
        return replace(job, phases={str(i): phase for i, phase in enumerate(phases)}).digest

    others = [
        digest(wide, quick),
        digest(quick),
        digest(wide),
        digest(),
        digest(quick, wide, wide),
        digest(replace(quick, nodes=91), wide),
        digest(quick, replace(wide, nodes=121)),
        digest(replace(quick, rule=DEPTH_IN_TURN), wide),
        digest(replace(quick, weights={**ONE_SUM, "AboveNext": 0.3}), wide),
        digest(replace(quick, weights={**ONE_SUM, "CellsUsed": 0.3}), wide),
        digest(replace(quick, weights={"NotPlaced": 1.0}), wide),
    ]
    assert len({job.digest, *others}) == len(others) + 1
    # Their names are for people.
    assert digest(quick, wide) == job.digest


# ------------------------------------------------------------------ what is refused


def test_wrong_phases_are_refused_by_name(tmp_path: Path) -> None:
    cases: list[tuple[Any, str]] = [
        ({"a": {"weights": ONE_SUM}}, "phases.a.nodes is missing"),
        ({"a": {"nodes": 0, "weights": ONE_SUM}}, "phases.a.nodes must be"),
        ({"a": {"nodes": 1.5, "weights": ONE_SUM}}, "phases.a.nodes must be"),
        ({"a": {"nodes": 10}}, "phases.a needs trained weights: give weights, or file"),
        ({"a": {"nodes": 10, "weights": {}}}, "phases.a needs trained weights"),
        ({"a": {"nodes": 10, "weights": {"Luck": 1.0}}}, "phases.a.weights: 'Luck' is not one of"),
        ({"a": {"nodes": 10, "weights": {"HSDH": 1.0}}}, "phases.a: the search schedule cannot"),
        ({"a": {"nodes": 10, "weights": {"AboveNext": "1"}}}, "phases.a.weights.AboveNext must be"),
        ({"a": {"nodes": 10, "weights": {"AboveNext": True}}}, "phases.a.weights.AboveNext must"),
        ({"a": {"nodes": 10, "weights": {"AboveNext": float("nan")}}}, "phases.a.weights.AboveN"),
        ({"a": {"nodes": 10, "weights": {"AboveNext": float("inf")}}}, "phases.a.weights.AboveN"),
        ({"a": {"nodes": 10, "weights": {"AboveNext": 10**400}}}, "phases.a.weights.AboveNext"),
        ({"a": {"nodes": 10, "weights": [1.0]}}, "phases.a.weights must be a table"),
        ({"a": {"nodes": 10, "weights": ONE_SUM, "rule": "any"}}, "phases.a.rule must be"),
        ({"a": {"nodes": 10, "weights": ONE_SUM, "speed": 3}}, "phases.a.speed"),
        ({"a": {"nodes": 10, "file": 5}}, "phases.a.file must be the path of a file, got 5"),
        ({"a": {"nodes": 10, "file": "absent.json"}}, "phases.a.file: "),
        ({"a": 3}, "phases.a must be a table"),
        (3, "phases must be a table"),
    ]
    for phases, expected in cases:
        message = refusal(table(phases=phases))
        assert message.startswith(expected), message


def test_files_that_do_not_serve_are_refused(tmp_path: Path) -> None:
    good = table(phases={"a": {"nodes": 10, "file": "weights.json"}})
    weights_file(tmp_path / "weights.json", None)
    with pytest.raises(JobError, match=r"third.toml, line \d+: phases.a.file: .* no weights"):
        parse_job(as_toml(good), str(tmp_path / "third.toml"))
    (tmp_path / "weights.json").write_text("{")
    with pytest.raises(JobError, match=r"phases.a.file: .*weights.json, line 1: not JSON"):
        parse_job(as_toml(good), str(tmp_path / "third.toml"))
    weights_file(tmp_path / "weights.json", linear({"HSDH": 1.0}))
    with pytest.raises(JobError, match=r"phases\.a: the search schedule cannot weigh HSDH"):
        parse_job(as_toml(good), str(tmp_path / "third.toml"))


def test_a_run_folder_has_weights_and_those_of_another_game_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").mkdir()
    weights_file(tmp_path / "run" / "weights" / "best.json", linear(ONE_SUM))
    phases = {"a": {"nodes": 30, "file": "run"}}
    assert make_job(table(phases=phases)).phases["a"].weights == ONE_SUM
    other = Weights("klondike", {}, linear({"Draws": 1.0}), Search("complete"))
    other.write(tmp_path / "other.json")
    message = refusal(table(phases={"a": {"nodes": 30, "file": "other.json"}}))
    assert message.startswith("phases.a.file: other.json: weights for klondike, not for freecell")
    weights_file(tmp_path / "rule.json", linear(ONE_SUM), rule="worst")
    message = refusal(table(phases={"a": {"nodes": 30, "file": "rule.json"}}))
    assert message.startswith("phases.a.file: rule.json: search.parameters.rule must be best-first")


def test_all_features_that_cannot_be_weighed_are_told_at_once_under_their_key() -> None:
    given = ["HSDH", "AboveNext", "DifferenceFromTop"]
    message = refusal(table(trained={"features": given}))
    assert message.startswith(
        "trained.features: the search schedule cannot weigh HSDH (it is not a "
    )
    assert "), DifferenceFromTop (it is" in message and "AboveNext (" not in message
    assert message.endswith("'gafreecell presets --game freecell' lists what each search weighs")
    plain = table()
    del plain["trained"]["features"]
    assert refusal(plain).startswith(
        "trained.features (the job names none, so these are the game's"
    )
    message = refusal(table(trained={"parameters": {"rule": "worst"}}))
    assert message.startswith("trained.parameters: rule must be best-first")


def test_the_jobs_of_the_documents_are_jobs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "train" / "schedules.md").read_text(encoding="utf-8")
    a, b = re.findall(r'```toml\n(name = "[ab]".*?)```', page, re.DOTALL)
    first = parse_job(a, str(tmp_path / "a.toml"))
    run = tmp_path / "out" / "a" / "weights"
    run.mkdir(parents=True)
    weights = first.evaluator([0.5] * len(first.trained.features))
    Weights("freecell", {}, weights, first.search).write(run / "best.json")
    second = parse_job(b, str(tmp_path / "b.toml"))
    assert not first.phases and list(second.phases) == ["a"]
    assert second.phases["a"].rule == "best-first" != second.trained.parameters["rule"]


def test_the_line_is_told_though_phases_have_files(tmp_path: Path) -> None:
    """And though the command line changes other keys."""
    weights_file(tmp_path / "one.json", linear(ONE_SUM))
    text = as_toml(table(solvers={"elite": 4}, phases={"a": {"nodes": 10, "file": "one.json"}}))
    with pytest.raises(JobError, match=r"third.toml, line \d+: solvers.elite must be less"):
        parse_job(text, str(tmp_path / "third.toml"), {"seed": 3})


def test_exports_for_searches_without_schedules_are_refused() -> None:
    exports = {"other": {"search": "best-first"}}
    weighed = {"features": ["NotPlaced"]}
    message = refusal(table(exports=exports, trained=weighed))
    assert message == "exports.other: the search best-first takes no schedules"
    assert make_job(table(exports={"other": {"search": "schedule"}}))
    assert make_job(table(exports=exports, trained=weighed, phases={}))


def test_a_pool_that_earlier_phases_solve_is_refused(tmp_path: Path) -> None:
    left = left_of(make_job(table()), TRAIN)
    solved = next(deal for deal in TRAIN if deal not in left)
    for pool in ("train", "validation"):
        given = table(deals={pool: f"{solved}-{solved}"}, sample={"deals": 1})
        with pytest.raises(JobError) as caught:
            evolve(given, tmp_path / "run", ONE)
        assert str(caught.value) == (
            f"deals.{pool}: the earlier phases decide all of 1 deal, so none is left to train "
            "the new phase on: give more deals, or lower limits of phases"
        )


def test_a_sample_larger_than_what_is_left_is_refused(tmp_path: Path) -> None:
    """The whole pool is large enough, what the earlier phases leave is not."""
    left = len(left_of(make_job(table()), TRAIN))
    assert evolve(table(sample={"deals": left}, generations=1), tmp_path / "fits", ONE)
    for scheme in ("resampled", "fixed"):
        given = table(scheme=scheme, sample={"deals": left + 1})
        with pytest.raises(JobError, match=f"leave {left} deals of .*, fewer than the {left + 1} "):
            evolve(given, tmp_path / "run", ONE)
        assert not (tmp_path / "run" / "state.json").exists(), "a larger pool can be given"


# ------------------------------------------------------------------ training


def left_of(job: Job, deals: range) -> list[int]:
    """The deals that none of the earlier phases solves, each run by itself."""

    def fails(deal: int, phase: EarlierPhase) -> bool:
        search = Search("schedule", {"rule": phase.rule})
        outcome = solver.run(deal, linear(phase.weights), search, Limits(phase.nodes))
        return outcome.status is Status.NODE_LIMIT

    return [deal for deal in deals if all(fails(deal, phase) for phase in job.phases.values())]


def test_training_and_validation_meet_only_deals_that_are_left() -> None:
    job = make_job(table())
    left, held = left_of(job, TRAIN), left_of(job, VALIDATION)
    assert 5 <= len(left) < 35 and 5 <= len(held) < 18
    game = job.load_game()
    with ONE.started() as pool:
        evolution = Evolution(job, Evaluation(game, pool))
        assert list(evolution.parts.setting.pool) == left
        assert list(evolution.validation) == held
        state, met = evolution.found(), set()
        for _ in range(3):
            asked = evolution.ask(state)
            met |= {task.deal for task in asked.tasks}
            # What is trained runs alone, within its own nodes.
            assert {task.limits for task in asked.tasks} == {Limits(300)}
            assert not any(task.evaluator.phases for task in asked.tasks if task.evaluator)
            state, _ = evolution.step(state)
        assert met <= set(left) and len(met) > 4


def test_the_weights_of_the_run_are_the_whole_schedule(tmp_path: Path) -> None:
    weights_file(tmp_path / "one.json", linear(ONE_SUM))
    phases = {"quick": {"nodes": 90, "file": "one.json"}, "wide": PHASES["wide"]}
    path = tmp_path / "third.toml"
    path.write_text(as_toml(table(phases=phases)))
    run = evolve(path, tmp_path / "run", ONE)
    (tmp_path / "one.json").unlink()
    assert "one.json" in path.read_text() and load(run.folder).job == run.job
    best = read_weights(run.folder / "weights" / "best.json")
    assert best.evaluator is not None
    features = ("NotPlaced", "AboveNext", "SequenceBreaks", "BreaksRun", "OwnSuitBelow")
    near, own, breaks = run.best.weights
    assert best.evaluator == Evaluator(
        features,
        (
            *(1.0, 0.25, 0.0, 0.0, 0.0),
            *(0.125, 0.0, 0.75, 0.5, 0.0),
            *(near, 0.0, 0.0, breaks, own),
        ),
        (Phase(90), Phase(120, DEPTH_IN_TURN), Phase(None, DEPTH_IN_TURN)),
    )
    assert best.limits == Limits(90 + 120 + 300), "the last phase has the nodes it was trained with"
    # Behind the others it does what it did alone.
    alone = Search("schedule", {"rule": DEPTH_IN_TURN})
    trained = linear(dict(zip(run.features, run.best.weights, strict=True)))
    solved = 0
    for deal in left_of(run.job, VALIDATION):
        outcome = solver.run(deal, best.evaluator, best.search, best.limits)
        by_itself = solver.run(deal, trained, alone, Limits(300))
        assert (outcome.status, outcome.moves) == (by_itself.status, by_itself.moves)
        assert outcome.nodes.generated == 210 + by_itself.nodes.generated
        solved += outcome.status is Status.SOLVED
    assert solved == run.best.solved


def test_an_interrupted_run_resumes_to_the_same_bits(tmp_path: Path) -> None:
    whole = evolve(table(), tmp_path / "whole", ONE)
    evolve(table(generations=1), tmp_path / "parts", ONE)
    for total in (2, 3):
        resume(tmp_path / "parts", total, ONE)
    same(whole.folder, tmp_path / "parts")
    other = evolve(table(scheme="fixed", trainer="genetic"), tmp_path / "fixed", ONE)
    evolve(table(scheme="fixed", trainer="genetic", generations=1), tmp_path / "cut", ONE)
    resume(tmp_path / "cut", 3, ONE)
    same(other.folder, tmp_path / "cut")
    state = json.loads((whole.folder / "state.json").read_text())
    assert state["generation"] == 3


def test_the_progress_figure_measures_whole_schedules(tmp_path: Path) -> None:
    run = evolve(table(generations=1), tmp_path / "run", ONE)
    best, deals = run.weights, range(61, 91)
    data = progress_data(run, deals, ONE)
    outcomes = [solver.run(deal, best.evaluator, best.search, best.limits) for deal in deals]
    ((champion,),) = [course.champions for course in data.courses]
    assert champion == Score.of(outcomes, 90 + 120 + 300)
    # What it is compared with is the schedule as it was before.
    (level,) = data.levels
    earlier, _ = run.job.earlier()
    outcomes = [solver.run(deal, earlier, best.search, best.limits) for deal in deals]
    assert level.score == Score.of(outcomes, 90 + 120 + 300) != champion
    assert level.rival.name == "without the new phase: wide goes on"
    assert data.limits == "schedule up to 510 nodes a deal, earlier phases included"
