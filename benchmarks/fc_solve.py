"""``make fc-solve``: our fastest presets beside ``fc-solve -l lg``, in a minute on one core.

Needs Debian's freecell-solver-bin. Each round runs every solver once on the same deals, so that
the load of the machine affects all alike; the least time of each counts. *Search* is the sum of
the seconds in our outcomes. *Process* is the user and system time of ``gafreecell solve --jobs 1
--format jsonl``, minus that of a run of one deal. fc-solve's time is that of its process. Our
solutions are replayed. Name other presets or weights files to measure these:
``python benchmarks/fc_solve.py NAME ...``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gafreecell.terminal.tables import table

SLICES = (range(28_001, 32_001), range(200_001, 204_001))
DEALS = [deal for part in SLICES for deal in part]
ROUNDS = 3
LIMIT = 100_000
"""States that fc-solve may check, its own default for ranges."""


def main(solvers: Sequence[str]) -> None:
    """Measure the solvers named, and print a table for each slice of deals."""
    for deals in SLICES:
        lg: list[float] = []
        runs: dict[str, list[Measured]] = {solver: [] for solver in solvers}
        for _ in range(ROUNDS):
            lg.append(fc_solve(deals))
            for solver in solvers:
                runs[solver].append(ours(solver, deals))
        best = min(lg)
        rows = [["fc-solve -l lg", f"{1e6 * best / len(deals):.1f}", "1", "", "1"]]
        for solver, measured in runs.items():
            records = measured[0].records
            single = [record["lengths"]["single"] for record in records if record["lengths"]]
            search = min(one.search for one in measured)
            process = min(one.process for one in measured) - min(one.start for one in measured)
            rows.append(
                [
                    f"{solver} ({len(single):,} of {len(deals):,} solved)",
                    f"{1e6 * search / len(deals):.1f}",
                    f"{search / best:.3f}",
                    f"{np.mean(single):.2f}",
                    f"{process / best:.3f}",
                ]
            )
        header = ["solver", "search, microseconds", "of lg's", "single moves", "process, of lg's"]
        print(f"Deals {deals[0]:,} to {deals[-1]:,}\n\n{table(header, rows)}\n", flush=True)


class Measured(NamedTuple):
    """One run of one of our solvers, in processor seconds.

    Attributes:
        search: the sum over the outcomes.
        process: of the command.
        start: of the command for one deal.
        records: the command's output for each deal.
    """

    search: float
    process: float
    start: float
    records: list[dict[str, Any]]


def fc_solve(deals: range) -> float:
    """Processor seconds of fc-solve on all deals."""
    command = ["freecell-solver-range-parallel-solve", str(deals[0]), str(deals[-1]), "4000"]
    return spent_by([*command, "--total-iterations-limit", str(LIMIT), "-l", "lg"])[0]


def ours(solver: str, deals: range) -> Measured:
    """Run a preset or weights file by the command line, which verifies every solution."""
    option = "--weights" if solver.endswith(".json") else "--preset"
    command = [sys.executable, "-m", "gafreecell", "solve", option, solver, "--jobs", "1"]
    command += ["--no-progress", "--format", "jsonl"]
    start, _ = spent_by([*command, str(deals[0])])
    process, text = spent_by([*command, f"{deals[0]}-{deals[-1]}"])
    records = [json.loads(line) for line in text.splitlines()]
    return Measured(sum(record["seconds"] for record in records), process, start, records)


def spent_by(command: list[str]) -> tuple[float, str]:
    """User and system time of a command, and its output."""
    before = os.times()
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system, text


if __name__ == "__main__":
    main(sys.argv[1:] or ("fastest", "fast"))
