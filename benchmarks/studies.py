"""Studies: jobs that differ in a few keys, with the same seeds, budget and test deals.

What a run submits, its champion on the validation deals, is measured on deals that no run was
trained on. Each line of a study's table in docs is a run, so a study that was interrupted goes on
where it was; its runs are kept in ``out/studies``.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from pages import changes, interval

import hsd
from gafreecell import evolve
from gafreecell.evolution.job import Job
from gafreecell.evolution.job_reading import parse_job
from gafreecell.runs.record import Run
from gafreecell.runs.run import STATE, load, resume
from gafreecell.service.solvers import named_solver
from gafreecell.solving.outcome import Outcome, Status
from gafreecell.solving.weights import Weights
from gafreecell.terminal.tables import table
from gafreecell.workers.evaluation import Workers

FAILED = 1_000_000_000
"""Nodes that the paper counts for an unsolved deal."""
Keys = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """What a solver reached on the test deals.

    Attributes:
        arm, seed: the run that submitted it; seed 0 for a solver that no run submitted.
        evaluations, nodes: what training took.
        generation: the one whose best was submitted.
        solved: of the test deals.
        typical: geometric mean of the nodes, unsolved deals included.
        mean: their arithmetic mean, unsolved deals included.
        of_solved: their arithmetic mean over solved deals.
        penalised: the mean over all deals, where an unsolved one counts 1,000 million.
        seconds: mean processor seconds of a deal.
        single: mean length of the solutions.
        fitness: the paper's fitness: mean node reduction against the baseline.
    """

    arm: str
    seed: int
    evaluations: int
    nodes: int
    generation: int
    solved: int
    typical: float
    mean: float
    of_solved: float
    penalised: float
    seconds: float
    single: float
    fitness: float


@dataclass(frozen=True)
class Study:
    """A study.

    Attributes:
        name: that of its folder and of its table, docs/NAME.csv.
        job: the text of the job.
        common: what all arms change in it.
        arms: by name, what an arm changes besides.
        seeds: the seeds of each arm.
        test: the deals.
        others: by name, solvers that no run submits.
        baseline: what the paper's fitness compares with.
        parts: the job's parts that are not installed, as ``evolve`` takes them.
    """

    name: str
    job: str
    common: Keys
    arms: Mapping[str, Keys]
    seeds: Sequence[int]
    test: range
    others: Mapping[str, Callable[[], Weights]]
    baseline: str
    parts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def table(self) -> Path:
        return Path("docs") / f"{self.name}.csv"

    def rows(self, arms: Iterable[str] = ()) -> list[Row]:
        """All rows, those that are missing made now; of some arms if they are named."""
        rows = {(row.arm, row.seed): row for row in self._kept()}
        wanted: list[tuple[str, int]] = [(name, 0) for name in self.others]
        wanted += [(arm, seed) for seed in self.seeds for arm in arms or self.arms]
        missing = [one for one in wanted if one not in rows]
        # One process per run, so that no core waits for the last deals of a generation.
        work = joblib.Parallel(n_jobs=-1, return_as="generator_unordered")
        for row in work(joblib.delayed(self._made)(*one) for one in missing):
            rows[row.arm, row.seed] = row
            self._write(rows.values())
            said = f"{row.arm}, seed {row.seed}: {row.solved} solved, {row.typical:,.0f} nodes"
            print(said, file=sys.stderr, flush=True)
        return [*rows.values()]

    def trained(self, arm: str, seed: int) -> Run:
        """The run of an arm and a seed, from its folder or made now with one worker."""
        folder = Path("out/studies") / self.name / f"{_word(arm)}-s{seed}"
        job = self.job_of(arm, seed)
        if not (folder / STATE).exists():
            return evolve(job, folder, Workers(1), **self.parts)
        run = load(folder)
        if run.job.digest != job.digest:
            raise SystemExit(f"{folder} holds a run of another job: move it away")
        return run if run.finished else resume(folder, workers=Workers(1), **self.parts)

    def job_of(self, arm: str, seed: int) -> Job:
        """The job of an arm and a seed."""
        changed: dict[str, Any] = {"name": _word(arm), "seed": seed}
        for key, value in (*self.common.items(), *self.arms[arm].items()):
            old = changed.get(key)
            changed[key] = {**old, **value} if isinstance(old, dict) else value
        return parse_job(self.job, f"the job of the study {self.name}", changed)

    def _kept(self) -> Iterator[Row]:
        kinds: dict[Any, Any] = {"str": str, "int": int, "float": float}
        if self.table.exists():
            with self.table.open(encoding="utf-8", newline="") as file:
                for line in csv.DictReader(file):
                    yield Row(**{one.name: kinds[one.type](line[one.name]) for one in fields(Row)})

    def _write(self, rows: Iterable[Row]) -> None:
        order = [*self.others, *self.arms]
        with self.table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(one.name for one in fields(Row))
            known = [row for row in rows if row.arm in order]
            known.sort(key=lambda row: (order.index(row.arm), row.seed))
            writer.writerows(map(astuple, known))

    def _made(self, arm: str, seed: int) -> Row:
        """The row of a run, or of another solver (seed 0)."""
        if not seed:
            return self._row(arm, 0, (0, 0), 0, self.others[arm]())
        run = self.trained(arm, seed)
        assert run.costs is not None
        spent = run.costs["solvers"]
        cost = int(spent.evaluations), int(spent.nodes)
        return self._row(arm, seed, cost, run.best.generation, run.weights)

    def _row(
        self, arm: str, seed: int, cost: tuple[int, int], generation: int, weights: Weights
    ) -> Row:
        """A row, with the outcomes of a solver on the test deals."""
        found = hsd.solve_many(self.test, weights, jobs=1)
        base = hsd.solve_many(self.test, named_solver(self.baseline, hsd.GAME), jobs=1)
        counts = np.array([one.nodes.generated for one in found])
        solved = np.array([one.status is Status.SOLVED for one in found])
        against = [one.nodes.generated if _is_solved(one) else FAILED for one in base]
        spared = np.where(solved, np.maximum(1 - counts / against, 0.001), 0.0)
        lengths = [one.lengths["single"] for one in found if one.lengths]
        return Row(
            arm,
            seed,
            *cost,
            generation,
            int(solved.sum()),
            round(float(np.exp(np.log(counts).mean())), 1),
            round(float(counts.mean()), 1),
            round(float(counts[solved].mean()), 1),
            round(float(np.where(solved, counts, FAILED).mean()), 1),
            round(float(np.mean([one.seconds for one in found])), 5),
            round(float(np.mean(lengths)), 2),
            round(float(spared.mean()), 5),
        )

    def means(self, rows: Sequence[Row]) -> str:
        """A table with a line for each arm and each other solver."""
        header = ["solver", "seeds", f"solved of {len(self.test):,}", "nodes, geometric mean"]
        header += ["mean", "mean of solved", "million, 1000M if unsolved", "ms", "single"]
        header += ["paper's fitness"]
        lines = []
        for name in (*self.others, *self.arms):
            group = [row for row in rows if row.arm == name]
            if not group:
                continue
            numbers = [
                ("solved", 1, 1), ("typical", 1, 0), ("mean", 1, 0), ("of_solved", 1, 0),
                ("penalised", 1e-6, 1), ("seconds", 1e3, 1), ("single", 1, 1), ("fitness", 1, 3),
            ]  # fmt: skip
            cells = [
                _cell([scale * getattr(row, key) for row in group], digits)
                for key, scale, digits in numbers
            ]
            lines.append([name, f"{len(group)}" if group[0].seed else "-", *cells])
        return table(header, lines)

    def pairs(self, rows: Sequence[Row], pairs: Sequence[tuple[str, str]]) -> str:
        """A table of changes of the nodes between two arms, paired by seed; at least two seeds."""
        by = {(row.arm, row.seed): row for row in rows}
        columns = []
        for key in ("typical", "mean"):
            both = [[s for s in self.seeds if {(a, s), (b, s)} <= by.keys()] for a, b in pairs]
            columns.append(
                changes(
                    [
                        [[getattr(by[arm, seed], key) for seed in seeds] for arm in pair]
                        for pair, seeds in zip(pairs, both, strict=True)
                    ]
                )
            )
        header = ["pair", "geometric mean", "95 % interval", "p"]
        header += ["mean", "95 % interval", "p"]
        lines = zip(map(" / ".join, pairs), *columns, strict=True)
        return table(header, [[name, *one, *other] for name, one, other in lines])


def _word(arm: str) -> str:
    return arm.replace(",", "").replace(" ", "-")


def _cell(values: Sequence[float], digits: int) -> str:
    return interval(values, digits) if len(values) > 1 else f"{values[0]:,.{digits}f}"


def _is_solved(outcome: Outcome) -> bool:
    return outcome.status is Status.SOLVED
