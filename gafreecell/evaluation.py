"""Runs many tasks through joblib, each distinct one once.

An outcome depends only on its task (budgets are nodes). So outcomes are cached in memory, and
backend, number of workers and order make no difference to results.
"""

from __future__ import annotations

import hashlib
import json
import logging
import signal
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed, parallel_config

from deals.checks import finite, number_of_jobs
from deals.errors import BadInput
from gafreecell.game import Game, Problem
from gafreecell.replaying import check_moves
from gafreecell.unfinished import key_of
from solving.cache import cache_directory, read_kept, say_unwritten
from solving.checksums import sealed
from solving.files import write_atomically
from solving.games import UNSAVED, solved_by
from solving.outcome import Evaluator, Limits, Nodes, Outcome, Search, Status, Task
from solving.stopping import interruptible

BACKENDS = ("threading", "loky", "dask")
_STATUS_PAGES = "127.0.0.1:0"
"""Where dask shows the state of its scheduler and workers: on this machine alone, any port."""
BATCH = 16
"""Deals in one piece of work: some tens of milliseconds, so that dispatch costs little."""


REMEMBERED = 200_000
"""Outcomes cached in memory, some 100 MB; the oldest are dropped first. No result depends on it."""


class WorkersError(BadInput):
    """Workers that are not available."""


@dataclass(frozen=True)
class Workers:
    """Who solves: how many at once, and where.

    Attributes:
        jobs: number of workers, -1 for one per core.
        backend: ``threading`` (kernels run free of the GIL), ``loky`` for
            processes, ``dask`` for a cluster.
        scheduler: address of a dask scheduler; without it, dask workers are
            started on this machine.
    """

    jobs: int = -1
    backend: str = "threading"
    scheduler: str | None = None

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

    @contextmanager
    def started(self) -> Iterator[Parallel]:
        """A joblib pool of these workers."""
        if self.backend != "dask":
            # A terminal sends Ctrl-C to worker processes, too; they ignore it, and we end them.
            deaf = {"initializer": signal.signal, "initargs": (signal.SIGINT, signal.SIG_IGN)}
            options = deaf if self.backend == "loky" else {}
            with _pool(n_jobs=self.jobs, backend=self.backend, **options) as pool:
                yield pool
            return
        disabled = logging.root.manager.disable
        try:
            with self._client(), parallel_config(backend="dask"), _pool() as pool:
                try:
                    yield pool
                except BaseException:
                    # Pending pieces fail when the client closes. Each would log a traceback, and
                    # together they would bury the reason for the stop.
                    logging.disable(logging.CRITICAL)
                    raise
        finally:
            logging.disable(disabled)

    @contextmanager
    def _client(self) -> Iterator[None]:
        """Connect a client to the scheduler, or to workers started on this machine."""
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise WorkersError(
                "the backend dask needs the extra: pip install 'gafreecell[cluster]'"
            ) from None
        with ExitStack() as stack:
            if self.scheduler is not None:
                try:
                    stack.enter_context(Client(self.scheduler, timeout="10s"))
                except (OSError, ValueError) as error:
                    raise WorkersError(f"no dask scheduler at {self.scheduler}: {error}") from None
            else:
                # Workers are threads: kernels release the GIL, and threads stop on Ctrl-C.
                cluster = LocalCluster(
                    n_workers=None if self.jobs == -1 else self.jobs,
                    threads_per_worker=1,
                    processes=False,
                    dashboard_address=_STATUS_PAGES,
                    worker_dashboard_address=_STATUS_PAGES,
                )
                stack.enter_context(Client(stack.enter_context(cluster)))
            yield


def _pool(**options: Any) -> Parallel:
    """A joblib pool that yields results as they come; joblib fixes this when a pool is made."""
    return Parallel(batch_size=1, return_as="generator_unordered", **options)


def _as_they_come(pool: Parallel, work: Iterable[Any]) -> Generator[Any, None, None]:
    """The results of work, in any order; pending work is dropped if this ends early."""
    results = pool(work)
    try:
        yield from results
    finally:
        with warnings.catch_warnings():
            # joblib warns about missing results, which is no use after Ctrl-C.
            warnings.simplefilter("ignore")
            results.close()


def _solve(
    game: Game, place: int, tasks: Sequence[Task], replayed: bool
) -> tuple[int, list[Outcome]]:
    """Solve one piece of work, in any thread, process or machine; returns its place, too.

    Solutions are replayed here because moves are not sent back.
    """
    outcomes = solved_by(game, tasks)
    if replayed:
        for task, outcome in zip(tasks, outcomes, strict=True):
            check_moves(task.deal, outcome.moves, task.search, game)
    return place, [outcome.without_moves() for outcome in outcomes]


@dataclass
class Evaluation:
    """Solves tasks of one game and caches the outcomes.

    Attributes:
        game: the game.
        pool: a joblib pool from ``Workers.started``.
        asked: tasks asked for, cached or not.
        computed: tasks that were run.
        nodes: states that those runs generated.
        on_progress: called as work comes back, with the tasks done and the tasks asked for in
            the present call.
        kept: outcomes that an earlier process computed, by ``unfinished.key_of(task)``.
        fresh: outcomes computed since the owner last cleared it.
    """

    game: Game
    pool: Parallel
    asked: int = 0
    computed: int = 0
    nodes: int = 0
    on_progress: Callable[[int, int], None] = lambda done, total: None
    kept: Mapping[str, Outcome] = field(default_factory=dict)
    fresh: dict[Task, Outcome] = field(default_factory=dict)
    _known: dict[Task, Outcome] = field(default_factory=dict)

    def outcomes(self, tasks: Sequence[Task], replayed: bool = False) -> list[Outcome]:
        """The outcome of each task, in order, without its moves.

        Args:
            tasks: what to solve.
            replayed: whether the game's verifier replays the solutions of the first ``BATCH``
                tasks that have to be computed. This costs little and exposes a search that cheats.

        Raises:
            WrongSolution: if the verifier refuses one.
        """
        self.asked += len(tasks)
        new = [task for task in dict.fromkeys(tasks) if task not in self._known]
        if self.kept:
            found = {task: self.kept[key] for task in new if (key := key_of(task)) in self.kept}
            self._known |= found
            self.fresh |= found
            new = [task for task in new if task not in found]
        pieces = [new[i : i + BATCH] for i in range(0, len(new), BATCH)]
        done = len(tasks) - len(new)
        self.on_progress(done, len(tasks))
        if pieces:
            with closing(self.as_they_come(pieces, replayed)) as results:
                for piece, solved in results:
                    # Kept at once, so that an interruption loses no outcome that has arrived.
                    came = dict(zip(piece, solved, strict=True))
                    self._known |= came
                    self.fresh |= came
                    self.computed += len(solved)
                    self.nodes += sum(outcome.nodes.generated for outcome in solved)
                    done += len(solved)
                    self.on_progress(done, len(tasks))
        outcomes = [self._known[task] for task in tasks]
        for oldest in list(islice(self._known, max(0, len(self._known) - REMEMBERED))):
            del self._known[oldest]
        return outcomes

    def as_they_come(
        self, pieces: Iterable[Sequence[Task]], replayed: bool = False
    ) -> Generator[tuple[Sequence[Task], list[Outcome]], None, None]:
        """Pieces of work with their outcomes, in any order; nothing is cached or counted.

        Args:
            pieces: lists of tasks to solve one after another; workers take them as they get free.
            replayed: whether the game's verifier replays the solutions of the first piece.

        Raises:
            WrongSolution: if the verifier refuses one.
        """
        out: dict[int, Sequence[Task]] = {}

        def handed_out() -> Iterator[tuple[int, Sequence[Task]]]:
            for place, piece in enumerate(pieces):
                out[place] = piece
                yield place, piece

        with interruptible() as call:
            work = (
                delayed(call.run)(_solve, self.game, place, piece, replayed and not place)
                for place, piece in handed_out()
            )
            with closing(_as_they_come(self.pool, work)) as results:
                try:
                    for place, solved in results:
                        yield out.pop(place), solved
                except BaseException:
                    # Otherwise the searches that are still at work would be waited for.
                    call.set()
                    raise

    def known(self, task: Task) -> Outcome | None:
        """A task's outcome if it is cached."""
        return self._known.get(task)


def cache_file(
    folder: str, game: Game, evaluator: Evaluator | None, search: Search, limits: Limits
) -> Path:
    """The file in the user's cache for a solver's outcomes on problems.

    Its name depends on everything that decides them: the game, its variant and engine, and the
    solver.

    Args:
        folder: the cache's folder for this kind of content.
        game, evaluator, search, limits: the solver; limits in seconds are not allowed.
    """
    key = repr((game.name, game.engine, sorted(game.variant.items()), evaluator))
    key += repr((search.name, sorted(search.parameters.items()), limits.nodes, limits.memory))
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    return cache_directory() / folder / f"{game.name}-{digest}.json"


class Baseline:
    """The baseline's outcome on each problem, computed once and kept in the user's cache."""

    def __init__(
        self, evaluation: Evaluation, evaluator: Evaluator | None, search: Search, limits: Limits
    ) -> None:
        self._evaluation = evaluation
        self._evaluator, self._search, self._limits = evaluator, search, limits
        self._file = cache_file("baselines", evaluation.game, evaluator, search, limits)
        self._known: dict[Problem, Outcome] = read_kept(self._file, _baseline_outcomes, {})

    def outcomes(self, problems: Sequence[Problem]) -> dict[Problem, Outcome]:
        """The baseline's outcome on each of the problems."""
        missing = [one for one in dict.fromkeys(problems) if one not in self._known]
        if missing:
            tasks = [Task(one, self._evaluator, self._search, self._limits) for one in missing]
            found: Sequence[Outcome | None] = ()
            try:
                found = self._evaluation.outcomes(tasks)
            finally:
                # After an interruption, keep the outcomes that have arrived.
                self._keep(missing, found or [self._evaluation.known(task) for task in tasks])
        return {one: self._known[one] for one in problems}

    def _keep(self, problems: Sequence[Problem], outcomes: Sequence[Outcome | None]) -> None:
        for problem, found in zip(problems, outcomes, strict=True):
            if found is not None:
                # Keep only what the file keeps: results must not depend on whether it existed.
                nodes = replace(found.nodes, scored=None)
                self._known[problem] = replace(found, lengths=None, nodes=nodes)
        self._save()

    def _save(self) -> None:
        if self._evaluation.game.engine.startswith(UNSAVED):
            return
        kept = [
            [problem, o.status.value, o.nodes.expanded, o.nodes.generated, o.cost, o.seconds]
            for problem, o in self._known.items()
        ]
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._file, json.dumps(sealed({"outcomes": kept})))
        except OSError as error:
            say_unwritten(error)


def _baseline_outcomes(document: Any) -> dict[Problem, Outcome]:
    """The outcomes in a baseline's file; older versions wrote no more than the list."""
    rows = document["outcomes"] if isinstance(document, dict) else document
    if any(cost is not None and finite(cost) is None for *_, cost, _ in rows):
        raise ValueError("a cost must be a finite number")
    return {
        problem: Outcome(Status(status), None, None, Nodes(expanded, generated), seconds, cost)
        for problem, status, expanded, generated, cost, seconds in rows
    }
