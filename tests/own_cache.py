"""Caches without baselines, for tests that must not read or leave any."""

from __future__ import annotations

from pathlib import Path

from gafreecell.solving.cache import cache_directory


def own_cache(folder: Path) -> str:
    """Make a cache that shares the kernels of the present one; its name in ``GAFREECELL_CACHE``."""
    kernels = cache_directory() / "kernels"
    kernels.mkdir(parents=True, exist_ok=True)
    folder.mkdir(exist_ok=True)
    (folder / "kernels").symlink_to(kernels.resolve())
    return str(folder)
