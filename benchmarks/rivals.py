"""``make rivals``: our presets beside fc-solve's on the same deals, in one run on one core.

Needs Debian's freecell-solver-bin. Our verifier replays every solution, also fc-solve's, and counts
its moves. The solvers on the last front of the bi-objective run ``runs/freecell-tradeoff`` are
measured as well. Writes ``docs/rivals.csv``, the table in docs/results and the figure
``plots/time-length.png``.
"""

from __future__ import annotations

import csv
import json
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from pages import fill

import hsd
from deals import freecell
from gafreecell.figures.style import COLOURS, LEGEND_OUTSIDE, new_axes, save, subtitle, tidy
from gafreecell.solving.weights import Weights, read_weights
from gafreecell.terminal.tables import rounded, table
from hsd.interpreting import with_counts
from hsd.verifier import verify

DEALS, WARM_UP = range(1, 2001), range(2001, 2020)
OURS = ("fastest", "fast", "best-first", "balanced", "short", "shortest")
THEIRS = ("lg", "as", "te", "ve")
LIMIT = 100_000
"""States that fc-solve may check."""
PUBLISHED = {"patsolve 3.0.2 -f": (104.0, 88.4), "patsolve 3.0.2 -fS": (3.94, 122.2)}
"""Solvers that are not in Debian: milliseconds and single moves, measured elsewhere (on deals 1 to
2000 and 1 to 32000)."""
TRADE_OFF = Path("runs/freecell-tradeoff")
PROVED = Path("docs/proved-lengths.csv")
"""The output of ``make proved``."""
FILE, FIGURE = Path("docs/rivals.csv"), Path("plots/time-length.png")
COLUMNS = ("solver", "deals", "solved", "ms_mean", "ms_median", "nodes", "single", "column")

Row = dict[str, str | float]


def main() -> None:
    """Measure everything, one after the other, and write the results."""
    rows = [ours(preset) for preset in OURS] + [theirs(preset) for preset in THEIRS]
    on_front = [ours(solver) for solver in front()]
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows + on_front)
    cells = [[shown(row, name) for name in COLUMNS] for row in rows]
    fill("rivals", table(list(COLUMNS), cells))
    draw(rows, on_front)


def shown(row: Row, name: str) -> str:
    value = row[name]
    return value if isinstance(value, str) else rounded(value) if "ms" in name else f"{value:,.5g}"


def front() -> list[Weights]:
    """The solvers on the last front of the bi-objective run, from the fastest to the shortest."""
    best = read_weights(TRADE_OFF / "weights" / "best.json")
    assert best.evaluator is not None
    last = (TRADE_OFF / "log.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    return [
        replace(best, evaluator=replace(best.evaluator, weights=tuple(solver["weights"])))
        for solver in json.loads(last)["front"]
    ]


def ours(preset: str | Weights) -> Row:
    """A row for one of our presets or for evolved weights; times are those of the outcomes."""
    hsd.solve_many(WARM_UP, preset, jobs=1)
    outcomes = hsd.solve_many(DEALS, preset, jobs=1)
    solved = [outcome for outcome in outcomes if outcome.moves is not None]
    for deal, outcome in zip(DEALS, outcomes, strict=True):
        if outcome.moves is not None:
            verdict = verify(freecell(deal), outcome.moves)
            assert verdict.solved, (preset, deal, verdict.reason)
            assert outcome.lengths["single"] == verdict.single
    times = [1000 * outcome.seconds for outcome in outcomes]
    return {
        "solver": preset if isinstance(preset, str) else TRADE_OFF.name,
        "deals": len(DEALS),
        "solved": len(solved),
        "ms_mean": float(np.mean(times)),
        "ms_median": float(np.median(times)),
        "nodes": float(np.mean([outcome.nodes.generated for outcome in outcomes])),
        "single": float(np.mean([outcome.lengths["single"] for outcome in solved])),
        "column": float(np.mean([outcome.lengths["column"] for outcome in solved])),
    }


def theirs(preset: str) -> Row:
    """A row for a preset of fc-solve: the time is that of one process for all deals; solutions come
    from a process for each deal."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = ["freecell-solver-range-parallel-solve", str(DEALS[0]), str(DEALS[-1]), "4000"]
    command += ["--total-iterations-limit", str(LIMIT), "-l", preset]
    subprocess.run(command, check=True, capture_output=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda deal: one(deal, preset), DEALS))
    solved = [lengths for lengths, _ in found if lengths]
    return {
        "solver": f"fc-solve -l {preset}",
        "deals": len(DEALS),
        "solved": len(solved),
        "ms_mean": 1000 * seconds / len(DEALS),
        "ms_median": "-",
        "nodes": float(np.mean([nodes for _, nodes in found])),
        "single": float(np.mean([single for single, _ in solved])),
        "column": float(np.mean([column for _, column in solved])),
    }


def one(deal: int, preset: str) -> tuple[tuple[int, int] | None, int]:
    """The length of fc-solve's solution as our verifier counts it, and the states it checked."""
    command = ["fc-solve", "-l", preset, "-mi", str(LIMIT), "-p", "-t", "-sam", "-snx", "-m"]
    text = subprocess.run(
        command, input=str(freecell(deal)) + "\n", capture_output=True, text=True, check=False
    ).stdout
    states = re.search(r"number of states checked is (\d+)", text)
    nodes = int(states[1]) if states else LIMIT
    if "This game is solveable" not in text:
        return None, nodes
    moves = re.findall(r"\b[1-8a-d][1-8a-dh](?:v[0-9a-f]+)?\b", text.partition("This game")[0])
    board = freecell(deal)
    verdict = verify(board, with_counts(board, moves))
    assert verdict.solved, (preset, deal, verdict.reason)
    return (verdict.single, verdict.column), nodes


def draw(rows: list[Row], on_front: list[Row]) -> None:
    """Draw time against length; the floor is the mean of the proved bounds."""
    (axes,) = new_axes(1, 10.5, 5)
    for row in rows:
        mine, share = row["solver"] in OURS, float(row["solved"]) / float(row["deals"])
        axes.plot(
            float(row["ms_mean"]), float(row["single"]), "o" if mine else "s", markersize=9,
            color=COLOURS[0] if mine else COLOURS[1],
        )  # fmt: skip
        axes.annotate(
            f"{row['solver']}{'' if share == 1 else f', {100 * share:.0f} % solved'}",
            (float(row["ms_mean"]), float(row["single"])),
            xytext=(7, 5), textcoords="offset points",
        )  # fmt: skip
    axes.plot(
        [float(row["ms_mean"]) for row in on_front], [float(row["single"]) for row in on_front],
        ".", color=COLOURS[3], label="front of the run\nfreecell-tradeoff (NSGA-II)",
    )  # fmt: skip
    for marker, tint, name in (
        ("o", COLOURS[0], "gafreecell"),
        ("s", COLOURS[1], "other programs"),
    ):
        axes.plot([], [], marker, markersize=9, color=tint, label=name)
    axes.legend(**LEGEND_OUTSIDE)
    for name, (milliseconds, single) in PUBLISHED.items():
        axes.plot(milliseconds, single, "s", markersize=9, mfc="none", color=COLOURS[1])
        axes.annotate(name, (milliseconds, single), xytext=(7, 5), textcoords="offset points")
    if PROVED.exists():
        seconds, single, floor = optimal()
        axes.plot(1000 * seconds, single, "o", markersize=9, mfc="none", color=COLOURS[0])
        axes.annotate(
            "optimal", (1000 * seconds, single), xytext=(7, 5), textcoords="offset points"
        )
        axes.axhline(floor, color=COLOURS[2], linewidth=1.5)
        axes.annotate(
            f"no solver can be shorter: {floor:.1f}, mean of the proved bounds of deals 1 to 1000",
            (0.99, floor), xycoords=("axes fraction", "data"), xytext=(0, -12),
            textcoords="offset points", ha="right", color=COLOURS[2],
        )  # fmt: skip
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlim(right=10_000)
    axes.set_xlabel("processor time a deal in milliseconds, mean (one core)")
    axes.set_ylabel("solution length in moves of single cards, mean")
    # Room for the name of the longest solutions' preset, and for what stands below the floor.
    axes.margins(y=0.08)
    tidy(axes, f"Time and length of FreeCell solvers, Microsoft deals 1 to {DEALS[-1]:,}")
    subtitle(axes, "Nearer to the lower left corner is better. Hollow marks were measured apart.")
    FIGURE.parent.mkdir(exist_ok=True)
    save(axes, FIGURE)
    print(f"wrote {FILE} and {FIGURE}", file=sys.stderr)


def optimal() -> tuple[float, float, float]:
    """The preset optimal on deals 1 to 1000: mean seconds, mean length and mean proved bound."""
    with PROVED.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["length"]]
    columns = ("seconds", "length", "bound")
    seconds, single, bound = (np.mean([float(row[name]) for row in rows]) for name in columns)
    return float(seconds), float(single), float(bound)


if __name__ == "__main__":
    main()
