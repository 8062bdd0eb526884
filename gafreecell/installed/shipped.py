"""Job files, reference runs and examples that come with the package."""

import os
from pathlib import Path

_INSTALLED = Path(__file__).parents[1] / "shipped"
FOLDER = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[2]
"""The folder that holds ``runs`` and ``examples``: setup.py copies them into an installed package;
in a clone they stand beside it."""
NAMES = ("runs", "examples")
_LEFT_OUT = {"__pycache__", "build", "dist"}
"""Folders that setup.py leaves out, too."""


def hint(path: str | os.PathLike[str]) -> str:
    """The end of a message about a path that does not exist: how to get it, if it comes with us."""
    wanted = Path(path)
    known = wanted.parts[:1] in [(name,) for name in NAMES] and ".." not in wanted.parts
    if not known or wanted.exists() or not (FOLDER / wanted).exists():
        return ""
    return "; 'gafreecell examples' copies it here"


def files() -> list[Path]:
    """All files that come with the package, relative to ``FOLDER``, in order of their names."""
    found = [path for name in NAMES for path in (FOLDER / name).rglob("*") if path.is_file()]
    names = sorted(path.relative_to(FOLDER) for path in found)
    return [name for name in names if not any(map(_is_left_out, name.parts))]


def _is_left_out(part: str) -> bool:
    return part in _LEFT_OUT or part.endswith(".egg-info")
