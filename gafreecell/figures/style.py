"""What all figures share: the runs they read, their style, and saving."""

from __future__ import annotations

import io
import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from deals.errors import BadInput
from gafreecell.comparing.groups import GroupError, by_job
from gafreecell.evolution.job import Job
from gafreecell.runs.record import Run
from gafreecell.solving.files import naming

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    Panels: TypeAlias = Axes | Sequence[Axes] | NDArray[Any]

Given = ParamSpec("Given")
Drawn = TypeVar("Drawn")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Colours that colour-blind readers can tell apart: Okabe and Ito 2008, without yellow."""
LEGEND_OUTSIDE: dict[str, Any] = {
    "loc": "upper left",
    "bbox_to_anchor": (1.01, 1),
    "borderaxespad": 0,
    "frameon": False,
}
"""A legend to the right of the data, never over it."""
LEGEND_WIDTH, TITLE_WIDTH, LABEL_WIDTH = 28, 72, 30
"""Characters in a line of a legend, a title, or the label of a panel's y axis."""
CAPTION_WIDTH = 110
"""Characters in a line below a figure."""
DPI = 150
LEAST_RUNS = 3
"""Runs of a group that an interval of their mean needs; one of two is too wide to say anything."""
# Removed, because dates and versions would make the bytes of equal figures differ.
_METADATA: dict[str, dict[str, str | None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
FORMATS = tuple(_METADATA)
"""File name extensions that ``save`` writes."""


class FigureError(BadInput):
    """A figure that cannot be drawn or saved; the message says why."""


class LoggedRun(Protocol):
    """A run as figures read it: a name and a log."""

    @property
    def label(self) -> str:
        """The run's name for people."""
        ...

    @property
    def lines(self) -> Sequence[Mapping[str, Any]]:
        """The lines of its log, one a generation, in order."""
        ...

    @property
    def features(self) -> Sequence[str]:
        """Names of the weights, in the order of a line's ``best_weights``."""
        ...


Runs: TypeAlias = LoggedRun | Iterable[LoggedRun]
"""One run, or several."""


class RunFigure(Protocol):
    """A registered figure of runs: a function that draws them and returns its axes."""

    def __call__(self, runs: Sequence[LoggedRun], /) -> Panels: ...


def runs_of(runs: Runs) -> list[LoggedRun]:
    """The runs that a caller gave, as a list.

    Raises:
        FigureError: if there are none.
    """
    chosen = [*runs] if isinstance(runs, Iterable) else [runs]
    if not chosen:
        raise FigureError("expected at least one run to draw, got none")
    for one in chosen:
        if not all(hasattr(one, member) for member in ("label", "lines", "features")):
            raise FigureError(
                f"expected a run or several, as gafreecell.load reads them, got {one!r:.60}"
            )
    return chosen


def grouped(runs: Sequence[LoggedRun]) -> list[tuple[str, list[LoggedRun]]]:
    """Runs by job if any job has several; else each alone, under its own name.

    Not a mapping: runs in different places may have one name.

    Raises:
        FigureError: if two are of one job with one seed.
    """
    of_jobs = [run for run in runs if isinstance(run, Run)]
    try:
        groups = by_job(of_jobs) if len(of_jobs) == len(runs) else []
    except GroupError as error:
        raise FigureError(str(error)) from None
    if any(len(group.runs) > 1 for group in groups):
        return [(group.name, [*group.runs]) for group in groups]
    return [(run.label, [run]) for run in runs]


def titled(name: str, runs: int) -> str:
    """A group of ``grouped`` in a legend."""
    return f"{name}, {runs} runs" if runs > 1 else name


def common_generations(name: str, runs: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The generations that all runs of a group have.

    Args:
        name: the group.
        runs: the generations of each run, shape ``(n,)``.

    Raises:
        FigureError: if there are none.
    """
    shared: NDArray[np.int64] = reduce(np.intersect1d, runs)
    if not len(shared):
        raise FigureError(f"{name}: its runs have no generation in common")
    return shared


def only_run(runs: Runs, drawn: str) -> LoggedRun:
    """The run of a figure that draws only one.

    Args:
        runs: what the caller gave.
        drawn: what is drawn of the run, in the plural, for the message.

    Raises:
        FigureError: if it is not one run.
    """
    chosen = runs_of(runs)
    if len(chosen) > 1:
        labels = ", ".join(run.label for run in chosen[:3])
        labels += f", ... ({len(chosen)} runs)" if len(chosen) > 3 else ""
        raise FigureError(f"{drawn} are drawn for one run at a time, got {labels}: choose one")
    return chosen[0]


def job_of(run: LoggedRun) -> Job:
    """The job of a run.

    Raises:
        FigureError: if it is a log alone.
    """
    job = getattr(run, "job", None)
    if not isinstance(job, Job):
        raise FigureError(
            f"{run.label}: a log alone does not say how to solve deals: give a run, as "
            "gafreecell.load returns it"
        )
    return job


def logged_lines(run: LoggedRun) -> Sequence[Mapping[str, Any]]:
    """A run's log lines.

    Raises:
        FigureError: if there are none.
    """
    if not run.lines:
        raise FigureError(f"{run.label}: the log is empty, so there is nothing to draw yet")
    return run.lines


def colours(count: int) -> list[str]:
    """Colours for a number of lines."""
    if count <= len(COLOURS):
        return list(COLOURS[:count])
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    return [to_hex(colormaps["viridis"](place / (count - 1))) for place in range(count)]


def new_axes(panels: int, width: float, height: float) -> tuple[Axes, ...]:
    """Axes one above the other in a new figure, sharing their x axis.

    Args:
        panels: how many.
        width: of the figure in inches.
        height: of the figure in inches.
    """
    # Not pyplot: it keeps every figure in a global list and looks for a display.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    grid = figure.subplots(panels, 1, sharex=True, squeeze=False)
    return tuple(grid[:, 0])


def panels_of(axes: Panels) -> tuple[Axes, ...]:
    """The axes that a caller gave: one, several, or an array as from ``subplots``.

    Raises:
        FigureError: if there are none, or something else is among them.
    """
    from matplotlib.axes import Axes

    panels = tuple(np.ravel(np.array(axes, dtype=object)))
    if not panels:
        raise FigureError("expected axes, got none")
    for panel in panels:
        if not isinstance(panel, Axes):
            raise FigureError(f"expected axes of matplotlib, got {panel!r}")
    return panels


def figure_of(axes: Axes) -> Figure:
    """The figure that axes belong to.

    Raises:
        FigureError: if they were removed from it.
    """
    figure = axes.get_figure(root=True)
    if figure is None:
        raise FigureError("these axes do not belong to a figure: give axes of a figure")
    return figure


def wrapped(text: str, width: int) -> str:
    """A text wrapped to ``width`` characters, because names of runs can be long."""
    filled = textwrap.fill(text, width)
    # A legend leaves out names that begin with an underscore.
    return f" {filled}" if filled.startswith("_") else filled


def literal(draw: Callable[Given, Drawn]) -> Callable[Given, Drawn]:
    """Have a function that draws write all texts as they are.

    Matplotlib would read what is between two dollar signs as mathematics, and names of runs,
    presets and features may have them.
    """

    @wraps(draw)
    def drawn(*given: Given.args, **named: Given.kwargs) -> Drawn:
        panels: Any = draw(*given, **named)
        for panel in panels_of(panels):
            for text in _texts(panel):
                text.set_parse_math(False)
        return cast(Drawn, panels)

    return drawn


def _texts(axes: Axes) -> Iterator[Text]:
    """The texts of a panel and its figure's legends; numbers at ticks are none."""
    from matplotlib.text import Text
    from matplotlib.ticker import FixedFormatter, FuncFormatter

    yield from (one for one in axes.get_children() if isinstance(one, Text))
    for legend in filter(None, (axes.get_legend(), *figure_of(axes).legends)):
        yield from (*legend.get_texts(), legend.get_title())
    for axis in (axes.xaxis, axes.yaxis):
        yield axis.label
        if isinstance(axis.get_major_formatter(), FixedFormatter | FuncFormatter):
            yield from axis.get_ticklabels()


def tidy(axes: Axes, title: str) -> None:
    """Style a panel of curves: a title, no box, a faint grid behind the data."""
    axes.set_title(wrapped(title, TITLE_WIDTH), loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)


def headed(title: str, names: Sequence[str]) -> str:
    """The title of a panel that has the runs of these names: a single one is named."""
    return f"{names[0]}: {title}" if len(names) == 1 else title[:1].upper() + title[1:]


def subtitle(axes: Axes, text: str) -> None:
    """Add smaller text between a panel and its title."""
    lines = text.count("\n") + 1
    axes.set_title(axes.get_title(loc="left"), loc="left", pad=6 + 13 * lines)
    axes.annotate(
        text,
        (0, 1),
        xytext=(0, 6),
        xycoords="axes fraction",
        textcoords="offset points",
        va="bottom",
        fontsize="small",
        color="0.35",
        linespacing=1.3,
        annotation_clip=False,
    )


def caption(axes: Panels, notes: Iterable[str]) -> None:
    """Write notes, a main clause each, below a whole figure."""
    text = "\n".join(wrapped(note, CAPTION_WIDTH) for note in notes)
    if text:
        options: dict[str, Any] = {"x": 0.01, "ha": "left", "fontsize": "small", "color": "0.35"}
        figure_of(panels_of(axes)[0]).supxlabel(text, **options).set_parse_math(False)


def generation_ticks(axes: Axes) -> None:
    """Set ticks at round numbers on an x axis of generations."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))


def check_format(path: str | os.PathLike[str]) -> str:
    """The format that a figure's file name asks for, one of ``FORMATS``.

    Raises:
        FigureError: for another extension.
    """
    if not isinstance(path, str | os.PathLike):
        raise FigureError(f"a figure's file must be a path, got {path!r:.60}")
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        allowed = ", ".join(f".{name}" for name in FORMATS)
        raise FigureError(f"cannot save a figure as {str(path)!r}: its name must end in {allowed}")
    return kind


def save(axes: Panels, path: str | os.PathLike[str]) -> None:
    """Write the figure that axes belong to; equal figures give the same bytes.

    Args:
        axes: what a figure function returned.
        path: the file; its extension chooses the format, one of ``FORMATS``.

    Raises:
        FigureError: for another extension.
        OSError: if the file cannot be written.
    """
    kind = check_format(path)
    from matplotlib import rc_context

    figure = figure_of(panels_of(axes)[0])
    buffer = io.BytesIO()
    # The salt replaces the random names that SVG gives its parts.
    with rc_context({"svg.hashsalt": "gafreecell"}):
        figure.savefig(buffer, format=kind, dpi=DPI, metadata=_METADATA[kind])
    with naming(Path(path)):
        Path(path).write_bytes(buffer.getvalue())
