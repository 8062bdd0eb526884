"""Searches with numba's bounds checks on; ``test_pyramid_jitted`` runs it in a process of its own.

Prints ``checked`` if a deliberate fault was caught, then a line of results
for each case: the checks must not change them.
"""

from __future__ import annotations

import numpy as np

from jit import kernel
from pyramid_solitaire import solve
from solving.outcome import Limits

CASES = [(number, goal) for number in (1, 2, 6, 12, 70) for goal in ("clear", "score", "cards:6")]
LIMITS = Limits(nodes=40_000)


@kernel
def read(array, index):  # type: ignore[no-untyped-def]
    return array[index]


def results() -> list[str]:
    """The search's result for each case."""
    lines = []
    for number, goal in CASES:
        outcome = solve(number, limits=LIMITS, goal=goal)
        lines.append(f"{outcome.status} {number} {goal} {outcome.nodes} {outcome.moves}")
    return lines


if __name__ == "__main__":
    try:
        read(np.zeros(3), 5)
    except IndexError:
        print("checked")
    print("\n".join(results()))
