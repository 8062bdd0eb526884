"""Starts, reads and resumes runs.

A resumed run is bit-identical to an uninterrupted one. ``folder`` says how its files are
kept, and ``evolution`` why a generation depends on nothing else.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from deals.checks import shown, whole_number
from deals.errors import BadInput
from deals.words import plural
from gafreecell.evolution import operators
from gafreecell.evolution.generation import RunWarning, warn
from gafreecell.evolution.job import Job, JobError, job_text
from gafreecell.evolution.job_checks import check_parts
from gafreecell.evolution.job_reading import kept_job, load_job
from gafreecell.evolution.loop import Evolution
from gafreecell.evolution.parts import State
from gafreecell.installed import plugins
from gafreecell.runs import environment, individuals
from gafreecell.runs.callbacks import Callbacks
from gafreecell.runs.folder import (
    JOB,
    LOG,
    MACHINE,
    STATE,
    VALIDATED,
    Logs,
    RunError,
    check_no_study,
    locked,
    read_folder,
    renew_checksums,
    save_state,
    unused,
    write_logs,
)
from gafreecell.runs.record import Run, Snapshots
from gafreecell.runs.stop_request import Requests
from gafreecell.runs.watching import evolution_display
from gafreecell.solitaire.game import AnyGame, Game, variant_text
from gafreecell.solving.checksums import sealed
from gafreecell.solving.contract import noted
from gafreecell.solving.files import write_atomically
from gafreecell.solving.settings import merged
from gafreecell.solving.stopping import graceful
from gafreecell.workers import unfinished
from gafreecell.workers.chosen import Workers
from gafreecell.workers.evaluation import Evaluation
from gafreecell.workers.pools import Pool


class NothingSolvedWarning(RunWarning):
    """None of a run's best solvers solved a validation deal."""


class ResumeWarning(RunWarning):
    """A resumed run will not be bit-identical to an uninterrupted one."""


class Parts(TypedDict, total=False):
    """Parts handed in from Python: your own, or the names of registered ones; None for none.

    Attributes:
        game: a game or its class.
        trainer, scheme, measure: subclasses of ``Trainer``, ``Scheme`` and ``Measure``.
        crossover, mutation, selection: operators, as DEAP has them.
    """

    game: AnyGame | None
    trainer: Any
    scheme: Any
    measure: Any
    crossover: Any
    mutation: Any
    selection: Any


def default_folder(job: Job) -> Path:
    """The default folder of a job's run."""
    return Path("out") / f"{job.name}-s{job.seed}"


def evolve(
    job: Job | Mapping[str, Any] | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    jobs: Workers | int = -1,
    callbacks: Sequence[Any] = (),
    *,
    progress: bool = False,
    **changes: Any,
) -> Run:
    """Run a job in a new folder.

    Args:
        job: a job, its keys and tables as a mapping, or the path of its file.
        out: the run's folder; ``out/<job>-s<seed>`` by default. It may exist,
            but not hold a run.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        callbacks: called as the run proceeds, see ``gafreecell.callbacks.Callbacks``.
        game, trainer, scheme, measure: replace the job's: a registered name, or your own: a game
            or its class, or a subclass of ``Trainer``, ``Scheme`` or ``Measure``.
        crossover, mutation, selection: replace those of the job's ``operators``: the name of a
            DEAP operator or a registered one, or a function of your own.
        progress: whether to show progress on stderr: bars in a terminal or a notebook, elsewhere
            a plain line now and then.
        changes: values that replace the job's, by key: ``generations=2``; a mapping changes a
            table key by key, ``solvers={"population": 10}``, and ``options={}`` empties it.

    Returns:
        The run: finished, or ended by a callback.

    Raises:
        JobError: if the job cannot be read or cannot be run.
        KeyboardInterrupt: at Ctrl-C, or if someone asks the run to stop by the file
            ``stop-request`` in its folder; ``resume`` goes on from there.
        RunError: if the folder holds a run, is in use or cannot be written.
    """
    parts = {kind: changes.pop(kind) for kind in Parts.__annotations__ if kind in changes}
    named: dict[str, Any] = _handed_in(parts)
    game, measure = parts.get("game"), named.pop("measure", None)
    chosen = {kind: named.pop(kind) for kind in plugins.FUNCTIONS if kind in named}
    changes |= named
    if game is not None and not isinstance(game, str | type) and game.variant:
        changes = merged({"variant": dict(game.variant)}, changes)
    if measure is not None:
        changes = merged(merged({"fitness": {}}, changes), {"fitness": {"measure": measure}})
    if chosen:
        changes = merged(merged({"operators": {}}, changes), {"operators": chosen})
    checked = load_job(job, changes)
    given = folder_of(out) if out is not None else default_folder(checked)
    # A callback may change the current folder.
    folder = given.absolute()
    with _at_work(folder, callbacks, progress, jobs) as at_work:
        check_no_study(folder)
        if (folder / STATE).exists():
            raise RunError(
                f"{given} already holds a run: continue it with 'gafreecell resume {given}' "
                "(gafreecell.resume in Python), or name another folder as out (--out)"
            )
        for name, text in ((JOB, job_text(checked)), (LOG, ""), (VALIDATED, "")):
            # Without a state, the folder holds no run. Rename such files, unless this very job
            # left them when it was killed before its first state.
            path = folder / name
            if path.exists() and not (path.is_file() and path.read_bytes() == text.encode()):
                os.replace(path, unused(folder / f"{name}.before"))
        made = folder / environment.ENVIRONMENT
        if made.exists() and not (folder / JOB).exists():
            # It is of a run that is no longer here.
            os.replace(made, unused(folder / f"{made.name}.before"))
        write_atomically(folder / JOB, job_text(checked))
        write_logs(folder, [], [])
        if checked.individuals:
            individuals.begin(folder, checked.genes)
        environment.enter(folder, checked, 0)
        return _work(Run(folder, checked, State(0), []), given, *at_work)


def resume(
    folder: str | os.PathLike[str],
    generations: int | None = None,
    jobs: Workers | int = -1,
    callbacks: Sequence[Any] = (),
    force: bool = False,
    *,
    progress: bool = False,
    **parts: Unpack[Parts],
) -> Run:
    """Resume a run where it stopped; a finished one only gets the exports that its job gained.

    Args:
        folder: the run's folder.
        generations: the new total number of generations.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        callbacks: called as the run proceeds, see ``gafreecell.callbacks.Callbacks``.
        force: resume even if another engine made the run, or files do not match their checksums.
            They are taken as they are, and get new checksums.
        progress: whether to show progress on stderr, as ``evolve`` does.
        parts: your own parts that the run was made with: ``game``, ``trainer``, ``scheme``,
            ``measure``, ``crossover``, ``mutation``, ``selection``.

    Raises:
        RunError: if the folder holds no run, is in use, is damaged, or was made by another engine,
            with parts that are not installed, or with other parts than the given ones.

    Warns:
        ResumeWarning: if the run was made with other versions of libraries that affect its last
            bits, or files are taken that do not match their checksums.
    """
    run = load(folder, force, **parts)
    taken = renew_checksums(run.folder) if force else []
    if taken:
        warnings.warn(
            f"{folder} goes on from changed files, taken as they are: {', '.join(taken)}",
            ResumeWarning,
            stacklevel=2,
        )
    if generations is not None:
        total = whole_number(generations, "generations", JobError)
        if total < 1:
            raise JobError.at("generations", f" must be at least 1, got {total}")
        if run.finished and total <= run.generation:
            return _with_exports(run)
        if total < run.generation:
            raise RunError(
                f"{run.folder} has done {plural(run.generation, 'generation')}, more than the "
                f"{total:,} asked for: generations is a total that includes those done"
            )
        if total != run.job.generations:
            run.job = kept_job(run.job, generations=total)
    if run.finished:
        return _with_exports(run)
    _check_installed(run)
    try:
        check_parts(run.job)
    except BadInput as error:
        raise RunError(f"{run.folder / JOB}: {error}") from None
    if not force and (changed := environment.changed_maker(run.folder, run.job)):
        raise RunError(
            f"{changed}; resuming would mix them: use force (--force) to resume anyway, or evolve "
            "a new run"
        )
    differences = plugins.part("trainer", run.job.trainer).differences(run.state.trainer)
    if differences:
        warnings.warn(
            f"{run.folder} is no longer bit-identical to an uninterrupted run from here on: "
            f"{differences}",
            ResumeWarning,
            stacklevel=2,
        )
    with _at_work(run.folder.absolute(), callbacks, progress, jobs) as at_work:
        given = run.folder
        run = replace(load(given), folder=given.absolute(), job=run.job)
        if run.finished:
            # Another process did it while this one waited.
            return replace(run, folder=given)
        write_atomically(run.folder / JOB, job_text(run.job))
        # Drop lines beyond the state, and half a line: these generations will be run again.
        write_logs(run.folder, run.lines, run.validated)
        individuals.cut(run.folder, run.generation)
        environment.enter(run.folder, run.job, run.generation)
        if run.state.champion:
            # An older version may have written other files, or the job's exports have changed.
            run.write_weights()
        return _work(run, given, *at_work)


def _check_installed(run: Run) -> None:
    """Refuse a run several of whose parts are missing, naming all of them."""
    job, faults = run.job, []
    parts = {"trainer": job.trainer, "scheme": job.scheme, "measure": job.fitness.measure}
    for kind, name in parts.items():
        if name not in plugins.names(kind):
            faults.append((kind, name))
    for kind in plugins.FUNCTIONS:
        name = getattr(job.operators, kind)
        if name and not operators.is_known(kind, name):
            faults.append((kind, name))
    if len(faults) > 1:
        lacking = ", ".join(f"the {kind} {name!r}" for kind, name in faults)
        given = ", ".join(f"{kind}=..." for kind, _ in faults)
        raise RunError(
            f"{run.folder / JOB}: {lacking} are not installed: install their packages, or hand "
            f"them in as {given} from Python"
        )


def _with_exports(run: Run) -> Run:
    """A finished run, with those exports written that its job was given since."""
    changed = run.changed_exports
    if changed:
        with locked(run.folder):
            run.write_exports(changed)
    return run


def load(
    folder: str | os.PathLike[str],
    force: bool = False,
    **parts: Unpack[Parts],
) -> Run:
    """Read a run folder.

    Args:
        folder: its path.
        force: whether to read files that do not match their checksums.
        parts: your own parts that the run was made with, as for ``resume``; only the game is
            needed to read a run.

    Raises:
        RunError: if the folder holds no run or a damaged one, or the run was made with another
            part than a given one; nothing is changed.
    """
    named = _handed_in(parts)
    path = folder_of(folder)
    kept = read_folder(path, force)
    run = Run(path, kept.job, kept.state, kept.lines, kept.validated)
    _check_own(run, named)
    game = parts.get("game")
    if game is not None and not isinstance(game, str | type):
        _check_variant(run, game)
    return run


def _check_own(run: Run, named: Mapping[str, str]) -> None:
    """Refuse parts that are not the run's, by kind and name."""
    job = run.job
    own = {kind: getattr(job.operators, kind) for kind in plugins.FUNCTIONS}
    own |= {"game": job.game, "trainer": job.trainer, "scheme": job.scheme}
    own["measure"] = job.fitness.measure
    for kind, name in named.items():
        if name != own[kind]:
            has = f"the {kind} {own[kind]!r}" if own[kind] else f"no {kind} of its own"
            raise RunError(
                f"{run.folder} was made with {has}, not with {name!r}: leave out {kind}=, or "
                "evolve a new run with it"
            )


def _check_variant(run: Run, game: Game) -> None:
    """Refuse a game in another variant than the run's."""
    try:
        usual = dict(type(game)().variant)
    except TypeError:
        # Its class takes arguments, so its usual variant is not known.
        usual = dict(game.variant)
    made = {**usual, **run.job.variant}
    if dict(game.variant) != made:
        raise RunError(
            f"{run.folder} was made with {game.title} with {variant_text(made)}, not with "
            f"{variant_text(game.variant)}: hand in that variant, or the game's class"
        )


def folder_of(folder: object) -> Path:
    """A run folder's path; ``RunError`` for what names no folder."""
    text = os.fspath(folder) if isinstance(folder, str | os.PathLike) else ""
    # The file system cannot write half a pair of surrogates.
    with suppress(UnicodeEncodeError):
        if isinstance(text, str) and text.strip() and b"\0" not in os.fsencode(text):
            return Path(text)
    raise RunError(
        f"a run folder must be a path, got {shown(folder)}: name a folder, '.' for this one"
    )


@contextmanager
def _at_work(
    folder: Path, callbacks: Any, progress: bool, jobs: Workers | int
) -> Iterator[tuple[Pool, Callbacks, Requests]]:
    """Work in a folder alone: with workers, callbacks, and requests to stop."""
    given = callbacks if isinstance(callbacks, Sequence) else [callbacks]
    with graceful(), evolution_display(progress, eager=True) as watching:
        told = Callbacks([*watching, *given])
        with (
            Workers.of(jobs).started() as pool,
            locked(folder),
            Requests(folder).watched() as requests,
        ):
            yield pool, told, requests


def _handed_in(parts: Mapping[str, Any]) -> dict[str, str]:
    """The names of the given parts; objects are registered under their names first."""
    unknown = [kind for kind in parts if kind not in Parts.__annotations__]
    if unknown:
        known = ", ".join(Parts.__annotations__)
        raise TypeError(f"expected the parts {known}, got {unknown[0]!r}: leave it out")
    named = {}
    for kind, part in parts.items():
        if part is not None:
            hand_in = operators.hand_in if kind in plugins.FUNCTIONS else plugins.hand_in
            named[kind] = part if isinstance(part, str) else hand_in(kind, part)
    return named


def _work(run: Run, given: Path, pool: Pool, told: Callbacks, requests: Requests) -> Run:
    """Run generations until the run is finished, or a callback or a request ends it.

    Args:
        run: the run, with the absolute path of its folder.
        given: the path that the user gave.
        pool: solves the deals.
        told: the callbacks.
        requests: ask the run to stop.
    """
    game = run.job.load_game()
    kept = unfinished.read(run.folder, game.engine)

    def progressed(done: int, total: int) -> None:
        told.progress(done, total)
        requests.heed()

    evaluation = Evaluation(game, pool, on_progress=progressed, kept=kept)
    evolution = Evolution(run.job, evaluation, told.phase)
    logs = Logs(run.folder, run.lines, run.validated)
    snapshot = Snapshots(run)
    try:
        if run.generation == 0:
            run.state = evolution.found()
            save_state(run.folder, run.job, game.engine, run.state, logs.checksums)
        told.start(snapshot())
        ended = False
        while not run.finished and not ended:
            line = _generation(run, evolution, logs)
            ended = told.generation(snapshot(), line)
            if not run.finished and not ended:
                requests.heed()
        logs.check()
    except BaseException as error:
        try:
            # Interrupted within a generation: keep the outcomes that have arrived.
            unfinished.save(run.folder, game.engine, evaluation.fresh)
            requests.ignore()
            # A RunError says itself what is to be done with the folder.
            if (run.folder / STATE).exists() and not isinstance(error, RunError):
                error = noted(
                    error,
                    f"what was done is saved; to go on: gafreecell resume {_named(run, given)} "
                    "(gafreecell.resume in Python)",
                )
        finally:
            told.end(snapshot(), error)
        raise error
    requests.ignore()
    told.end(snapshot())
    run = replace(run, folder=_named(run, given))
    if said := nothing_solved(run):
        warn(said, NothingSolvedWarning)
    return run


def nothing_solved(run: Run) -> str:
    """Says so if none of a run's best solvers solved a validation deal; else empty."""
    if run.best.solved:
        return ""
    return (
        f"{run.folder}: no solver of the run solved a validation deal, so its weights say nothing: "
        "raise trained.nodes, or train on deals that can be solved within it"
    )


def _named(run: Run, given: Path) -> Path:
    """The path of a run's folder that the user gave, if it still leads there."""
    return given if given.absolute() == run.folder else run.folder


def _generation(run: Run, evolution: Evolution, logs: Logs) -> dict[str, Any]:
    """Run one generation and save it; returns its line of the log."""
    logs.check()
    evaluation, champion = evolution.evaluation, run.state.champion
    began, computed, nodes = time.perf_counter(), evaluation.computed, evaluation.nodes
    asked = evaluation.asked
    run.state, line = evolution.step(run.state)
    seconds = time.perf_counter() - began
    machine = {
        "seconds": round(seconds, 3),
        "evaluations_per_second": round((evaluation.computed - computed) / seconds, 1),
        "nodes_per_second": round((evaluation.nodes - nodes) / seconds),
        "cache_hits": evaluation.asked - asked - (evaluation.computed - computed),
        "costs": evolution.costs.document(),
    }
    line[MACHINE] = sealed(machine)
    logs.check()
    assert evolution.candidate is not None
    best = evolution.candidate
    value = {"generation": run.generation, "value": best.value}
    value |= {"solved": best.solved, "nodes": best.nodes}
    if run.job.individuals:
        individuals.append(
            run.folder, run.generation, evolution.results, evolution.births, run.features
        )
    logs.append(line, value)
    run.lines.append(line)
    run.validated.append(value)
    if run.state.champion != champion:
        run.write_weights()
    # Before the state is saved, so that a run killed right after its end leaves no file behind.
    unfinished.drop(run.folder)
    save_state(run.folder, run.job, evaluation.game.engine, run.state, logs.checksums)
    evaluation.kept = {}
    evaluation.fresh.clear()
    return line
