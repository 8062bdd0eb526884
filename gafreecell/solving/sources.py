"""Which sources belong together: what a kernel may contain, what a game's engine rests on."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FRAMEWORK = "gafreecell"
GAMES = "solitaire"
"""The room in which each of the framework's games has a folder."""

_ROOMS = Path(__file__).parents[1]


@cache
def _is_game(name: str) -> bool:
    return (_ROOMS / GAMES / name).is_dir()


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
    of_game = parts[1:2] == [GAMES] and len(parts) > 2 and _is_game(parts[2])
    return ".".join(parts[: 3 if of_game else 2])
