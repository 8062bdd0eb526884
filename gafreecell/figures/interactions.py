"""How the weights of a run's best solver depend on each other: single effects and pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Any

import numpy as np

from deals.words import plural
from gafreecell.comparing.decomposition import Part, decomposition, least_vectors, terms
from gafreecell.comparing.held_out import HeldOut
from gafreecell.comparing.pairs import SEED
from gafreecell.comparing.statistics import LEAST, Interval
from gafreecell.evolution.generation import trained_features
from gafreecell.figures.courses import Score, deals_measured, outcomes_of
from gafreecell.figures.style import (
    COLOURS,
    LEGEND_OUTSIDE,
    FigureError,
    Runs,
    job_of,
    literal,
    logged_lines,
    only_run,
    panels_of,
    subtitle,
    tidy,
    wrapped,
)
from gafreecell.solitaire.game import Deal, limits_text
from gafreecell.workers.chosen import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gafreecell.figures.style import Panels

VECTORS = 500
DRAWN = 10
"""Pairs that are drawn: those of the largest shares."""
FACTS_WIDTH = 84
LESS, MORE, REST = COLOURS[0], COLOURS[1], "0.45"
THE_REST = "the rest: chance, finer effects"

_EQUAL = 1e-9
"""Means of logarithms that differ by less are equal but for rounding."""


@dataclass(frozen=True)
class Effect:
    """What a weight, or a pair of weights, has to do with the nodes.

    Attributes:
        features: whose weights they are: one or two; none for all pairs and for the rest.
        share: of the variance of the logarithm of the nodes (of the cost, for deals with a
            cost of their own). It is estimated without bias, so that it can come out below 0 where
            there is no effect.
        interval: 95 % interval of the share, for other vectors and other deals.
        slope: of one weight: how much its straight line adds to the logarithm from the low end
            of the box to the high end. Of a pair: what two weights at their high ends add to
            their single effects; below 0, the two go together.
    """

    features: tuple[str, ...]
    share: float
    interval: Interval
    slope: float


@dataclass(frozen=True)
class InteractionsData:
    """What ``draw_interactions`` draws.

    Attributes:
        label: the run's name.
        generation: the one that found the champion.
        reach: the share of its range by which a weight was drawn to either side.
        vectors: how many were drawn.
        singles: the effects of single weights, the largest shares first.
        pairs: the effects of all pairs beyond those of both weights, the largest shares first.
        together: all pairs together.
        rest: what single weights and pairs do not explain; it adds up to 1 with them.
        deviation: standard deviation of the logarithm of the nodes on a typical deal, or of the
            mean cost.
        held: the deals that all vectors were measured on.
        decided: the share of deals solved or proved unsolvable, over all vectors.
        by_cost: whether the deals have a cost of their own.
        limits: the run's search and the budget in words.
    """

    label: str
    generation: int
    reach: float
    vectors: int
    singles: tuple[Effect, ...]
    pairs: tuple[Effect, ...]
    together: Effect
    rest: Effect
    deviation: float
    held: HeldOut
    decided: float
    by_cost: bool
    limits: str

    @property
    def cautions(self) -> tuple[str, ...]:
        """What a reader of the figure must know, a main clause each."""
        if self.by_cost or self.decided >= 0.5:
            return ()
        return (
            f"only {100 * self.decided:.0f} % of the searches decided their deal, so the node "
            "budget counts for most: give a larger one with --nodes N (nodes=N in Python)",
        )


def interactions_data(
    runs: Runs,
    deals: str | Sequence[Deal] | None = None,
    jobs: Workers | int = -1,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    vectors: int = VECTORS,
    reach: float = 1.0,
    nodes: int | None = None,
    rng: np.random.Generator | None = None,
) -> InteractionsData:
    """Solve deals with weights drawn at random, and decompose what they take.

    Each weight is drawn uniformly and on its own, from its whole range or, with a smaller
    ``reach``, from up to this share of its range to either side of the champion's weight, but
    never beyond an end of the range. The variance of the mean logarithm of the nodes is decomposed
    (``comparing.decomposition``).

    Args:
        runs: one run, alone or in a list.
        deals: a set by name, a range, or numbers; by default deals that the run neither trained
            nor validated on.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        on_progress: called as work comes back, with the number of tasks done and in all.
        vectors: how many are drawn; at least four for each coefficient, of which n weights have
            1 + 2 n + n (n - 1) / 2.
        reach: above 0 and up to 1. At 1, the default, weights are drawn from their whole ranges,
            wherever the champion's are.
        nodes: the budget of a deal; by default the run's.
        rng: draws the vectors; by default always the same ones.

    Raises:
        FigureError: if it is not one run, its log is empty, or it is only a log without a job;
            if there are too few vectors or fewer than five deals, or ``reach`` is out of range; if
            all vectors need the same nodes, of which no weight has a share.
        BadInput: if there are no such deals.
    """
    run: Any = only_run(runs, "the interactions of weights")
    logged_lines(run)
    if not 0 < reach <= 1:
        raise FigureError(f"reach must be above 0 and at most 1, the whole range, got {reach}")
    job = job_of(run)
    game = job.load_game()
    held = deals_measured(deals, [job], game)
    features, best = trained_features(job, game), np.array(run.best.weights)
    rng = rng or np.random.default_rng(SEED)
    ends = np.array([(feature.low, feature.high) for feature in features])
    room = reach * (ends[:, 1] - ends[:, 0])
    low, high = np.maximum(best - room, ends[:, 0]), np.minimum(best + room, ends[:, 1])
    places = [place for place in job.weight_places if low[place] < high[place]]
    least = least_vectors(len(places))
    if vectors < least:
        raise FigureError(
            f"the interactions of {plural(len(places), 'weight')} need at least {least:,} vectors, "
            f"four for each of {terms(len(places)):,} coefficients, got {vectors:,}: draw more "
            "with --vectors N (vectors=N in Python)"
        )
    if len(held.deals) < LEAST:
        raise FigureError(
            f"the interactions of weights need at least {LEAST} deals, got {len(held.deals)}: give "
            "more with --deals (deals=... in Python)"
        )
    unit = rng.uniform(-1, 1, (vectors, len(places)))
    genomes = np.tile(best, (vectors, 1))
    genomes[:, places] = low[places] + (high - low)[places] * (1 + unit) / 2
    search, limits = job.whole
    limits = limits.unless(nodes, None)
    solvers = [(job.evaluator(tuple(one)), search, limits) for one in genomes.tolist()]
    found = outcomes_of([*dict.fromkeys(solvers)], held.deals, game, jobs, on_progress)
    scores = [Score.of(found[solver], limits.nodes) for solver in solvers]
    values = np.array([score.values for score in scores])
    if np.ptp(values.mean(axis=1)) < _EQUAL:
        raise FigureError(
            f"all weights need the same nodes on {held.name} within {limits_text(limits)}: give a "
            "larger budget, or other deals"
        )
    parts = decomposition(unit, values)

    def effect(part: Part) -> Effect:
        named = tuple(features[places[place]].name for place in part.places)
        return Effect(named, part.share, part.interval, part.slope)

    def largest(parts: Sequence[Part]) -> tuple[Effect, ...]:
        return tuple(map(effect, sorted(parts, key=lambda part: -part.share)))

    return InteractionsData(
        run.label,
        run.best.generation,
        reach,
        vectors,
        largest(parts.singles),
        largest(parts.pairs),
        effect(parts.together),
        effect(parts.rest),
        parts.deviation,
        held,
        float(np.mean([score.decided / score.deals for score in scores])),
        any(score.by_cost for score in scores),
        f"{search.name} up to {limits_text(limits)} a deal",
    )


def plot_interactions(
    runs: Runs,
    axes: Panels | None = None,
    deals: str | Sequence[Deal] | None = None,
    jobs: Workers | int = -1,
) -> tuple[Axes, ...]:
    """Draw which weights of a run's champion matter, and how they depend on each other.

    Weights are drawn from their ranges and measured on deals; the variance of the nodes
    is split into what single weights, and pairs beyond both, have to do with it. This takes
    minutes: ``interactions_data`` takes more arguments and has a progress callback, and
    ``draw_interactions`` draws what it returns.

    Args:
        runs: one run, alone or in a list.
        axes: two, where to draw; new ones by default.
        deals: a set by name, a range, or numbers; by default deals that the run neither trained
            nor validated on.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.

    Returns:
        The axes: of single weights, and of pairs.

    Raises:
        FigureError: if it is not one run, its log is empty, or it is only a log without a job.
        BadInput: if there are no such deals.
    """
    return draw_interactions(interactions_data(runs, deals, jobs), axes)


@literal
def draw_interactions(data: InteractionsData, axes: Panels | None = None) -> tuple[Axes, ...]:
    """Draw what ``interactions_data`` computed, with the ten pairs of the largest shares.

    Args:
        data: what to draw.
        axes: two, where to draw; new ones by default.

    Returns:
        The axes: of single weights, and of pairs.

    Raises:
        FigureError: if it is not two axes.
    """
    pairs = data.pairs[:DRAWN]
    counts = len(data.singles) + 2, len(pairs)
    if axes is None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9.5, 2.8 + 0.3 * sum(counts)), layout="constrained")
        axes = figure.subplots(2, 1, height_ratios=counts)
    panels = panels_of(axes)
    if len(panels) != 2:
        raise FigureError(f"the interactions of weights need two axes, got {len(panels)}")
    upper, lower = panels
    what = "costs less" if data.by_cost else "saves nodes"
    contrary = "costs more" if data.by_cost else "costs nodes"
    further = [(f"all {plural(len(data.pairs), 'pair')}", data.together), (THE_REST, data.rest)]
    _draw(upper, [*_named(data.singles), *further])
    _draw(lower, _named(pairs))
    tidy(upper, f"{data.label}: which weights matter, and which depend on each other")
    subtitle(upper, _facts(data))
    of = f"the {len(pairs)} largest of {len(data.pairs)} (another scale)"
    tidy(lower, f"Pairs, beyond the effects of both: {of}")
    _legend(upper, f"more of it {what}", f"more of it {contrary}", "pairs, the rest")
    _legend(
        lower,
        "raising one makes raising\nthe other pay more",
        "raising one makes raising\nthe other pay less",
    )
    quantity = "the mean cost" if data.by_cost else "log nodes (states generated)"
    for panel in panels:
        panel.set_xlabel(f"share of the variance of {quantity}, %")
        panel.grid(visible=False, axis="y")
    return panels


def _named(effects: Sequence[Effect]) -> list[tuple[str, Effect]]:
    return [(" × ".join(one.features), one) for one in effects]


def _draw(axes: Axes, effects: Sequence[tuple[str, Effect]]) -> None:
    """Draw a row for each effect: its share with its interval, hollow if that reaches 0."""
    axes.axvline(0, color="0.3", linewidth=1.2)
    for row, (_, one) in enumerate(effects):
        colour = REST if not one.features else MORE if one.slope > 0 else LESS
        low, high = (100 * end for end in one.interval)
        axes.plot([low, high], [row, row], color=colour, linewidth=1.6)
        inside = colour if low > 0 else "white"
        axes.plot([100 * one.share], [row], "o", color=colour, markerfacecolor=inside)
    axes.set_yticks(range(len(effects)), [name for name, _ in effects])
    axes.set_ylim(len(effects) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def _legend(axes: Axes, *labels: str) -> None:
    """Say what the colours mean, to the right of a panel."""
    for colour, label in zip((LESS, MORE, REST), labels, strict=False):
        axes.plot([], [], "o", color=colour, label=label)
    axes.plot([], [], "o", color=REST, markerfacecolor="white", label="no effect is shown")
    axes.legend(labelspacing=0.8, **LEGEND_OUTSIDE)


def _facts(data: InteractionsData) -> str:
    """What was measured, in a few lines."""
    held, seen = data.held, data.held.seen
    new = f", {seen} of them used in training" if seen else ", not used in training"
    box = "its whole range"
    if data.reach < 1:
        box = f"{100 * data.reach:.0f} % of its range to either side of the champion's"
    decided = f"{100 * data.decided:.0f} % decided"
    spread = f"one standard deviation of the mean cost is {data.deviation:.3g}"
    if not data.by_cost:
        decided += ", the others count the budget"
        spread = f"one standard deviation multiplies the nodes by {exp(data.deviation):.2f}"
    measured = (
        f"{data.vectors:,} weight vectors, each weight drawn from {box}, on "
        f"{plural(len(held.deals), 'deal')} ({held.name}{new}), search {data.limits}, {decided}; "
        f"{spread}; lines: 95 % intervals; marks: unbiased estimates, which can be below 0"
    )
    return wrapped(measured, FACTS_WIDTH)
