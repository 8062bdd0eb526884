"""A game's engine number: a digest of what its searches return on fixed tasks.

Cached baselines and resumed runs are valid only while searches return what they returned before.
The engine number tells whether they do. It is a digest of the outcomes of a few hundred small
tasks, chosen so that every search, parameter and feature affects it. It is kept as the constant
``ENGINE`` in the module ``engine`` of the game's package, so nothing has to run on import; the
tests compute it anew. ``python -m gafreecell.solving.engine hsd`` prints the present value.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module

from gafreecell.solving.outcome import Evaluator, Outcome

DERIVED = ("manual",)
"""Units of length derived from the others; leaving them out keeps engine numbers as they were."""
DIGITS = 16
"""Length of a digest in hexadecimal digits."""


def digest(outcomes: Iterable[Outcome]) -> str:
    """A digest, in hexadecimal, of all counts and moves; the same on every machine.

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
        package: the game's package; its module ``engine`` has the tasks.
    """
    tasks = import_module(f"{package}.engine").tasks()
    return digest(import_module(f"{package}.game").GAME.run(tasks))


def weighing(weights: Mapping[str, float]) -> Evaluator:
    """The evaluator that is a weighted sum of features.

    Args:
        weights: by name of the feature.
    """
    return Evaluator(tuple(weights), tuple(weights.values()))


if __name__ == "__main__":
    for package in sys.argv[1:]:
        print(package, present(package))
