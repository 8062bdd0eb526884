"""``make fc-solve``: our fastest presets beside ``fc-solve -l lg``, in a minute on one core.

Needs Debian's freecell-solver-bin. Each round runs every solver once on the same deals, so that
all meet the same machine; the least time of each counts. *Search* is the sum of what our
outcomes say, *process* the user and system time of ``gafreecell solve --jobs 1 --format jsonl``
less that of a run of one deal. fc-solve's time is that of its process. Solutions are replayed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence

import numpy as np

from gafreecell.cli.tables import table

SLICES = (range(28_001, 32_001), range(200_001, 204_001))
ROUNDS = 3
LIMIT = 100_000
"""States that fc-solve may check, its own default for ranges."""


def main(solvers: Sequence[str]) -> None:
    """Measure the solvers named, and print a table for each slice of deals."""
    for deals in SLICES:
        lg, searches, processes, found = [], {}, {}, {}
        for _ in range(ROUNDS):
            lg.append(fc_solve(deals))
            for solver in solvers:
                least, _ = ours(solver, deals[:1])
                spent, records = ours(solver, deals)
                found[solver] = records
                searches.setdefault(solver, []).append(sum(r["seconds"] for r in records))
                processes.setdefault(solver, []).append(spent - least)
        rows = [["fc-solve -l lg", f"{1e6 * min(lg) / len(deals):.1f}", "1", "", "1"]]
        for solver in solvers:
            solved = [r for r in found[solver] if r["lengths"]]
            search, process = min(searches[solver]), min(processes[solver])
            single = np.mean([r["lengths"]["single"] for r in solved])
            rows.append(
                [
                    f"{solver} ({len(solved):,} of {len(deals):,})",
                    f"{1e6 * search / len(deals):.1f}",
                    f"{search / min(lg):.3f}",
                    f"{single:.1f}",
                    f"{process / min(lg):.3f}",
                ]
            )
        header = ["solver", "search, microseconds", "of lg's", "single moves", "process, of lg's"]
        print(f"Deals {deals[0]:,} to {deals[-1]:,}\n\n{table(header, rows)}\n", flush=True)


def fc_solve(deals: range) -> float:
    """Processor seconds of fc-solve on all deals."""
    command = ["freecell-solver-range-parallel-solve", str(deals[0]), str(deals[-1]), "4000"]
    return spent_by([*command, "--total-iterations-limit", str(LIMIT), "-l", "lg"])[0]


def ours(solver: str, deals: range) -> tuple[float, list[dict[str, object]]]:
    """Processor seconds of the command line on deals, and what it printed of each."""
    option = "--weights" if solver.endswith(".json") else "--preset"
    words = ["solve", f"{deals[0]}-{deals[-1]}", option, solver, "--jobs", "1", "--no-progress"]
    command = [sys.executable, "-m", "gafreecell", *words, "--format", "jsonl"]
    seconds, text = spent_by(command)
    return seconds, [json.loads(line) for line in text.splitlines()]


def spent_by(command: list[str]) -> tuple[float, str]:
    """User and system time of a command, and its output."""
    before = os.times()
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system, text


if __name__ == "__main__":
    main(sys.argv[1:] or ("fastest", "fast"))
