"""A hash of the sources of a part of one's own, by which a run knows it again."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

_PLAIN = (bool, int, float, str, bytes, tuple, list, dict, type(None))
"""Types of constants that count."""
_OURS = ("gafreecell", "deals", "hsd", "deap", "numpy", "numba")


def digest_of(part: Any) -> str:
    """A hash of a part's sources: 16 hexadecimal digits, or empty if they cannot be read.

    The sources are the functions of a class and of its bases, or a function, with the functions,
    classes and plain constants of the same package that they name, and so on. What comes with
    gafreecell, DEAP, numpy and Python does not count.

    Args:
        part: a class, an object of one, or a function.
    """
    part = _plain(part)
    start = part if isinstance(part, type | FunctionType) else type(part)
    texts: dict[str, str] = {}
    todo: list[Any] = [start]
    while todo:
        one = todo.pop()
        name = f"{one.__module__}.{one.__qualname__}"
        if name in texts:
            continue
        texts[name] = ""
        for function in _functions_of(one):
            try:
                texts[name] += inspect.getsource(function)
            except (OSError, TypeError):
                return ""
            for key, value in _named_in(function):
                if isinstance(value, type | FunctionType):
                    todo += [value] if is_own(value) else []
                else:
                    texts[name] += _told(key, value)
        if isinstance(one, type):
            for key, value in sorted(vars(one).items()):
                texts[name] += "" if key.startswith("__") else _told(key, value)
            todo += [base for base in one.__bases__ if is_own(base)]
    text = "\n".join(f"{name}\n{texts[name]}" for name in sorted(texts))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _functions_of(one: Any) -> list[FunctionType]:
    """A function, or those of a class in the order of their names."""
    if isinstance(one, FunctionType):
        return [one]
    found = []
    for _, value in sorted(vars(one).items()):
        inner = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
        inner = _plain(inspect.unwrap(inner) if callable(inner) else inner)
        # Functions that a decorator such as dataclass has made have no source.
        if isinstance(inner, FunctionType) and not inner.__code__.co_filename.startswith("<string"):
            found.append(inner)
    return found


def _named_in(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The globals that a function names, in the order of their names."""
    names: set[str] = set()
    codes: list[CodeType] = [function.__code__]
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        codes += [one for one in code.co_consts if isinstance(one, CodeType)]
    for name in sorted(names):
        if name in function.__globals__:
            yield name, _plain(function.__globals__[name])


def _plain(value: Any) -> Any:
    """The Python function of one that numba compiles; anything else as it is."""
    return getattr(value, "py_func", value)


def _told(name: str, value: Any) -> str:
    """A constant as text; empty for anything else, and for what is told by its address."""
    text = f"{name} = {value!r}\n" if isinstance(value, _PLAIN) else ""
    return "" if " at 0x" in text else text


def is_own(value: Any) -> bool:
    """Whether a class or function comes neither with gafreecell nor with what it rests on."""
    package = (getattr(value, "__module__", None) or "builtins").partition(".")[0]
    return package not in _OURS and package not in sys.stdlib_module_names
