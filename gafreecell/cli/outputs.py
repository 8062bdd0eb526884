"""Files that commands write."""

from __future__ import annotations

from pathlib import Path


def check_writable(path: str) -> None:
    """Raise ``OSError`` unless a file can be written there; one that exists stays as it is."""
    existed = Path(path).exists()
    with Path(path).open("a", encoding="utf-8"):
        pass
    if not existed:
        Path(path).unlink()
