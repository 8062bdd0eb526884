"""The mean ranks of several jobs or solvers, and which of them differ: Demšar's diagram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deals.checks import expected
from deals.words import plural
from gafreecell.comparing.run_comparison import RunComparison
from gafreecell.comparing.solver_comparison import SolverComparison, cautions, p_text
from gafreecell.figures.style import (
    COLOURS,
    LABEL_WIDTH,
    FigureError,
    caption,
    literal,
    new_axes,
    subtitle,
    tidy,
    wrapped,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@literal
def plot_ranks(found: RunComparison | SolverComparison, axes: Axes | None = None) -> Axes:
    """Draw the mean ranks of jobs over seeds, or of solvers over deals, by nodes.

    Those joined by a grey bar cannot be told apart at 5 % by the test of Nemenyi (Demšar 2006,
    "Statistical Comparisons of Classifiers over Multiple Data Sets").

    Args:
        found: what ``gafreecell.compare`` or ``gafreecell.evaluate`` returned.
        axes: where to draw; new ones by default.

    Raises:
        FigureError: if there are no ranks: it takes three jobs with the same seeds, two at least,
            or three solvers.
    """
    what = "plot_ranks takes what gafreecell.compare or gafreecell.evaluate returns"
    expected(found, RunComparison | SolverComparison, what, FigureError)  # type: ignore[arg-type]
    ranks = found.ranks
    if ranks is None:
        raise FigureError(
            "ranks take three jobs with the same seeds, two at least, or three solvers: there "
            "are fewer here"
        )
    over = "seed" if isinstance(found, RunComparison) else "deal"
    names = sorted(ranks.means, key=lambda name: ranks.means[name])
    means = [ranks.means[name] for name in names]
    if axes is None:
        (axes,) = new_axes(1, 7.2, 2.1 + 0.42 * len(names))
    for place, mean in enumerate(means):
        axes.plot([1, mean], [place, place], color="0.85", linewidth=0.8, zorder=1)
    cliques = _alike(means, ranks.critical)
    for number, (first, last) in enumerate(cliques):
        across = len(names) + 0.1 * (number + 1) - 0.6
        axes.plot([means[first], means[last]], [across, across], color="0.35", linewidth=3)
    axes.scatter(means, range(len(names)), color=COLOURS[0], zorder=3)
    for place, mean in enumerate(means):
        axes.annotate(f"{mean:.2f}", (mean, place), (7, 0), textcoords="offset points", va="center")
    axes.set_yticks(range(len(names)), [wrapped(name, LABEL_WIDTH) for name in names])
    axes.set_ylim(len(names) - 0.4 + 0.1 * len(cliques), -0.6)
    axes.set_xlim(0.8, len(names) + 0.4)
    axes.set_xticks(range(1, len(names) + 1))
    axes.set_xlabel("mean rank by nodes; 1 is best")
    tidy(axes, "Ranks by nodes, and which differ")
    test = f"Friedman's test {p_text(ranks.p)}; " if ranks.p == ranks.p else ""
    joined = "those joined by a bar" if cliques else "ranks closer than that"
    text = (
        f"over {plural(ranks.blocks, over)}; {test}critical difference {ranks.critical:.2f}: "
        f"{joined} cannot be told apart (Nemenyi, 5 %)"
    )
    subtitle(axes, wrapped(text, 84))
    caption(axes, found.cautions if isinstance(found, RunComparison) else cautions(found))
    return axes


def _alike(means: Sequence[float], critical: float) -> list[tuple[int, int]]:
    """The longest rows of places, by ascending rank, whose ends cannot be told apart."""
    found: list[tuple[int, int]] = []
    for first, mean in enumerate(means):
        last = max(i for i, other in enumerate(means) if other - mean < critical)
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found
