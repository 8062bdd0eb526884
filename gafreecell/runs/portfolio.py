"""Trains a solver for a game from nothing but the game: a run for each phase of a portfolio."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from deals.words import plural
from gafreecell.evolution.earlier_phases import EarlierPhases
from gafreecell.evolution.job import Job, JobError, validation_pool
from gafreecell.evolution.job_reading import make_job
from gafreecell.runs.folder import STATE, RunError, job_of
from gafreecell.runs.record import Run
from gafreecell.runs.run import evolve, folder_of, resume
from gafreecell.solitaire.abilities import HasPresets
from gafreecell.solitaire.game import Game, able, deals_named, game, takes_schedules
from gafreecell.solving.outcome import Limits, Status, Task
from gafreecell.solving.saying import say
from gafreecell.workers.chosen import Workers
from gafreecell.workers.evaluation import Evaluation

PHASES: Mapping[str, int] = {"a": 40, "b": 24, "c": 16}
"""The phases that are trained, and their generations. The last one goes on beyond its nodes, and
the search decides how."""
TRIALS, LEAST, MOST, LONGEST = 60, 200, 2_000, 10_000
"""The first phase gets twice the nodes of a typical one of so many deals, but between these bounds;
each further one four times as many as the one before, up to the longest."""
HARD_NODES = 20_000
"""The nodes of the only phase if weights set by hand decide less than a quarter of those deals
within the longest. With fewer nodes, training may see no deal solved."""
DRAWN, DRAWN_DEALS, SMALLEST = 48, 12, 0.01
"""That phase starts from the best of so many random vectors on so many deals; their weights are at
least so large. Around equal weights, training may see no deal solved."""
POPULATION, SAMPLE = 14, 40
UNSOLVED = 5
"""How many times its nodes a deal counts that a phase leaves to the next."""
_VALIDATION = "deals.validation"
_FEW_LEFT = ("phases", "deals.train", _VALIDATION)
"""Keys of the errors that too few deals are left."""
LEAST_LEFT = 20
"""Validation deals, or a tenth of them if that is fewer, that must be left to choose weights by."""
SCORING = 0.1
"""Nodes that a scored successor counts: what it takes of the time that a node takes."""


def evolve_game(
    name: str,
    out: str | os.PathLike[str] | None = None,
    jobs: Workers | int = -1,
    callbacks: Sequence[Any] = (),
    *,
    progress: bool = False,
    **changes: Any,
) -> Run:
    """Train weights for a game by jobs that are made for it; the same call goes on with them.

    A search that takes schedules is trained in phases: each is a run in a folder of its own, ``a``
    to ``c``, and learns on the deals that those before it leave undecided. How many nodes they get
    depends on how many weights set by hand need; a hard game has fewer phases, with more nodes. The
    portfolio also ends where so few deals are left that they do not fill a sample, or fewer than
    20 validation deals.

    Args:
        name: that of the game, or the file of its rules.
        out: the folder of the runs; ``out/<name of the game>`` by
            default.
        jobs, callbacks, progress: as for ``evolve``.
        changes: values that replace those of the jobs made, by key, as for ``evolve``.

    Returns:
        The last run; its ``weights`` are the whole portfolio.

    Raises:
        JobError: if there is no such game, or changes do not fit.
        RunError: if a folder holds a run of another job.
        KeyboardInterrupt: as for ``evolve``.
    """
    folder = folder_of(Path("out", Path(name).stem) if out is None else out)
    run = None
    told = say if callbacks or progress else (lambda text: None)
    told(f"{folder}: first some deals are solved with weights set by hand, for up to a minute")
    for job in _jobs(name, folder, changes):
        place = folder / job.name
        told(
            f"{place}: phase {job.name}, {plural(job.generations, 'generation')} with "
            f"{job.trained.nodes:,} nodes a deal"
        )
        there = place.exists()
        try:
            if (place / STATE).exists():
                run = _resumed(place, job, jobs, callbacks, progress)
                continue
            _check_left(job, jobs)
            run = evolve(job, place, jobs, callbacks, progress=progress)
        except JobError as error:
            if run is None or error.key not in _FEW_LEFT:
                raise
            told(f"{place} is left out: the earlier phases leave too few deals for it")
            if not there:
                shutil.rmtree(place, ignore_errors=True)
            break
    assert run is not None
    return run


def _check_left(job: Job, jobs: Workers | int) -> None:
    """Raise ``JobError`` if earlier phases leave so few validation deals that chance would choose
    the weights."""
    if not job.phases:
        return
    played = job.load_game()
    pool = validation_pool(job, played)
    with Workers.of(jobs).started() as started:
        left = EarlierPhases(job, Evaluation(played, started)).left(pool, _VALIDATION)
    if len(left) < min(LEAST_LEFT, -(-len(pool) // 10)):
        raise JobError.at(_VALIDATION, f": {plural(len(left), 'deal')} are left")


def _jobs(name: str, folder: Path, changes: Mapping[str, Any]) -> Iterator[Job]:
    """The jobs of the phases, each once the run of the one before is finished."""
    played = game(name)
    known = able(played, HasPresets, "has no presets, which would name a search: write a job")
    search = known.preset(known.default_preset).search.name
    nodes = _first_nodes(known, played)
    start = {}
    if nodes == HARD_NODES:
        start = _promising(known, played, changes.get("seed", Job.seed))
    several = takes_schedules(played, search)
    earlier: dict[str, Any] = {}
    for phase, generations in PHASES.items():
        cost = {"scoring": SCORING, "unsolved": UNSOLVED * nodes}
        table = {
            "name": phase,
            "game": name,
            "generations": generations,
            "trainer": "cma-es",
            "cma": {"start": start},
            "scheme": "resampled",
            "trained": {"search": search, "nodes": nodes, "solve_nodes": Limits().nodes},
            "solvers": {"population": POPULATION},
            "sample": {"deals": SAMPLE},
            "fitness": {"measure": "cost-per-solved", **cost},
            "validation": {"ranking": "cost-per-solved", **cost},
            "phases": earlier,
        }
        yield make_job(table, **changes)
        earlier = {**earlier, phase: {"nodes": nodes, "file": str(folder / phase)}}
        nodes *= 4
        if not several or nodes > LONGEST:
            return


def _first_nodes(known: HasPresets, played: Game) -> int:
    """The nodes of the first phase, after those that weights set by hand need."""
    weights, limits = known.preset(known.comparison_presets[0]), Limits(nodes=LONGEST)
    deals = islice(deals_named(played, played.training), TRIALS)
    tasks = [Task(deal, weights.evaluator, weights.search, limits) for deal in deals]
    outcomes = played.run(tasks)
    if all(outcome.status is Status.UNSOLVABLE for outcome in outcomes):
        raise JobError.at(
            "game",
            f": {played.title} has nothing to learn: by its rules, none of its first {TRIALS} "
            "training deals can be won",
        )
    found = [outcome.nodes.generated for outcome in outcomes]
    if 4 * sum(nodes < LONGEST for nodes in found) < len(found):
        return HARD_NODES
    return min(max(2 * int(median(found)), LEAST), MOST)


def _promising(known: HasPresets, played: Game, seed: int) -> dict[str, float]:
    """The best of some random vectors: it solves most deals, each within the nodes of a hard game.

    Weights are log-uniform and have the signs of those set by hand.
    """
    preset = known.preset(known.comparison_presets[0])
    assert preset.evaluator is not None
    names, signs = preset.evaluator.features, np.sign(preset.evaluator.weights)
    rng, best, most = np.random.default_rng(seed), signs, -1
    deals = list(islice(deals_named(played, played.training), DRAWN_DEALS))
    for _ in range(DRAWN):
        vector = signs * np.exp(rng.uniform(np.log(SMALLEST), 0, len(names)))
        evaluator = replace(preset.evaluator, weights=tuple(vector.tolist()))
        tasks = [Task(deal, evaluator, preset.search, Limits(HARD_NODES)) for deal in deals]
        solved = sum(outcome.status is Status.SOLVED for outcome in played.run(tasks))
        if solved > most:
            best, most = vector, solved
    return dict(zip(names, best.round(3).tolist(), strict=True))


def _resumed(
    folder: Path, job: Job, jobs: Workers | int, callbacks: Sequence[Any], progress: bool
) -> Run:
    """The run of a job that has begun, finished."""
    if job_of(folder) != job:
        raise RunError(
            f"{folder} holds a run of another job than is made for {job.game} now: its rules or "
            "the settings have changed. Move it away, or give another folder as out (--out)"
        )
    return resume(folder, jobs=jobs, callbacks=callbacks, progress=progress)
