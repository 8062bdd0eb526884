"""Versions of the file formats that this project writes and reads.

A document states its format's name and version. Older versions are upgraded one step at
a time. An unknown version was written by a later program and is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from deals.errors import BadInput

Document = dict[str, Any]


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes:
        name: as written in the files.
        title: how messages refer to such a file.
        version: the current version.
        upgrades: for each older version that can still be read, a function that
            upgrades a document to the next version.
    """

    name: str
    title: str
    version: int
    upgrades: Mapping[int, Callable[[Document], Document]]

    @property
    def head(self) -> dict[str, Any]:
        """The value of ``format`` in a document."""
        return {"name": self.name, "version": self.version}

    def read(self, document: Any, error: type[BadInput]) -> Document:
        """Upgrade a document to the current version.

        Args:
            document: the parsed JSON.
            error: the class of error to raise.

        Raises:
            BadInput: as ``error``, if it has another format or an unknown version.
        """
        head = document.get("format") if isinstance(document, dict) else None
        if not isinstance(head, dict):
            raise error(f"not {self.title}: 'format' must be an object, got {head!r:.60}")
        if head.get("name") != self.name:
            name = head.get("name")
            raise error(f"not {self.title}: format.name must be {self.name!r}, got {name!r:.60}")
        version = head.get("version")
        known = [*self.upgrades, self.version]
        if isinstance(version, bool) or version not in known:
            *some, last = map(str, sorted(known))
            readable = f"{', '.join(some)} and {last}" if some else last
            raise error(
                f"format.version {version!r:.40} is not known; this program reads {readable}: a "
                "later version wrote the file, or it is damaged"
            )
        while version != self.version:
            document = self.upgrades[version](document)
            version += 1
        return {**document, "format": self.head}
