"""``make survey-scale``: what a survey of all Microsoft deals costs, and what gives way first.

Reads what a survey measured (``out/million``) and simulates the rest: the process that collects the
rows, fed by workers that need no time; dask's scheduler with pieces that do nothing, few at a time
and all at once; and what crosses the network. Rates are by processor time, so they hold on a busy
machine. Writes the table in docs/solve/lists.md.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import psutil
from cloudpickle import dumps
from pages import fill

from gafreecell.service import spreading
from gafreecell.service.inputs import GivenDeal
from gafreecell.service.survey import Survey, read_survey
from gafreecell.service.surveying import rows_of
from gafreecell.terminal.tables import table
from gafreecell.workers.chosen import Workers

PAGE = Path("docs/solve/lists.md")
SURVEY = Path("out/million")
ALL = 2**31 - 1
DEALS = 400_000
AT_ONCE = (1000, 10_000, 100_000)


def same(rows: list[tuple[int, ...]], first: int, piece: list[GivenDeal]) -> list[tuple[int, ...]]:
    """Rows that were found before, for deals that nobody decides."""
    return rows[: len(piece)]


def collected(survey: Survey, rows: list[tuple[int, ...]], workers: Workers, deals: int) -> float:
    """Deals a second that one process takes from workers which need no time, and writes."""
    began = time.process_time()
    found = spreading.spread(
        (GivenDeal(n, n) for n in range(1, deals + 1)), partial(same, rows), survey.game, workers
    )
    with tempfile.TemporaryDirectory() as folder:
        written = replace(survey, folder=Path(folder), deals=(range(1, deals + 1),))
        for shard in written.shards:
            written.keep(shard, [row for _, row in islice(found, len(shard))])
    return deals / (time.process_time() - began)


def scheduled() -> Iterator[tuple[int, float, float]]:
    """For numbers of tasks handed to dask at once: tasks a second, and bytes a task."""
    from distributed import Client, LocalCluster

    process = psutil.Process()
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster, Client(cluster) as client:  # fmt: skip
        for tasks in AT_ONCE:
            before, began = process.memory_info().rss, time.process_time()
            futures = client.map(_nothing, range(tasks), key=[f"{tasks}-{n}" for n in range(tasks)])
            client.gather(futures)
            used = process.memory_info().rss - before
            yield tasks, tasks / (time.process_time() - began), used / tasks
            del futures


def _nothing(given: Any) -> None:
    return None


def main() -> None:
    """Measure, extrapolate, and write the table."""
    survey = read_survey(SURVEY)
    first = next(survey.shards)
    columns = survey.read(first)
    rows = [*zip(*(columns[name].tolist() for name in survey.columns), strict=True)]
    piece = [GivenDeal(n, n) for n in first[: spreading.PIECE]]
    work = partial(rows_of, survey.weights, survey.game, survey.columns)
    began = time.process_time()
    rows_of(survey.weights, survey.game, survey.columns, 0, piece)
    began = time.process_time()
    rows_of(survey.weights, survey.game, survey.columns, 0, piece)
    each = (time.process_time() - began) / len(piece)
    shards = [survey.file(shard).stat().st_size for shard in survey.shards]
    stored = sum(shards) / len(survey)
    back, out = len(dumps(rows[: len(piece)])) / len(piece), len(dumps((work, piece)))
    gathered = collected(survey, rows, Workers(1), DEALS)
    through = collected(survey, rows, Workers(1, "dask"), DEALS // 4)
    told = [
        ["deciding a deal, replay included", f"{1e6 * each:.0f} us"],
        ["a deal in the files", f"{stored:.2f} bytes"],
        ["what a worker sends back for a deal", f"{back:.1f} bytes"],
        ["what goes out with a piece of 1,024 deals", f"{out:,} bytes"],
        ["what one process collects, from threads", f"{gathered:,.0f} deals/s"],
        ["the same through dask", f"{through:,.0f} deals/s"],
    ]
    whole = [
        f"{ALL * each / 3600:,.0f} core hours",
        f"{ALL * stored / 1e9:.1f} GB in {ALL // survey.size + 1:,} files",
        f"{ALL * back / 1e9:.0f} GB",
        f"{ALL / len(piece) * out / 1e9:.0f} GB",
        f"{ALL / gathered / 3600:.1f} hours: keeps up with {gathered * each:.0f} workers",
        f"{ALL / through / 3600:.1f} hours: keeps up with {through * each:.0f} workers",
    ]
    told = [[*row, all_deals] for row, all_deals in zip(told, whole, strict=True)]
    pieces = ALL / spreading.PIECE
    for tasks, rate, memory in scheduled():
        told.append(
            [
                f"dask, {tasks:,} empty tasks at once",
                f"{rate:,.0f} tasks/s, {memory / 1000:.1f} kB a task",
                f"{pieces / 1e6:.1f} million pieces: {pieces / rate / 3600:.1f} hours, "
                f"{pieces * memory / 1e9:.0f} GB if all at once",
            ]
        )
    fill(
        "survey-scale",
        table(["what", "measured", "for 2,147,483,647 deals"], told, right=False),
        PAGE,
    )


if __name__ == "__main__":
    main()
