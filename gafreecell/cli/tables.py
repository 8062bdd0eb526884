"""Plain tables that read well in a terminal and are Markdown too."""

from __future__ import annotations

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An aligned Markdown table; the first column is text, the others are numbers."""
    cells = [list(header), *[list(row) for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = [_line(row, widths) for row in cells]
    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    lines.insert(1, _line(rule, widths))
    return "\n".join(lines)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first = row[0].ljust(widths[0])
    rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
    return "| " + " | ".join([first, *rest]) + " |"
