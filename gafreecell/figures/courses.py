"""Measures the solvers of runs on deals that they did not train on.

This needs no new run: a log has the weights of each generation's best, and says which of them
became champion.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from statistics import fmean

import numpy as np

from gafreecell.comparing.fairness import EVEN, incomplete, uneven_budgets, uneven_effort
from gafreecell.comparing.held_out import HeldOut, Rival, held_out, named, rivals
from gafreecell.comparing.pairs import logarithms
from gafreecell.evolution.job import Job
from gafreecell.figures.style import (
    FigureError,
    LoggedRun,
    Runs,
    grouped,
    job_of,
    logged_lines,
    runs_of,
)
from gafreecell.installed import plugins
from gafreecell.runs.record import Run
from gafreecell.solitaire.game import Deal, Game, full_title, limits_text
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Search, Status, Task
from gafreecell.workers.chosen import Workers
from gafreecell.workers.evaluation import Evaluation

MOST, LEAST = 100, 12
"""Generations that are drawn: at most ``MOST`` over all runs, but at least ``LEAST`` of each."""
Solver = tuple[Evaluator, Search, Limits]


@dataclass(frozen=True)
class Score:
    """A solver's results on the deals.

    Attributes:
        values: for each deal the logarithm of the nodes generated; an undecided deal counts
            the whole budget. If deals have a cost of their own, that cost.
        solved: how many it solved.
        decided: how many it solved or proved unsolvable.
        by_cost: whether deals have a cost of their own.
    """

    values: tuple[float, ...]
    solved: int
    decided: int
    by_cost: bool = False

    @classmethod
    def of(cls, outcomes: Sequence[Outcome], budget: int) -> Score:
        """The score of one solver's outcomes, one for each deal, within a node budget."""
        by_cost = any(outcome.cost is not None for outcome in outcomes)
        if by_cost:
            values = np.array([outcome.spent for outcome in outcomes], np.float64)
        else:
            nodes = [o.nodes.generated if o.status.decided else budget for o in outcomes]
            values = logarithms(nodes)
        solved = sum(outcome.status is Status.SOLVED for outcome in outcomes)
        decided = sum(outcome.status.decided for outcome in outcomes)
        return cls(tuple(values.tolist()), solved, decided, by_cost)

    @property
    def deals(self) -> int:
        """How many deals there were."""
        return len(self.values)

    @property
    def typical(self) -> float:
        """The geometric mean of the nodes, or the mean cost."""
        mean = float(np.mean(self.values))
        return mean if self.by_cost else float(np.exp(mean))

    def times(self, other: Score) -> tuple[float, float, float]:
        """The nodes as a multiple of another score's, with the ends of its 95 % interval.

        This is the geometric mean of the ratios deal by deal, so that differences between deals
        do not blur the difference between solvers.
        """
        logs = np.subtract(self.values, other.values)
        error = 1.96 * logs.std(ddof=1) / np.sqrt(len(logs)) if len(logs) > 1 else np.inf
        times, low, high = np.exp(logs.mean() + np.array([0, -error, error])).tolist()
        return times, low, high


@dataclass(frozen=True)
class Course:
    """A run on the deals.

    Attributes:
        label: its name.
        length: generations done.
        generations: the ``n`` generations that are drawn, ascending.
        best: the score of each of their best solvers, ``n`` scores.
        changes: the drawn generations whose best became champion, ascending; empty if the log
            does not say.
        champions: the scores of these champions.
        standing: what the trainer calls the solver that stands for a generation: "best",
            "centre", ...
        group: the name of its job if several runs of that job are drawn, else empty.
        spent: evaluations of solvers up to each of the generations, ``n`` numbers.
    """

    label: str
    length: int
    generations: tuple[int, ...]
    best: tuple[Score, ...]
    changes: tuple[int, ...]
    champions: tuple[Score, ...]
    standing: str = "best"
    group: str = ""
    spent: tuple[int, ...] = ()

    def evaluations(self, generation: float) -> float:
        """Evaluations of solvers up to a generation, and within it; at most one after the last."""
        at, spent = (0, *self.generations), (0, *self.spent)
        at, spent = (*at, at[-1] + 1), (*spent, 2 * spent[-1] - spent[-2])
        return float(np.interp(generation, at, spent))

    def champion(self, generation: int) -> Score:
        """What the champion after a generation made of the deals."""
        return self.champions[bisect_right(self.changes, generation) - 1]


@dataclass(frozen=True)
class Level:
    """A solver to compare with, which no run trained.

    Attributes:
        rival: the solver.
        score: its results on the deals, in the search and limits of ``runs``.
        runs: the labels of these runs; for several runs of one job, the name of their group.
        where: in which search or budget it is, in words, if those of other runs differ.
    """

    rival: Rival
    score: Score
    runs: tuple[str, ...]
    where: str = ""


@dataclass(frozen=True)
class ProgressData:
    """What ``draw_progress`` draws.

    Attributes:
        courses: one for each run.
        levels: the solvers that runs are compared with.
        held: the deals that all of them were measured on.
        limits: the runs' searches and budgets in words.
        cautions: what a reader must know, a main clause each: runs are missing or not finished,
            the curve of several ends with the shortest, or budgets or efforts differ.
    """

    courses: tuple[Course, ...]
    levels: tuple[Level, ...]
    held: HeldOut
    limits: str
    cautions: tuple[str, ...] = ()

    @property
    def by_evaluations(self) -> bool:
        """Whether a generation of one group costs more than that of another: they are then drawn
        by evaluations.
        """
        end = min(course.generations[-1] for course in self.courses)
        spent = [
            [fmean(course.evaluations(at) for course in courses) for _, courses in self.groups]
            for at in {at for course in self.courses for at in course.generations if at <= end}
        ]
        return any(max(each) > EVEN * min(each) for each in spent)

    @property
    def groups(self) -> list[tuple[str, list[Course]]]:
        """Courses by job under its name, each that is alone with its job under its own label."""
        found: dict[str | int, list[Course]] = {}
        for place, course in enumerate(self.courses):
            found.setdefault(course.group or place, []).append(course)
        return [(group[0].group or group[0].label, group) for group in found.values()]

    @property
    def scores(self) -> list[Score]:
        """All scores that are drawn."""
        courses = [score for course in self.courses for score in (*course.best, *course.champions)]
        return [*courses, *(level.score for level in self.levels)]

    @property
    def by_cost(self) -> bool:
        """Whether the deals have a cost of their own."""
        return any(score.by_cost for score in self.scores)


def progress_data(
    runs: Runs,
    deals: str | Sequence[Deal] | None = None,
    jobs: Workers | int = -1,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    most: int = MOST,
    known: dict[Solver, tuple[Outcome, ...]] | None = None,
    nodes: int | None = None,
    gaps: Sequence[str] = (),
) -> ProgressData:
    """Solve held-out deals with the solvers of each generation.

    Every distinct solver solves each deal once. For a run with earlier phases, the solver is the
    whole schedule, with the nodes of all its phases.

    Args:
        runs: one run, or several of one game.
        deals: a set by name, a range, or numbers; by default deals that no run trained or
            validated on (``comparing.held_out.held_out``).
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        on_progress: called as work comes back, with the number of tasks done and in all.
        most: generations to measure, over all runs. They are spread evenly, with at least
            ``LEAST`` of each run, and generations whose best became champion are added.
        known: outcomes on these deals that need not be computed, by solver; those of the other
            solvers are added, without moves.
        nodes: node budget of each deal; by default each run's own.
        gaps: further ``cautions``: which runs of a study's plan are not among these.

    Raises:
        FigureError: if there is no run, a log is empty, a run is only a log without a job, or the
            runs are not of one game.
        BadInput: if there are no such deals.
    """
    groups = grouped(runs_of(runs))
    chosen = [run for _, members in groups for run in members]
    names = [name if len(members) > 1 else "" for name, members in groups for _ in members]
    every = [job_of(run) for run in chosen]
    game = _game(every)
    held = deals_measured(deals, every, game)
    share = max(most // len(chosen), LEAST)
    wholes = [whole(job, nodes) for job in every]
    plans = [_Plan(*one, share) for one in zip(chosen, every, wholes, names, strict=True)]
    compared: dict[tuple[Rival, Solver], list[str]] = {}
    for plan, job, limited in zip(plans, every, wholes, strict=True):
        for rival in rivals(job, game):
            solver = (rival.evaluator, *limited)
            labels = compared.setdefault((rival, solver), [])
            labels += [plan.label] * (plan.label not in labels)
    solvers = dict.fromkeys(solver for _, solver in compared)
    for plan in plans:
        solvers |= dict.fromkeys(plan.solver(generation) for generation in plan.generations)
    known = {} if known is None else known
    new = [solver for solver in solvers if solver not in known]
    known |= outcomes_of(new, held.deals, game, jobs, on_progress)
    scores = {solver: Score.of(known[solver], solver[2].nodes) for solver in solvers}
    return ProgressData(
        tuple(plan.course(scores) for plan in plans),
        tuple(
            Level(rival, scores[solver], tuple(labels), _where(solver, labels, wholes))
            for (rival, solver), labels in compared.items()
        ),
        held,
        ", ".join(dict.fromkeys(limits_of(job, nodes) for job in every)),
        (*gaps, *_cautions(groups, [limits for _, limits in wholes])),
    )


def _cautions(
    groups: Sequence[tuple[str, Sequence[LoggedRun]]], limits: Sequence[Limits]
) -> Iterator[str]:
    """What a reader of the figure must know of its runs."""
    yield from _ends(groups)
    known = [(name, [one for one in runs if isinstance(one, Run)]) for name, runs in groups]
    yield from incomplete([run for _, runs in known for run in runs])
    yield from uneven_budgets(limits, "runs")
    yield from uneven_effort((name, runs) for name, runs in known if runs)


def _ends(groups: Sequence[tuple[str, Sequence[LoggedRun]]]) -> Iterator[str]:
    """Which curves of several runs end with the shortest of them."""
    for name, runs in groups:
        done = [run.lines[-1]["generation"] for run in runs]
        if min(done) < max(done):
            shortest = runs[done.index(min(done))].label
            yield (
                f"the curve of {name} ends with its shortest run, {shortest}, at generation "
                f"{min(done):,}; the longest has {max(done):,}"
            )


def _where(solver: Solver, labels: Sequence[str], wholes: Sequence[tuple[Search, Limits]]) -> str:
    """In which search or budget of some runs a solver is; empty if all have the same."""
    if all(one == wholes[0] for one in wholes):
        return ""
    if all(search == wholes[0][0] for search, _ in wholes):
        return f"within {limits_text(solver[2])}"
    return f"in the search of {', '.join(labels)}"


class _Plan:
    """The solvers of a run that are measured."""

    def __init__(
        self, run: LoggedRun, job: Job, whole: tuple[Search, Limits], group: str, most: int
    ) -> None:
        lines = logged_lines(run)
        self._run, self._job, self._group, self.whole = run, job, group, whole
        done = accumulate(line["evaluations"] for line in lines)
        self._spent = dict(zip((line["generation"] for line in lines), done, strict=True))
        self.label = group or run.label
        self._weights = {line["generation"]: tuple(line["best_weights"]) for line in lines}
        told = {line["validation"]["generation"] for line in lines if line.get("validation")}
        self.changes = sorted(told & self._weights.keys())
        places = np.unique(np.linspace(0, len(lines) - 1, most).round().astype(int))
        spread = {lines[place]["generation"] for place in places.tolist()}
        self.generations = sorted(spread | {*self.changes})

    def solver(self, generation: int) -> Solver:
        """The best of a generation."""
        return self._job.evaluator(self._weights[generation]), *self.whole

    def course(self, scores: Mapping[Solver, Score]) -> Course:
        """The run's course, from the scores of its solvers."""
        found = {generation: scores[self.solver(generation)] for generation in self.generations}
        return Course(
            self._run.label,
            len(self._weights),
            tuple(found),
            tuple(found.values()),
            tuple(self.changes),
            tuple(found[generation] for generation in self.changes),
            standing(self._job),
            self._group,
            tuple(self._spent[generation] for generation in found),
        )


def outcomes_of(
    solvers: Sequence[Solver],
    deals: Sequence[Deal],
    game: Game,
    jobs: Workers | int,
    on_progress: Callable[[int, int], None],
) -> dict[Solver, tuple[Outcome, ...]]:
    """Each solver's outcomes on the deals."""
    if not solvers:
        return {}
    # Deal by deal, so that slow solvers are spread over the work and the time left can be told.
    tasks = [Task(deal, *solver) for deal in deals for solver in solvers]
    with Workers.of(jobs).started() as pool:
        outcomes = Evaluation(game, pool, on_progress=on_progress).outcomes(tasks, replayed=True)
    return {solver: tuple(outcomes[place :: len(solvers)]) for place, solver in enumerate(solvers)}


def standing(job: Job) -> str:
    """What the solver is that stands for a generation of a job: "best", "centre", ..."""
    if job.validation.candidate == "centroid":
        return "centre of the fitter half"
    if job.validation.candidate == "fittest":
        return "best"
    try:
        trainer = plugins.find("trainer", job.trainer)
    except plugins.PluginError:
        # A run can be read without parts of one's own that it was made with.
        return "best"
    stands: str = trainer.stands
    return stands


def _game(jobs: Sequence[Job]) -> Game:
    """The game of all the jobs."""
    games = [job.load_game() for job in jobs]
    titles = list(dict.fromkeys(full_title(game) for game in games))
    if len(titles) > 1:
        raise FigureError(f"expected runs of one game, got {' and '.join(titles)}")
    return games[0]


def deals_measured(deals: str | Sequence[Deal] | None, jobs: Sequence[Job], game: Game) -> HeldOut:
    """The deals that runs are measured on.

    Args:
        deals: a set by name, a range, or numbers; deals that no job used if None.
        jobs: of the runs.
        game: the game.

    Raises:
        FigureError: if there are none.
        BadInput: if there is no such set.
    """
    if deals is None:
        return held_out(jobs, game)
    if not isinstance(deals, Iterable):
        raise FigureError(f"deals must be a set's name or a list of deals, got {deals!r:.60}")
    chosen = game.deals(deals) if isinstance(deals, str) else list(deals)
    if not chosen:
        raise FigureError("expected at least one deal, got none")
    found = named(chosen, jobs, game)
    return replace(found, name=deals) if isinstance(deals, str) else found


def whole(job: Job, nodes: int | None = None) -> tuple[Search, Limits]:
    """The search of a job with its limits, or with another node budget."""
    search, limits = job.whole
    return search, limits.unless(nodes, None)


def limits_of(job: Job, nodes: int | None = None) -> str:
    """The search and the budget of a job in words."""
    search, limits = whole(job, nodes)
    included = ", earlier phases included" if job.phases else ""
    return f"{search.name} up to {limits_text(limits)} a deal{included}"
