"""Searches under other settings of numba; ``test_pyramid_jitted`` runs it in processes of its own.

Prints ``checked`` if a deliberate fault was caught, ``plain`` if nothing is jitted, then a line of
results for each case: the settings must not change them.
"""

from __future__ import annotations

import sys

import numpy as np

from deals.pyramid_deck import pyramid
from gafreecell.jit import DISABLED, kernel
from gafreecell.solitaire.pyramid import solve
from gafreecell.solitaire.pyramid.rating import random_games_won
from gafreecell.solving.outcome import Limits

CASES = [
    (number, goal)
    for number in (6, 12)
    for goal in ("clear", "score", "score:150", "cards:6", "cards:K:1")
]


@kernel
def read(array: np.ndarray, index: int) -> float:
    value: float = array[index]
    return value


def results(nodes: int) -> list[str]:
    """The search's result for each case."""
    lines = []
    for number, goal in CASES:
        outcome = solve(number, limits=Limits(nodes=nodes), goal=goal)
        lines.append(f"{outcome.status} {number} {goal} {outcome.nodes} {outcome.moves}")
    lines += [f"{random_games_won(pyramid(number), 4)} of 4 games" for number in range(1, 6)]
    return lines


if __name__ == "__main__":
    try:
        read(np.zeros(3), 5)
    except IndexError:
        print("plain" if DISABLED else "checked")
    print("\n".join(results(int(sys.argv[1]))))
