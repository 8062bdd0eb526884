"""Fitness of both populations over the generations, for one run or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gafreecell.comparing.statistics import student
from gafreecell.evolution.measures.relative import Relative
from gafreecell.figures.panels import Band, Curve, Panel, draw
from gafreecell.figures.style import (
    LABEL_WIDTH,
    LEAST_RUNS,
    LEGEND_OUTSIDE,
    LEGEND_WIDTH,
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
    panels_of,
    runs_of,
    subtitle,
    tidy,
    titled,
    wrapped,
)
from gafreecell.installed import plugins

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gafreecell.evolution.job import Job
    from gafreecell.figures.style import Panels

RED_QUEEN = (
    "Solvers and deals evolve against each other: a curve may fall while the solvers get better."
)
ELSEWHERE = 'The figure "progress" shows how good solvers are on the same deals throughout.'
"""What a figure adds to that; a page shows the champion on the validation deals beside it."""
UNKNOWN = "fitness"
"""Label of the axis if the measure is unknown, or differs between runs."""
WIDE_SPREAD = 100
"""Problems get a log scale if their largest fitness exceeds the smallest by this factor: a deal
that no solver solved multiplies a problem's fitness by a thousand or more."""
MOST_BANDS = 3
"""Largest number of runs in a panel that are drawn with bands: more could not be told apart."""
BAND, WIDE_BAND = 0.22, 0.13
"""Opacity of the bands that hold the middle 50 % and 90 % of a population."""
INNER = 1 - (1 - BAND) * (1 - WIDE_BAND)
"""Opacity of the first on the second."""
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


def fitness_panels(runs: Runs) -> list[Panel]:
    """What ``plot_fitness`` draws: a panel of the solvers, and one of the problems if any evolve.

    Raises:
        FigureError: if there is no run, a log is empty, or two runs have the same job and seed.
    """
    chosen = [(name, members) for name, members in grouped(runs_of(runs))]
    names = [name for name, _ in chosen]
    data = [[fitness_data(run) for run in members] for _, members in chosen]
    every = [run for _, members in chosen for run in members]
    solvers = _panel(
        "fitness of the solvers on each generation's deals",
        f"{_label([_part('measure', run) for run in every])}\n(higher is better)",
        names,
        [[one.solvers for one in group] for group in data],
    )
    problems = [[one.problems for one in group if one.problems] for group in data]
    if not any(problems):
        return [solvers]
    without = [name for name, group in zip(names, problems, strict=True) if not group]
    title = "fitness of the problems, the sets of deals"
    if without:
        some = without[0] if len(without) == 1 else f"{len(without)} of the runs"
        title += f" (none in {some})"
    told = zip(every, (one for group in data for one in group), strict=True)
    schemes = [_part("scheme", run) for run, one in told if one.problems]
    floor = _log_floor([one for group in problems for one in group])
    scale = "\nlog scale" if floor else ""
    every_row = (one.rows for group in problems for one in group)
    least = -np.inf if any((rows < 0).any() for rows in every_row) else 0.0
    hints = {scheme.hint for scheme in schemes if scheme}
    below = _panel(title, f"{_label(schemes)}{scale}", names, problems, floor, least)
    bare = all(getattr(run, "job", None) is None for run in every)
    races = bare or any(scheme and scheme.adversarial for scheme in schemes)
    hint = hints.pop() if len(hints) == 1 else ""
    return [replace(solvers, note=RED_QUEEN if races else ""), replace(below, note=hint)]


@literal
def plot_fitness(runs: Runs, axes: Panels | None = None) -> tuple[Axes, ...]:
    """Draw fitness over the generations: solvers, and problems below them if they evolve, too.

    If both evolve, a curve may fall while its population gets better, because the other one gets
    better, too (the Red Queen of "Through the Looking-Glass" runs to stay in the same place).
    ``plot_progress`` measures solvers on deals that stay the same.

    Several runs share the axes, each in its colour. Runs of one job, which differ only in the
    seed, are drawn as their mean, with Student's 95 % interval of the mean of the best if there
    are three or more. Problems get a log scale if their fitness spans more than a factor of
    ``WIDE_SPREAD``; their means are then geometric.

    Args:
        runs: one run, or several to compare.
        axes: a panel for solvers, and one for problems if any; new ones by default.

    Returns:
        The solvers' axes and, if a run has problems, the problems'.

    Raises:
        FigureError: if there is no run, a log is empty, two runs have the same job and seed, or a
            panel is missing.
    """
    chosen = runs_of(runs)
    drawn = fitness_panels(chosen)
    panels = new_axes(len(drawn), 9, 3 * len(drawn) + 0.6) if axes is None else panels_of(axes)
    if len(panels) < len(drawn):
        raise FigureError(f"the fitness of these runs needs {len(drawn)} axes, got {len(panels)}")
    panels = panels[: len(drawn)]
    groups = grouped(chosen)
    tints = colours(len(groups))
    for place, (axes_of, panel) in enumerate(zip(panels, drawn, strict=True)):
        draw(axes_of, panel, tints, {"main": BEST, "second": MEAN})
        if panel.logs:
            axes_of.set_yscale("log")
        generation_ticks(axes_of)
        axes_of.margins(x=0.02)
        tidy(axes_of, headed(panel.title, [name for name, _ in groups]))
        axes_of.set_ylabel(panel.label)
        if panel.note:
            subtitle(axes_of, panel.note if place else f"{panel.note}\n{ELSEWHERE}")
    level = _median_level(chosen)
    if level is not None:
        panels[0].axhline(level, **LEVEL)
    _legend(
        panels[0], drawn[0], [titled(name, len(members)) for name, members in groups], tints, level
    )
    panels[-1].set_xlabel("generation")
    return panels


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


def _log_floor(populations: Sequence[Curves]) -> float | None:
    """The smallest fitness above 0 if the values need a log scale, else None."""
    values = np.concatenate([curves.rows.ravel() for curves in populations])
    positive = values[values > 0]
    if (values < 0).any() or not len(positive) or positive.max() <= WIDE_SPREAD * positive.min():
        return None
    return float(positive.min())


def _panel(
    title: str,
    label: str,
    names: Sequence[str],
    groups: Sequence[Sequence[Curves]],
    floor: float | None = None,
    least: float = -np.inf,
) -> Panel:
    """One population of each group that has it, on a log scale if a floor is given.

    No fitness can be below ``least``, so no interval reaches further down.
    """
    curves, bands = list[Curve](), list[Band]()
    there, back = (np.log, np.exp) if floor is not None else (np.positive, np.positive)
    for place, (name, runs) in enumerate(zip(names, groups, strict=True)):
        if not runs:
            continue
        at = common_generations(name, [run.generations for run in runs])
        rows = np.array([run.rows[:, np.isin(run.generations, at)] for run in runs])
        # A problem that no solver met has fitness 0, which a log scale cannot show.
        rows = there(np.maximum(rows, -np.inf if floor is None else floor))
        best, mean, q5, q25, _, q75, q95 = back(rows.mean(axis=0))
        prefix = "" if len(names) == 1 else f"{name}: "
        curves.append(Curve(f"{prefix}mean", place, "second", at, mean))
        curves.append(Curve(f"{prefix}best", place, "main", at, best))
        if len(names) > MOST_BANDS:
            continue
        if len(runs) >= LEAST_RUNS:
            low, high = back(np.transpose([student(column) for column in rows[:, 0].T]))
            low = np.maximum(low, least)
            bands.append(Band("95 % interval of\nthe runs' mean best", place, at, low, high, BAND))
        elif len(runs) == 1:
            if len(names) == 1:
                bands.append(Band("middle 90 %\nof the population", place, at, q5, q95, WIDE_BAND))
            bands.append(Band("middle 50 %\nof the population", place, at, q25, q75, BAND))
    return Panel(title, label, tuple(curves), tuple(bands), floor is not None)


def _legend(
    axes: Axes, panel: Panel, names: Sequence[str], tints: Sequence[str], level: float | None
) -> None:
    """Add a legend right of the data: the runs, and the meaning of lines and bands."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Line2D | Patch] = []
    tint = tints[0] if len(names) == 1 else "0.35"
    if len(names) > 1:
        for name, own in zip(names, tints, strict=True):
            handles.append(Line2D([], [], color=own, lw=4, label=wrapped(name, LEGEND_WIDTH)))
    handles.append(Line2D([], [], color=tint, label="best", **BEST))
    handles.append(Line2D([], [], color=tint, label="mean", **MEAN))
    opacities = {band.label: band.opacity for band in reversed(panel.bands)}
    for label, opacity in opacities.items():
        # The inner of two bands lies on the outer one.
        shown = opacity if len(opacities) == 1 or opacity == WIDE_BAND else INNER
        handles.append(Patch(color=tint, alpha=shown, lw=0, label=label))
    if level is not None:
        text = f"a solver at the median of\nevery deal (fitness.clip, {level:g})"
        handles.append(Line2D([], [], label=text, **LEVEL))
    axes.legend(handles=handles, **LEGEND_OUTSIDE)
