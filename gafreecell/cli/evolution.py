"""``evolve``, ``resume``, ``show`` and ``export``."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from gafreecell import run as runs
from gafreecell.cli.main import DONE, INTERRUPTED, complain
from gafreecell.cli.progress import wanted
from gafreecell.cli.tables import table
from gafreecell.cli.watching import evolution_display
from gafreecell.evaluation import Workers
from gafreecell.game import variant_text
from gafreecell.job import read_job, revise
from gafreecell.run import Run


def evolve(given: Namespace) -> int:
    """Run a job in a new folder."""
    job = read_job(given.job)
    changes: dict[str, Any] = {}
    if given.seed is not None:
        changes["seed"] = given.seed
    if given.generations is not None:
        changes["generations"] = given.generations
    job = revise(job, **changes)
    folder = Path(given.out) if given.out else runs.default_folder(job)
    workers = Workers(given.jobs, given.backend, given.scheduler)
    try:
        with evolution_display(wanted(given.no_progress)) as watcher:
            run = runs.evolve(job, folder, workers, watcher)
    except KeyboardInterrupt:
        return _stopped(folder)
    _report(run)
    return DONE


def resume(given: Namespace) -> int:
    """Go on with a run."""
    workers = Workers(given.jobs, given.backend, given.scheduler)
    before = runs.load(given.run)
    try:
        with evolution_display(wanted(given.no_progress)) as watcher:
            run = runs.resume(given.run, given.generations, workers, watcher, given.force)
    except KeyboardInterrupt:
        return _stopped(Path(given.run))
    if run.generation == before.generation:
        print(f"{run.folder} is finished: all its {run.generation} generations are done")
        print(f"for more: gafreecell resume {run.folder} --generations {2 * run.generation}")
        return DONE
    _report(run)
    return DONE


def show(given: Namespace) -> int:
    """Say where a run stands."""
    run = runs.load(given.run)
    job = run.job
    variant = variant_text(job.load_game().variant)
    print(f"{run.label}: {job.game} with {variant}; {job.scheme}, seed {job.seed}")
    print(f"{run.generation} of {job.generations} generations done")
    search = ", ".join(f"{key} {value}" for key, value in job.trained.parameters.items())
    print(
        f"search {job.trained.search} ({search or 'defaults'}), {job.trained.nodes:,} nodes a deal"
    )
    if run.lines:
        seconds = sum(line["machine"]["seconds"] for line in run.lines)
        evaluations = sum(line["evaluations"] for line in run.lines)
        print(f"{evaluations:,} evaluations in {seconds / 60:.1f} minutes")
        print()
        _report(run)
    return DONE


def export(given: Namespace) -> int:
    """Write a run's best weights to a file."""
    run = runs.load(given.run)
    if given.output == "-":
        print(run.weights.to_text(), end="")
        return DONE
    run.weights.write(given.output)
    what = f"the weights of generation {run.best.generation} of {run.label}"
    print(f"wrote {given.output}: {what}", file=sys.stderr)
    return DONE


def _report(run: Run) -> None:
    best, last = run.best, run.lines[-1]
    deals = run.job.deals.validation
    nodes = f", {best.nodes:,.0f} nodes on average" if best.solved else ""
    print(
        f"best weights: generation {best.generation}, {best.solved} of the {deals} deals solved"
        f"{nodes}"
    )
    rows = [
        [name, f"{weight:.3f}"] for name, weight in zip(run.features, best.weights, strict=True)
    ]
    print(table(["feature", "weight"], rows))
    print(
        f"generation {last['generation']}: fitness best {last['solvers']['best']:.4f}, "
        f"mean {last['solvers']['mean']:.4f}; {last['solved']} of {last['evaluations']} solved"
    )
    print()
    print(f"export:  gafreecell export {run.folder} -o weights.json")
    print(f"draw:    gafreecell plot {run.folder} -o fitness.png")
    if not run.finished:
        print(f"go on:   gafreecell resume {run.folder}")


def _stopped(folder: Path) -> int:
    try:
        done = runs.load(folder).generation
    except runs.RunError:
        complain(f"stopped before the run {folder} was set up")
        return INTERRUPTED
    complain(
        f"stopped; {done} generations of {folder} are saved\ngo on with: gafreecell resume {folder}"
    )
    return INTERRUPTED
