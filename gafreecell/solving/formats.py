"""Versions of the file formats that this project writes and reads.

A document states its format's name and version. Any other version is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deals.checks import shown
from deals.errors import BadInput

Document = dict[str, Any]


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes:
        name: as written in the files.
        title: how messages refer to such a file.
        version: the only one that can be read.
    """

    name: str
    title: str
    version: int

    @property
    def head(self) -> dict[str, Any]:
        """The value of ``format`` in a document."""
        return {"name": self.name, "version": self.version}

    def read(self, document: Any, error: type[BadInput]) -> Document:
        """Take a document that has this format and version.

        Args:
            document: the parsed JSON.
            error: the class of error to raise.

        Raises:
            BadInput: as ``error``, if it has another one.
        """
        head = document.get("format") if isinstance(document, dict) else None
        if not isinstance(head, dict):
            raise error(f"not {self.title}: 'format' must be an object, got {shown(head)}")
        if head.get("name") != self.name:
            name = head.get("name")
            raise error(f"not {self.title}: format.name must be {self.name!r}, got {shown(name)}")
        version = head.get("version")
        if isinstance(version, bool) or version != self.version:
            raise error(
                f"format.version {shown(version, 40)} is not known; this program reads "
                f"{self.version}: another version wrote the file, or it is damaged"
            )
        return dict(document)
