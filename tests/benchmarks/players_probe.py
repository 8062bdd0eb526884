"""Weak players' games with the JIT off; ``test_weak_players`` runs it in a process of its own.

Prints ``plain`` if nothing is jitted, then a line for each player: moves of games on what is left
of a FreeCell deal whose low cards are home, and steps of games of Pyramid.
"""

from __future__ import annotations

from players import freecell, pyramid
from players.kernels.freecell import new_table

from deals import FreeCellBoard
from deals import freecell as deal_freecell
from gafreecell.jit import DISABLED
from gafreecell.jit.kernels.draws import new_draws
from hsd.kernels.packed import pack_board

LOW = 9


def ending() -> FreeCellBoard:
    """A deal without its low cards, which are home."""
    columns = (tuple(c for c in column if c >> 2 > LOW) for column in deal_freecell(6).cascades)
    return FreeCellBoard(tuple(columns), (), (LOW,) * 4)


def results() -> list[str]:
    """A line for each player."""
    table, packed = new_table(), pack_board(ending())
    lines = []
    for name, player in freecell.PLAYERS.items():
        draws = new_draws(1, 0)
        for _ in range(2):
            moves = table.written[: player.play(table, packed, draws)].tolist()
            lines.append(f"freecell {name} {moves}")
    for name, one in pyramid.PLAYERS.items():
        for steps, won in pyramid.games(one, 2, 3):
            lines.append(f"pyramid {name} {won} {steps.tolist()}")
    return lines


if __name__ == "__main__":
    print("plain" if DISABLED else "jitted")
    print("\n".join(results()))
