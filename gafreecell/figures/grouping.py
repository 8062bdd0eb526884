"""Runs as figures draw them: those of one job together, under one name."""

from __future__ import annotations

from collections.abc import Sequence

from gafreecell.comparing.groups import GroupError, by_job
from gafreecell.figures.style import FigureError, LoggedRun
from gafreecell.runs.record import Run

LEAST_RUNS = 3
"""Runs of a group that an interval of their mean needs; one of two is too wide to say anything."""


def grouped(runs: Sequence[LoggedRun]) -> list[tuple[str, list[LoggedRun]]]:
    """Runs by job if any job has several; else each alone, under its own name.

    Not a mapping: runs in different places may have one name.

    Raises:
        FigureError: if two are of one job with one seed.
    """
    of_jobs = [run for run in runs if isinstance(run, Run)]
    try:
        groups = by_job(of_jobs) if len(of_jobs) == len(runs) else []
    except GroupError as error:
        raise FigureError(str(error)) from None
    if any(len(group.runs) > 1 for group in groups):
        return [(group.name, [*group.runs]) for group in groups]
    return [(run.label, [run]) for run in runs]
