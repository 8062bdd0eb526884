"""Packages that import the names they offer when these are first used."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data
from typing import Any

_LINE = re.compile(r"from (\S+) import (\w+) as \2(  # a module)?")


def offered(package: str) -> tuple[list[str], Callable[[str], Any]]:
    """The names that a package offers, and what imports one of them: a ``__getattr__`` (PEP 562).

    The package's stub, which type checkers read, is the list: it has a line ``from PLACE import
    NAME as NAME`` for each, with the comment ``a module`` after modules.

    Args:
        package: its name; the stub lies beside its ``__init__.py``.
    """
    stub = (get_data(package, "__init__.pyi") or b"").decode()
    found = [line.groups() for line in map(_LINE.fullmatch, stub.splitlines()) if line]
    places = {name: (place, module) for place, name, module in found}

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place, module = places[name]
        return import_module(f"{place}.{name}") if module else getattr(import_module(place), name)

    return [*places], load
