"""``make results``: the tables of docs/results on Microsoft deals 1 to 32000 and beyond.

Outcomes are kept in ``out/results/``, one CSV for each solver and set of deals, so an interrupted
run can be continued. Remove the folder to measure everything anew.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pages import fill

import hsd
from deals import named
from gafreecell.comparing.pairs import Summary, compare_solvers, summarise
from gafreecell.runs.run import load
from gafreecell.service.inputs import read_deals
from gafreecell.service.solvers import named_solver, run_checked
from gafreecell.solving.files import write_atomically
from gafreecell.solving.outcome import Nodes, Outcome, Status
from gafreecell.solving.weights import Weights
from gafreecell.terminal.tables import rounded, table

FOLDER = Path("out/results")
DEALS, TEST, SAMPLE = "ms32k", "ms32k-test", "ms32k-sample"
ALL = {
    "hsd-evolved": "hsd-evolved",
    "freecell-nine": "runs/freecell-nine/weights/best.json",
    "freecell-nine-published": "runs/freecell-nine-published/weights/best.json",
    "freecell-nine-plain": "runs/freecell-nine-plain/weights/best.json",
    "ga-freecell-2011": "ga-freecell-2011",
    "hsdh-same-search": "hsdh-same-search",
}
SLOW = {
    "hsdh": "hsdh",
    "heineman-2009": "heineman-2009",
    "iterative-deepening": "benchmarks/solvers/iterative-deepening.json",
    "ida-star-paper": "benchmarks/solvers/ida-star-paper.json",
}


RUNS = ("freecell-nine-published", "freecell-nine", "freecell-nine-plain")
OUTSIDE = "1000001-1004000"


def main() -> None:
    """Run what is missing and write the tables; if solvers are named, only run these."""
    wanted = sys.argv[1:] or [*ALL, *SLOW]
    full = {name: outcomes(name, ALL[name], DEALS) for name in wanted if name in ALL}
    slow = {name: outcomes(name, SLOW[name], SAMPLE) for name in wanted if name in SLOW}
    if sys.argv[1:]:
        return
    test, sample = named(TEST), named(SAMPLE)
    on_sample = {n: pick(o, sample) for n, o in full.items()} | slow
    outside = {run: outcomes(run, f"runs/{run}/weights/best.json", OUTSIDE) for run in RUNS}
    parts = [
        comparison("Deals 1 to 32000", full),
        comparison(
            "Those 31,000 of them that trained none of our runs",
            {n: pick(o, test) for n, o in full.items()},
        ),
        comparison("A sample of 1,000 of these 31,000 deals", on_sample),
        reductions("deals 1 to 32000", full, "hsdh-same-search", "ga-freecell-2011"),
        reductions("sample of 1,000", on_sample, "hsdh", "hsdh-same-search", "heineman-2009"),
        comparison(f"Deals {OUTSIDE}, which neither trained nor selected these three", outside),
        diversity(),
    ]
    fill("results", "".join(parts).strip("\n"))


def diversity() -> str:
    """How many different deals the problems have in the course of each run."""
    marks = (1, 10, 20, 40, 60, 100, 150, 200, 250, 300)
    rows = []
    for run in RUNS[:2]:
        lines = load(Path("runs") / run).lines
        deals = [line["problems"]["distinct_deals"] for line in lines]
        rows.append([run, *(str(deals[mark - 1]) for mark in marks), str(min(deals))])
    header = ["different deals in generation", *map(str, marks), "least"]
    title = "Different deals among the 300 deals of all problems, by generation"
    return f"\n{title}:\n\n{table(header, rows)}\n"


def outcomes(name: str, solver: str, deals: str) -> dict[int, Outcome]:
    """A named solver's outcome on each deal of a set, from its file or run now."""
    return kept(FOLDER / f"{name}-{deals}.csv", named_solver(solver, hsd.GAME), deals)


def kept(path: Path, weights: Weights, deals: str) -> dict[int, Outcome]:
    """A solver's outcome on each deal of a set, from a file or run now."""
    if path.exists():
        return read(path)
    game = hsd.GAME
    found: dict[int, Outcome] = {}
    for deal, outcome in run_checked(read_deals([deals], game), weights, game, weights.limits, -1):
        found[int(deal.name)] = outcome.without_moves()
        if len(found) % 1000 == 0:
            print(f"{path.stem}: {len(found)} deals", file=sys.stderr, flush=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["deal,status,expanded,generated,seconds,single,column"]
    for number, o in found.items():
        lengths = o.lengths or {"single": "", "column": ""}
        row = [number, o.status.value, o.nodes.expanded, o.nodes.generated, o.seconds]
        lines.append(",".join(map(str, [*row, lengths["single"], lengths["column"]])))
    write_atomically(path, "\n".join(lines) + "\n")
    return found


def read(path: Path) -> dict[int, Outcome]:
    """The outcomes in a file that ``outcomes`` wrote."""
    found = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            lengths = None
            if row["single"]:
                lengths = {"single": int(row["single"]), "column": int(row["column"])}
            found[int(row["deal"])] = Outcome(
                Status(row["status"]),
                None,
                lengths,
                Nodes(int(row["expanded"]), int(row["generated"])),
                float(row["seconds"]),
            )
    return found


def pick(results: Mapping[int, Outcome], deals: Sequence[int]) -> dict[int, Outcome]:
    """The outcomes on some of the deals."""
    return {deal: results[deal] for deal in deals}


def comparison(title: str, results: Mapping[str, Mapping[int, Outcome]]) -> str:
    """A table with a row for each solver."""
    header = ["solver", "solved", "% [95 % interval]", "nodes mean", "median", "1000M if unsolved"]
    header += ["single", "column", "ms"]
    rows = [row(name, summarise(list(found.values()))) for name, found in results.items()]
    return f"\n{title}:\n\n{table(header, rows)}\n"


def row(name: str, s: Summary) -> list[str]:
    """A solver's table cells."""
    low, high = (100 * bound for bound in s.interval)
    lengths = [f"{s.lengths[u]:.1f}" if u in s.lengths else "-" for u in ("single", "column")]
    means = [number(s.nodes_mean), number(s.nodes_median), number(s.nodes_penalised)]
    share = f"{100 * s.solved / s.deals:.3f} [{low:.3f}, {high:.3f}]"
    return [name, f"{s.solved:,}", share, *means, *lengths, rounded(s.milliseconds)]


def number(value: float) -> str:
    """A count with commas; a dash for NaN."""
    return f"{value:,.0f}" if value == value else "-"


def reductions(title: str, results: Mapping[str, Mapping[int, Outcome]], *references: str) -> str:
    """How many fewer nodes the evolved solvers need than the references."""
    rows = []
    for name in ("hsd-evolved", "freecell-nine-plain"):
        for reference in references:
            pair = {one: list(results[one].values()) for one in (name, reference)}
            (found,) = compare_solvers(pair)
            mine, theirs = (summarise(outcomes).nodes_mean for outcomes in pair.values())
            ratios = mine / theirs, found.penalised, found.nodes_mean.value
            shares = [f"{1 - ratio:.1%}" for ratio in ratios]
            rows.append([f"{name} against {reference}", *shares, f"{found.both:,}"])
    header = ["", "own solved", "1000M if unsolved", "both solved", "deals both solved"]
    return f"\nReduction of the nodes, {title}:\n\n{table(header, rows)}\n"


if __name__ == "__main__":
    main()
