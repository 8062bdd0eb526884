"""The directory where results that took long are kept between processes."""

from __future__ import annotations

import atexit
import os
import tempfile
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import platformdirs


def cache_directory() -> Path:
    """The directory of this user's compiled kernels and computed baselines.

    ``GAFREECELL_CACHE`` names another one. If it cannot be written, this process
    uses a temporary directory of its own.
    """
    named = os.environ.get("GAFREECELL_CACHE")
    directory = Path(named) if named else Path(platformdirs.user_cache_dir("gafreecell"))
    return _writable(directory)


_held = ExitStack()
atexit.register(_held.close)


@cache
def _writable(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError:
        # It is removed when the process ends.
        return Path(_held.enter_context(tempfile.TemporaryDirectory(prefix="gafreecell-")))
    return directory
