"""``make proved``: the lengths of the shortest solutions of deals 1 to 1000, as far as proved.

In single cards by ``optimal``, and in manual moves by ``optimal-moves`` beside the solutions that
macroxue publishes. With words, only the presets that they name are run. Writes
docs/proved-lengths.csv and docs/proved-manual.csv, from which an interrupted run goes on, and the
tables in docs/results. ``proved.py tables`` only writes these.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill as fill_lines

import numpy as np
from pages import fill, read_lines, solved, write_lines

from gafreecell.terminal.tables import table

DEALS, PIECE = range(1, 1001), 20
PRESETS = {
    "optimal": ("single", Path("docs/proved-lengths.csv")),
    "optimal-moves": ("manual", Path("docs/proved-manual.csv")),
}
"""The unit that a preset proves, and its file."""
PUBLISHED = Path("tests/hsd/data/macroxue-1-1000.txt")
"""The manual moves of the solutions in macroxue/freecell, commit 67511a1, by deal."""
WITHIN = (0.5, 1, 2, 5, 10, 30, 60)
"""Seconds of processor time."""


@dataclass(frozen=True)
class Row:
    """The length of a solution, and a proved bound of it."""

    deal: int
    length: int
    bound: int
    nodes: int
    seconds: float


def main() -> None:
    """Solve missing deals on one core, some at a time, and write the files."""
    words = sys.argv[1:] or [*PRESETS]
    for preset in words if words != ["tables"] else ():
        unit, file = PRESETS[preset]
        rows = read_lines(file, Row)
        while left := [deal for deal in DEALS if deal not in {row.deal for row in rows}][:PIECE]:
            kept = Path(f"out/{preset}-{left[0]}-{len(left)}.jsonl")
            rows += [
                Row(
                    one["deal"], one["lengths"][unit], one["lengths"]["bound"],
                    one["nodes"]["generated"], round(one["seconds"], 2),
                )
                for one in solved(kept, *map(str, left), "--preset", preset, "--jobs", "1")
            ]  # fmt: skip
            write_lines(file, Row, rows)
    told = [_told(unit, rows) for unit, file in PRESETS.values() if (rows := read_lines(file, Row))]
    fill("proved", "\n\n".join(told))


def _told(unit: str, rows: list[Row]) -> str:
    proved = [row for row in rows if row.length == row.bound]
    seconds = np.array([row.seconds for row in proved])
    lengths = np.array([row.length for row in proved])
    shares = [f"{100 * (seconds <= limit).sum() / len(rows):.1f}" for limit in WITHIN]
    open_ones = [f"{r.deal} ({r.bound} to {r.length})" for r in rows if r.bound < r.length]
    header = [f"{unit} moves: proved within seconds", *map(str, WITHIN), "at all"]
    shares.append(f"{100 * len(proved) / len(rows):.1f}")
    told = f"The proved lengths average {lengths.mean():.2f} and range from {lengths.min()} to "
    told += f"{lengths.max()}. Deals without a proof, with their bounds: "
    told += f"{', '.join(open_ones) or 'none'}."
    told += _beside_published(rows) if unit == "manual" else ""
    return f"{table(header, [['% of the deals', *shares]])}\n\n{fill_lines(told, 120)}"


def _beside_published(rows: list[Row]) -> str:
    published = [int(word) for word in PUBLISHED.read_text(encoding="utf-8").split()]
    theirs, ours, bounds = np.array(
        [(published[row.deal - 1], row.length, row.bound) for row in rows]
    ).T
    assert (theirs >= bounds).all(), "published solutions are below the bound"
    return (
        f" All {len(rows)} solutions average {ours.mean():.2f} manual moves; those that "
        f"macroxue publishes average {theirs.mean():.2f}. Ours are shorter in "
        f"{(ours < theirs).sum()} deals and longer in {(ours > theirs).sum()}; no published one "
        "is shorter than a bound."
    )


if __name__ == "__main__":
    main()
