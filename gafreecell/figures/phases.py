"""What each phase of a schedule solves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deals.checks import whole_number
from deals.words import plural
from gafreecell.figures.cactus import percent, stretch
from gafreecell.figures.style import (
    LEGEND_OUTSIDE,
    FigureError,
    colours,
    literal,
    new_axes,
    tidy,
)
from gafreecell.solving.outcome import BEST_FIRST, Phase

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ALONE: dict[str, Any] = {"color": "0.45", "linestyle": "--", "linewidth": 1.2, "zorder": 1}


@dataclass(frozen=True)
class PhasesData:
    """What ``plot_phases`` draws.

    Attributes:
        nodes: for each phase the nodes of the deals that it solved, including those of earlier
            phases, ascending, shape ``(solved,)``.
        phases: the phases.
        alone: nodes of the deals that the first phase solves without a limit, ascending.
        deals: how many deals there are.
    """

    nodes: tuple[NDArray[np.int64], ...]
    phases: tuple[Phase, ...]
    alone: NDArray[np.int64]
    deals: int


def phases_data(
    results: Sequence[int], phases: Sequence[Phase], deals: int, alone: Sequence[int] = ()
) -> PhasesData:
    """Which phase of a schedule solved which deals.

    Args:
        results: the nodes of the deals that the schedule solved, in any order.
        phases: of the schedule.
        deals: how many deals it was given, solved or not.
        alone: the nodes of the deals that its first phase solved without a limit.

    Raises:
        FigureError: if there is no phase, no deal, or more solved deals than deals.
    """
    deals = whole_number(deals, "deals", FigureError)
    if not phases:
        raise FigureError("this figure needs a schedule: weights with several phases")
    if deals < 1:
        raise FigureError(f"this figure needs at least one deal, got {deals}")
    for solved in (results, alone):
        if len(solved) > deals:
            raise FigureError(f"{plural(len(solved), 'deal')} solved of only {deals}")
    # A phase ends with the state that reaches its limit, so sums of limits tell phases apart.
    ends = np.cumsum([phase.nodes or 0 for phase in phases[:-1]])
    nodes = np.sort(np.array(results, np.int64))
    parts = np.split(nodes, np.searchsorted(nodes, ends, side="right"))
    return PhasesData(tuple(parts), tuple(phases), np.sort(np.array(alone, np.int64)), deals)


@literal
def plot_phases(
    results: Sequence[int],
    phases: Sequence[Phase],
    deals: int,
    alone: Sequence[int] = (),
    axes: Axes | None = None,
    name: str = "",
    chosen: str = "",
) -> Axes:
    """Draw the share of deals that a schedule solves against nodes, a colour for each phase.

    A dashed line shows what the first phase solves without a limit, and so what the other phases
    gain. The axis of shares is stretched towards 100 %.

    Args:
        results: the nodes of the deals that the schedule solved, in any order.
        phases: of the schedule.
        deals: how many deals it was given, solved or not.
        alone: the nodes of the deals that its first phase solved without a limit.
        axes: where to draw; new ones by default.
        name: what the title calls the schedule.
        chosen: the name of the deals, for the title.

    Returns:
        The axes.

    Raises:
        FigureError: if there is no phase, no deal, no solved deal, or more of them than deals.
    """
    data = phases_data(results, phases, deals, alone)
    if not any(len(nodes) for nodes in (*data.nodes, data.alone)):
        who = f"{name} solved" if name else "the schedule solved"
        raise FigureError(f"{who} none of {plural(deals, 'deal')}, so there is nothing to draw")
    if axes is None:
        (axes,) = new_axes(1, 9, 4.8)
    full = 1 - 0.5 / deals
    before = 0
    end: tuple[list[int], list[float]] = [], []
    for number, (nodes, phase, tint) in enumerate(
        zip(data.nodes, data.phases, colours(len(data.phases)), strict=True), 1
    ):
        share = np.minimum(np.arange(before + 1, before + len(nodes) + 1) / deals, full)
        before += len(nodes)
        x, y = np.array([*end[0], *nodes]), np.array([*end[1], *share])
        if len(x):
            end = [int(x[-1])], [float(y[-1])]
        label = (
            f"phase {number}: {_rule(phase)}\n"
            f"solved {len(nodes):,} of {deals:,} ({percent(len(nodes), deals)})"
        )
        axes.plot(np.maximum(x, 1), y, color=tint, drawstyle="steps-post", label=label)
    if len(data.alone):
        share = np.minimum(np.arange(1, len(data.alone) + 1) / deals, full)
        label = f"phase 1 without a limit\nsolved {len(data.alone):,} of {deals:,}"
        axes.plot(np.maximum(data.alone, 1), share, drawstyle="steps-post", label=label, **ALONE)
    axes.set_xscale("log")
    top = max(before, len(data.alone), 1) / deals
    stretch(axes, full, min(top, full))
    which = f" ({chosen})" if chosen else ""
    whose = f"{name}: what its phases solve" if name else "What the phases of a schedule solve"
    tidy(axes, f"{whose} of {plural(deals, 'deal')}{which}")
    axes.set_xlabel("nodes (states generated) spent on a deal, log scale")
    axes.set_ylabel("share of deals solved\n(scale stretched towards 100 %)")
    axes.legend(labelspacing=1, **LEGEND_OUTSIDE)
    return axes


def _rule(phase: Phase) -> str:
    rule = "best first" if phase.rule == BEST_FIRST else "depths in turn"
    return f"{rule}, {'no limit' if phase.nodes is None else plural(phase.nodes, 'node')}"
