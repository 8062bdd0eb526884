"""The Pareto fronts of a bi-objective run: solution length against nodes, by generation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gafreecell.evolution.measures.log_nodes import unshifted
from gafreecell.figures.style import (
    LEGEND_OUTSIDE,
    FigureError,
    LoggedRun,
    Runs,
    colours,
    job_of,
    literal,
    logged_lines,
    new_axes,
    only_run,
    tidy,
)
from gafreecell.runs.front import shift_of, with_fronts

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class FrontData:
    """A generation's front.

    Attributes:
        generation: its number.
        costs: for each of its solvers the typical nodes (shifted geometric mean) and the mean
            length, shape ``(n, 2)``, from the fastest to the shortest.
    """

    generation: int
    costs: NDArray[np.float64]


def front_data(run: LoggedRun, most: int = 5) -> list[FrontData]:
    """The fronts of at most ``most`` generations, evenly spread, with the first and the last.

    Raises:
        FigureError: if it is a log alone, the log is empty or the run has no fronts.
    """
    lines = [line for line in logged_lines(run) if "front" in line]
    if not lines:
        raise FigureError(
            f"{run.label}: only runs of the trainer {with_fronts()} have fronts; draw its fitness "
            "instead"
        )
    places = np.unique(np.linspace(0, len(lines) - 1, most).round().astype(int))
    shift = shift_of(job_of(run))
    return [
        FrontData(
            lines[place]["generation"],
            np.array(
                [[unshifted(p["log_nodes"], shift), p["length"]] for p in lines[place]["front"]]
            ),
        )
        for place in places.tolist()
    ]


@literal
def plot_front(runs: Runs, axes: Axes | None = None) -> Axes:
    """Draw the Pareto fronts of a run, generation by generation.

    A generation's front consists of its solvers that no other dominates. It is measured on the
    generation's own deals, so fronts shift with their deals.

    Args:
        runs: one run with fronts, alone or in a list.
        axes: where to draw; new ones by default.

    Raises:
        FigureError: if it is not one run, the log is empty or the run has no fronts.
    """
    run = only_run(runs, "the fronts")
    data = front_data(run)
    if axes is None:
        (axes,) = new_axes(1, 9, 4.8)
    from matplotlib.ticker import LogLocator, NullLocator

    for one, colour in zip(data, colours(len(data)), strict=True):
        label = f"generation {one.generation}"
        axes.plot(*one.costs.T, "o-", markersize=4, linewidth=1, color=colour, label=label)
    axes.set_xscale("log")
    # A front seldom spans a factor of ten, so ticks at powers of ten alone might show no number.
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:,.0f}")
    tidy(axes, f"{run.label}: Pareto fronts of nodes and solution length")
    axes.set_xlabel("nodes of a typical deal (shifted geometric mean), log scale")
    axes.set_ylabel("mean solution length in moves")
    axes.legend(title="each on its own deals,\nlower left is better", **LEGEND_OUTSIDE)
    return axes
