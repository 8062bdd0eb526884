"""Reads jobs from files, texts and mappings; ``job_checks`` checks them.

Messages name the file, the line, the key, the value and what is allowed.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from deals.errors import BadInput
from gafreecell.evolution.job import ChangeError, Job, JobError, job_error, naming, part_tables
from gafreecell.evolution.job_checks import check_overlap, check_parts, completed, with_options
from gafreecell.installed import shipped
from gafreecell.solitaire.game import DEFAULT
from gafreecell.solving.files import read_text
from gafreecell.solving.outcome import BEST_FIRST, PHASE_RULES, Evaluator
from gafreecell.solving.settings import as_table, build, merged
from gafreecell.solving.weights import check_game, read_weights

_TABLE = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?")
_SETTING = re.compile(r"\s*((?:[\w.\- \t]|\"[^\"]*\"|'[^']*')+?)\s*=")
_LONG = ('"""', "'''")
KeyPath = tuple[str, ...]


def read_job(path: str | os.PathLike[str]) -> Job:
    """Read and check a job file.

    Args:
        path: of the TOML file.

    Raises:
        JobError: naming the file, the key, the value and what is allowed.
    """
    return parse_job(_text_of(path), str(path))


def parse_job(
    text: str, name: str, changes: Mapping[str, Any] | None = None, kept: bool = False
) -> Job:
    """Read and check a job's text.

    Args:
        text: TOML.
        name: the text's name in messages; files in it are relative to its folder.
        changes: values that replace the text's, by key; tables are changed key by key.
        kept: whether it is the job of an existing run, as for ``kept_job``.

    Raises:
        ChangeError: if the text is right and the changes are not.
        JobError: naming the line or key, the value and what is allowed.
    """
    table, folder = parse_toml(text, name), Path(name).parent
    make = kept_job if kept else make_job
    try:
        return make(table_with_phases(merged(table, changes or {}), folder))
    except JobError as error:
        if changes and not _fails(table, folder, error.key):
            raise ChangeError(str(error), error.key) from None
        line = KeyLines(text, table).line_of(error.key)
        where = f", line {line}" if line else ""
        raise JobError(f"{name}{where}: {error}", error.key) from None


def _fails(table: dict[str, Any], folder: Path, key: str) -> bool:
    """Whether a table is at fault in the same key without any changes."""
    try:
        make_job(table_with_phases(table, folder))
    except JobError as error:
        return error.key == key
    return False


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """The table in a TOML text; ``JobError`` naming the line if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise JobError(f"{name}: not TOML: {error}") from None


def make_job(job: Job | Mapping[str, Any], **changes: Any) -> Job:
    """A checked job with the defaults of the game and of parts of one's own filled in.

    Args:
        job: a job, or its keys and tables as a mapping; files that it names are relative to the
            working directory.
        changes: values to replace, by key; a mapping changes a table key by key, and an empty one
            empties it.

    Raises:
        JobError: naming the key, the value and what is allowed.
    """
    made = _made(_table_of(job, changes))
    try:
        check_overlap(made)
        check_parts(made)
    except BadInput as error:
        raise job_error(error) from None
    return with_options(made)


def kept_job(job: Job | Mapping[str, Any], **changes: Any) -> Job:
    """Like ``make_job``, but without ``check_parts``.

    Use it for the job of an existing run, which was checked when the run began. Plug-ins that the
    run was made with need not be installed to read it: it then has their tables as mappings.
    """
    table = _table_of(job, changes)
    known = {*part_tables(table), *(spec.name for spec in fields(Job))}
    gone = {
        name: table.pop(name)
        for name, given in list(table.items())
        if name not in known and isinstance(given, Mapping)
    }
    made = _made(table)
    return replace(made, tables={**made.tables, **gone})


def _table_of(job: Job | Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    table = merged(as_table(job) if isinstance(job, Job) else job, changes)
    return table_with_phases(table, Path())


def _made(table: Mapping[str, Any]) -> Job:
    """The job of a table, without ``check_parts``."""
    try:
        return completed(build(Job, table))
    except BadInput as error:
        raise job_error(error) from None


def table_with_phases(table: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A job's table with the files of earlier phases replaced by the weights in them.

    Raises:
        JobError: naming the phase.
    """
    phases = table.get("phases")
    if not isinstance(phases, Mapping):
        return table
    read = {}
    for name, phase in phases.items():
        where = f"phases.{name}.file"
        file = phase.get("file") if isinstance(phase, Mapping) else None
        if not file or phase.get("weights"):
            read[name] = phase
            continue
        if not isinstance(file, str):
            raise JobError.at(where, f" must be the path of a file, got {file!r:.60}")
        path = folder / file
        if path.is_dir():
            # A run folder.
            path = path / "weights" / "best.json"
        weights = naming(where, partial(read_weights, path))
        naming(where, partial(check_game, weights, str(table.get("game", DEFAULT)), str(path)))
        given = weights.evaluator or Evaluator((), ())
        rule = weights.search.parameters.get("rule", BEST_FIRST)
        if given.phases:
            rule = given.phases[-1].rule
        if rule not in PHASE_RULES and "rule" not in phase:
            raise JobError.at(
                where,
                f": {path}: search.parameters.rule must be {' or '.join(PHASE_RULES)}, got "
                f"{rule!r:.40}",
            )
        row = dict(zip(given.features, given.rows[-1], strict=True))
        # Features of a schedule's other phases have weight 0 here.
        row = {feature: weight for feature, weight in row.items() if weight}
        if not row:
            raise JobError.at(where, f": {file!r} holds no weights")
        read[name] = {"rule": rule, **phase, "weights": row}
    return {**table, "phases": read}


def job_from(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The keys of a job file, unchecked, with the weights that it names read from their files.

    Raises:
        JobError: if the file cannot be read or is not TOML.
    """
    return table_with_phases(parse_toml(_text_of(path), str(path)), Path(path).parent)


def load_job(
    job: Job | Mapping[str, Any] | str | os.PathLike[str], changes: Mapping[str, Any]
) -> Job:
    """A checked job from a job, a mapping, or the path of a file."""
    if isinstance(job, Job | Mapping):
        return make_job(job, **changes)
    if not isinstance(job, str | os.PathLike):
        raise JobError(
            f"a job must be a gafreecell.Job, a mapping or the path of a file, got {job!r:.60}"
        )
    return parse_job(_text_of(job), str(job), changes)


def _text_of(path: str | os.PathLike[str]) -> str:
    try:
        return read_text(path, "a job file (TOML)", JobError)
    except JobError as error:
        hint = shipped.hint(path) if isinstance(path, str | os.PathLike) else ""
        raise JobError(f"{error}{hint}") from None


class KeyLines:
    """The lines of the keys of a text, found in one pass, as the parser gives no positions.

    Args:
        text: TOML that can be read.
        table: what it holds. A line that looks like a setting may set no key, as in a list.
    """

    def __init__(self, text: str, table: Mapping[str, Any]) -> None:
        self._lines: dict[KeyPath, int] = {}
        within: KeyPath = ()
        closing = ""
        for number, line in enumerate(text.split("\n"), start=1):
            if closing:
                closing = "" if closing in line else closing
                continue
            # A text of several lines begins.
            closing = next((mark for mark in _LONG if line.count(mark) % 2), "")
            if header := _TABLE.fullmatch(line):
                path = _path_of(header[1])
                if _holds(table, path):
                    within = path
                    self._lines.setdefault(path, number)
            elif setting := _SETTING.match(line):
                path = within + _path_of(setting[1])
                if _holds(table, path):
                    for end in range(len(within) + 1, len(path) + 1):
                        self._lines.setdefault(path[:end], number)

    def line_of(self, key: str) -> int:
        """The line of a key's dotted path, or of the table around it; 0 if there is none."""
        path = tuple(key.split("."))
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 0)


def _path_of(written: str) -> KeyPath:
    """The path of a key as TOML writes it; empty if it is none."""
    try:
        found: Any = tomllib.loads(f"{written} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    path = []
    while isinstance(found, dict):
        ((key, found),) = found.items()
        path.append(key)
    return tuple(path)


def _holds(table: Any, path: KeyPath) -> bool:
    for key in path:
        if not isinstance(table, Mapping) or key not in table:
            return False
        table = table[key]
    return bool(path)
