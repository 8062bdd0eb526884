"""The hall of fame of a run: the best of its generations, ranked on the validation deals.

A file beside the log keeps the values, one line a generation; the log's lines have the weights.
So the hall of fame is a function of the two files, and an interrupted run has the same one as an
uninterrupted run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gafreecell.evolution.validation import Champion, hall_of_fame

Line = Mapping[str, Any]


def members(lines: Sequence[Line], validated: Iterable[Line], size: int) -> list[Champion]:
    """The best distinct solvers, best first; the earlier one first if values are equal.

    They are ranked by the value on the validation deals, not by fitness, which each generation
    measures on other deals.

    Args:
        lines: the run's log.
        validated: the values of the generations' best on the validation deals. Some
            reference runs lack them. Of their generations, only solvers that became champion
            count, because the log has their values.
        size: the maximum number of solvers.
    """
    values: dict[int, Line] = {line["generation"]: line for line in validated}
    hall = hall_of_fame(size)
    for line in lines:
        value: Line = values.get(line["generation"]) or line["validation"]
        if value["generation"] == line["generation"]:
            hall.update([Champion.from_document({**value, "weights": line["best_weights"]})])
    return list(hall)
