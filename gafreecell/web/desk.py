"""Works off requests: a few threads, a queue of limited length, a stop token for each request."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from deals.errors import BadInput
from deals.words import plural
from solving.stopping import Interrupted, StopToken

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
    """

    def __init__(self, workers: int, waiting: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(workers, "search")
        self._most = workers + waiting
        self._seconds = seconds
        self._tokens: set[StopToken] = set()
        self._closed = False

    async def do(self, work: Callable[[], Result], gone: Callable[[], Awaitable[bool]]) -> Result:
        """The result of some work, which stops as soon as nobody waits for it.

        Args:
            work: called in a thread; searches in it heed the request's stop token.
            gone: whether the connection is closed.

        Raises:
            Refused: if too much work waits, if it takes too long, or at the end of the program.
            Gone: if the connection was closed.
        """
        if self._closed:
            raise Refused("gafreecell is shutting down", 503)
        if len(self._tokens) >= self._most:
            raise Refused(
                f"{plural(len(self._tokens), 'request')} are waiting already: try again in a "
                "moment",
                503,
            )
        token, began = StopToken(), [0.0]
        self._tokens.add(token)

        def started() -> Result:
            began[0] = time.monotonic()
            return token.run(work)

        future = asyncio.get_running_loop().run_in_executor(self._pool, started)
        why: Exception | None = None
        try:
            while not (await asyncio.wait({future}, timeout=LOOK_SECONDS))[0]:
                if why is None:
                    why = await self._end(began[0], gone)
                if why is not None and not future.cancel():
                    token.set()
                elif why is not None:
                    raise why
            return future.result()
        except Interrupted:
            raise why or Refused("gafreecell is shutting down", 503) from None
        finally:
            # If this task is cancelled, the search ends, too.
            token.set()
            self._tokens.discard(token)

    async def _end(self, began: float, gone: Callable[[], Awaitable[bool]]) -> Exception | None:
        """Why the work should stop; None if it should go on."""
        if await gone():
            return Gone()
        if began and time.monotonic() - began > self._seconds:
            return Refused(
                f"the answer takes longer than {self._seconds:g} s: take a faster preset, or the "
                "command line, which has no such limit",
                503,
            )
        return None

    def close(self) -> None:
        """Stop all work and take no more."""
        self._closed = True
        for token in list(self._tokens):
            token.set()

    def wait(self) -> None:
        """Wait until the threads have ended, after ``close``."""
        self._pool.shutdown(wait=True, cancel_futures=True)
