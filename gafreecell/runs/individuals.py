"""A full record of a run, by choice: every solver, what it met, and what it comes from.

Two tables of CSV, which grow by a generation at a time. ``individuals.csv`` has the solvers that
were measured; ``births.csv`` says how each came about. A row counts once its generation is in the
state; later ones, of a run that was killed, are cut off when it goes on.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gafreecell.evolution.costs import Spent
from gafreecell.evolution.generation import Result
from gafreecell.evolution.populations import Birth
from gafreecell.installed.extras import needed
from gafreecell.runs.folder import RunError
from gafreecell.solving.files import naming, write_atomically
from gafreecell.solving.outcome import Status

if TYPE_CHECKING:
    from pandas import DataFrame

INDIVIDUALS, BIRTHS = "individuals.csv", "births.csv"
_MEASURED = ("generation", "solver", "fitness", "evaluations", "solved", "nodes", "deals", "met")
_BORN = ("generation", "solver", "operator", "parents")


def begin(folder: Path, features: Sequence[str]) -> None:
    """Write the heads of both tables, of a run that begins."""
    write_atomically(folder / INDIVIDUALS, _text([[*_MEASURED, *features]]))
    write_atomically(folder / BIRTHS, _text([_BORN]))


def cut(folder: Path, generation: int) -> None:
    """Leave out what lies beyond a generation: it will be run again.

    Solvers are measured in the generations up to this one, and the next one's are born.
    """
    for name, last in ((INDIVIDUALS, generation), (BIRTHS, generation + 1)):
        path = folder / name
        if path.exists():
            head, *rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = [row for row in rows if row.endswith("\n") and _generation_of(row) <= last]
            if len(kept) < len(rows):
                write_atomically(path, "".join([head, *kept]))


def _generation_of(row: str) -> float:
    number = row.partition(",")[0]
    return int(number) if number.isdigit() else float("inf")


def append(
    folder: Path,
    generation: int,
    results: Sequence[Result],
    births: Iterable[Birth],
    features: Sequence[str],
) -> None:
    """Add a generation: its solvers as they were measured, and the births of the next one's.

    Args:
        folder: the run's folder.
        generation: its number.
        results: of its solvers.
        births: of the next generation's solvers.
        features: names of the weights.
    """
    if not (folder / INDIVIDUALS).exists():
        # The job was told to keep the record later than it began.
        begin(folder, features)
    measured = []
    for place, one in enumerate(results):
        cost = Spent.on(one.outcomes)
        solved = sum(outcome.status is Status.SOLVED for outcome in one.outcomes)
        row = [generation, place, repr(one.fitness), cost.evaluations, solved, cost.nodes]
        row += [_joined(one.encounter.deals), _joined(one.encounter.met)]
        measured.append([*row, *map(repr, one.solver)])
    born = [
        [generation + 1, place, one.operator, _joined(one.parents)]
        for place, one in enumerate(births)
    ]
    for name, rows in ((INDIVIDUALS, measured), (BIRTHS, born)):
        path = folder / name
        with naming(path), path.open("a", encoding="utf-8", newline="") as file:
            file.write(_text(rows))
            file.flush()
            os.fsync(file.fileno())


def _joined(values: Iterable[Any]) -> str:
    return " ".join(map(str, values))


def _text(rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def table(folder: Path) -> DataFrame:
    """The record as a data frame: a row for each solver of each generation.

    Returns:
        A data frame indexed by ``generation`` and ``solver``, its place. The columns are
        ``fitness``; ``evaluations``, ``solved`` and ``nodes``; ``deals``, their numbers or names
        between spaces; ``met``, the numbers by which the scheme knows what it met; the weights by
        the features' names; ``operator`` and ``parents``, their places in the generation before,
        where the trainer tells them.

    Raises:
        MissingExtra: if pandas is not installed.
        RunError: if the run keeps no such record.
    """
    if not (folder / INDIVIDUALS).exists():
        raise RunError(
            f"{folder} keeps no record of individuals: set individuals = true in its job, and run "
            "or resume it"
        )
    with needed("pandas", "a data frame"):
        import pandas
    texts = {"deals": str, "met": str, "parents": str}
    found, born = (
        pandas.read_csv(folder / name, dtype=texts, keep_default_na=False)
        for name in (INDIVIDUALS, BIRTHS)
    )
    key = ["generation", "solver"]
    return found.merge(born, how="left", on=key).set_index(key)


def rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    """The rows of one of the tables, as texts by column; none without it."""
    if (folder / name).exists():
        with (folder / name).open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)
