"""Panels of curves as plain data: figures draw them with matplotlib, pages with a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gafreecell.comparing.statistics import Numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DIGITS = 6
"""Significant digits of a value in a document."""


@dataclass(frozen=True)
class Curve:
    """A line.

    Attributes:
        label: what it shows, with the name of its group if there are several.
        group: the place of its run, or group of runs, among those that are drawn.
        kind: ``main``, ``second``, or ``faint``.
        at: the generations, shape ``(n,)``.
        values: shape ``(n,)``; NaN where there is none.
        steps: whether a value holds until the next.
    """

    label: str
    group: int
    kind: str
    at: NDArray[np.int64]
    values: Numbers
    steps: bool = False


@dataclass(frozen=True)
class Band:
    """An area between two lines.

    Attributes:
        label: what lies in it; the same for all groups.
        group: as of ``Curve``.
        at: the generations, shape ``(n,)``.
        low, high: its ends, shape ``(n,)``.
        opacity: from 0 to 1.
    """

    label: str
    group: int
    at: NDArray[np.int64]
    low: Numbers
    high: Numbers
    opacity: float


@dataclass(frozen=True)
class Panel:
    """Curves over the generations that share their axes.

    Attributes:
        title: what is drawn, without the names of the runs.
        label: of the y axis.
        curves, bands: what is drawn, from below.
        logs: whether the y axis has a log scale.
        note: what a reader must know of it; may be empty.
    """

    title: str
    label: str
    curves: tuple[Curve, ...]
    bands: tuple[Band, ...] = ()
    logs: bool = False
    note: str = ""

    @property
    def known(self) -> bool:
        """Whether there is a value to draw."""
        return any(np.isfinite(curve.values).any() for curve in self.curves)

    def document(self) -> dict[str, Any]:
        """The panel as JSON can hold it; null stands for NaN."""
        found: dict[str, Any] = _plain(asdict(self))
        return found


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_plain(one) for one in value.tolist()]
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if isfinite(value) else None
    return value


def draw(
    axes: Axes, panel: Panel, tints: Sequence[str], styles: Mapping[str, Mapping[str, Any]]
) -> None:
    """Draw the bands and curves of a panel.

    Args:
        axes: where.
        panel: what.
        tints: the colour of each group.
        styles: of lines, by the kinds of curves.
    """
    for band in panel.bands:
        at, low, high = _wide(band.at, band.low, band.high)
        tint = tints[band.group]
        axes.fill_between(at, low, high, color=tint, alpha=band.opacity, linewidth=0)
    for curve in panel.curves:
        at, values = _wide(curve.at, curve.values)
        style = {**styles[curve.kind], **({"drawstyle": "steps-post"} if curve.steps else {})}
        axes.plot(at, values, color=tints[curve.group], label=curve.label, **style)


def _wide(at: NDArray[np.int64], *rows: Numbers) -> list[Numbers]:
    """Lines as they are drawn: one of a single generation needs two points, and gets its width."""
    if len(at) > 1:
        return [at.astype(np.float64), *rows]
    return [at[0] + np.array([-0.4, 0.4]), *(np.repeat(row, 2) for row in rows)]
