"""``lists``: what surveys found of their deals, as text, numbers, JSON, CSV or Parquet."""

from __future__ import annotations

import csv
import json
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from deals.words import plural
from gafreecell.cli.outputs import make_folder, output, refuse_existing
from gafreecell.cli.statuses import DONE
from gafreecell.installed.extras import needed
from gafreecell.installed.shipped import FOLDER
from gafreecell.service.inputs import InputError, numbers_of
from gafreecell.service.survey import (
    GRADE,
    PLAN,
    STATUS,
    STATUSES,
    UNKNOWN,
    Survey,
    ranges,
    read_survey,
)
from gafreecell.solving.outcome import Status
from gafreecell.solving.saying import say
from gafreecell.terminal.tables import table

LISTS, DEAL, NUMBERS = "lists", "deal", "numbers"
PARQUET = "parquet"
LARGEST = 2**63 - 1
"""The largest integer of numpy and Parquet."""
MOST_ROWS = 100_000
"""A table's columns are as wide as their widest cell, so it is made as a whole."""
VERDICTS = np.array([status.value if status.decided else "open" for status in STATUSES])
"""By a status's place in the files, the verdict that ``--only`` names."""
Row = Sequence[Any]


def lists(given: Namespace) -> int:
    """Name the lists, or write what one says of its deals."""
    if given.list is None:
        if any((given.deals, given.only, given.grade, given.format, given.output)):
            raise InputError("name a list: these options are about its deals")
        print(_catalogue())
        return DONE
    found = _find(given.list)
    wanted = _Wanted.asked(given, found)
    suffix = Path(given.output or "").suffix.removeprefix(".")
    named = "text" if suffix == "txt" else suffix
    if not given.format and named not in ("", *WRITERS, PARQUET):
        hint = "; JSON lines go to .jsonl" if named == "json" else ""
        raise InputError(f"{given.output}: expected a file .txt, .jsonl, .csv or .parquet{hint}")
    form = given.format or named or "text"
    if form == PARQUET and not given.output:
        raise InputError("Parquet is no text: name a file with -o FILE.parquet")
    refuse_existing(given.output)
    _tell_unfinished(given.list, found, wanted)
    if form == "text":
        many = sum(len(columns[DEAL]) for columns in wanted.columns(found))
        if not many:
            say(f"gafreecell: {given.list} has no such deal")
        if many > MOST_ROWS:
            raise InputError(
                f"a table for people takes {MOST_ROWS:,} deals at most, got {many:,}: ask for "
                "fewer with --deals, --only or --grade, or take --format csv, jsonl or numbers"
            )
    try:
        if form == PARQUET:
            make_folder(given.output)
            _write_parquet(found, wanted, given.output)
        else:
            with output(given.output, append=False) as out:
                WRITERS[form](found, wanted, out)
    except BaseException:
        # A part of a list looks like a whole one.
        if given.output not in (None, "-") and Path(given.output).is_file():
            Path(given.output).unlink()
        raise
    return DONE


def _tell_unfinished(name: str, found: Survey, wanted: _Wanted) -> None:
    """Say which deals that are asked for are not there, or lack what was asked of them later."""
    there = [shard for shard in found.complete if wanted.touches(shard)]
    lacks = Counter[str]()
    for shard in there:
        lacks.update(dict.fromkeys(found.lacks(shard), len(shard)))
    told = [f"{many:,} of these lack {column}" for column, many in sorted(lacks.items())]
    whole = sum(map(len, there))
    if (wanted.deals is None and whole < len(found)) or told:
        several = ", ".join([f"it has {whole:,} of {plural(len(found), 'deal')}", *told])
        say(f"gafreecell: {name} is not finished: {several}")


@dataclass(frozen=True)
class _Wanted:
    """Which deals of a list are asked for; None stands for all."""

    deals: tuple[range, ...] | None
    only: str | None
    grades: range | None

    @classmethod
    def asked(cls, given: Namespace, found: Survey) -> _Wanted:
        if given.grade and GRADE not in found.columns:
            raise InputError(f"{given.list} has no grades: leave out --grade")
        if given.grade and given.only not in (None, Status.SOLVED):
            raise InputError("only deals that can be won have grades: leave out --only or --grade")
        deals = ranges(given.deals, found.game) if given.deals else None
        complete = found.complete if deals else []
        for part in deals or ():
            missing = part.start
            for shard in complete:
                if missing in shard:
                    missing = shard.stop
            if missing < part.stop:
                raise InputError(
                    f"{given.list} does not have deal {missing} in a complete file: ask for deals "
                    "that it has"
                )
        return cls(deals, given.only, given.grade)

    def columns(self, found: Survey) -> Iterator[dict[str, np.ndarray]]:
        """The columns of each complete shard, of the deals asked for: ``_names``."""
        whose = numbers_of(found.game)
        for shard in found.complete:
            if not self.touches(shard):
                continue
            # numpy would turn larger numbers into floats.
            kind = object if shard.stop > LARGEST else np.int64
            columns: dict[str, np.ndarray] = {
                DEAL: np.arange(shard.start, shard.stop, dtype=kind),
                **({NUMBERS: np.full(len(shard), whose, object)} if whose else {}),
                **found.read(shard),
            }
            chosen = np.ones(len(shard), bool)
            if self.deals is not None:
                chosen = np.zeros(len(shard), bool)
                for part in self.deals:
                    chosen |= (columns[DEAL] >= part.start) & (columns[DEAL] < part.stop)
            if self.only is not None:
                chosen &= VERDICTS[columns[STATUS]] == self.only
            if self.grades is not None:
                low, high = self.grades[0], self.grades[-1]
                chosen &= (columns[GRADE] >= low) & (columns[GRADE] <= high)
            if chosen.any():
                yield {name: values[chosen] for name, values in columns.items()}

    def touches(self, shard: range) -> bool:
        """Whether some of these deals are asked for."""
        deals = [shard] if self.deals is None else self.deals
        return any(part.start < shard.stop and shard.start < part.stop for part in deals)


def _names(found: Survey) -> list[str]:
    """The deal's number, whose number it is if not the usual one's, and what is known of it."""
    return [DEAL, *([NUMBERS] if numbers_of(found.game) else ()), *found.columns]


def _rows(found: Survey, wanted: _Wanted) -> Iterator[Row]:
    """Each deal with its values; None where there is none."""
    for columns in wanted.columns(found):
        told = [
            [STATUSES[code].value for code in values.tolist()]
            if name == STATUS
            else [None if value == UNKNOWN else value for value in values.tolist()]
            for name, values in columns.items()
        ]
        yield from zip(*told, strict=True)


def _text(found: Survey, wanted: _Wanted, out: TextIO) -> None:
    rows = [["" if v is None else str(v) for v in row] for row in _rows(found, wanted)]
    print(table(_names(found), rows), file=out)


def _numbers(found: Survey, wanted: _Wanted, out: TextIO) -> None:
    for columns in wanted.columns(found):
        print(*columns[DEAL].tolist(), sep="\n", file=out)


def _jsonl(found: Survey, wanted: _Wanted, out: TextIO) -> None:
    names = _names(found)
    for row in _rows(found, wanted):
        print(json.dumps(dict(zip(names, row, strict=True))), file=out)


def _csv(found: Survey, wanted: _Wanted, out: TextIO) -> None:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_names(found))
    writer.writerows(_rows(found, wanted))


def _write_parquet(found: Survey, wanted: _Wanted, path: str) -> None:
    with needed("pyarrow", "Parquet", "tables"):
        import pyarrow as arrow
        from pyarrow import parquet
    if found.deals[-1].stop > LARGEST:
        raise InputError("Parquet takes deal numbers below 2^63 - 1: take --format csv or jsonl")
    names = arrow.array([status.value for status in STATUSES])
    others = {STATUS: arrow.dictionary(arrow.int8(), arrow.string()), NUMBERS: arrow.string()}
    kinds = [(name, others.get(name, arrow.int64())) for name in _names(found)]
    with parquet.ParquetWriter(path, arrow.schema(kinds)) as writer:
        for columns in wanted.columns(found):
            made = [
                arrow.DictionaryArray.from_arrays(arrow.array(values, arrow.int8()), names)
                if name == STATUS
                else arrow.array(values)
                if name == NUMBERS
                else arrow.array(values.astype(np.int64), mask=values == UNKNOWN)
                for name, values in columns.items()
            ]
            writer.write_table(arrow.Table.from_arrays(made, schema=arrow.schema(kinds)))


WRITERS: dict[str, Callable[[Survey, _Wanted, TextIO], None]] = {
    "text": _text, "numbers": _numbers, "jsonl": _jsonl, "csv": _csv,
}  # fmt: skip


def _find(name: str) -> Survey:
    """The list of this name, or the survey in this folder."""
    for folder in (Path(name), FOLDER / LISTS / name):
        if (folder / PLAN).exists():
            return read_survey(folder)
    if Path(name).is_dir():
        raise InputError(f"the folder {name!r} has no {PLAN}: it is no survey, or has lost it")
    known = ", ".join(folder.name for folder in _folders())
    there = (
        f"there are {known}, and folders of surveys"
        if known
        else (
            "the lists do not come with the package: give the folder of a survey, or of a list "
            "from the repository"
        )
    )
    raise InputError(f"there is no list {name!r}; {there}")


def _folders() -> Iterable[Path]:
    return sorted(file.parent for file in (FOLDER / LISTS).glob(f"*/{PLAN}"))


def _catalogue() -> str:
    """The lists, each with its deals and columns."""
    rows = []
    for folder in _folders():
        found = read_survey(folder)
        done = found.complete
        deals = plural(sum(map(len, done)), "deal")
        there = deals if len(done) == len([*found.shards]) else f"{deals} of {len(found):,}"
        rows.append([folder.name, found.title, there, ", ".join(found.columns)])
    if not rows:
        return "there are no lists here: they are in the repository, not in the package"
    return table(["list", "game", "deals", "columns"], rows, right=False)
