"""Labels beside the lines of a panel, which are easier to read than a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gafreecell.figures.style import figure_of, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 33
"""Characters in a line of a label."""
_LINE = 0.165
"""Inches that a line of a label takes."""
_GAP = 0.12
"""Inches between two labels."""


@dataclass(frozen=True)
class Label:
    """The label right of a line.

    Attributes:
        height: the value at which the line ends.
        lines: lines of text; the first is the name, and long ones are wrapped.
        colour: the line's.
    """

    height: float
    lines: tuple[str, ...]
    colour: str

    @property
    def text(self) -> str:
        """Its lines as they are drawn."""
        return "\n".join(wrapped(line, _WIDTH) for line in self.lines)


def height_of(labels: Sequence[Label]) -> float:
    """The height of stacked labels, in inches."""
    return sum((label.text.count("\n") + 1) * _LINE + _GAP for label in labels)


def label_beside(axes: Axes, labels: Sequence[Label]) -> None:
    """Write labels right of a panel, each as near to its line as the other labels allow.

    The panel's limits and scale must be final.
    """
    inches = axes.get_position().height * figure_of(axes).get_figheight()
    sizes = np.array([height_of([label]) for label in labels]) / inches
    ends = axes.transAxes.inverted().transform(
        axes.transData.transform([(0, label.height) for label in labels])
    )[:, 1]
    places = spread(ends, sizes)
    line: dict[str, Any] = {"transform": axes.transAxes, "clip_on": False}
    for label, end, place, size in zip(labels, ends, places, sizes, strict=True):
        line["color"] = label.colour
        axes.plot([1, 1.01, 1.04, 1.05], [end, end, place, place], linewidth=0.8, **line)
        # A bar beside all its lines shows where a label begins and ends.
        half = size / 2 - _GAP / inches
        axes.plot([1.05, 1.05], [place - half, place + half], linewidth=2, **line)
        axes.annotate(
            label.text,
            (1.06, place),
            xycoords="axes fraction",
            color=label.colour,
            va="center",
            fontsize="small",
            annotation_clip=False,
        )


def spread(wanted: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Place labels near their wanted positions so that none overlap and all lie within 0 to 1.

    If there is not enough room, labels run over the bottom.

    Args:
        wanted: the wanted middles, shape ``(n,)``.
        sizes: the heights, shape ``(n,)``.

    Returns:
        The middles, shape ``(n,)``, in the order of ``wanted``.
    """
    order = np.argsort(wanted, kind="stable")
    heights = sizes[order]
    apart = np.concatenate(([0], np.cumsum((heights[1:] + heights[:-1]) / 2)))
    # Offsets from labels packed from the bottom: labels do not overlap if these never decrease.
    free = wanted[order] - apart
    # Pushing labels up, or down, makes the offsets increase; so does the mean of the two.
    up, down = np.maximum.accumulate(free), np.minimum.accumulate(free[::-1])[::-1]
    bottom, top = heights[0] / 2, 1 - heights[-1] / 2 - apart[-1]
    placed = np.empty_like(wanted)
    placed[order] = np.minimum(np.maximum((up + down) / 2, bottom), top) + apart
    return placed
