"""A run's log as flat rows of numbers: for data frames and for loggers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gafreecell.evolution.log_lines import numbers_of
from gafreecell.installed.extras import needed

if TYPE_CHECKING:
    from pandas import DataFrame

Row = dict[str, float]


def rows_of(
    lines: Sequence[Mapping[str, Any]],
    validated: Sequence[Mapping[str, Any]],
    features: Sequence[str],
    machine: bool = False,
) -> list[Row]:
    """A run's log as flat rows, one a generation.

    Args:
        lines: the log.
        validated: the results of generations' best solvers on the validation deals.
        features: names of the weights.
        machine: whether to include what differs between machines (seconds, rates).

    Returns:
        Each line's numbers by column. A table within a line becomes columns ``<table>_<key>``; the
        quantiles of fitness become ``solvers_q05`` to ``solvers_q95``; the best weights become
        ``weight_<feature>``. Other lists, such as a front, are left out. ``candidate_value``,
        ``candidate_solved`` and ``candidate_nodes`` are the results on the validation deals, if
        known.
    """
    values = {line["generation"]: line for line in validated}
    rows = []
    for line in lines:
        row = dict(numbers_of(line, machine=machine))
        row |= {f"weight_{name}": w for name, w in zip(features, line["best_weights"], strict=True)}
        candidate = values.get(line["generation"], {})
        row |= {f"candidate_{key}": candidate[key] for key in candidate if key != "generation"}
        rows.append(row)
    return rows


def data_frame(rows: Sequence[Row]) -> DataFrame:
    """Rows as a pandas data frame, indexed by generation.

    Raises:
        MissingExtra: if pandas is not installed.
    """
    with needed("pandas", "a data frame"):
        import pandas
    return pandas.DataFrame(rows, columns=None if rows else ["generation"]).set_index("generation")
