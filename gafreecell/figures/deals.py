"""Properties of the deals of runs over the generations.

These are hardness (nodes of the median solver), price (nodes of all solvers) and informativeness.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from deals.words import plural
from gafreecell.comparing.statistics import Numbers, student
from gafreecell.evolution.measures.log_nodes import MOST
from gafreecell.figures.panels import Band, Curve, Panel, draw
from gafreecell.figures.style import (
    LEAST_RUNS,
    LEGEND_OUTSIDE,
    LEGEND_WIDTH,
    FigureError,
    LoggedRun,
    Runs,
    colours,
    common_generations,
    figure_of,
    generation_ticks,
    grouped,
    headed,
    literal,
    logged_lines,
    new_axes,
    panels_of,
    runs_of,
    subtitle,
    tidy,
    wrapped,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    from gafreecell.figures.style import Panels

MOST_BANDS = 3
"""Largest number of runs in a panel that are drawn with the spread of their deals."""
MOST_RAW = 4
"""Largest number of groups in a panel for which the values of single generations are drawn."""
RAW: dict[str, Any] = {"linewidth": 0.8, "alpha": 0.35}
SMOOTH: dict[str, Any] = {"linewidth": 2.0}
BAND = 0.15
WIDTH, HEIGHT = 9.0, 10.0
"""Size of a new figure in inches; a long legend makes it higher."""
TITLES = {
    "hardness": "nodes of the median solver on a deal",
    "price": "price, the nodes of each solver on a deal",
    "informativeness": "informativeness, how well one deal predicts the ranking by all others",
}
"""The panels from the top, by the attribute of ``DealsData`` that each draws."""
NOTES = {
    "hardness": "Measured by each generation's own solvers: as they get better, similar deals "
    "take fewer nodes.\n"
    "Nodes as the fitness counts them: a failure counts a multiple of the budget.",
    "price": "The cost of training: the mean over all solvers and deals, which a few costly deals "
    "raise.\nA failure counts the nodes it took.",
    "informativeness": "1: a deal ranks the generation's solvers as all other deals together do. "
    "0: it says nothing about them.\nBelow 0: it predicts their ranking worse than chance.\n"
    "More deals per generation (here {deals}) raise it; solvers that are much alike lower it.",
}
"""Notes below the titles."""
AXES = {
    "hardness": "nodes,\ngeometric mean over the deals",
    "price": "nodes,\nmean over solvers and deals",
    "informativeness": "correlation with all other deals,\nmean over the deals",
}
NOTE_WIDTH = 90
"""Letters in a line within a panel."""
WIDE, NARROW = 8, 2
"""Ratios of largest to smallest value. Above ``WIDE``, ticks are at 1, 2 and 5 times powers of ten;
up to ``NARROW`` they are evenly spaced; between them they are at more multiples."""


@dataclass(frozen=True)
class Trend:
    """A property of the deals over the generations.

    Attributes:
        mean: over the generation's deals, shape ``(n,)``.
        middle: the quartiles over the deals, shape ``(2, n)``.

    Values that the log lacks are NaN: a correlation needs three solvers that met all deals, and
    early versions logged only means.
    """

    mean: Numbers
    middle: Numbers

    def during(self, kept: NDArray[np.bool_]) -> Trend:
        """The trend restricted to some generations, by a mask of shape ``(n,)``."""
        return Trend(self.mean[kept], self.middle[:, kept])


@dataclass(frozen=True)
class DealsData:
    """What ``plot_deals`` draws of a run.

    Attributes:
        label: the run's name.
        generations: shape ``(n,)``.
        deals: how many distinct deals each generation met, shape ``(n,)``.
        hardness: nodes of the generation's median solver on a deal, as the fitness counts them;
            the mean is the geometric one.
        price: nodes of a solver on a deal.
        informativeness: correlation of the solvers' costs on a deal with their mean costs on all
            others, from -1 to 1.
    """

    label: str
    generations: NDArray[np.int64]
    deals: NDArray[np.int64]
    hardness: Trend
    price: Trend
    informativeness: Trend

    def during(self, generations: NDArray[np.int64]) -> DealsData:
        """The data restricted to some generations."""
        kept = np.isin(self.generations, generations)
        return replace(
            self,
            generations=self.generations[kept],
            deals=self.deals[kept],
            hardness=self.hardness.during(kept),
            price=self.price.during(kept),
            informativeness=self.informativeness.during(kept),
        )


Group: TypeAlias = tuple[str, Sequence[DealsData]]
"""A group's name and its runs."""


def deals_data(run: LoggedRun) -> DealsData:
    """What a run's log says about the deals of each generation.

    Generations logged by a version that did not record this are left out.

    Raises:
        FigureError: if the log is empty, or such a version logged all of it.
    """
    lines = [line for line in logged_lines(run) if "met" in line]
    if not lines:
        raise FigureError(
            f"{run.label}: its log does not describe the deals (no line has the key met), "
            "because an earlier version made it: evolve its job again to draw them"
        )
    met = [line["met"] for line in lines]
    prices = [line["nodes"] / line["evaluations"] for line in lines]
    return DealsData(
        run.label,
        np.array([line["generation"] for line in lines], np.int64),
        np.array([one["deals"] for one in met], np.int64),
        Trend(_typical([one["hardness"] for one in met]), _typical(_middle(met, "hardness"))),
        Trend(np.array(prices), _middle(met, "price")),
        # Conversion to float turns null into NaN.
        Trend(
            np.array([one["informativeness"] for one in met], float),
            _middle(met, "informativeness"),
        ),
    )


def plot_deals(runs: Runs, axes: Panels | None = None) -> tuple[Axes, ...]:
    """Draw hardness, price and informativeness of the deals over the generations.

    Values of single generations are faint, and their running median is thick. If few runs are
    drawn and their logs have it, a band shows the middle half of the deals. Runs of one job, which
    differ only in the seed, are drawn as a group, as by ``draw_deals``.

    Args:
        runs: one run, or several to compare.
        axes: where to draw, three panels; new ones by default.

    Returns:
        The axes of hardness, price and informativeness.

    Raises:
        FigureError: if there is no run, a log is empty or does not describe the deals, two
            runs have the same job and seed, or a panel is missing.
    """
    return _draw(_groups(runs), axes)


@literal
def draw_deals(
    groups: Mapping[str, Sequence[DealsData]], axes: Panels | None = None
) -> tuple[Axes, ...]:
    """Draw what ``deals_data`` found, as means over groups of runs.

    A group is drawn for the generations that all its runs have. Means of nodes over runs are
    geometric. Groups of three or more runs get a band: Student's 95 % interval of the mean.

    Args:
        groups: runs by the name of their group; a group of one is drawn as ``plot_deals`` does.
        axes: where to draw, three panels; new ones by default.

    Returns:
        The axes of hardness, price and informativeness.

    Raises:
        FigureError: if there is no group, a group is empty or its runs have no generation in
            common, or a panel is missing.
    """
    return _draw([*groups.items()], axes)


def _typical(logarithms: Numbers | list[float]) -> Numbers:
    """Nodes from their mean logarithms, kept finite: costs and charges can be of any size."""
    found: Numbers = np.exp(np.minimum(logarithms, MOST))
    return found


def _middle(met: Sequence[Mapping[str, Any]], name: str) -> Numbers:
    """The quartiles over each generation's deals, shape ``(2, n)``."""
    unknown = (np.nan, np.nan)
    return np.array([one.get("middle", {}).get(name) or unknown for one in met], float).T


def deals_panels(runs: Runs) -> list[Panel]:
    """What ``plot_deals`` draws: panels of hardness, price and informativeness.

    Raises:
        FigureError: as ``plot_deals``.
    """
    return _panels(_groups(runs))


def _groups(runs: Runs) -> list[Group]:
    return [(name, [*map(deals_data, members)]) for name, members in grouped(runs_of(runs))]


def _panels(groups: Sequence[Group]) -> list[Panel]:
    if not groups:
        raise FigureError("expected at least one group of runs to draw, got none")
    groups = [(label, _common(label, runs)) for label, runs in groups]
    window = _window(groups)
    faint = window > 1 and len(groups) <= MOST_RAW
    several = _several(groups)
    spread = not several and len(groups) <= MOST_BANDS
    smoothed = f"running median of {window} generations" if window > 1 else "each generation"
    banded = "95 % interval of the mean" if several else "middle half of the deals"
    panels = list[Panel]()
    for name, title in TITLES.items():
        trends = [[getattr(run, name) for run in runs] for _, runs in groups]
        # Nodes are above 0, unless a user's game does not count them.
        logs = name != "informativeness" and all(
            (trend.mean > 0).all() and not (trend.middle <= 0).any()
            for group in trends
            for trend in group
        )
        curves, bands = list[Curve](), list[Band]()
        for place, ((label, runs), group) in enumerate(zip(groups, trends, strict=True)):
            raw, smooth, low, high = _curve(group, window, logs, spread)
            if name == "informativeness":
                low, high = np.clip((low, high), -1, 1)
            at = runs[0].generations
            prefix = f"{label}: " if len(groups) > 1 else ""
            if not np.isnan(low).all():
                bands.append(Band(banded, place, at, low, high, BAND))
            if faint:
                curves.append(Curve(f"{prefix}each generation", place, "faint", at, raw))
            curves.append(Curve(prefix + smoothed, place, "main", at, smooth))
        panels.append(
            Panel(
                title,
                AXES[name] + ("\n(log scale)" if logs else ""),
                tuple(curves),
                tuple(bands),
                logs,
                NOTES[name].format(deals=_deals(run for _, runs in groups for run in runs)),
            )
        )
    return panels


def _draw(groups: Sequence[Group], axes: Panels | None) -> tuple[Axes, ...]:
    drawn = _panels(groups)
    panels = _new_axes() if axes is None else panels_of(axes)
    if len(panels) < len(drawn):
        raise FigureError(f"the deals of runs need {len(drawn)} axes, got {len(panels)}")
    panels = panels[: len(drawn)]
    tints = colours(len(groups))
    for place, (panel, shown) in enumerate(zip(panels, drawn, strict=True)):
        draw(panel, shown, tints, {"faint": RAW, "main": SMOOTH})
        smooth = [curve for curve in shown.curves if curve.kind == "main"]
        lacking = [
            label
            for (label, _), curve in zip(groups, smooth, strict=True)
            if np.isnan(curve.values).all()
        ]
        if lacking:
            _note_absence(panel, "" if len(lacking) == len(groups) else f" in {', '.join(lacking)}")
        # The first panel names the run for all.
        tidy(panel, headed(shown.title, [] if place else [label for label, _ in groups]))
        subtitle(panel, shown.note)
        panel.set_ylabel(shown.label)
        _scale(panel, shown.logs)
        generation_ticks(panel)
    panels[-1].set_xlabel("generation")
    faint = any(curve.kind == "faint" for curve in drawn[0].curves)
    banded = any(shown.bands for shown in drawn)
    handles = _handles(groups, tints, _window(groups), faint, banded)
    if axes is None:
        _beside(panels[0], handles)
    else:
        panels[0].legend(handles=handles, **LEGEND_OUTSIDE)
    return panels


def _new_axes() -> tuple[Axes, ...]:
    """A panel for each title, with some space between them."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    panels = new_axes(len(TITLES), WIDTH, HEIGHT)
    layout = figure_of(panels[0]).get_layout_engine()
    if isinstance(layout, ConstrainedLayoutEngine):
        layout.set(hspace=0.06)
    return panels


def _beside(axes: Axes, handles: Sequence[Line2D | Patch]) -> None:
    """Add a legend beside all panels, so that a long list of runs does not push them apart."""
    figure = figure_of(axes)
    figure.legend(handles=handles, loc="outside right upper", frameon=False)
    lines = sum(str(handle.get_label()).count("\n") + 1 for handle in handles)
    figure.set_figheight(max(HEIGHT, 0.17 * lines + 0.1 * len(handles)))


def _several(groups: Sequence[Group]) -> bool:
    """Whether some group has several runs, so that means are drawn."""
    return any(len(runs) > 1 for _, runs in groups)


def _common(label: str, runs: Sequence[DealsData]) -> list[DealsData]:
    """The runs of a group, restricted to the generations that all of them have."""
    if not runs:
        raise FigureError(f"{label}: expected at least one run, got none")
    shared = common_generations(label, [run.generations for run in runs])
    return [run.during(shared) for run in runs]


def _window(groups: Sequence[Group]) -> int:
    """The width of the running median: an odd number, about a tenth of the shortest curve."""
    return min(len(runs[0].generations) for _, runs in groups) // 20 * 2 + 1


def _running_median(values: Numbers, window: int) -> Numbers:
    """Medians over a window around each value, without NaN; shape ``(n,)``.

    Near the end, the window has fewer values on the right. Near the start it is kept symmetric,
    because runs begin with a steep fall.
    """
    reaches = [min(window // 2, at) for at in range(len(values))]
    parts = [values[at - reach : at + reach + 1] for at, reach in enumerate(reaches)]
    return np.array(
        [np.median(part[known]) if (known := ~np.isnan(part)).any() else np.nan for part in parts]
    )


def _curve(trends: Sequence[Trend], window: int, logs: bool, spread: bool) -> Numbers:
    """The mean of a group's runs: of their logarithms on a log scale.

    The band is the mean's interval, or for a single run the spread of the deals if wanted.

    Returns:
        Raw values, smooth ones, and both ends of the band, shape ``(4, n)``; NaN where there is
        nothing to draw.
    """
    there, back = (np.log, np.exp) if logs else (np.positive, np.positive)
    raw = there([trend.mean for trend in trends])
    smooth = there([_running_median(trend.mean, window) for trend in trends])
    low = high = np.full(raw.shape[1], np.nan)
    if len(trends) >= LEAST_RUNS:
        low, high = np.transpose([student(column) for column in smooth.T])
    elif spread:
        low, high = there([_running_median(end, window) for end in trends[0].middle])
    curve: Numbers = back([raw.mean(axis=0), smooth.mean(axis=0), low, high])
    return curve


def _note_absence(axes: Axes, whose: str) -> None:
    """Write into a panel why some groups have no curve in it; only correlations can be missing."""
    text = f"none{whose}: fewer than three solvers met all deals of a generation"
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": "small", "color": "0.35"}
    axes.text(0.5, 0.1, wrapped(text, NOTE_WIDTH), transform=axes.transAxes, **style)


def _scale(axes: Axes, logs: bool) -> None:
    """Set the scale; on a log scale, with plain numbers whatever range it spans."""
    axes.margins(x=0.02)
    if not logs:
        axes.axhline(0, color="0.6", linewidth=0.8)
        return
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

    low, high = axes.dataLim.intervaly
    room = max((high / low) ** 0.05, 1.1)
    axes.set_ylim(low / room, high * room)
    axes.set_yscale("log")
    if high / low > NARROW:
        subs = (1, 2, 5) if high / low > WIDE else (1, 1.5, 2, 3, 4, 5, 7)
        axes.yaxis.set_major_locator(LogLocator(subs=subs))
    else:
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=True))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter("{x:,.10g}")


def _deals(runs: Iterable[DealsData]) -> str:
    """The number of deals that a generation meets: ``12``, or ``5 to 20``."""
    counts = np.concatenate([run.deals for run in runs])
    low, high = counts.min(), counts.max()
    return f"{low}" if low == high else f"{low} to {high}"


def _handles(
    groups: Sequence[Group], tints: Sequence[str], window: int, faint: bool, banded: bool
) -> list[Line2D | Patch]:
    """A legend's entries: the groups, if there are several, and what lines and bands mean."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Line2D | Patch] = []
    tint, several = tints[0], _several(groups)
    if len(groups) > 1:
        tint = "0.35"
        for (label, runs), own in zip(groups, tints, strict=True):
            size = f"{plural(len(runs), 'run')},\n" if several else ""
            text = f"{wrapped(label, LEGEND_WIDTH)}\n{size}{_deals(runs)} deals per generation"
            handles.append(Line2D([], [], color=own, lw=4, label=text))
    mean = "mean of the runs" if several else ""
    median = f"running median of\n{window} generations" if window > 1 else ""
    if faint:
        text = ",\n".join(filter(None, ("each generation", mean)))
        handles.append(Line2D([], [], color=tint, label=text, **RAW))
    # A line that shows just the values of a run needs no entry.
    if text := ",\n".join(filter(None, (median, mean))):
        handles.append(Line2D([], [], color=tint, label=text, **SMOOTH))
    if banded:
        text = "95 % interval of the mean" if several else "middle half of the deals"
        handles.append(Patch(color=tint, alpha=BAND, lw=0, label=text))
    return handles
