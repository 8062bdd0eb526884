"""Who solves: how many workers, and of what kind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from joblib import Parallel, cpu_count

from deals.checks import finite, number_of_jobs
from gafreecell.workers.pools import Pool, Processes, Threads, WorkersError

BACKENDS = ("threading", "loky", "dask")
WAIT_SECONDS = 20.0
"""For how long a dask scheduler may have no workers."""


@dataclass(frozen=True)
class Workers:
    """Who solves: how many at once, and where.

    Attributes:
        jobs: number of workers, -1 for one per core.
        backend: ``threading`` (kernels run free of the GIL), ``loky`` for
            processes, ``dask`` for a cluster.
        scheduler: address of a dask scheduler; without it, dask workers are
            started on this machine.
        wait: for how many seconds the scheduler may have no workers, at the start or later.
    """

    jobs: int = -1
    backend: str = "threading"
    scheduler: str | None = None
    wait: float = WAIT_SECONDS

    def __post_init__(self) -> None:
        if not isinstance(self.backend, str) or self.backend not in BACKENDS:
            raise WorkersError(
                f"there is no backend {self.backend!r}; there are {', '.join(BACKENDS)}"
            )
        object.__setattr__(self, "jobs", number_of_jobs(self.jobs, WorkersError))
        if not isinstance(self.scheduler, str | None):
            raise WorkersError(f"a scheduler is an address, got {self.scheduler!r:.60}")
        if self.scheduler is not None and self.backend != "dask":
            raise WorkersError("a scheduler's address needs the backend dask: set it to 'dask'")
        wait = finite(self.wait)
        if wait is None or wait <= 0:
            raise WorkersError(f"wait must be a positive number of seconds, got {self.wait!r:.60}")
        object.__setattr__(self, "wait", wait)

    @contextmanager
    def started(self) -> Iterator[Pool]:
        """A pool of these workers."""
        if self.backend == "threading":
            options = {"batch_size": 1, "return_as": "generator_unordered"}
            with Parallel(self.jobs, backend="threading", **options) as parallel:
                yield Threads(parallel)
        elif self.backend == "loky":
            with _safe_path():
                yield Processes(cpu_count() if self.jobs == -1 else self.jobs)
        else:
            # Dask takes a third of a second to import, and need not be installed.
            from gafreecell.workers.cluster import connected

            with connected(self.jobs, self.scheduler, self.wait) as cluster:
                yield cluster


@contextmanager
def _safe_path() -> Iterator[None]:
    """Have processes that start meanwhile find Python's own modules, not some of this folder.

    As it starts, a process of loky has the current folder before them, unlike this process. Later
    it searches where this process does.
    """
    name = "PYTHONSAFEPATH"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            # A callback may have removed it.
            os.environ.pop(name, None)
        else:
            os.environ[name] = before
