"""How the best solver's weights change over the generations of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from deals.words import plural
from gafreecell.figures.style import (
    TITLE_WIDTH,
    FigureError,
    LoggedRun,
    Runs,
    figure_of,
    generation_ticks,
    literal,
    logged_lines,
    new_axes,
    only_run,
    wrapped,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class WeightsData:
    """What ``plot_weights`` draws of a run of ``n`` generations with ``f`` features.

    Attributes:
        label: the run's name.
        features: names of the ``f`` features, with the rule's name first for rules. Other genes
            of rules are left out: offsets, thresholds and choices are not weights.
        generations: shape ``(n,)``.
        weights: weights of each generation's best solver, shape ``(f, n)``; each column is
            divided by its largest magnitude, because the scale of a weighted sum does not change
            how it ranks states. A column of zeros stays zero.
        champion: generation whose best solver is the run's best on the
            validation deals; None if the log does not say.
    """

    label: str
    features: tuple[str, ...]
    generations: NDArray[np.int64]
    weights: NDArray[np.float64]
    champion: int | None


def weights_data(run: LoggedRun) -> WeightsData:
    """The weights of each generation's best solver, scaled generation by generation.

    Raises:
        FigureError: if the log is empty, or its weights and the features differ in number.
    """
    lines = logged_lines(run)
    for line in lines:
        if len(line["best_weights"]) != len(run.features):
            raise FigureError(
                f"{run.label}: generation {line['generation']} has "
                f"{plural(len(line['best_weights']), 'weight')} for "
                f"{plural(len(run.features), 'feature')}"
            )
    # A run has its job, which says what the genes are; a log alone does not.
    job = getattr(run, "job", None)
    places = job.weight_places if job else range(len(run.features))
    rows = np.array([line["best_weights"] for line in lines], np.float64).T[places]
    largest = np.abs(rows).max(axis=0)
    validation = lines[-1].get("validation")
    return WeightsData(
        run.label,
        tuple(run.features[place] for place in places),
        np.array([line["generation"] for line in lines], np.int64),
        rows / np.where(largest > 0, largest, 1),
        validation["generation"] if validation else None,
    )


@literal
def plot_weights(runs: Runs, axes: Axes | None = None) -> Axes:
    """Draw a heat map of the best solver's weights: one row a feature, one column a generation.

    A thin line marks the generation whose best solver is the run's champion. If there are weights
    below 0, the colour scale has white at 0.

    Args:
        runs: one run, alone or in a list.
        axes: where to draw; new ones by default.

    Returns:
        The axes.

    Raises:
        FigureError: if it is not one run, the log is empty, or its weights and the features
            differ in number.
    """
    run = only_run(runs, "the weights")
    data = weights_data(run)
    if axes is None:
        (axes,) = new_axes(1, 9, max(1.9 + 0.34 * len(data.features), 3.6))
    signed = bool(data.weights.min() < 0)
    middles = (data.generations[1:] + data.generations[:-1]) / 2
    edges = np.concatenate(([data.generations[0] - 0.5], middles, [data.generations[-1] + 0.5]))
    # One picture instead of a shape for each cell keeps vector files small.
    mesh = axes.pcolormesh(
        edges,
        np.arange(len(data.features) + 1) - 0.5,
        data.weights,
        cmap="RdBu_r" if signed else "viridis",
        vmin=-1 if signed else 0,
        vmax=1,
        rasterized=True,
    )
    bar = figure_of(axes).colorbar(mesh, ax=axes, pad=0.015)
    bar.set_label(
        f"weight, scaled so that the\ngeneration's largest {'magnitude ' if signed else ''}is 1"
    )
    axes.set_yticks(range(len(data.features)), data.features)
    axes.invert_yaxis()
    for row in range(1, len(data.features)):
        axes.axhline(row - 0.5, color="white", linewidth=1)
    axes.tick_params(axis="y", length=0)
    generation_ticks(axes)
    axes.set_xlabel("generation")
    title = f"{data.label}: weights of each generation's best solver"
    if len(data.features) < len(run.features):
        title += ", without the conditions and offsets of its rules"
    # A title that is much wider than its axes is cut off at the figure's edge.
    inches = figure_of(axes).get_figwidth() * axes.get_position().width
    axes.set_title(wrapped(title, min(TITLE_WIDTH, int(11 * inches))), loc="left", pad=24)
    if data.champion is not None and data.champion in data.generations:
        _mark_champion(axes, data.champion, float(edges[0]), float(edges[-1]))
    return axes


def _mark_champion(axes: Axes, generation: int, first: float, last: float) -> None:
    """Draw a thin line through a generation, with a label between the data and the title."""
    axes.axvline(generation, color="black", linewidth=2.4)
    axes.axvline(generation, color="white", linewidth=1)
    place = (generation - first) / (last - first)
    axes.annotate(
        f"champion, best on the validation deals: generation {generation}",
        xy=(generation, 1),
        xycoords=("data", "axes fraction"),
        xytext=(0, 5),
        textcoords="offset points",
        # Align the text away from the nearer edge, so that it is not cut.
        ha="left" if place < 0.35 else "right" if place > 0.65 else "center",
        va="bottom",
        fontsize="small",
    )
