"""Plain tables that read well in a terminal and are Markdown too."""

from __future__ import annotations

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: bool = True) -> str:
    """An aligned Markdown table, its columns after the first ranged right or left."""
    cells = [list(header), *[list(row) for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = [_line(row, widths, right) for row in cells]
    mark = ":" if right else "-"
    rule = ["-" * widths[0]] + ["-" * (width - 1) + mark for width in widths[1:]]
    lines.insert(1, _line(rule, widths, right))
    return "\n".join(lines)


def rounded(value: float) -> str:
    """A measured figure to three digits, or to the unit where it has more before the point."""
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.3g}"


def _line(row: Sequence[str], widths: Sequence[int], right: bool) -> str:
    first = row[0].ljust(widths[0])
    rest = [
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width in zip(row[1:], widths[1:], strict=True)
    ]
    return "| " + " | ".join([first, *rest]) + " |"
