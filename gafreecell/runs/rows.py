"""A run's log as flat rows of numbers: for data frames and for loggers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gafreecell.evolution.log_lines import numbers_of
from gafreecell.installed.extras import needed

if TYPE_CHECKING:
    from pandas import DataFrame

Row = dict[str, float]


def row_of(line: Mapping[str, Any], features: Sequence[str], machine: bool = False) -> Row:
    """A line of the log as a flat row.

    Args:
        line: a line of the log.
        features: names of the weights.
        machine: whether to include what differs between machines (seconds, rates).

    Returns:
        The line's numbers by column. A table within the line becomes columns ``<table>_<key>``;
        the quantiles of fitness become ``solvers_q05`` to ``solvers_q95``; the best weights become
        ``weight_<feature>``. Other lists, such as a front, are left out.
    """
    row = dict(numbers_of(line, machine=machine))
    row |= {f"weight_{name}": w for name, w in zip(features, line["best_weights"], strict=True)}
    return row


def rows_of(
    lines: Sequence[Mapping[str, Any]],
    validated: Sequence[Mapping[str, Any]],
    features: Sequence[str],
    machine: bool = False,
) -> list[Row]:
    """A run's log as flat rows, one a generation, as ``row_of`` makes them.

    ``candidate_value``, ``candidate_solved`` and ``candidate_nodes`` are the results of the
    generation's best solver on the validation problems, if known.
    """
    values = {line["generation"]: line for line in validated}
    rows = []
    for line in lines:
        candidate = dict(values.get(line["generation"], {}))
        candidate.pop("generation", None)
        row = row_of(line, features, machine)
        rows.append(row | {f"candidate_{key}": value for key, value in candidate.items()})
    return rows


def data_frame(rows: Sequence[Row]) -> DataFrame:
    """Rows as a pandas data frame, indexed by generation.

    Raises:
        MissingExtra: if pandas is not installed.
    """
    with needed("pandas", "a data frame"):
        import pandas
    return pandas.DataFrame(rows, columns=None if rows else ["generation"]).set_index("generation")
