"""``make million``: the preset fast on every deal up to 1,000,000, summarized in docs/million.md.

``out/million.jsonl`` keeps outcomes, so an interrupted run can be continued.
"""

from __future__ import annotations

from array import array
from collections import Counter
from pathlib import Path

import numpy as np
from pages import solved

from gafreecell.solving.files import write_atomically
from gafreecell.terminal.tables import table

DEALS = "1-1000000"
FILE, PAGE = Path("out/million.jsonl"), Path("docs/million.md")
HEAD = """# Every Microsoft deal up to 1,000,000

This page shows how many Microsoft deals the preset `fast` solves, proves unsolvable or leaves
undecided. `make million` writes it from the output of these commands:

<!-- run
with 1-1000000 => 1-1000
-->
```sh
mkdir -p out
gafreecell solve 1-1000000 -o out/million.jsonl --resume
```

`--resume` completes the file of an interrupted run. *Nodes* are generated states, *single moves* is
the mean length in moves of single cards, and times are processor times on one core. [The
results](results/freecell.md#freecell-every-deal-up-to-1000000) discuss the table.

"""


def main() -> None:
    """Solve what is missing and write the page."""
    parts = {"1 to 32,000": range(1, 32_001), "32,001 to 132,000": range(32_001, 132_001)}
    parts["1 to 1,000,000"] = range(1, 1_000_001)
    nodes, single, seconds = array("q"), array("q"), array("d")
    statuses = []
    for outcome in solved(FILE, DEALS):
        assert outcome["deal"] == len(statuses) + 1
        statuses.append(outcome["status"])
        nodes.append(outcome["nodes"]["generated"])
        single.append(outcome["lengths"]["single"] if outcome["lengths"] else -1)
        seconds.append(outcome["seconds"])
    rows = []
    for name, deals in parts.items():
        part = slice(deals[0] - 1, deals[-1])
        counts = Counter(statuses[part])
        many, lengths = np.array(nodes[part]), np.array(single[part])
        undecided = len(deals) - counts["solved"] - counts["unsolvable"]
        times = 1000 * np.array(seconds[part])
        rows.append(
            [
                name, f"{counts['solved']:,}", str(counts["unsolvable"]), str(undecided),
                f"{many.mean():,.0f}", f"{np.median(many):,.0f}", f"{many.max():,}",
                f"{lengths[lengths > 0].mean():.2f}", f"{times.mean():.3f}",
                f"{np.median(times):.3f}",
            ]
        )  # fmt: skip
    header = ["deals", "solved", "proved unsolvable", "undecided", "nodes mean", "median", "most"]
    header += ["single moves", "ms mean", "ms median"]
    proved = [str(i + 1) for i, status in enumerate(statuses) if status == "unsolvable"]
    text = f"{HEAD}{table(header, rows)}\n\nProved unsolvable: {', '.join(proved)}.\n"
    write_atomically(PAGE, text)
    print(f"wrote {PAGE}")


if __name__ == "__main__":
    main()
