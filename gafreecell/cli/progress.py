"""Progress on stderr, where it is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gafreecell.cli.tables import rounded


def wanted(no_progress: bool) -> bool:
    """Whether to show progress: stderr is a terminal and nobody said not to."""
    return not no_progress and sys.stderr.isatty()


def display_of(*columns: Any) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True), transient=True)


@contextmanager
def counted(
    total: int, what: str, shown: bool, good: str = "solved", before: tuple[int, int] = (0, 0)
) -> Iterator[Any]:
    """A bar for so many deals; yields a function to call with those newly done and solved.

    Args:
        total: how many there are.
        what: they are called.
        shown: whether there is to be a bar.
        good: what messages call those solved.
        before: done and solved earlier.
    """
    if not shown:
        yield lambda done, solved: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    display = display_of(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    with display:
        bar = display.add_task(what, total=total, completed=before[0], note="")
        count = {"done": 0, "solved": before[1]}
        began = time.perf_counter()

        def advance(done: int, solved: int) -> None:
            count["done"] += done
            count["solved"] += solved
            rate = count["done"] / (time.perf_counter() - began)
            note = f"{count['solved']:,} {good}, {rounded(rate)} {what}/s, left"
            display.update(bar, advance=done, note=note)

        yield advance
