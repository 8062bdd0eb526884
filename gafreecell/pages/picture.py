"""Figures of matplotlib as pictures in a page, with the values of their lines to read.

A picture is SVG text, and the numbers behind it are tables. Each cell of a table knows where its
value stands in the picture, so that the page's script can show it under a pointer or a key.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gafreecell.figures.style import COLOURS, DPI, figure_of, panels_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.lines import Line2D

    from gafreecell.figures.style import Panels

POINTS = 72
"""Units of a picture in an inch."""
DIGITS = 5
"""Significant digits of a value."""
INKS = {
    "#000000": "var(--ink)",
    "#262626": "var(--ink)",
    "#4c4c4c": "var(--quiet)",
    "#595959": "var(--quiet)",
    "#737373": "var(--quiet)",
    "#999999": "var(--faint)",
    "#b0b0b0": "var(--faint)",
    "#cccccc": "var(--faint)",
    "#ffffff": "var(--paper)",
    "#e5e5e5": "var(--grid)",
    "#e6e6e6": "var(--grid)",
    **{tint.lower(): f"var(--tint-{place})" for place, tint in enumerate(COLOURS[:-1])},
}
"""The colours of figures as those of the page, which fit a light and a dark background."""
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_ATTRIBUTE = re.compile(r'="[^"]*"')


@dataclass(frozen=True)
class Part:
    """What the values of a panel are.

    Attributes:
        name: what is shown, such as ``solvers``.
        unit: of the values, such as ``nodes``; empty for a number without one.
        across: what the places on the x axis are; by default as the axis is labelled.
    """

    name: str
    unit: str = ""
    across: str = ""


@dataclass(frozen=True)
class Value:
    """A value in a picture.

    Attributes:
        text: the value for people.
        x, y: where it stands, in the picture's units, from the upper left corner.
    """

    text: str
    x: float
    y: float

    @property
    def at(self) -> str:
        """The place as a page holds it."""
        return f"{self.x:.1f} {self.y:.1f}"


@dataclass(frozen=True)
class Values:
    """The values of a panel as a table.

    Attributes:
        name, unit: as in ``Part``.
        corner: the title of the first column, which holds the places on the x axis.
        columns: the labels of the panel's lines.
        rows: for each place on the x axis its text, and a value for each line, or None.
    """

    name: str
    unit: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Value | None, ...]], ...]


@dataclass(frozen=True)
class Picture:
    """A figure in a page.

    Attributes:
        title: what it shows, in a few words.
        svg: the picture, without a background, as text of an ``<svg>`` element.
        width, height: in its units, points.
        tables: the values of each panel.
    """

    title: str
    svg: str
    width: float
    height: float
    tables: tuple[Values, ...]


def picture(title: str, draw: Callable[[], Panels], parts: Sequence[Part]) -> Picture:
    """Draw a figure as a picture.

    Args:
        title: what it shows, in a few words.
        draw: draws the figure and returns its panels.
        parts: what each of the panels shows.
    """
    with _style(title):
        panels = panels_of(draw())
        figure = figure_of(panels[0])
        buffer = io.StringIO()
        figure.savefig(
            buffer,
            format="svg",
            transparent=True,
            # Of the heat map, which is a picture within the picture.
            dpi=DPI,
            metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
        )
        # Saving has laid out the panels; from here on their places are in the picture's units.
        figure.dpi = POINTS
        width, height = (float(side) * POINTS for side in figure.get_size_inches())
        bottom = panels[-1].get_xlabel() or "x"
        tables = [
            _values(panel, part, part.across or bottom, height)
            for panel, part in zip(panels, parts, strict=False)
        ]
    return Picture(title, _bare(buffer.getvalue()), width, height, tuple(tables))


@contextmanager
def _style(title: str) -> Iterator[None]:
    """Texts stay texts, and parts get the same names each time, but others in each picture."""
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": title}):
        yield


def _bare(text: str) -> str:
    """The ``<svg>`` element alone, without a size of its own, in the page's colours."""
    for left_out in (r"<metadata>.*?</metadata>", r"<style.*?</style>", r"<!--.*?-->"):
        text = re.sub(left_out, "", text, flags=re.DOTALL)
    head, end, rest = text[text.index("<svg") :].partition(">")
    head = re.sub(r'\s(?:width|height|version|xmlns)="[^"]*"', "", head)
    head += ' aria-hidden="true" focusable="false"'
    rest = re.sub(r'<g id="[^"]*"', "<g", rest)
    rest = _ATTRIBUTE.sub(_shortened, rest)
    return re.sub(r"\n\s*", "\n", head + end + rest).strip()


def _shortened(attribute: re.Match[str]) -> str:
    """An attribute with fewer digits, and in the page's colours."""
    text = re.sub(r"(\.\d\d)\d+", r"\1", attribute[0])
    return re.sub(r"\s+", " ", _COLOUR.sub(lambda found: INKS.get(found[0], found[0]), text))


def _values(axes: Axes, part: Part, corner: str, height: float) -> Values:
    """What the labelled lines of a panel show, or its heat map."""
    from matplotlib.collections import QuadMesh

    meshes = [one for one in axes.collections if isinstance(one, QuadMesh)]
    lines = [line for line in axes.get_lines() if not str(line.get_label()).startswith("_")]
    columns = (
        list(_of_mesh(axes, meshes[0], height))
        if meshes
        else [_of_line(line, height, corner) for line in lines]
    )
    names = [name for name, _ in columns]
    order = sorted({(place, text) for _, found in columns for place, text in found})
    rows = tuple(
        (text, tuple(found.get((place, text)) for _, found in columns)) for place, text in order
    )
    return Values(part.name, part.unit, corner, tuple(names), rows)


Column = tuple[str, dict[tuple[float, str], Value]]
"""A line's label and its values, by the place on the x axis and its text."""


def _of_line(line: Line2D, height: float, corner: str) -> Column:
    # Dollars are escaped in figures, where they would begin mathematics.
    label = str(line.get_label()).replace(r"\$", "$")
    data = np.asarray(line.get_xydata(), float)
    found: dict[tuple[float, str], Value] = {}
    at: NDArray[np.float64] = line.get_transform().transform(data)
    level = len(data) == 2 and data[0, 1] == data[1, 1] and list(data[:, 0]) == [0, 1]
    if level:
        # A level is the same everywhere: it is read in the middle of the picture.
        (x, y), text = at.mean(axis=0).tolist(), shown(data[0, 1])
        return label, {(-np.inf, "throughout"): Value(text, x, height - y)}
    for (place, value), (x, y) in zip(data.tolist(), at.tolist(), strict=True):
        if not isfinite(value) or not isfinite(y):
            continue
        if corner == "generation":
            # A line of a single generation is wider than that, and the last one goes on a little.
            place = round(place)
        found.setdefault((place, shown(place)), Value(shown(value), x, height - y))
    return label, found


def _of_mesh(axes: Axes, mesh: QuadMesh, height: float) -> Iterator[Column]:
    """The rows of a heat map, each as a line."""
    edges = np.asarray(mesh.get_coordinates(), float)
    drawn = mesh.get_array()
    assert drawn is not None
    cells = np.ma.getdata(drawn).reshape(len(edges) - 1, -1)
    middles = (edges[:-1, :-1] + edges[1:, 1:]) / 2
    for row, label in enumerate(axes.get_yticklabels()):
        at = axes.transData.transform(middles[row])
        yield (
            label.get_text(),
            {
                (round(place), shown(round(place))): Value(f"{value:.3f}", x, height - y)
                for place, value, (x, y) in zip(
                    middles[row, :, 0].tolist(), cells[row].tolist(), at.tolist(), strict=True
                )
            },
        )


def shown(value: Any) -> str:
    """A value for people: whole from a thousand on, else with up to five digits."""
    if abs(value) >= 999.5:
        return f"{value:,.0f}"
    return f"{value:.{DIGITS}g}" if abs(value) < 1e-3 or value == round(value) else f"{value:.4g}"
