"""A hash of the sources of a part of one's own, by which a run knows it again."""

from __future__ import annotations

import ast
import hashlib
import linecache
import os
import sys
from inspect import unwrap
from types import FunctionType, ModuleType
from typing import Any

_OURS = ("gafreecell", "deals", "hsd", "deap", "numpy", "numba", "scipy", "joblib", "matplotlib")


def digest_of(part: Any) -> str:
    """A hash of a part's sources: 16 hexadecimal digits, or empty if they cannot be read.

    The sources are the text of a class or function, and of the functions, classes and constants at
    the top of modules that it names, and so on; of a module that it names, the whole file. What
    comes with Python, with gafreecell or with the libraries that it needs does not count, nor do
    values that an object holds, and modules that are imported within a function.

    Args:
        part: a class, an object of one, or a function.
    """
    texts: set[str] = set()
    todo: list[Any] = [part if isinstance(_plain(part), type | FunctionType) else type(part)]
    seen: set[int] = set()
    while todo:
        one = _plain(todo.pop())
        if id(one) in seen or not is_own(one):
            continue
        seen.add(id(one))
        file = _file_of(one)
        if file and os.path.exists(file):
            linecache.checkcache(file)
        source = "".join(linecache.getlines(file))
        if not source:
            return ""
        if isinstance(one, ModuleType):
            texts.add(source)
            continue
        known = vars(sys.modules.get(one.__module__)) if one.__module__ in sys.modules else {}
        scope = getattr(one, "__globals__", known)
        found, others = _told(source, one.__qualname__.partition(".")[0])
        if not found:
            return ""
        texts |= found
        todo += [
            scope[name]
            for name in others
            if isinstance(_plain(scope.get(name)), type | FunctionType | ModuleType)
        ]
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:16]


def _told(source: str, first: str) -> tuple[set[str], list[str]]:
    """The texts of a name at the top of a source and of all that it needs there.

    Returns:
        The texts, and the names that are needed but not defined in the source, in order.
    """
    tops: dict[str, list[ast.stmt]] = {}
    for node in ast.parse(source).body:
        for name in _names_of(node):
            tops.setdefault(name, []).append(node)
    lines = source.splitlines()
    texts: set[str] = set()
    needed, asked = [first], {first}
    others = []
    while needed:
        name = needed.pop()
        if name not in tops:
            others.append(name)
        for node in tops.get(name, []):
            decorators = getattr(node, "decorator_list", [])
            start = min([node.lineno, *(one.lineno for one in decorators)])
            texts.add("\n".join(lines[start - 1 : node.end_lineno]))
            used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} - asked
            asked |= used
            needed += used
    return texts, sorted(others)


def _names_of(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module defines, imports apart."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        stored = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
        return [one.id for one in stored if isinstance(one.ctx, ast.Store)]
    return []


def _plain(value: Any) -> Any:
    """The Python function under numba's compiling and decorators; anything else as it is."""
    value = getattr(value, "py_func", value)
    return unwrap(value) if callable(value) else value


def _file_of(one: Any) -> str:
    """The file, or the cell of a notebook, that defines a module, a function or a class."""
    if isinstance(one, FunctionType):
        return one.__code__.co_filename
    if isinstance(one, type):
        inner = [_plain(getattr(value, "__func__", value)) for value in vars(one).values()]
        own = [f for f in inner if isinstance(f, FunctionType) and f.__module__ == one.__module__]
        files = [f.__code__.co_filename for f in own]
        files = [file for file in files if not file.startswith("<string")]
        one = sys.modules.get(one.__module__)
        if files:
            return files[0]
    return getattr(one, "__file__", None) or ""


def is_own(value: Any) -> bool:
    """Whether a module, class or function comes neither with gafreecell nor with its libraries."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    package = (name or "builtins").partition(".")[0]
    return package not in _OURS and package not in sys.stdlib_module_names
