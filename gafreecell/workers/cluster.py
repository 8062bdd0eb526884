"""Workers of a dask cluster, driven so that whatever befalls them ends the run and is named."""

from __future__ import annotations

import logging
import pickle
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any
from uuid import uuid4

from cloudpickle import dumps
from joblib import cpu_count

from gafreecell.solving import stopping
from gafreecell.solving.stopping import StopToken
from gafreecell.workers.errors import WorkersError
from gafreecell.workers.pools import (
    LOOK_SECONDS,
    Futures,
    Work,
    WorkerLost,
    perform,
    unpacked,
)

CONNECT_SECONDS = 5.0
"""How long a scheduler may take to answer."""
TRIED_EVERY = 60.0
"""Seconds between two trials whether it is the work that ends workers, at least."""
LEAVING_SECONDS = 1.0
"""How long to wait for a cluster to take note that the work has ended."""
_STATUS_PAGES = "127.0.0.1:0"
"""Where dask shows the state of its scheduler and workers: on this machine alone, any port."""


@contextmanager
def connected(jobs: int, scheduler: str | None, wait: float) -> Iterator[Futures]:
    """Workers of a scheduler, or else dask workers in this process.

    Args:
        jobs: number of workers in this process, -1 for one per core.
        scheduler: its address.
        wait: for how many seconds it may have no workers.

    Raises:
        WorkersError: if dask is not installed, or no scheduler answers.
    """
    try:
        import distributed
    except ImportError:
        raise WorkersError(
            "the backend dask needs the extra: pip install 'gafreecell[cluster]'"
        ) from None
    dask: Any = distributed
    if scheduler is None:
        # Workers are threads: kernels release the GIL, and threads stop on Ctrl-C.
        cluster = dask.LocalCluster(
            n_workers=cpu_count() if jobs == -1 else jobs,
            threads_per_worker=1,
            processes=False,
            dashboard_address=_STATUS_PAGES,
            worker_dashboard_address=_STATUS_PAGES,
        )
        with _closing(cluster.close, cluster), _closing((client := dask.Client(cluster)).close):
            yield Here(client, "in this process", wait)
        return
    client = _client(dask, scheduler, min(wait, CONNECT_SECONDS))
    with _closing(client.close):
        yield Cluster(client, f"at {scheduler}", wait)


def _client(dask: Any, scheduler: str, seconds: float) -> Any:
    """A client of a scheduler."""
    made: SimpleQueue[Any] = SimpleQueue()

    def make() -> None:
        try:
            made.put(dask.Client(scheduler, timeout=seconds))
        except Exception as error:
            made.put(error)

    # Dask's own time limit does not hold where something else answers.
    threading.Thread(target=make, daemon=True).start()
    try:
        client = made.get(timeout=seconds + 1)
    except Empty:
        client = TimeoutError("what answers there does not speak dask's language")
    if isinstance(client, Exception):
        raise WorkersError(
            f"no dask scheduler at {scheduler}: {client}; 'dask scheduler' prints its address"
        )
    return client


@contextmanager
def _closing(close: Callable[..., Any], cluster: Any = None) -> Iterator[None]:
    """Close in the end; after an error at once, and without a further error."""
    disabled, seconds = logging.root.manager.disable, CONNECT_SECONDS
    try:
        yield
    except BaseException:
        # What dask logs about work that is dropped would bury the reason for the end.
        logging.disable(logging.CRITICAL)
        seconds = LEAVING_SECONDS
        if cluster is not None:
            with suppress(Exception):
                cluster.sync(_close_workers, cluster)
        raise
    finally:
        with suppress(Exception):
            close(timeout=seconds)
        logging.disable(disabled)


async def _close_workers(cluster: Any) -> None:
    for worker in cluster.workers.values():
        await worker.close(executor_wait=False)


class Cluster(Futures):
    """The workers of a dask scheduler."""

    def __init__(self, client: Any, where: str, wait: float) -> None:
        self._client, self._where, self._wait = client, where, wait
        self._seen, self._tried = time.monotonic(), -TRIED_EVERY
        self._workers: set[str] = set()
        self.room = 2
        self.look()

    def look(self) -> bool:
        client = self._client
        if client.status != "running":
            raise WorkersError(f"the dask scheduler {self._where} has gone")
        try:
            told = client.sync(client.scheduler.identity, callback_timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError):
            self._check_wait("not answered", "see whether it still runs")
            return False
        workers = told["workers"]
        # Those that lack memory are paused, and take no work.
        working = [one["nthreads"] for one in workers.values() if one["status"] == "running"]
        self.room = max(2 * sum(working), 2)
        if not working:
            if workers:
                mend = "they lack memory, so give them more (dask worker --memory-limit)"
                self._check_wait("had only paused workers", mend)
            else:
                mend = "start some ('dask worker ADDRESS'), or wait longer for them (--wait)"
                self._check_wait("had no worker", mend, ended=bool(self._workers))
            return False
        now, ended = time.monotonic(), bool(self._workers - workers.keys())
        self._seen, self._workers = now, set(workers)
        # Workers may also come and go as a batch system pleases.
        if not ended or now - self._tried < TRIED_EVERY:
            return False
        self._tried = now
        return True

    def _check_wait(self, lack: str, mend: str, ended: bool = False) -> None:
        if time.monotonic() - self._seen <= self._wait:
            return
        gone = f"the dask scheduler {self._where} has {lack} for {self._wait:g} s"
        if ended:
            raise WorkerLost(gone)
        raise WorkersError(f"{gone}: {mend}")

    def submit(self, packed: Any, piece: Any) -> Any:
        call = pickle.dumps(_Call(perform, packed, dumps(piece)))
        return self._client.submit(pickle.loads, call, pure=False)

    def result(self, future: Any, piece: Any) -> Any:
        return unpacked(self._came(future, piece))

    def _came(self, future: Any, piece: Any) -> Any:
        from distributed import KilledWorker

        while True:
            try:
                return future.result(LOOK_SECONDS)
            except TimeoutError:
                # The worker that had the result is lost, so another one does the work again.
                self.look()
            except KilledWorker as error:
                how = f"{error.allowed_failures + 1} dask workers ended one after another"
                raise WorkerLost(how, [piece]) from None
            except CancelledError:
                raise WorkersError(f"the dask scheduler {self._where} has gone") from None
            except Exception as error:
                raise WorkersError(
                    f"a worker of the dask scheduler {self._where} cannot run gafreecell "
                    f"({type(error).__name__}: {error}): install there what is installed here"
                ) from None

    def abort(self, call: StopToken, futures: Sequence[Any]) -> None:
        def drop() -> None:
            with suppress(Exception):
                self._client.cancel(futures, force=True)
                stop = pickle.dumps(_Call(stopping.stop, call.name))
                self._client.run(pickle.loads, stop, on_error="ignore")

        # The scheduler may have gone, and not answer.
        thread = threading.Thread(target=drop, daemon=True)
        thread.start()
        thread.join(LEAVING_SECONDS)


class _Call:
    """A function and its arguments; the function is called when this is unpickled.

    So dask itself has to load only Python's own ``pickle.loads``. A worker that cannot load what it
    is sent, as it lacks this package, ends itself without telling the client why.
    """

    def __init__(self, *parts: Any) -> None:
        self._parts = parts

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return self._parts[0], self._parts[1:]


class Here(Cluster):
    """Dask workers in this process. Their work is not sent to them, and so need not be pickled."""

    def pack(self, work: Work, what: str, engine: str) -> Any:
        return work

    def submit(self, packed: Any, piece: Any) -> Any:
        name = uuid4().hex
        _here[name] = partial(packed, piece)
        return self._client.submit(_perform_here, name, key=name)

    def result(self, future: Any, piece: Any) -> Any:
        self._came(future, piece)
        result, error = _here.pop(future.key)
        if error is not None:
            raise error
        return result

    def abort(self, call: StopToken, futures: Sequence[Any]) -> None:
        self._client.cancel(futures, force=True)


_here: dict[str, Any] = {}
"""Work of dask workers in this process, then its result and what it raised, by name."""


def _perform_here(name: str) -> None:
    try:
        _here[name] = _here[name](), None
    except BaseException as error:
        _here[name] = None, error
