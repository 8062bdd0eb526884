"""Fitness of both populations over the generations, of one run or of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gafreecell.figures.style import (
    LEGEND_OUTSIDE,
    FigureError,
    LoggedRun,
    colours,
    logged_lines,
    new_axes,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE_SPREAD = 100
"""Largest over smallest fitness above which hosts are drawn on a log scale: a deal
that no solver solved multiplies a host's fitness by a thousand or more."""
MOST_BANDS = 3
"""Runs in one panel whose bands can still be told apart."""
BAND, WIDE_BAND = 0.22, 0.13
"""Opacity of the bands that hold the middle 50 % and 90 % of a population."""


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


@dataclass(frozen=True)
class FitnessData:
    """What ``fitness`` draws of a run.

    Attributes:
        label: the run's name.
        solvers: its solvers.
        hosts: its hosts; None for a run without them.
    """

    label: str
    solvers: Curves
    hosts: Curves | None


def fitness_data(run: LoggedRun) -> FitnessData:
    """The fitness curves of a run.

    Raises:
        FigureError: if its log is empty.
    """
    lines = logged_lines(run)
    with_hosts = [line for line in lines if line["hosts"]]
    hosts = _curves(with_hosts, "hosts") if with_hosts else None
    return FitnessData(run.label, _curves(lines, "solvers"), hosts)


def fitness(
    runs: LoggedRun | Sequence[LoggedRun],
    axes: Axes | Sequence[Axes] | None = None,
    *,
    measure: str = "fitness",
) -> tuple[Axes, ...]:
    """Draw fitness over the generations: solvers, and hosts below if there are any.

    One run shows best, mean and spread of its populations. Several are drawn
    over each other, a colour each, so that they share both axes. Hosts get a
    log scale when their fitness spans more than ``WIDE_SPREAD``.

    Args:
        runs: one run, or several to compare.
        axes: where to draw: a panel for solvers and, if a run has hosts, one
            for them; new ones by default.
        measure: what the solvers' fitness is called on its axis.

    Returns:
        The solvers' axes and, if a run has hosts, the hosts'.

    Raises:
        FigureError: if there is no run, a log is empty, or a panel is missing.
    """
    chosen = [*runs] if isinstance(runs, Sequence) else [runs]
    if not chosen:
        raise FigureError("a figure of fitness needs at least one run")
    data = [fitness_data(run) for run in chosen]
    needed = 2 if any(one.hosts for one in data) else 1
    if axes is None:
        panels = new_axes(needed, 9, 3 * needed + 0.6)
    else:
        panels = tuple(axes) if isinstance(axes, Sequence) else (axes,)
    if len(panels) < needed:
        raise FigureError(f"the fitness of these runs needs {needed} axes, got {len(panels)}")

    tints = colours(len(data))
    of = f" of {data[0].label}" if len(data) == 1 else ""
    _panel(panels[0], [one.solvers for one in data], tints, None)
    _legend(panels[0], [one.label for one in data], tints)
    panels[0].set_title(f"Solvers{of}", loc="left")
    panels[0].set_ylabel(f"{measure}\n(higher is better)")
    if needed == 2:
        hosts = [one.hosts for one in data]
        floor = _log_floor(hosts)
        _panel(panels[1], hosts, tints, floor)
        without = ", ".join(one.label for one in data if not one.hosts)
        note = f" (none in {without})" if without else ""
        panels[1].set_title(f"Hosts{of}: sets of deals to solve{note}", loc="left")
        panels[1].set_ylabel(f"fitness{', log scale' if floor else ''}\n(higher is harder)")
    panels[needed - 1].set_xlabel("generation")
    return panels[:needed]


def _curves(lines: Sequence[Mapping[str, Any]], population: str) -> Curves:
    parts = [line[population] for line in lines]
    return Curves(
        np.array([line["generation"] for line in lines], np.int64),
        np.array([part["best"] for part in parts], np.float64),
        np.array([part["mean"] for part in parts], np.float64),
        np.array([part["quantiles"] for part in parts], np.float64),
    )


def _log_floor(populations: Sequence[Curves | None]) -> float | None:
    """The smallest fitness above 0 if the values call for a log scale, else None."""
    values = np.concatenate(
        [np.concatenate((c.best, c.mean, c.quantiles.ravel())) for c in populations if c]
    )
    positive = values[values > 0]
    if not len(positive) or positive.max() <= WIDE_SPREAD * positive.min():
        return None
    return float(positive.min())


def _panel(
    axes: Axes, populations: Sequence[Curves | None], tints: Sequence[str], floor: float | None
) -> None:
    """Draw one population of each run that has it, on a log scale if there is a floor."""
    from matplotlib.ticker import MaxNLocator

    for curves, tint in zip(populations, tints, strict=True):
        if curves:
            _draw(axes, curves, tint, -np.inf if floor is None else floor, len(populations))
    if floor is not None:
        axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.margins(x=0.02)
    tidy(axes)


def _draw(axes: Axes, curves: Curves, tint: str, floor: float, runs: int) -> None:
    at = curves.generations.astype(np.float64)
    # A host that nobody met has fitness 0, which a log scale cannot show.
    rows = np.maximum(np.vstack((curves.best, curves.mean, curves.quantiles.T)), floor)
    if len(at) == 1:
        # A line needs two points: draw a single generation as wide as its column.
        at, rows = at[0] + np.array([-0.4, 0.4]), np.repeat(rows, 2, axis=1)
    best, mean, low, lower, _, upper, high = rows
    if runs == 1:
        axes.fill_between(at, low, high, color=tint, alpha=WIDE_BAND, linewidth=0)
    if runs <= MOST_BANDS:
        axes.fill_between(at, lower, upper, color=tint, alpha=BAND, linewidth=0)
    axes.plot(at, mean, color=tint, linestyle="--", linewidth=1.4)
    axes.plot(at, best, color=tint, linewidth=1.8)


def _legend(axes: Axes, labels: Sequence[str], tints: Sequence[str]) -> None:
    """Right of the data: which run is which, and what lines and bands mean."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    several = len(labels) > 1
    tint = "0.35" if several else tints[0]
    handles: list[Line2D | Patch] = []
    if several:
        pairs = zip(labels, tints, strict=True)
        handles += [Line2D([], [], color=c, linewidth=4, label=label) for label, c in pairs]
    handles.append(Line2D([], [], color=tint, linewidth=1.8, label="best"))
    handles.append(Line2D([], [], color=tint, linewidth=1.4, linestyle="--", label="mean"))
    # The inner band lies over the outer one, so both show in its colour.
    dark = 1 - (1 - BAND) * (1 - WIDE_BAND)
    if len(labels) <= MOST_BANDS:
        handles.append(
            Patch(color=tint, alpha=BAND if several else dark, linewidth=0, label="middle 50 %")
        )
    if not several:
        handles.append(Patch(color=tint, alpha=WIDE_BAND, linewidth=0, label="middle 90 %"))
    axes.legend(handles=handles, **LEGEND_OUTSIDE)
