"""The ancestors of a run's champion, and the operators that made them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deals.words import plural
from gafreecell.figures.style import (
    COLOURS,
    LEGEND_OUTSIDE,
    FigureError,
    Runs,
    generation_ticks,
    literal,
    new_axes,
    only_run,
    subtitle,
    tidy,
    wrapped,
)
from gafreecell.runs.individuals import BIRTHS, INDIVIDUALS, rows
from gafreecell.runs.record import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Place = tuple[int, int]
"""A generation and a solver's place in it."""
KEPT = ("elite", "reproduction", "survival")
"""Operators that change nothing."""
UNKNOWN = "before the record"
"""Stands for the operator of solvers that the record begins with."""
_COLOURS = {
    "kept as it was": "0.7",
    "crossover": COLOURS[0],
    "mutation": COLOURS[1],
    "sampling": COLOURS[2],
    UNKNOWN: "0.4",
}


@dataclass(frozen=True)
class Lineage:
    """What ``plot_lineage`` draws.

    Attributes:
        champion: the solver whose ancestors these are.
        fitness: of the champion and each ancestor; larger is better.
        operators: what made each of them: the operator's name, ``sampling`` in the first
            generation, ``UNKNOWN`` where the record begins later.
        parents: of each of them, in the generation before, as far as the record goes.
        exact: whether the champion is a solver that was measured; else it is the mean of several,
            or a centre, and the fittest of its generation stands for it.
    """

    champion: Place
    fitness: Mapping[Place, float]
    operators: Mapping[Place, str]
    parents: Mapping[Place, tuple[Place, ...]]
    exact: bool


def lineage_data(runs: Runs) -> Lineage:
    """The ancestors of a run's champion, back to the first generation.

    Args:
        runs: one run, whose job's ``individuals`` asked for the record.

    Raises:
        FigureError: if it is not one run, or keeps no record.
    """
    run = only_run(runs, "lineages")
    if not isinstance(run, Run):
        raise FigureError(f"{run.label}: a log alone has no lineage: give a run")
    fitness: dict[Place, float] = {}
    champion, weights = run.best.generation, list(run.best.weights)
    found: list[tuple[bool, float, Place]] = []
    for row in rows(run.folder, INDIVIDUALS):
        place = int(row["generation"]), int(row["solver"])
        if place[0] <= champion:
            fitness[place] = float(row["fitness"])
            if place[0] == champion:
                same = [float(row[name]) for name in run.features] == weights
                found.append((same, fitness[place], place))
    births = {(int(row["generation"]), int(row["solver"])): row for row in rows(run.folder, BIRTHS)}
    if not found or not births:
        raise FigureError(
            f"{run.label} keeps no record of births: set individuals = true in its job, use a "
            "trainer that tells them (genetic, nsga-ii, cma-es, random), and run it again"
        )
    exact, _, first = max(found)
    operators: dict[Place, str] = {}
    parents: dict[Place, tuple[Place, ...]] = {}
    left = [first]
    while left:
        one = left.pop()
        if one in operators:
            continue
        birth = births.get(one)
        operators[one] = birth["operator"] if birth else "sampling" if one[0] == 1 else UNKNOWN
        told = [(one[0] - 1, int(at)) for at in birth["parents"].split()] if birth else []
        # The record may have gaps: a job can be told to keep it, and not to, at any time.
        parents[one] = tuple(parent for parent in told if parent in fitness)
        left += parents[one]
    return Lineage(first, {one: fitness[one] for one in operators}, operators, parents, exact)


@literal
def plot_lineage(runs: Runs, axes: Axes | None = None) -> Axes:
    """Draw the ancestors of a run's champion: their fitness, and the operators that made them.

    Args:
        runs: one run, whose job's ``individuals`` asked for the record.
        axes: where to draw; new ones by default.

    Raises:
        FigureError: if it is not one run, or keeps no record.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

    data = lineage_data(runs)
    if axes is None:
        (axes,) = new_axes(1, 8.4, 4.6)
    by_kind: dict[str, list[Place]] = {kind: [] for kind in _COLOURS}
    for one, operator in data.operators.items():
        by_kind.setdefault("kept as it was" if operator in KEPT else operator, []).append(one)
    # Trainers of one's own have operators of their own.
    own = [kind for kind in by_kind if kind not in _COLOURS]
    colours = {**_COLOURS, **{kind: COLOURS[3 + i % 3] for i, kind in enumerate(own)}}
    for kind, ones in by_kind.items():
        lines = [
            [(p[0], data.fitness[p]), (one[0], data.fitness[one])]
            for one in ones
            for p in data.parents[one]
        ]
        wide = 0.8 if kind == "kept as it was" else 1.1
        axes.add_collection(LineCollection(lines, colors=colours[kind], linewidths=wide, zorder=1))
        if ones:
            xs, ys = [one[0] for one in ones], [data.fitness[one] for one in ones]
            axes.scatter(xs, ys, s=9, color=colours[kind], zorder=2)
    at = data.champion[0], data.fitness[data.champion]
    axes.scatter(*at, s=90, marker="*", color="black", zorder=3)
    shown = [kind for kind, ones in by_kind.items() if ones]
    handles = [Line2D([], [], color=colours[kind], marker="o", markersize=3) for kind in shown]
    star = Line2D([], [], color="black", marker="*", linestyle="", markersize=9)
    axes.legend([*handles, star], [*shown, "the champion"], **LEGEND_OUTSIDE)
    tidy(axes, f"The champion's ancestors: {only_run(runs, 'lineages').label}")
    first = [one for one in data.operators if one[0] == 1]
    text = (
        f"{plural(len(data.operators), 'solver')} in {plural(data.champion[0], 'generation')}, "
        f"{len(first)} of them in the first; coloured by the operator that made them"
    )
    if not data.exact:
        text += "; the champion is a mean of solvers, and the fittest of its generation stands here"
    subtitle(axes, wrapped(text, 84))
    axes.set_xlabel("generation")
    axes.set_ylabel("fitness within its generation")
    generation_ticks(axes)
    return axes
