"""Studies: jobs that differ in a few keys, with the same seeds, budget and test deals.

What a run submits, its champion on the validation deals or the candidate of its last generation, is
measured on deals that no run was trained on. A study's two tables in docs, of the results and of
the generations, have the runs that are finished, so a study that was interrupted goes on where it
was. Its runs are in ``out/studies``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain
from math import sqrt
from operator import itemgetter
from pathlib import Path
from typing import TypeVar

import joblib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from pages import changes, fill, interval, read_lines, write_lines
from scipy.optimize import brentq
from scipy.stats import nct, t

import hsd
from gafreecell import evolve, load
from gafreecell.comparing.statistics import student
from gafreecell.figures.style import COLOURS, DPI, headed, tidy
from gafreecell.runs import study
from gafreecell.runs.folder import STATE
from gafreecell.runs.plan import Plan
from gafreecell.runs.record import Run
from gafreecell.runs.run import resume
from gafreecell.service.solvers import named_solver
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.weights import Weights
from gafreecell.terminal.tables import table

PLANS = Path(__file__).parent / "plans"
LIMIT = 2_000_000
"""Nodes of a test deal."""
FAILED = 1_000_000_000
"""Nodes that the paper counts for an unsolved deal."""
EVALUATIONS = "evaluations"
TYPICAL, MEAN, FITNESS = "nodes, geometric mean", "nodes, mean", "paper's fitness"
PENALISED = "million, 1000M if unsolved"
TABLES = "tables"
"""The word by which a study only writes its tables and figures again."""


@dataclass(frozen=True)
class Row:
    """What a solver reached on the test deals.

    Attributes:
        arm, seed: the run that submitted it; seed 0 for a solver that no run submitted.
        budget: what ended training: ``evaluations``, or ``nodes``, of which all runs had as many.
        evaluations, nodes: what training took.
        generation: the one whose best was submitted.
        solved: of the test deals.
        typical: geometric mean of the nodes, where an unsolved deal counts the limit.
        of_solved: arithmetic mean of the nodes over solved deals.
        penalised: the mean over all deals, where an unsolved one counts 1,000 million.
        seconds: mean processor seconds of a deal.
        single: mean length of the solutions.
        fitness: the paper's fitness: mean node reduction against the baseline.
    """

    arm: str
    seed: int
    budget: str
    evaluations: int
    nodes: int
    generation: int
    solved: int
    typical: float
    of_solved: float
    penalised: float
    seconds: float
    single: float
    fitness: float


@dataclass(frozen=True)
class Generation:
    """A generation of a run.

    Attributes:
        arm, seed, generation: which.
        evaluations, nodes: of the solvers so far.
        best, mean: fitness of the solvers.
        problems_best, problems_mean: that of the problems; 0 without a population of them.
        different: different deals among the problems; 0 without.
        champion: the validation value of the best solver so far.
    """

    arm: str
    seed: int
    generation: int
    evaluations: int
    nodes: int
    best: float
    mean: float
    problems_best: float
    problems_mean: float
    different: int
    champion: float


Line = TypeVar("Line", Row, Generation)


@dataclass(frozen=True)
class Panel:
    """A panel of a study's figure.

    Attributes:
        title: what it shows.
        keys: by attribute of a generation the style of its lines; solid ones are in the legend.
        scale: of the vertical axis.
        arms: those drawn; all if there are none.
    """

    title: str
    keys: Mapping[str, str]
    scale: str = "linear"
    arms: Sequence[str] = ()


@dataclass(frozen=True)
class Study:
    """A study and how it is measured.

    Attributes:
        plan: what is run; its name is that of its folder and of its table, docs/NAME.csv.
        test: the deals.
        others: by name, solvers that no run submits.
        baseline: what the paper's fitness compares with.
        nodes: the nodes of training after which each run submits once more; 0 for never.
        last: whether runs submit the last generation's candidate, not their champion.
        without: figures that the table leaves out.
    """

    plan: Plan
    test: range
    others: Mapping[str, Callable[[], Weights]]
    baseline: str
    nodes: int = 0
    last: bool = False
    without: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The plan's."""
        return self.plan.name

    @property
    def arms(self) -> list[str]:
        """Names of the arms."""
        return [*self.plan.settings]

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of each arm."""
        return self.plan.numbers

    def rows(self, arms: Iterable[str] = ()) -> list[Row]:
        """All rows, those that are missing made now; of some arms if they are named."""
        kept, curves = self._kept(Row), self._kept(Generation)
        made = {(row.arm, row.seed) for row in kept}
        wanted: list[tuple[str, int]] = [(name, 0) for name in self.others]
        wanted += [(arm, seed) for seed in self.seeds for arm in arms or self.arms]
        # One process per run, so that no core waits for the last deals of a generation.
        work = joblib.Parallel(n_jobs=-1, return_as="generator_unordered")
        for rows, curve in work(
            joblib.delayed(self._made)(*one) for one in wanted if one not in made
        ):
            kept += rows
            curves += curve
            self._write(Row, kept)
            self._write(Generation, curves)
            for row in rows:
                said = f"{row.arm}, seed {row.seed}, by {row.budget}: {row.solved} solved"
                print(f"{said}, {row.typical:,.0f} nodes", file=sys.stderr, flush=True)
        return kept

    def trained(self, arm: str, seed: int) -> Run:
        """The run of an arm and a seed, from its folder or made now with one worker."""
        runs = study.Study(Path("out/studies") / self.name, self.plan)
        folder, job = runs.run_folder(arm, seed), runs.job_of(arm, seed)
        if not (folder / STATE).exists():
            return evolve(job, folder, jobs=1)
        run = runs.run(arm, seed)
        return run if run.finished else resume(folder, jobs=1)

    def _table(self, kind: type[Line]) -> Path:
        return Path("docs") / f"{self.name}{'-generations' if kind is Generation else ''}.csv"

    def _kept(self, kind: type[Line]) -> list[Line]:
        return read_lines(self._table(kind), kind)

    def _write(self, kind: type[Line], lines: Iterable[Line]) -> None:
        order = [*self.others, *self.arms]
        known = [line for line in lines if line.arm in order]
        # Lines of a run stay in their order.
        known.sort(key=lambda line: (order.index(line.arm), line.seed))
        write_lines(self._table(kind), kind, known)

    def _made(self, arm: str, seed: int) -> tuple[list[Row], list[Generation]]:
        """The rows and generations of a run, or the row of another solver (seed 0)."""
        if not seed:
            return [self._row(arm, 0, (EVALUATIONS, 0, 0, 0), self.others[arm]())], []
        run = self.trained(arm, seed)
        ends = {EVALUATIONS: len(run.lines)}
        if self.nodes:
            spent = np.cumsum([line["nodes"] for line in run.lines])
            assert spent[-1] >= self.nodes, f"{arm}, seed {seed}: fewer nodes than {self.nodes:,}"
            ends["nodes"] = max(1, int((spent <= self.nodes).sum()))
        rows: list[Row] = []
        for budget, end in ends.items():
            evaluations, nodes = (
                sum(line[key] for line in run.lines[:end]) for key in ("evaluations", "nodes")
            )
            # Of equals the first, as in a run.
            done = run.validated[:end]
            best = end if self.last else min(done, key=itemgetter("value"))["generation"]
            cost = budget, evaluations, nodes, best
            same = [row for row in rows if row.generation == best]
            if same:
                at = {"budget": budget, "evaluations": evaluations, "nodes": nodes}
                rows.append(replace(same[0], **at))
            else:
                rows.append(self._row(arm, seed, cost, run.candidate(best)))
        return rows, [*_curve(arm, seed, run)]

    def _row(self, arm: str, seed: int, cost: tuple[str, int, int, int], weights: Weights) -> Row:
        """A row, with the outcomes of a solver on the test deals."""
        found = hsd.solve_many(self.test, weights, 1, Limits(nodes=LIMIT))
        counts = np.array([one.nodes.generated for one in found])
        solved = np.array([one.status is Status.SOLVED for one in found])
        against = _nodes_of(self.baseline, self.test)
        spared = np.where(solved, np.maximum(1 - counts / against, 0.001), 0.0)
        lengths = [one.lengths["single"] for one in found if one.lengths]
        return Row(
            arm,
            seed,
            *cost,
            int(solved.sum()),
            round(float(np.exp(np.log(np.where(solved, counts, LIMIT)).mean())), 1),
            round(float(counts[solved].mean()), 1),
            round(float(np.where(solved, counts, FAILED).mean()), 1),
            round(float(np.mean([one.seconds for one in found])), 5),
            round(float(np.mean(lengths)), 2),
            round(float(spared.mean()), 5),
        )

    @cached_property
    def _figures(self) -> dict[str, tuple[Callable[[Row], float], int]]:
        """By heading what a row tells, and its digits."""
        deals = len(self.test)
        return {
            f"solved of {deals:,}": (lambda row: row.solved, 1),
            TYPICAL: (lambda row: row.typical, 0),
            MEAN: (
                lambda row: (row.solved * row.of_solved + (deals - row.solved) * LIMIT) / deals,
                0,
            ),
            "mean of solved": (lambda row: row.of_solved, 0),
            PENALISED: (lambda row: row.penalised / 1e6, 1),
            "ms": (lambda row: 1e3 * row.seconds, 1),
            "single": (lambda row: row.single, 1),
            FITNESS: (lambda row: row.fitness, 3),
            "million nodes of training": (lambda row: row.nodes / 1e6, 0),
        }

    def means(self, rows: Sequence[Row]) -> str:
        """A table with a line for each arm and each other solver, at equal evaluations."""
        shown = {head: one for head, one in self._figures.items() if head not in self.without}
        lines = []
        for name in (*self.others, *self.arms):
            group = [row for row in rows if row.arm == name and row.budget == EVALUATIONS]
            if not group:
                continue
            cells = [
                _cell([figure(row) for row in group], digits) for figure, digits in shown.values()
            ]
            if not group[0].seed:
                cells[-1] = "-"
            lines.append([name, f"{len(group)}" if group[0].seed else "-", *cells])
        return table(["solver", "seeds", *shown], lines)

    def pairs(
        self, rows: Sequence[Row], pairs: Sequence[tuple[str, str]], budget: str = EVALUATIONS
    ) -> str:
        """A table of changes of the nodes between two arms, paired by seed; at least two seeds."""
        by = {(row.arm, row.seed): row for row in rows if row.budget == budget}
        seeds = [[s for s in self.seeds if {(a, s), (b, s)} <= by.keys()] for a, b in pairs]

        def both(figure: Callable[[Row], float]) -> list[list[list[float]]]:
            return [
                [[figure(by[arm, seed]) for seed in shared] for arm in pair]
                for pair, shared in zip(pairs, seeds, strict=True)
            ]

        header = ["pair"]
        columns: list[list[list[str]]] = []
        for name in (TYPICAL, MEAN):
            found = both(self._figures[name][0])
            header += [name, "95 % interval", "p", "detectable"]
            least = [detectable(np.subtract(*np.log(pair))) for pair in found]
            columns.append(
                [
                    [*cells, f"{100 * np.expm1(one):.1f} %"]
                    for cells, one in zip(changes(found), least, strict=True)
                ]
            )
        header.append("solved")
        columns.append([[_cell(np.subtract(*pair), 1)] for pair in both(lambda row: row.solved)])
        lines = zip(map(" / ".join, pairs), *columns, strict=True)
        return table(header, [[name, *chain(*cells)] for name, *cells in lines])

    def publish(
        self,
        words: Sequence[str],
        search: str,
        pairs: Sequence[tuple[str, str]],
        panels: Sequence[Panel] = (),
        figure: str = "",
    ) -> None:
        """Make the missing rows, then write the tables in docs/results and the figure.

        Args:
            words: arms to make; none for all. The word ``TABLES`` alone makes none.
            search: of the test, for the heading of the table.
            pairs: arms to compare, each pair once all runs of both are finished.
            panels: of the figure, from the left; without any, none is drawn.
            figure: its title; it is written to plots/NAME.png.
        """
        rows = self._kept(Row) if [*words] == [TABLES] else self.rows(words)
        tables = [f"Deals {self.test[0]} to {self.test[-1]}{search}:", self.means(rows)]
        done = {(row.arm, row.seed) for row in rows}
        whole = {arm for arm in self.arms if all((arm, seed) in done for seed in self.seeds)}
        pairs = [pair for pair in pairs if {*pair} <= whole]
        if pairs:
            for budget in (EVALUATIONS, *(["nodes"] if self.nodes else [])):
                heading = f"Changes from the second arm to the first, by seed, at equal {budget}:"
                tables += [heading, self.pairs(rows, pairs, budget)]
        fill(self.name, "\n\n".join(tables))
        groups: dict[str, list[Generation]] = {}
        for line in self._kept(Generation):
            groups.setdefault(line.arm, []).append(line)
        if groups and panels:
            draw(groups, panels, figure, f"plots/{self.name}.png")


def champion_of(folder: Path) -> Weights:
    """The weights that a run submits."""
    run = load(folder)
    return run.candidate(run.best.generation)


def draw(
    groups: Mapping[str, Sequence[Generation]], panels: Sequence[Panel], title: str, path: str
) -> None:
    """Draw what becomes of the arms, as means over their seeds with 95 % intervals.

    On logarithmic scales these are geometric means.

    Args:
        groups: by arm its generations, of one or more seeds.
        panels: from the left.
        title: of the figure.
        path: where to write it.
    """
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(5.2 * columns, 3.8 * rows + 0.8), layout="constrained")
    counts = sorted({len({line.seed for line in lines}) for lines in groups.values()})
    seeds = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    places = [*figure.subplots(rows, columns, squeeze=False).flat]
    for axes, panel in zip(places, panels, strict=False):
        axes.set_yscale(panel.scale)
        for place, (arm, lines) in enumerate(groups.items()):
            if arm in panel.arms or not panel.arms:
                runs = [[line for line in lines if line.seed == s] for s in {e.seed for e in lines}]
                for key, style in panel.keys.items():
                    _draw_arm(axes, runs, key, style, COLOURS[place % len(COLOURS)], arm)
        axes.set_xlabel("evaluations so far")
        tidy(axes, headed(panel.title, []))
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.yaxis.set_major_formatter("{x:,.10g}")
        if "nodes" in panel.keys:
            axes.yaxis.set_major_formatter(lambda nodes, _: f"{nodes / 1e6:,.0f} M")
        elif "champion" in panel.keys:
            axes.yaxis.set_major_formatter("{x:,.0f}")
    lines_of = {
        label: line
        for axes in figure.axes
        for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    if len(panels) < len(places):
        places[-1].set_axis_off()
        places[-1].legend(lines_of.values(), lines_of.keys(), loc="center", frameon=False)
    else:
        where = "outside lower center"
        figure.legend(lines_of.values(), lines_of.keys(), loc=where, ncols=3, frameon=False)
    shaded = " with 95 % intervals" if counts[0] > 2 else ""
    means = "one seed" if counts == [1] else f"means of {seeds} seeds{shaded}"
    figure.suptitle(f"{title}, {means}", fontsize="x-large")
    figure.savefig(path, dpi=DPI, metadata={"Software": None})


def _draw_arm(
    axes: Axes, runs: Sequence[Sequence[Generation]], key: str, style: str, colour: str, arm: str
) -> None:
    across = [float(np.mean([one.evaluations for one in ones])) for ones in zip(*runs, strict=True)]
    values = np.array([[getattr(line, key) for line in run] for run in runs], float)
    # On a logarithmic scale the mean is the geometric one, which one run cannot carry away.
    logarithmic = axes.get_yscale() == "log"
    values = np.log(values) if logarithmic else values
    shown = np.exp if logarithmic else np.asarray
    label = arm if style == "-" else None
    axes.plot(across, shown(values.mean(axis=0)), style, color=colour, label=label)
    if len(runs) > 2:
        low, high = shown(np.transpose([student(column) for column in values.T]))
        axes.fill_between(across, low, high, color=colour, alpha=0.15, linewidth=0)


def _curve(arm: str, seed: int, run: Run) -> Iterator[Generation]:
    evaluations = nodes = 0
    for line in run.lines:
        evaluations, nodes = evaluations + line["evaluations"], nodes + line["nodes"]
        solvers, problems = line["solvers"], line.get("problems") or {}
        yield Generation(
            arm,
            seed,
            line["generation"],
            evaluations,
            nodes,
            round(solvers["best"], 6),
            round(solvers["mean"], 6),
            round(problems.get("best", 0.0), 6),
            round(problems.get("mean", 0.0), 6),
            problems.get("distinct_deals", 0),
            line["validation"]["value"],
        )


def detectable(differences: NDArray[np.float64]) -> float:
    """The least true difference that a paired t-test at 5 % finds in 80 of 100 studies like this.

    Args:
        differences: of the pairs; their spread is taken for the true one.
    """
    pairs, limit = len(differences), float(t.ppf(0.975, len(differences) - 1))

    def missed(effect: float) -> float:
        # The lower tail is not a number where it is next to nothing.
        lower = np.nan_to_num(nct.cdf(-limit, pairs - 1, effect))
        return float(nct.sf(limit, pairs - 1, effect) + lower) - 0.8

    error = float(differences.std(ddof=1)) / sqrt(pairs)
    return float(brentq(missed, 0, 20)) * error


def _cell(values: Sequence[float] | NDArray[np.float64], digits: int) -> str:
    # An interval of two seeds is too wide to say anything.
    return interval(values, digits) if len(values) > 2 else f"{np.mean(values):,.{digits}f}"


@cache
def _nodes_of(preset: str, deals: range) -> list[int]:
    """A preset's nodes for each deal, `FAILED` for an unsolved one."""
    found = hsd.solve_many(deals, named_solver(preset, hsd.GAME), jobs=1)
    return [one.nodes.generated if one.status is Status.SOLVED else FAILED for one in found]
