"""Plain tables that read well in a terminal and are Markdown too, and those of reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gafreecell.solving.outcome import Evaluator


@dataclass(frozen=True)
class Table:
    """A table of a report.

    Attributes:
        caption: what it shows.
        header: the titles of its columns.
        rows: a text for each column; the first is the title of its row.
        notes: what its figures mean, in paragraphs.
    """

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], right: bool = True, width: int = 0
) -> str:
    """A Markdown table whose columns line up in a terminal.

    Args:
        header: the titles of the columns.
        rows: a cell for each column.
        right: whether columns after the first are aligned right, else left.
        width: maximum width of the table in characters, 0 for none; longer texts in the last
            column continue in further rows.
    """
    cells = [list(header), *[list(row) for row in rows]]
    if width:
        taken = sum(3 + column for column in _widths(cells)[:-1]) + 4
        cells = [part for row in cells for part in _broken(row, width - taken)]
    widths = _widths(cells)
    lines = [_line(row, widths, right) for row in cells]
    mark = ":" if right else "-"
    rule = ["-" * widths[0]] + ["-" * (width - 1) + mark for width in widths[1:]]
    lines.insert(1, _line(rule, widths, right))
    return "\n".join(lines)


def tables(header: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str:
    """A table split into parts that fit a width, all of them with the first column."""
    widths = _widths([header, *rows])
    parts = _parts(widths, width)
    # Keep the number of parts, but make the widest of them as narrow as possible.
    narrower = (_parts(widths, less) for less in range(width, 0, -1))
    for fewer in narrower:
        if len(fewer) > len(parts):
            break
        parts = fewer
    return "\n\n".join(
        table([header[i] for i in (0, *part)], [[row[i] for i in (0, *part)] for row in rows])
        for part in parts
    )


def _parts(widths: Sequence[int], width: int) -> list[list[int]]:
    """The columns after the first, in parts that fit beside it."""
    parts: list[list[int]] = [[]]
    for column in range(1, len(widths)):
        # What a line has besides its cells: "| ", " | " between them, " |".
        together = sum(widths[i] + 3 for i in (0, *parts[-1], column)) + 1
        if parts[-1] and together > width:
            parts.append([])
        parts[-1].append(column)
    return parts


def rounded(value: float) -> str:
    """A measured figure to three significant digits, or to the unit from 1,000 on."""
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.3g}"


def _widths(cells: Sequence[Sequence[str]]) -> list[int]:
    """Widths of the columns, at least 2: Markdown marks a right-aligned column with ``-:``."""
    return [max(2, *(len(cell) for cell in column)) for column in zip(*cells, strict=True)]


def _broken(row: Sequence[str], room: int) -> list[list[str]]:
    """A row as several, with its last cell broken into lines of this width."""
    parts = wrap(row[-1], room) or [""]
    blank = [""] * (len(row) - 1)
    return [[*row[:-1], parts[0]], *[[*blank, part] for part in parts[1:]]]


def _line(row: Sequence[str], widths: Sequence[int], right: bool) -> str:
    first = row[0].ljust(widths[0])
    rest = [
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width in zip(row[1:], widths[1:], strict=True)
    ]
    return "| " + " | ".join([first, *rest]) + " |"


def weights_table(evaluator: Evaluator) -> str:
    """A table of features and weights, with a column for each phase, or for each rule.

    A line with each rule's condition comes before the table.
    """
    rows = [
        [name, *(f"{weight:.3f}" for weight in weights)]
        for name, *weights in zip(evaluator.features, *evaluator.rows, strict=True)
    ]
    if not evaluator.rules:
        phases = [f"phase {place}" for place in range(1, len(evaluator.phases) + 1)]
        return table(["feature", *(phases or ["weight"])], rows)
    conditions = [
        f"rule {i}: if {rule.told('.3g')}" for i, rule in enumerate(evaluator.rules, start=1)
    ]
    names = [f"rule {i}" for i in range(1, len(conditions) + 1)]
    rows.insert(0, ["(offset)", *(f"{offset:.3f}" for offset in evaluator.offsets)])
    return "\n".join([*conditions, table(["feature", *names, "default"], rows)])
