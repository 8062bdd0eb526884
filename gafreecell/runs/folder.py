"""The files of a run folder, written so that a run killed at any moment can be resumed.

A generation is written to the log first and to the state last, each in one step. Generations in
the log beyond the state are run again.

The state has checksums of itself, of the job and of the logs up to its generation. Files that do
not match are refused, unless the user takes them as they are.
"""

from __future__ import annotations

import errno
import json
import os
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from deals.errors import BadInput
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.job_reading import parse_job, parse_toml
from gafreecell.evolution.log_lines import line_fault
from gafreecell.evolution.parts import State, check_state
from gafreecell.evolution.validation import Champion
from gafreecell.installed import VERSION, shipped
from gafreecell.solving import checksums
from gafreecell.solving.files import naming, read_text, write_atomically
from gafreecell.solving.formats import Document, Format
from gafreecell.workers import unfinished

JOB, STATE, LOG, BEST, LOCK = "job.toml", "state.json", "log.jsonl", "weights/best.json", "lock"
VALIDATED = "validation.jsonl"
STUDY = "study.toml"
"""The plan in the folder of a study, which has the folders of its runs in it."""
_VALUES = ("generation", "value", "solved", "nodes")
"""The keys of a line of ``VALIDATED``."""
Lines = list[dict[str, Any]]
MACHINE = "machine"
"""The key of the log for what may differ between machines, with a checksum of its own."""


class RunError(BadInput):
    """A run folder that cannot be used; the message says why and what to do."""


class InUse(RunError):
    """A run folder that another process works in."""


FORMAT = Format("gafreecell-run", "the state of a run", version=4)


UNWRITABLE = {
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO
}  # fmt: skip
"""A file that the user can make room for, or make writable."""
LOCK_SECONDS = 1.0
"""How long a lock is waited for: whoever looks whether a run works holds it for a moment."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; the operating system releases it if the process dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        lock = FileLock(folder / LOCK)
        lock.acquire(timeout=LOCK_SECONDS)
    except Timeout:
        raise InUse(f"{folder} is in use by another process: wait for it, or stop it") from None
    except OSError as error:
        raise RunError(f"cannot write to {folder}: {error.strerror or error}") from None
    try:
        _tidy(folder)
        yield
    except OSError as error:
        name = str(error.filename or "")
        if error.errno not in UNWRITABLE or not name.startswith(str(folder)):
            raise
        again = f"resume the run with 'gafreecell resume {folder}', which loses no saved generation"
        raise RunError(
            f"cannot write {name}: {error.strerror}: free some space, or make it writable, then "
            + (again if (folder / STATE).exists() else f"begin the run {folder} again")
        ) from None
    finally:
        lock.release()


_looking = threading.Lock()


def is_running(folder: Path) -> bool:
    """Whether a process works on a run: it then holds the lock of the folder."""
    if not (folder / LOCK).is_file():
        return False
    lock = FileLock(folder / LOCK)
    # Two that look at once would take each other for the run.
    with _looking:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        except OSError:
            # Nobody can work in a folder that cannot be written to.
            return False
        lock.release()
    return False


def _tidy(folder: Path) -> None:
    """Remove temporary files of a process that was killed while it replaced a file."""
    # Exports are beside the best weights; ``tempfile`` makes the last part of the names.
    for name in (JOB, STATE, LOG, VALIDATED, unfinished.FILE, "weights/*.json"):
        directory, _, last = name.rpartition("/")
        for path in (folder / directory).glob(f".{last}.????????"):
            path.unlink(missing_ok=True)


@dataclass
class LogChecksums:
    """Checksums of the logs' lines, without what may differ between machines."""

    log: str = checksums.NO_LINES
    validation: str = checksums.NO_LINES

    def add(self, lines: Iterable[Mapping[str, Any]], validated: Iterable[Any]) -> None:
        """Include further lines of both logs."""
        lasting = ({key: line[key] for key in line if key != MACHINE} for line in lines)
        self.log = checksums.of_lines(lasting, self.log)
        self.validation = checksums.of_lines(validated, self.validation)


class Logs:
    """Both logs of a run at work: whoever else removes or changes one is noticed at once.

    Args:
        folder: the run's folder.
        lines, validated: what the logs hold; the run adds to these lists what it appends.

    Attributes:
        checksums: of the lines.
    """

    def __init__(self, folder: Path, lines: Lines, validated: Lines) -> None:
        self._folder, self._lines, self._validated = folder, lines, validated
        self.checksums = LogChecksums()
        self.checksums.add(lines, validated)
        self._sizes = {name: _size(folder / name) for name in (LOG, VALIDATED)}

    def check(self) -> None:
        """Raise ``RunError`` unless both logs are as the run left them, and write them anew.

        What was found in the place of one is kept beside it.
        """
        if not self._folder.is_dir():
            raise RunError(f"{self._folder} was removed while the run worked: begin a new run")
        for name, size in self._sizes.items():
            path = self._folder / name
            if _size(path) == size:
                continue
            done, beside = "removed", ""
            if path.exists():
                kept = unused(path.with_name(f"{name}.before"))
                done, beside = "changed", f"; what was there is now {kept.name}"
                os.replace(path, kept)
            write_logs(self._folder, self._lines, self._validated)
            raise RunError(
                f"{path} was {done} while the run worked, so the run stopped and wrote it anew"
                f"{beside}: continue with 'gafreecell resume {self._folder}'"
            )

    def append(self, line: Mapping[str, Any], validated: Mapping[str, Any]) -> None:
        """Append a generation's line to each log."""
        for name, further in ((LOG, line), (VALIDATED, validated)):
            path = self._folder / name
            with naming(path), path.open("a", encoding="utf-8") as file:
                file.write(_line(further))
                file.flush()
                os.fsync(file.fileno())
            self._sizes[name] = _size(path)
        self.checksums.add([line], [validated])


def _line(entry: Mapping[str, Any]) -> str:
    """A line of a log."""
    return json.dumps(entry) + "\n"


def _size(path: Path) -> int:
    """The size of a file in bytes, -1 if there is none."""
    return path.stat().st_size if path.is_file() else -1


def save_state(folder: Path, job: Job, engine: str, state: State, logs: LogChecksums) -> None:
    """Replace the state in one step; the engine is that of the run's own game."""
    document = {
        "format": FORMAT.head,
        "package": VERSION,
        "game": job.game,
        "engine": engine,
        "job": job.digest,
        "generation": state.generation,
        "trainer": state.trainer,
        "scheme": state.scheme,
        "champion": asdict(state.champion) if state.champion else None,
        "logs": asdict(logs),
    }
    _write_state(folder, document)


def _write_state(folder: Path, document: Document) -> None:
    write_atomically(folder / STATE, json.dumps(checksums.sealed(document)) + "\n")


def write_logs(folder: Path, lines: Lines, validated: Lines) -> None:
    """Replace both logs."""
    lines = [{**line, MACHINE: checksums.sealed(line[MACHINE])} for line in lines]
    for name, kept in ((LOG, lines), (VALIDATED, validated)):
        write_atomically(folder / name, "".join(map(_line, kept)))


def engine_of(folder: Path) -> Any:
    """The engine that made a run."""
    return FORMAT.read(_read_json(folder / STATE), RunError).get("engine")


def version_of(folder: Path) -> str:
    """The version of gafreecell that wrote a run's state last."""
    return str(FORMAT.read(_read_json(folder / STATE), RunError).get("package", "unknown"))


def renew_checksums(folder: Path) -> list[str]:
    """Take a run's files as they are: write new checksums of those that do not match theirs.

    Returns:
        The names of these files.

    Raises:
        RunError: as ``read_folder`` does, or if the folder is in use.
    """
    if not read_folder(folder, force=True).changed:
        return []
    with locked(folder):
        kept = read_folder(folder, force=True)
        write_logs(folder, kept.lines, kept.validated)
        renewed = {"job": kept.job.digest, "logs": asdict(kept.logs)}
        _write_state(folder, kept.written | renewed)
    return kept.changed


@dataclass(frozen=True)
class Kept:
    """What a run folder holds.

    Attributes:
        written: the state as it is in the file.
        job: the job.
        state: the state.
        lines: the log.
        validated: the results of each generation's best on the validation deals.
        logs: the checksums of the lines.
        changed: names of files that do not match their checksums.
    """

    written: Document
    job: Job
    state: State
    lines: Lines
    validated: Lines
    logs: LogChecksums
    changed: list[str]


def read_folder(folder: Path, force: bool = False) -> Kept:
    """Read a run folder.

    Args:
        folder: its path.
        force: whether to take files that do not match their checksums.

    Raises:
        RunError: if the folder holds no run or a damaged one; nothing is changed.
    """
    _check_holds_run(folder)
    changed: list[str] = []

    def check(matches: bool, name: str, why: str = _CHANGED) -> None:
        if not matches and not force:
            raise RunError(
                f"{folder / name} {why}; 'gafreecell resume {folder} --force' takes it as it is"
            )
        if not matches:
            changed.append(name)

    try:
        document = FORMAT.read(_read_json(folder / STATE), RunError)
    except RunError as error:
        raise RunError(f"{folder / STATE}: {error}") from None
    check(checksums.matches(document), STATE)
    try:
        job = job_of(folder)
    except JobError as error:
        raise RunError(str(error)) from None
    try:
        state, began = _state(document), document["job"]
        noted = LogChecksums(**document["logs"])
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{folder / STATE} is damaged: {error}") from None
    # Checked first, because a state fits only its own job. The state holds only a hash of the job,
    # so which key changed is not known. If a part is not installed, the defaults of its keys are
    # not known, and so neither is what the hash must be.
    check(began == job.digest or job.unknown, JOB, _JOB_CHANGED)
    try:
        check_state(job, state)
    except JobError as error:
        raise RunError(f"{folder / JOB}: {error}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{folder / STATE} is damaged: {error}") from None
    lines = _read_log(folder / LOG, state.generation, len(job.genes))
    validated = _read_validated(folder / VALIDATED, state.generation)
    logs = LogChecksums()
    logs.add(lines, validated)
    check(all(checksums.matches(line[MACHINE]) for line in lines) and noted.log == logs.log, LOG)
    check(noted.validation == logs.validation, VALIDATED)
    return Kept(document, job, state, lines, validated, logs, changed)


_CHANGED = "does not match its checksum, so it was damaged or changed: restore it from a copy"
_JOB_CHANGED = (
    "was changed since the run began: restore it to resume; only generations, hall_of_fame, "
    "[stop] and [exports] may change"
)


def _check_holds_run(folder: Path) -> None:
    """Refuse a folder without a run."""
    if not folder.is_dir():
        what = "it is a file" if folder.exists() else "there is no such directory"
        raise RunError(f"{folder} is not a run folder: {what}{shipped.hint(folder)}")
    if not (folder / STATE).is_file():
        if (folder / JOB).is_file() and (folder / LOG).is_file():
            raise RunError(
                f"{folder} holds no run yet, because it was stopped before it was set up: begin "
                f"again with 'gafreecell evolve {folder / JOB} --out {folder}'"
            )
        check_no_study(folder)
        below = sorted(str(one.parent) for one in folder.glob(f"*/{STATE}"))
        mend = f"; name one of the runs in it: {', '.join(below[:5])}" if below else ""
        raise RunError(f"{folder} holds no run: it has no {STATE}{mend}")


def check_no_study(folder: Path) -> None:
    """Refuse the folder of a study, where a run's was asked for."""
    if (folder / STUDY).is_file():
        raise RunError(
            f"{folder} holds a study, not a run: name one of the runs in it; to go on with the "
            f"study: gafreecell study {folder}"
        )


def job_of(folder: Path) -> Job:
    """The job of a run that may not be set up yet.

    Raises:
        JobError: if it cannot be read.
    """
    path = folder / JOB
    text = read_text(path, "a job file (TOML)", JobError)
    _check_whole(parse_toml(text, str(path)), path)
    return parse_job(text, str(path), kept=True)


def unused(path: Path) -> Path:
    """The path, or a similar one if it exists."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}{number}")
    return free


def _check_whole(table: Mapping[str, Any], path: Path) -> None:
    """Refuse a run's job that would read its weights elsewhere; a run keeps them in its job."""
    phases = table.get("phases")
    for name, phase in phases.items() if isinstance(phases, Mapping) else ():
        if isinstance(phase, Mapping) and phase.get("file") and not phase.get("weights"):
            raise JobError(
                f"{path}: phases.{name} has a file and no weights, but the job of a run holds the "
                "weights of all phases: restore it"
            )


def _state(document: Document) -> State:
    kept = document["champion"]
    champion = Champion.from_document(kept) if kept is not None else None
    trainer, scheme = dict(document["trainer"]), dict(document["scheme"])
    return State(int(document["generation"]), trainer, scheme, champion)


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None


def _read_json(path: Path) -> Any:
    try:
        return json.loads(_bytes_of(path).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise RunError(
            f"{path} is damaged ({error}): restore it from a copy, or start a new run elsewhere"
        ) from None


def _read_log(path: Path, generations: int, genes: int) -> Lines:
    """The log's lines up to a generation; a half-written or later end is left out."""
    lines: Lines = []
    for number, line in enumerate(_bytes_of(path).split(b"\n"), start=1):
        if len(lines) == generations:
            break
        try:
            entry = json.loads(line)
            fault = line_fault(entry, number, genes)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            fault = f"it is not the log of generation {number}"
        if fault:
            raise RunError(
                f"{path}, line {number} is damaged: {fault}: restore the file from a copy, or "
                "correct that value"
            )
        lines.append(entry)
    if len(lines) < generations:
        raise RunError(f"{path} ends at generation {len(lines)}, but the state is at {generations}")
    return lines


def _read_validated(path: Path, generations: int) -> Lines:
    """The values of validation up to a generation, of which there may be none.

    Later lines are left out, because their generations will be run again.
    """
    lines: Lines = []
    mend = "restore it from a copy, or remove it and resume with --force"
    texts = _bytes_of(path).split(b"\n") if path.exists() else []
    for number, text in enumerate(texts, start=1):
        if lines and lines[-1]["generation"] >= generations:
            break
        try:
            line = json.loads(text)
            numbers = all(isinstance(line[key], int | float) for key in _VALUES)
            if not numbers or (lines and line["generation"] <= lines[-1]["generation"]):
                raise ValueError
        except RecursionError as error:
            raise RunError(f"{path}, {error}: {mend}") from None
        except (ValueError, KeyError, TypeError):
            if number == len(texts):
                # Half a line, or nothing behind the last newline.
                break
            fault = f"line {number} does not hold a generation's validation"
            raise RunError(f"{path}, {fault}: {mend}") from None
        lines.append(line)
    return [line for line in lines if line["generation"] <= generations]
