"""Versions of the files that this project writes and reads again.

A document says its format's name and version. Older versions are brought up to date one
step at a time; a version that is not known was written by a later program, and what it
means must not be guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from deals.errors import BadInput

Document = dict[str, Any]


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes:
        name: as the files write it.
        title: as messages call such a file.
        version: the one that is written.
        upgrades: for each older version that can still be read, what makes the next
            version's document of it.
    """

    name: str
    title: str
    version: int
    upgrades: Mapping[int, Callable[[Document], Document]]

    @property
    def head(self) -> dict[str, Any]:
        """What a document's ``format`` says."""
        return {"name": self.name, "version": self.version}

    def read(self, document: Any, error: type[BadInput]) -> Document:
        """A document in the present version.

        Args:
            document: as JSON gave it.
            error: to raise.

        Raises:
            BadInput: of the kind given, if it is of another format or an unknown version.
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
                "later one wrote it, or it is damaged"
            )
        while version != self.version:
            document = self.upgrades[version](document)
            version += 1
        return {**document, "format": self.head}
