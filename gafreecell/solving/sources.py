"""Which sources belong together: what a kernel may contain, what a game's engine rests on."""

from __future__ import annotations

FRAMEWORK = "gafreecell"
GAMES = f"{FRAMEWORK}.games"


def unit_of(module: str) -> str:
    """The package whose sources count as one with a module's.

    That is its top-level package. The framework's own rooms, and each of its games, count as
    packages of their own, so that an edit of a page leaves kernels and engines as they are.

    Args:
        module: the dotted name of a module or a package.
    """
    parts = module.split(".")
    if parts[0] != FRAMEWORK:
        return parts[0]
    return ".".join(parts[: 3 if module.startswith(f"{GAMES}.") else 2])
