"""Searches of Baker's Game under other settings of numba, for ``test_bakers``.

Prints ``checked`` if a deliberate fault was caught, ``plain`` if nothing is jitted, then a line of
results for each case: the settings must not change them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES / "bakers"))

from bakers import Bakers  # noqa: E402

from gafreecell import Outcome, jit  # noqa: E402

CASES = [(build, number) for build in ("suit", "colour") for number in (3, 24, 11_982)]
WEIGHTS = np.array([0.25, 0.25, 0.125, 1.0])


@jit.kernel
def read(array: np.ndarray, index: int) -> float:
    value: float = array[index]
    return value


def solved(build: str, number: int, nodes: int, weights: np.ndarray = WEIGHTS) -> Outcome:
    game = Bakers(build=build)
    return game.solve(game.deal(number), weights, nodes)


def results(nodes: int) -> list[str]:
    """The search's result for each case."""
    return [f"{case} {solved(*case, nodes)}" for case in CASES]


if __name__ == "__main__":
    try:
        read(np.zeros(3), 5)
    except IndexError:
        print("plain" if jit.DISABLED else "checked")
    print("\n".join(results(int(sys.argv[1]))))
