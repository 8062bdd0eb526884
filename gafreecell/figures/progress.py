"""The progress of runs: their solvers on deals they never used, generation by generation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from deals.words import plural
from gafreecell.evaluation import Workers
from gafreecell.figures.courses import Course, ProgressData, Score, progress_data
from gafreecell.figures.labels import Label, height_of, label_beside
from gafreecell.figures.style import (
    Runs,
    colours,
    generation_ticks,
    new_axes,
    subtitle,
    tidy,
    wrapped,
)
from gafreecell.game import Problem

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVEL = "0.35"
"""The colour of published solvers."""
FACTS_WIDTH = 116
"""Characters in a line below the title."""


def plot_progress(
    runs: Runs,
    axes: Axes | None = None,
    deals: str | Sequence[Problem] | None = None,
    workers: Workers | int | None = None,
) -> Axes:
    """Draw how the solvers of runs do on deals that they did not train on.

    It draws the nodes of each generation's best solver and of the champion so far, and as
    horizontal lines those of the game's published solvers, all in the same search with the same
    limits. Solving the deals takes a while: ``progress_data`` takes the same arguments and has a
    progress callback, and ``draw_progress`` draws what it returns.

    Args:
        runs: one run, or several of one game.
        axes: where to draw; new ones by default.
        deals: a set by name, a range, or numbers; by default deals that no run trained or
            validated on.
        workers: ``Workers`` that solve the deals, or a number of threads; all cores by default.

    Returns:
        The axes.

    Raises:
        FigureError: if there is no run, a log is empty, a run is only a log without a job, or the
            runs are not of one game.
        BadInput: if there are no such deals.
    """
    return draw_progress(progress_data(runs, deals, workers), axes)


def draw_progress(data: ProgressData, axes: Axes | None = None) -> Axes:
    """Draw what ``progress_data`` computed.

    Args:
        data: what to draw.
        axes: where to draw; new ones by default.

    Returns:
        The axes.
    """
    tints = colours(len(data.courses))
    grey = len({level.runs for level in data.levels}) == 1
    own = dict(zip((course.label for course in data.courses), tints, strict=True))
    shades = [LEVEL if grey else own[level.runs[0]] for level in data.levels]
    labels = [*_course_labels(data, tints), *_level_labels(data, shades)]
    if axes is None:
        (axes,) = new_axes(1, 9, max(5, 1.5 + height_of(labels)))
    for course, tint in zip(data.courses, tints, strict=True):
        _draw_course(axes, course, tint)
    for level, shade in zip(data.levels, shades, strict=True):
        axes.axhline(level.score.typical, color=shade, linewidth=1.2, linestyle="--")
    drawn = [generation for course in data.courses for generation in course.generations]
    # Leave room on the left: the first generations often improve most.
    first, last = min(drawn), max(drawn)
    axes.set_xlim(first - max(0.5, 0.03 * (last - first)), last + 0.5)
    generation_ticks(axes)
    _scale(axes, data)
    label_beside(axes, labels)
    tidy(axes, _title(data))
    subtitle(axes, _facts(data))
    axes.set_xlabel("generation")
    axes.set_ylabel(_measure(data))
    return axes


def _draw_course(axes: Axes, course: Course, tint: str) -> None:
    """Draw a thin line for the generations' best and a thick one for the champions."""
    best = [score.typical for score in course.best]
    axes.plot(
        course.generations, best, color=tint, linewidth=0.9, marker="o", markersize=3, alpha=0.55
    )
    if course.changes:
        # The last champion stays to the end; half a generation more shows one of the last.
        at = [*course.changes, course.generations[-1] + 0.5]
        kept = [score.typical for score in course.champions]
        axes.plot(at, [*kept, kept[-1]], color=tint, linewidth=2.6, drawstyle="steps-post")


def _scale(axes: Axes, data: ProgressData) -> None:
    """Set the limits of the value axis; nodes get a log scale with plain numbers."""
    values = [score.typical for score in data.scores]
    low, high = min(values), max(values)
    if data.by_cost:
        room = 0.08 * ((high - low) or abs(high) or 1)
        axes.set_ylim(low - room, high + room)
        return
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.set_yscale("log")
    room = max((high / low) ** 0.08, 1.2)
    axes.set_ylim(low / room, high * room)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_minor_formatter(NullFormatter())


def _title(data: ProgressData) -> str:
    alone = len(data.courses) == 1
    who = "it" if alone else "no run"
    new = f"{who} never trained on" if alone else f"{who} trained on"
    if data.problems.seen:
        new = f"of which {data.problems.seen} were used in training"
    what = "mean cost of problems" if data.by_cost else "nodes on deals"
    start = f"{data.courses[0].label}: {what}" if alone else what.capitalize()
    return f"{start} {new} (lower is better)"


def _facts(data: ProgressData) -> str:
    """What was measured and what is drawn, in a few lines."""
    measured = (
        f"{plural(data.scores[0].deals, 'deal')} ({data.problems.name}), search {data.limits}"
    )
    if not data.by_cost:
        measured += f"; an {_open(data)} deal counts the whole budget"
    drawn = "dots: each generation's best"
    skipped = [course for course in data.courses if len(course.generations) < course.length]
    if skipped:
        some = ", ".join(f"{len(course.generations)} of {course.length}" for course in skipped)
        drawn += f" ({some} generations measured)"
    if any(course.changes for course in data.courses):
        drawn += "; thick line: the champion so far, chosen on validation deals"
    return f"{wrapped(measured, FACTS_WIDTH)}\n{wrapped(drawn, FACTS_WIDTH)}"


def _measure(data: ProgressData) -> str:
    if data.by_cost:
        return "mean cost"
    return "nodes (states generated) per deal,\ngeometric mean, log scale"


def _open(data: ProgressData) -> str:
    """The word for a deal that a search gave up: undecided if there are proofs, too."""
    proofs = any(score.decided > score.solved for score in data.scores)
    return "undecided" if proofs else "unsolved"


def _result(score: Score, data: ProgressData) -> str:
    """A solver's result in some thirty characters."""
    left = score.deals - score.decided
    return f"{_spent(score)}, {f'{left:,}' if left else 'none'} {_open(data)}"


def _spent(score: Score) -> str:
    return (
        f"cost {score.typical:.3g}"
        if score.by_cost
        else plural(score.typical, "node", digits=",.0f")
    )


def _course_labels(data: ProgressData, tints: Sequence[str]) -> Iterator[Label]:
    alone = len(data.courses) == 1
    for course, tint in zip(data.courses, tints, strict=True):
        kept = (course.champions or course.best)[-1]
        name = "champion: the weights kept" if alone and course.champions else course.label
        yield Label(kept.typical, (name, _result(kept, data)), tint)
        if alone and course.champions:
            first = course.best[0]
            lines: tuple[str, ...] = ("each generation's best",)
            if course.length > 1:
                lines += (f"at first {_spent(first)}", *_times(first, data))
            yield Label(course.best[-1].typical, lines, tint)


def _level_labels(data: ProgressData, shades: Sequence[str]) -> Iterator[Label]:
    several = len({level.runs for level in data.levels}) > 1
    for level, shade in zip(data.levels, shades, strict=True):
        rival, result = level.rival, _result(level.score, data)
        lines: tuple[str, ...]
        if several:
            lines = (f"{rival.name}, in the search of {', '.join(level.runs)}", result)
        else:
            name = f"{rival.name} ({rival.source})" if rival.source else rival.name
            lines = (name, result, *_times(level.score, data))
        yield Label(level.score.typical, lines, shade)


def _times(score: Score, data: ProgressData) -> tuple[str, ...]:
    """How a solver compares with the champion, if a single run is drawn."""
    if len(data.courses) > 1 or not data.courses[0].champions or data.by_cost:
        return ()
    times, low, high = score.times(data.courses[0].champions[-1])
    return (f"{_ratio(times)} × champion's (95 %: {_ratio(low)}-{_ratio(high)})",)


def _ratio(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"
