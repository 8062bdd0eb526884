"""``evolve``, ``resume``, ``show`` and ``export``."""

from __future__ import annotations

import re
import threading
import warnings
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any

from deals.errors import BadInput
from deals.words import plural
from gafreecell.cli.options import workers_of
from gafreecell.cli.outputs import make_folder, refuse_existing
from gafreecell.cli.statuses import DONE, INTERRUPTED, UNDECIDED, complain
from gafreecell.comparing.held_out import held_out
from gafreecell.evolution.earlier_phases import validated
from gafreecell.evolution.generation import RunWarning
from gafreecell.evolution.job import ChangeError, Job, JobError
from gafreecell.evolution.job_reading import load_job
from gafreecell.runs import run as runs
from gafreecell.runs.folder import BEST, JOB, RunError
from gafreecell.runs.portfolio import evolve_game
from gafreecell.runs.record import Run
from gafreecell.runs.watching import evolution_display
from gafreecell.service.described import described
from gafreecell.service.inputs import InputError
from gafreecell.solitaire.game import full_title
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.games import UNSAVED
from gafreecell.solving.parameters import split_assignment
from gafreecell.solving.saying import say
from gafreecell.solving.settings import Word, merged, nested
from gafreecell.solving.stopping import interruptions
from gafreecell.terminal.tables import rounded, table, weights_table


def evolve(given: Namespace) -> int:
    """Run a job in a new folder, or the jobs that are made for a game."""
    if (given.job is None) == (given.game is None):
        raise InputError("expected a job file, or --game and the name of a game, and not both")
    changes: dict[str, Any] = {}
    for word in given.set:
        path, value = split_assignment(word, "--set")
        changes = merged(changes, nested(path, Word(value)))
    for key in ("seed", "generations"):
        if getattr(given, key) is not None:
            changes[key] = getattr(given, key)
    if given.game is not None:
        return _evolve_game(given, changes)
    try:
        job = load_job(given.job, changes)
    except ChangeError as error:
        raise InputError(_with_settings(given.set, str(error))) from None
    except JobError:
        if _is_game(given.job):
            raise InputError(
                f"{given.job} is a game, not a job; to train weights for it: "
                f"gafreecell evolve --game {given.job}"
            ) from None
        raise
    folder = runs.default_folder(job) if given.out is None else runs.folder_of(given.out)
    workers = workers_of(given)
    try:
        with _watched(given) as watching:
            run = runs.evolve(job, folder, workers, watching)
    except KeyboardInterrupt:
        return _stopped(folder, job, given.command_line)
    return _report(run)


def _is_game(name: str) -> bool:
    """Whether a word is the name of a game, or of the file of its rules."""
    try:
        find_game(name)
    except BadInput:
        return False
    return True


def _evolve_game(given: Namespace, changes: dict[str, Any]) -> int:
    """Run the jobs that are made for a game."""
    workers = workers_of(given)
    try:
        with _watched(given) as watching:
            run = evolve_game(given.game, given.out, workers, watching, **changes)
    except KeyboardInterrupt:
        complain(f"stopped; finished generations are saved\ngo on: {given.command_line}")
        return INTERRUPTED
    status = _report(run)
    print(f"solve:   gafreecell solve 1-100 --game {given.game} --weights {run.folder}")
    played = find_game(given.game)
    rivals = " ".join(getattr(played, "comparison_presets", ()))
    fresh = held_out([run.job], played).name
    print(f"compare: gafreecell evaluate {run.folder} {rivals} --game {given.game} --deals {fresh}")
    if Path(given.game).suffix:
        own = f"{Path(given.game).with_suffix('')}-weights.json"
        print(
            f"keep:    gafreecell export {run.folder} -o {own} (the game then takes these weights)"
        )
    return status


def _with_settings(words: Sequence[str], message: str) -> str:
    """A message, after the ``--set`` words that it is about: those of its table, or else all.

    Args:
        words: such as ``solvers.population=3``.
        message: it begins with the path of a key.

    Returns:
        ``--set solvers.population=3: ...``. The key is not repeated after a single word that names
        it.
    """
    table = re.split(r"[.: ]", message)[0]
    about = [word for word in words if re.split(r"[.=]", word)[0].strip() == table] or words
    if not about:
        return message
    if len(about) == 1:
        message = message.removeprefix(f"{about[0].partition('=')[0].strip()}: ")
    return f"{' '.join(f'--set {word}' for word in about)}: {message}"


def resume(given: Namespace) -> int:
    """Resume a run."""
    workers = workers_of(given)
    before = runs.load(given.run, given.force)
    exports = before.changed_exports if before.finished else []
    try:
        with _watched(given) as watching:
            run = runs.resume(given.run, given.generations, workers, watching, given.force)
    except KeyboardInterrupt:
        return _stopped(Path(given.run), before.job, given.command_line)
    if run.generation == before.generation:
        print(f"{run.folder} is finished: {run.ending}")
        if given.generations is not None and given.generations < run.generation:
            done = plural(run.generation, "generation")
            print(
                f"--generations {given.generations} is below the {done} done: it is a total that "
                "includes those"
            )
        for name in exports:
            print(f"wrote {(run.folder / BEST).with_name(f'{name}.json')}")
        if run.generation >= run.job.generations:
            print(f"to go on: gafreecell resume {run.folder} --generations {2 * run.generation}")
        else:
            print(f"to go on: change [stop] in {run.folder / JOB} (allowed at any time) and resume")
        _warn_of_nothing_solved(run)
        return DONE if run.best.solved else UNDECIDED
    return _report(run)


def show(given: Namespace) -> int:
    """Print a run's progress and its best weights."""
    run = runs.load(given.run)
    job = run.job
    print(
        f"{run.label}: {full_title(job.load_game())}; {job.trainer}, {job.scheme}, seed {job.seed}"
    )
    done = f"{run.generation} of {plural(job.generations, 'generation')} done"
    early = run.finished and run.generation < job.generations
    print(f"{done}; finished: {run.ending}" if early else done)
    search = ", ".join(f"{key} {value}" for key, value in job.trained.parameters.items())
    nodes = plural(job.trained.nodes, "node")
    print(f"search {job.trained.search} ({search or 'defaults'}), {nodes} a deal")
    if job.phases:
        earlier = "; ".join(
            f"{name}: {plural(phase.nodes, 'node')}, {phase.rule}"
            for name, phase in job.phases.items()
        )
        print(f"earlier phases, with their limits: {earlier}")
    if run.lines:
        print("\n".join(_effort(run)))
        print()
        _report(run)
        if run.has_front:
            _print_front(run)
        _warn_of_nothing_solved(run)
    return DONE


def _effort(run: Run) -> list[str]:
    """How long a run took, and what each part of it cost if its log says so."""
    took = duration(sum(line["machine"]["seconds"] for line in run.lines))
    if run.costs is None:
        evaluations = sum(line["evaluations"] for line in run.lines)
        return [f"took {took}, with {plural(evaluations, 'evaluation')} in training"]
    spent = {purpose: spent for purpose, spent in run.costs.items() if spent.evaluations}
    header = ["cost", "evaluations", "nodes", "processor time"]
    rows = [
        [
            "training" if purpose == "solvers" else purpose,
            f"{cost.evaluations:,}",
            f"{cost.nodes:,}",
            duration(cost.seconds),
        ]
        for purpose, cost in spent.items()
    ]
    return [f"took {took}", table(header, rows)]


def duration(seconds: float) -> str:
    """A time in seconds up to two minutes, then in minutes, from two hours on in hours."""
    if seconds < 120:
        return f"{rounded(seconds)} s"
    if seconds < 7200:
        return f"{seconds / 60:.1f} minutes"
    return f"{seconds / 3600:.1f} hours"


def export(given: Namespace) -> int:
    """Write a run's best weights to a file."""
    run = runs.load(given.run)
    if given.front is None:
        weights = run.weights
        what = f"the weights of generation {run.best.generation} of {run.label}"
    else:
        front = run.front
        if given.front >= len(front):
            raise InputError(
                f"the front of {run.folder} has the places 0 to {len(front) - 1}, got --front "
                f"{given.front}: 'gafreecell show {run.folder}' lists them"
            )
        weights = front[given.front].weights
        what = f"the weights at place {given.front} of the front of {run.label}"
    _warn_of_nothing_solved(run)
    weights = described(weights, run.job.load_game())
    text = weights.to_text()
    if given.output == "-":
        print(text, end="")
        return DONE
    if not Path(given.output).is_file() or Path(given.output).read_bytes() != text.encode():
        refuse_existing(given.output)
        make_folder(given.output)
        weights.write(given.output)
    say(f"wrote {given.output}: {what}")
    return DONE


def _report(run: Run) -> int:
    """Print what came of a run; returns the exit status."""
    best, last = run.best, run.lines[-1]
    nodes = f", {plural(best.nodes, 'node', digits=',.0f')} on average" if best.solved else ""
    print(f"best weights: generation {best.generation}, {validated(run.job, best.solved)}{nodes}")
    if run.job.stop.target > -inf:
        nodes = plural(run.nodes_of(best), "node", digits=",.0f")
        target = run.job.stop.target
        print(f"validation value {best.value:g} ({nodes}), the target is {target:g}")
    print(weights_table(run.job.trained_evaluator(best.weights)))
    print(
        f"generation {last['generation']}: fitness best {last['solvers']['best']:.4f}, "
        f"mean {last['solvers']['mean']:.4f}; {last['solved']} of {last['evaluations']} solved"
    )
    print()
    print(f"export:  gafreecell export {run.folder} -o weights.json")
    print(f"draw:    gafreecell plot {run.folder} -o progress.png")
    if not run.finished:
        print(f"resume:  gafreecell resume {run.folder}")
    return DONE if best.solved else UNDECIDED


def _warn_of_nothing_solved(run: Run) -> None:
    """Say it where no run was made that would warn."""
    if said := runs.nothing_solved(run):
        complain(said)


def _print_front(run: Run) -> None:
    print()
    print(f"front of generation {run.generation}, measured on the deals of that generation:")
    rows = [
        [str(place), f"{point.nodes:,.0f}", f"{point.length:.1f}"]
        for place, point in enumerate(run.front)
    ]
    print(table(["place", "typical nodes", "mean length"], rows))
    print(f"export:  gafreecell export {run.folder} --front N -o weights.json")


def _stopped(folder: Path, job: Job, again: str) -> int:
    try:
        done = runs.load(folder).generation
    except RunError:
        tried = ""
        if job.phases and not job.load_game().engine.startswith(UNSAVED):
            tried = "; the results of the earlier phases so far are kept"
        complain(f"stopped before the run {folder} was set up{tried}\nbegin again: {again}")
        return INTERRUPTED
    saved = f"{plural(done, 'generation')} of {folder} {'is' if done == 1 else 'are'} saved"
    complain(f"stopped; {saved}\nresume: gafreecell resume {folder}")
    return INTERRUPTED


@contextmanager
def _watched(given: Namespace) -> Iterator[Any]:
    """Stop in time, show the progress, and print warnings about runs as one line each."""
    with (
        warnings_in_a_line(),
        time_limit(given.hours),
        evolution_display(not given.no_progress) as watching,
    ):
        yield watching


@contextmanager
def warnings_in_a_line() -> Iterator[None]:
    """Print warnings about runs as one line each."""
    usual = warnings.formatwarning

    def text(message: Any, category: type[Warning], *place: Any, **line: Any) -> str:
        ours = issubclass(category, RunWarning)
        return f"gafreecell: {message}\n" if ours else usual(message, category, *place, **line)

    warnings.formatwarning = text
    try:
        yield
    finally:
        warnings.formatwarning = usual


@contextmanager
def time_limit(hours: float | None) -> Iterator[None]:
    """Interrupt the process after ``hours``, as Ctrl-C does; None for no limit."""
    if hours is None:
        yield
        return
    with interruptions(even_if_deaf=True) as interrupt:
        timer = threading.Timer(min(3600 * hours, threading.TIMEOUT_MAX), interrupt)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
