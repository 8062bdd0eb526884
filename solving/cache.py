"""The directory where results that took long are kept between processes."""

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
    """The directory of this user's compiled kernels and computed baselines.

    ``GAFREECELL_CACHE`` names another one. If it cannot be written, this process says so on
    stderr, once, and uses a temporary directory of its own.
    """
    return _writable(_wanted())


def is_kept() -> bool:
    """Whether what lies in the cache is there for later processes."""
    return cache_directory() == _wanted()


def _wanted() -> Path:
    named = os.environ.get("GAFREECELL_CACHE")
    return Path(named) if named else Path(platformdirs.user_cache_dir("gafreecell"))


def _say_unkept(directory: Path, why: str) -> None:
    # Of processes that this one started, none says it again.
    if _SAID not in os.environ:
        os.environ[_SAID] = "1"
        print(
            f"Nothing can be kept in the cache {directory} ({why}), so kernels are compiled anew "
            "in each process: let GAFREECELL_CACHE name a folder that can be written",
            file=sys.stderr,
            flush=True,
        )


_SAID = "GAFREECELL_CACHE_UNKEPT"
"""Is set once that was said."""
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
        # It is removed when the process ends.
        return Path(_held.enter_context(tempfile.TemporaryDirectory(prefix="gafreecell-")))
    return directory
