"""The cache directory, which keeps costly results from one process to the next."""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import platformdirs


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


def _say_unkept(directory: Path, why: str) -> None:
    # Child processes inherit the variable and stay silent.
    if _SAID not in os.environ:
        os.environ[_SAID] = "1"
        print(
            f"The cache {directory} cannot be written to ({why}), so each process compiles its "
            "kernels anew: set GAFREECELL_CACHE to a folder that can be written to",
            file=sys.stderr,
            flush=True,
        )


_SAID = "GAFREECELL_CACHE_UNKEPT"
"""Environment variable that is set once the warning was printed."""
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
