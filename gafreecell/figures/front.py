"""The Pareto fronts of a bi-objective run, generation by generation, on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gafreecell.comparing.fronts import rectangle, volume
from gafreecell.comparing.held_out import HeldOut
from gafreecell.evolution.measures.log_nodes import costs_of, unshifted
from gafreecell.evolution.trainers.nsga_ii import front
from gafreecell.figures.courses import deals_measured, limits_of, outcomes_of, whole
from gafreecell.figures.style import (
    LEGEND_OUTSIDE,
    FigureError,
    Runs,
    colours,
    job_of,
    literal,
    logged_lines,
    new_axes,
    only_run,
    subtitle,
    tidy,
)
from gafreecell.runs.front import shift_of, with_fronts
from gafreecell.solitaire.game import Deal
from gafreecell.workers.chosen import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 5
"""Generations that are drawn."""


@dataclass(frozen=True)
class Front:
    """A generation's front, on deals that are the same for all generations.

    Attributes:
        generation: its number.
        costs: for each solver that no other of its generation dominates there, the typical nodes
            (shifted geometric mean) and the mean length, shape ``(n, 2)``, from the fastest to the
            shortest.
        hypervolume: the share that it dominates of the rectangle around all fronts that are drawn.
    """

    generation: int
    costs: NDArray[np.float64]
    hypervolume: float


@dataclass(frozen=True)
class FrontData:
    """What ``draw_front`` draws.

    Attributes:
        label: the run's name.
        fronts: of some generations, ascending.
        held: the deals that all of them were measured on.
        limits: the search and budget in words.
    """

    label: str
    fronts: tuple[Front, ...]
    held: HeldOut
    limits: str


def front_data(
    runs: Runs,
    deals: str | Sequence[Deal] | None = None,
    jobs: Workers | int = -1,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    most: int = MOST,
) -> FrontData:
    """Solve held-out deals with the solvers of the fronts of some generations.

    A log has each front on the deals of its own generation, so these cannot be compared.

    Args:
        runs: one run with fronts, alone or in a list.
        deals: a set by name, a range, or numbers; by default deals that the run did not use.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them.
        on_progress: called as work comes back, with the number of tasks done and in all.
        most: how many generations, evenly spread, with the first and the last.

    Raises:
        FigureError: if it is not one run, the log is empty or alone, or the run has no fronts.
        BadInput: if there are no such deals.
    """
    run = only_run(runs, "the fronts")
    lines = [line for line in logged_lines(run) if "front" in line]
    if not lines:
        raise FigureError(
            f"{run.label}: only runs of the trainer {with_fronts()} have fronts; draw its fitness "
            "instead"
        )
    job = job_of(run)
    game = job.load_game()
    held = deals_measured(deals, [job], game)
    places = np.unique(np.linspace(0, len(lines) - 1, most).round().astype(int))
    solvers = {
        lines[place]["generation"]: [
            (job.evaluator(point["weights"]), *whole(job)) for point in lines[place]["front"]
        ]
        for place in places.tolist()
    }
    every = [*dict.fromkeys(one for found in solvers.values() for one in found)]
    outcomes = outcomes_of(every, held.deals, game, jobs, on_progress)
    budget = whole(job)[1].nodes
    costs = {
        generation: [costs_of(outcomes[one], budget, job.fitness, game.scales) for one in found]
        for generation, found in solvers.items()
    }
    kept = {generation: [found[at] for at in front(found)] for generation, found in costs.items()}
    best, reach = rectangle([one for found in kept.values() for one in found])
    shift = shift_of(job)
    return FrontData(
        run.label,
        tuple(
            Front(
                generation,
                np.array([(unshifted(nodes, shift), length) for nodes, length in found]),
                volume(found, best, reach),
            )
            for generation, found in kept.items()
        ),
        held,
        limits_of(job),
    )


def plot_front(
    runs: Runs,
    axes: Axes | None = None,
    deals: str | Sequence[Deal] | None = None,
    jobs: Workers | int = -1,
) -> Axes:
    """Draw the Pareto fronts of a run on the same deals, generation by generation.

    A generation's front consists of its solvers that no other dominates. Solving the deals takes a
    while: ``front_data`` takes the same arguments and has a progress callback, and ``draw_front``
    draws what it returns.

    Args:
        runs: one run with fronts, alone or in a list.
        axes: where to draw; new ones by default.
        deals, jobs: as for ``front_data``.

    Raises:
        FigureError, BadInput: as ``front_data``.
    """
    return draw_front(front_data(runs, deals, jobs), axes)


@literal
def draw_front(data: FrontData, axes: Axes | None = None) -> Axes:
    """Draw what ``front_data`` computed.

    Args:
        data: what to draw.
        axes: where to draw; new ones by default.

    Returns:
        The axes.
    """
    if axes is None:
        (axes,) = new_axes(1, 9, 4.8)
    from matplotlib.ticker import LogLocator, NullLocator

    for one, colour in zip(data.fronts, colours(len(data.fronts)), strict=True):
        label = f"generation {one.generation}: {one.hypervolume:.2f}"
        axes.plot(*one.costs.T, "o-", markersize=4, linewidth=1, color=colour, label=label)
    axes.set_xscale("log")
    # A front seldom spans a factor of ten, so ticks at powers of ten alone might show no number.
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:,.0f}")
    tidy(axes, f"{data.label}: Pareto fronts of nodes and solution length")
    new = "" if data.held.seen else ", which the run did not use"
    subtitle(
        axes,
        f"All on the same {len(data.held.deals):,} deals ({data.held.name}){new}; lower left is "
        f"better.\nSearch: {data.limits}.",
    )
    axes.set_xlabel("nodes of a typical deal (shifted geometric mean), log scale")
    axes.set_ylabel("mean solution length in moves")
    title = (
        "hypervolume, the share of\nthe area from the best values\nto the worst that it dominates"
    )
    legend = axes.legend(title=title, alignment="left", **LEGEND_OUTSIDE)
    legend.get_title().set_fontsize("small")
    return axes
