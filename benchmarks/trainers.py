"""``make trainers``: trainers and schemes compared at equal evaluations, with ten seeds each.

There are two parts: 19 features in best-first search, and the paper's nine in staged deepening.
All cells of a part have the same search, features, limits and number of training evaluations. They
also submit weights by the same rule: the centre of CMA-ES, or the centroid of the fitter half of
the last population. Random search has no centre; it submits its validated champion, and its
validation evaluations count. Runs are kept in ``out/trainers``. What they submit at six checkpoints
is measured on deals that none of them was trained or tuned on. Writes docs/trainers.csv, the tables
in docs/results, plots/trainers-PART.png and plots/deals-PART.png. With words, only the parts
that they name (best-first, staged, confirmed) are run; of the others docs/trainers.csv tells.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import joblib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator
from pages import changes, fill, interval, read_lines, write_lines

import hsd
from gafreecell import Study, read_plan, study
from gafreecell.evolution.costs import costs_of
from gafreecell.figures import deals_data, draw_deals, save
from gafreecell.figures.style import COLOURS, DPI
from gafreecell.runs.record import Run
from gafreecell.solving.outcome import Limits
from gafreecell.solving.settings import toml_tables
from gafreecell.solving.weights import Weights
from gafreecell.terminal.tables import table

MARKS = (1 / 12, 1 / 6, 1 / 3, 1 / 2, 3 / 4, 1)
"""The checkpoints, as shares of a run's evaluations."""
FOLDER = Path("out/trainers")
CSV = Path("docs/trainers.csv")
TEST = range(2_200_001, 2_201_001)
LIMITS = Limits(nodes=400_000)
PLANS = {
    part: read_plan(Path(__file__).parent / "plans" / f"trainers-{part}.toml")
    for part in ("best-first", "staged")
}
"""What is run: a study for each part, whose arms are the cells."""
TRAINED = toml_tables({"trained": PLANS["best-first"].jobs["best-first"]["trained"]})
BEST_FIRST, STAGED = (toml_tables(plan.jobs[part]) for part, plan in PLANS.items())
PARTS = {
    "best-first": "19 features in best-first search",
    "staged": "nine features in staged deepening",
    "confirmed": "19 features in best-first search, on new deals",
}
DRAWN_PARTS = ("best-first", "staged")
FRESH, COEVOLUTION = "fresh random deals", "coevolution"
INFORMATIVE = "informative deals"
SCHEMES = (FRESH, COEVOLUTION, "reduced virulence", INFORMATIVE)
TRAINERS = ("genetic as published", "genetic", "CMA-ES")
FASTER = "CMA-ES, fresh, growing to 40, cosine"
INFORMED = "CMA-ES, informative, growing, cosine"
GROWN = "CMA-ES, informative and growing"
GROWING = "CMA-ES, fresh and growing"
TODAY = "CMA-ES, mean log nodes"
SINGLE = "genetic, mean log nodes"
RANDOM = "random search"
PAIRS = [
    (f"{GROWING}, cosine", TODAY),
    (FASTER, TODAY),
    (INFORMED, TODAY),
    (FASTER, f"{GROWING}, cosine"),
    (INFORMED, f"{GROWING}, cosine"),
    (INFORMED, FASTER),
    (INFORMED, GROWN),
    (f"{GROWING}, cosine", GROWING),
    (GROWN, GROWING),
    (GROWING, f"CMA-ES, {FRESH}"),
    (f"CMA-ES, {FRESH}", TODAY),
    (f"CMA-ES, {FRESH}", f"genetic, {FRESH}"),
    (f"{INFORMED}, a third", TODAY),
    *((f"{trainer}, {scheme}", f"{trainer}, {FRESH}")
      for trainer in reversed(TRAINERS) for scheme in reversed(SCHEMES) if scheme != FRESH),
    (f"genetic, {INFORMATIVE}", SINGLE),
    (f"genetic, {INFORMATIVE}", RANDOM),
    (SINGLE, RANDOM),
    ("the paper's settings, coevolution", "the paper's settings, fresh random deals"),
    ("the paper's settings, coevolution", "the paper's settings, fixed deals"),
    *((f"the paper's settings, {scheme}", RANDOM)
      for scheme in (COEVOLUTION, FRESH, "fixed deals")),
]  # fmt: skip
"""Cells that are compared, seed by seed."""
CONFIRMED = FASTER, INFORMED, TODAY
"""Cells that are compared once more, with new seeds and on new deals."""
NEW_SEEDS = (41, 42, 43, 44, 45, 46, 47, 48, 49, 50)
PLANS["confirmed"] = replace(
    PLANS["best-first"],
    name="confirmed",
    seeds=", ".join(map(str, NEW_SEEDS)),
    settings={name: PLANS["best-first"].settings[name] for name in CONFIRMED},
)
NEW_TEST = range(2_410_001, 2_411_001)
MEMORY = joblib.Memory(FOLDER, verbose=0)


@dataclass(frozen=True)
class Row:
    """What a run would submit at a checkpoint: its cost and its quality.

    Attributes:
        deals: the test deals.
        evaluations, nodes, seconds: the cost of training, baseline and, if the champion is
            submitted, validation; seconds are processor seconds of searches.
        validation: evaluations in validation, whether they count or not.
        typical: geometric mean of the nodes on the test deals; an unsolved one counts the limit.
        mean: their arithmetic mean.
        solved: how many of the test deals are solved.
        single: mean length of the solutions.
    """

    part: str
    cell: str
    seed: int
    deals: str
    evaluations: int
    nodes: int
    seconds: float
    validation: int
    typical: float
    mean: float
    solved: int
    single: float


PAIRED = "Changes between pairs of cells, paired by seed:"
COSTS = {"evaluations": "evaluations", "nodes": "nodes", "seconds": "processor seconds"}
Curves = Mapping[str, Sequence[Sequence[Row]]]
"""By cell, the rows of each seed in order."""


def main() -> None:
    """Make missing runs, measure all of them and write tables and figures."""
    kept = read_lines(CSV, Row)
    for part in sys.argv[1:] or PLANS:
        done = study(PLANS[part], FOLDER / part, progress=True)
        deals = NEW_TEST if part == "confirmed" else TEST
        kept = [row for row in kept if row.part != part] + [
            row for arm in done.arms for run in done.runs_of(arm.name)
            for row in _rows(part, arm.name, run, deals)
        ]  # fmt: skip
        write_lines(CSV, Row, sorted(kept, key=lambda row: [*PLANS].index(row.part)))
        if part in DRAWN_PARTS:
            _draw_deals(part, done)
    text = []
    for part, plan in PLANS.items():
        curves = _curves([row for row in kept if row.part == part])
        first, *_, last = plan.numbers
        text += [f"{PARTS[part].capitalize()}, seeds {first} to {last}:", _ends(curves)]
        text += [PAIRED, _paired(curves)]
        if part in DRAWN_PARTS:
            _draw(part, curves)
    fill("trainers", "\n\n".join(text))


def _curves(rows: Sequence[Row]) -> Curves:
    """The rows of a part by cell and seed, in order."""
    by_cell: dict[str, dict[int, list[Row]]] = {}
    for row in rows:
        by_cell.setdefault(row.cell, {}).setdefault(row.seed, []).append(row)
    return {cell: [*seeds.values()] for cell, seeds in by_cell.items()}


def _rows(part: str, cell: str, run: Run, deals: range) -> list[Row]:
    done = np.cumsum([line["evaluations"] for line in run.lines])
    places = np.searchsorted(done, done[-1] * np.array(MARKS)).clip(max=len(done) - 1)
    rows = []
    for place in np.unique(places).tolist():
        lines = run.lines[: place + 1]
        spent = costs_of(lines)
        assert spent is not None
        assert spent["solvers"].evaluations <= run.job.stop.evaluations
        counted = spent["solvers"] + spent["baseline"]
        generation = place + 1
        if cell == RANDOM:
            # It submits its champion, so that its validation counts.
            counted += spent["validation"]
            generation = lines[-1]["validation"]["generation"]
        worth = _measured(run.candidate(generation), deals, LIMITS, hsd.GAME.engine)
        cost = counted.evaluations, counted.nodes, round(counted.seconds, 3)
        tried = f"{deals[0]}-{deals[-1]}"
        known = spent["validation"].evaluations
        rows.append(Row(part, cell, run.job.seed, tried, *cost, known, *worth))
    return rows


@MEMORY.cache  # type: ignore[untyped-decorator]
def _measured(
    weights: Weights, deals: range, limits: Limits, engine: str
) -> tuple[float, float, int, float]:
    """The last four of a row; what is kept is that of one engine."""
    outcomes = hsd.solve_many(deals, weights, limits=limits)
    # A search may run dry before the limit.
    nodes = np.array([one.nodes.generated if one.lengths else limits.nodes for one in outcomes])
    lengths = [outcome.lengths["single"] for outcome in outcomes if outcome.lengths]
    typical = float(np.exp(np.log(nodes).mean()))
    mean, single = float(nodes.mean()), float(np.mean(lengths))
    return round(typical, 2), round(mean, 2), len(lengths), round(single, 3)


def _ends(curves: Curves) -> str:
    """A table of what the cells of a part submit in the end, and its cost."""
    lines = []
    for cell, runs in curves.items():
        ends = [run[-1] for run in runs]
        lines.append(
            [
                cell,
                interval([end.typical for end in ends]),
                interval([end.mean for end in ends]),
                f"{np.mean([end.solved for end in ends]):,.1f}",
                f"{np.mean([end.single for end in ends]):.1f}",
                f"{np.mean([end.evaluations for end in ends]):,.0f}",
                f"{np.mean([end.nodes for end in ends]) / 1e6:,.1f}",
                f"{np.mean([end.seconds for end in ends]):,.1f}",
            ]
        )
    header = ["trainer, deals", "nodes, geometric mean", "nodes, mean", "solved of 1,000"]
    header += ["single moves", "evaluations", "million nodes", "seconds"]
    return table(header, lines)


def _paired(curves: Curves) -> str:
    """A table of the change of the nodes between two cells, paired by seed, at equal evaluations
    and at equal nodes."""
    pairs = [pair for pair in PAIRS if all(cell in curves for cell in pair)]
    at_end = [[(a[-1].typical, b[-1].typical) for a, b in _both(curves, *pair)] for pair in pairs]
    at_nodes = [[_at_equal_nodes(a, b) for a, b in _both(curves, *pair)] for pair in pairs]
    columns = [
        changes([[*zip(*found, strict=True)] for found in one]) for one in (at_end, at_nodes)
    ]
    header = ["pair", "at the end", "95 % interval", "p"]
    header += ["at equal nodes", "95 % interval", "p"]
    lines = zip(map(" / ".join, pairs), *columns, strict=True)
    return table(header, [[name, *end, *nodes] for name, end, nodes in lines])


def _both(curves: Curves, one: str, other: str) -> Iterator[tuple[Sequence[Row], Sequence[Row]]]:
    return zip(curves[one], curves[other], strict=True)


def _at_equal_nodes(one: Sequence[Row], other: Sequence[Row]) -> tuple[float, float]:
    """The quality of both runs after as many nodes as the cheaper one took, interpolated."""
    at = np.log(min(one[-1].nodes, other[-1].nodes))
    assert all(np.log(run[0].nodes) <= at for run in (one, other)), "no place lies before it"
    first, second = (
        np.exp(np.interp(at, np.log([r.nodes for r in run]), np.log([r.typical for r in run])))
        for run in (one, other)
    )
    return float(first), float(second)


DRAWN = {
    f"CMA-ES, {FRESH}": (COLOURS[0], "-"),
    f"CMA-ES, {COEVOLUTION}": (COLOURS[1], "-"),
    f"CMA-ES, {INFORMATIVE}": (COLOURS[2], "-"),
    INFORMED: (COLOURS[3], "-"),
    FASTER: (COLOURS[5], "-"),
    TODAY: (COLOURS[6], "-"),
    f"genetic, {FRESH}": (COLOURS[0], "--"),
    f"genetic, {COEVOLUTION}": (COLOURS[1], "--"),
    f"genetic, {INFORMATIVE}": (COLOURS[2], "--"),
    RANDOM: (COLOURS[6], ":"),
    "the paper's settings, coevolution": (COLOURS[4], "-"),
}
"""The cells in the figure, with their colours and line styles."""


def _draw(part: str, curves: Curves) -> None:
    """Draw quality against each cost, as means over the seeds."""
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    panels = figure.subplots(1, len(COSTS), sharey=True)
    for axes, (cost, label) in zip(panels, COSTS.items(), strict=True):
        _draw_curves(axes, curves, lambda row, cost=cost: getattr(row, cost))
        axes.set(xscale="log", yscale="log", xlabel=f"{label} so far")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_locator(
            LogLocator(subs=(1, 1.2, 1.4, 1.6, 1.8, 2, 2.4, 2.8, 3.4, 8, 9))
        )
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_minor_locator(NullLocator())
            axis.set_major_formatter(FuncFormatter(_plain))
        axes.grid(color="#e5e5e5", linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("nodes on 1,000 new deals,\ngeometric mean (lower is better)")
    figure.legend(
        *panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False
    )
    figure.suptitle(f"What training buys: {PARTS[part]}, means of {len(PLANS[part].numbers)} seeds")
    figure.savefig(f"plots/trainers-{part}.png", dpi=DPI, metadata={"Software": None})


def _plain(value: float, _: int) -> str:
    """The label of a tick."""
    return f"{value / 1e6:g}M" if value >= 1e6 else f"{value:,g}"


def _draw_curves(axes: Axes, curves: Curves, cost: Callable[[Row], float]) -> None:
    for cell, (colour, style) in DRAWN.items():
        if cell in curves:
            places = [*zip(*curves[cell], strict=False)]
            across = [np.mean([cost(row) for row in rows]) for rows in places]
            up = [np.exp(np.mean([np.log(row.typical) for row in rows])) for rows in places]
            axes.plot(across, up, style, color=colour, marker="o", markersize=3, label=cell)


def _draw_deals(part: str, done: Study) -> None:
    """Draw how the deals develop under each scheme with CMA-ES."""
    groups = {
        scheme: [deals_data(run) for run in done.runs_of(f"CMA-ES, {scheme}")] for scheme in SCHEMES
    }
    save(draw_deals(groups), f"plots/deals-{part}.png")


if __name__ == "__main__":
    main()
