"""What a line of a run's log holds, checked before it is written and when it is read.

So whatever reads a log, such as figures, can rely on it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from deals.checks import finite, shown, whole
from gafreecell.evolution.costs import PURPOSES, Spent

LOG_KEYS = {
    "generation", "solvers", "problems", "best_weights", "nodes", "solved", "evaluations",
    "validation", "machine",
}  # fmt: skip
"""The keys of every line."""
POPULATION = {"best", "mean", "quantiles"}
"""The keys of ``populations.quantiles``."""
QUANTILES = ("q05", "q25", "q50", "q75", "q95")
MARKS = len(QUANTILES)
_OF_POPULATIONS = [
    f"{side}_{name}" for side in ("solvers", "problems") for name in ("best", "mean", *QUANTILES)
]
_OF_MACHINES = [
    *("seconds", "evaluations_per_second", "nodes_per_second", "cache_hits"),
    *(f"costs_{purpose}_{spec.name}" for purpose in PURPOSES for spec in fields(Spent)),
]
COLUMNS = frozenset(
    [
        *("generation", "nodes", "solved", "evaluations", *_OF_POPULATIONS),
        *(f"validation_{name}" for name in ("generation", "value", "solved", "nodes")),
        *(f"candidate_{name}" for name in ("value", "solved", "nodes")),
        *("met_deals", "met_hardness", "met_informativeness"),
        *(f"machine_{name}" for name in _OF_MACHINES),
    ]
)
"""The columns of ``Run.to_pandas`` that come from our own keys, but for those of the weights."""
_number = partial(finite, most=sys.float_info.max)


def numbers_of(
    line: Mapping[str, Any], prefix: str = "", machine: bool = True
) -> Iterator[tuple[str, float]]:
    """The columns of a line of the log and their numbers; those of tables are ``<table>_<key>``.

    Args:
        line: the line, or a part of it.
        prefix: what the columns' names begin with.
        machine: whether to include what differs between machines.
    """
    for key, value in line.items():
        if key == "machine" and not machine:
            continue
        if isinstance(value, Mapping):
            yield from numbers_of(value, f"{prefix}{key}_", machine)
        elif key == "quantiles" and isinstance(value, list) and len(value) == MARKS:
            yield from ((prefix + name, one) for name, one in zip(QUANTILES, value, strict=True))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield prefix + key, value


def line_fault(line: Any, generation: int, genes: int) -> str:
    """What is wrong with a generation's line of the log; empty if nothing is.

    Args:
        line: the line, as JSON is read.
        generation: the generation's number.
        genes: the number of weights that evolve.
    """
    if not isinstance(line, Mapping) or line.get("generation") != generation:
        return f"it is not the log of generation {generation}"
    lacking = ", ".join(sorted(LOG_KEYS - line.keys()))
    if lacking:
        return f"it lacks {lacking}"
    fault = number_fault(line)
    if fault:
        return fault
    counts = (line["nodes"], line["solved"], line["evaluations"])
    validation = line["validation"]
    fits = {
        "solvers": isinstance(line["solvers"], Mapping) and line["solvers"].keys() >= POPULATION,
        "best_weights": _are_numbers(line["best_weights"], genes),
        "nodes, solved and evaluations": all(whole(n) is not None and n >= 0 for n in counts),
        "evaluations": bool(line["evaluations"]),
        "validation": _has_numbers(validation, {"generation", "value", "solved", "nodes"}),
        "met": "met" not in line or _is_met(line["met"]),
        "machine": _is_machine(line["machine"]),
    }
    wrong = [name for name, fine in fits.items() if not fine]
    if wrong:
        return f"its {wrong[0]} cannot be right"
    told = population_fault(line["problems"])
    if told:
        return f"its problems cannot be right: {told}"
    return population_fault(line["solvers"]) or front_fault(line, genes)


def population_fault(told: Any) -> str:
    """What is wrong with what a line says of a population; empty if nothing is.

    A scheme may also tell other things about its problems, or nothing.
    """
    if told is None:
        return ""
    if not isinstance(told, Mapping):
        return f"{shown(told)} is not a mapping"
    if not told.keys() >= POPULATION:
        lacking = POPULATION - told.keys()
        return f"it lacks {', '.join(sorted(lacking))}" if lacking < POPULATION else ""
    if not _has_numbers(told, {"best", "mean"}) or not _are_numbers(told["quantiles"], MARKS):
        return f"best, mean and the {MARKS} quantiles must be numbers"
    return ""


def front_fault(line: Mapping[str, Any], genes: int) -> str:
    """What is wrong with a line's front, if it has one; empty if nothing is."""
    if "front" not in line:
        return ""
    front = line["front"]
    fine = isinstance(front, list) and front and all(
        _has_numbers(point, {"log_nodes", "length"}) and _are_numbers(point.get("weights"), genes)
        for point in front
    )  # fmt: skip
    return "" if fine else "its front must be a list of log_nodes, length and weights"


def number_fault(value: Any, name: str = "") -> str:
    """The first number in plain data that is not finite as a float; empty if all are.

    Args:
        value: the data.
        name: how the message refers to it.
    """
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    elif isinstance(value, int | float) and _number(value) is None:
        return f"{name or 'it'} is {shown(value)}, which is not a finite number"
    dot = "." if name else ""
    return next(filter(None, (number_fault(one, f"{name}{dot}{key}") for key, one in parts)), "")


def _are_numbers(values: Any, count: int) -> bool:
    fine = isinstance(values, list) and len(values) == count
    return fine and all(_is_number(value) for value in values)


def _has_numbers(table: Any, keys: set[str]) -> bool:
    return isinstance(table, Mapping) and all(_is_number(table.get(key)) for key in keys)


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and _number(value) is not None


def _is_met(met: Any) -> bool:
    """Whether this describes the deals of a generation."""
    if not _has_numbers(met, {"deals", "hardness"}):
        return False
    middle = met.get("middle", {})
    return isinstance(middle, Mapping) and all(
        quartiles is None or _are_numbers(quartiles, 2) for quartiles in middle.values()
    ) and (met.get("informativeness") is None or _is_number(met["informativeness"]))  # fmt: skip


def _is_machine(machine: Any) -> bool:
    """Whether this is what a line says of the machine; some reference runs tell no costs."""
    told = {"seconds", "evaluations_per_second", "nodes_per_second", "cache_hits"}
    if not _has_numbers(machine, told):
        return False
    costs, keys = machine.get("costs"), {spec.name for spec in fields(Spent)}
    return costs is None or (
        isinstance(costs, Mapping)
        and costs.keys() == {*PURPOSES}
        and all(_has_numbers(one, keys) and one.keys() == keys for one in costs.values())
    )
