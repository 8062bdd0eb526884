"""Searches under other settings of numba; ``test_patience_jitted`` runs it in processes of its own.

Prints ``checked`` if a deliberate fault was caught, ``plain`` if nothing is jitted, then a line for
each game: the settings must not change them.
"""

from __future__ import annotations

import random
import sys

import numpy as np
from patience_games import GAMES
from random_positions import shortened, shuffled

from gafreecell.jit import DISABLED, kernel
from gafreecell.solitaire.patience.game import game_of
from gafreecell.solving.outcome import Limits


@kernel
def read(array: np.ndarray, index: int) -> float:
    value: float = array[index]
    return value


def results(nodes: int, ranks: int) -> list[str]:
    """A line for each of some games of fewer ranks.

    Args:
        nodes: the limit of each search.
        ranks: of a suit.
    """
    generator = random.Random(11)
    lines = []
    for rules in GAMES:
        game = game_of("small", shortened(rules, ranks))
        position = shuffled(shortened(rules, ranks), generator)
        weights = game.preset("baseline")
        outcome = game.solver.solve(position, weights, Limits(nodes=nodes))
        lines.append(f"{outcome.status} {outcome.nodes} {outcome.moves} {rules.title}")
    return lines


if __name__ == "__main__":
    try:
        read(np.zeros(3), 5)
    except IndexError:
        print("plain" if DISABLED else "checked")
    print("\n".join(results(*map(int, sys.argv[1:]))))
