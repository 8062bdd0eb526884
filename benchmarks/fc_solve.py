"""``make fc-solve``: our fastest presets beside ``fc-solve -l lg``, in some minutes on one core.

Needs Debian's freecell-solver-bin. Each round runs every solver once on the same deals, so that
the load of the machine affects all alike; the least time of each counts. *Search* is the sum of
the seconds in our outcomes. *Process* is the user and system time of ``gafreecell solve --jobs 1
--format jsonl``, minus that of a run of one deal. fc-solve's time is that of its process. Our
solutions are replayed. Name other presets or weights files to measure these:
``python benchmarks/fc_solve.py NAME ...``.

Then ``fast``, whatever the names, and fc-solve decide deals 1 to 1000 with two cells and with one,
many of which cannot be won, in processor time of our search and of its process. The means are over
deals on which both agree.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from pages import spent_by

from gafreecell.solitaire.game import Game, game
from gafreecell.solving.outcome import Limits, Task
from gafreecell.terminal.tables import table

SLICES = (range(28_001, 32_001), range(200_001, 204_001))
DEALS = [deal for part in SLICES for deal in part]
ROUNDS = 3
LIMIT = 100_000
"""States that fc-solve may check, its own default for ranges."""
FEW, FEW_DEALS, PROOFS = (2, 1), range(1, 1_001), Limits(2_000_000, memory=4_000_000_000)
"""Free cells, the deals, and what either program may spend on one of them."""
GIVEN_UP = ("solved", "unsolvable")
"""Our verdict and fc-solve's on a deal that it wrongly gives up."""


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
    header = ["cells", "solver", "won", "lost or given up", "open"]
    header += ["ms a won deal", "ms a lost deal"]
    print(table(header, [row for cells in FEW for row in proofs(cells)]))


def proofs(cells: int) -> list[list[str]]:
    """Decide deals with few cells by both programs; the rows of a table."""
    played = game("freecell").vary(cells=cells)
    both = [(decided(played, deal), decided_by_fc_solve(played, deal)) for deal in FEW_DEALS]
    verdicts = [(ours, theirs) for (ours, _), (theirs, _) in both]
    rows = []
    for place, name in enumerate(("`fast`", "fc-solve -l lg")):
        own = [one[place] for one in verdicts]
        counts = (str(own.count(word)) for word in ("solved", "unsolvable", ""))
        agreed = (
            [one[place][1] for one in both if one[0][0] == one[1][0] == word]
            for word in ("solved", "unsolvable")
        )
        rows.append([str(cells), name, *counts, *(f"{np.mean(times):.1f}" for times in agreed)])
    won = [deal for deal, one in zip(FEW_DEALS, verdicts, strict=True) if one == GIVEN_UP]
    print(f"Solved with {cells} cells though fc-solve gives up before its limit: {won}")
    assert GIVEN_UP[::-1] not in verdicts
    return rows


def decided(played: Game, deal: int) -> tuple[str, float]:
    """Our verdict on a deal, empty if it met a limit, and the milliseconds."""
    weights = played.preset("fast")
    (found,) = played.run([Task(deal, weights.evaluator, weights.search, PROOFS)])
    if found.moves is not None:
        fault = played.verify(played.deal(deal), found.moves)
        assert not fault, (deal, fault)
    return str(found.status) if found.status.decided else "", 1000 * found.seconds


def decided_by_fc_solve(played: Game, deal: int) -> tuple[str, float]:
    """The same of fc-solve; we call a deal that it gives up before its limit unsolvable."""
    command = ["fc-solve", "--freecells-num", str(played.variant["cells"]), "-l", "lg"]
    command += ["-mi", str(PROOFS.nodes)]
    seconds, told = spent_by(command, f"{played.deal(deal)}\n", check=False)
    checked = re.search(r"states checked is (\d+)", told)
    given_up = checked is not None and int(checked[1]) < PROOFS.nodes
    verdict = "solved" if "is solveable" in told else "unsolvable" if given_up else ""
    return verdict, 1000 * seconds


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


if __name__ == "__main__":
    main(sys.argv[1:] or ("fastest", "fast"))
