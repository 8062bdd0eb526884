"""The progress of runs: their solvers on deals they never used, generation by generation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, geometric_mean
from typing import TYPE_CHECKING, Any

import numpy as np

from deals.words import plural
from gafreecell.comparing.statistics import student
from gafreecell.figures.courses import Course, Level, ProgressData, Score, progress_data
from gafreecell.figures.labels import Label, height_of, label_beside
from gafreecell.figures.style import (
    LEAST_RUNS,
    Runs,
    caption,
    colours,
    generation_ticks,
    literal,
    new_axes,
    subtitle,
    tidy,
    wrapped,
)
from gafreecell.solitaire.game import Deal
from gafreecell.workers.chosen import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVEL = "0.35"
"""The colour of rivals."""
BAND = 0.15
"""Opacity of an interval."""
BEST: dict[str, Any] = {"linewidth": 0.9, "marker": "o", "markersize": 3, "alpha": 0.55}
RIVAL: dict[str, Any] = {"linewidth": 1.2, "linestyle": "--"}
CHAMPION: dict[str, Any] = {"linewidth": 2.6, "drawstyle": "steps-post"}
END: dict[str, Any] = {"marker": "|", "markersize": 16, "markeredgewidth": 2.6, "zorder": 5}
LEAD: dict[str, Any] = {"linewidth": 0.9, "linestyle": ":"}
FACTS_WIDTH = 116
"""Characters in a line below the title."""


def plot_progress(
    runs: Runs,
    axes: Axes | None = None,
    deals: str | Sequence[Deal] | None = None,
    jobs: Workers | int = -1,
    nodes: int | None = None,
) -> Axes:
    """Draw how the solvers of runs do on deals that they did not train on.

    It draws the nodes of each generation's best solver and of the champion so far, and as
    horizontal lines those of the game's comparison presets, all in the same search with the same
    limits. Runs of one job, which differ only in the seed, are drawn as their mean, with Student's
    95 % interval of it if there are three or more. Where a generation of one job takes more
    evaluations than that of another, the x axis counts evaluations. Solving the deals takes a
    while: ``progress_data`` takes the same arguments and has a progress callback, and
    ``draw_progress`` draws what it returns.

    Args:
        runs: one run, or several of one game.
        axes: where to draw; new ones by default.
        deals: a set by name, a range, or numbers; by default deals that no run trained or
            validated on.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        nodes: node budget of each deal; by default each run's own.

    Returns:
        The axes.

    Raises:
        FigureError: if there is no run, a log is empty, a run is only a log without a job, the
            runs are not of one game, or two have the same job and seed.
        BadInput: if there are no such deals.
    """
    return draw_progress(progress_data(runs, deals, jobs, nodes=nodes), axes)


@literal
def draw_progress(data: ProgressData, axes: Axes | None = None) -> Axes:
    """Draw what ``progress_data`` computed.

    Args:
        data: what to draw.
        axes: where to draw; new ones by default.

    Returns:
        The axes.
    """
    groups = data.groups
    tints = colours(len(groups))
    own = dict(zip((name for name, _ in groups), tints, strict=True))
    # A search or budget of one group alone is in its colour, one that groups share is grey.
    shades = [
        own[level.runs[0]] if level.where and len(level.runs) == 1 else LEVEL
        for level in data.levels
    ]
    labels = [*_course_labels(data, tints), *_level_labels(data, shades)]
    if axes is None:
        (axes,) = new_axes(1, 9, max(5, 1.5 + height_of(labels)))
    begins, ends, by_evaluations = [], [], data.by_evaluations
    for (_, courses), tint in zip(groups, tints, strict=True):
        drawn = len(axes.lines)
        at = _Places(courses, by_evaluations)
        begins.append(at(min(one.generations[0] for one in courses)))
        ends.append(at.end)
        if len(courses) == 1:
            _draw_course(axes, courses[0], at, tint, _prefix(data, courses[0].label))
        else:
            _draw_group(axes, courses, at, tint, _prefix(data, courses[0].group))
        for line in axes.lines[drawn:]:
            # The shorter curve of two with a common beginning would be hidden below the other.
            line.set_zorder(2.5 + 1 / (2 + at.end))
    for level, shade in zip(data.levels, shades, strict=True):
        axes.axhline(level.score.typical, color=shade, label=_level_name(level), **RIVAL)
    # Leave room on the left: the first generations often improve most.
    first, last = min(begins), max(ends)
    axes.set_xlim(first - max(0.5, 0.03 * (last - first)), last)
    generation_ticks(axes)
    _scale(axes, data)
    label_beside(axes, labels)
    # Where a curve ends early, there are several groups, each with one label.
    for label, end, early in zip(labels, ends, _early(data), strict=False):
        if early:
            _draw_end(axes, end, label)
    tidy(axes, _title(data))
    subtitle(axes, _facts(data))
    caption(axes, data.cautions)
    axes.set_xlabel("generation")
    if by_evaluations:
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.set_xlabel("evaluations in training (generations of these jobs differ in them)")
    nodes = "nodes (states generated) per deal,\ngeometric mean, log scale"
    axes.set_ylabel("mean cost" if data.by_cost else nodes)
    return axes


def _prefix(data: ProgressData, name: str) -> str:
    """What comes before the labels of a run's lines, or of a group's: its name, if there are more.

    No legend shows these labels; they name the lines for whoever reads values off the axes.
    """
    return "" if len(data.groups) == 1 else f"{name}: "


class _Places:
    """Where generations of the runs of a job lie on the x axis.

    Args:
        courses: the runs.
        by_evaluations: whether at the mean of their evaluations, else at their numbers.

    Attributes:
        end: half a generation after the last that all have: it shows a champion of the last.
    """

    def __init__(self, courses: Sequence[Course], by_evaluations: bool) -> None:
        self._courses = courses if by_evaluations else ()
        self.end = self(_end(courses) + 0.5)

    def __call__(self, generation: float) -> float:
        if not self._courses:
            return generation
        return fmean(course.evaluations(generation) for course in self._courses)


def _draw_end(axes: Axes, end: float, label: Label) -> None:
    """Show where a curve ends before others, and lead from there to its label."""
    axes.plot([end], [label.height], color=label.colour, **END)
    axes.plot([end, axes.get_xlim()[1]], [label.height] * 2, color=label.colour, **LEAD)


def _draw_course(axes: Axes, course: Course, at: _Places, tint: str, prefix: str) -> None:
    """Draw a thin line for the generations' best and a thick one for the champions."""
    best = [score.typical for score in course.best]
    label = f"{prefix}each generation's {course.standing}"
    axes.plot([*map(at, course.generations)], best, color=tint, label=label, **BEST)
    if course.changes:
        # The last champion stays to the end.
        kept = [score.typical for score in course.champions]
        label = f"{prefix}champion so far"
        x = [*map(at, course.changes), at.end]
        axes.plot(x, [*kept, kept[-1]], color=tint, label=label, **CHAMPION)


def _draw_group(axes: Axes, courses: Sequence[Course], at: _Places, tint: str, prefix: str) -> None:
    """The same of several runs of a job: their means, and an interval of the champions' mean."""
    shared = sorted(set.intersection(*({*course.generations} for course in courses)))
    best = [dict(zip(course.generations, course.best, strict=True)) for course in courses]
    means = [_mean([scores[generation] for scores in best]) for generation in shared]
    label = f"{prefix}each generation's {courses[0].standing}, mean of the runs"
    axes.plot([*map(at, shared)], means, color=tint, label=label, **BEST)
    changes = _champions_at(courses)
    if not changes:
        return
    each = [[course.champion(generation) for course in courses] for generation in changes]
    x = [*map(at, changes), at.end]
    if len(courses) >= LEAST_RUNS:
        low, high = np.transpose([_interval(scores) for scores in (*each, each[-1])])
        axes.fill_between(x, low, high, step="post", color=tint, alpha=BAND, linewidth=0)
    means = [_mean(scores) for scores in (*each, each[-1])]
    label = f"{prefix}champion so far, mean of the runs"
    axes.plot(x, means, color=tint, label=label, **CHAMPION)


def _early(data: ProgressData) -> list[bool]:
    """Whether the curve of each group ends visibly before another one."""
    ends = [_Places(courses, data.by_evaluations).end for _, courses in data.groups]
    return [end < 0.98 * max(ends) for end in ends]


def _end(courses: Sequence[Course]) -> int:
    """The last generation that all of them have."""
    return min(course.generations[-1] for course in courses)


def _champions_at(courses: Sequence[Course]) -> list[int]:
    """The generations after which the champion of any run changes, once all runs have one."""
    if not all(course.changes for course in courses):
        return []
    first = max(course.changes[0] for course in courses)
    last = _end(courses)
    changes = {generation for course in courses for generation in course.changes}
    return [generation for generation in sorted(changes | {first}) if first <= generation <= last]


def _mean(scores: Sequence[Score]) -> float:
    """The geometric mean of several runs' nodes, or the mean of their costs."""
    typical = [score.typical for score in scores]
    return fmean(typical) if scores[0].by_cost else geometric_mean(typical)


def _interval(scores: Sequence[Score]) -> tuple[float, float]:
    """Student's 95 % interval of the same mean."""
    typical = np.array([score.typical for score in scores])
    if scores[0].by_cost:
        return student(typical)
    low, high = np.exp(student(np.log(typical))).tolist()
    return low, high


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
    # Intervals count, too, but those of a few runs may be so wide that nothing else could be seen.
    low, high = max(axes.dataLim.ymin, low / 2), min(axes.dataLim.ymax, 2 * high)
    room = max((high / low) ** 0.08, 1.2)
    axes.set_ylim(low / room, high * room)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_minor_formatter(NullFormatter())


def _title(data: ProgressData) -> str:
    alone, groups = len(data.courses) == 1, data.groups
    who = "it" if alone else "no run"
    new = f"{who} never trained on" if alone else f"{who} trained on"
    if data.held.seen:
        new = f"of which {data.held.seen} were used in training"
    what = "mean cost of deals" if data.by_cost else "nodes on deals"
    start = f"{groups[0][0]}: {what}" if len(groups) == 1 else what.capitalize()
    return f"{start} {new} (lower is better)"


def _facts(data: ProgressData) -> str:
    """What was measured and what is drawn, in a few lines."""
    measured = f"{plural(data.scores[0].deals, 'deal')} ({data.held.name}), search {data.limits}"
    if not data.by_cost:
        measured += f"; an {_open(data)} deal counts the whole budget"
    standing = {course.standing for course in data.courses}
    drawn = "dots: " + (
        f"each generation's {standing.pop()}"
        if len(standing) == 1
        else "what the trainer takes from each generation"
    )
    skipped = [course for course in data.courses if len(course.generations) < course.length]
    if skipped:
        fewest, most = (pick(len(one.generations) for one in skipped) for pick in (min, max))
        some = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        longest = max(course.length for course in skipped)
        drawn += f" ({some} of {plural(longest, 'generation')} measured)"
    if any(course.changes for course in data.courses):
        drawn += "; thick line: the champion so far, chosen on validation deals"
    if any(level.rival.source for level in data.levels):
        drawn += "; dashed: rivals, measured in this search"
    sizes = [len(courses) for _, courses in data.groups]
    if max(sizes) > 1:
        drawn += "; means over the runs of a job"
    if max(sizes) >= LEAST_RUNS:
        drawn += ", band: 95 % interval of the champions' mean"
    if any(_early(data)):
        drawn += "; upright bar: a curve ends before others, a dotted line leads to its label"
    return f"{wrapped(measured, FACTS_WIDTH)}\n{wrapped(drawn, FACTS_WIDTH)}"


def _open(data: ProgressData) -> str:
    """The word for a deal that a search gave up: undecided if there are proofs, too."""
    proofs = any(score.decided > score.solved for score in data.scores)
    return "undecided" if proofs else "unsolved"


def _result(score: Score, data: ProgressData) -> str:
    """A solver's result in some thirty characters."""
    left = score.deals - score.decided
    return f"{_spent(score.typical, data)}, {f'{left:,}' if left else 'none'} {_open(data)}"


def _spent(typical: float, data: ProgressData) -> str:
    return f"cost {typical:.3g}" if data.by_cost else plural(typical, "node", digits=",.0f")


def _course_labels(data: ProgressData, tints: Sequence[str]) -> Iterator[Label]:
    alone = len(data.courses) == 1
    for (group, courses), tint in zip(data.groups, tints, strict=True):
        if len(courses) > 1:
            yield _group_label(group, courses, tint, data)
            continue
        course = courses[0]
        kept = (course.champions or course.best)[-1]
        name = "champion: the weights kept" if alone and course.champions else course.label
        yield Label(kept.typical, (name, _result(kept, data)), tint)
        if alone and course.champions:
            first, last = course.best[0], course.best[-1]
            lines: tuple[str, ...] = (f"each generation's {course.standing}",)
            if course.length > 1:
                lines += (
                    f"at first {_spent(first.typical, data)},",
                    *_times(first, data),
                    f"and at the end {_spent(last.typical, data)}",
                )
            yield Label(last.typical, lines, tint)


def _group_label(name: str, courses: Sequence[Course], tint: str, data: ProgressData) -> Label:
    """What stands beside the mean of several runs."""
    at = _champions_at(courses)
    if at:
        scores = [course.champion(at[-1]) for course in courses]
    else:
        scores = [course.best[-1] for course in courses]
    mean, left = _mean(scores), fmean(score.deals - score.decided for score in scores)
    told = f"{plural(len(courses), 'run')}: {_spent(mean, data)}, {left:,.1f} {_open(data)}"
    if any(_early(data)):
        told = f"after generation {_end(courses):,}, {told}"
    return Label(mean, (name, told), tint)


def _level_labels(data: ProgressData, shades: Sequence[str]) -> Iterator[Label]:
    for level, shade in zip(data.levels, shades, strict=True):
        result = _result(level.score, data)
        lines: tuple[str, ...] = (_level_name(level), result)
        if not level.where:
            source = (level.rival.source,) if level.rival.source else ()
            lines = (level.rival.title, *source, result, *_times(level.score, data))
        yield Label(level.score.typical, lines, shade)


def _level_name(level: Level) -> str:
    return f"{level.rival.title}, {level.where}" if level.where else level.rival.title


def _times(score: Score, data: ProgressData) -> tuple[str, ...]:
    """How a solver compares with the champion, if a single run is drawn."""
    if len(data.courses) > 1 or not data.courses[0].champions or data.by_cost:
        return ()
    times, low, high = score.times(data.courses[0].champions[-1])
    return (f"{_ratio(times)} × champion's (95 %: {_ratio(low)}-{_ratio(high)})",)


def _ratio(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"
