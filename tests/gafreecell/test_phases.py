"""Jobs that train a phase of a schedule behind earlier ones, and what is kept of these."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, as_toml, written
from run_folders import ONE, same

from gafreecell import evolve
from gafreecell.cli.evolution import _stopped
from gafreecell.evolution.earlier_phases import EARLIER, EarlierPhases, Tried, validated
from gafreecell.evolution.job import EarlierPhase, Job, JobError, job_text
from gafreecell.evolution.job_reading import make_job, parse_job, read_job
from gafreecell.evolution.loop import Evolution
from gafreecell.figures import Score, progress_data
from gafreecell.runs.run import RunError, load, resume
from gafreecell.solving.outcome import (
    BEST_FIRST,
    DEPTH_IN_TURN,
    Evaluator,
    Limits,
    Outcome,
    Phase,
    Search,
    Status,
    Task,
)
from gafreecell.solving.settings import merged
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
BOTH = len(TRAIN) + len(VALIDATION)
BEST = "run/weights/best.json"


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


SCHEDULE = Search("schedule")


def linear(weights: Mapping[str, float]) -> Evaluator:
    return Evaluator(tuple(weights), tuple(weights.values()))


def weights_file(path: Path, evaluator: Evaluator | None, **parameters: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
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
    phases = {
        "a": {"nodes": 30, "file": "../one/best.json"},
        "b": {"nodes": 40, "file": "../two/best.json"},
        "c": {"nodes": 50, "rule": BEST_FIRST, "file": str(tmp_path / "one" / "best.json")},
    }
    path = written(tmp_path / "jobs" / "third.toml", as_toml(table(phases=phases)))
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
    assert (again, again.digest, job_text(again)) == (read, read.digest, text)


@pytest.mark.parametrize(("file", "place"), [("one.json", "one.json"), ("run", BEST)])
def test_a_mapping_has_its_files_or_run_folders_where_the_process_is(
    file: str, place: str, tmp_path: Path, monkeypatch: Any
) -> None:
    weights_file(tmp_path / place, linear(ONE_SUM))
    monkeypatch.chdir(tmp_path)
    assert make_job(table(phases={"a": {"nodes": 30, "file": file}})).phases["a"].weights == ONE_SUM


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


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ({"nodes": None, "weights": ONE_SUM}, ".nodes is missing"),
        ({"nodes": 0, "weights": ONE_SUM}, ".nodes must be"),
        ({"nodes": 1.5, "weights": ONE_SUM}, ".nodes must be"),
        ({}, " needs trained weights: give weights, or file"),
        ({"weights": {}}, " needs trained weights"),
        ({"weights": {"Luck": 1.0}}, ".weights: 'Luck' is not one of"),
        ({"weights": {"HSDH": 1.0}}, ": the search schedule cannot"),
        *[
            ({"weights": {"AboveNext": weight}}, ".weights.AboveNext must be")
            for weight in ("1", True, float("nan"), float("inf"), 10**400)
        ],
        ({"weights": [1.0]}, ".weights must be a table"),
        ({"weights": ONE_SUM, "rule": "any"}, ".rule must be"),
        ({"weights": ONE_SUM, "speed": 3}, ".speed"),
        ({"file": 5}, ".file must be the path of a file, got 5"),
        ({"file": "absent.json"}, ".file: "),
    ],
)
def test_wrong_phases_are_refused_by_name(phase: dict[str, Any], expected: str) -> None:
    given = {key: value for key, value in {"nodes": 10, **phase}.items() if value is not None}
    assert refusal(table(phases={"a": given})).startswith(f"phases.a{expected}")


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (Weights("freecell", {}, None, SCHEDULE), "third.toml, line .*: phases.a.file: .*no weigh"),
        (None, r"phases.a.file: .*weights.json, line 1: not JSON"),
        (Weights("freecell", {}, linear({"HSDH": 1.0}), SCHEDULE), r"phases\.a: the search sched"),
        (
            Weights("klondike", {}, linear({"Draws": 1.0}), Search("complete")),
            r"phases.a.file: .*weights.json: weights for klondike, not for freecell",
        ),
        (
            Weights("freecell", {}, linear(ONE_SUM), Search("schedule", {"rule": "worst"})),
            r"phases.a.file: .*weights.json: search.parameters.rule must be best-first",
        ),
    ],
)
def test_unfit_files_are_refused(weights: Weights | None, said: str, tmp_path: Path) -> None:
    (tmp_path / "weights.json").write_text(weights.to_text() if weights else "{")
    text = as_toml(table(phases={"a": {"nodes": 10, "file": "weights.json"}}))
    with pytest.raises(JobError, match=said):
        parse_job(text, str(tmp_path / "third.toml"))


def test_all_features_that_cannot_be_weighed_are_told_at_once_under_their_key() -> None:
    message = refusal(table(trained={"features": ["HSDH", "AboveNext", "DifferenceFromTop"]}))
    start = "trained.features: the search schedule cannot weigh HSDH (it is not a "
    assert message.startswith(start)
    assert "), DifferenceFromTop (it is" in message and "AboveNext (" not in message
    assert message.endswith("'gafreecell presets --game freecell' lists what each search weighs")
    plain = table()
    del plain["trained"]["features"]
    start = "trained.features (the job names none, so these are the game's"
    assert refusal(plain).startswith(start)
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
        deals = {pool: f"{solved}-{solved}", "overlap": "allowed"}
        given = table(deals=deals, sample={"deals": 1})
        said = f"^deals.{pool}: the earlier phases decide all of 1 deal, so none is left to train "
        with pytest.raises(JobError, match=f"{said}the new phase on: give more deals, or lower"):
            evolve(given, tmp_path / "run", ONE)


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
        state, tasks, solve = evolution.found(), list[Task](), evolution.toolbox.map

        def noted(evaluate: Any, given: list[Task]) -> Any:
            tasks.extend(given)
            return solve(evaluate, given)

        evolution.toolbox.register("map", noted)
        for _ in range(3):
            state, _ = evolution.step(state)
        # What is trained runs alone, within its own nodes.
        assert {task.limits for task in tasks} == {Limits(300)}
        assert not any(task.evaluator.phases for task in tasks if task.evaluator)
        met = {task.deal for task in tasks}
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
    quick, wide = (1.0, 0.25, 0.0, 0.0, 0.0), (0.125, 0.0, 0.75, 0.5, 0.0)
    limits = (Phase(90), Phase(120, DEPTH_IN_TURN), Phase(None, DEPTH_IN_TURN))
    weights = (*quick, *wide, near, 0.0, 0.0, breaks, own)
    assert best.evaluator == Evaluator(features, weights, limits)
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


# ------------------------------------------------------------------ what is kept of them


class Solving:
    """FreeCell, with the deals that it was asked to solve."""

    def __init__(self, job: Job) -> None:
        self._game = job.load_game()
        self.solved: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        self.solved += [task.deal for task in tasks]
        return self._game.run(tasks)


def tries(
    job: Job, told: Any = lambda done, total: None, train: range = TRAIN, **changes: Any
) -> tuple[Any, list[Any]]:
    """What is left of both pools, and which deals had to be solved for that."""
    game: Any = Solving(job)
    vars(game).update(changes)
    with ONE.started() as pool:
        phases = EarlierPhases(job, Evaluation(game, pool, on_progress=told))
        left = phases.left(VALIDATION, "deals.validation"), phases.left(train, "deals.train")
    return left, game.solved


def test_nothing_is_tried_twice(cache: Path) -> None:
    job = make_job(table())
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    left, solved = tries(job, progress)
    assert left == (left_of(job, VALIDATION), left_of(job, TRAIN))
    assert sorted(solved) == [*TRAIN, *VALIDATION]
    assert told == sorted(told) and told[0] == (0, BOTH) and told[-1] == (BOTH, BOTH)
    told.clear()
    assert tries(job, progress) == (left, [])
    assert {total for _, total in told} == {BOTH} and told[-1] == (BOTH, BOTH)
    # Another pool, another trained phase: only what is new is solved.
    deals, more = {"train": "31-43", "overlap": "allowed"}, range(31, 64)
    other = make_job(table(deals=deals, trained={"nodes": 77}))
    assert tries(other, train=more) == ((left[0], left_of(job, more)), [61, 62, 63])


def test_whatever_decides_it_has_a_file_of_its_own(cache: Path) -> None:
    job = make_job(table())
    tries(job)
    quick, wide = PHASES["quick"], PHASES["wide"]
    others = [
        table(phases={"quick": {**quick, "nodes": 91}, "wide": wide}),
        table(phases={"quick": quick, "wide": {**wide, "nodes": 121}}),
        table(phases={"quick": quick, "wide": {**wide, "rule": "best-first"}}),
        table(phases={"quick": {**quick, "weights": {**ONE_SUM, "AboveNext": 0.26}}, "wide": wide}),
        table(phases={"wide": wide, "quick": quick}),
        table(phases={"quick": quick}),
        merged(table(), {"variant": {"cells": 3}}),
        merged(table(), {"trained": {"parameters": {"shorten": "detours"}}}),
    ]
    for other in map(make_job, others):
        assert len(tries(other)[1]) == BOTH
    assert len(tries(job, engine="another")[1]) == BOTH
    assert tries(job, engine="another")[1] == []
    assert len(list((cache / "earlier-phases").iterdir())) == len(others) + 2
    assert tries(job)[1] == []


def test_a_game_whose_engine_nobody_knows_keeps_nothing(cache: Path) -> None:
    job = make_job(table())
    assert tries(job, engine="unsaved-1")[0] == tries(job, engine="unsaved-1")[0]
    assert not cache.exists()


def test_an_interruption_keeps_what_had_come_back(cache: Path) -> None:
    job = make_job(table())

    def told(done: int, total: int) -> None:
        if done > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tries(job, told)
    left, solved = tries(job)
    assert left == (left_of(job, VALIDATION), left_of(job, TRAIN))
    assert 0 < len(solved) < BOTH


def test_a_file_that_was_cut_off_or_written_by_two_is_read(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job = make_job(table())
    left, _ = tries(job)
    (file,) = (cache / "earlier-phases").iterdir()
    whole = file.read_bytes()
    # A deal that one changed bit takes out of those left would be missing in the run.
    changed = whole.replace(str(left[1][0]).encode(), b"99", 1)
    for text in (whole[: len(whole) // 4], whole[:-2], changed):
        file.write_bytes(text)
        found, solved = tries(job)
        assert found == left and solved
        assert tries(job) == (left, []), "the line after the one that was cut off is whole"
    for text in (b"\0\xff", b"[1, 2]\n", b"{}\n5\n", b'{"decided": 1, "left": []}'):
        file.write_bytes(text + whole + b"\n" + whole)
        assert tries(job) == (left, [])
    assert capsys.readouterr().err.count(f"{file} cannot be read") == 1


def test_a_cache_that_cannot_be_written_costs_time_alone(cache: Path) -> None:
    job = make_job(table())
    left, _ = tries(job)
    (file,) = (cache / "earlier-phases").iterdir()
    file.unlink()
    file.mkdir()
    assert tries(job)[0] == left == tries(job)[0]


def test_runs_are_the_same_with_and_without_the_cache(tmp_path: Path, cache: Path) -> None:
    whole = evolve(table(), tmp_path / "whole", ONE)
    again = evolve(table(generations=1), tmp_path / "again", ONE)
    resume(again.folder, 2, ONE)
    for file in (cache / "earlier-phases").iterdir():
        file.unlink()
    seen: list[str] = []

    class Phases:
        def on_phase(self, name: str) -> None:
            seen.append(name)

    resume(again.folder, 3, ONE, Phases())
    same(whole.folder, again.folder)
    assert seen[0] == EARLIER


def test_the_deals_that_are_left_are_told(tmp_path: Path, cache: Path) -> None:
    job = make_job(table())
    assert validated(job, 9) == "9 solved of the deals of 41-60 that the earlier phases leave"
    tries(job)
    left = len(left_of(job, VALIDATION))
    told = f"1,009 solved of the {left} deals of 41-60 that the earlier phases leave"
    assert validated(job, 1009) == told
    assert validated(make_job(table(phases={})), 9) == "9 of the 41-60 deals solved"
    assert 5 not in Tried(make_job(table(phases={"a": PHASES["wide"]})), job.load_game())


def test_stopped_before_it_is_set_up_a_run_says_how_to_begin_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"

    class Stop:
        def on_phase(self, name: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(table(), folder, ONE, Stop())
    assert _stopped(folder, make_job(table()), "gafreecell evolve j.toml") == 130
    told = capsys.readouterr().err
    assert "before" in told and "are kept" in told and "begin again: gafreecell evolve j" in told
    with pytest.raises(RunError, match=r"holds no run yet.* begin again with 'gafreecell evolve "):
        load(folder)
    # What it tells to do works.
    run = evolve(folder / "job.toml", folder, ONE)
    assert run.finished and json.loads((folder / "state.json").read_text())["generation"] == 3
