"""Pools of workers: threads and processes of this machine (``cluster`` has those of dask).

A pool is called with work and pieces of it, and yields each piece with its result, as they come. If
that ends early, pending work is dropped and the work at hand is stopped.
"""

from __future__ import annotations

import os
import re
import signal
import threading
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from itertools import islice
from multiprocessing import resource_tracker
from queue import Empty, SimpleQueue
from socket import gethostname
from traceback import format_exception, format_exception_only
from typing import Any, cast
from uuid import uuid4

from cloudpickle import dumps, loads
from joblib import Parallel, cpu_count, delayed
from joblib.externals.loky import ProcessPoolExecutor, get_reusable_executor
from joblib.externals.loky.process_executor import BrokenProcessPool

from gafreecell.solving.stopping import STOPPING, StopToken
from gafreecell.workers.errors import WorkersError

LOOK_SECONDS = 0.5
"""How often to look whether those that are waited for are still there."""
TRIAL_SECONDS = 5.0
"""How long to look for the piece of work that ended a worker."""
NAMED = 8
"""How many deals a message names that a lost worker may have been at."""
_IDLE_SECONDS = 300
"""How long worker processes are kept for the next call."""
Work = Callable[[Any], Any]


class WorkerLost(Exception):
    """A worker process ended while it was at work; the message is a main clause that says how.

    Attributes:
        pieces: those that it may have been at, the likelier ones first.
    """

    def __init__(self, how: str, pieces: Sequence[Any] = ()) -> None:
        super().__init__(how)
        self.pieces = pieces


class UnsentError(Exception):
    """Stands for an exception in a worker process that cannot be pickled."""


class _Traceback(Exception):
    """The text of a traceback in another process."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class Pool(ABC):
    """Workers that take pieces of work."""

    @abstractmethod
    def __call__(
        self, call: StopToken, work: Work, pieces: Iterable[Any], what: str, engine: str
    ) -> Generator[tuple[Any, Any], None, None]:
        """Do the work on each piece; yields the pieces with their results, as they come.

        Args:
            call: the token of the call that the work belongs to; set if the work ends early.
            work: a function of a piece.
            pieces: any number of them; workers take them as they get free.
            what: what messages say the work needs, such as ``the game 'klondike'``.
            engine: changes with the code of the work, which a worker keeps once it is loaded.

        Raises:
            WorkerLost: if a worker process ends while it is at work.
            WorkersError: if there are no workers, or they cannot get or load the work.
        """


class Threads(Pool):
    """Threads of this process; its main thread if there is only one."""

    def __init__(self, parallel: Parallel) -> None:
        self._parallel = parallel

    def __call__(
        self, call: StopToken, work: Work, pieces: Iterable[Any], what: str, engine: str
    ) -> Generator[tuple[Any, Any], None, None]:
        results = self._parallel(delayed(call.run)(_with_piece, work, piece) for piece in pieces)
        try:
            yield from results
        except BaseException:
            # Otherwise the searches that are still at work would be waited for.
            call.set()
            raise
        finally:
            with warnings.catch_warnings():
                # joblib warns about missing results, which is no use after Ctrl-C.
                warnings.simplefilter("ignore")
                results.close()


@contextmanager
def threads(jobs: int) -> Iterator[Threads]:
    """A pool of threads, -1 for one per core."""
    options = {"batch_size": 1, "return_as": "generator_unordered"}
    with Parallel(jobs, backend="threading", **options) as parallel:
        yield Threads(parallel)


def _with_piece(work: Work, piece: Any) -> tuple[Any, Any]:
    return piece, work(piece)


class Futures(Pool):
    """Workers that return futures. They are driven here because joblib waits for ever for work
    that dask has given up or that cannot be pickled.
    """

    room: int
    """How many pieces to hand out at once: more than there are workers, so that none waits."""

    def __call__(
        self, call: StopToken, work: Work, pieces: Iterable[Any], what: str, engine: str
    ) -> Generator[tuple[Any, Any], None, None]:
        packed = self.pack(partial(call.run, work), what, engine)
        coming, ended = enumerate(pieces), SimpleQueue[int]()
        looked = time.monotonic()
        pending: dict[int, tuple[Any, Any]] = {}
        finished = False
        try:
            while True:
                for number, piece in islice(coming, max(0, self.room - len(pending))):
                    pending[number] = piece, self.submit(packed, piece)
                    pending[number][1].add_done_callback(lambda _, n=number: ended.put(n))
                if not pending:
                    finished = True
                    return
                if time.monotonic() - looked > LOOK_SECONDS:
                    if self.look():
                        _try(work, [piece for piece, _ in pending.values()], what)
                    looked = time.monotonic()
                try:
                    number = ended.get(timeout=LOOK_SECONDS)
                except Empty:
                    continue
                piece, future = pending[number]
                result = self.result(future, piece)
                del pending[number]
                yield piece, result
        except WorkerLost as lost:
            # Pieces beside the guilty one may be blamed, as their worker ended, too.
            others = [piece for piece, _ in pending.values()]
            lost.pieces = [*lost.pieces, *(one for one in others if one not in lost.pieces)]
            raise
        finally:
            # Ctrl-C may come when a piece is handed out and not pending yet.
            if not finished:
                call.set()
                # An error in here would hide why the work ends.
                with suppress(Exception):
                    self.abort(call, [future for _, future in pending.values()])

    def pack(self, work: Work, what: str, engine: str) -> Any:
        """What workers need for every piece, as it is sent."""
        return packed(work, what)

    @abstractmethod
    def submit(self, packed: Any, piece: Any) -> Any:
        """Hand a piece out; returns its future."""

    @abstractmethod
    def result(self, future: Any, piece: Any) -> Any:
        """The result of a future that is done; raises what the work raised."""

    @abstractmethod
    def abort(self, call: StopToken, futures: Sequence[Any]) -> None:
        """Drop pending work, and end what workers are at."""

    def look(self) -> bool:
        """Whether a worker has ended that others stand in for; raises if there are none."""
        return False


class Processes(Futures):
    """Processes on this machine, kept for a while for the next call."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self.room = 2 * jobs

    def pack(self, work: Work, what: str, engine: str) -> bytes:
        # With other arguments than before, new processes are started.
        arguments = (os.getpid(), engine)
        options = {"initializer": _attend, "initargs": arguments, "timeout": _IDLE_SECONDS}
        self._executor = get_reusable_executor(self._jobs, **options)
        return packed(work, what)

    def submit(self, packed: bytes, piece: Any) -> Any:
        return _submitted(self._executor, perform, packed, dumps(piece))

    def result(self, future: Any, piece: Any) -> Any:
        return _ended(future)

    def abort(self, call: StopToken, futures: Sequence[Any]) -> None:
        self._executor.shutdown(wait=True, kill_workers=True)


@contextmanager
def processes(jobs: int) -> Iterator[Processes]:
    """A pool of processes, -1 for one per core.

    Those that start meanwhile find Python's own modules, not some of this folder. As it starts, a
    process of loky has the current folder before them, unlike this process. Later it searches where
    this process does.
    """
    name = "PYTHONSAFEPATH"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield Processes(cpu_count() if jobs == -1 else jobs)
    finally:
        if before is None:
            # A callback may have removed it.
            os.environ.pop(name, None)
        else:
            os.environ[name] = before


def _try(work: Work, pieces: Sequence[Any], what: str) -> None:
    """Raise ``WorkerLost`` if a piece ends workers, before the others have tried it one by one."""
    tried, how = tried_alone(work, pieces, what)
    if how:
        raise WorkerLost("a worker ended", [pieces[tried - 1]])


def tried_alone(work: Work, pieces: Iterable[Any], what: str) -> tuple[int, str]:
    """Try pieces in a worker process of their own, until one ends it or the time is over.

    Args:
        work, pieces, what: as for a ``Pool``.

    Returns:
        How many were tried to their end, and how the last of them ended the process; empty if
        none did.
    """
    sent, tried = packed(work, what), 0
    executor = ProcessPoolExecutor(1, initializer=_attend, initargs=(os.getpid(),))
    try:
        _submitted(executor, os.getpid).result()
        end = time.monotonic() + TRIAL_SECONDS
        for piece in pieces:
            try:
                future = _submitted(executor, perform, sent, dumps(piece))
                _ended(future, max(0.0, end - time.monotonic()))
            except WorkerLost as lost:
                return tried + 1, str(lost)
            except TimeoutError:
                break
            except Exception:
                pass
            tried += 1
    except (BrokenProcessPool, WorkerLost):
        # No process can be started at all.
        pass
    finally:
        executor.shutdown(wait=True, kill_workers=True)
    return tried, ""


def blamed(
    lost: WorkerLost, work: Work, singles: Sequence[Any], what: str, names: Sequence[str]
) -> str:
    """What is known of a worker's end, and of the deal that it was at.

    Args:
        lost: says how it ended.
        work, what: as for a ``Pool``.
        singles: pieces of a single deal each, one of which the worker may have been at.
        names: of these deals.
    """
    tried, how = tried_alone(work, singles, what)
    if how:
        again = "and again" if how == str(lost) else how
        return (
            f"{lost}, at {what}, {names[tried - 1]} ({again} when tried alone): its solve must "
            "return, or raise an exception"
        )
    deals = list(dict.fromkeys(names))[:NAMED]
    tries = "tried again alone, none of these deals ended a worker, so "
    if tried < len(singles):
        tries = (
            f"in {TRIAL_SECONDS:g} s, only {tried} of {len(singles)} deals could be tried again "
            "alone, and none of these ended a worker; so another one did, "
        )
    return (
        f"{lost}, at {what} ({', '.join([*deals, '...'])}): {tries}someone ended it, or memory "
        "ran out (take fewer workers)"
    )


def _submitted(executor: Any, *call: Any) -> Any:
    try:
        with _deaf():
            return executor.submit(*call)
    except BrokenProcessPool as error:
        raise WorkerLost(_how(error)) from None


@contextmanager
def _deaf() -> Iterator[None]:
    """Keep Ctrl-C and the like from processes that start meanwhile, until they ignore it."""
    if os.name != "posix":
        yield
        return
    # It starts with the first process, and would unblock signals then.
    resource_tracker.ensure_running()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _ended(future: Any, seconds: float | None = None) -> Any:
    try:
        return unpacked(future.result(seconds))
    except BrokenProcessPool as error:
        raise WorkerLost(_how(error)) from None


def _how(error: Exception) -> str:
    """How a worker process ended; loky names exit statuses as ``EXIT(1)`` and ``SIGKILL(-9)``."""
    codes = re.findall(r"(\w+)\((-?\d+)\)", str(error))
    name, code = next((one for one in codes if one[1] != "0"), ("", "0"))
    if code.startswith("-"):
        return f"a worker process was ended by {name}"
    return "a worker process ended" + (f" with exit status {code}" if name else "")


def _attend(parent: int, engine: str = "") -> None:
    """Have a worker process leave Ctrl-C and the like to its parent, and end with it."""
    for one in STOPPING:
        # A terminal and ``kill`` of a process group send it to workers, too.
        signal.signal(one, signal.SIG_IGN)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


# What goes to another process and comes back is pickled here, so that nothing can fail elsewhere.


def packed(work: Work, what: str) -> bytes:
    """Work as it goes to other processes; ``WorkersError`` if it cannot be pickled."""
    name = uuid4().hex
    try:
        packed = bytes(dumps((what, name, dumps(work))))
        _sent[name] = work
        for oldest in list(_sent)[:-_KEPT]:
            del _sent[oldest]
        return packed
    except Exception as error:
        raise WorkersError(
            f"{what} cannot be sent to worker processes ({type(error).__name__}: {error}): leave "
            "out what cannot be pickled, such as locks and open files, or use the backend threading"
        ) from None


def perform(packed: bytes, piece: bytes) -> bytes:
    """Do packed work on a piece in this process; the result, or what it raised, is packed, too."""
    try:
        return bytes(dumps((_loaded(packed)(loads(piece)), None)))
    except BaseException as error:
        text = "".join(format_exception(error))
        notes = getattr(error, "__notes__", [])
        try:
            kept = dumps(error)
            # Some exceptions can be pickled, but not be made again.
            loads(kept)
        except Exception:
            kept = None
        said = "".join(format_exception_only(error)).partition("\n")[0]
        return bytes(dumps((None, (kept, said, notes, text))))


_KEPT = 4
_sent: dict[str, Work] = {}
"""The last works that were packed in this process, by name.

Its workers can be in this process, too, if somebody runs a dask scheduler here. Loading a class
that is pickled by value, as one of a script, would replace its methods by ones with other globals.
"""


@lru_cache(maxsize=_KEPT)
def _loaded(packed: bytes) -> Work:
    what, name, work = loads(packed)
    if name in _sent:
        return _sent[name]
    try:
        return cast(Work, loads(work))
    except (Exception, SystemExit) as error:
        raise WorkersError(
            f"{what} cannot be loaded by a worker on {gethostname()} ({type(error).__name__}: "
            f"{error}): install there the packages that are installed here"
        ) from None


def unpacked(came: bytes) -> Any:
    """The result of ``perform``; raises what its work raised."""
    result, raised = loads(came)
    if raised is None:
        return result
    kept, said, notes, text = raised
    try:
        error = loads(kept)
        error.__notes__ = notes
    except Exception:
        error = UnsentError(f"{said} (the exception itself cannot be pickled)")
        error.__notes__ = notes
    raise error from _Traceback(text)
