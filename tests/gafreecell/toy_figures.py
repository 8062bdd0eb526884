"""Figures of a third party, made for tests and registered as ``data/toy`` says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gafreecell.figures import LoggedRun


def plot_nodes(runs: Sequence[LoggedRun]) -> Axes:
    """Nodes that each generation took, a line a run."""
    axes: Axes = Figure().subplots()
    for run in runs:
        axes.plot([line["nodes"] for line in run.lines], label=run.label)
    axes.legend()
    return axes


def plot_nothing(runs: Sequence[LoggedRun]) -> Any:
    """A figure whose author forgot to return the axes."""
    plot_nodes(runs)
