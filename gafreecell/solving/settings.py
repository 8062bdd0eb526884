"""Tables of settings: frozen dataclasses, read from TOML or mappings and checked key by key.

A key is declared once: its type, what is allowed (``Between``, ``OneOf``) and its default.
"""

from __future__ import annotations

import copy
import json
import math
import re
import sys
import tomllib
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from itertools import chain
from types import UnionType
from typing import Annotated, Any, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from deals.checks import finite, plain, shown, whole
from deals.errors import BadInput, closest, did_you_mean
from gafreecell.solving.parameters import parse_value

Kind = TypeVar("Kind")
Table = Mapping[str, Any]


class SettingError(BadInput):
    """An invalid setting; the message names the key, the value and what is allowed.

    Attributes:
        key: the dotted path of the key that is at fault; empty if it is none.
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key

    @classmethod
    def at(cls, key: str, told: str) -> Self:
        """One about a key, whose message is the key and what is told of it."""
        return cls(f"{key}{told}", key)


@dataclass(frozen=True)
class Between:
    """The range of a number, both ends included."""

    low: float
    high: float

    def fault(self, value: float) -> str:
        """What a value must be; empty if it is allowed."""
        inside = self.low <= value <= self.high
        return "" if inside else f"{_bound(self.low)} to {_bound(self.high)}"


@dataclass(frozen=True)
class OneOf:
    """The words that are allowed."""

    words: tuple[str, ...]

    def fault(self, value: str) -> str:
        """What a value must be; empty if it is allowed."""
        return "" if value in self.words else " or ".join(self.words)


_WORDS: dict[type, str] = {
    int: "a whole number",
    float: "a number",
    str: "text",
    bool: "true or false",
    tuple: "a list of names",
    dict: "a table",
}


_CLOSED_BY = {"[": "]", "{": "}"}
"""How the lists and tables of a command line begin and end."""


_KINDS = "kinds"


def beside(kinds: Callable[[Table], Mapping[str, type[Any]]]) -> Any:
    """A field that holds tables by name, which stand beside the other keys.

    Args:
        kinds: gives their dataclasses by name, from the table that has them.
    """
    return field(default_factory=dict, metadata={_KINDS: kinds})


def _entries(settings: Any) -> Iterator[tuple[str, Any, Any]]:
    """Each key of a dataclass with its value and its default, if that can be known."""
    for spec in fields(settings):
        value = getattr(settings, spec.name)
        if _KINDS in spec.metadata:
            yield from ((name, table, None) for name, table in value.items())
        else:
            usual = spec.default_factory
            yield spec.name, value, usual() if callable(usual) else spec.default


class Word(str):
    """A value from a command line: a key of numbers or lists converts it."""


@cache
def hints_of(kind: type[Any]) -> Mapping[str, Any]:
    """The annotations of a class, evaluated once."""
    return get_type_hints(kind, include_extras=True)


def build(kind: type[Kind], table: Table, where: str = "") -> Kind:
    """A frozen dataclass from a table, every key checked.

    Args:
        kind: the dataclass.
        table: values by key; fields that are dataclasses take tables.
        where: the path to the table, ending with a dot, for messages.

    Raises:
        SettingError: naming the key, the value and what is allowed.
    """
    hints = hints_of(kind)  # type: ignore[arg-type]
    specs = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    tables = {f.name: f.metadata[_KINDS](table) for f in specs.values() if _KINDS in f.metadata}
    known = [key for name in specs for key in tables.get(name, (name,))]
    for key in table:
        if key not in known:
            raise SettingError.at(
                f"{where}{key}",
                f" is not a key that is known here; "
                f"{f'[{where[:-1]}]' if where else 'the top level'} has {', '.join(known)}"
                + _suggestion(key, where, known, {**hints, **ChainMap(*tables.values())}),
            )
    values: dict[str, Any] = {}
    for key, spec in specs.items():
        if key in tables:
            values[key] = {
                name: _value(one, table.get(name, {}), f"{where}{name}")
                for name, one in tables[key].items()
            }
        elif key in table:
            values[key] = _value(hints[key], table[key], f"{where}{key}")
        elif spec.default is MISSING and spec.default_factory is MISSING:
            raise SettingError.at(f"{where}{key}", " is missing: it must be given")
    return kind(**values)


def _suggestion(key: str, where: str, known: Sequence[str], kinds: Mapping[str, Any]) -> str:
    """The end of a message about an unknown key: the closest one, here or in the tables here."""
    within = {
        name: [one.name for one in fields(kind)]
        for name, kind in kinds.items()
        if is_dataclass(kind)
    }
    close = closest(key, chain(known, *within.values()))
    if not close or close in known:
        return did_you_mean(key, known)
    names = [repr(f"{where}{name}.{close}") for name, keys in within.items() if close in keys]
    return f"; did you mean {' or '.join(names)}?"


def _value(hint: Any, given: Any, path: str) -> Any:
    if get_origin(hint) is Annotated:
        kind, rule = get_args(hint)
        value = _value(kind, given, path)
        allowed = rule.fault(value)
        if allowed:
            came = value if isinstance(given, Word) else given
            raise SettingError.at(path, f" must be {allowed}, got {shown(came)}")
        return value
    origin = get_origin(hint) or hint
    given = _read_word(given, origin, path) if isinstance(given, Word) else _of_numpy(given)
    if origin in (Union, UnionType):
        origin = get_args(hint)[0]
    if isinstance(origin, type) and is_dataclass(origin):
        return build(origin, _a_table(given, path), f"{path}.")
    if origin is tuple:
        if not isinstance(given, list | tuple) or not all(isinstance(one, str) for one in given):
            raise SettingError.at(path, f" must be a list of names, got {given!r}")
        return tuple(given)
    if origin not in (int, float, str, bool):
        kind = get_args(hint)[-1]
        given = _a_table(given, path)
        if not is_dataclass(kind):
            return {
                _text_key(key): _read_words(value, f"{path}.{key}") for key, value in given.items()
            }
        return {name: _value(kind, part, f"{path}.{name}") for name, part in given.items()}
    if origin is float and type(given) is int and finite(given, sys.float_info.max) is not None:
        given = float(given)
    if not isinstance(given, origin) or isinstance(given, bool) != (origin is bool):
        raise SettingError.at(path, f" must be {_WORDS[origin]}, got {shown(given)}")
    return given


def _of_numpy(given: Any) -> Any:
    """A value with the numbers and arrays of numpy's as Python's; anything else unchanged."""
    return [plain(one) for one in given] if getattr(given, "shape", ()) else plain(given)


def _read_word(word: Word, kind: Any, path: str) -> Any:
    """Convert a word for a key of some type; a word that cannot be converted stays a word.

    Lists are separated by commas, or written as in TOML.
    """
    if kind is str:
        return str(word)
    if word.startswith(tuple(_CLOSED_BY)):
        return _read_bracketed(word, path)
    if kind is tuple:
        return [part.strip() for part in word.split(",")]
    value = parse_value(word)
    if kind in (int, float) or not isinstance(value, str):
        return value
    try:
        return tomllib.loads(f"value = {word}")["value"]
    except tomllib.TOMLDecodeError:
        return value


def _read_bracketed(word: Word, path: str) -> Any:
    """Read a TOML list or table; ``SettingError`` saying what is wrong with it."""
    try:
        return tomllib.loads(f"value = {word}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        # Brackets in quoted text do not count.
        bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", word)
        for opened, closed in _CLOSED_BY.items():
            if bare.count(opened) > bare.count(closed):
                raise SettingError.at(
                    path,
                    f" must be a list or a table in TOML, got {str(word)!r:.60}: a "
                    f"{opened!r} is not closed by {closed!r}",
                ) from None
        raise SettingError.at(
            path,
            f' must be a list or a table in TOML, as in ["a", "b"] or {{a = 1}}, got '
            f"{str(word)!r:.60}: {str(error).partition(' (at')[0]}",
        ) from None


def _read_words(value: Any, path: str) -> Any:
    """A copy of a value of an untyped table, with words converted to what they look like."""
    if isinstance(value, Mapping):
        return {key: _read_words(one, f"{path}.{key}") for key, one in value.items()}
    if not isinstance(value, Word):
        value = _of_numpy(value)
        if isinstance(value, list | tuple):
            return [_read_words(one, path) for one in value]
        return copy.deepcopy(value)
    if value.startswith((*_CLOSED_BY, '"', "'")) or value in ("true", "false"):
        return _read_word(value, object, path)
    read = parse_value(value)
    # No key of this table will convert it any more.
    return str(read) if isinstance(read, Word) else read


def _text_key(key: Any) -> Any:
    """A key as in TOML: numbers become text."""
    number = whole(key)
    return key if number is None else str(number)


def _a_table(given: Any, path: str) -> Table:
    if is_dataclass(given) and not isinstance(given, type):
        return as_table(given)
    if not isinstance(given, Mapping):
        raise SettingError.at(path, f" must be a table, got {given!r}")
    return given


def as_table(settings: Any) -> dict[str, Any]:
    """A dataclass of settings as plain mappings; ``build`` reverses it."""

    def tabled(value: Any) -> Any:
        if is_dataclass(value) and not isinstance(value, type):
            return as_table(value)
        if isinstance(value, Mapping):
            return {key: tabled(one) for key, one in value.items()}
        return value

    return {key: tabled(value) for key, value, _ in _entries(settings)}


def merged(table: Table, changes: Table) -> dict[str, Any]:
    """A table with changes applied: tables within it are changed key by key, ``{}`` empties one."""
    result = dict(table)
    for key, value in changes.items():
        if is_dataclass(value) and not isinstance(value, type):
            value = as_table(value)
        old = result.get(key)
        both = isinstance(value, Mapping) and isinstance(old, Mapping)
        result[key] = merged(old, value) if both and value else value  # type: ignore[arg-type]
    return result


def nested(path: str, value: Any) -> dict[str, Any]:
    """The table that sets one key: ``solvers.population`` makes a table within a table."""
    first, dot, rest = path.partition(".")
    return {first: nested(rest, value) if dot else value}


def flat(table: Table, where: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a table by dotted key, the reverse of ``nested``."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{where}{key}.")
        else:
            yield f"{where}{key}", value


def changed_settings(settings: Any, where: str = "") -> Iterator[str]:
    """A line for each key whose value is not its default."""
    for key, value, usual in _entries(settings):
        if is_dataclass(value):
            yield from changed_settings(value, f"{where}{key}.")
        elif value != usual:
            if isinstance(value, Mapping):
                value = dict(sorted(value.items()))
            yield f"{where}{key} = {toml_value(value)}"


def toml_text(settings: Any, listed: Sequence[str] = ()) -> str:
    """Settings as TOML with every key written out.

    Args:
        settings: a dataclass.
        listed: fields that map names to dataclasses; each of these gets a table.
    """
    lines: list[str] = []
    tables: list[tuple[tuple[str, ...], Any]] = []
    for key, value, _ in _entries(settings):
        if key in listed:
            tables += [((key, name), part) for name, part in value.items()]
        elif is_dataclass(value):
            tables.append(((key,), value))
        else:
            lines.append(f"{key} = {toml_value(value)}")
    for name, table in tables:
        lines += ["", f"[{'.'.join(map(_key, name))}]"]
        lines += [f"{s.name} = {toml_value(getattr(table, s.name))}" for s in fields(table)]
    return "\n".join(lines) + "\n"


def toml_tables(table: Table, within: tuple[str, ...] = ()) -> str:
    """A table as TOML, the tables in it as sections.

    Args:
        table: keys and values; tables below sections are written within a line.
        within: the names of the tables around it; at most two, such as ``settings`` and a name.
    """
    lines, sections = [], []
    for key, value in table.items():
        if isinstance(value, Mapping) and len(within) < 2:
            sections.append(toml_tables(value, (*within, key)))
        else:
            lines.append(f"{_key(key)} = {toml_value(value)}\n")
    if within and (lines or not sections):
        lines.insert(0, f"\n[{'.'.join(map(_key, within))}]\n")
    return "".join([*lines, *sections])


def toml_value(value: Any) -> str:
    """A value as TOML writes it."""
    value = plain(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {toml_value(one)}" for k, one in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    # JSON strings are TOML strings, except for one control character that JSON does not escape.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    """A key as TOML writes it."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_value(str(name))


def _bound(bound: float) -> str:
    return f"{bound:,}" if isinstance(bound, int) else f"{bound:g}"
