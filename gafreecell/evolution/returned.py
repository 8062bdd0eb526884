"""Checks what parts of a run return, before it is used and before anything is written.

Trainers, schemes, fitness measures and operators may be anybody's. What is wrong raises a
``PluginError`` that names the part, what it must return and what came. ``solving.contract`` does
the same for games.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from deals.checks import BYTES, finite, plain, shown, too_large, whole
from deals.words import plural
from gafreecell.evolution.generation import Encounter, Genome, Learnt, Setting
from gafreecell.evolution.log_lines import (
    COLUMNS,
    LOG_KEYS,
    front_fault,
    number_fault,
    numbers_of,
    population_fault,
)
from gafreecell.installed.plugins import PluginError
from gafreecell.solitaire.game import Deal
from gafreecell.solving.contract import named_errors
from gafreecell.solving.features import Feature

OURS = {*LOG_KEYS, "met"}


class Named:
    """A part of a run as its class makes it, whose errors name it and the method.

    Args:
        who: the part, for people.
        make: its class.
        setting: what it gets.
    """

    def __init__(self, who: str, make: Any, setting: Setting) -> None:
        self._who = who
        with named_errors(f"{who}: __init__", PluginError):
            self._part = make(setting)

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            with named_errors(f"{self._who}: {method}", PluginError):
                return getattr(self._part, method)(*given)

        return call


def listed(value: Any, asked: str) -> list[Any]:
    """The items of a list, a tuple or an array, in their order; those of a table have none.

    Args:
        value: what a part returned.
        asked: what it must return, a main clause that names the part.
    """
    if not isinstance(value, str | BYTES | Mapping | Set) and not hasattr(value, "columns"):
        try:
            return list(value)
        except TypeError:
            pass
    raise broken(asked, value)


def numbers(value: Any, count: int, asked: str) -> list[float]:
    """So many finite numbers; arguments as for ``listed``."""
    items = listed(value, asked)
    found = [number for item in items if (number := finite(item)) is not None]
    if len(found) < len(items):
        wrong = next(item for item in items if finite(item) is None)
        raise broken(f"{asked}{too_large(wrong)}", wrong)
    if len(found) != count:
        raise broken(asked, value)
    return found


def rows(value: Any, count: int, width: int, asked: str) -> list[tuple[float, ...]]:
    """So many rows of so many finite numbers; arguments as for ``listed``."""
    items = listed(value, asked)
    if len(items) != count:
        raise broken(asked, value)
    return [tuple(numbers(item, width, asked)) for item in items]


def fitness(value: Any, count: int, measure: str) -> list[float]:
    """What a fitness measure returns for so many solvers."""
    asked = f"the fitness measure {measure!r} must give each of {count} solvers a finite number"
    return numbers(value, count, asked)


def solvers(value: Any, setting: Setting) -> list[Genome]:
    """The solvers that a trainer asks for."""
    who, count = f"the trainer {setting.job.trainer!r}", setting.job.solvers.population
    weights = plural(len(setting.features), "weight")
    asked = f"{who} must ask for {plural(count, 'solver')} of {weights}"
    found = listed(value, asked)
    if len(found) != count:
        raise PluginError(f"{asked}, got {len(found)}")
    return [genome(one, setting.features, f"{who} must ask for") for one in found]


def genome(value: Any, features: Sequence[Feature], who: str) -> Genome:
    """A finite weight for each feature, in its range; ``who`` begins the messages."""
    weights = numbers(value, len(features), f"{who} {plural(len(features), 'finite weight')}")
    for feature, weight in zip(features, weights, strict=True):
        room = 1e-9 * (feature.high - feature.low)
        if not feature.low - room <= weight <= feature.high + room:
            raise PluginError(
                f"{who} weights in their ranges, got {weight!r} for {feature.name}, which has "
                f"{feature.low:g} to {feature.high:g}"
            )
    return tuple(weights)


def learnt(value: Any, setting: Setting, others: Iterable[str] = ()) -> Learnt:
    """What a trainer learnt from a generation.

    Args:
        value: what its ``tell`` returned.
        setting: what the run's parts are made from.
        others: the columns that the log has besides ours, from the scheme.
    """
    who = f"the trainer {setting.job.trainer!r} must"
    if not isinstance(value, Learnt):
        raise broken(f"{who} return a gafreecell.Learnt from tell", value)
    best = genome(value.best, setting.features, f"{who} name as Learnt.best")
    what = f"what the trainer {setting.job.trainer!r} tells the log"
    log = json_of(value.log, what)
    if not isinstance(log, dict):
        raise broken(f"{what} must be a mapping", value.log)
    columns = {column for column, _ in numbers_of(log)}
    ours = COLUMNS | {f"weight_{feature.name}" for feature in setting.features} | {*others}
    taken = ", ".join(sorted(_doubled(log) | (columns & ours) | (log.keys() & OURS)))
    if taken:
        raise PluginError(
            f"{who} tell the log keys of its own, not {taken}: other numbers have these columns"
        )
    fault = front_fault(log, len(setting.features)) or number_fault(log)
    if fault:
        raise PluginError(f"{what} cannot be read by figures: {fault}")
    return Learnt(best, log)


def _doubled(log: Mapping[str, Any]) -> set[str]:
    """The columns that several numbers of a log would have."""
    columns = Counter(column for column, _ in numbers_of(log))
    return {column for column, count in columns.items() if count > 1}


def told(value: Any, scheme: str) -> dict[str, Any] | None:
    """What a scheme tells the log of its problems: None, or best, mean and quantiles and more."""
    what = f"what the scheme {scheme!r} tells the log"
    entry = json_of(value, what)
    fault = population_fault(entry) or number_fault(entry)
    if fault:
        raise PluginError(
            f"{what} must be None, or as gafreecell.evolution.populations.quantiles(values) makes "
            f"it: {fault}"
        )
    if twice := ", ".join(sorted(_doubled(entry or {}))):
        raise PluginError(f"{what} must have each column once, not {twice}")
    return entry  # type: ignore[no-any-return]


def encounters(value: Any, count: int, setting: Setting, shared: bool) -> list[Encounter]:
    """What a scheme has each of so many solvers meet.

    Args:
        value: what it returned.
        count: how many solvers there are.
        setting: the setting of its run.
        shared: whether it says that all solvers meet the same deals.
    """
    who = f"the scheme {setting.job.scheme!r} must"
    asked = f"{who} give each of {count} solvers an encounter"
    found = listed(value, asked)
    if len(found) != count:
        raise PluginError(f"{asked}, got {len(found)}")
    # Schemes often give all solvers the same one.
    different = {id(one): one for one in found}
    checked = {key: _encounter(one, who, asked, setting) for key, one in different.items()}
    met = {frozenset(one.deals) for one in checked.values()}
    if shared and len(met) > 1:
        raise PluginError(
            f"{who} have all solvers meet the same deals, as its shares(job) is True, got "
            f"{len(met)} sets of them: have shares return False, or repeat one encounter"
        )
    return [checked[id(one)] for one in found]


def _encounter(one: Any, who: str, asked: str, setting: Setting) -> Encounter:
    if not isinstance(one, Encounter):
        raise broken(f"{asked}, a gafreecell.Encounter", one)
    asked = f"{who} have solvers meet deals of setting.pool"
    deals = []
    for given in listed(one.deals, asked):
        found = deal(given)
        if found is None or found not in setting.known:
            raise broken(asked, given)
        deals.append(found)
    if not deals:
        raise PluginError(f"{who} have each solver meet at least one deal")
    met = listed(one.met, f"{who} give an encounter's met as a tuple of numbers")
    return replace(one, deals=tuple(deals), met=tuple(map(plain, met)))


def deal(value: Any) -> Deal | None:
    """A deal: a deal number, also numpy's, or a name; None for anything else."""
    return str(value) if isinstance(value, str) else whole(value)


def json_of(value: Any, what: str) -> Any:
    """A copy of plain data, exactly as a run folder keeps it, so numbers of numpy's are Python's.

    A run in memory thus works with the same data as a resumed one.

    Raises:
        PluginError: if JSON cannot hold it.
    """
    try:
        text = json.dumps(value, allow_nan=False, default=_of_numpy)
        return json.loads(text, object_pairs_hook=_table)
    except (TypeError, ValueError, RecursionError) as error:
        raise PluginError(
            f"{what} must be plain numbers, words, lists and mappings: {error}"
        ) from None


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping, if no two of its keys are written alike, as 1 and "1" are."""
    for key, times in Counter(key for key, _ in pairs).items():
        if times > 1:
            raise ValueError(f"{times} keys of one mapping are written {shown(key)}")
    return dict(pairs)


def _of_numpy(value: Any) -> Any:
    """A numpy scalar as Python's, or the items of an array; ``TypeError`` for anything else."""
    found = plain(value)
    if found is not value:
        return found
    is_array = hasattr(value, "tolist") and getattr(value, "shape", None) != ()
    if is_array and not isinstance(value, BYTES):
        return list(value)
    raise TypeError(f"{shown(value)} is of the type {type(value).__name__}")


def broken(asked: str, came: object) -> PluginError:
    """The error for a part that breaks its contract."""
    return PluginError(f"{asked}, got {shown(came)}")
