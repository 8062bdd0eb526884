"""A figure: how the best weights of runs got better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gafreecell.figures import LoggedRun

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_champions(runs: Sequence[LoggedRun]) -> Axes:
    """Draw the validation value of the best weights so far, a line a run."""
    # Not pyplot, which keeps every figure; and no sooner than a figure is drawn.
    from matplotlib.figure import Figure

    axes = Figure(figsize=(8, 4), layout="constrained").subplots()
    for run in runs:
        values = [line["validation"]["value"] for line in run.lines]
        axes.step(range(1, len(values) + 1), values, where="post", label=run.label)
    axes.set_xlabel("generation")
    axes.set_ylabel("validation value of the best weights\n(smaller is better)")
    axes.legend()
    return axes
