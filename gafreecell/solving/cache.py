"""The cache directory, which keeps costly results from one process to the next."""

from __future__ import annotations

import atexit
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

from gafreecell.solving import checksums
from gafreecell.solving.saying import say

Kept = TypeVar("Kept")


def cache_directory() -> Path:
    """The directory of the user's compiled kernels and computed baselines.

    The environment variable ``GAFREECELL_CACHE`` names a different one. If the directory cannot
    be written to, this process says so once on stderr and uses a temporary directory of its own.
    """
    return _writable(_wanted())


def is_kept() -> bool:
    """Whether later processes find what this one puts into the cache."""
    return cache_directory() == _wanted()


def _wanted() -> Path:
    named = os.environ.get("GAFREECELL_CACHE")
    return Path(named) if named else Path(platformdirs.user_cache_dir("gafreecell"))


def read_kept(path: Path, taken: Callable[[Any], Kept], otherwise: Kept) -> Kept:
    """The content of a JSON file that only saves time, if it is there and whole.

    Args:
        path: of the file.
        taken: makes the content of the parsed JSON.
        otherwise: what to return if there is no such file, or, said on stderr, a damaged one.
    """
    try:
        document = json.loads(path.read_bytes())
        if not checksums.matches(document):
            raise ValueError("it does not match its checksum")
        return taken(document)
    except FileNotFoundError:
        return otherwise
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        say_unread(path, error)
        return otherwise


def say_unread(path: Path, error: Exception) -> None:
    """Say on stderr, once for each folder, that the content of a file has to be computed again."""
    if path.parent not in _unread:
        _unread.add(path.parent)
        say(f"{path} cannot be read ({_reason(error)}), so its content is computed again")


def say_unwritten(error: OSError) -> None:
    """Say on stderr, once, that the cache does not keep what is computed."""
    _say_unkept(cache_directory(), _reason(error))


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _say_unkept(directory: Path, why: str) -> None:
    # Child processes inherit the variable and stay silent.
    if _SAID not in os.environ:
        os.environ[_SAID] = "1"
        say(
            f"The cache {directory} cannot be written to ({why}), so each process compiles its "
            "kernels and computes baselines anew: free some space, or set GAFREECELL_CACHE to a "
            "folder that can be written to"
        )


_SAID = "GAFREECELL_CACHE_UNKEPT"
"""Environment variable that is set once the warning was printed."""
_unread: set[Path] = set()
"""Folders with a file that could not be read."""
_held = ExitStack()
atexit.register(_held.close)


@cache
def _writable(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        _say_unkept(directory, error.strerror or str(error))
        # Removed when the process ends.
        return Path(_held.enter_context(tempfile.TemporaryDirectory(prefix="gafreecell-")))
    return directory
