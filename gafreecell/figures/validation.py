"""The champions of runs on their validation deals, generation by generation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gafreecell.comparing.statistics import Numbers, student
from gafreecell.evolution.validation import RANKINGS
from gafreecell.figures.panels import Band, Curve, Panel, draw
from gafreecell.figures.style import (
    LABEL_WIDTH,
    LEAST_RUNS,
    LEGEND_OUTSIDE,
    FigureError,
    LoggedRun,
    Runs,
    colours,
    common_generations,
    generation_ticks,
    grouped,
    headed,
    literal,
    logged_lines,
    new_axes,
    runs_of,
    subtitle,
    tidy,
    wrapped,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gafreecell.evolution.job import Job

BAND = 0.15
WIDE_SPREAD = 4
"""Values get a log scale if the largest exceeds the smallest by this factor: a single bad
candidate would squeeze the champion's curve."""
APART = (
    "These runs were validated on different deals, or in different ways, so these curves cannot be "
    "compared."
)
STYLES: dict[str, dict[str, Any]] = {
    "main": {"linewidth": 2.0},
    "faint": {"linewidth": 0.8, "alpha": 0.45},
}


@dataclass(frozen=True)
class ValidationData:
    """What ``plot_validation`` draws of a run of ``n`` generations.

    Attributes:
        label: the run's name.
        generations: shape ``(n,)``.
        champion: the value of the best weights so far, shape ``(n,)``.
        candidates: the value of each generation's best, shape ``(n,)``; NaN where it is unknown.
    """

    label: str
    generations: NDArray[np.int64]
    champion: Numbers
    candidates: Numbers


def validation_data(run: LoggedRun) -> ValidationData:
    """What a run's log says of its validation.

    Raises:
        FigureError: if it is empty, or says nothing of it.
    """
    lines = logged_lines(run)
    if not all(line.get("validation") for line in lines):
        raise FigureError(f"{run.label}: its log says nothing of validation deals")
    found = {line["generation"]: line["value"] for line in getattr(run, "validated", ())}
    generations = [line["generation"] for line in lines]
    return ValidationData(
        run.label,
        np.array(generations, np.int64),
        np.array([line["validation"]["value"] for line in lines], np.float64),
        np.array([found.get(generation, np.nan) for generation in generations], np.float64),
    )


def validation_panels(runs: Runs) -> list[Panel]:
    """What ``plot_validation`` draws.

    Raises:
        FigureError: as ``plot_validation``.
    """
    groups = [(n, [*map(validation_data, members)]) for n, members in grouped(runs_of(runs))]
    curves, bands = list[Curve](), list[Band]()
    for place, (name, members) in enumerate(groups):
        at = common_generations(name, [one.generations for one in members])
        values = np.array([one.champion[np.isin(one.generations, at)] for one in members])
        prefix = f"{name}: " if len(groups) > 1 else ""
        if len(members) >= LEAST_RUNS:
            low, high = np.transpose([student(column) for column in values.T])
            bands.append(Band("95 % interval of the mean", place, at, low, high, BAND))
        elif len(groups) == 1 and len(members) == 1:
            label = "each generation's best"
            curves.append(Curve(label, place, "faint", at, members[0].candidates))
        curves.append(
            Curve(f"{prefix}champion so far", place, "main", at, values.mean(axis=0), steps=True)
        )
    values = np.concatenate([curve.values for curve in curves])
    drawn = np.concatenate([values[np.isfinite(values)], *(band.low for band in bands)])
    logs = bool(drawn.min() > 0 and drawn.max() > WIDE_SPREAD * drawn.min())
    scale = ", log scale" if logs else ""
    label = f"{_value(runs_of(runs))}\n(lower is better{scale})"
    note = APART if len({_way(run) for run in runs_of(runs)}) > 1 else ""
    return [Panel("champion on the validation deals", label, (*curves,), (*bands,), logs, note)]


@literal
def plot_validation(runs: Runs, axes: Axes | None = None) -> Axes:
    """Draw how the best weights so far do on the validation deals, by which they are chosen.

    These deals stay the same throughout a run, so the curve never rises. As they choose the
    champion, it does a little better on them than on other deals: ``plot_progress`` shows those.
    Runs of one job, which differ only in the seed, are drawn as their mean, with Student's 95 %
    interval of it if there are three or more.

    Args:
        runs: one run, or several to compare.
        axes: where to draw; new ones by default.

    Raises:
        FigureError: if there is no run, a log is empty or without validation, or two runs have the
            same job and seed.
    """
    (panel,) = validation_panels(runs)
    if axes is None:
        (axes,) = new_axes(1, 9, 4.2)
    draw(axes, panel, colours(1 + max(curve.group for curve in panel.curves)), STYLES)
    if panel.logs:
        axes.set_yscale("log")
    generation_ticks(axes)
    axes.yaxis.set_major_formatter("{x:,.10g}")
    axes.yaxis.set_minor_formatter("{x:,.10g}")
    tidy(axes, headed(panel.title, [name for name, _ in grouped(runs_of(runs))]))
    if panel.note:
        subtitle(axes, panel.note)
    axes.set_ylabel(panel.label)
    axes.set_xlabel("generation")
    axes.legend(**LEGEND_OUTSIDE)
    return axes


def _way(run: LoggedRun) -> str:
    """On which deals, by which rules and how a run is validated; runs that differ in it are not to
    be compared.
    """
    job: Job | None = getattr(run, "job", None)
    if job is None:
        return ""
    way = replace(job.validation, candidate="")
    return repr(
        (job.game, job.variant, job.deals.validation, way, job.validation_limits(), job.phases)
    )


def _value(runs: list[LoggedRun]) -> str:
    """What the value is, if it is the same for all runs."""
    jobs = [job for run in runs if (job := getattr(run, "job", None)) is not None]
    told = {
        RANKINGS[job.validation.ranking][1].format(
            failure=job.validation.failure, shift=job.load_game().scales.nodes
        )
        for job in jobs
    }
    return wrapped(told.pop(), LABEL_WIDTH) if len(told) == 1 else "validation value"
