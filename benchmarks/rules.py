"""``make rules``: policies of rules against weighted sums, at equal processor time.

CMA-ES trains a weighted sum. Two runs start from its weights: one goes on with CMA-ES, the other
evolves policies of three rules with ``rules-gp``. The former has more generations, so that both
take equally long. Runs are kept in ``out/rules``. Their weights are measured on held-out deals, in
one thread; all weights of a seed solve a deal before the next deal begins. Writes the tables in
docs/results.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from pages import changes, fill, interval
from trainers import TRAINED

import hsd
from gafreecell import evolve
from gafreecell.evolution.job_reading import parse_job
from gafreecell.runs.record import Run
from gafreecell.runs.run import STATE, load
from gafreecell.solving.outcome import Limits
from gafreecell.solving.settings import merged
from gafreecell.terminal.tables import table
from gafreecell.workers.chosen import Workers

SEEDS = (1, 2, 3, 4, 5, 6)
FOLDER = Path("out/rules")
TEST = range(2_500_001, 2_501_001)
LIMITS = Limits(nodes=400_000)
JOB = (
    """
name = "{name}"
generations = 60
scheme = "informative"
trainer = "cma-es"
"""
    + TRAINED
    + """
[solvers]
population = 20
[sample]
deals = 12
[fitness]
measure = "relative"
failure = 5.0
clip = 0.3
[deals]
train = "1000001-1100000"
validation = "1900001-1900200"
[validation]
ranking = "log-nodes"
failure = 5.0
"""
)
RULES = {
    "trainer": "rules-gp",
    "rules": {"count": 3, "structure": "evolved", "offset": 0.3},
    "solvers": {
        "reproduction": 0.2,
        "crossover": 0.4,
        "mutation": 0.4,
        "gene_mutation": 0.3,
        "selection": "tournament",
    },
    "options": {"rules-gp": {"tuned": 0.5, "trial": 4}},
}
KINDS: dict[str, dict[str, Any]] = {
    "sum": {},
    "sum, trained on": {"generations": 75, "cma": {"sigma": 0.05}},
    "three rules": {"generations": 60, "cma": {"sigma": 0.05}, **RULES},
}
FIRST, *LATER = KINDS


def main() -> None:
    """Make missing runs, measure all of them and write the tables."""
    runs = {kind: [trained(kind, seed) for seed in SEEDS] for kind in KINDS}
    seconds = {kind: np.array([seconds_of(run) for run in found]) for kind, found in runs.items()}
    for kind in LATER:
        seconds[kind] = seconds[kind] + seconds[FIRST]
    by_seed = [measured([runs[kind][place] for kind in KINDS]) for place in range(len(SEEDS))]
    found = {kind: np.array([one[i] for one in by_seed]) for i, kind in enumerate(KINDS)}
    header = ["evaluator", "training, s", "solved of 1,000", "nodes, geometric mean"]
    header += ["nodes, mean", "µs a node", "ms a deal, geometric mean"]
    rows = [
        [kind, *(interval(column, 1) for column in (seconds[kind], *found[kind].T[:3])),
         *(interval(column, 3) for column in found[kind].T[3:])]
        for kind in KINDS
    ]  # fmt: skip
    compared = {"nodes": 1, "time": 4}
    columns = [[found[kind][:, column] for kind in reversed(LATER)] for column in compared.values()]
    pairs = [[name, *row] for name, row in zip(compared, changes(columns), strict=True)]
    paired = table([f"{LATER[1]} against {LATER[0]}", "change", "95 % interval", "p"], pairs)
    fill("rules", f"{table(header, rows)}\n\n{paired}")


def trained(kind: str, seed: int) -> Run:
    """The run of a kind and a seed, from its folder or made now with one worker."""
    folder = folder_of(kind, seed)
    if (folder / STATE).exists() and load(folder).finished:
        return load(folder)
    changes = {**KINDS[kind], "seed": seed}
    if kind != FIRST:
        first = load(folder_of(FIRST, seed)).job
        best = load(folder_of(FIRST, seed)).best.weights
        start = dict(zip(first.trained.features, best, strict=True))
        changes = merged(changes, {"cma": {"start": start}})
    began = time.process_time()
    job = parse_job(JOB.format(name=folder.name), "the job of the comparison", changes)
    run = evolve(job, folder, Workers(1))
    (folder / "seconds.json").write_text(json.dumps(time.process_time() - began))
    return run


def folder_of(kind: str, seed: int) -> Path:
    return FOLDER / f"{kind.replace(',', '').replace(' ', '-')}-s{seed}"


def seconds_of(run: Run) -> float:
    """Processor seconds that a run took, including validation."""
    return float(json.loads((run.folder / "seconds.json").read_text()))


def measured(runs: list[Run]) -> list[tuple[float, ...]]:
    """The figures of each run's weights; see ``_of``."""
    outcomes: list[list[Any]] = [[] for _ in runs]
    for number in TEST:
        # In turn, so that the load of the machine affects all alike.
        for run, found in zip(runs, outcomes, strict=True):
            found.append(hsd.solve(number, run.weights, limits=LIMITS))
    return [_of(found) for found in outcomes]


def _of(outcomes: list[Any]) -> tuple[float, ...]:
    """Deals solved; nodes, geometric and plain mean; µs a node; ms a deal, geometric mean."""
    nodes = np.array([one.nodes.generated for one in outcomes])
    seconds = np.array([one.seconds for one in outcomes])
    solved = sum(one.moves is not None for one in outcomes)
    geometric, milliseconds = (float(np.exp(np.log(x).mean())) for x in (nodes, 1e3 * seconds))
    return solved, geometric, float(nodes.mean()), 1e6 * seconds.sum() / nodes.sum(), milliseconds


if __name__ == "__main__":
    main()
