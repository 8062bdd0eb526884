"""A hash of the sources of a part of one's own, by which a run knows it again."""

from __future__ import annotations

import ast
import hashlib
import linecache
import os
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from inspect import unwrap
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

_OURS = ("gafreecell", "deals", "hsd", "deap", "numpy", "numba", "scipy", "joblib", "matplotlib")
_INSTALLED = {"site-packages", "dist-packages"}
"""Folders of packages that are installed, and not only linked."""
_DEFINITIONS = ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef
_IMPORTS = ast.Import | ast.ImportFrom
Imported = tuple[str, str]
"""A module, and what is imported from it; empty if it is the module itself."""


def digest_of(part: Any) -> str:
    """A hash of a part's sources: 16 hexadecimal digits, or empty if they cannot be read.

    The sources are the text of a class or function and of all that it needs in its own module:
    functions, classes and constants. Of each module that these import, the whole file counts, and
    so do the modules that it imports in turn. What comes with Python, with gafreecell or with the
    libraries that it needs does not count, nor do installed packages other than the part's own, nor
    values that an object holds.

    Args:
        part: a class, an object of one, or a function.
    """
    first = part if isinstance(_plain(part), type | FunctionType) else type(part)
    texts: set[str] = set()
    imported: list[Imported] = []
    todo, seen = [first], set[int]()
    while todo:
        one = _plain(todo.pop())
        if id(one) in seen:
            continue
        seen.add(id(one))
        source = _text_of(_file_of(one))
        if not source:
            return ""
        module = sys.modules.get(one.__module__)
        found, names, imports = _told(source, one.__qualname__.partition(".")[0])
        texts |= found or {source}
        imported += _imported(imports, getattr(module, "__package__", None) or "")
        # The cells of a notebook are sources of their own.
        scope = getattr(one, "__globals__", vars(module) if module else {})
        for value in map(_plain, map(scope.get, names)):
            if isinstance(value, ModuleType):
                imported.append((value.__name__, ""))
            elif isinstance(value, type | FunctionType) and value.__module__ == one.__module__:
                todo.append(value)
            elif isinstance(value, type | FunctionType):
                imported.append((value.__module__, ""))
    texts |= _files(imported, first.__module__)
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:16]


def _files(imported: Iterable[Imported], home: str) -> set[str]:
    """The texts of modules and of those that they import, as far as they belong to a part.

    Args:
        imported: the modules.
        home: the part's own module.
    """
    texts = set()
    todo, seen = [*imported], {home}
    while todo:
        module, name = todo.pop()
        if not _belongs(module.partition(".")[0], home.partition(".")[0]):
            continue
        # What is imported may be a module itself.
        spec = (_spec_of(f"{module}.{name}") if name else None) or _spec_of(module)
        if spec is None or spec.name in seen:
            continue
        seen.add(spec.name)
        if text := _text_of(spec.origin or ""):
            texts.add(text)
            todo += _imported(ast.walk(ast.parse(text)), spec.parent or "")
    return texts


def _belongs(package: str, home: str) -> bool:
    """Whether a package is the part's, or one of the user's that is not installed."""
    if package == home or _comes_along(package):
        return package == home
    spec = _spec_of(package)
    places = [spec.origin, *(spec.submodule_search_locations or ())] if spec else []
    return not any(_INSTALLED & {*Path(place).parts} for place in places if place)


def _spec_of(module: str) -> ModuleSpec | None:
    """Where a module is, whether it has been imported or not; None if there is none."""
    try:
        return find_spec(module)
    except (ImportError, ValueError):
        return None


def _imported(nodes: Iterable[ast.AST], package: str) -> Iterator[Imported]:
    """What the import statements among the nodes of a module of some package import."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            around = package.split(".")[: 1 - node.level or None] if node.level else []
            module = ".".join([*around, *filter(None, [node.module])])
            yield from ((module, alias.name) for alias in node.names)


@lru_cache(32)
def _told(source: str, first: str) -> tuple[set[str], list[str], list[ast.AST]]:
    """The texts of a name at the top of a source and of all that it needs there.

    Returns:
        The texts; the names that are needed but not defined in the source, in order; and the
        import statements that are needed.
    """
    tops: dict[str, list[ast.stmt]] = {}
    for node in ast.parse(source).body:
        for name in _names_of(node):
            tops.setdefault(name, []).append(node)
    lines = source.splitlines()
    texts: set[str] = set()
    imports: list[ast.AST] = []
    # Any name may come from an import of all names of a module.
    needed, asked = [first, "*"], {first, "*"}
    others = []
    while needed:
        name = needed.pop()
        if name not in tops:
            others.append(name)
        for node in tops.get(name, []):
            within = [*ast.walk(node)]
            imports += [one for one in within if isinstance(one, _IMPORTS)]
            if not isinstance(node, _IMPORTS):
                decorators = getattr(node, "decorator_list", [])
                start = min([node.lineno, *(one.lineno for one in decorators)])
                texts.add("\n".join(lines[start - 1 : node.end_lineno]))
            used = {one.id for one in within if isinstance(one, ast.Name)} - asked
            asked |= used
            needed += used
    return texts, sorted(others), imports


def _names_of(node: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a module defines; ``*`` if it imports all names."""
    for one in [node] if isinstance(node, _DEFINITIONS) else ast.walk(node):
        if isinstance(one, _DEFINITIONS):
            yield one.name
        elif isinstance(one, _IMPORTS):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in one.names)
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id


def _plain(value: Any) -> Any:
    """The Python function under numba's compiling and decorators; anything else as it is."""
    value = getattr(value, "py_func", value)
    return unwrap(value) if callable(value) else value


def _text_of(file: str) -> str:
    """The text of a file, or of a cell of a notebook; empty if it cannot be read as text."""
    if os.path.exists(file):
        linecache.checkcache(file)
    return "".join(linecache.getlines(file))


def _file_of(one: Any) -> str:
    """The file, or the cell of a notebook, that defines a function or a class."""
    if isinstance(one, FunctionType):
        return one.__code__.co_filename
    inner = [_plain(getattr(value, "__func__", value)) for value in vars(one).values()]
    own = [f for f in inner if isinstance(f, FunctionType) and f.__module__ == one.__module__]
    files = [f.__code__.co_filename for f in own]
    files = [file for file in files if not file.startswith("<string")]
    return files[0] if files else getattr(sys.modules.get(one.__module__), "__file__", None) or ""


def is_own(value: Any) -> bool:
    """Whether a class or function comes neither with gafreecell nor with its libraries."""
    return not _comes_along((getattr(value, "__module__", None) or "builtins").partition(".")[0])


def _comes_along(package: str) -> bool:
    return package in _OURS or package in sys.stdlib_module_names
