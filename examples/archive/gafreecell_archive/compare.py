"""Compare MAP-Elites, NSGA-II and random search at equal numbers of solvers, with their archives.

    python -m gafreecell_archive.compare --solvers 600 --seeds 5 -o archive.csv

Each method measures as many distinct solvers on the same training deals (one that it asks about
again, as NSGA-II does about survivors, costs nothing), and everything that it measures goes through
an archive. The elites are then measured once more, on deals that had no part in this, and what
counts is what they do there.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from math import isnan, nan
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from gafreecell import BlackBox
from gafreecell.comparing.statistics import student
from gafreecell.terminal.tables import table
from gafreecell_archive import (
    JOB,
    Archive,
    Elite,
    Play,
    Player,
    Spent,
    map_elites,
    nsga_ii,
    random_search,
)

REPORT = range(2_440_001, 2_440_101)
"""Deals that nothing is trained or chosen on."""
TRAINED = 16
"""How many training deals decide which solvers are elites."""
METHODS: dict[str, Callable[[Player, np.random.Generator], Iterator[Archive]]] = {
    "MAP-Elites": map_elites,
    "NSGA-II": nsga_ii,
    "random": random_search,
}
NODES, LENGTH, CELLS = (300.0, 6_000.0), (90.0, 170.0), (0.0, 3.0)
"""Ends of what hypervolumes cover; nodes by their logarithm."""


@dataclass(frozen=True)
class Row:
    """An elite of a method's archive, by its play on the deals of the report.

    An archive without elites has one row, whose figures are NaN.

    Attributes:
        method, seed: which archive.
        nodes, length, cells, solved: as of a ``Play``.
    """

    method: str
    seed: int
    nodes: float
    length: float
    cells: float
    solved: float


def measured(method: str, seed: int, solvers: int, report: Sequence[int]) -> list[Row]:
    """Run a method on so many distinct solvers, then measure its elites on other deals."""
    box = BlackBox(JOB)
    deals = box.sample(TRAINED, np.random.default_rng([seed, 0]))
    player, other = Player(deals, solvers=solvers), Player(report)
    with suppress(Spent):
        for _ in METHODS[method](player, np.random.default_rng([seed, 1])):
            pass
    plays = [Play.of(other.outcomes(one.weights)) for one in player.archive.elites.values()]
    return [Row(method, seed, *astuple(play)) for play in plays or [Play(nan, nan, nan, nan)]]


def covered(rows: Sequence[Row], what: str, ends: tuple[float, float]) -> float:
    """The share of a rectangle that solvers dominate in nodes and in something else.

    A solver that solved none of the deals has no solutions to go by, and dominates nothing.
    """
    spans = np.log(NODES), np.array(ends)
    points = np.array([[np.log(row.nodes), getattr(row, what)] for row in rows])
    low, high = np.array(spans).T
    scaled = (points[~np.isnan(points).any(axis=1)] - low) / (high - low)
    total, height = 0.0, 1.0
    for across, up in sorted(scaled.clip(0, 1).tolist()):
        # Each solver adds what lies below those that need fewer nodes.
        total += (1 - across) * max(height - up, 0)
        height = min(height, up)
    return total


def rebinned(rows: Sequence[Row]) -> Archive:
    """The archive of solvers by their play on the deals of the report, solved or not."""
    archive = Archive()
    for row in rows:
        archive.add(Elite(np.zeros(0), Play(row.nodes, row.length, row.cells, 1.0)))
    return archive


def figures(rows: Sequence[Row]) -> dict[str, float]:
    """What counts of one archive on the deals of the report."""
    return {
        "bins filled": len(rebinned(rows).elites),
        "hypervolume, nodes and length": covered(rows, "length", LENGTH),
        "hypervolume, nodes and cells": covered(rows, "cells", CELLS),
        "nodes of the fastest": float(np.min([row.nodes for row in rows])),
        "elites with one cell or less": sum(row.cells <= 1 for row in rows),
        "% solved, mean of elites": 100 * float(np.mean([row.solved for row in rows])),
    }


def shown(values: Sequence[float], digits: int) -> str:
    """A mean with its 95 % interval (Student's t), of the archives that have the figure."""
    there = [value for value in values if not isnan(value)]
    if not there:
        return "-"
    low, high = student(there)
    text = f"{np.mean(there):,.{digits}f}"
    text += f" ± {(high - low) / 2:,.{digits}f}" if len(there) > 1 else ""
    return text if len(there) == len(values) else f"{text} ({len(there)} of {len(values)})"


def tabled(rows: Sequence[Row]) -> str:
    """The figures of each method, means over the seeds."""
    groups: dict[str, dict[int, list[Row]]] = {}
    for row in rows:
        groups.setdefault(row.method, {}).setdefault(row.seed, []).append(row)
    found = {name: [figures(one) for one in seeds.values()] for name, seeds in groups.items()}
    lines = []
    for what in next(iter(found.values()))[0]:
        digits = 3 if "hypervolume" in what else 0 if "nodes" in what else 1
        cells = [shown([one[what] for one in group], digits) for group in found.values()]
        lines.append([what, *cells])
    return table(["on the deals of the report", *found], lines)


def draw(rows: Sequence[Row], seed: int) -> Any:
    """Draw the archives of one seed side by side, binned by their play in the report.

    Returns:
        The axes, one for each method.
    """
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 4.2), layout="constrained")
    panels = figure.subplots(1, len(METHODS), sharex=True, sharey=True)
    for axes, method in zip(panels, METHODS, strict=True):
        archive = rebinned([row for row in rows if (row.method, row.seed) == (method, seed)])
        shape = len(archive.cells) - 1, len(archive.lengths) - 1
        nodes = np.full(shape, np.nan)
        for (length, cells), elite in archive.elites.items():
            nodes[cells, length] = elite.play.nodes
        drawn = axes.pcolormesh(
            archive.lengths, archive.cells, nodes, cmap="viridis_r", norm=LogNorm(800, 5_000)
        )
        axes.set_title(f"{method}: {len(archive.elites)} of {archive.bins} bins", loc="left")
        axes.set_xlabel("mean length, single moves")
        axes.grid(color="0.9", linewidth=0.6)
    panels[0].set_ylabel("free cells that hold a card, mean")
    bar = figure.colorbar(drawn, ax=panels, ticks=[1_000, 2_000, 4_000], format="{x:,.0f}")
    bar.set_label("nodes on a typical deal, log scale")
    bar.ax.minorticks_off()
    figure.suptitle(
        f"Elites of equally many solvers, seed {seed}, by their play on {len(REPORT)} new deals",
        x=0.01, ha="left",
    )  # fmt: skip
    return panels


def read(path: Path) -> list[Row]:
    """The rows of a file that ``main`` wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Row(one["method"], int(one["seed"]), *(float(one[key]) for key in list(one)[2:]))
            for one in csv.DictReader(file)
        ]


def positive(text: str) -> int:
    """A number of 1 or more."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"must be a number of 1 or more, got {text!r}")
    return int(text)


def main(words: Sequence[str] | None = None) -> None:
    """Compare the methods on all cores, or print and draw what is already there."""
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("-o", "--output", type=Path, default=Path("archive.csv"))
    reader.add_argument(
        "--solvers", type=positive, default=600, help="distinct ones that each method measures"
    )
    reader.add_argument("--seeds", type=positive, default=5)
    reader.add_argument(
        "--deals", type=positive, default=len(REPORT), help=f"of the report, at most {len(REPORT)}"
    )
    reader.add_argument("--figure", type=Path, help="a file for the heat maps: .png, .svg or .pdf")
    given = reader.parse_args(words)
    if given.deals > len(REPORT):
        reader.error(f"--deals must be at most {len(REPORT)}, got {given.deals}")
    if given.output.exists():
        print(f"{given.output} is there already: showing its archives", file=sys.stderr)
    else:
        work = joblib.Parallel(n_jobs=-1, return_as="generator")
        asked = [(name, seed) for seed in range(1, given.seeds + 1) for name in METHODS]
        rows: list[Row] = []
        for (name, seed), found in zip(
            asked,
            work(
                joblib.delayed(measured)(*one, given.solvers, REPORT[: given.deals])
                for one in asked
            ),
            strict=True,
        ):
            elites = sum(not isnan(row.nodes) for row in found)
            print(f"{name}, seed {seed}: {elites} elites", file=sys.stderr)
            rows += found
        with given.output.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(one.name for one in fields(Row))
            writer.writerows(
                [*astuple(row)[:2], *(f"{v:.4f}" for v in astuple(row)[2:])] for row in rows
            )
    rows = read(given.output)
    print(tabled(rows))
    if given.figure:
        from gafreecell import figures as house

        house.save(draw(rows, 1), given.figure)


if __name__ == "__main__":
    main()
