"""The run folders below the folder that the app was started in: listed, watched, stopped."""

from __future__ import annotations

import os
import re
import shlex
import stat
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from textwrap import shorten
from types import MappingProxyType
from typing import Any
from urllib.parse import quote
from zlib import crc32

from deals.errors import BadInput
from gafreecell.evolution.costs import costs_of, in_all
from gafreecell.evolution.earlier_phases import validated
from gafreecell.evolution.parts import State
from gafreecell.pages.charts import charts
from gafreecell.pages.trial import named
from gafreecell.runs import stop_request
from gafreecell.runs.folder import JOB, LOG, STATE, VALIDATED, RunError, is_running, job_of
from gafreecell.runs.record import Run
from gafreecell.runs.run import load
from gafreecell.service.described import described
from gafreecell.solitaire.game import full_title
from gafreecell.solving import stopping
from gafreecell.terminal.progress import duration
from gafreecell.web.desk import Refused

DEEPEST = 4
"""How many folders deep run folders are looked for."""
MOST = 500
"""The most run folders that are listed."""
MOST_FOLDERS = 20_000
"""The most folders that are looked into."""
MOST_WATCHED = 60
"""The most runs that are watched at once, and kept in memory: those that did not change since are
not read again."""
KEPT = 8
"""How many reports are kept."""
MOST_REPORTED = 20
"""The most runs in a report."""
LAST = 12
"""How many generations the page of a run lists, and how many tell how long one takes."""
FILTERS = ("study", "job", "trainer", "scheme", "seed")
"""What runs are chosen by; a study is a folder with several runs."""
Query = Mapping[str, Sequence[str]]
"""Names of runs, under ``run``, and values of ``FILTERS``."""
_SKIPPED = {"node_modules", "__pycache__", "build", "dist"}
_LONGEST = {JOB: 1_000_000, STATE: 100_000_000, LOG: 200_000_000, VALIDATED: 200_000_000}
"""The files that are read, with the most bytes that they may have."""
# Control characters, and what Python has in place of bytes that are no text.
_UNSPEAKABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
Stamp = tuple[Any, ...]


class Runs:
    """The runs in a folder.

    Links are not followed, so nothing outside the folder is read. The folder itself has the name
    ``.``, or none, since browsers leave it out of an address.

    Args:
        root: the folder.
    """

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._heads: dict[str, tuple[Stamp, dict[str, Any]]] = {}
        self._kept: OrderedDict[str, tuple[Stamp, Run]] = OrderedDict()
        self._reports: OrderedDict[tuple[str, ...], tuple[list[Stamp], str]] = OrderedDict()
        self._reporting: dict[tuple[str, ...], dict[str, Any]] = {}
        self._lock = threading.Lock()

    def listed(self, query: Query = MappingProxyType({})) -> dict[str, Any]:
        """The runs in order, each in a line of the list, and where they were looked for.

        Args:
            query: what to list them by; a filter without a value lets all pass.
        """
        found, whole = self._names()
        studies = Counter(map(_study, found))
        lines = []
        for name in found:
            study = _study(name)
            lines.append({**self._line(name), "study": study if studies[study] > 1 else ""})
        return {
            # Those that cannot be read come last.
            "runs": sorted(
                (line for line in lines if _passes(line, query)), key=lambda line: "fault" in line
            ),
            "filters": {
                name: {
                    "values": sorted({str(one[name]) for one in lines if one.get(name, "") != ""}),
                    "chosen": [*filter(None, query.get(name, ()))],
                }
                for name in FILTERS
            },
            "root": str(self._root),
            "depth": DEEPEST,
            "whole": whole,
        }

    def _names(self) -> tuple[list[str], bool]:
        """The run folders, as paths from the root; and whether all folders were looked into."""
        found: list[str] = []
        # Level by level, so that no large folder hides what is beside it.
        level = [self._root]
        seen = 0
        for depth in range(DEEPEST + 1):
            below: list[Path] = []
            for folder in level:
                stopping.check()
                seen += 1
                if seen > MOST_FOLDERS or len(found) == MOST:
                    return sorted(found), False
                names, folders = _content(folder)
                if JOB in names and {STATE, LOG} & names:
                    found.append(folder.relative_to(self._root).as_posix())
                elif depth < DEEPEST:
                    below += [folder / name for name in sorted(folders)]
            level = below
        return sorted(found), True

    def folder(self, name: str) -> Path:
        """The folder of a run.

        Raises:
            Refused: if there is no such run below the root.
        """
        parts = name.split("/") if name not in ("", ".") else []
        folder = self._root
        for place, part in enumerate(parts):
            # Each name must be one that the folder above lists, which ".." is not.
            if place == DEEPEST or part not in _content(folder)[1]:
                raise Refused(f"there is no run {name!r:.80} below {self._root}", 404)
            folder /= part
        names = _content(folder)[0]
        if JOB not in names or not {STATE, LOG} & names:
            raise Refused(f"there is no run {name!r:.80} below {self._root}", 404)
        return folder

    def _line(self, name: str) -> dict[str, Any]:
        folder = self._root / name
        stopping.check()
        try:
            stamp = _stamp(folder)
            known = self._heads.get(name)
            if known is None or known[0] != stamp or not known[1]["begun"]:
                with _checked(folder):
                    known = self._heads[name] = (stamp, _head(_load(folder)))
        except BadInput as error:
            return {"name": name, "fault": str(error)}
        return {"name": name, "running": is_running(folder), **known[1]}

    def _run(self, name: str, folder: Path) -> Run:
        """A run as it is now, read again only if its files have changed."""
        stamp = _stamp(folder)
        with self._lock:
            known = self._kept.pop(name, None)
        # Whether a run without a state is a run at all depends on its process.
        if known is None or known[0] != stamp or not (folder / STATE).exists():
            known = (stamp, _load(folder))
        with self._lock:
            self._kept[name] = known
            while len(self._kept) > MOST_WATCHED:
                self._kept.popitem(last=False)
        return known[1]

    def progress(self, query: Query, seen: str = "") -> dict[str, Any]:
        """How far runs are, and what there is to draw of them.

        Args:
            query: the runs by name; or else filters, for all the runs that have begun and pass.
            seen: the ``stamp`` of the answer before; nothing is to be drawn if it is still the
                same.

        Raises:
            Refused: if no such run is there.
            BadInput: if one is damaged.
        """
        names = [name or "." for name in query.get("run", ())]
        if not names:
            names = [one["name"] for one in self.listed(query)["runs"] if one.get("begun")]
        if not names:
            raise Refused("no run that has begun was chosen", 404)
        if len(names) > MOST_WATCHED or len({*names}) < len(names):
            raise Refused(f"up to {MOST_WATCHED} runs are watched, each once: choose fewer", 400)
        heads, runs = [], []
        for name in names:
            folder = self.folder(name)
            # Looked at first: a run that ends meanwhile is then looked at once more.
            running = is_running(folder)
            with _checked(folder):
                run = self._run(name, folder)
                heads.append(
                    {
                        **_head(run),
                        "name": name,
                        "resume": shlex.join(["gafreecell", "resume", _argument(name)]),
                        "running": running,
                        "asked": stop_request.is_asked(folder),
                        "left": time_left(run) if running else "",
                        "costs": _costs(run),
                        "lines": [_entry(line) for line in run.lines[-LAST:]],
                    }
                )
            runs += [run] * bool(run.lines)
        stamp = f"{crc32(repr([(one['name'], one['generation']) for one in heads]).encode()):x}"
        found = {"runs": heads, "stamp": stamp, "charts": None}
        if stamp == seen or not runs:
            return found
        with _checked(runs[0].folder):
            return {**found, "charts": charts([*named(runs).values()])}

    def weights(self, name: str) -> str:
        """The best weights of a run, as ``gafreecell export`` writes them.

        Raises:
            Refused: if there is no such run.
            BadInput: if it has none yet, or is damaged.
        """
        folder = self.folder(name)
        with _checked(folder):
            run = self._run(name, folder)
            return described(run.weights, run.job.load_game()).to_text()

    def reported(self, names: Sequence[str], changed: bool) -> str | None:
        """The page about runs that was made before; None if there is none.

        Args:
            names: the runs.
            changed: whether it may be older than the files of the runs.

        Raises:
            Refused: if no run is named, or there is no such run.
        """
        stamps = [_stamp(folder) for folder in self._chosen(names)]
        made = self._reports.get(tuple(names))
        return made[1] if made and (changed or made[0] == stamps) else None

    def reporting(self, names: Sequence[str]) -> dict[str, Any]:
        """How far the report is that is being made about runs."""
        return self._reporting.get(tuple(names), {"what": "", "done": 0, "total": 0})

    def _chosen(self, names: Sequence[str]) -> list[Path]:
        if not names:
            raise Refused(
                "choose a run first: tick the box of one run, or of several to compare", 400
            )
        if len(names) > MOST_REPORTED or len({*names}) < len(names):
            raise Refused(f"a report takes up to {MOST_REPORTED} runs, each once", 400)
        return [self.folder(name) for name in names]

    def report(self, names: Sequence[str]) -> None:
        """Make the page about runs, as ``gafreecell report`` does, and keep it for ``reported``.

        Raises:
            Refused: if no run is named, or there is no such run.
            BadInput: if they cannot be compared, or one of them is damaged.
        """
        from gafreecell.pages.report import report, report_page

        chosen, stamps, key = [], [], tuple(names)
        for name, folder in zip(names, self._chosen(names), strict=True):
            stamps.append(_stamp(folder))
            with _checked(folder):
                chosen.append(self._run(name, folder))

        def tell(what: str, done: int, total: int) -> None:
            self._reporting[key] = {"what": what, "done": done, "total": total}

        def measured(done: int, total: int) -> None:
            if done < total:
                tell("Deals that the solvers of all generations have tried", done, total)
            else:
                tell("Drawing the figures", 0, 0)

        @contextmanager
        def watch(name: str, total: int) -> Iterator[Callable[[int, bool], None]]:
            done = count(1)
            yield lambda *_: tell(f"Deals that {name} has tried", next(done), total)

        words = [
            "gafreecell",
            "report",
            *(_argument(str(run.folder.relative_to(self._root))) for run in chosen),
        ]
        try:
            told = report(
                chosen,
                command=shlex.join([*words, "-o", "report.html"]),
                watch=watch,
                on_progress=measured,
            )
        finally:
            self._reporting.pop(key, None)
        links = {"All runs": "/runs", **{name: f"/runs/{quote(name)}" for name in names}}
        self._reports[key] = (stamps, report_page(told, links))
        while len(self._reports) > KEPT:
            self._reports.popitem(last=False)

    def stop(self, name: str) -> None:
        """Ask a run to stop.

        Raises:
            Refused: if it is not running.
        """
        folder = self.folder(name)
        if not is_running(folder):
            raise Refused(f"the run {name!r:.80} is not running, so there is nothing to stop", 409)
        try:
            stop_request.ask(folder)
        except OSError as error:
            raise Refused(f"cannot write to {folder}: {error.strerror}", 409) from None


def _study(name: str) -> str:
    """The folder that a run lies in, which may be that of a study."""
    return name.rpartition("/")[0]


def _passes(line: Mapping[str, Any], query: Query) -> bool:
    """Whether a line of the list has one of the wanted values of each filter."""
    wanted = {name: {*filter(None, query.get(name, ()))} for name in FILTERS}
    return all(not one or str(line.get(name, "")) in one for name, one in wanted.items())


def _argument(name: str) -> str:
    """The path of a run as a word of a command; none is taken for an option."""
    return f"./{name}" if name.startswith("-") else name


def _load(folder: Path) -> Run:
    """A run; one that is being set up, and has no state yet, is at generation 0."""
    if not (folder / STATE).exists() and is_running(folder):
        return Run(folder, job_of(folder), State(0), [])
    return load(folder)


def _content(folder: Path) -> tuple[set[str], set[str]]:
    """The names of a folder's plain files, and of the folders in it that may hold runs."""
    files, folders = set(), set()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if _UNSPEAKABLE.search(entry.name):
                    # It cannot stand in a page or an address.
                    continue
                if entry.is_file(follow_symlinks=False):
                    files.add(entry.name)
                elif (
                    entry.is_dir(follow_symlinks=False)
                    and not entry.name.startswith(".")
                    and entry.name not in _SKIPPED
                ):
                    folders.add(entry.name)
    except OSError:
        # What cannot be read is passed over.
        return set(), set()
    return files, folders


def _stamp(folder: Path) -> Stamp:
    """What changes whenever the files of a run do.

    Raises:
        RunError: if a file is a link, a device or too large to be read.
    """
    found: list[Any] = []
    for name, most in _LONGEST.items():
        try:
            kept = (folder / name).lstat()
        except FileNotFoundError:
            found.append(None)
            continue
        except OSError as error:
            raise RunError(f"cannot read {folder / name}: {error.strerror}") from None
        if not stat.S_ISREG(kept.st_mode):
            raise RunError(f"{folder / name} is not a plain file: replace it by one")
        if kept.st_size > most:
            raise RunError(
                f"{folder / name} has {kept.st_size:,} bytes, more than {most:,}: use 'gafreecell "
                "show' for this run"
            )
        found.append((kept.st_ino, kept.st_mtime_ns, kept.st_size))
    return tuple(found)


@contextmanager
def _checked(folder: Path) -> Iterator[None]:
    """Turn what wrong values in a run's files may raise into a message."""
    try:
        yield
    except BadInput:
        raise
    except (
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise RunError(
            f"{folder} is damaged ({type(error).__name__}: {error!s:.80}): restore it from a copy"
        ) from None


def _head(run: Run) -> dict[str, Any]:
    """A run in a few words."""
    job, champion = run.job, run.state.champion
    game = job.load_game()
    best = ""
    if champion is not None:
        nodes = f", {champion.nodes:,.0f} nodes on average" if champion.solved else ""
        best = f"generation {champion.generation}: {validated(job, champion.solved)}{nodes}"
    return {
        "job": job.name,
        "game": full_title(game),
        "trainer": job.trainer,
        "scheme": job.scheme,
        "seed": job.seed,
        "generation": run.generation,
        "begun": (run.folder / STATE).exists(),
        "generations": job.generations,
        "ending": run.ending,
        "share": share_done(run),
        "best": best,
        "validation": shorten(job.deals.validation, 40, placeholder="..."),
        "solved": None if champion is None else champion.solved,
        "nodes": champion.nodes if champion and champion.solved else None,
    }


def share_done(run: Run) -> float:
    """How far a run is on its way to the nearest end that can be foreseen, from 0 to 1."""
    if run.finished:
        return 1.0
    share, most = run.generation / run.job.generations, run.job.stop.evaluations
    spent = sum(line["evaluations"] for line in run.lines) if most else 0
    return max(share, spent / most) if most else share


def time_left(run: Run) -> str:
    """How long the generations to come will take; empty if that is not known yet."""
    # Compiling makes the first one longer, and one after each interruption.
    times = [line["machine"]["seconds"] for line in run.lines[1:][-LAST:]]
    if not times or run.finished:
        return ""
    return duration(median(times) * run.generation * (1 / share_done(run) - 1))


def _costs(run: Run) -> dict[str, Any]:
    """What a run has cost; without what its log does not say."""
    told = costs_of(run.lines)
    if not told:
        return {
            "evaluations": sum(line["evaluations"] for line in run.lines),
            "nodes": sum(line["nodes"] for line in run.lines),
        }
    whole = in_all(told)
    shares = [
        f"{purpose} {100 * one.nodes / whole.nodes:.0f} %"
        for purpose, one in told.items()
        if whole.nodes
    ]
    return {
        "evaluations": whole.evaluations,
        "nodes": whole.nodes,
        "time": duration(whole.seconds),
        "shares": ", ".join(shares),
    }


def _entry(line: Mapping[str, Any]) -> dict[str, Any]:
    """What a page shows of a line of the log."""
    solvers, problems = line["solvers"], line["problems"] or {}
    return {
        "generation": line["generation"],
        "value": line["validation"]["value"],
        "best": solvers["best"],
        "mean": solvers["mean"],
        # A scheme may tell the log other things about its problems.
        "problems": problems.get("mean"),
        "solved": line["solved"],
        "evaluations": line["evaluations"],
        "seconds": line["machine"]["seconds"],
    }
