"""The keys of jobs, with their defaults, what is allowed, and what they are for.

All of it comes from the dataclasses in which the keys are declared and from their docstrings.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin

from gafreecell.evolution import job
from gafreecell.evolution.populations import Rates
from gafreecell.evolution.rule_genes import Policies
from gafreecell.solving.settings import OneOf, hints_of, toml_value

_LISTS = ("tables", "exports", "phases")
"""Keys of the top level whose values are tables with sections of their own."""


@dataclass(frozen=True)
class Key:
    """A key of a job.

    Attributes:
        name: as a job's table has it.
        default: in TOML, or "the game's"; empty if a job must give the key.
        allowed: words, a range, or a type.
        meaning: what it is for, in sentences.
    """

    name: str
    default: str
    allowed: str
    meaning: str


@cache
def tables() -> dict[str, type[Any]]:
    """The dataclasses of a job's tables by name, ``job`` for its top level."""
    return {
        "job": job.Job,
        "trained": job.Trained,
        "solvers": Rates,
        "operators": job.Operators,
        "fitness": job.Fitness,
        "rules": Policies,
        "deals": job.Pools,
        "validation": job.Validation,
        "stop": job.Stop,
        "exports": job.Export,
        "phases": job.EarlierPhase,
        **job.part_tables({}),
    }


def keys_of(kind: type[Any]) -> Iterator[Key]:
    """The keys of a table, without nested tables."""
    hints = hints_of(kind)  # type: ignore[arg-type]
    specs = {spec.name: spec for spec in fields(kind)}
    told: dict[str, str] = {}
    for one in kind.__mro__:
        if is_dataclass(one):
            told |= {names: said for names, said in described(one).items() if names not in told}
    for names, said in told.items():
        for name in names.split(", "):
            if name in specs and not is_dataclass(hints[name]) and name not in _LISTS:
                yield Key(name, _default(specs[name], kind), _allowed(hints[name]), said)


def described(kind: type[Any]) -> dict[str, str]:
    """What a dataclass's docstring says of its attributes, by name; some have one text together."""
    lines = (inspect.getdoc(kind) or "").partition("Attributes:\n")[2].splitlines()
    found: dict[str, str] = {}
    for line in lines:
        start = re.match(r"    (\w[\w, ]*): (.*)", line)
        if start:
            found[start[1]] = start[2]
        else:
            found[list(found)[-1]] += f" {line.strip()}"
    return found


def _default(spec: Field[Any], kind: type[Any]) -> str:
    if spec.default is MISSING and spec.default_factory is MISSING:
        return ""
    usual = spec.default_factory
    value = usual() if callable(usual) else spec.default
    if (value == "" and kind is job.Pools) or (spec.name, value) == ("features", ()):
        return "the game's"
    if isinstance(value, int) and not isinstance(value, bool) and value >= 10_000:
        return f"{value:_}"
    return toml_value(value)


def _allowed(hint: Any) -> str:
    if get_origin(hint) is Annotated:
        kind, rule = get_args(hint)
        if isinstance(rule, OneOf):
            return ", ".join(rule.words)
        if rule.low == float("-inf"):
            return "number"
        whole = "" if kind is int else "number, "
        return f"{whole}{_number(rule.low)} to {_number(rule.high)}"
    words = {str: "text", tuple: "list of names", bool: "true, false"}
    return words.get(get_origin(hint) or hint, "table")


def _number(value: float) -> str:
    if value >= 10**9 or 0 < value < 1e-3:
        return f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    return f"{value:,g}" if isinstance(value, float) else f"{value:,}"
