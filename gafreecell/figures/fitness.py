"""Fitness of both populations over the generations, for one run or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gafreecell.evolution.measures.relative import Relative
from gafreecell.figures.style import (
    LABEL_WIDTH,
    LEGEND_OUTSIDE,
    LEGEND_WIDTH,
    FigureError,
    LoggedRun,
    Runs,
    colours,
    generation_ticks,
    literal,
    logged_lines,
    new_axes,
    panels_of,
    runs_of,
    subtitle,
    tidy,
    wrapped,
)
from gafreecell.installed import plugins

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gafreecell.evolution.job import Job
    from gafreecell.figures.style import Panels

RED_QUEEN = (
    "Solvers and deals evolve against each other: a curve may fall while the solvers get better.\n"
    'The figure "progress" shows how good solvers are on the same deals throughout.'
)
UNKNOWN = "fitness"
"""Label of the axis if the measure is unknown, or differs between runs."""
WIDE_SPREAD = 100
"""Problems get a log scale if their largest fitness exceeds the smallest by this factor: a deal
that no solver solved multiplies a problem's fitness by a thousand or more."""
MOST_BANDS = 3
"""Largest number of runs in a panel that are drawn with bands: more could not be told apart."""
BAND, WIDE_BAND = 0.22, 0.13
"""Opacity of the bands that hold the middle 50 % and 90 % of a population."""
BEST: dict[str, Any] = {"linewidth": 1.6}
MEAN: dict[str, Any] = {"linewidth": 1.1, "linestyle": "--"}
LEVEL: dict[str, Any] = {"linewidth": 0.8, "color": "0.35", "linestyle": ":"}


@dataclass(frozen=True)
class Curves:
    """One population over the generations.

    Attributes:
        generations: shape ``(n,)``.
        best: the fittest individual's fitness, shape ``(n,)``.
        mean: shape ``(n,)``.
        quantiles: fitness at 5, 25, 50, 75 and 95 % of the population, shape ``(n, 5)``.
    """

    generations: NDArray[np.int64]
    best: NDArray[np.float64]
    mean: NDArray[np.float64]
    quantiles: NDArray[np.float64]

    @property
    def rows(self) -> NDArray[np.float64]:
        """Best, mean and the five quantiles, shape ``(7, n)``."""
        return np.vstack((self.best, self.mean, self.quantiles.T))


@dataclass(frozen=True)
class FitnessData:
    """What ``plot_fitness`` draws of a run.

    Attributes:
        label: the run's name.
        solvers: its solvers.
        problems: its problems, the sets of deals; None if the log has no fitness of them.
    """

    label: str
    solvers: Curves
    problems: Curves | None


def fitness_data(run: LoggedRun) -> FitnessData:
    """The fitness curves of a run.

    Raises:
        FigureError: if its log is empty.
    """
    lines = logged_lines(run)
    with_problems = [line for line in lines if _is_population(line.get("problems"))]
    problems = _curves(with_problems, "problems") if with_problems else None
    return FitnessData(run.label, _curves(lines, "solvers"), problems)


@literal
def plot_fitness(runs: Runs, axes: Panels | None = None) -> tuple[Axes, ...]:
    """Draw fitness over the generations: solvers, and problems below them if they evolve, too.

    If both evolve, a curve may fall while its population gets better, because the other one gets
    better, too (the Red Queen of "Through the Looking-Glass" runs to stay in the same place).
    ``plot_progress`` measures solvers on deals that stay the same.

    Several runs share the axes, each in its colour. Problems get a log scale if their fitness
    spans more than a factor of ``WIDE_SPREAD``.

    Args:
        runs: one run, or several to compare.
        axes: a panel for solvers, and one for problems if any; new ones by default.

    Returns:
        The solvers' axes and, if a run has problems, the problems'.

    Raises:
        FigureError: if there is no run, a log is empty, or a panel is missing.
    """
    chosen = runs_of(runs)
    data = [fitness_data(run) for run in chosen]
    needed = 2 if any(one.problems for one in data) else 1
    panels = new_axes(needed, 9, 3 * needed + 0.6) if axes is None else panels_of(axes)
    if len(panels) < needed:
        raise FigureError(f"the fitness of these runs needs {needed} axes, got {len(panels)}")
    tints, labels = colours(len(data)), [one.label for one in data]
    start = f"{labels[0]}: fitness" if len(data) == 1 else "Fitness"
    prefixes = [""] if len(data) == 1 else [f"{label}: " for label in labels]
    _panel(panels[0], [one.solvers for one in data], tints, prefixes, None)
    level = _median_level(chosen)
    if level is not None:
        panels[0].axhline(level, **LEVEL)
    _legend(panels[0], labels, tints, level)
    tidy(panels[0], f"{start} of the solvers on each generation's deals")
    measures = [_part("measure", run) for run in chosen]
    panels[0].set_ylabel(f"{_label(measures)}\n(higher is better)", fontsize="small")
    if needed == 2:
        problems = [one.problems for one in data]
        floor = _log_floor(problems)
        without = [one.label for one in data if not one.problems]
        _panel(panels[1], problems, tints, prefixes, floor)
        title = f"{start} of the problems, the sets of deals"
        if without:
            some = without[0] if len(without) == 1 else f"{len(without)} of the runs"
            title += f" (none in {some})"
        tidy(panels[1], title)
        schemes = [
            _part("scheme", run) for run, one in zip(chosen, data, strict=True) if one.problems
        ]
        scale = "\nlog scale" if floor else ""
        panels[1].set_ylabel(f"{_label(schemes)}{scale}", fontsize="small")
        bare = all(getattr(run, "job", None) is None for run in chosen)
        if bare or any(scheme and scheme.adversarial for scheme in schemes):
            subtitle(panels[0], RED_QUEEN)
    panels[needed - 1].set_xlabel("generation")
    return panels[:needed]


def _label(parts: Sequence[Any]) -> str:
    """An axis's label for the fitness of some measures or schemes; None stands for an unknown."""
    texts = {part.axis if part else UNKNOWN for part in parts}
    return wrapped(texts.pop() if len(texts) == 1 else UNKNOWN, LABEL_WIDTH)


def _part(kind: str, run: LoggedRun) -> Any:
    """A run's measure or scheme; None for a log without a job."""
    job: Job | None = getattr(run, "job", None)
    if job is None:
        return None
    try:
        return plugins.find(kind, job.fitness.measure if kind == "measure" else job.scheme)
    except plugins.PluginError:
        # A run can be read although its plug-ins are not installed.
        return None


def _median_level(runs: Sequence[LoggedRun]) -> float | None:
    """The ``relative`` fitness of a generation's median, if all runs use and share that."""
    jobs = [getattr(run, "job", None) for run in runs]
    if not all(job and job.fitness.measure == Relative.name for job in jobs):
        return None
    clips = {job.fitness.clip for job in jobs if job}
    return clips.pop() if len(clips) == 1 else None


def _is_population(told: Any) -> bool:
    """Whether this is what ``populations.quantiles`` makes: a scheme may tell the log others."""
    return isinstance(told, Mapping) and {"best", "mean", "quantiles"} <= told.keys()


def _curves(lines: Sequence[Mapping[str, Any]], population: str) -> Curves:
    parts = [line[population] for line in lines]
    return Curves(
        np.array([line["generation"] for line in lines], np.int64),
        np.array([part["best"] for part in parts], np.float64),
        np.array([part["mean"] for part in parts], np.float64),
        np.array([part["quantiles"] for part in parts], np.float64),
    )


def _log_floor(populations: Sequence[Curves | None]) -> float | None:
    """The smallest fitness above 0 if the values need a log scale, else None."""
    values = np.concatenate([curves.rows.ravel() for curves in populations if curves])
    positive = values[values > 0]
    if (values < 0).any() or not len(positive) or positive.max() <= WIDE_SPREAD * positive.min():
        return None
    return float(positive.min())


def _panel(
    axes: Axes,
    populations: Sequence[Curves | None],
    tints: Sequence[str],
    prefixes: Sequence[str],
    floor: float | None,
) -> None:
    """Draw one population of each run that has it, on a log scale if a floor is given."""
    for curves, tint, prefix in zip(populations, tints, prefixes, strict=True):
        if not curves:
            continue
        at = curves.generations.astype(np.float64)
        # A problem that no solver met has fitness 0, which a log scale cannot show.
        rows = np.maximum(curves.rows, -np.inf if floor is None else floor)
        if len(at) == 1:
            # A line needs two points: draw a single generation as wide as its column.
            at, rows = at[0] + np.array([-0.4, 0.4]), np.repeat(rows, 2, axis=1)
        best, mean, q5, q25, _, q75, q95 = rows
        if len(populations) == 1:
            axes.fill_between(at, q5, q95, color=tint, alpha=WIDE_BAND, linewidth=0)
        if len(populations) <= MOST_BANDS:
            axes.fill_between(at, q25, q75, color=tint, alpha=BAND, linewidth=0)
        axes.plot(at, mean, color=tint, label=f"{prefix}mean", **MEAN)
        axes.plot(at, best, color=tint, label=f"{prefix}best", **BEST)
    if floor is not None:
        axes.set_yscale("log")
    generation_ticks(axes)
    axes.margins(x=0.02)


def _legend(axes: Axes, labels: Sequence[str], tints: Sequence[str], level: float | None) -> None:
    """Add a legend right of the data: the runs, and the meaning of lines and bands."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Line2D | Patch] = []
    tint, band = tints[0], 1 - (1 - BAND) * (1 - WIDE_BAND)
    if len(labels) > 1:
        tint, band = "0.35", BAND
        for label, own in zip(labels, tints, strict=True):
            handles.append(Line2D([], [], color=own, lw=4, label=wrapped(label, LEGEND_WIDTH)))
    handles.append(Line2D([], [], color=tint, label="best", **BEST))
    handles.append(Line2D([], [], color=tint, label="mean", **MEAN))
    if len(labels) <= MOST_BANDS:
        handles.append(Patch(color=tint, alpha=band, lw=0, label="middle 50 %\nof the population"))
    if len(labels) == 1:
        text = "middle 90 %\nof the population"
        handles.append(Patch(color=tint, alpha=WIDE_BAND, lw=0, label=text))
    if level is not None:
        text = f"a solver at the median of\nevery deal (fitness.clip, {level:g})"
        handles.append(Line2D([], [], label=text, **LEVEL))
    axes.legend(handles=handles, **LEGEND_OUTSIDE)
