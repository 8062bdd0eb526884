"""Outcomes come back one piece at a time: progress moves, and what came is kept."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from toy_game import GAME, Toy

from gafreecell.evaluation import BATCH, Baseline, Evaluation, Workers
from solving.outcome import Evaluator, Limits, Outcome, Search, Task

WEIGHTS = Evaluator(("near", "middle", "far"), (1.0, 0.0, 0.0))


def tasks(count: int) -> list[Task]:
    return [Task(deal, WEIGHTS, Search("think"), Limits(1000)) for deal in range(1, count + 1)]


@dataclass(frozen=True)
class Gated(Toy):
    """Its second piece of work waits until it may go on, or fails."""

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        if tasks[0].deal == BATCH + 1:
            assert GATE.wait(20)
            if BROKEN.is_set():
                raise RuntimeError("broken")
        return super().run(tasks)


GATE, BROKEN = threading.Event(), threading.Event()


@pytest.fixture(autouse=True)
def _closed() -> None:
    GATE.clear()
    BROKEN.clear()


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_moves_within_a_phase(jobs: int) -> None:
    """The last step of the first worker opens the gate, which a bar that waits never would."""
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        if done >= (BATCH if jobs == 1 else 3 * BATCH):
            GATE.set()

    with Workers(jobs).started() as pool:
        evaluation = Evaluation(Gated(), pool, on_progress=progress)
        outcomes = evaluation.outcomes(tasks(4 * BATCH))
    assert seen == [(BATCH * i, 4 * BATCH) for i in range(5)]
    # They are in the order of the tasks whatever the order in which they came.
    assert outcomes == [outcome.without_moves() for outcome in GAME.run(tasks(4 * BATCH))]


@pytest.mark.parametrize("backend", ["threading", "loky", "dask"])
def test_every_backend_hands_results_out_as_they_come(backend: str) -> None:
    seen: list[int] = []
    with Workers(2, backend).started() as pool:
        evaluation = Evaluation(GAME, pool, on_progress=lambda done, total: seen.append(done))
        first = evaluation.outcomes(tasks(3 * BATCH))
        evaluation.outcomes(tasks(4 * BATCH))
    assert seen == [0, 16, 32, 48, 48, 64]
    assert first == [outcome.without_moves() for outcome in GAME.run(tasks(3 * BATCH))]


def test_an_interrupted_phase_keeps_what_had_come_back() -> None:
    def progress(done: int, total: int) -> None:
        if done == 2 * BATCH:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Workers(1).started() as pool:
        evaluation = Evaluation(GAME, pool, on_progress=progress)
        evaluation.outcomes(tasks(4 * BATCH))
    assert evaluation.computed == 2 * BATCH
    with Workers(1).started() as pool:
        evaluation.pool, evaluation.on_progress = pool, lambda done, total: None
        evaluation.outcomes(tasks(4 * BATCH))
    assert evaluation.computed == 4 * BATCH


def test_an_interrupted_baseline_keeps_what_had_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path))
    BROKEN.set()
    GATE.set()

    def baseline(evaluation: Evaluation) -> Baseline:
        return Baseline(evaluation, WEIGHTS, Search("think"), Limits(1000))

    problems = range(1, 4 * BATCH + 1)
    with pytest.raises(RuntimeError), Workers(1).started() as pool:
        baseline(Evaluation(Gated(), pool)).outcomes(problems)
    BROKEN.clear()
    with Workers(1).started() as pool:
        evaluation = Evaluation(Gated(), pool)
        assert len(baseline(evaluation).outcomes(problems)) == len(problems)
        assert evaluation.computed == 3 * BATCH
