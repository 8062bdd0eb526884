"""``make cells``: the fewest free cells with which deals 1 to 32000 can be won.

Writes the table in docs/results. ``out/least-cells.jsonl`` keeps outcomes, so an interrupted run
can be continued. With a file of lines ``deal cells``, such as ``msfc32k-min-fc`` in the repository
shlomif/MicrosoftFreeCell32000-minimal-freecells, each deal is compared with it.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from pages import fill, written

from gafreecell.terminal.tables import table

DEALS = "1-32000"
FILE = Path("out/least-cells.jsonl")
KNOWN = {0: 69, 1: 6_220, 2: 19_092, 3: 6_420, 4: 198, 5: 1}
"""The deals by their fewest cells that T. Pringle counts in that repository."""


def main() -> None:
    """Solve what is missing, compare and write the table."""
    groups: dict[int | None, list[dict[str, Any]]] = defaultdict(list)
    for found in written(FILE, "least-cells", DEALS, "--format", "jsonl"):
        groups[found["cells"] if found["status"] == "solved" else None].append(found)
    for file in sys.argv[1:]:
        _compare(Path(file), groups)
    rows = [
        [
            "not decided" if cells is None else str(cells),
            f"{len(group):,}",
            f"{KNOWN.get(cells, 0):,}" if cells is not None else "",
            f"{np.mean([one['nodes']['generated'] for one in group]):,.0f}",
            f"{np.max([one['nodes']['generated'] for one in group]):,}",
            f"{1000 * np.mean([one['seconds'] for one in group]):,.0f}",
        ]
        for cells, group in sorted(groups.items(), key=lambda item: (item[0] is None, item[0]))
    ]
    header = ["fewest free cells", "deals", "Pringle", "nodes, mean", "nodes, most", "ms, mean"]
    fill("cells", table(header, rows))


def _compare(file: Path, groups: dict[int | None, list[dict[str, Any]]]) -> None:
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    known = {int(line[0]): int(line[1]) for line in lines if line and line[0].isdecimal()}
    for cells, group in groups.items():
        wrong = [one["deal"] for one in group if cells not in (None, known[int(one["deal"])])]
        assert not wrong, f"{file} has other numbers for the deals {wrong}"


if __name__ == "__main__":
    main()
