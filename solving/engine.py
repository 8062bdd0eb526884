"""A game's engine number: a digest of what its searches return on fixed tasks.

Baseline counts from the cache and runs that are resumed need searches that return what they
returned before. The number says whether they do: it is a digest of the outcomes of a few hundred
small tasks in which every search, parameter and feature matters. It is a constant, ``ENGINE`` in
the module ``engine`` of the game's package, so that nothing is run on import; the tests compute it
anew. ``python -m solving.engine hsd`` prints what it is now.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module

from solving.outcome import Evaluator, Outcome

DERIVED = ("manual",)
"""Lengths that say nothing new of the moves: a unit added later changes no engine number."""
DIGITS = 16
"""Hexadecimal digits of a digest."""


def digest(outcomes: Iterable[Outcome]) -> str:
    """Hexadecimal digits that change with any count or move, the same on every machine.

    Args:
        outcomes: of a game's tasks, in order. Their seconds do not matter.
    """
    told = [
        (o.status, o.moves, _told(o.lengths), o.nodes.expanded, o.nodes.generated) for o in outcomes
    ]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:DIGITS]


def _told(lengths: Mapping[str, int] | None) -> dict[str, int] | None:
    if lengths is None:
        return None
    return {unit: length for unit, length in lengths.items() if unit not in DERIVED}


def present(package: str) -> str:
    """The digest of a game's searches as they are now.

    Args:
        package: the game's package, whose module ``engine`` gives the tasks.
    """
    tasks = import_module(f"{package}.engine").tasks()
    return digest(import_module(f"{package}.game").GAME.run(tasks))


def weighing(weights: Mapping[str, float]) -> Evaluator:
    """The weighted sum of features.

    Args:
        weights: by the features' names.
    """
    return Evaluator(tuple(weights), tuple(weights.values()))


if __name__ == "__main__":
    for package in sys.argv[1:]:
        print(package, present(package))
