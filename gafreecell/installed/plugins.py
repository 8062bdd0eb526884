"""Plug-ins: games, trainers, schemes, measures, operators and figures.

Each kind has a group of entry points, in which the built-in ones are registered, too. An object
that no package registers can be handed in under its name, for this process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import FunctionType
from typing import Any

from deals.errors import BadInput, did_you_mean
from gafreecell.solving.parameters import Parameter

GROUPS = {
    "game": "gafreecell.games",
    "library": "gafreecell.libraries",
    "trainer": "gafreecell.trainers",
    "scheme": "gafreecell.schemes",
    "measure": "gafreecell.measures",
    "crossover": "gafreecell.crossovers",
    "mutation": "gafreecell.mutations",
    "selection": "gafreecell.selections",
    "figure": "gafreecell.figures",
}
FUNCTIONS = ("crossover", "mutation", "selection")
"""Kinds whose plug-ins are functions, known by their own names."""
_TITLES = {"measure": "fitness measure"}
_handed: dict[tuple[str, str], Any] = {}


class PluginError(BadInput):
    """A plug-in that is not registered, or does not fit its kind."""


def names(kind: str) -> list[str]:
    """Names of all plug-ins of a kind, one of ``GROUPS``."""
    registered = {entry.name for entry in _entries(kind)}
    return sorted(registered | {name for other, name in _handed if other == kind})


def find(kind: str, name: str) -> Any:
    """The plug-in that is registered, or was handed in, under a name.

    Raises:
        PluginError: if there is none; the message lists those there are.
    """
    if (kind, name) in _handed:
        return _handed[kind, name]
    entries = {entry.value: entry for entry in _entries(kind, name)}
    if len(entries) > 1:
        raise PluginError(
            f"there is more than one {title(kind)} {name!r}, {' and '.join(sorted(entries))}: "
            "uninstall one of the packages, or ask its author to rename it"
        )
    for entry in entries.values():
        return _loaded(kind, entry)
    if kind == "game":
        for library in those("library", lambda one: one.has(name)):
            return find("library", library).game(name)
    raise PluginError(_unknown(kind, name))


def drawn() -> dict[str, Mapping[str, str]]:
    """The titles of the libraries' games that can be drawn, by family and name."""
    found: dict[str, Mapping[str, str]] = {}
    for library in names("library"):
        found |= find("library", library).drawn()
    return found


def _unknown(kind: str, name: str) -> str:
    """Says what there is in place of a name that nothing has."""
    found = names(kind)
    known, listed, own = [*found], ", ".join(found) or "none", "install its package"
    if kind == "game":
        known += [one for family in drawn().values() for one in family]
        listed += ", and those that 'gafreecell games' lists"
        own = f"give the file of its rules, such as my-game.toml, {own}"
        if os.path.isfile(f"{name}.toml"):
            own = f"give the file of its rules, {name}.toml"
    return (
        f"there is no {title(kind)} {name!r}; there are {listed} (to use your own, {own}, or hand "
        f"it in as {kind}=... from Python)" + did_you_mean(name, known)
    )


def _entries(kind: str, name: str | None = None) -> list[EntryPoint]:
    """The entry points of a kind, or those of one name."""
    found = _registered(GROUPS[kind], tuple(map(_seen, sys.path)))
    return [entry for entry in found if name in (None, entry.name)]


@cache
def _registered(group: str, folders: tuple[tuple[str, int], ...]) -> tuple[EntryPoint, ...]:
    # Reading what all packages register takes milliseconds.
    return tuple(entry_points(group=group))


def _seen(folder: str) -> tuple[str, int]:
    """A folder of ``sys.path`` and when it last changed, as when a package was installed there."""
    try:
        return folder, os.stat(folder or ".").st_mtime_ns
    except OSError:
        return folder, 0


def _loaded(kind: str, entry: EntryPoint) -> Any:
    """The object that an entry point names; errors of its module itself are passed on."""
    try:
        found: Any = import_module(entry.module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{entry.module}.".startswith(f"{error.name}."):
            raise
        fault: Exception = error
    else:
        try:
            for part in entry.attr.split("."):
                found = getattr(found, part)
            return found
        except AttributeError as error:
            fault = error
    raise PluginError(
        f"the {title(kind)} {entry.name!r} ({entry.value}) cannot be loaded: {fault}"
    ) from fault


def is_installed(kind: str, name: str) -> bool:
    """Whether an installed package has registered the name, so that commands know it."""
    return bool(_entries(kind, name))


def built_in(kind: str) -> list[str]:
    """Names of the parts of a kind that come along."""
    return sorted(entry.name for entry in _entries(kind) if entry.value.startswith("gafreecell."))


def tables(kind: str, chosen: Iterable[Any]) -> dict[str, type[Any]]:
    """The dataclasses of the tables that parts declare, then of those that all of the kind have.

    Args:
        kind: the kind of the parts.
        chosen: their names; those that cannot be loaded are skipped.
    """
    found: dict[str, type[Any]] = {}
    for name in chosen:
        with suppress(Exception):
            declared = find(kind, name).tables
            found |= declared if _are_tables(declared) else {}
    return {**found, **_base(kind).tables}


def _base(kind: str) -> Any:
    """The base class of the parts of a kind."""
    return getattr(import_module(f"gafreecell.evolution.{kind}s"), kind.capitalize())


def those(kind: str, test: Callable[[Any], bool]) -> list[str]:
    """Names of the plug-ins of a kind that pass a test; those that cannot be loaded are skipped."""
    found = []
    for name in names(kind):
        with suppress(Exception):
            if test(find(kind, name)):
                found.append(name)
    return found


def part(kind: str, name: str) -> Any:
    """The class of a trainer, scheme or fitness measure, checked.

    Raises:
        PluginError: if there is none of this name, or it is not a complete subclass.
    """
    found: Any = find(kind, name)
    base = _base(kind)
    lacking = sorted(getattr(found, "__abstractmethods__", ()))
    members = ("name", "parameters", "tables")
    called, parameters, tables = (getattr(found, member, None) for member in members)
    if not isinstance(found, type) or not issubclass(found, base):
        wrong = f"must be a subclass of gafreecell.{base.__name__}, got {found!r:.60}"
    elif lacking:
        wrong = f"must define {', '.join(lacking)}"
    elif called != name:
        wrong = f"calls itself {called!r}: register it under that name"
    elif not _are_tables(tables):
        wrong = (
            "must have a mapping of names to frozen dataclasses with a default for each key as "
            f"tables, got {tables!r:.60}"
        )
    elif not _are_parameters(parameters):
        wrong = (
            f"must have a tuple of gafreecell.Parameter as parameters, got {parameters!r:.60}"
            ": make it one; a tuple of one is written (Parameter(...),)"
        )
    else:
        return found
    raise PluginError(f"the {title(kind)} {name!r} {wrong}")


def _are_tables(given: Any) -> bool:
    try:
        return all(is_dataclass(one()) for one in given.values())
    except (AttributeError, TypeError):
        return False


def _are_parameters(given: object) -> bool:
    fine = isinstance(given, tuple | list)
    return fine and all(isinstance(one, Parameter) for one in given)  # type: ignore[attr-defined]


def hand_in(kind: str, brought: Any) -> str:
    """Make an object known under its name for this process; returns the name.

    Raises:
        PluginError: if it has no name, or an installed package has registered the name.
    """
    function, name = kind in FUNCTIONS, _name_of(kind, brought)
    # A lambda's name is not an identifier.
    if not isinstance(name, str) or not name or (function and not name.isidentifier()):
        what = "a game" if kind == "game" else f"a subclass of gafreecell.{kind.capitalize()}"
        what = "a function" if function else what
        raise PluginError(
            f"{kind}= takes a registered name, or {what} with a name of its own, "
            f"got {brought!r:.60}"
        )
    for entry in _entries(kind, name):
        registered = entry.load()
        if _class_of(brought) is not _class_of(registered):
            raise PluginError(
                f"{entry.value} is registered as the {title(kind)} {name!r}: use another name"
            )
        return name
    _handed[kind, name] = brought
    return name


def _name_of(kind: str, brought: Any) -> Any:
    return getattr(brought, "__name__" if kind in FUNCTIONS else "name", None)


def _class_of(brought: Any) -> Any:
    return brought if isinstance(brought, type | FunctionType) else type(brought)


@contextmanager
def standing_in(kind: str, brought: Any) -> Iterator[str]:
    """Make an object known under its name for the block, even if the name is taken."""
    key = (kind, str(_name_of(kind, brought)))
    kept = _handed.get(key)
    _handed[key] = brought
    try:
        yield key[1]
    finally:
        del _handed[key]
        if kept is not None:
            _handed[key] = kept


def missing(brought: Any, protocol: type[Any]) -> list[str]:
    """Names of a protocol's members that an object lacks."""
    # ``typing.get_protocol_members`` needs a later Python.
    parts = [part for part in protocol.__mro__ if getattr(part, "_is_protocol", False)]
    members = {name for part in parts for name in vars(part) if not name.startswith("_")}
    return [name for name in sorted(members) if not hasattr(brought, name)]


def fault_of(error: BaseException) -> str:
    """The plug-in whose code raised an exception, for people; empty for our own code.

    An exception from a worker process carries its frames only as text. So we look in the
    traceback's text for paths of the packages that plug-ins were loaded from.
    """
    import traceback

    text = "".join(traceback.format_exception(error))
    ours = Path(__file__).parents[2]
    last, at_fault = -1, ""
    brought: dict[str, list[str]] = {}
    for kind in GROUPS:
        for entry in _entries(kind):
            source = _source(entry)
            # The built-in packages are installed beside this one.
            if not source or Path(source) in (ours / "gafreecell", ours / "hsd"):
                continue
            brought.setdefault(source, []).append(f"the {title(kind)} {entry.name!r}")
            place = text.rfind(f'File "{source}')
            if place > last:
                last, at_fault = place, source
    if not at_fault:
        return ""
    # A package can register several; the exception's notes name the one that was running.
    named = [one for one in brought[at_fault] if f"raised by {one}" in text]
    return f"{' or '.join(named or brought[at_fault])} ({at_fault})"


def _source(entry: EntryPoint) -> str:
    """Where the source of an entry point's package is: a folder or a file."""
    from importlib.util import find_spec

    try:
        spec = find_spec(entry.module.partition(".")[0])
    except (ImportError, ValueError):
        return ""
    folders = spec.submodule_search_locations if spec else None
    if folders:
        return str(Path(next(iter(folders)))) + os.sep
    return (spec.origin if spec else None) or ""


def title(kind: str) -> str:
    """What a kind is called, for people."""
    return _TITLES.get(kind, kind)
