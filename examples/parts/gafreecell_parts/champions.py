"""A figure: how the best weights of runs improved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gafreecell.figures import LoggedRun

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_champions(runs: Sequence[LoggedRun]) -> Axes:
    """Draw the validation value of the best weights so far, with a line for each run."""
    # Not pyplot, which keeps every figure alive. Imported here, as only drawing needs it.
    from matplotlib.figure import Figure

    axes = Figure(figsize=(8, 4), layout="constrained").subplots()
    for run in runs:
        values = [line["validation"]["value"] for line in run.lines]
        axes.step(range(1, len(values) + 1), values, where="post", label=run.label)
    axes.set_xlabel("generation")
    axes.set_ylabel("validation value of the best weights\n(smaller is better)")
    axes.legend()
    return axes
