"""What befalls workers is named; ``test_worker_faults`` does it to real processes and clusters."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import job_table
from distributed import KilledWorker
from run_folders import ONE, same
from test_evaluation import tasks
from toy_game import Toy

from gafreecell.runs.run import evolve, resume
from gafreecell.solving.contract import GameError
from gafreecell.solving.games import UNSAVED
from gafreecell.solving.outcome import Outcome, Task
from gafreecell.solving.stopping import STOPPING, StopToken
from gafreecell.workers import evaluation, pools
from gafreecell.workers.cluster import Cluster
from gafreecell.workers.evaluation import Evaluation, Workers, WorkersError
from gafreecell.workers.pools import (
    Futures,
    Pool,
    UnsentError,
    WorkerLost,
    packed,
    perform,
    unpacked,
)


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
    for threads, said in (
        (-2, "has had only paused workers for 60 s: they lack memory"),
        (None, "has not answered for 60 s: see whether it still runs"),
    ):
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


class Given:
    """A future that raises."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def result(self, seconds: float) -> None:
        raise self._error


def test_what_dask_gives_up_is_named() -> None:
    cluster = Cluster(Client(2), "at x", 1)
    with pytest.raises(WorkerLost, match="4 dask workers ended") as lost:
        cluster.result(Given(KilledWorker("task", None, 3)), "piece")  # type: ignore[arg-type]
    assert lost.value.pieces == ["piece"]
    with pytest.raises(WorkersError, match=r"cannot run gafreecell .*No module"):
        cluster.result(Given(ModuleNotFoundError("No module named 'gafreecell'")), "piece")


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
        (3, r"in 5 s, 3 of 16 deals could be tried again alone and ended no worker, so another"),
    ],
)
def test_the_deal_that_ended_a_worker_is_named(
    alone: str | int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tried(work: Any, pieces: Sequence[Any], what: str) -> Any:
        assert [task.deal for [task], _ in pieces] == [*range(17, 33)]
        return (alone, "") if isinstance(alone, int) else (4 if alone else 16, alone)

    monkeypatch.setattr(evaluation, "tried_alone", tried)
    found = Evaluation(Toy(), Losing())
    with pytest.raises(WorkersError, match=f"exit status 7, at the game .*{said}"):
        found.outcomes(tasks(32))
    assert found.computed == 16, "what came before is kept"


@pytest.mark.usefixtures("toy")
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
            resume(folder, workers=Workers(jobs))
        assert "raised by the game 'toy', deal 105: run" in fault.value.__notes__
    resume(folder, workers=ONE)
    same(whole, folder)
