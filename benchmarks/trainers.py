"""``make trainers``: what trainers and schemes are worth on equal evaluations, ten seeds each.

Two rooms: the paper's nine features in staged deepening, and 19 features in best-first search. In a
room all cells of the grid have the same search, features, limits and number of training
evaluations, and submit by the same rule: who stood for the last generation (the centre of CMA-ES,
the centroid of the fitter half of a population; random search, which has no centre, submits the
champion of its validation, and that is counted). The runs lie in ``out/trainers`` and are not made
again; what they submit after each part of the run is measured on deals that took part in
nothing. Writes docs/trainers.csv, the tables in docs/results.md and plots/trainers-ROOM.png.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pages import fill
from scipy import stats

import hsd
from gafreecell import evolve
from gafreecell.cli.tables import table
from gafreecell.evaluation import Workers
from gafreecell.job_reading import parse_job
from gafreecell.record import Run
from gafreecell.run import STATE, load
from solving.outcome import Limits

SEEDS = range(1, 11)
EVALUATIONS = 14_400
POINTS = 8
"""Places of a run at which what it would submit is measured."""
FOLDER = Path("out/trainers")
CSV = Path("docs/trainers.csv")
TEST = range(2_200_001, 2_201_001)
LIMITS = Limits(nodes=400_000)
COMMON = """
[solvers]
population = 20
[problems]
population = 20
encounters = "shared"
penalty = 10_000_000
[sample]
deals = 12
[fitness]
measure = "relative"
failure = 5.0
clip = 0.3
[stop]
evaluations = 14_400
[deals]
train = "1000001-1100000"
validation = "1900001-1900200"
[validation]
ranking = "log-nodes"
failure = 5.0
candidate = "centroid"
"""
JOBS = {
    "best-first": """
name = "best-first"
generations = 1_000
[trained]
search = "best-first"
parameters = {patience = 100}
features = [
    "NumCardsNotAtFoundations", "NotPlaced", "NumberWellPlaced", "SequenceBreaks", "OwnSuitBelow",
    "Inversions", "InversionDepth", "HSDH", "AboveNext", "AboveSecond", "LowestHomeCard",
    "SumOfBottomCards", "KingsBuried", "FreeCells", "CellsUsedSquared", "CellRanks",
    "OccupiedColumns", "CellsTimesColumns", "MovesMade",
]
nodes = 10_000
"""
    + COMMON,
    "staged": """
name = "staged"
generations = 1_000
[trained]
search = "staged"
nodes = 50_000
"""
    + COMMON,
}
MENDED: dict[str, Any] = {
    "solvers.reproduction": 0.1, "solvers.crossover": 0.5, "solvers.mutation": 0.4,
    "solvers.selection": "tournament", "solvers.sigma": 0.1, "solvers.gene_mutation": 0.2,
}  # fmt: skip
"""Rates of a genetic algorithm for real numbers; without them a job has the paper's."""
SCHEMES: dict[str, dict[str, Any]] = {
    "fresh random deals": {"scheme": "resampled"},
    "coevolution": {"scheme": "coevolution"},
    "reduced virulence": {"scheme": "coevolution", "problems.virulence": 0.75},
    "informative problems": {"scheme": "informative"},
}
TRAINERS: dict[str, dict[str, Any]] = {
    "genetic as published": {},
    "genetic": MENDED,
    "CMA-ES": {"trainer": "cma-es", "validation.candidate": "trainer"},
}
GROWTH: dict[str, Any] = {"sample.deals": 5, "sample.growth": {"41": 10, "61": 20}}
LOG_NODES: dict[str, Any] = {"fitness.measure": "log-nodes"}
CELLS: dict[str, dict[str, Any]] = {
    f"{trainer}, {scheme}": {**trainers, **schemes}
    for trainer, trainers in TRAINERS.items()
    for scheme, schemes in SCHEMES.items()
} | {
    "CMA-ES, informative problems, growing samples": {
        **TRAINERS["CMA-ES"], **SCHEMES["informative problems"], **GROWTH
    },
    "CMA-ES, growing samples": {**TRAINERS["CMA-ES"], **SCHEMES["fresh random deals"], **GROWTH},
    "CMA-ES, mean log nodes": {
        **TRAINERS["CMA-ES"], **SCHEMES["fresh random deals"], **LOG_NODES
    },
    "genetic, mean log nodes": {**MENDED, **SCHEMES["fresh random deals"], **LOG_NODES},
    "random search": {"trainer": "random", "validation.candidate": "fittest", **LOG_NODES},
}  # fmt: skip
"""By name, what a cell changes in its room's job."""
CHAMPIONS = {"random search"}
"""Cells that submit their champion."""
HEADER = ["room", "cell", "seed", "evaluations", "nodes", "seconds", "validation", "typical",
          "mean", "solved", "single"]  # fmt: skip


def main(rooms: Sequence[str]) -> None:
    """Make the runs that are missing, measure all and write tables and figures."""
    rows = [row for room in rooms for row in _measured(room)]
    with CSV.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([HEADER, *rows])
    for room in rooms:
        fill(f"trainers-{room}", _table([row for row in rows if row[0] == room]))


def _measured(room: str) -> Iterator[list[Any]]:
    """A row for each place of each run of a room: what it had cost, and what it would submit."""
    for cell, changes in CELLS.items():
        for seed in SEEDS:
            run = trained(room, cell, changes, seed)
            done = np.cumsum([line["evaluations"] for line in run.lines])
            marks = EVALUATIONS * np.arange(1, POINTS + 1) / POINTS
            for place in np.unique(np.searchsorted(done, marks).clip(max=len(done) - 1)).tolist():
                lines = run.lines[: place + 1]
                generation = place + 1
                if cell in CHAMPIONS:
                    generation = lines[-1]["validation"]["generation"]
                outcomes = hsd.solve_many(TEST, run.candidate(generation), limits=LIMITS)
                nodes = np.array([outcome.nodes.generated for outcome in outcomes])
                lengths = [outcome.lengths["single"] for outcome in outcomes if outcome.lengths]
                costs = [line["machine"]["costs"] for line in lines]
                yield [
                    room, cell, seed, int(done[place]),
                    sum(cost["solvers"]["nodes"] for cost in costs),
                    round(sum(cost["solvers"]["seconds"] for cost in costs), 3),
                    sum(cost["validation"]["evaluations"] for cost in costs),
                    round(float(np.exp(np.log(nodes).mean())), 2), round(float(nodes.mean()), 2),
                    len(lengths), round(float(np.mean(lengths)), 3),
                ]  # fmt: skip
            print(f"{room}: {cell}, seed {seed}", file=sys.stderr, flush=True)


def trained(room: str, cell: str, changes: Mapping[str, Any], seed: int) -> Run:
    """A cell's run with a seed, from its folder or made now."""
    name = cell.replace(",", "").replace(" ", "-").lower()
    folder = FOLDER / room / f"{name}-s{seed}"
    if (folder / STATE).exists():
        run = load(folder)
        if run.finished:
            return run
    table: dict[str, Any] = {"name": name, "seed": seed}
    for key, value in changes.items():
        *path, last = key.split(".")
        inner = table
        for part in path:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return evolve(parse_job(JOBS[room], f"the job of the room {room}", table), folder, Workers(-1))


def _table(rows: Sequence[Sequence[Any]]) -> str:
    """What the cells of a room submit in the end."""
    cells: dict[str, list[Sequence[Any]]] = {}
    for row in rows:
        last = cells.setdefault(row[1], [])
        if last and last[-1][2] == row[2]:
            last[-1] = row
        else:
            last.append(row)
    lines = []
    for cell, ends in cells.items():
        figures = np.array([row[3:] for row in ends], float)
        lines.append(
            [
                cell,
                interval(figures[:, 4]),
                f"{figures[:, 5].mean():,.0f}",
                f"{figures[:, 6].mean():,.1f}",
                f"{figures[:, 1].mean() / 1e6:,.1f}",
                f"{figures[:, 2].mean():,.1f}",
                f"{figures[:, 3].mean() * (cell in CHAMPIONS):,.0f}",
            ]
        )
    header = ["trainer, problems", "nodes, geometric mean", "nodes, mean", "solved of 1,000"]
    header += ["million nodes", "seconds", "validation, evaluations"]
    return table(header, lines)


def interval(values: NDArray[np.float64]) -> str:
    """A mean over the seeds with its 95 % interval (Student's t)."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():,.1f} ± {half:,.1f}"


if __name__ == "__main__":
    main(sys.argv[1:] or list(JOBS))
