"""Decides the deals of a survey, as many as are left, and decides a sample of them again."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial

import numpy as np
from filelock import FileLock, Timeout

from gafreecell.service.inputs import GivenDeal, InputError
from gafreecell.service.least_cells import least_cells_of
from gafreecell.service.solvers import pursued, solved
from gafreecell.service.spreading import spread
from gafreecell.service.survey import (
    CELLS,
    GENERATED,
    GRADE,
    STATUS,
    STATUSES,
    UNKNOWN,
    Row,
    Survey,
)
from gafreecell.solitaire.abilities import Rates
from gafreecell.solitaire.game import Game
from gafreecell.solving.outcome import Status
from gafreecell.solving.weights import Weights
from gafreecell.workers.chosen import Workers

SAVED_SECONDS = 60.0
"""How often unfinished shards are saved. More is lost only if the process is killed."""
LOCK = "lock"


def decide(
    survey: Survey, left: Mapping[range, Sequence[int]], workers: Workers
) -> Generator[Row, None, None]:
    """Decide the deals that are in no file yet or wait in one; yields each one's row as it comes.

    Shards are written as they fill. If the generator is closed or fails, it saves what there is.
    A slow deal holds up its own shard alone.

    Args:
        survey: the survey.
        left: what it has left, as ``survey.left()`` says.
        workers: who solves.

    Raises:
        WorkersError: if there are no workers, or they cannot do the work.
    """
    deals = (GivenDeal(shard[at], shard[at]) for shard, places in left.items() for at in places)
    work = partial(rows_of, survey.weights, survey.game, survey.columns)
    shards, files = [*left], survey.files()
    starts = [shard.start for shard in shards]
    waits = (UNKNOWN,) * len(survey.columns)
    # Of the shards at work, what is known, and how many deals are left.
    rows: dict[range, list[Row]] = {}
    open_deals: dict[range, int] = {}
    saved = time.monotonic()

    def save() -> None:
        for shard, kept in rows.items():
            survey.keep(shard, kept)

    with closing(spread(deals, work, survey.game, workers, in_order=False)) as found:
        try:
            for deal, row in found:
                number: int = deal.board
                shard = shards[bisect_right(starts, number) - 1]
                if shard not in rows:
                    rows[shard] = survey.begun(shard, files)
                    open_deals[shard] = len(left[shard])
                kept, at = rows[shard], number - shard.start
                kept += [waits] * (at + 1 - len(kept))
                kept[at] = row
                open_deals[shard] -= 1
                if not open_deals[shard]:
                    survey.keep(shard, rows.pop(shard), files)
                elif time.monotonic() - saved > SAVED_SECONDS:
                    save()
                    saved = time.monotonic()
                yield row
        finally:
            save()


def rows_of(
    weights: Weights, game: Game, columns: Sequence[str], first: int, piece: Sequence[GivenDeal]
) -> list[Row]:
    """The values of a survey's columns for a few deals; each solution is replayed.

    If neither nodes nor lengths are asked for, other solvers go on where this one gives up.

    Args:
        weights: the solver, with its limits.
        game: in its variant.
        columns: of the survey.
        first: ignored, as no deal's row depends on its place.
        piece: the deals, by number.
    """
    found = []
    for deal, outcome in zip(piece, solved(weights, game, weights.limits, piece), strict=True):
        if GENERATED not in columns:
            outcome = pursued(outcome, game, weights.limits, deal)
        row = {STATUS: STATUSES.index(outcome.status), GENERATED: outcome.nodes.generated}
        row |= outcome.lengths or {}
        if GRADE in columns and isinstance(game, Rates) and outcome.status is Status.SOLVED:
            grade = game.rate(deal.board).grade
            row[GRADE] = UNKNOWN if grade is None else grade
        if CELLS in columns:
            least = least_cells_of(deal.board, weights, game, weights.limits)
            row[CELLS] = least.cells if least.proved and least.cells is not None else UNKNOWN
        found.append(tuple(row.get(name, UNKNOWN) for name in columns))
    return found


def differences(survey: Survey, sample: int, workers: Workers) -> Iterator[tuple[int, Row, Row]]:
    """Decide some deals of a complete survey again; yields what the files say otherwise.

    Args:
        survey: the survey.
        sample: how many deals; a generator with a fixed seed draws them.
        workers: who solves.

    Yields:
        The number of a deal, its row in the file, and the row now.
    """
    draw = np.random.default_rng(np.random.SeedSequence(0, spawn_key=(len(survey),)))
    places = np.sort(draw.choice(len(survey), min(sample, len(survey)), replace=False))
    drawn, before = list[int](), list[Row]()
    passed = 0
    for shard in survey.shards:
        low, high = np.searchsorted(places, (passed, passed + len(shard)))
        here = places[low:high] - passed
        passed += len(shard)
        if len(here):
            columns = survey.read(shard)
            before += zip(*(columns[name][here].tolist() for name in survey.columns), strict=True)
            drawn += [shard[place] for place in here.tolist()]
    work = partial(rows_of, survey.weights, survey.game, survey.columns)
    again = spread((GivenDeal(n, n) for n in drawn), work, survey.game, workers)
    for (deal, now), then in zip(again, before, strict=True):
        if now != then:
            yield int(deal.name), then, now


@contextmanager
def alone(survey: Survey) -> Iterator[None]:
    """Keep other processes out of a survey's folder.

    Raises:
        InputError: if one is at work there.
    """
    survey.folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(survey.folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(f"{survey.folder} is in use by another process: wait for it") from None
    try:
        yield
    finally:
        lock.release()
