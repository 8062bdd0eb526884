"""``make workers``: when several workers pay, in wall time of whole commands.

Each command runs with one thread, and with more workers of each kind; the least time counts.
Two commands with half of the deals each, side by side, tell what the machine itself gives. The time
to start is that of the same command for one deal: it includes the workers' own. A piece that does
nothing tells what it costs to hand out work and take in results. Nothing else may run on the
machine meanwhile. Prints a table, in some ten minutes.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence

from gafreecell.service import spreading
from gafreecell.service.inputs import GivenDeal
from gafreecell.solitaire.game import game
from gafreecell.terminal.tables import table
from gafreecell.workers.chosen import Workers

ROUNDS = 2
COMMANDS = {
    ("solve", "--format", "numbers"): (200_001, 260_000),
    ("play", "--policy", "best"): (1, 20),
    ("play", "--policy", "greedy"): (1, 12_000),
}
"""Commands, and the first and the last of their deals."""
ONE = (1, "threading")
MORE = ((2, "threading"), (2, "dask"), (2, "loky"), (4, "loky"))
PIECES = 2_000


def seconds(
    command: Sequence[str], first: int, last: int, jobs: int, backend: str, parts: int = 1
) -> float:
    """Wall time of a command, or of some side by side, each with a part of the deals."""
    words = [sys.executable, "-m", "gafreecell", *command, "--jobs", str(jobs)]
    began = time.perf_counter()
    size = -(-(last + 1 - first) // parts)
    runs = [
        subprocess.Popen(
            [*words, "--backend", backend, "--no-progress", f"{begin}-{begin + size - 1}"],
            stdout=subprocess.DEVNULL,
        )
        for begin in range(first, last + 1, size)
    ]
    for run in runs:
        if run.wait():
            raise RuntimeError(f"{run.args!r} ended with {run.returncode}")
    return time.perf_counter() - began


def piece_cost(jobs: int, backend: str) -> float:
    """Seconds that a piece of work takes beside the work."""
    deals = (GivenDeal(n, n) for n in range(PIECES))
    # Pieces of one deal, however little they take.
    spread, spreading.PIECE = spreading.PIECE, 1
    began = time.perf_counter()
    for _ in spreading.spread(deals, nothing, game("freecell"), Workers(jobs, backend)):
        pass
    spreading.PIECE = spread
    return (time.perf_counter() - began) / PIECES


def nothing(first: int, piece: list[GivenDeal]) -> list[None]:
    """Results for a piece, without any work."""
    return [None] * len(piece)


def main() -> None:
    """Measure, and print the table."""
    rows = []
    for command, (first, last) in COMMANDS.items():
        seconds(command, first, first, *ONE)
        alone = min(seconds(command, first, last, *ONE) for _ in range(ROUNDS))
        beside = min(seconds(command, first, last, *ONE, parts=2) for _ in range(ROUNDS))
        name = f"`{' '.join(command)} {first}-{last}`"
        cells = [name, f"{alone:.1f} s", f"{alone / beside:.2f}"]
        for jobs, backend in MORE:
            start = min(seconds(command, first, first, jobs, backend) for _ in range(ROUNDS))
            spent = min(seconds(command, first, last, jobs, backend) for _ in range(ROUNDS))
            cells.append(f"{alone / spent:.2f} ({start:.1f} s)")
        rows.append(cells)
        print(cells, file=sys.stderr, flush=True)
    costs = (f"{1000 * piece_cost(jobs, backend):.2f} ms" for jobs, backend in MORE)
    rows.append(["an empty piece of work", "", "", *costs])
    more = [f"{jobs} x {backend}" for jobs, backend in MORE]
    header = ["command", "one thread", "two commands", *more]
    print(table(header, rows))


if __name__ == "__main__":
    main()
