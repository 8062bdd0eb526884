"""The deals of a call, spread over workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from gafreecell.service.inputs import GivenDeal
from gafreecell.solitaire.game import Game
from gafreecell.solving.stopping import interruptible
from gafreecell.workers.chosen import Workers
from gafreecell.workers.errors import WorkersError
from gafreecell.workers.evaluation import check_engine
from gafreecell.workers.pools import WorkerLost, blamed

PIECE, PIECE_SECONDS = 1024, 0.1
"""The most deals in one piece of work, and about how long a piece of several takes."""
MOST_WAITING = 250_000
"""Once so many results wait for one before them, no more work goes out until it is there."""
Found = TypeVar("Found")
Piece = tuple[int, int, list[GivenDeal]]
"""Its number, and the place of the first of its deals among all."""


def spread(
    deals: Iterable[GivenDeal],
    work: Callable[[int, list[GivenDeal]], list[Found]],
    game: Game,
    workers: Workers,
    first: int = 0,
    in_order: bool = True,
) -> Generator[tuple[GivenDeal, Found], None, None]:
    """Work on deals; yields each with its result.

    Args:
        deals: what to work on.
        work: returns a result for each of a few deals; takes the place of the first of them among
            all, and them. Processes and clusters get it pickled.
        game: what the work needs.
        workers: who works.
        first: the place of the first deal.
        in_order: whether the results come in the order of the deals, or as soon as they are there.

    Raises:
        WorkersError: if there are no workers, or they cannot do the work.
    """
    pace: list[float] = []
    pieces = _pieces(iter(deals), first, pace)
    engine, what = game.engine, f"the game {game.name!r}"
    done = partial(_done, game, engine, work)
    came: dict[int, tuple[list[GivenDeal], list[Found]]] = {}
    following = waiting = 0
    pauses = True

    def some() -> Iterator[Piece]:
        """Pieces, until too many results wait."""
        nonlocal pauses
        pauses = False
        for piece in pieces:
            yield piece
            if waiting > MOST_WAITING:
                pauses = True
                return

    with workers.started() as pool, interruptible() as call:
        try:
            while pauses:
                with closing(pool(call, done, some(), what, engine)) as results:
                    for (number, _, piece), (seconds, found) in results:
                        pace[:] = [seconds / len(piece)]
                        if not in_order:
                            yield from zip(piece, found, strict=True)
                            continue
                        came[number] = piece, found
                        waiting += len(piece)
                        while following in came:
                            waiting -= len(came[following][0])
                            yield from zip(*came.pop(following), strict=True)
                            following += 1
        except WorkerLost as lost:
            singles = [
                (0, place, [deal])
                for _, first, piece in lost.pieces
                for place, deal in enumerate(piece, start=first)
            ]
            names = [deal.title for *_, (deal,) in singles]
            raise WorkersError(blamed(lost, done, singles, what, names)) from None


def _pieces(deals: Iterator[GivenDeal], first: int, pace: list[float]) -> Iterator[Piece]:
    """Pieces of about ``PIECE_SECONDS``; ``pace`` gets the latest seconds a deal.

    They are single deals until the pace is known, then grow, so that the first answers come at
    once, slow ones are not queued behind each other, and few deals still use all cores.
    """
    number, size = 0, 1
    while piece := list(islice(deals, size)):
        yield number, first, piece
        number, first = number + 1, first + len(piece)
        if pace:
            size = min(2 * size, PIECE, int(PIECE_SECONDS / max(pace[0], 1e-9)) + 1)


def _done(game: Game, engine: str, work: Callable[..., Any], piece: Piece) -> tuple[float, Any]:
    """A piece's results and the processor time they took, in any thread, process or machine."""
    check_engine(game, engine)
    started = time.thread_time()
    found = work(*piece[1:])
    return time.thread_time() - started, found
