"""Searches under other settings of numba; ``test_patience_jitted`` runs it in processes of its own.

Prints ``checked`` if a deliberate fault was caught, ``plain`` if nothing is jitted, then a line for
each game: the settings must not change them. Plain kernels are checked one by one before that, as
compiling each of them alone takes ten seconds.
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace

import numpy as np
from patience_games import GAMES
from random_positions import played, shortened, shuffled

from gafreecell.jit import DISABLED, kernel
from gafreecell.solitaire.patience.game import game_of
from gafreecell.solitaire.patience.kernels import features as kernels
from gafreecell.solitaire.patience.kernels import moves, search, state
from gafreecell.solitaire.patience.rules import Rules
from gafreecell.solitaire.patience.search import code_of, row_of
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


def check_changes(rules: Rules) -> int:
    """A move changes features, keys and stock as counting anew does; how many were checked."""
    generator = random.Random(5)
    code, here = code_of(rules), state.new_state()
    listed = np.zeros(moves.MOST_MOVES, np.int64)
    before, after = np.zeros(kernels.FEATURES, np.int64), np.zeros(kernels.FEATURES, np.int64)
    # Large, so that no change of a feature makes up for that of another.
    weights = np.array([generator.randint(10**6, 10**9) for _ in before])
    checked = 0
    for steps in (0, 10, 30, 60):
        row = row_of(played(shuffled(rules, generator), generator, steps))
        state.unpack(code, here, row)
        kernels.measure(code, here, before)
        number = moves.list_moves(code, here, listed)
        for move in listed[:number].tolist():
            state.unpack(code, here, row)
            state.make_keys(code, here)
            kernels.measure(code, here, before)
            change = kernels.change(code, here, move, weights)
            state.hash_of(code, here)
            foreseen = tuple(state.hash_after(code, here, move, word) for word in (0, 1))
            left = search.stock_left(code, here, move)
            state.play(code, here, move)
            assert code.levels == 1 or 0 <= left == stock_left(rules, here) <= code.dealt
            assert foreseen[0] == 0 or foreseen == state.hash_of(code, here)
            kernels.measure(code, here, after)
            moves.settle(code, here)
            keys = here.key[: 2 * rules.piles.count].tolist()
            state.make_keys(code, here)
            assert keys == here.key[: 2 * rules.piles.count].tolist()
            if move & 7 == state.DEAL:
                # Which cards a row makes the next or the spread of foundations is not foreseen.
                continue
            assert weights @ (after - before) == change
            checked += 1
    return checked


def stock_left(rules: Rules, here: state.State) -> int:
    """How much of the stock is left in a position."""
    talon, at, redeals = (int(here.counts[i]) for i in (state.TALON, state.AT, state.REDEALS))
    if rules.stock.to == "waste":
        return redeals * talon + talon - at
    return len(range(0, talon, rules.piles.count)) if rules.stock.to == "piles" else talon


def check_order(rules: Rules) -> None:
    """Positions that differ in order alone have the same hash."""
    generator = random.Random(7)
    code, here = code_of(rules), state.new_state()
    position = played(shuffled(rules, generator), generator, 20)
    state.unpack(code, here, row_of(position))
    state.make_keys(code, here)
    usual = state.hash_of(code, here)
    order = [*range(len(position.piles))]
    generator.shuffle(order)
    other = replace(
        position,
        piles=tuple(position.piles[i] for i in order),
        down=tuple(position.down[i] for i in order),
        cells=position.cells[::-1],
    )
    state.unpack(code, here, row_of(other))
    state.make_keys(code, here)
    alike = rules.stock.to != "piles" or not position.stock
    assert (state.hash_of(code, here) == usual) == (alike or order == sorted(order))


if __name__ == "__main__":
    try:
        read(np.zeros(3), 5)
    except IndexError:
        print("plain" if DISABLED else "checked")
    for rules in GAMES if DISABLED else ():
        assert check_changes(rules), rules
        check_order(rules)
    print("\n".join(results(*map(int, sys.argv[1:]))))
