"""``make bench``: the speed of the engine, the solver, an evolution and the start-up.

All times depend on the machine; compare only figures of one run.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import gafreecell
import hsd
from gafreecell.comparing.pairs import summarise
from gafreecell.evolution.job_reading import parse_job
from gafreecell.workers.chosen import Workers
from hsd.presets import DEFAULT

WARM_UP = range(1, 200)
DEALS = range(100_001, 102_001)
ENGINE = {"hsd-evolved": DEALS[:1000], "hsdh-same-search": DEALS[:40], "hsdh": DEALS[:8]}
JOB = """
name = "bench"
generations = 5
[trained]
search = "staged"
[deals]
validation = "40001-40100"
"""


def main() -> None:
    """Print every figure."""
    hsd.solve_many(WARM_UP, jobs=2)
    engine()
    solving()
    evolution()
    start_up()


def engine() -> None:
    """Nodes per second on one core, with evolved weights and with HSDH."""
    for preset, deals in ENGINE.items():
        rates = [
            summarise(hsd.solve_many(deals, preset, jobs=1)).nodes_per_second for _ in range(3)
        ]
        print(f"engine, one core, {preset}: {median(rates) / 1e6:.2f} M nodes/s")


def solving() -> None:
    """Deals per second with one worker and with two."""
    walls = {1: [], 2: []}
    for _ in range(3):
        for jobs in (1, 2):
            began = time.perf_counter()
            hsd.solve_many(DEALS, jobs=jobs)
            walls[jobs].append(time.perf_counter() - began)
    for jobs, taken in walls.items():
        print(f"{DEFAULT}, {jobs} worker(s): {len(DEALS) / median(taken):,.0f} deals/s")
    ratios = [one / two for one, two in zip(walls[1], walls[2], strict=True)]
    print(f"two workers against one: {median(ratios):.2f} times")


def evolution() -> None:
    """Evaluations per second in a short evolution with the paper's settings."""
    for jobs in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            run = gafreecell.evolve(parse_job(JOB, "bench"), Path(folder) / "run", Workers(jobs))
        seconds = sum(line["machine"]["seconds"] for line in run.lines)
        asked = sum(line["evaluations"] for line in run.lines)
        rate = asked / seconds
        print(f"evolution, first 5 generations, {jobs} worker(s): {rate:,.0f} evaluations/s")


def start_up() -> None:
    """Wall time of whole commands."""
    command = str(Path(sys.executable).parent / "gafreecell")
    for arguments in (["--help"], ["deal", "617"], ["solve", "617"]):
        taken = []
        for _ in range(5):
            began = time.perf_counter()
            subprocess.run([command, *arguments], check=True, capture_output=True)
            taken.append(time.perf_counter() - began)
        print(f"gafreecell {' '.join(arguments)}: {median(taken):.2f} s")


if __name__ == "__main__":
    main()
