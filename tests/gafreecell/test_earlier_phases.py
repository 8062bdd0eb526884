"""What earlier phases made of a job's deals is kept, found again, and never stale."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from run_folders import ONE, same
from test_phases import ONE_SUM, PHASES, TRAIN, VALIDATION, cache, left_of, table

from gafreecell import evolve
from gafreecell.cli.evolution import _stopped
from gafreecell.evolution.earlier_phases import EARLIER, EarlierPhases, Tried, validated
from gafreecell.evolution.job import Job
from gafreecell.evolution.job_reading import make_job
from gafreecell.evolution.settings import merged
from gafreecell.runs.run import RunError, load, resume
from gafreecell.solving.outcome import Outcome, Task
from gafreecell.workers.evaluation import Evaluation

__all__ = ["cache"]
BOTH = len(TRAIN) + len(VALIDATION)


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


def tries(job: Job, told: Any = lambda done, total: None, **changes: Any) -> tuple[Any, list[Any]]:
    """What is left of both pools, and which deals had to be solved for that."""
    game: Any = Solving(job)
    vars(game).update(changes)
    with ONE.started() as pool:
        phases = EarlierPhases(job, Evaluation(game, pool, on_progress=told))
        left = phases.left(VALIDATION, "deals.validation"), phases.left(TRAIN, "deals.train")
    return left, game.solved


def test_nothing_is_tried_twice(cache: Path) -> None:
    job = make_job(table())
    told: list[tuple[int, int]] = []
    left, solved = tries(job, lambda done, total: told.append((done, total)))
    assert left == (left_of(job, VALIDATION), left_of(job, TRAIN))
    assert sorted(solved) == [*TRAIN, *VALIDATION]
    assert told == sorted(told) and told[0] == (0, BOTH) and told[-1] == (BOTH, BOTH)

    told.clear()
    assert tries(job, lambda done, total: told.append((done, total))) == (left, [])
    assert {total for _, total in told} == {BOTH} and told[-1] == (BOTH, BOTH)
    # Another pool, another trained phase: only what is new is solved.
    other = make_job(table(deals={"train": "31-43"}, trained={"nodes": 77}))
    with ONE.started() as pool:
        game: Any = Solving(other)
        phases = EarlierPhases(other, Evaluation(game, pool))
        assert phases.left(range(31, 64), "deals.train") == left_of(job, range(31, 64))
    assert game.solved == [61, 62, 63]


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
    for cut in (len(whole) // 4, len(whole) - 2):
        file.write_bytes(whole[:cut])
        found, solved = tries(job)
        assert found == left and solved
        assert tries(job) == (left, []), "the line after the one that was cut off is whole"
    for text in (b"\0\xff", b"[1, 2]\n", b"{}\n5\n", b'{"decided": 1, "left": []}'):
        file.write_bytes(text + whole + b"\n" + whole)
        assert tries(job) == (left, [])
    assert capsys.readouterr().err.count(f"{file} cannot be read") == 1
    # A deal that one changed bit takes out of those left would be missing in the run.
    file.write_bytes(whole.replace(str(left[1][0]).encode(), b"99", 1))
    found, solved = tries(job)
    assert found == left and solved


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
