"""How many deals solvers solve within how many nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gafreecell.figures.style import LEGEND_OUTSIDE, FigureError, colours, new_axes, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TICKS = (0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999, 0.99999)


@dataclass(frozen=True)
class CactusCurve:
    """One solver.

    Attributes:
        label: its name.
        nodes: of the deals it solved, ascending, shape ``(solved,)``.
        share: share of all deals solved within so many nodes, shape ``(solved,)``.
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
    """What ``cactus`` draws.

    Attributes:
        curves: a curve a solver, the one that solves most first.
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
    if not results:
        raise FigureError("a cactus plot needs the results of at least one solver")
    if deals < 1:
        raise FigureError(f"a cactus plot needs at least one deal, got {deals}")
    curves = []
    for label, counts in results.items():
        if len(counts) > deals:
            raise FigureError(f"{label} solved {len(counts)} deals of only {deals}")
        nodes = np.sort(np.array(counts, np.int64))
        curves.append(CactusCurve(label, nodes, np.arange(1, len(nodes) + 1) / deals))
    return CactusData(tuple(sorted(curves, key=lambda curve: -curve.solved)), deals)


def cactus(
    results: Mapping[str, Sequence[int]],
    deals: int,
    limit: int | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the share of deals that solvers solve within a number of nodes.

    A cactus plot with its axes exchanged, so that it reads as a question: with
    so many nodes a deal, how much gets solved? Higher and further left is
    better. The share's axis stretches towards 100 % (each tenfold drop of what
    remains unsolved takes the same height), or solvers that solve 99 % and
    99.9 % would look the same.

    Args:
        results: for each solver, by name, the nodes of the deals it solved, in any order.
        deals: how many deals each was given, solved or not.
        limit: the budget of nodes for each deal, drawn as a dashed line.
        axes: where to draw; new ones by default.

    Returns:
        The axes.

    Raises:
        FigureError: if there is no solver, no deal, or more solved deals than deals.
    """
    data = cactus_data(results, deals)
    if axes is None:
        (axes,) = new_axes(1, 9, 4.8)
    full = 1 - 0.5 / deals
    for curve, tint in zip(data.curves, colours(len(data.curves)), strict=True):
        nodes = np.maximum(curve.nodes, 1).astype(np.float64)
        share = np.minimum(curve.share, full)
        if limit is not None:
            # Up to the limit it is known that nothing more was solved.
            nodes = np.append(nodes, max(limit, nodes.max(initial=1)))
            share = np.append(share, share.max(initial=0))
        label = (
            f"{curve.label}\nsolved {curve.solved:,} of {deals:,} ({_percent(curve.solved, deals)})"
        )
        axes.plot(nodes, share, color=tint, linewidth=1.8, drawstyle="steps-post", label=label)
    axes.set_xscale("log")
    _stretch(axes, full, max(min(curve.solved / deals, full) for curve in data.curves))
    if limit is not None:
        axes.axvline(
            limit,
            color="0.3",
            linestyle="--",
            linewidth=1.2,
            label=f"limit: {limit:,} nodes a deal",
        )
    tidy(axes)
    axes.set_xlabel("nodes (states generated) for a deal, log scale")
    axes.set_ylabel("share of deals solved within so many nodes")
    axes.set_title(f"Deals solved against nodes, {deals:,} deals", loc="left")
    axes.legend(labelspacing=1, **LEGEND_OUTSIDE)
    return axes


def _percent(solved: int, deals: int) -> str:
    """A share in percent, rounded down: 100 % says that nothing is missing."""
    return "100 %" if solved == deals else f"{solved * 10_000 // deals / 100:.2f} %"


def _stretch(axes: Axes, full: float, top: float) -> None:
    """Give shares a scale on which 90 %, 99 % and 99.9 % lie equally far apart.

    Args:
        axes: the axes.
        full: where 100 % is drawn, which would lie infinitely far.
        top: the largest share to show.
    """

    def rise(share: NDArray[np.float64]) -> NDArray[np.float64]:
        return -np.log10(1 - np.minimum(share, 1 - 1e-9))

    def fall(height: NDArray[np.float64]) -> NDArray[np.float64]:
        return 1 - 10.0 ** -np.asarray(height)

    axes.set_yscale("function", functions=(rise, fall))
    above = float(rise(np.array(max(top, 0.1))))
    marks = [tick for tick in _TICKS if rise(np.array(tick)) < above + 0.01]
    labels = [f"{100 * mark:g} %" for mark in marks]
    if top == full:
        while marks[1:] and above - rise(np.array(marks[-1])) < 0.2:
            marks.pop(), labels.pop()
        marks.append(full)
        labels.append("100 %")
    axes.set_yticks(marks, labels)
    axes.set_ylim(0, float(fall(np.array(1.04 * above))))
