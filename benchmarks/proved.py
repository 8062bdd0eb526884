"""``make proved``: the lengths of the shortest solutions of deals 1 to 1000, as far as proved.

Writes docs/proved-lengths.csv and the table in docs/results. ``out/proved.jsonl`` keeps
outcomes, so an interrupted run can be continued.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from pages import fill, solved

from gafreecell.terminal.tables import table

DEALS = "1-1000"
FILE, CSV = Path("out/proved.jsonl"), Path("docs/proved-lengths.csv")
WITHIN = (0.5, 1, 2, 5, 10, 30)
"""Seconds of processor time."""


def main() -> None:
    """Solve missing deals on one core and write both files."""
    outcomes = list(solved(FILE, DEALS, "--preset", "optimal", "--jobs", "1"))
    with CSV.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["deal", "single", "bound", "nodes", "seconds"])
        for outcome in outcomes:
            lengths = outcome["lengths"] or {"single": "", "bound": ""}
            writer.writerow(
                [
                    outcome["deal"], lengths["single"], lengths["bound"],
                    outcome["nodes"]["generated"], f"{outcome['seconds']:.2f}",
                ]
            )  # fmt: skip
    solutions = [outcome for outcome in outcomes if outcome["lengths"]]
    proved = [o for o in solutions if o["lengths"]["single"] == o["lengths"]["bound"]]
    seconds = np.array([outcome["seconds"] for outcome in proved])
    lengths = np.array([outcome["lengths"]["single"] for outcome in proved])
    shares = [f"{100 * (seconds <= limit).sum() / len(outcomes):.1f}" for limit in WITHIN]
    open_ones = [
        f"{o['deal']} ({o['lengths']['bound']} to {o['lengths']['single']})"
        for o in solutions
        if o["lengths"]["bound"] < o["lengths"]["single"]
    ]
    header = ["proved within seconds", *map(str, WITHIN), "at all"]
    shares.append(f"{100 * len(proved) / len(outcomes):.1f}")
    text = table(header, [["% of the deals", *shares]])
    text += f"\n\nThe proved lengths average {lengths.mean():.2f} and range from {lengths.min()} "
    text += f"to {lengths.max()}. Deals without a proof, with their bounds: "
    text += f"{', '.join(open_ones) or 'none'}."
    fill("proved", text)


if __name__ == "__main__":
    main()
