"""Outcomes come back one piece at a time, what came is kept, and what befalls workers is named.

``test_worker_faults`` does to real processes and clusters what is done to plain ones here.
"""

from __future__ import annotations

import ast
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bench import Bench
from conftest import job_table
from deap import base
from distributed import KilledWorker
from joblib.externals.loky import get_reusable_executor
from run_folders import ONE, same
from toy_game import GAME, Toy

from gafreecell.runs.run import evolve, resume
from gafreecell.solving.checksums import sealed
from gafreecell.solving.contract import GameError
from gafreecell.solving.games import UNSAVED
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Search, Status, Task
from gafreecell.solving.stopping import STOPPING, StopToken
from gafreecell.workers import evaluation, pools
from gafreecell.workers.chosen import Workers
from gafreecell.workers.cluster import Cluster
from gafreecell.workers.errors import WorkersError
from gafreecell.workers.evaluation import BATCH, Baseline, Evaluation
from gafreecell.workers.pools import (
    Futures,
    Pool,
    UnsentError,
    WorkerLost,
    packed,
    perform,
    unpacked,
)

pytestmark = pytest.mark.usefixtures("toy")

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


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_moves_within_a_phase(jobs: int) -> None:
    """The last step of the first worker opens the gate, which a bar that waits never would."""
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        if done >= (BATCH if jobs == 1 else 3 * BATCH):
            GATE.set()

    with Workers(jobs).started() as pool:
        work = Evaluation(Gated(), pool, on_progress=progress)
        outcomes = work.outcomes(tasks(4 * BATCH))
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
        work = Evaluation(GAME, pool, on_progress=lambda done, total: seen.append(done))
        first = work.outcomes(tasks(3 * BATCH))
        work.outcomes(tasks(4 * BATCH))
    assert seen == [0, 16, 32, 48, 48, 64]
    assert first == [outcome.without_moves() for outcome in GAME.run(tasks(3 * BATCH))]


def test_a_map_of_tasks_is_spread_unless_it_is_of_a_function_of_ones_own() -> None:
    given, here = tasks(3 * BATCH), list[Task]()

    def own(task: Task) -> Outcome:
        here.append(task)
        return replace(work.evaluate(task), seconds=77.0)

    with Workers(2).started() as pool:
        work = Evaluation(GAME, pool)
        toolbox = base.Toolbox()
        toolbox.register("evaluate", work.evaluate)
        plain = [one.without_moves() for one in GAME.run(given)]
        assert work.map(toolbox.evaluate, given) == work.map(work.evaluate, given) == plain
        assert work.computed == len(given)
        assert [work.evaluate(task) for task in given] == plain
        assert work.map(own, given) == [replace(one, seconds=77.0) for one in plain]
        assert here == given and work.computed == len(given)


def test_an_interrupted_phase_keeps_what_had_come_back() -> None:
    def progress(done: int, total: int) -> None:
        if done == 2 * BATCH:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Workers(1).started() as pool:
        work = Evaluation(GAME, pool, on_progress=progress)
        work.outcomes(tasks(4 * BATCH))
    assert work.computed == 2 * BATCH
    with Workers(1).started() as pool:
        work.pool, work.on_progress = pool, lambda done, total: None
        work.outcomes(tasks(4 * BATCH))
    assert work.computed == 4 * BATCH


@pytest.mark.usefixtures("cache")
def test_an_interrupted_baseline_keeps_what_had_come_back() -> None:
    BROKEN.set()
    GATE.set()

    def baseline(work: Evaluation) -> Baseline:
        return Baseline(work, WEIGHTS, Search("think"), Limits(1000))

    deals = range(1, 4 * BATCH + 1)
    with pytest.raises(RuntimeError), Workers(1).started() as pool:
        baseline(Evaluation(Gated(), pool)).outcomes(deals)
    BROKEN.clear()
    with Workers(1).started() as pool:
        work = Evaluation(Gated(), pool)
        assert len(baseline(work).outcomes(deals)) == len(deals)
        assert work.computed == 3 * BATCH


@dataclass(frozen=True)
class Partial(Toy):
    """Counts what searches with partial expansion do."""

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        return [replace(one, nodes=replace(one.nodes, scored=77)) for one in super().run(tasks)]


@pytest.mark.usefixtures("cache")
def test_a_baseline_is_the_same_whether_the_cache_had_it() -> None:
    found = []
    for _ in range(2):
        with Workers(1).started() as pool:
            baseline = Baseline(Evaluation(Partial(), pool), WEIGHTS, Search("think"), Limits(1000))
            found.append(baseline.outcomes(range(1, 9)))
    assert found[0] == found[1]


# What is remembered, and who works


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


def test_the_baseline_is_kept_between_runs_and_made_again_when_damaged(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = Bench().baseline(range(1, 20))
    (kept,) = (cache / "baselines").iterdir()
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


def test_the_baselines_of_different_searches_are_kept_apart(cache: Path) -> None:
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
    assert len(list((cache / "baselines").iterdir())) == 6


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
    words = [sys.executable, "-c", OWN_GLOBALS]
    out = subprocess.check_output(words, cwd=tmp_path, text=True)
    counts = [ast.literal_eval(line) for line in out.splitlines()]
    (once,) = counts[0]
    assert counts == [{once}, {10 * once}, {100 * once}]


# What befalls workers


class Locked(Exception):
    """It cannot be pickled."""

    def __init__(self) -> None:
        super().__init__("locked")
        self.lock = threading.Lock()


class Two(Exception):
    """It can be pickled, but not unpickled."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def failing(error: BaseException) -> Any:
    def work(piece: Any) -> None:
        if piece == "loud":
            error.add_note("a note")
        raise error

    return work


@pytest.mark.parametrize("error", [ValueError("plain"), SystemExit(3), WorkersError("ours")])
def test_what_work_raises_elsewhere_is_raised_here(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught:
        unpacked(perform(packed(failing(error), "it"), pickle.dumps("loud")))
    assert str(caught.value) == str(error)
    assert caught.value.__notes__ == ["a note"]
    assert "in work" in str(caught.value.__cause__), "with the traceback of the other process"


@pytest.mark.parametrize("kind", [Locked, Two])
def test_what_cannot_be_pickled_is_raised_in_words(kind: Any) -> None:
    def work(piece: Any) -> None:
        error = kind(*(() if kind is Locked else (1, 2)))
        error.add_note("raised by the game")
        raise error

    with pytest.raises(UnsentError, match=rf"{kind.__name__}: (locked|1 and 2)") as caught:
        unpacked(perform(packed(work, "it"), pickle.dumps(1)))
    assert caught.value.__notes__ == ["raised by the game"]
    assert "Traceback" in str(caught.value.__cause__)


def test_work_that_cannot_be_sent_or_loaded_is_named() -> None:
    lock = threading.Lock()
    with pytest.raises(WorkersError, match=r"the game 'x' cannot be sent .*'_thread.lock'"):
        packed(lambda piece: lock, "the game 'x'")
    unknown = pickle.dumps(("the game 'x'", "name", b"cno_such_module\nGAME\n."))
    with pytest.raises(WorkersError, match=r"the game 'x' cannot be loaded .*'no_such_module'"):
        unpacked(perform(unknown, pickle.dumps(1)))


class Client:
    """A client of dask, as far as it is asked how the cluster is.

    Args:
        threads: of the only worker at each look; below 0 it is paused, None if nothing answers.
    """

    status = "running"
    scheduler = SimpleNamespace(identity=None)

    def __init__(self, *threads: int | None) -> None:
        self.threads = list(threads)

    def sync(self, asked: None, callback_timeout: float) -> dict[str, Any]:
        now = self.threads.pop(0)
        if now is None:
            raise TimeoutError
        told = {"nthreads": abs(now), "status": "running" if now > 0 else "paused"}
        return {"workers": {f"tcp://{abs(now)}": told} if now else {}}


def test_a_cluster_without_workers_is_not_waited_for() -> None:
    cluster = Cluster(Client(0, 0, 2, 0, 0), "at x", 60)
    cluster.look()
    cluster.look()
    assert cluster.room == 4, "they came late"
    cluster.look()
    cluster._seen -= 61
    with pytest.raises(WorkerLost, match="at x has had no worker for 60 s"):
        cluster.look()
    cluster = Cluster(Client(0, 0), "at x", 60)
    cluster._seen -= 61
    with pytest.raises(WorkersError, match=r"at x has had no worker .*dask worker ADDRESS.*--wait"):
        cluster.look()
    paused = "has had only paused workers for 60 s: they lack memory"
    silent = "has not answered for 60 s: see whether it still runs"
    for threads, said in ((-2, paused), (None, silent)):
        cluster = Cluster(Client(2, threads, threads), "at x", 60)
        cluster.look()
        cluster._seen -= 61
        with pytest.raises(WorkersError, match=f"the dask scheduler at x {said}"):
            cluster.look()
    cluster._client.status = "closed"
    with pytest.raises(WorkersError, match="at x has gone"):
        cluster.look()


def test_a_worker_that_ended_is_noticed_now_and_then() -> None:
    cluster = Cluster(Client(2, -2, 2, 3, 2, 4), "at x", 60)
    assert [cluster.look() for _ in range(4)] == [False, False, True, False], "not one that pauses"
    cluster._tried -= 61
    assert cluster.look()


def failed(error: Exception) -> Any:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future


def test_what_dask_gives_up_is_named() -> None:
    cluster = Cluster(Client(2), "at x", 1)
    with pytest.raises(WorkerLost, match="4 dask workers ended") as lost:
        cluster.result(failed(KilledWorker("task", None, 3)), "piece")  # type: ignore[arg-type]
    assert lost.value.pieces == ["piece"]
    with pytest.raises(WorkersError, match=r"cannot run gafreecell .*No module"):
        cluster.result(failed(ModuleNotFoundError("No module named 'gafreecell'")), "piece")


class Instant(Futures):
    """Two workers that are done at once; the third piece ends one."""

    room = 2

    def __init__(self) -> None:
        self.aborted: list[Any] = []

    def submit(self, packed: Any, piece: Any) -> Any:
        future: Future[Any] = Future()
        future.set_result(piece)
        return future

    def result(self, future: Any, piece: Any) -> Any:
        if piece == 3:
            raise WorkerLost("it ended", [piece])
        return 10 * future.result()

    def abort(self, call: StopToken, futures: Sequence[Any]) -> None:
        assert call.is_set()
        self.aborted = [future.result() for future in futures]


def test_pieces_are_handed_out_as_workers_get_free_and_dropped_at_the_end() -> None:
    taken: list[int] = []

    def pieces() -> Iterator[int]:
        for piece in (1, 2, 4, 5, 3, 6, 7):
            taken.append(piece)
            yield piece

    pool = Instant()
    results = pool(StopToken(), max, pieces(), "it", "")
    assert next(results) == (1, 10)
    assert taken == [1, 2]
    with pytest.raises(WorkerLost) as lost:
        list(results)
    assert lost.value.pieces == [3, 6], "the likelier one first"
    assert pool.aborted == [3, 6]
    left = pool(StopToken(), max, pieces(), "it", "")
    assert next(left) == (1, 10)
    left.close()
    assert pool.aborted == [2]


def test_ctrl_c_as_the_first_piece_is_handed_out_ends_the_workers() -> None:
    class Pressed(Instant):
        ended = False

        def submit(self, packed: Any, piece: Any) -> Any:
            raise KeyboardInterrupt

        def abort(self, call: StopToken, futures: Sequence[Any]) -> None:
            self.ended = call.is_set()

    pool = Pressed()
    with pytest.raises(KeyboardInterrupt):
        list(pool(StopToken(), max, [1], "it", ""))
    assert pool.ended


def test_workers_with_another_engine_are_refused() -> None:
    piece = (tasks(2), False)
    with pytest.raises(WorkersError, match=r"'toy' of a worker on .* has the engine .*, not old: "):
        evaluation._solve(Toy(), "old", piece)
    assert len(evaluation._solve(Toy(), f"{UNSAVED}1", piece)) == 2, "which is another everywhere"
    # A class that was sent by value has its methods with it, but not its file.
    sent = type("Sent", (Toy,), {"__module__": "elsewhere"})
    assert len(evaluation._solve(sent(), "old", piece)) == 2


def test_workers_that_start_are_deaf_until_they_ignore_signals() -> None:
    class Executor:
        def submit(self, function: Any) -> Any:
            return signal.pthread_sigmask(signal.SIG_BLOCK, [])

    assert {*STOPPING} <= pools._submitted(Executor(), max)
    assert not {*STOPPING} & signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_what_removes_a_variable_is_not_hidden_as_workers_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    with pytest.raises(ZeroDivisionError), Workers(1, "loky").started():
        del os.environ["PYTHONSAFEPATH"]
        raise ZeroDivisionError


class Losing(Pool):
    """A pool whose worker ends at its second piece."""

    def __call__(
        self, call: StopToken, work: Any, pieces: Iterable[Any], what: str, engine: str
    ) -> Generator[tuple[Any, Any], None, None]:
        first, second = list(pieces)
        yield first, work(first)
        raise WorkerLost("a worker process ended with exit status 7", [second])


@pytest.mark.parametrize(
    ("alone", "said"),
    [
        ("a worker process ended with exit status 7", r"deal 20 \(and again when tried alone\)"),
        ("a worker process was ended by SIGSEGV", r"deal 20 \(a worker .* SIGSEGV when tried"),
        (
            "",
            r"'toy' \(deal 17, deal 18.*\): .*none of these .* someone ended it, or memory ran",
        ),
        (3, r"in 5 s, only 3 of 16 deals could be tried again alone, and none of these"),
    ],
)
def test_the_deal_that_ended_a_worker_is_named(
    alone: str | int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tried(work: Any, pieces: Sequence[Any], what: str) -> Any:
        assert [task.deal for [task], _ in pieces] == [*range(17, 33)]
        return (alone, "") if isinstance(alone, int) else (4 if alone else 16, alone)

    monkeypatch.setattr(pools, "tried_alone", tried)
    found = Evaluation(Toy(), Losing())
    with pytest.raises(WorkersError, match=f"exit status 7, at the game .*{said}"):
        found.outcomes(tasks(32))
    assert found.computed == 16, "what came before is kept"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_leaves_is_named_with_the_deal_and_the_run_goes_on(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, error = Toy.run, SystemExit("enough")
    whole = evolve(job_table(generations=1), tmp_path / "whole", ONE).folder
    folder = tmp_path / "left"

    def run(self: Toy, tasks: Sequence[Task]) -> list[Outcome]:
        if any(task.deal == 105 for task in tasks):
            raise error
        return usual(self, tasks)

    with monkeypatch.context() as patched:
        patched.setattr(Toy, "run", run)
        said = r"the game 'toy', deal 105: run called sys.exit\('enough'\): return, or raise"
        with pytest.raises(GameError, match=said) as caught:
            evolve(job_table(generations=1), folder, Workers(jobs))
        assert f"gafreecell resume {folder}" in caught.value.__notes__[0]
        error = ZeroDivisionError()
        with pytest.raises(ZeroDivisionError) as fault:
            resume(folder, jobs=Workers(jobs))
        assert "raised by the game 'toy', deal 105: run" in fault.value.__notes__
    resume(folder, jobs=ONE)
    same(whole, folder)
