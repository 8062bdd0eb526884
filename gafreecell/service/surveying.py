"""Decides the deals of a survey, as many as are left, and decides a sample of them again."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from filelock import FileLock, Timeout

from gafreecell.service.inputs import GivenDeal, InputError, board_of, numbers_of
from gafreecell.service.least_cells import least_cells_of
from gafreecell.service.solvers import pursued, solved
from gafreecell.service.spreading import spread
from gafreecell.service.survey import (
    CELLS,
    GENERATED,
    GRADE,
    LOCK,
    SOLVED,
    STATUS,
    STATUSES,
    UNKNOWN,
    Files,
    Row,
    Survey,
)
from gafreecell.solitaire.abilities import Rates
from gafreecell.solitaire.game import Game
from gafreecell.solving.weights import Weights
from gafreecell.workers.chosen import Workers

SAVED_SECONDS = 60.0
"""How often unfinished shards are saved. More is lost only if the process is killed."""


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
    shards, files = [*left], survey.files()
    for shard in shards:
        if not left[shard]:
            # None of its deals can be won, so none waits to be graded.
            survey.keep(shard, survey.begun(shard, files), files)
    deals = (deal for shard in shards for deal in _given(survey, shard, left[shard], files))
    work = partial(rows_of, survey.weights, survey.game, survey.columns)
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
                    # If this is interrupted, the rows are saved again in the end.
                    survey.keep(shard, kept, files)
                    del rows[shard]
                elif time.monotonic() - saved > SAVED_SECONDS:
                    save()
                    saved = time.monotonic()
                yield row
        finally:
            save()


@dataclass(frozen=True)
class _Decided(GivenDeal):
    """A deal that lacks nothing but its grade.

    Attributes:
        row: what is known of it.
    """

    row: Row = ()


def _given(
    survey: Survey, shard: range, places: Sequence[int], files: Files
) -> Iterator[GivenDeal]:
    """The deals at some places of a shard."""
    rows = survey.begun(shard, files)
    for at in places:
        number = shard[at]
        decided = at < len(rows) and rows[at][0] != UNKNOWN
        yield _Decided(number, number, row=rows[at]) if decided else GivenDeal(number, number)


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
    if numbers_of(game):
        # Only the game knows these numbers: solvers take its boards.
        piece = [replace(deal, board=board_of(deal, game)) for deal in piece]
    fresh = [deal for deal in piece if not isinstance(deal, _Decided)]
    outcomes = iter(solved(weights, game, weights.limits, fresh))
    for deal in piece:
        if isinstance(deal, _Decided):
            row = dict(zip(columns, deal.row, strict=True))
        else:
            outcome = next(outcomes)
            if GENERATED not in columns:
                outcome = pursued(outcome, game, weights.limits, deal)
            row = {STATUS: STATUSES.index(outcome.status), GENERATED: outcome.nodes.generated}
            row |= outcome.lengths or {}
            if CELLS in columns:
                least = least_cells_of(deal.board, weights, game, weights.limits)
                row[CELLS] = least.cells if least.proved and least.cells is not None else UNKNOWN
        if GRADE in columns and isinstance(game, Rates) and row[STATUS] == SOLVED:
            grade_winnable = getattr(game, "grade_winnable", lambda board: game.rate(board).grade)
            row[GRADE] = grade_winnable(deal.board) or UNKNOWN
        found.append(tuple(row.get(name, UNKNOWN) for name in columns))
    return found


def decided_again(
    survey: Survey, sample: int, workers: Workers
) -> Generator[tuple[int, Row, Row], None, None]:
    """Decide some deals of a complete survey again.

    Args:
        survey: the survey.
        sample: how many deals, at most all; a generator with a fixed seed draws them, one of each
            file first unless there are more files.
        workers: who solves.

    Yields:
        The number of a deal, its row in the file, and the row now.
    """
    draw = np.random.default_rng(np.random.SeedSequence(0, spawn_key=(len(survey),)))
    shards = [*survey.shards]
    sizes = np.array([len(shard) for shard in shards])
    ends = np.cumsum(sizes)
    of_each = ends - draw.integers(sizes) - 1 if len(shards) <= sample else ()
    others = draw.choice(len(survey), sample, replace=False)
    places = np.sort([*dict.fromkeys([*of_each, *others])][:sample])
    drawn, before = list[int](), list[Row]()
    for shard, start, end in zip(shards, ends - sizes, ends, strict=True):
        low, high = np.searchsorted(places, (start, end))
        here = places[low:high] - start
        if len(here):
            columns = survey.read(shard)
            before += zip(*(columns[name][here].tolist() for name in survey.columns), strict=True)
            drawn += [shard[place] for place in here.tolist()]
    work = partial(rows_of, survey.weights, survey.game, survey.columns)
    again = spread((GivenDeal(n, n) for n in drawn), work, survey.game, workers)
    for (deal, now), then in zip(again, before, strict=True):
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
