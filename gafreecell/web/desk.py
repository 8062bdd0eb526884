"""Works off requests: a few threads, a queue of limited length, a stop token for each request."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from deals.errors import BadInput
from deals.words import plural
from gafreecell.solving import stopping
from gafreecell.solving.loading import compilation
from gafreecell.solving.stopping import Interrupted, StopToken

Result = TypeVar("Result")
LOOK_SECONDS = 0.1
"""How often a request's connection and its time are checked."""


class Refused(BadInput):
    """A request that is not worked off; the message says why and what to do.

    Attributes:
        status: the HTTP status of the answer.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Gone(Exception):
    """Nobody waits for the answer any more."""


class Desk:
    """Work in threads, first come, first served.

    Args:
        workers: how many requests are worked off at once.
        waiting: how many more may wait; further ones are refused.
        seconds: the longest time for one request, from its start.
        advice: what to do about a request that takes longer, for its message.
    """

    def __init__(self, workers: int, waiting: int, seconds: float, advice: str) -> None:
        self._pool = ThreadPoolExecutor(workers, "desk")
        self._most = workers + waiting
        self._seconds = seconds
        self._advice = advice
        self._work: dict[Future[Any], tuple[StopToken, str]] = {}
        self._closed = False

    async def do(
        self, work: Callable[[], Result], gone: Callable[[], Awaitable[bool]], ticket: str = ""
    ) -> Result:
        """The result of some work, which stops as soon as nobody waits for it.

        Args:
            work: called in a thread; searches in it heed the request's stop token.
            gone: whether the connection is closed.
            ticket: a name by which ``ahead`` knows it.

        Raises:
            Refused: if too much work waits, if it takes too long, or at the end of the program.
            Gone: if the connection was closed.
        """
        if self._closed:
            raise _leaving()
        if len(self._work) >= self._most:
            raise Refused(
                f"{plural(len(self._work), 'request')} are waiting already: try again in a moment",
                503,
            )
        token, began = StopToken(), [0.0]

        def started() -> Result:
            began[0] = time.monotonic()
            return token.run(unless_stopped)

        def unless_stopped() -> Result:
            # Nobody may wait any more for what has waited in the queue.
            stopping.check()
            return work()

        done = self._pool.submit(started)
        # Work counts until it has ended, even if its answer was given up before: a kernel that
        # compiles cannot be stopped.
        self._work[done] = (token, ticket)
        done.add_done_callback(lambda ended: self._work.pop(ended, None))
        answer = asyncio.wrap_future(done)
        try:
            while not (await asyncio.wait({answer}, timeout=LOOK_SECONDS))[0]:
                if began[0] and compilation() is not None:
                    # What is compiled once is no part of the answer.
                    began[0] += LOOK_SECONDS
                await self._check(began[0], gone)
            return answer.result()
        except Interrupted:
            raise _leaving() from None
        finally:
            # If this task is cancelled, the search ends, too.
            token.set()
            answer.cancel()

    async def _check(self, began: float, gone: Callable[[], Awaitable[bool]]) -> None:
        """Raise the reason why the work should stop, if there is one."""
        if await gone():
            raise Gone
        if self._closed:
            raise _leaving()
        if began and time.monotonic() - began > self._seconds:
            raise Refused(
                f"the answer takes longer than {self._seconds:g} s: {self._advice}",
                503,
            )

    def ahead(self, ticket: str) -> int:
        """How many requests are worked off before a waiting one; 0 if it does not wait."""
        for place, (done, (_, mine)) in enumerate(self._work.items()):
            if ticket and mine == ticket:
                return 0 if done.running() else place
        return 0

    @property
    def busy(self) -> int:
        """How many requests are worked off or wait."""
        return len(self._work)

    def close(self) -> None:
        """Stop all work and take no more."""
        self._closed = True
        for token, _ in list(self._work.values()):
            token.set()

    def wait(self, seconds: float) -> bool:
        """Wait until all work has ended, after ``close``.

        Args:
            seconds: how long to wait at most.

        Returns:
            Whether it has ended.
        """
        self._pool.shutdown(wait=False, cancel_futures=True)
        return not wait(list(self._work), seconds).not_done


def _leaving() -> Refused:
    return Refused("gafreecell is shutting down: start it again with 'gafreecell serve'", 503)
