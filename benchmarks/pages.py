"""Helpers of the benchmarks: fill in pages, keep outcomes in files, write numbers as text."""

from __future__ import annotations

import csv
import gzip
import io
import json
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, fields
from itertools import chain, zip_longest
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gafreecell.comparing.statistics import holm, student, t_test, wilson
from gafreecell.solving.files import write_atomically
from gafreecell.terminal.tables import rounded

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

RESULTS = Path("docs/results")
"""The pages of results."""
Column = tuple[list[str], list[float]]
"""What came of deals in order, and the seconds."""
Outcomes = dict[str, Column]
"""The columns of a table of outcomes."""
Line = TypeVar("Line", bound="DataclassInstance")


def page_of(target: str) -> Path:
    """The page of results that has the marks of ``make target``."""
    mark = f"<!-- tables by make {target} -->\n"
    (page,) = (one for one in RESULTS.glob("*.md") if mark in one.read_text(encoding="utf-8"))
    return page


def fill(target: str, text: str, page: Path | None = None) -> None:
    """Put a text between the marks of ``make target`` in a page, by default one of results."""
    page = page or page_of(target)
    first, last = f"<!-- tables by make {target} -->\n", f"<!-- end of {target} -->\n"
    head, found, rest = page.read_text(encoding="utf-8").partition(first)
    _, ended, tail = rest.partition(last)
    assert found and ended, f"{page} lacks the marks of {target}"
    write_atomically(page, f"{head}{first}\n{text}\n\n{last}{tail}")
    print(f"wrote {page}", file=sys.stderr)


def tabled(target: str) -> dict[str, list[str]]:
    """The rows of the table that ``make target`` wrote to results: by first cell, the others."""
    text = page_of(target).read_text(encoding="utf-8")
    lines = text.partition(f"tables by make {target} -->")[2].partition("<!-- end")[0].split("\n")
    rows = [line.strip("|").split("|") for line in lines if line.startswith("|")][2:]
    return {first.strip(): [cell.strip() for cell in rest] for first, *rest in rows}


def solved(file: Path, *arguments: str) -> Iterator[dict[str, Any]]:
    """The output of ``gafreecell solve``, kept in a file from which an interrupted run resumes."""
    yield from written(file, "solve", *arguments, "--format", "jsonl")


def written(file: Path, *words: str) -> Iterator[dict[str, Any]]:
    """The output of a command, kept in a file from which an interrupted run resumes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "gafreecell", *words, "-o", str(file), "--resume"]
    done = subprocess.run(command, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.returncode)
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def spent_by(
    command: Sequence[str], given: str | None = None, *, check: bool = True
) -> tuple[float, str]:
    """The processor seconds of another program, and its output.

    Args:
        command: the program and its arguments.
        given: its standard input, as a pipe; None for ours.
        check: whether an exit status other than 0 raises.
    """
    before = _seconds_of_children()
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=check)
    return _seconds_of_children() - before, done.stdout


def _seconds_of_children() -> float:
    """Processor seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def results_of(games: Iterable[Mapping[str, Any]]) -> Column:
    """What came of each game that ``gafreecell play`` played: ``won`` or ``lost``."""
    found = [("won" if game["won"] else "lost", game["seconds"]) for game in games]
    return [result for result, _ in found], [seconds for _, seconds in found]


def wins(column: Column) -> NDArray[np.float64]:
    """For each game of a column 1.0 if it was won, else 0.0."""
    return np.array([float(result == "won") for result in column[0]])


def won_cells(won: int, games: int, seconds: float) -> list[str]:
    """Cells: the games won in per cent, their 99 % interval, the games, the seconds of one."""
    low, high = (100 * end for end in wilson(won, games, 0.99))
    return [f"{100 * won / games:.2f}", f"{low:.2f} to {high:.2f}", f"{games:,}", rounded(seconds)]


def write_outcomes(file: Path, deals: range, outcomes: Outcomes, rounding: str = "{:.4f}") -> None:
    """Put outcomes into a compressed table, the same bytes for the same outcomes.

    A kill leaves the old table.

    Args:
        file: the table.
        deals: all deals; a column may end before the last of them.
        outcomes: the columns.
        rounding: how seconds are written.
    """
    assert all(len(results) <= len(deals) for results, _ in outcomes.values())
    file.parent.mkdir(exist_ok=True)
    columns: list[Iterable[object]] = [deals]
    for results, seconds in outcomes.values():
        columns += [results, map(rounding.format, seconds)]
    part = file.with_name(f".{file.name}.part")
    with (
        part.open("wb") as raw,
        gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as packed,
        io.TextIOWrapper(packed, "utf-8", newline="") as text,
    ):
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["deal", *chain(*([name, f"{name}, seconds"] for name in outcomes))])
        writer.writerows(zip_longest(*columns, fillvalue=""))
    part.replace(file)
    print(f"wrote {file}", file=sys.stderr)


def read_outcomes(file: Path) -> Outcomes:
    """The outcomes of a compressed table; none if it was never made."""
    if not file.exists():
        return {}
    with gzip.open(file, "rt", encoding="utf-8", newline="") as text:
        header, *rows = csv.reader(text)
    columns = [[cell for cell in column if cell] for column in zip(*rows, strict=True)]
    return {
        header[at]: (columns[at], list(map(float, columns[at + 1])))
        for at in range(1, len(header), 2)
    }


def read_lines(file: Path, kind: type[Line]) -> list[Line]:
    """The lines of a CSV file as objects of a dataclass of texts and numbers; none without it."""
    kinds: dict[Any, Any] = {"str": str, "int": int, "float": float}
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as text:
        return [
            kind(**{one.name: kinds[one.type](line[one.name]) for one in fields(kind)})
            for line in csv.DictReader(text)
        ]


def write_lines(file: Path, kind: type[Line], lines: Iterable[Line]) -> None:
    """Write objects of a dataclass into a CSV file, a line each; a kill leaves the old file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(one.name for one in fields(kind))
    writer.writerows(map(astuple, lines))
    write_atomically(file, text.getvalue())


def interval(values: Sequence[float] | NDArray[np.float64], digits: int = 0) -> str:
    """A mean with its 95 % interval (Student's t)."""
    low, high = student(values)
    return f"{(low + high) / 2:,.{digits}f} ± {(high - low) / 2:,.{digits}f}"


def changes(pairs: Sequence[Sequence[Sequence[float]]]) -> list[list[str]]:
    """By how much the first column of each pair differs from the second.

    Returns:
        For each pair the geometric mean of the ratios as a change in per cent, its 95 % interval,
        and p of a paired t-test on logarithms, corrected for the number of pairs (Holm 1979); a
        dash if all ratios are equal.
    """
    logs = [(np.log(one), np.log(other)) for one, other in pairs]
    chances = holm([t_test(first, second, paired=True) for first, second in logs])
    rows = []
    for (first, second), p in zip(logs, chances, strict=True):
        ends = student(first - second)
        middle, low, high = 100 * np.expm1((np.mean(ends), *ends))
        chance = "< 0.001" if p < 0.001 else "-" if isnan(p) else f"{p:.3f}"
        rows.append([f"{middle:+.1f} %", f"{low:+.1f} to {high:+.1f} %", chance])
    return rows
