"""``make cells``: the preset fast on deals 1 to 1000 with two and three free cells.

Writes the table in docs/results. ``out/cells-N.jsonl`` keeps outcomes, so an interrupted run
can be continued.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
from pages import fill, solved

from gafreecell.terminal.tables import table

DEALS, NODES = "1-1000", "20000000"


def main() -> None:
    """Solve what is missing and write the table."""
    rows = []
    for cells in ("3", "2"):
        file = Path(f"out/cells-{cells}.jsonl")
        outcomes = list(solved(file, DEALS, "--cells", cells, "--nodes", NODES, "--jobs", "1"))
        counts = Counter(outcome["status"] for outcome in outcomes)
        decided = counts["solved"] + counts["unsolvable"]
        lengths = [outcome["lengths"]["single"] for outcome in outcomes if outcome["lengths"]]
        rows.append(
            [
                cells, str(counts["solved"]), str(counts["unsolvable"]),
                str(len(outcomes) - decided), f"{np.mean(lengths):.1f}",
                f"{np.median([o['nodes']['generated'] for o in outcomes]):,.0f}",
                f"{1000 * np.mean([o['seconds'] for o in outcomes]):.1f}",
            ]
        )  # fmt: skip
    header = ["free cells", "solved", "proved unsolvable", "undecided", "single moves"]
    fill("cells", table([*header, "nodes, median", "ms, mean"], rows))


if __name__ == "__main__":
    main()
