"""Outcomes come back one piece at a time: progress moves, and what came is kept."""

from __future__ import annotations

import ast
import json
import math
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from bench import Bench
from joblib.externals.loky import get_reusable_executor
from toy_game import GAME, Toy

from gafreecell.solving.checksums import sealed
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Search, Status, Task
from gafreecell.workers.evaluation import BATCH, Baseline, Evaluation, Workers, WorkersError

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


def test_dask_shows_its_state_on_this_machine_alone() -> None:
    from distributed import get_client

    with Workers(1, "dask").started():
        cluster = get_client().cluster
        servers = [cluster.scheduler.http_server]
        servers += [worker.http_server for worker in cluster.workers.values()]
        sockets = [socket for server in servers for socket in server._sockets.values()]
        assert {socket.getsockname()[0] for socket in sockets} == {"127.0.0.1"}


@pytest.mark.long
def test_workers_find_pythons_own_modules_whatever_the_folder_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Workers of an earlier test may wait to be used again.
    get_reusable_executor().shutdown(wait=True)
    for name in ("signal", "random", "socket"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not the one you want')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    with Workers(2, "loky").started() as pool:
        found = Evaluation(GAME, pool).outcomes(tasks(2 * BATCH))
    assert found == [outcome.without_moves() for outcome in GAME.run(tasks(2 * BATCH))]
    assert "PYTHONSAFEPATH" not in os.environ


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


@dataclass(frozen=True)
class Partial(Toy):
    """Counts what searches with partial expansion do."""

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        return [replace(one, nodes=replace(one.nodes, scored=77)) for one in super().run(tasks)]


def test_a_baseline_is_the_same_whether_the_cache_had_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path))
    found = []
    for _ in range(2):
        with Workers(1).started() as pool:
            baseline = Baseline(Evaluation(Partial(), pool), WEIGHTS, Search("think"), Limits(1000))
            found.append(baseline.outcomes(range(1, 9)))
    assert found[0] == found[1]


# What is remembered, and who works


@pytest.mark.usefixtures("toy")
def test_each_distinct_task_is_computed_once() -> None:
    bench = Bench()
    for _ in bench.generations():
        pass
    spy = bench.spy
    assert spy.computed == len(spy._known) < spy.asked
    known = list(spy._known)
    before = spy.computed
    assert spy.outcomes(known + known) == 2 * list(spy._known.values())
    assert spy.computed == before


@pytest.mark.usefixtures("toy")
def test_outcomes_come_in_the_order_of_their_tasks() -> None:
    bench = Bench()
    evaluator = bench.evaluator((0.2, 0.9, 0.5))
    deals = [9, 1, 9, 5, *range(60, 1, -1)]
    tasks = [Task(deal, evaluator, bench.job.search, Limits(5000)) for deal in deals]
    for jobs in (1, 2):
        with Workers(jobs).started() as pool:
            found = Evaluation(bench.job.load_game(), pool).outcomes(tasks)
        assert [o.nodes.generated for o in found[:4]] == [40, 80, 40, 60]
        assert [o.moves for o in found] == [None] * len(deals), "move lists are not kept"
        assert [o.status for o in found].count(Status.NODE_LIMIT) == 1


@pytest.mark.usefixtures("toy")
def test_the_baseline_is_kept_between_runs_and_made_again_when_damaged(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path))
    expected = Bench().baseline(range(1, 20))
    (kept,) = (tmp_path / "baselines").iterdir()
    bench = Bench()
    assert bench.baseline(range(1, 20)) == expected
    assert bench.spy.computed == 0, "it was read from the cache"
    assert capsys.readouterr().err == ""
    whole = kept.read_text()
    other = whole.replace("0,", "1,", 1)
    assert other != whole
    for damage in (other, "", "{", "[]", "null", '{"1": 5}', '{"x": [1]}', "\0", "[" * 50_000):
        kept.write_text(damage)
        assert Bench().baseline(range(1, 20)) == expected, damage
    kept.write_bytes(b"\xff\xfe")
    assert Bench().baseline(range(1, 20)) == expected
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(
        f"{kept} cannot be read (it does not match its checksum), so its content"
    )
    rows = json.loads(whole)["outcomes"]
    for place, wrong in enumerate(([1], "odd", -5, "x", math.inf, None)):
        row = [*rows[0][:place], wrong, *rows[0][place + 1 :]]
        kept.write_text(json.dumps(sealed({"outcomes": [row, *rows[1:]]})))
        assert Bench().baseline(range(1, 20)) == expected


@pytest.mark.usefixtures("toy")
def test_the_baselines_of_different_searches_are_kept_apart(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path))
    benches = [
        Bench(),
        Bench(trained={"nodes": 500}),
        Bench(trained={"parameters": {"effort": 7}}),
        Bench(variant={"slow": 3}),
        Bench(fitness={"weights": {"middle": 1.0}}),
        Bench(fitness={"baseline": "guess"}, trained={"nodes": 5}),
    ]
    counts = [tuple(bench.baseline([1, 2, 3, 4])) for bench in benches]
    assert len({*counts[:5]}) == 5
    assert len(list((tmp_path / "baselines").iterdir())) == 6


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"jobs": 0}, "positive"),
        ({"jobs": -2}, "positive"),
        ({"backend": "mpi"}, "threading, loky, dask"),
        ({"scheduler": "tcp://x:1"}, "dask"),
        ({"wait": 0}, "positive number of seconds"),
        ({"wait": "long"}, "positive number of seconds"),
        ({"wait": float("inf")}, "positive number of seconds"),
    ],
)
def test_workers_that_cannot_be_had(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(WorkersError, match=reason):
        Workers(**options)


OWN_GLOBALS = """
import gafreecell, distributed
FACTOR = 1
class Factor(gafreecell.BaseGame):
    name = "factor"
    features = (gafreecell.Feature("one", "the first", baseline=1.0),)
    training, validation = "1-20", "21-30"
    def deal(self, number): return number
    def solve(self, deal, weights, nodes): return ["a"], FACTOR * (1 + deal)

job = {"name": "m", "generations": 1, "trained": {"search": "solve"}, "solvers": {"population": 2},
       "scheme": "fixed", "sample": {"deals": 4}, "fitness": {"measure": "log-nodes"}}
with distributed.LocalCluster(2, threads_per_worker=1, processes=False,
                              dashboard_address=None) as cluster:
    for FACTOR in (1, 10, 100):
        counts = {
            gafreecell.evolve(job, f"{FACTOR}-{number}", workers, game=Factor).lines[0]["nodes"]
            for number, workers in enumerate([
                gafreecell.Workers(2, "dask"),
                gafreecell.Workers(2, "dask", cluster.scheduler_address),
                gafreecell.Workers(2, "loky"),
                gafreecell.Workers(2),
            ])
        }
        print(counts)
"""


@pytest.mark.long
def test_a_scripts_game_has_its_present_globals_whoever_solves(tmp_path: Path) -> None:
    """Pickled by value and loaded in the same process, its methods would keep the old ones."""
    pytest.importorskip("distributed")
    done = subprocess.run(
        [sys.executable, "-c", OWN_GLOBALS],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    counts = [ast.literal_eval(line) for line in done.stdout.splitlines()]
    (once,) = counts[0]
    assert counts == [{once}, {10 * once}, {100 * once}]
