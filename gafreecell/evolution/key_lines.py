"""Where the keys of a TOML text are, as the parser gives no positions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

_TABLE = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?")
_SETTING = re.compile(r"\s*((?:[\w.\- \t]|\"[^\"]*\"|'[^']*')+?)\s*=")
_LONG = ('"""', "'''")
Path = tuple[str, ...]


class KeyLines:
    """The lines of the keys of a text, found in one pass.

    Args:
        text: TOML that can be read.
        table: what it holds. A line that looks like a setting may set no key, as in a list.
    """

    def __init__(self, text: str, table: Mapping[str, Any]) -> None:
        self._lines: dict[Path, int] = {}
        within: Path = ()
        closing = ""
        for number, line in enumerate(text.split("\n"), start=1):
            if closing:
                closing = "" if closing in line else closing
                continue
            # A text of several lines begins.
            closing = next((mark for mark in _LONG if line.count(mark) % 2), "")
            if header := _TABLE.fullmatch(line):
                path = _path_of(header[1])
                if _holds(table, path):
                    within = path
                    self._lines.setdefault(path, number)
            elif setting := _SETTING.match(line):
                path = within + _path_of(setting[1])
                if _holds(table, path):
                    for end in range(len(within) + 1, len(path) + 1):
                        self._lines.setdefault(path[:end], number)

    def line_of(self, key: str) -> int:
        """The line of a key's dotted path, or of the table around it; 0 if there is none."""
        path = tuple(key.split("."))
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 0)


def _path_of(written: str) -> Path:
    """The path of a key as TOML writes it; empty if it is none."""
    try:
        found: Any = tomllib.loads(f"{written} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    path = []
    while isinstance(found, dict):
        ((key, found),) = found.items()
        path.append(key)
    return tuple(path)


def _holds(table: Any, path: Path) -> bool:
    for key in path:
        if not isinstance(table, Mapping) or key not in table:
            return False
        table = table[key]
    return bool(path)
