"""The arguments of operators: those that the job gives, checked against the signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from deap import tools

from deals.checks import finite, shown
from deals.errors import did_you_mean
from deals.words import plural
from gafreecell.evolution.job import Job, JobError, naming
from gafreecell.evolution.operators.catalogue import find
from gafreecell.evolution.operators.operator import Operator
from gafreecell.solving.features import Feature

GIVEN = {
    "crossover": (2, "two individuals"),
    "mutation": (1, "an individual"),
    "selection": (2, "individuals and how many to choose"),
}
"""How many arguments of a call come before the job's, and which."""
_NOT_NEGATIVE = {
    "sigma": "a standard deviation",
    "eta": "a crowding degree",
    "epsilon": "a tolerance",
}
"""Arguments of DEAP's operators that are 0 or more, and what they are."""
OURS = ("rng", "cases", "fit_attr")
"""Further arguments that a job cannot set."""


def operators_of(
    job: Job, features: tuple[Feature, ...], by_costs: bool = False
) -> dict[str, Operator]:
    """The operators that a job names, by kind, with their arguments.

    Args:
        job: the job, with its ``operators`` and ``options``.
        features: the features whose weights evolve, with their ranges.
        by_costs: whether selections choose by two costs and crowding distance.

    Raises:
        JobError: if an operator or argument is unknown or wrong; the message names the key and
            what there is.
    """
    found = {}
    for kind in GIVEN:
        if name := getattr(job.operators, kind):
            call = naming(f"operators.{kind}", partial(find, kind, name, by_costs))
            found[kind] = _with_arguments(kind, name, call, job, features)
    return found


def _with_arguments(
    kind: str, name: str, call: Callable[..., Any], job: Job, features: tuple[Feature, ...]
) -> Operator:
    """An operator with the arguments that the job gives it, checked against its signature."""
    first, takes = _signature(kind, name, call)
    # The usual values of an operator of this kind; a default of its own takes precedence.
    usual: dict[str, Any] = {
        "low": [feature.low for feature in features],
        "up": [feature.high for feature in features],
    }
    if kind == "mutation":
        usual["indpb"] = job.solvers.gene_mutation
    if kind == "selection":
        usual["tournsize"] = job.solvers.tournament
    defaults = {
        key: usual[key] if one.default is one.empty and key in usual else one.default
        for key, one in takes.items()
        if key not in OURS
    }
    given = job.options.get(name, {})
    if not isinstance(given, Mapping):
        raise _wrong(name, f" must be a table, got {given!r:.60}")
    there = ", ".join(
        key if one is inspect.Parameter.empty else f"{key} ({_shown(one)} unless given)"
        for key, one in defaults.items()
    )
    for key in given:
        if key not in defaults:
            told = f": {name} has no argument {key!r}; it takes {there or 'none'}"
            raise _wrong(name, told + did_you_mean(key, defaults))
    arguments = {**defaults, **given}
    missing = [key for key, one in arguments.items() if one is inspect.Parameter.empty]
    if missing:
        raise JobError.at(
            f"operators.{kind}",
            f": {name} needs {' and '.join(missing)}: set {'them' if missing[1:] else missing[0]} "
            f"in [options.{name}]; it takes {there}",
        )
    _check_arguments(name, arguments, features)
    # The function fills in its other defaults itself, except those that it could change.
    kept = {
        key: one
        for key, one in arguments.items()
        if key in given or key in usual or isinstance(one, list | dict | set)
    }
    return Operator(kind, name, call, kept, frozenset((*first, *takes)), features)


def _signature(
    kind: str, name: str, call: Callable[..., Any]
) -> tuple[list[str], dict[str, inspect.Parameter]]:
    """The names of the arguments that come first, and the other arguments by name."""
    where, (count, needed) = f"operators.{kind}", GIVEN[kind]
    try:
        parameters = list(inspect.signature(call).parameters.values())
    except (TypeError, ValueError) as error:
        raise JobError.at(where, f": cannot read the arguments of {name}: {error}") from None
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    first = parameters[:count]
    if len(first) < count or any(one.kind > named[0] for one in first):
        raise JobError.at(where, f": {name} must take {needed} first")
    others = {one.name: one for one in parameters[count:] if one.kind in named}
    return [one.name for one in first], others


def _check_arguments(
    name: str, arguments: Mapping[str, Any], features: tuple[Feature, ...]
) -> None:
    """Refuse wrong numbers for arguments that have DEAP's names."""
    share = arguments.get("indpb", 0)
    if isinstance(share, int | float) and not 0 <= share <= 1:
        raise _wrong(name, f": indpb must be 0 to 1, got {share}")
    if not hasattr(tools, name):
        return
    for key, given in arguments.items():
        numbers = given if isinstance(given, list | tuple) else [given] * len(features)
        if len(numbers) > len(features):
            each = plural(len(features), "weight")
            told = f": {key} must be a number, or one for each of {each}, got {len(numbers)}"
            raise _wrong(name, told)
        for number, feature in zip(numbers, features, strict=False):
            if isinstance(number, int | float) and (fault := _fault(key, number, feature)):
                raise _wrong(name, f": {fault}")


def _fault(key: str, number: float, feature: Feature) -> str:
    """Why an argument of one of DEAP's operators cannot have a number; empty if it can."""
    if finite(number) is None:
        return f"{key} must be a finite number, got {shown(number)}"
    if key in _NOT_NEGATIVE and number < 0:
        return f"{key}, {_NOT_NEGATIVE[key]}, must be 0 or more, got {number}"
    low, high = feature.low, feature.high
    # DEAP would take roots of negative numbers there.
    if (key == "low" and number > low) or (key == "up" and number < high):
        within = f"within the range of {feature.name}, {low:g} to {high:g}"
        return f"{key} must not lie {within}, got {number:g}"
    return ""


def _wrong(name: str, told: str) -> JobError:
    return JobError.at(f"options.{name}", told)


def _shown(value: Any) -> str:
    return "the weights' ranges" if isinstance(value, list) else str(value)
