"""Tables for papers: as CSV, LaTeX or Markdown, and as data frames."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from deals.errors import did_you_mean
from gafreecell.installed.extras import needed
from gafreecell.service.inputs import InputError
from gafreecell.terminal.tables import table

if TYPE_CHECKING:
    from pandas import DataFrame

_LATEX = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    "<": "$<$", ">": "$>$", "\u00a0": "~",
}  # fmt: skip
Record = Mapping[str, float | int | str | bool]
Tables = Mapping[str, Callable[[], "Tabulated"]]


@dataclass(frozen=True)
class Tabulated:
    """A table of a comparison, as numbers and as people read it.

    Attributes:
        name: of the table.
        caption: what it shows.
        records: a mapping for each row; numbers are not rounded, unknown ones are NaN.
        header, rows: the same as texts, rounded; the first is the title of its row.
    """

    name: str
    caption: str
    records: Sequence[Record]
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def csv(self) -> str:
        """The numbers as CSV; a cell of an unknown number is empty."""
        out = io.StringIO()
        # Solvers may have units of length of their own.
        names = dict.fromkeys(key for record in self.records for key in record)
        writer = csv.DictWriter(out, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {key: _cell(value) for key, value in record.items()} for record in self.records
        )
        return out.getvalue()

    def markdown(self) -> str:
        """The texts as a Markdown table below its caption."""
        return f"{self.caption}:\n\n{table(self.header, self.rows)}\n"

    def latex(self) -> str:
        """The texts as a LaTeX table; it needs the package booktabs."""
        lines = [" & ".join(map(_latex, row)) + r" \\" for row in (self.header, *self.rows)]
        return "\n".join(
            [
                "% In the preamble: \\usepackage{booktabs}",
                r"\begin{table}",
                r"\centering",
                rf"\caption{{{_latex(self.caption)}.}}",
                rf"\label{{tab:{self.name}}}",
                rf"\begin{{tabular}}{{l{'r' * (len(self.header) - 1)}}}",
                r"\toprule",
                lines[0],
                r"\midrule",
                *lines[1:],
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{table}",
                "",
            ]
        )

    def to_pandas(self) -> DataFrame:
        """The numbers as a data frame.

        Raises:
            MissingExtra: if pandas is not installed.
        """
        with needed("pandas", "a data frame"):
            import pandas
        return pandas.DataFrame([dict(record) for record in self.records])

    def _repr_html_(self) -> str:
        return str(self.to_pandas().to_html(index=False))


def chosen(name: str, tables: Tables) -> Tabulated:
    """The table of a name.

    Raises:
        InputError: if there is none, or nothing to put in it.
    """
    check_name(name, tables)
    found = tables[name]()
    if not found.records:
        raise InputError(
            f"there is nothing to put in the table {name}: it needs "
            + ("three solvers, or three jobs with the same two seeds" if name == "ranks"
               else "two solvers, or two jobs with two seeds each")
        )  # fmt: skip
    return found


def check_name(name: str, tables: Iterable[str]) -> None:
    """Refuse a table that there is not: ``InputError``."""
    if name not in tables:
        raise InputError(
            f"there is no table {name!r}; there are {', '.join(tables)}{did_you_mean(name, tables)}"
        )


def spread(key: str, value: float, interval: Sequence[float]) -> dict[str, float]:
    """A figure and the ends of its interval, as entries of a record."""
    low, high = interval
    return {key: value, f"{key}_low": low, f"{key}_high": high}


def noted(caption: str, rows: Iterable[Sequence[str]], unknown: str) -> str:
    """A caption that says what a cell ``-`` stands for, if there is one.

    Args:
        caption: of the table.
        rows: its cells.
        unknown: why a figure is not known.
    """
    return f"{caption}; -: {unknown}" if any("-" in row for row in rows) else caption


def _cell(value: Any) -> Any:
    return "" if isinstance(value, float) and not isfinite(value) else value


def _latex(text: str) -> str:
    escaped = "".join(_LATEX.get(sign, sign) for sign in text)
    # A hyphen before a number is a minus.
    return re.sub(r"(?<![\w-])-(?=\d)", "$-$", escaped)
