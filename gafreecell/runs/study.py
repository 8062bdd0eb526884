"""Studies: the runs of a plan, side by side in one folder.

Each run is a run folder of its own, whose lock keeps several processes and machines apart. A study
that was stopped at any moment goes on where it was, and its runs are the same to the bit.
"""

from __future__ import annotations

import json
import os
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joblib import cpu_count

from deals.errors import BadInput, did_you_mean
from deals.words import plural
from gafreecell.evolution import operators
from gafreecell.evolution.generation import RunWarning, warn
from gafreecell.evolution.job import Job, job_text
from gafreecell.installed import plugins
from gafreecell.installed.extras import needed
from gafreecell.runs import individuals
from gafreecell.runs.environment import changed_maker
from gafreecell.runs.folder import JOB, STATE, STUDY, InUse, RunError, is_running, locked
from gafreecell.runs.plan import Arm, Plan, Test, make_plan, read_plan
from gafreecell.runs.record import Run, ending
from gafreecell.runs.run import evolve, folder_of, load, resume
from gafreecell.runs.stop_request import ask, is_asked, on_behalf_of, withdraw
from gafreecell.solving.files import write_atomically
from gafreecell.solving.stopping import StopToken, graceful
from gafreecell.terminal.progress import Bar, Pace, shown
from gafreecell.workers.chosen import Workers
from gafreecell.workers.errors import WorkersError
from gafreecell.workers.pools import Processes, Work, WorkerLost

if TYPE_CHECKING:
    from pandas import DataFrame

STOP_SECONDS = 10.0
"""How long runs may take to save what they have when the study is stopped."""
SHOWN = 4
"""How many of the arms, or of the seeds of one, that lack runs are named."""
LOOK_SECONDS = 1.0
"""How often to look how far the runs are."""
Place = tuple[str, int]
"""An arm and a seed."""
Warned = list[tuple[str, type[RunWarning]]]
"""What a run warned of."""


class StudyError(BadInput):
    """A study that cannot be run or read; the message says why and what to do."""


@dataclass(frozen=True)
class Progress:
    """How far a run of a study is.

    Attributes:
        arm, seed: which.
        folder: its folder, which need not exist yet.
        generation, generations: how many are done, of how many.
        finished: whether it has reached an end of its job, and has its exports.
        running: whether a process works on it.
        evaluations, nodes: of its solvers, so far.
        seconds: processor time of all its searches, so far; 0 if its log does not say.
    """

    arm: str
    seed: int
    folder: Path
    generation: int = 0
    generations: int = 0
    finished: bool = False
    running: bool = False
    evaluations: int = 0
    nodes: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, repr=False)
class Study:
    """A folder with the runs of a plan.

    Attributes:
        folder: its path.
        plan: the plan.
    """

    folder: Path
    plan: Plan

    def __repr__(self) -> str:
        done, runs = sum(one.finished for one in self.progress()), len(self.places)
        return f"<gafreecell.Study {self.folder}: {done} of {plural(runs, 'run')} finished>"

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms of the plan."""
        return self.plan.arms

    @property
    def places(self) -> list[Place]:
        """Each arm with each seed: all arms with the first seed, then with the next."""
        return [(arm.name, seed) for seed in self.plan.numbers for arm in self.arms]

    def arm(self, name: str) -> Arm:
        """The arm of a name; ``StudyError`` if there is none."""
        for one in self.arms:
            if one.name == name:
                return one
        names = [one.name for one in self.arms]
        raise StudyError(
            f"{self.folder} has no arm {name!r}; it has {'; '.join(names)}"
            f"{did_you_mean(name, names)}"
        )

    def job_of(self, arm: str, seed: int) -> Job:
        """The job of a run."""
        return replace(self.arm(arm).job, seed=seed)

    def run_folder(self, arm: str, seed: int) -> Path:
        """The folder of a run, begun or not."""
        return self.folder / f"{self.arm(arm).word}-s{seed}"

    def run(self, arm: str, seed: int) -> Run:
        """A run that has begun, with the job that the plan gives it, named after its arm.

        Raises:
            RunError: if it has not.
            StudyError: if its folder holds a run of another job, or one that went on beyond the
                end that the plan gives it.
        """
        run, job = load(self.run_folder(arm, seed)), self.job_of(arm, seed)
        _check_fits(run, job)
        return replace(run, job=replace(job, name=arm))

    @property
    def runs(self) -> list[Run]:
        """The runs that have done a generation, arm by arm."""
        return [run for arm in self.arms for run in self.runs_of(arm.name)]

    def by_arm(self) -> dict[str, list[Run]]:
        """The same by arm, without arms that have none; ``StudyError`` if no arm has one."""
        found = {arm.name: runs for arm in self.arms if (runs := self.runs_of(arm.name))}
        if not found:
            raise StudyError(f"{self.folder}: no run has done a generation yet")
        return found

    def gap(self, found: Mapping[str, Sequence[Run]]) -> str:
        """Which runs of the plan are not among some, in a main clause; empty if all are.

        Args:
            found: runs by arm, as from ``by_arm``.
        """
        told, count = [], 0
        for arm in self.arms:
            there = {run.job.seed for run in found.get(arm.name, ())}
            seeds = [seed for seed in self.plan.numbers if seed not in there]
            count += len(seeds)
            if seeds:
                listed = _some(list(map(str, seeds)), SHOWN) if there else "all"
                told.append(f"{arm.name} (seeds: {listed})")
        if not told:
            return ""
        return (
            f"{count:,} of the {plural(len(self.places), 'run')} in the plan of {self.folder} "
            f"{'is' if count == 1 else 'are'} missing, because no generation is done: "
            f"{_some(told, SHOWN)}"
        )

    def runs_of(self, arm: str) -> list[Run]:
        """The runs of an arm that have done a generation, by ascending seed."""
        seeds = sorted(self.plan.numbers)
        begun = [one for one in seeds if (self.run_folder(arm, one) / STATE).exists()]
        return [run for seed in begun if (run := self.run(arm, seed)).lines]

    @property
    def left_out(self) -> list[str]:
        """Names of the run folders in the study's folder that the plan does not have."""
        planned = {self.run_folder(*place) for place in self.places}
        found = {path.parent for path in self.folder.glob(f"*/{STATE}")}
        return sorted(path.name for path in found - planned)

    def progress(self) -> list[Progress]:
        """How far each run is, in the order of ``places``."""
        return [self._progress_of(*place) for place in self.places]

    def _progress_of(self, arm: str, seed: int) -> Progress:
        folder, job = self.run_folder(arm, seed), self.job_of(arm, seed)
        about = Progress(arm, seed, folder, generations=job.generations, running=is_running(folder))
        if not (folder / STATE).exists():
            return about
        run = self.run(arm, seed)
        costs = run.costs
        return replace(
            about,
            generation=run.generation,
            finished=run.finished and not run.changed_exports,
            evaluations=sum(line["evaluations"] for line in run.lines),
            nodes=sum(line["nodes"] for line in run.lines),
            seconds=sum(cost.seconds for cost in costs.values()) if costs else 0.0,
        )

    @property
    def finished(self) -> bool:
        """Whether all runs are finished."""
        return all(one.finished for one in self.progress())

    def to_pandas(self, machine: bool = False) -> DataFrame:
        """The logs of all runs as one data frame, a row for each generation of a run.

        Args:
            machine: as for ``Run.to_pandas``.

        Returns:
            A data frame indexed by ``arm``, ``seed`` and ``generation``. It has a column for
            each swept key, and ``job`` and ``setting`` if there are several; then those of
            ``Run.to_pandas``.

        Raises:
            MissingExtra: if pandas is not installed.
        """
        with needed("pandas", "a data frame"):
            import pandas
        frames = []
        for arm in self.arms:
            for run in self.runs_of(arm.name):
                frame = run.to_pandas(machine).reset_index()
                for key, value in {"seed": run.job.seed, **arm.told, "arm": arm.name}.items():
                    frame.insert(0, key, [value] * len(frame))
                frames.append(frame)
        if not frames:
            return pandas.DataFrame(columns=["arm", "seed", "generation"])
        return pandas.concat(frames).set_index(["arm", "seed", "generation"])


def load_study(folder: str | os.PathLike[str], parts: Mapping[str, Any] | None = None) -> Study:
    """Read the folder of a study; its runs are read when they are asked for.

    Args:
        folder: its path.
        parts: your own parts, as for ``study``.

    Raises:
        StudyError: if the folder holds no study.
    """
    _hand_in(_in_lists(parts or {}))
    path = folder_of(folder)
    if not is_study(path):
        raise StudyError(
            f"{path} holds no study: it has no {STUDY}; 'gafreecell study PLAN.toml' makes one"
        )
    return Study(path, read_plan(path / STUDY))


def is_study(folder: Path) -> bool:
    """Whether a folder holds a study."""
    return (folder / STUDY).is_file()


def study(
    plan: Plan | Mapping[str, Any] | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    jobs: int = -1,
    *,
    scheduler: str | None = None,
    wait: float = Workers.wait,
    parts: Mapping[str, Any] | None = None,
    progress: bool = False,
) -> Study:
    """Run a study, or go on with one: its missing runs are made, the unfinished ones finished.

    Runs go side by side, each in a process of its own. Any number of machines that share the folder
    can work on one study: what one of them has begun, the others leave alone.

    Args:
        plan: the plan, its keys as a mapping, or the path of its file; or a study's folder.
        out: the study's folder; ``out/<name>`` by default. If it holds a study, that one goes on,
            extended as the plan says. Runs that the plan no longer has stay where they are.
        jobs: how many runs at once, -1 for one per core.
        scheduler: address of a dask scheduler whose workers solve the deals of all runs; without
            it, each process solves those of its own run.
        wait: for how many seconds the scheduler may have no workers.
        parts: your own parts that the jobs name and no package registers, by kind, one or a list:
            ``{"scheme": MyScheme, "mutation": [small, large]}``.
        progress: whether to show progress on stderr.

    Returns:
        The study. It is finished, unless other processes still work on some of its runs.

    Raises:
        PlanError: if the plan cannot be read or run.
        StudyError: if the folder cannot hold the study, or some runs failed; the others are made
            before.
        KeyboardInterrupt: at Ctrl-C; call ``study`` again to go on.
    """
    own = _in_lists(parts or {})
    _hand_in(own)
    at_once = Workers(jobs).jobs
    found = _opened(plan, out)
    before = found.progress()
    _check_makers(found, before)
    with locked(found.folder):
        _keep_plan(found, before)
    workers = Workers(1) if scheduler is None else Workers(1, "dask", scheduler, wait)
    missing = [(one.arm, one.seed) for one in before if not one.finished]
    if not missing:
        return found
    at_once = min(cpu_count() if at_once == -1 else at_once, len(missing))
    # Processes that are kept from an earlier call may have another current folder.
    here = replace(found, folder=found.folder.absolute())
    at_work = _AtWork(here, before)
    with graceful(), _watched(at_work, progress):
        _work_on(partial(_made, here, own, workers, at_work.name), missing, at_once, at_work)
    if at_work.faults:
        failed = plural(len(at_work.faults), "run")
        # In the plan's order, whichever ended first.
        faults = {place: at_work.faults[place] for place in missing if place in at_work.faults}
        told = "\n".join(f"{_named(place)}: {why}" for place, why in faults.items())
        raise StudyError(f"{failed} of {found.folder} failed, the others are made\n{told}")
    return found


def _opened(plan: Any, out: Any) -> Study:
    """The study of a plan, in its folder, which need not exist."""
    if out is None and isinstance(plan, str | os.PathLike) and Path(plan).is_dir():
        return load_study(plan)
    made = make_plan(plan)
    folder = folder_of(out) if out is not None else Path("out") / made.name
    if (folder / STATE).exists():
        raise StudyError(f"{folder} holds a run: name another folder as out (--out)")
    return Study(folder, made)


def _keep_plan(found: Study, before: Sequence[Progress]) -> None:
    """Write the plan into the study's folder, in place of an earlier one that it extends."""
    if is_study(found.folder):
        kept = load_study(found.folder)
        if kept.plan == found.plan:
            return
        if kept.plan.name != found.plan.name:
            raise StudyError(
                f"{found.folder} holds the study {kept.plan.name!r}, not {found.plan.name!r}: name "
                "another folder as out (--out)"
            )
        if running := sum(is_running(kept.run_folder(*place)) for place in kept.places):
            raise StudyError(
                f"another process works on {plural(running, 'run')} of {found.folder} by its "
                "present plan: change the plan when it has ended"
            )
        dropped = [name for name in found.left_out if name not in kept.left_out]
        if dropped:
            warn(
                f"{found.folder}: the plan no longer has {plural(len(dropped), 'run')} that it had "
                f"({dropped[0]}, ...), which stay where they are and are not compared; if they "
                "were to go on under other names, stop and give the study another folder",
                RunWarning,
            )
    if any(one.generation and _lacks_record(found, one) for one in before):
        warn(
            f"{found.folder}: runs that began without individuals = true have no record of what "
            "they did until now: move them away to make them anew",
            RunWarning,
        )
    write_atomically(found.folder / STUDY, found.plan.text)


def _check_makers(found: Study, before: Sequence[Progress]) -> None:
    """Refuse to add runs to those of an arm that another engine, or another part, has made."""
    missing = {one.arm for one in before if not one.finished}
    for one in before:
        if one.generation and one.arm in missing:
            changed = changed_maker(one.folder, found.arm(one.arm).job)
            if changed:
                raise StudyError(
                    f"{changed}; further runs of {one.arm!r} would differ from it in more than the "
                    "seed: put the old one back, or give the study another folder as out (--out)"
                )


def _lacks_record(found: Study, one: Progress) -> bool:
    wanted = found.arm(one.arm).job.individuals
    return wanted and not (one.folder / individuals.INDIVIDUALS).exists()


def _check_fits(run: Run, planned: Job) -> None:
    """Refuse the run of another job, and one that went on where those of the plan end."""
    if run.job.digest != planned.digest and not run.job.unknown:
        raise StudyError(
            f"{run.folder} holds a run of another job than the plan has: move it away, or give the "
            "changed setting another name"
        )
    if (run.job.generations, run.job.stop) == (planned.generations, planned.stop):
        return
    why = next(filter(None, (ending(planned, run.lines[:n]) for n in range(1, run.generation))), "")
    if why:
        if run.generation > planned.generations:
            why = f"it has {run.generation:,} generations, the plan {planned.generations:,}"
        raise StudyError(
            f"{run.folder} has gone on beyond the end that the plan gives it ({why}): "
            "put the plan's generations and [stop] back, or move it away"
        )


def _in_lists(parts: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {
        kind: list(given) if isinstance(given, list | tuple) else [given]
        for kind, given in parts.items()
    }


def _hand_in(parts: Mapping[str, Sequence[Any]]) -> None:
    for kind, given in parts.items():
        if kind not in plugins.GROUPS:
            known = ", ".join(plugins.GROUPS)
            raise StudyError(f"there is no kind of parts {kind!r}; there are {known}")
        hand_in = operators.hand_in if kind in plugins.FUNCTIONS else plugins.hand_in
        for part in given:
            hand_in(kind, part)


class _AtWork(StopToken):
    """The runs that this process has handed out; set, it has them save what they have and stop.

    Args:
        study: their study.
        before: how far its runs were.

    Attributes:
        folders: of those handed out; another process may work in some of them.
        generations: how many each run had done when it was last looked at, by place.
        faults: why runs failed.
    """

    def __init__(self, study: Study, before: Iterable[Progress]) -> None:
        super().__init__()
        self._study = study
        self.total = sum(one.generations for one in before)
        self.folders: dict[Place, Path] = {}
        self.generations = {(one.arm, one.seed): one.generation for one in before}
        self.finished = sum(one.finished for one in before)
        self.count = len(self.generations)
        self.faults: dict[Place, str] = {}

    def handed_out(self, places: Iterable[Place]) -> Iterator[Place]:
        """The places, each noted as it is taken."""
        for place in places:
            self.folders[place] = self._study.run_folder(*place)
            yield place

    def came(self, place: Place, made: Made) -> None:
        """Note the end of a run."""
        for message, kind in made.warned:
            about = "" if str(self.folders[place]) in message else f"{_named(place)}: "
            warn(f"{about}{message}", kind)
        self.look(place)
        del self.folders[place]
        self.finished += made.finished
        if made.fault:
            self.faults[place] = made.fault

    def look(self, place: Place) -> None:
        """See how far a run is."""
        with suppress(OSError, ValueError, KeyError):
            state = json.loads((self.folders[place] / STATE).read_bytes())
            self.generations[place] = int(state["generation"])

    def set(self) -> None:
        super().set()
        end = time.monotonic() + STOP_SECONDS
        asked = [path for path in self.folders.values() if is_running(path)]
        for path in asked:
            with suppress(OSError):
                ask(path, self.name)
        while time.monotonic() < end and any(is_asked(path, self.name) for path in asked):
            time.sleep(0.05)
        for path in asked:
            with suppress(OSError):
                withdraw(path, self.name)


def _work_on(work: Work, missing: Sequence[Place], at_once: int, at_work: _AtWork) -> None:
    """Make the missing runs, so many at once."""
    places = at_work.handed_out(missing)
    if at_once == 1:
        for place in places:
            at_work.came(place, work(place))
        return
    with Workers(at_once, "loky").started() as pool:
        assert isinstance(pool, Processes)
        # No run is handed out before a process is free for it.
        pool.room = at_once
        try:
            with closing(pool(at_work, work, places, "the study", "study")) as results:
                for place, made in results:
                    at_work.came(place, made)
        except WorkerLost as lost:
            runs = "; ".join(map(_named, lost.pieces))
            raise StudyError(
                f"{lost} at one of these runs: {runs}; what was done is saved, and the same "
                "command goes on"
            ) from None


def _some(names: Sequence[str], most: int) -> str:
    return ", ".join([*names[:most], *["..."] * (len(names) > most)])


def _named(place: Place) -> str:
    arm, seed = place
    return f"{arm}, seed {seed}"


@dataclass(frozen=True)
class Made:
    """What became of a run.

    Attributes:
        finished: whether it is finished.
        warned: the warnings, of which its process cannot know who reads them.
        fault: why it failed; empty if it did not.
    """

    finished: bool
    warned: Warned
    fault: str = ""


def _made(
    study: Study, parts: Mapping[str, Sequence[Any]], workers: Workers, owner: str, place: Place
) -> Made:
    """Finish a run, unless another process works on it; it stops if its owner asks."""
    _hand_in(parts)
    folder, finished, fault = study.run_folder(*place), False, ""
    with warnings.catch_warnings(record=True) as caught, on_behalf_of(owner, folder):
        try:
            finished = _finish(folder, study.job_of(*place), workers)
        except (OSError, WorkersError, WorkerLost):
            # The other runs would fail, too.
            raise
        except BadInput as error:
            fault = str(error)
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            fault = f"{type(error).__name__}: {error} ({at.filename}, line {at.lineno})"
    warned: Warned = []
    for one in caught:
        if issubclass(one.category, RunWarning):
            warned.append((str(one.message), one.category))
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    return Made(finished, warned, fault)


def _finish(folder: Path, job: Job, workers: Workers) -> bool:
    """Finish the run in a folder, unless another process works on it."""
    try:
        if not (folder / STATE).exists():
            try:
                evolve(job, folder, workers)
                return True
            except InUse:
                raise
            except RunError:
                # Another process may have made it meanwhile.
                if not (folder / STATE).exists():
                    raise
        with locked(folder):
            # Another process may have made it meanwhile, by another plan.
            run = load(folder)
            _check_fits(run, job)
            if run.job != job:
                # It differs in its end, or in what is exported.
                write_atomically(folder / JOB, job_text(job))
        resume(folder, jobs=workers)
    except InUse:
        return False
    return True


@contextmanager
def _watched(at_work: _AtWork, wanted: bool) -> Iterator[None]:
    """Show how many generations are done, and how long the rest will take."""
    if not wanted:
        yield
        return
    over, pace = threading.Event(), Pace()
    first = sum(at_work.generations.values())
    with shown(eager=True) as display:

        def look() -> None:
            while not over.wait(LOOK_SECONDS):
                for place in list(at_work.folders):
                    at_work.look(place)
                done = sum(at_work.generations.values())
                note = f"{at_work.finished} of {plural(at_work.count, 'run')} finished"
                # Kernels are compiled before the first generation.
                note += pace.left(done, at_work.total) if done > first else ""
                display.show([Bar("generations", done, at_work.total, note)])

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


@dataclass(frozen=True)
class Selection:
    """Runs that were named one by one or by their study.

    Attributes:
        runs: the runs. A study stands for those that have done a generation.
        gaps: which other runs the plans of studies have, a main clause for each study.
        arms: the runs by arm, if they are those of one study; else None.
        test: how its plan measures them; else as by default.
    """

    runs: list[Run]
    gaps: list[str]
    arms: dict[str, list[Run]] | None = None
    test: Test = Test()


def selected(
    names: Iterable[str | os.PathLike[str] | Run | Study],
    read: Callable[[str | os.PathLike[str]], Run] = load,
) -> Selection:
    """The runs of some folders.

    Args:
        names: runs, studies, and folders of them.
        read: reads the folder of a run.

    Raises:
        StudyError: if no run of a study has done a generation yet.
        RunError: if that goes for a run that is handed in.
    """
    items = list(names)
    found = Selection([], [])
    for one in items:
        if isinstance(one, Run):
            # Raises RunError if there are no weights yet.
            assert one.best
            found.runs.append(one)
        elif isinstance(one, Study) or is_study(Path(one)):
            named = one if isinstance(one, Study) else load_study(one)
            arms = named.by_arm()
            found.runs.extend(run for runs in arms.values() for run in runs)
            if gap := named.gap(arms):
                found.gaps.append(gap)
            if len(items) == 1:
                found = replace(found, arms=arms, test=named.plan.test)
        else:
            found.runs.append(read(one))
    return found
