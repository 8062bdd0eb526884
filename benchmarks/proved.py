"""``make proved``: the lengths of the shortest solutions of deals 1 to 1000, as far as proved.

In single cards by ``optimal``, and in manual moves by ``optimal-moves`` beside the solutions that
macroxue publishes. With words, only the presets that they name are run. Writes
docs/proved-lengths.csv, docs/proved-manual.csv and the tables in docs/results.
``out/PRESET.jsonl`` keeps outcomes, so an interrupted run can be continued.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
from pages import fill, solved

from gafreecell.terminal.tables import table

DEALS = "1-1000"
PRESETS = {
    "optimal": ("single", Path("docs/proved-lengths.csv"), "proved"),
    "optimal-moves": ("manual", Path("docs/proved-manual.csv"), "proved-manual"),
}
"""The unit that a preset proves, its file and the name of its table."""
PUBLISHED = Path("tests/hsd/data/macroxue-1-1000.txt")
"""The manual moves of the solutions in macroxue/freecell, commit 67511a1, by deal."""
WITHIN = (0.5, 1, 2, 5, 10, 30, 60)
"""Seconds of processor time."""


def main() -> None:
    """Solve missing deals on one core and write the files."""
    for preset in sys.argv[1:] or PRESETS:
        unit, file, mark = PRESETS[preset]
        kept = Path(f"out/{preset}.jsonl")
        outcomes = list(solved(kept, DEALS, "--preset", preset, "--jobs", "1"))
        _write(file, unit, outcomes)
        fill(mark, _told(unit, outcomes))


def _write(path: Path, unit: str, outcomes: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["deal", unit, "bound", "nodes", "seconds"])
        for outcome in outcomes:
            lengths = outcome["lengths"] or {unit: "", "bound": ""}
            writer.writerow(
                [
                    outcome["deal"], lengths[unit], lengths["bound"],
                    outcome["nodes"]["generated"], f"{outcome['seconds']:.2f}",
                ]
            )  # fmt: skip


def _told(unit: str, outcomes: list[dict[str, Any]]) -> str:
    solutions = [outcome for outcome in outcomes if outcome["lengths"]]
    proved = [o for o in solutions if o["lengths"][unit] == o["lengths"]["bound"]]
    seconds = np.array([outcome["seconds"] for outcome in proved])
    lengths = np.array([outcome["lengths"][unit] for outcome in proved])
    shares = [f"{100 * (seconds <= limit).sum() / len(outcomes):.1f}" for limit in WITHIN]
    open_ones = [
        f"{o['deal']} ({o['lengths']['bound']} to {o['lengths'][unit]})"
        for o in solutions
        if o["lengths"]["bound"] < o["lengths"][unit]
    ]
    header = ["proved within seconds", *map(str, WITHIN), "at all"]
    shares.append(f"{100 * len(proved) / len(outcomes):.1f}")
    text = table(header, [["% of the deals", *shares]])
    text += f"\n\nThe proved lengths average {lengths.mean():.2f} and range from {lengths.min()} "
    text += f"to {lengths.max()}. Deals without a proof, with their bounds: "
    text += f"{', '.join(open_ones) or 'none'}."
    if unit == "manual":
        text += _beside_published(outcomes)
    return text


def _beside_published(outcomes: list[dict[str, Any]]) -> str:
    published = [int(word) for word in PUBLISHED.read_text(encoding="utf-8").split()]
    theirs = np.array([published[outcome["deal"] - 1] for outcome in outcomes])
    bounds, ours = (
        np.array([outcome["lengths"][name] for outcome in outcomes]) for name in ("bound", "manual")
    )
    wrong = [o["deal"] for o, is_less in zip(outcomes, theirs < bounds, strict=True) if is_less]
    assert not wrong, f"published solutions are below the bound: {wrong}"
    return (
        f"\n\nAll {len(outcomes)} solutions average {ours.mean():.2f} manual moves; those that "
        f"macroxue publishes average {theirs.mean():.2f}. Ours are shorter in "
        f"{(ours < theirs).sum()} deals and longer in {(ours > theirs).sum()}; no published one "
        f"is shorter than a bound."
    )


if __name__ == "__main__":
    main()
