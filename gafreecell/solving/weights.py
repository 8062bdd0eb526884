"""Weights files: an evaluator with the search and the limits it was made for.

The file is JSON (see ``Weights``). Presets are such files inside the games' packages.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path, PurePath
from typing import Any

from deals.checks import shown
from deals.errors import BadInput, did_you_mean
from deals.words import plural
from gafreecell.solving.files import read_text, write_atomically
from gafreecell.solving.formats import Format
from gafreecell.solving.outcome import (
    BEST_FIRST,
    LARGEST,
    LINEAR,
    PHASE_RULES,
    RULES,
    SCHEDULE,
    Evaluator,
    LimitError,
    Limits,
    Phase,
    Search,
)
from gafreecell.solving.parameters import Value
from gafreecell.solving.rules import ConditionError, Rule, parse_rule

KEYS = ("format", "game", "variant", "evaluator", "search", "limits", "provenance")
FORMAT = Format("gafreecell-weights", "a weights file", version=5)
_PARTS = {LINEAR: ("weights",), SCHEDULE: ("phases",), RULES: ("rules", "default")}
"""The keys of an evaluator of each kind, besides ``kind`` and ``features``."""
LARGEST_WEIGHT = sys.float_info.max


class WeightsError(BadInput):
    """A weights file that cannot be read; the message names the file and what is wrong."""


@dataclass(frozen=True)
class Weights:
    """A solver as data.

    Attributes:
        game: name of the game.
        variant: the options of the game that it was made for, such as cells and
            cascades: whole numbers or words.
        evaluator: features and weights; None for a search without one.
        search: name and parameters.
        limits: default limits.
        provenance: its origin: run, generation, seed, job hash, the deals that trained and
            validated it, and package version; or a publication.
    """

    game: str
    variant: Mapping[str, Value]
    evaluator: Evaluator | None
    search: Search
    limits: Limits = Limits()
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def to_text(self) -> str:
        """The file's text; equal objects give equal bytes."""
        limits = {"nodes": self.limits.nodes}
        if self.limits.memory != Limits.memory:
            limits["memory"] = self.limits.memory
        document = {
            "format": FORMAT.head,
            "game": self.game,
            "variant": dict(self.variant),
            "evaluator": None if self.evaluator is None else _document_of(self.evaluator),
            "search": {"name": self.search.name, "parameters": dict(self.search.parameters)},
            "limits": limits,
            "provenance": dict(self.provenance),
        }
        return json.dumps(document, indent=2) + "\n"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file atomically, so that it is never seen half-written."""
        write_atomically(Path(path), self.to_text())


def check_game(weights: Weights, game: str, name: str = "") -> None:
    """Refuse weights of another game.

    Args:
        weights: what to check.
        game: the name of the game that should use them.
        name: of the weights, for messages.

    Raises:
        WeightsError: if they belong to another game; the message names both games.
    """
    # A file of rules may be given by another path.
    if PurePath(weights.game).name != PurePath(game).name:
        prefix = f"{name}: " if name else ""
        raise WeightsError(
            f"{prefix}weights for {weights.game}, not for {game}: ask for the game "
            f"{weights.game}, or take other weights"
        )


def read_weights(path: str | os.PathLike[str]) -> Weights:
    """Read a weights file.

    Args:
        path: of the JSON file.

    Raises:
        WeightsError: if the file cannot be read or is not a weights file.
    """
    text = read_text(path, "a weights file (JSON)", WeightsError)
    return parse_weights(text, str(path))


def parse_weights(text: str, name: str) -> Weights:
    """Read the text of a weights file; ``name`` stands for it in messages.

    Raises:
        WeightsError: if it is not a weights file.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise WeightsError(f"{name}, line {error.lineno}: not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"{name}: not a weights file: {error}") from None
    try:
        return _from_document(document)
    except (WeightsError, LimitError) as error:
        raise WeightsError(f"{name}: {error}") from None


@dataclass(frozen=True)
class Presets:
    """The presets of a game.

    Attributes:
        title: the game's name for people.
        package: the package whose folder ``presets_data`` has them.
        names: their names.
        default: the preset used if none is named.
        meanings: what each is for, in a few words, by its name.
    """

    title: str
    package: str
    names: tuple[str, ...]
    default: str
    meanings: Mapping[str, str] = field(default_factory=dict)

    def read(self, name: str) -> Weights:
        """A preset by name.

        Raises:
            WeightsError: if there is no preset of this name; the message lists them.
        """
        if not isinstance(name, str) or name not in self.names:
            raise WeightsError(
                f"there is no preset {name!r}; {self.title} has {', '.join(self.names)}"
                + did_you_mean(str(name), self.names)
            )
        return _read_preset(self.package, name)


@cache
def _read_preset(package: str, name: str) -> Weights:
    file = resources.files(package) / "presets_data" / f"{name}.json"
    return parse_weights(file.read_text(encoding="utf-8"), f"preset {name}")


def _from_document(document: Any) -> Weights:
    document = FORMAT.read(document, WeightsError)
    for key in document:
        if key not in KEYS:
            raise WeightsError(f"{key!r} is not known here; a weights file has {', '.join(KEYS)}")
    evaluator = None
    if document.get("evaluator") is not None:
        evaluator = _evaluator(_get(document, "evaluator", dict))
    search = _get(document, "search", dict)
    _only(search, "search", ("name", "parameters"))
    variant = _get(document, "variant", dict)
    for key, value in variant.items():
        if not isinstance(value, int | float | str) or isinstance(value, bool):
            raise WeightsError(f"{key!r} must be a number or a word, got {shown(value)}")
    parameters = _get(search, "parameters", dict, "search")
    for key, value in parameters.items():
        if not isinstance(value, int | float | str):
            raise WeightsError(f"search.parameters: {key} cannot be {shown(value, 40)}")
    provenance = document.get("provenance", {})
    if not isinstance(provenance, dict):
        raise WeightsError(f"'provenance' must be an object, got {shown(provenance)}")
    limits = _get(document, "limits", dict)
    _only(limits, "limits", ("nodes", "memory"))
    memory = _get(limits, "memory", int, "limits") if "memory" in limits else Limits.memory
    return Weights(
        game=_get(document, "game", str),
        variant=variant,
        evaluator=evaluator,
        search=Search(_get(search, "name", str, "search"), parameters),
        limits=Limits(nodes=_get(limits, "nodes", int, "limits"), memory=memory),
        provenance=provenance,
    )


def _document_of(evaluator: Evaluator) -> dict[str, Any]:
    head = {"kind": evaluator.kind, "features": list(evaluator.features)}
    rows = [list(row) for row in evaluator.rows]
    if evaluator.kind == LINEAR:
        return {**head, "weights": rows[0]}
    if evaluator.kind == SCHEDULE:
        phases = zip(evaluator.phases, rows, strict=True)
        return {
            **head,
            "phases": [{"nodes": p.nodes, "rule": p.rule, "weights": row} for p, row in phases],
        }
    sums = [
        {"offset": offset, "weights": row}
        for offset, row in zip(evaluator.offsets, rows, strict=True)
    ]
    rules = zip(evaluator.rules, sums[:-1], strict=True)
    return {
        **head,
        "rules": [{"if": str(rule), **one} for rule, one in rules],
        "default": sums[-1],
    }


def _evaluator(part: dict[str, Any]) -> Evaluator:
    kind = _get(part, "kind", str, "evaluator")
    if kind not in _PARTS:
        raise WeightsError(
            f"evaluator.kind {kind!r} is not known; this program knows {', '.join(_PARTS)}: "
            "a later version wrote the file"
        )
    _only(part, "evaluator", ("kind", "features", *_PARTS[kind]))
    features = _get(part, "features", list, "evaluator")
    if not all(isinstance(name, str) for name in features):
        raise WeightsError("evaluator.features must be a list of names")
    if len(set(features)) < len(features):
        raise WeightsError("evaluator.features names a feature twice")
    if kind == LINEAR:
        return Evaluator(tuple(features), _weights(part, "evaluator", features))
    return _schedule(part, features) if kind == SCHEDULE else _policy(part, features)


def _schedule(part: dict[str, Any], features: list[str]) -> Evaluator:
    parts = _get(part, "phases", list, "evaluator")
    if not parts:
        raise WeightsError("evaluator.phases is empty; a schedule has at least one phase")
    phases: list[Phase] = []
    weights: list[float] = []
    for number, one in enumerate(parts, start=1):
        where = f"evaluator.phases, phase {number}"
        last = number == len(parts)
        phases.append(_phase(one, where, last))
        weights += _weights(one, where, features)
    return Evaluator(tuple(features), tuple(weights), tuple(phases))


def _policy(part: dict[str, Any], features: list[str]) -> Evaluator:
    parts = _get(part, "rules", list, "evaluator")
    if not parts:
        raise WeightsError(
            "evaluator.rules is empty; a policy has at least one rule: a single weighted sum is "
            f"of the kind {LINEAR}"
        )
    rules: list[Rule] = []
    offsets: list[float] = []
    weights: list[float] = []
    for number, one in enumerate(parts, start=1):
        where = f"evaluator.rules, rule {number}"
        _object(one, where, ("if", "offset", "weights"))
        text = one.get("if")
        if not isinstance(text, str):
            raise WeightsError(f"{where}: 'if' must be a condition as text, got {shown(text, 40)}")
        try:
            rules.append(parse_rule(text, features))
        except ConditionError as error:
            raise WeightsError(f"{where}: {error}") from None
        offsets.append(_offset(one, where))
        weights += _weights(one, where, features)
    where = "evaluator.default"
    default: Any = part.get("default")
    _object(default, where, ("offset", "weights"))
    offsets.append(_offset(default, where))
    weights += _weights(default, where, features)
    return Evaluator(tuple(features), tuple(weights), rules=tuple(rules), offsets=tuple(offsets))


def _object(part: Any, where: str, known: tuple[str, ...]) -> None:
    """Refuse anything but an object with these keys."""
    if not isinstance(part, dict):
        raise WeightsError(f"{where} must be an object, got {shown(part, 40)}")
    _only(part, where, known)


def _offset(part: dict[str, Any], where: str) -> float:
    offset = part.get("offset", 0.0)
    if not _is_weight(offset):
        raise WeightsError(f"{where}: offset must be a number, got {shown(offset, 40)}")
    return float(offset)


def _phase(part: Any, where: str, last: bool) -> Phase:
    _object(part, where, ("nodes", "rule", "weights"))
    nodes, rule = part.get("nodes"), part.get("rule", BEST_FIRST)
    if rule not in PHASE_RULES:
        raise WeightsError(
            f"{where}: rule must be {' or '.join(PHASE_RULES)}, got {shown(rule, 40)}"
        )
    if last:
        if nodes is not None:
            raise WeightsError(
                f"{where}: the last phase has no limit, got nodes {shown(nodes, 40)}"
            )
    elif not isinstance(nodes, int) or isinstance(nodes, bool) or not 0 < nodes <= LARGEST:
        raise WeightsError(
            f"{where}: nodes must be a positive whole number, got {shown(nodes, 40)}"
        )
    return Phase(nodes, rule)


def _weights(part: dict[str, Any], where: str, features: list[str]) -> tuple[float, ...]:
    weights = _get(part, "weights", list, where)
    for weight in weights:
        if not _is_weight(weight):
            raise WeightsError(
                f"{where}.weights must be a list of numbers, got {shown(weight, 40)}"
            )
    if len(features) != len(weights):
        raise WeightsError(
            f"{plural(len(features), 'feature')} but {plural(len(weights), 'weight')}"
            + (f" in {where}" if where != "evaluator" else "")
        )
    return tuple(float(weight) for weight in weights)


def _is_weight(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and abs(value) <= LARGEST_WEIGHT


def _only(part: Mapping[str, Any], where: str, known: tuple[str, ...]) -> None:
    """Refuse unknown keys: a later program may have written them, and we must not ignore them."""
    for key in part:
        if key not in known:
            raise WeightsError(f"{key!r} is not known in {where}, which has {', '.join(known)}")


def _get(part: Any, key: str, kind: type[Any], where: str = "") -> Any:
    name = f"{where}.{key}" if where else key
    if isinstance(part, dict) and key not in part:
        raise WeightsError(f"{name} is missing")
    value = part.get(key) if isinstance(part, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        words = {dict: "an object", list: "a list", str: "text", int: "a whole number"}
        raise WeightsError(f"{name} must be {words[kind]}, got {shown(value)}")
    return value
