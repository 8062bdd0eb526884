"""What each weight of a run's best solver is worth: the cost of changing it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deals.words import plural
from gafreecell.comparing.held_out import HeldOut
from gafreecell.comparing.pairs import SEED, difference_of_means, ratio_of_typical
from gafreecell.comparing.statistics import Interval, bootstrap
from gafreecell.evolution.generation import trained_features
from gafreecell.figures.courses import (
    Score,
    Solver,
    deals_measured,
    limits_of,
    outcomes_of,
)
from gafreecell.figures.style import (
    COLOURS,
    LEGEND_OUTSIDE,
    FigureError,
    Runs,
    job_of,
    literal,
    logged_lines,
    new_axes,
    only_run,
    subtitle,
    tidy,
    wrapped,
)
from gafreecell.solitaire.game import Deal
from gafreecell.workers.chosen import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FACTS_WIDTH = 84
"""Characters in a line below the title, which begins right of the features' names."""
STEP = 0.25
"""How far a weight is moved, as a share of its range."""
ZERO, LESS, MORE = "set to 0", "lowered", "raised"
MARKS: dict[str, dict[str, Any]] = {
    ZERO: {"marker": "o", "color": COLOURS[0], "markersize": 7},
    LESS: {"marker": "<", "color": COLOURS[1], "markersize": 6},
    MORE: {"marker": ">", "color": COLOURS[2], "markersize": 6},
}


@dataclass(frozen=True)
class Change:
    """A champion with one weight changed.

    Attributes:
        kind: ``ZERO``, ``LESS`` or ``MORE``.
        weight: the changed weight.
        score: its results on the deals.
        effect: its nodes on a typical deal as a multiple of the champion's, the geometric mean of
            the ratios; for deals with a cost of their own, how much higher the mean cost is.
        interval: 95 % interval of the effect, a paired bootstrap; NaN for fewer than five deals.
    """

    kind: str
    weight: float
    score: Score
    effect: float
    interval: Interval


@dataclass(frozen=True)
class Importance:
    """What one weight of a champion is worth.

    Attributes:
        feature: whose weight it is, with the rule's name first for rules.
        weight: the champion's.
        changes: what changing it costs; a change that would not move it is left out.
    """

    feature: str
    weight: float
    changes: tuple[Change, ...]

    @property
    def without(self) -> Change | None:
        """The champion with this weight set to 0; None if it is 0 already."""
        return next((change for change in self.changes if change.kind == ZERO), None)


@dataclass(frozen=True)
class ImportanceData:
    """What ``draw_importance`` draws.

    Attributes:
        label: the run's name.
        generation: the one that found the champion.
        weights: one entry for each weight; those that cost most when set to 0 come first.
        champion: the unchanged champion's results on the deals.
        held: the deals that all of them were measured on.
        limits: the run's search and budget in words.
    """

    label: str
    generation: int
    weights: tuple[Importance, ...]
    champion: Score
    held: HeldOut
    limits: str


def importance_data(
    runs: Runs,
    deals: str | Sequence[Deal] | None = None,
    jobs: Workers | int = -1,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> ImportanceData:
    """Solve deals with a run's champion and with each of its weights changed, one at a time.

    A weight is set to 0, lowered and raised by a quarter of its range (``STEP``), but never
    beyond an end of the range. The other weights stay as they are.

    Args:
        runs: one run, alone or in a list.
        deals: a set by name, a range, or numbers; by default deals that the run neither trained
            nor validated on.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        on_progress: called as work comes back, with the number of tasks done and in all.

    Raises:
        FigureError: if it is not one run, its log is empty, or it is only a log without a job.
        BadInput: if there are no such deals.
    """
    run: Any = only_run(runs, "the importances of weights")
    logged_lines(run)
    job = job_of(run)
    game = job.load_game()
    held = deals_measured(deals, [job], game)
    features, best = trained_features(job, game), run.best

    def solver(place: int = 0, weight: float = best.weights[0]) -> Solver:
        """The champion with one of its weights changed."""
        genome = (*best.weights[:place], weight, *best.weights[place + 1 :])
        return job.evaluator(genome), *job.whole

    def changed(place: int) -> Iterator[tuple[str, float]]:
        """The values that the weight at a place is changed to, by kind."""
        feature, weight = features[place], best.weights[place]
        step = STEP * (feature.high - feature.low)
        moved = max(weight - step, feature.low), min(weight + step, feature.high)
        for kind, value in zip(MARKS, (0.0, *moved), strict=True):
            if value != weight:
                yield kind, value

    plans = {place: dict(changed(place)) for place in job.weight_places}
    solvers = dict.fromkeys([solver()])
    for place, plan in plans.items():
        solvers |= dict.fromkeys(solver(place, weight) for weight in plan.values())
    found = outcomes_of([*solvers], held.deals, game, jobs, on_progress)
    scores = {one: Score.of(outcomes, one[2].nodes) for one, outcomes in found.items()}
    champion = scores[solver()]
    weights = [
        Importance(
            features[place].name,
            best.weights[place],
            tuple(
                _change(kind, weight, scores[solver(place, weight)], champion)
                for kind, weight in plan.items()
            ),
        )
        for place, plan in plans.items()
    ]
    weights.sort(key=lambda one: -one.without.effect if one.without else np.inf)
    return ImportanceData(
        run.label, best.generation, tuple(weights), champion, held, limits_of(job)
    )


def _change(kind: str, weight: float, score: Score, champion: Score) -> Change:
    """What a change costs."""
    statistic = difference_of_means if score.by_cost else ratio_of_typical
    pair = np.array(score.values), np.array(champion.values)
    interval = bootstrap(statistic, pair, np.random.default_rng(SEED))
    return Change(kind, weight, score, float(statistic(*pair)), interval)


def plot_importance(
    runs: Runs,
    axes: Axes | None = None,
    deals: str | Sequence[Deal] | None = None,
    jobs: Workers | int = -1,
) -> Axes:
    """Draw what each weight of a run's champion is worth: what it costs to change it.

    Each weight has a row, with the nodes of the champion with this weight set to 0, lowered and
    raised by a quarter of its range, as multiples of the champion's nodes. Lines are 95 %
    intervals. Solving the deals takes a while: ``importance_data`` takes the same arguments and
    has a progress callback, and ``draw_importance`` draws what it returns.

    Args:
        runs: one run, alone or in a list.
        axes: where to draw; new ones by default.
        deals: a set by name, a range, or numbers; by default deals that the run neither trained
            nor validated on.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.

    Returns:
        The axes.

    Raises:
        FigureError: if it is not one run, its log is empty, or it is only a log without a job.
        BadInput: if there are no such deals.
    """
    return draw_importance(importance_data(runs, deals, jobs), axes)


@literal
def draw_importance(data: ImportanceData, axes: Axes | None = None) -> Axes:
    """Draw what ``importance_data`` computed.

    Args:
        data: what to draw.
        axes: where to draw; new ones by default.

    Returns:
        The axes.

    Raises:
        FigureError: if no weight can be changed.
    """
    changes = [change for one in data.weights for change in one.changes]
    if not changes:
        raise FigureError(f"{data.label}: no weight can be changed, so there is nothing to draw")
    by_cost = data.champion.by_cost
    if axes is None:
        (axes,) = new_axes(1, 9, max(1.9 + 0.5 * len(data.weights), 3.6))
    axes.axvline(0 if by_cost else 1, color="0.3", linewidth=1.2)
    for offset, (kind, mark) in zip((-0.24, 0, 0.24), MARKS.items(), strict=True):
        label = (
            kind if kind == ZERO else f"{kind} by a quarter of its\nrange, or to the range's end"
        )
        drawn = [
            (row + offset, change)
            for row, one in enumerate(data.weights)
            for change in one.changes
            if change.kind == kind
        ]
        for row, change in drawn:
            axes.plot(change.interval, [row, row], color=mark["color"], linewidth=1.6)
        rows, effects = [row for row, _ in drawn], [change.effect for _, change in drawn]
        axes.plot(effects, rows, linestyle="", label=label, **mark)
    named = [f"{one.feature}  {one.weight:.2f}" for one in data.weights]
    axes.set_yticks(range(len(named)), named)
    axes.set_ylim(len(named) - 0.5, -0.5)
    _scale(axes, data, changes)
    tidy(axes, f"{data.label}: what it costs to change one weight of the champion")
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    for row in range(1, len(named)):
        axes.axhline(row - 0.5, color="0.85", linewidth=0.8)
    subtitle(axes, _facts(data))
    axes.set_ylabel("feature and its weight")
    axes.legend(title="the weight is", alignment="left", labelspacing=0.8, **LEGEND_OUTSIDE)
    return axes


def _scale(axes: Axes, data: ImportanceData, changes: Sequence[Change]) -> None:
    """Scale the axis of effects and say what it shows."""
    if data.champion.by_cost:
        axes.set_xlabel("mean cost above the champion's")
        return
    from matplotlib.ticker import FixedLocator, NullLocator

    axes.set_xscale("log")
    values = [end for one in changes for end in (one.effect, *one.interval) if np.isfinite(end)]
    low, high = min(*values, 1), max(*values, 1)
    room = max((high / low) ** 0.06, 1.02)
    axes.set_xlim(low / room, high * room)
    axes.xaxis.set_major_locator(FixedLocator(_ticks(low / room, high * room)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:g} ×")
    axes.set_xlabel(
        "nodes (states generated) on a typical deal\nas a multiple of the champion's, log scale\n"
        "\N{LEFTWARDS ARROW} the change saves nodes        "
        "the change costs nodes \N{RIGHTWARDS ARROW}"
    )


def _ticks(low: float, high: float) -> list[float]:
    """Round multiples from ``low`` to ``high``, the roundest first, with room for their labels."""
    room = np.log(high / low) / 10
    ticks: list[float] = []
    decades = 10.0 ** np.arange(np.floor(np.log10(low)), np.log10(high) + 1)
    coarse = [np.outer(decades, marks).ravel() for marks in ((1,), (2, 5), (1.5, 3))]
    for stage in (*coarse, np.arange(1, 50) / 10, np.arange(1, 500) / 100):
        if len(ticks) >= 5:
            break
        for tick in stage.round(12).tolist():
            if low <= tick <= high and all(abs(np.log(tick / one)) >= room for one in ticks):
                ticks.append(tick)
    return ticks


def _facts(data: ImportanceData) -> str:
    """What was measured, in a few lines."""
    seen = data.held.seen
    new = f", {seen} of them used in training" if seen else ", not used in training"
    measured = (
        f"champion of generation {data.generation} on {plural(data.champion.deals, 'deal')} "
        f"({data.held.name}{new}), search {data.limits}"
    )
    if not data.champion.by_cost:
        measured += "; an unsolved deal counts the whole budget"
    same = "0" if data.champion.by_cost else "1 ×"
    drawn = (
        "each mark: the champion with one weight changed and the others kept; lines: 95 % "
        f"intervals; where one crosses {same}, no effect is shown"
    )
    return f"{wrapped(measured, FACTS_WIDTH)}\n{wrapped(drawn, FACTS_WIDTH)}"
