"""The cactus plot: how many deals solvers solve within a number of nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from deals.checks import expected, whole_number
from deals.words import plural
from gafreecell.figures.style import (
    LEGEND_OUTSIDE,
    LEGEND_WIDTH,
    FigureError,
    caption,
    colours,
    literal,
    new_axes,
    tidy,
    wrapped,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TICKS = (0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999, 0.99999)


@dataclass(frozen=True)
class CactusCurve:
    """One solver.

    Attributes:
        label: its name.
        nodes: nodes of the deals it solved, ascending, shape ``(solved,)``.
        share: share of all deals solved within that many nodes, shape ``(solved,)``.
    """

    label: str
    nodes: NDArray[np.int64]
    share: NDArray[np.float64]

    @property
    def solved(self) -> int:
        """Deals it solved."""
        return len(self.nodes)


@dataclass(frozen=True)
class CactusData:
    """What ``plot_cactus`` draws.

    Attributes:
        curves: one curve a solver; the solver that solves most is first.
        deals: how many deals each was given.
    """

    curves: tuple[CactusCurve, ...]
    deals: int


def cactus_data(results: Mapping[str, Sequence[int]], deals: int) -> CactusData:
    """Shares of deals solved against nodes.

    Args:
        results: for each solver, by name, the nodes of the deals it solved, in any order.
        deals: how many deals each was given, solved or not.

    Raises:
        FigureError: if there is no solver, no deal, or more solved deals than deals.
    """
    expected(
        results, Mapping, "results must map solvers to the nodes of the deals they solved",
        FigureError,
    )  # fmt: skip
    deals = whole_number(deals, "deals", FigureError)
    if not results:
        raise FigureError("a cactus plot needs the results of at least one solver")
    if deals < 1:
        raise FigureError(f"a cactus plot needs at least one deal, got {deals}")
    curves = []
    for label, counts in results.items():
        if not isinstance(counts, Sequence | np.ndarray) or isinstance(counts, str):
            raise FigureError(f"{label}: expected a list of nodes, got {counts!r:.60}")
        if len(counts) > deals:
            raise FigureError(f"{label} solved {plural(len(counts), 'deal')} of only {deals}")
        nodes = np.sort(np.array(counts, np.int64))
        curves.append(CactusCurve(label, nodes, np.arange(1, len(nodes) + 1) / deals))
    return CactusData(tuple(sorted(curves, key=lambda curve: -curve.solved)), deals)


@literal
def plot_cactus(
    results: Mapping[str, Sequence[int]],
    deals: int,
    limit: int | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the share of deals that solvers solve within a number of nodes.

    This is a cactus plot with its axes exchanged. It answers: with so many nodes a deal, what
    share is solved? Higher and further left is better. The axis of shares is stretched towards
    100 %: each tenfold drop of the unsolved share takes the same height. Otherwise solvers that
    solve 99 % and 99.9 % would look the same.

    Args:
        results: for each solver, by name, the nodes of the deals it solved, in any order.
        deals: how many deals each was given, solved or not.
        limit: the node budget of each deal, drawn as a dashed line.
        axes: where to draw; new ones by default.

    Returns:
        The axes.

    Raises:
        FigureError: if there is no solver, no deal, or more solved deals than deals.
    """
    data = cactus_data(results, deals)
    if limit is not None:
        limit = whole_number(limit, "limit", FigureError)
    # What solved nothing needs a larger budget: a line at 0 would say that it cannot do it.
    shown = [curve for curve in data.curves if curve.solved]
    labels = [
        f"{wrapped(curve.label, LEGEND_WIDTH)}\n"
        f"solved {curve.solved:,} of {deals:,} ({percent(curve.solved, deals)})"
        for curve in shown
    ]
    if axes is None:
        # A long legend would squeeze the panel beside it.
        lines = sum(label.count("\n") + 1 for label in labels)
        (axes,) = new_axes(1, 9, max(4.8, 0.8 + 0.17 * lines + 0.14 * len(labels)))
    full = 1 - 0.5 / deals
    top = max((min(curve.solved / deals, full) for curve in shown), default=0.0)
    first = min((int(curve.nodes[0]) for curve in shown), default=limit or 1)
    for curve, label, tint in zip(shown, labels, colours(len(labels)), strict=True):
        nodes = np.concatenate(([first], curve.nodes))
        share = np.concatenate(([0], np.minimum(curve.share, full)))
        if limit is not None:
            # The curve ends at the limit, because nothing more was solved up to there.
            nodes = np.append(nodes, max(limit, nodes[-1]))
            share = np.append(share, share[-1])
        # A deal that needed no node at all would vanish from a log scale.
        axes.plot(np.maximum(nodes, 1), share, color=tint, drawstyle="steps-post", label=label)
    axes.set_xscale("log")
    stretch(axes, full, top)
    if limit is not None:
        text = f"limit: {plural(limit, 'node')} a deal"
        axes.axvline(limit, color="0.3", linestyle="--", linewidth=1.2, label=text)
    tidy(axes, f"Share of {plural(deals, 'deal')} solved within a number of nodes")
    axes.set_xlabel("nodes (states generated) spent on a deal, log scale")
    axes.set_ylabel("share of deals solved\n(scale stretched towards 100 %)")
    if axes.lines:
        axes.legend(labelspacing=1, **LEGEND_OUTSIDE)
    within = f"within {plural(limit, 'node')}: it may need more" if limit else "of these deals"
    caption(axes, [f"{one.label} solves none {within}" for one in data.curves if not one.solved])
    return axes


def percent(solved: int, deals: int) -> str:
    """A share in percent, never rounded up to 100 %, so that 100 % means all."""
    return "100 %" if solved == deals else f"{min(100 * solved / deals, 99.99):.2f} %"


def stretch(axes: Axes, full: float, top: float) -> None:
    """Give shares a scale on which 90 %, 99 % and 99.9 % lie equally far apart.

    Args:
        axes: the axes.
        full: the share at which 100 % is drawn, since 1 would be infinitely far up.
        top: the largest share to show.
    """
    from matplotlib.ticker import MaxNLocator

    def rise(share: NDArray[np.float64]) -> NDArray[np.float64]:
        risen: NDArray[np.float64] = -np.log10(1 - np.minimum(share, 1 - 1e-9))
        return risen

    def fall(height: NDArray[np.float64]) -> NDArray[np.float64]:
        fallen: NDArray[np.float64] = 1 - np.power(10.0, np.negative(height))
        return fallen

    axes.set_yscale("function", functions=(rise, fall))
    span = float(rise(np.array(max(top, 0.01))))
    marks = [tick for tick in _TICKS if tick <= top]
    if top < 0.5:
        marks = [tick for tick in MaxNLocator(4).tick_values(0, top) if tick <= top]
    labels = [f"{100 * mark:g} %" for mark in marks]
    if top == full:
        while span - rise(np.array(marks[-1])) < 0.2:
            marks.pop()
        labels = [*labels[: len(marks)], "100 %"]
        marks.append(full)
    axes.set_yticks(marks, labels)
    # A little room below 0 keeps a solver that solves nothing off the axis.
    axes.set_ylim(*fall(np.array([-0.02, 1.04]) * span).tolist())
