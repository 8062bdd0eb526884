"""Runs: the folder an evolution leaves behind, and going on where it stopped.

A run folder holds ``job.toml``, ``state.json``, ``log.jsonl`` and
``weights/best.json``. A generation is entered in the log first and in the
state last, each in one step, so a run killed at any moment resumes from the
last generation of its state and loses at most the one in flight.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from joblib import Parallel

from deals.errors import BadInput
from gafreecell.evaluation import Evaluation, Workers
from gafreecell.evolution import Champion, Evolution, State
from gafreecell.job import Job, JobError, job_text, read_job, revise
from gafreecell.populations import Host, Individual, Tally, logbook
from gafreecell.strategy import Strategy
from gafreecell.version import VERSION
from solving.files import write_atomically
from solving.outcome import Evaluator, Limits, Search
from solving.weights import Weights

FORMAT = {"name": "gafreecell-run", "version": 1}
JOB, STATE, LOG, BEST, LOCK = "job.toml", "state.json", "log.jsonl", "weights/best.json", "lock"


LOG_KEYS = {
    "generation", "solvers", "hosts", "best_weights", "nodes", "solved", "evaluations",
    "validation", "machine",
}  # fmt: skip


class RunError(BadInput):
    """A run folder that cannot be used; the message says why and what to do."""


class Watcher:
    """What a run tells while it works; this one listens to nothing."""

    def started(self, run: Run) -> None:
        """The run begins, or goes on, with the generation after ``run.generation``."""

    def phase(self, name: str) -> None:
        """``solvers``, ``baseline`` or ``validation`` deals are being solved."""

    def progress(self, done: int, total: int) -> None:
        """So many of the phase's evaluations are done."""

    def generation(self, line: Mapping[str, Any]) -> None:
        """A generation is done and saved; ``line`` is its line of the log."""


@dataclass
class Run:
    """A run folder and what it holds.

    Attributes:
        folder: its path.
        job: what it does.
        state: where it stands.
        lines: its log, a mapping for each generation done.
    """

    folder: Path
    job: Job
    state: State
    lines: list[dict[str, Any]]

    @property
    def label(self) -> str:
        """The run's name in figures and tables."""
        return self.folder.name

    @property
    def generation(self) -> int:
        """Generations completed."""
        return self.state.generation

    @property
    def finished(self) -> bool:
        """Whether the job's generations are all done."""
        return self.generation >= self.job.generations

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features whose weights evolve, in the genome's order."""
        return self.job.trained.features or self.job.load_game().default_features

    @property
    def best(self) -> Champion:
        """The best weights so far, as the validation deals rank them.

        Raises:
            RunError: before the first generation is done.
        """
        if self.state.champion is None:
            raise RunError(f"{self.folder}: no generation is done yet, so there are no weights")
        return self.state.champion

    @property
    def weights(self) -> Weights:
        """The best weights as a weights file, for the search they evolved in."""
        nodes = self.job.trained.solve_nodes or self.job.trained.nodes
        return self._weights(self.job.search, Limits(nodes=nodes))

    @property
    def exports(self) -> dict[str, Weights]:
        """The best weights for the other searches that the job names."""
        return {
            name: self._weights(
                Search(export.search, export.parameters),
                Limits(nodes=export.nodes, memory=export.memory),
            )
            for name, export in self.job.exports.items()
        }

    def _weights(self, search: Search, limits: Limits) -> Weights:
        best = self.best
        return Weights(
            game=self.job.game,
            variant=self.job.load_game().variant,
            evaluator=Evaluator(self.features, best.weights),
            search=search,
            limits=limits,
            provenance={
                "run": self.job.name,
                "generation": best.generation,
                "seed": self.job.seed,
                "job": self.job.digest,
                "package": VERSION,
            },
        )

    @cached_property
    def logbook(self) -> Any:
        """The log as a DEAP logbook, with a chapter for each population."""
        return logbook(self.lines)


def default_folder(job: Job) -> Path:
    """Where a run goes that is told no folder."""
    return Path("out") / f"{job.name}-s{job.seed}"


def evolve(
    job: Job | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    workers: Workers | None = None,
    watcher: Watcher | None = None,
) -> Run:
    """Run a job in a new folder.

    Args:
        job: a job, or the path of its file.
        out: the run's folder; ``out/<job>-s<seed>`` by default. It may exist,
            but not hold a run.
        workers: who solves the deals; all cores by default.
        watcher: told of the progress.

    Raises:
        JobError: if the job cannot be read, or asks for what cannot be.
        RunError: if the folder holds a run, is in use or cannot be written.
    """
    job = revise(job) if isinstance(job, Job) else read_job(job)
    folder = Path(out) if out is not None else default_folder(job)
    workers = workers or Workers()
    with workers.started() as pool, _locked(folder):
        if (folder / STATE).exists():
            raise RunError(
                f"{folder} already holds a run: continue it with 'gafreecell resume {folder}', "
                "or name another folder with --out"
            )
        for name in (JOB, LOG):
            # What lies here without a state is no run of ours: keep it out of the way.
            if (folder / name).exists():
                os.replace(folder / name, _unused(folder / f"{name}.before"))
        write_atomically(folder / JOB, job_text(job))
        write_atomically(folder / LOG, "")
        return _work(Run(folder, job, State(0, [], []), []), pool, watcher or Watcher())


def _unused(path: Path) -> Path:
    """The path, or one like it that nothing has."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}{number}")
    return free


def resume(
    folder: str | os.PathLike[str],
    generations: int | None = None,
    workers: Workers | None = None,
    watcher: Watcher | None = None,
    force: bool = False,
) -> Run:
    """Go on with a run where it stopped; a finished one is returned as it is.

    Args:
        folder: the run's folder.
        generations: a new total of generations.
        workers: who solves the deals; all cores by default.
        watcher: told of the progress.
        force: go on although the run was made by another engine version.

    Raises:
        RunError: if the folder holds no run, is in use, is damaged, or was made
            by another engine version.
    """
    run = load(folder)
    if generations is not None and generations != run.job.generations:
        run.job = revise(run.job, generations=generations)
    if run.finished:
        return run
    _check_engine(run, force)
    with (workers or Workers()).started() as pool, _locked(run.folder):
        run = replace(load(folder), job=run.job)
        write_atomically(run.folder / JOB, job_text(run.job))
        # Drop what was logged beyond the state, or half a line: it will be made again.
        write_atomically(run.folder / LOG, "".join(_log_text(line) for line in run.lines))
        return _work(run, pool, watcher or Watcher())


def load(folder: str | os.PathLike[str]) -> Run:
    """Read a run folder.

    Raises:
        RunError: if it holds no run or a damaged one; nothing is changed.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise RunError(f"{folder} is not a run folder: there is no such directory")
    if not (folder / STATE).is_file():
        raise RunError(f"{folder} holds no run: it has no {STATE}")
    document = _read_json(folder / STATE)
    head = document.get("format") if isinstance(document, dict) else None
    if not isinstance(head, dict) or head.get("name") != FORMAT["name"]:
        raise RunError(f"{folder / STATE} is not the state of a gafreecell run")
    if head.get("version") != FORMAT["version"]:
        raise RunError(
            f"{folder / STATE}: state version {head.get('version')!r} is not known, "
            f"expected {FORMAT['version']}"
        )
    try:
        job = read_job(folder / JOB)
    except JobError as error:
        raise RunError(str(error)) from None
    try:
        state, digest = _state(document), document["job"]
        _check_state(state, job)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunError(f"{folder / STATE} is damaged: {error}") from None
    if digest != job.digest:
        raise RunError(f"{folder / JOB} was changed since the run began: put it back to resume")
    run = Run(folder, job, state, _read_log(folder / LOG, state.generation))
    return run


def _work(run: Run, pool: Parallel, watcher: Watcher) -> Run:
    """Run generations until the job's are done."""
    game = run.job.load_game()
    evaluation = Evaluation(game, pool, on_progress=watcher.progress)
    evolution = Evolution(run.job, evaluation, watcher.phase)
    if run.generation == 0:
        run.state = evolution.found()
        _save_state(run)
    watcher.started(run)
    while not run.finished:
        began, computed, nodes = time.perf_counter(), evaluation.computed, evaluation.nodes
        asked = evaluation.asked
        champion = run.state.champion
        run.state, line = evolution.step(run.state)
        seconds = time.perf_counter() - began
        line["machine"] = {
            "seconds": round(seconds, 3),
            "evaluations_per_second": round((evaluation.computed - computed) / seconds, 1),
            "nodes_per_second": round((evaluation.nodes - nodes) / seconds),
            "cache_hits": evaluation.asked - asked - (evaluation.computed - computed),
        }
        run.lines.append(line)
        _append(run.folder / LOG, _log_text(line))
        if run.state.champion != champion:
            (run.folder / BEST).parent.mkdir(exist_ok=True)
            run.weights.write(run.folder / BEST)
            for name, weights in run.exports.items():
                weights.write((run.folder / BEST).with_name(f"{name}.json"))
        _save_state(run)
        watcher.generation(line)
    return run


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which the system drops when the process dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        lock = FileLock(folder / LOCK)
        lock.acquire(timeout=0)
    except Timeout:
        raise RunError(f"{folder} is in use by another process: wait for it, or stop it") from None
    except OSError as error:
        raise RunError(f"cannot write to {folder}: {error.strerror or error}") from None
    try:
        yield
    except PermissionError as error:
        raise RunError(f"cannot write to {folder}: {error.strerror}") from None
    finally:
        lock.release()


def _check_engine(run: Run, force: bool) -> None:
    made = _read_json(run.folder / STATE).get("engine")
    present = run.job.load_game().engine
    if made != present and not force:
        raise RunError(
            f"{run.folder} was made by engine version {made}, this is version {present}: "
            "going on would mix them; --force does it all the same"
        )


def _save_state(run: Run) -> None:
    state = run.state
    document = {
        "format": FORMAT,
        "package": VERSION,
        "game": run.job.game,
        "engine": run.job.load_game().engine,
        "job": run.job.digest,
        "generation": state.generation,
        "solvers": [list(solver) for solver in state.solvers],
        "hosts": [
            {
                "deals": list(host),
                "inherited": host.inherited,
                "fitness": host.value if host.fitness.valid else None,
                "tally": asdict(host.tally),
            }
            for host in state.hosts
        ],
        "champion": asdict(state.champion) if state.champion else None,
        "strategy": asdict(state.strategy) if state.strategy else None,
    }
    write_atomically(run.folder / STATE, json.dumps(document) + "\n")


def _state(document: Mapping[str, Any]) -> State:
    solvers = [Individual([float(gene) for gene in genes]) for genes in document["solvers"]]
    hosts = []
    for kept in document["hosts"]:
        host = Host([int(deal) for deal in kept["deals"]], float(kept["inherited"]))
        if kept["fitness"] is not None:
            host.fitness.values = (float(kept["fitness"]),)
        host.tally = Tally(**kept["tally"])
        hosts.append(host)
    champion = None
    if document["champion"] is not None:
        kept = dict(document["champion"])
        champion = Champion(**{**kept, "weights": tuple(kept["weights"])})
    # States older than the trainers have no strategy.
    kept = document.get("strategy")
    strategy = Strategy(**kept) if kept else None
    return State(int(document["generation"]), solvers, hosts, champion, strategy)


def _check_state(state: State, job: Job) -> None:
    """Raise ``ValueError`` unless a state can be one of the job."""
    genes = len(job.trained.features or job.load_game().default_features)
    coevolution = job.scheme == "coevolution"
    fits = (
        state.generation >= 0
        and len(state.solvers) == job.solvers.population
        and all(len(solver) == genes for solver in state.solvers)
        and len(state.hosts) == (job.hosts.population if coevolution else 0)
        and all(len(host) == job.hosts.deals for host in state.hosts)
        and all(
            len(host.tally.nodes) == len(host.tally.solved) == len(host) for host in state.hosts
        )
        and (state.champion is not None) == (state.generation > 0)
        and (state.champion is None or len(state.champion.weights) == genes)
        and (state.strategy is not None) == (job.trainer == "cma-es")
        and (state.strategy is None or len(state.strategy.mean) == genes)
    )
    if not fits:
        raise ValueError("it does not fit the job")


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise RunError(
            f"{path} is damaged ({error}): restore it from a copy, or start a new run elsewhere"
        ) from None


def _read_log(path: Path, generations: int) -> list[dict[str, Any]]:
    """The log's lines up to a generation; a half-written or later end is left out."""
    lines: list[dict[str, Any]] = []
    try:
        text = path.read_bytes()
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None
    for number, line in enumerate(text.split(b"\n"), start=1):
        if len(lines) == generations:
            break
        try:
            entry = json.loads(line)
            if entry["generation"] != number or not entry.keys() >= LOG_KEYS:
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError):
            raise RunError(f"{path}, line {number} is not the log of generation {number}") from None
        lines.append(entry)
    if len(lines) < generations:
        raise RunError(f"{path} ends at generation {len(lines)}, the state is at {generations}")
    return lines


def _log_text(line: Mapping[str, Any]) -> str:
    return json.dumps(line) + "\n"


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
