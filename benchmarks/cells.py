"""``make cells``: the fewest free cells with which deals 1 to 32000 can be won.

Makes the list ``lists/freecell-cells``, which an interrupted run continues, and writes the table in
docs/results. With a file of lines ``deal cells``, such as ``msfc32k-min-fc`` in the repository
shlomif/MicrosoftFreeCell32000-minimal-freecells, each deal is compared with it. ``cells.py tables``
makes nothing, and only compares and writes the table.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
from pages import fill

from gafreecell.service.survey import CELLS, GENERATED, UNKNOWN, read_survey
from gafreecell.terminal.tables import table

DEALS = "1-32000"
LIST = Path("lists/freecell-cells")
LIMITS = ("--nodes", "1000000000", "--memory", "18G")
"""Of each search. All but 77 deals are decided within 1 GB."""
KNOWN = {0: 69, 1: 6_220, 2: 19_092, 3: 6_420, 4: 198, 5: 1}
"""The deals by their fewest cells that T. Pringle counts in that repository."""


def main() -> None:
    """Decide what is missing, compare and write the table."""
    words = ["survey", DEALS, "--least-cells", *LIMITS, "--shard", "1000", "-o", str(LIST)]
    files = [word for word in sys.argv[1:] if word != "tables"]
    if files == sys.argv[1:]:
        done = subprocess.run([sys.executable, "-m", "gafreecell", *words], check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(done.returncode)
    survey = read_survey(LIST)
    shards = [survey.read(shard) for shard in survey.shards]
    cells, nodes = (np.concatenate([one[name] for one in shards]) for name in (CELLS, GENERATED))
    for file in files:
        _compare(Path(file), cells)
    rows = [
        [
            "not decided" if fewest == UNKNOWN else str(fewest),
            f"{(cells == fewest).sum():,}",
            f"{KNOWN.get(fewest, 0):,}",
            f"{np.median(nodes[cells == fewest]):,.0f}",
        ]
        for fewest in (*KNOWN, UNKNOWN)
    ]
    header = ["fewest free cells", "deals", "Pringle", "nodes with four cells, median"]
    fill("cells", table(header, rows))


def _compare(file: Path, cells: np.ndarray) -> None:
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    known = {int(line[0]): int(line[1]) for line in lines if line and line[0].isdecimal()}
    found = {deal: fewest for deal, fewest in enumerate(cells.tolist(), 1) if fewest != UNKNOWN}
    wrong = [deal for deal, fewest in found.items() if fewest != known[deal]]
    assert not wrong, f"{file} has other numbers for the deals {wrong}"


if __name__ == "__main__":
    main()
