"""``make trainers``: what each trainer is worth on equal evaluations, several seeds each.

The same search, features, fitness and number of evaluations for all; the runs lie in
``out/trainers`` and are not made again. Each run's weights are then measured on deals that took
part in nothing. Writes the table in docs/results.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pages import fill
from scipy import stats

import hsd
from gafreecell import evolve
from gafreecell.cli.tables import table
from gafreecell.evaluation import Workers
from gafreecell.job_reading import parse_job
from gafreecell.record import Run
from gafreecell.run import STATE, load
from solving.outcome import Limits

SEEDS = (1, 2, 3, 4, 5, 6, 7)
FOLDER = Path("out/trainers")
TEST = range(2_100_001, 2_101_001)
LIMITS = Limits(nodes=400_000)
JOB = """
name = "{name}"
generations = 60
{setting}
[trained]
search = "best-first"
parameters = {{patience = 100}}
features = [
    "NumCardsNotAtFoundations", "NotPlaced", "NumberWellPlaced", "SequenceBreaks", "OwnSuitBelow",
    "Inversions", "InversionDepth", "HSDH", "AboveNext", "AboveSecond", "LowestHomeCard",
    "SumOfBottomCards", "KingsBuried", "FreeCells", "CellsUsedSquared", "CellRanks",
    "OccupiedColumns", "CellsTimesColumns", "MovesMade",
]
nodes = 10_000
[solvers]
population = 20
reproduction = 0.1
crossover = 0.5
mutation = 0.4
selection = "tournament"
sigma = 0.1
gene_mutation = 0.2
[problems]
population = 20
encounters = "shared"
penalty = 10_000_000
[sample]
deals = 12
[fitness]
measure = "log-nodes"
failure = 5.0
[deals]
train = "1000001-1100000"
validation = "1900001-1900200"
[validation]
ranking = "log-nodes"
failure = 5.0
"""
TRAINERS = {
    "coevolution": 'scheme = "coevolution"',
    "single population": 'scheme = "resampled"',
    "CMA-ES": 'scheme = "resampled"\ntrainer = "cma-es"',
    "random search": 'scheme = "resampled"\ntrainer = "random"',
}


def main() -> None:
    """Make the runs that are missing, measure all and write the table."""
    rows = []
    for name, setting in TRAINERS.items():
        runs = [trained(name, setting, seed) for seed in SEEDS]
        (evaluations,) = {sum(line["evaluations"] for line in run.lines) for run in runs}
        measured = np.array([measure(run) for run in runs])
        rows.append(
            [name, str(len(runs)), f"{evaluations:,}", *(interval(column) for column in measured.T)]
        )
    header = ["trainer", "runs", "evaluations", "solved of 1,000", "nodes, geometric mean"]
    header += ["nodes, mean", "single moves"]
    fill("trainers", table(header, rows))


def trained(name: str, setting: str, seed: int) -> Run:
    """A trainer's run with a seed, from its folder or made now."""
    folder = FOLDER / f"{name.replace(' ', '-').lower()}-s{seed}"
    if (folder / STATE).exists():
        run = load(folder)
        if run.finished:
            return run
    text = JOB.format(name=folder.name, setting=f"{setting}\nseed = {seed}")
    return evolve(parse_job(text, "the job of the comparison"), folder, Workers(-1))


def measure(run: Run) -> tuple[float, float, float, float]:
    """Deals solved, nodes (geometric and plain mean, over all deals) and length of its weights."""
    outcomes = hsd.solve_many(TEST, run.weights, limits=LIMITS)
    nodes = np.array([outcome.nodes.generated for outcome in outcomes])
    lengths = [outcome.lengths["single"] for outcome in outcomes if outcome.lengths]
    return (
        len(lengths), float(np.exp(np.log(nodes).mean())), float(nodes.mean()),
        float(np.mean(lengths)),
    )  # fmt: skip


def interval(values: np.ndarray) -> str:
    """A mean over the seeds with its 95 % interval (Student's t)."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():,.1f} ± {half:,.1f}"


if __name__ == "__main__":
    main()
