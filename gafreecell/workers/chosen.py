"""Who solves, as a caller chooses it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deals.checks import finite, number_of_jobs
from gafreecell.workers.errors import WorkersError

if TYPE_CHECKING:
    from gafreecell.workers.pools import Pool

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

    @classmethod
    def of(cls, jobs: Workers | int) -> Workers:
        """Workers as they are, or so many threads."""
        return jobs if isinstance(jobs, Workers) else cls(jobs)

    @contextmanager
    def started(self) -> Iterator[Pool]:
        """A pool of these workers."""
        # joblib takes a tenth of a second to import.
        from gafreecell.workers import pools

        if self.backend == "threading":
            with pools.threads(self.jobs) as pool:
                yield pool
        elif self.backend == "loky":
            with pools.processes(self.jobs) as pool:
                yield pool
        else:
            # Dask takes a third of a second to import, and need not be installed.
            from gafreecell.workers.cluster import connected

            with connected(self.jobs, self.scheduler, self.wait) as pool:
                yield pool
