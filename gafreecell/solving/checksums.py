"""Checksums of documents: a file that changed since it was written is noticed.

A checksum covers values, not layout, so a file may be indented anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

KEY = "checksum"
"""The key of a document that holds the checksum of its other keys."""
NO_LINES = 16 * "0"
"""The checksum of a file without lines."""


def checksum(document: Any) -> str:
    """16 hexadecimal digits of a hash of plain data."""
    return hashlib.sha256(json.dumps(document).encode()).hexdigest()[:16]


def sealed(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document with its checksum as the last key; an old checksum is replaced."""
    rest = {key: value for key, value in document.items() if key != KEY}
    return {**rest, KEY: checksum(rest)}


def matches(document: Any) -> bool:
    """Whether a document has the checksum that belongs to it."""
    return isinstance(document, dict) and document.get(KEY) == sealed(document)[KEY]


def of_lines(lines: Iterable[Any], before: str = NO_LINES) -> str:
    """The checksum of a file's lines.

    Args:
        lines: all lines, or further ones.
        before: the checksum of the lines that these follow.
    """
    return reduce(lambda known, line: checksum([known, line]), lines, before)
