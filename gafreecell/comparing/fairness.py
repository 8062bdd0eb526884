"""What a reader of figures of runs must know, a main clause each: what lacks, and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

from deals.words import plural
from gafreecell.evolution.costs import in_all
from gafreecell.runs.environment import makers
from gafreecell.runs.record import Run
from gafreecell.solving.outcome import Limits

EVEN = 1.1
"""Up to this ratio, efforts count as the same."""


def incomplete(runs: Sequence[Run], gaps: Iterable[str] = ()) -> Iterator[str]:
    """What is not there yet.

    Args:
        runs: what is compared or drawn.
        gaps: which runs of a plan are not among them, as ``Study.gap`` says.
    """
    yield from gaps
    cut = [run for run in runs if not run.finished]
    if cut:
        told = [f"{run.folder} has done {run.generation:,} of "
                f"{plural(run.job.generations, 'generation')}" for run in cut[:3]]  # fmt: skip
        told += ["..."] * (len(cut) > 3)
        who = "the run" if len(runs) == 1 else f"{len(cut)} of {len(runs)} runs"
        yield f"{who} {'is' if len(cut) == 1 else 'are'} not finished: {', '.join(told)}"


def mixed(runs: Iterable[Run]) -> Iterator[str]:
    """What is not the same in all runs, although it may change their results."""
    known: dict[str, tuple[str, Path]] = {}
    told = set()
    for run in runs:
        for what, made in makers(run.folder).items():
            other, folder = known.setdefault(what, (made, run.folder))
            if other != made and what not in told:
                told.add(what)
                yield (
                    f"the runs were not made by the same {what}: {folder} by {other}, "
                    f"{run.folder} by {made}"
                )


def uneven_effort(groups: Iterable[tuple[str, Sequence[Run]]], last: bool = False) -> Iterator[str]:
    """Whether runs of one group cost more evaluations than those of another.

    Args:
        groups: names and runs, of each job.
        last: whether the last generation's weights are compared, which no validation chose.
    """
    named = [*groups]
    if not named:
        return
    whole = all(run.costs is not None for _, runs in named for run in runs)
    spent = [(fmean(_evaluations(run, whole, last) for run in runs), name) for name, runs in named]
    (least, low), (most, high) = min(spent), max(spent)
    if most > EVEN * least:
        yield (
            f"the effort was not the same: a run of {high} took {most:,.0f} evaluations on "
            f"average, one of {low} {least:,.0f}"
        )


def _evaluations(run: Run, whole: bool, last: bool) -> float:
    """All evaluations of a run; only those of its solvers if some log lacks the others."""
    if not whole or run.costs is None:
        return float(sum(line["evaluations"] for line in run.lines))
    return in_all(run.costs, last).evaluations


def uneven_budgets(limits: Iterable[Limits], what: str) -> Iterator[str]:
    """Whether solvers had different node budgets.

    Args:
        limits: of each solver.
        what: what the solvers are called, in the plural.
    """
    if len({limit.nodes for limit in limits}) > 1:
        yield (
            f"the {what} have different node budgets, so one with a larger budget may solve more "
            "deals, and one with a smaller budget may seem to need fewer nodes, for that reason "
            "alone: set one for all with --nodes N (nodes=N in Python)"
        )
