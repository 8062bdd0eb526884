"""Rough models of people who play FreeCell: some look a move or two ahead, one uses rules of thumb.

Grades do not depend on them, and none was tuned to lose on particular deals. They win between one
game in twenty and two in three.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from deals import freecell
from gafreecell.jit.kernels.draws import new_draws
from hsd.kernels.packed import pack_board
from players.kernels.freecell import Table, Taste, new_table, play_by_eye, play_by_plan


class Player(Protocol):
    """A player; ``play`` plays a deal at a table and returns the number of moves written there."""

    def play(self, table: Table, packed: np.ndarray, draws: np.ndarray) -> int: ...


class ByEye(NamedTuple):
    """Chooses moves by the positions they lead to (``kernels.freecell.play_by_eye``)."""

    taste: Taste
    ahead: int = 1
    heat: float = 0.5
    second_thoughts: int = 0

    def play(self, table: Table, packed: np.ndarray, draws: np.ndarray) -> int:
        return play_by_eye(
            table, packed, self.taste, self.ahead, self.heat, self.second_thoughts, draws
        )


class ByPlan(NamedTuple):
    """Digs for the next card by rules of thumb (``kernels.freecell.play_by_plan``)."""

    stubborn: float = 2.0
    heat: float = 1.0

    def play(self, table: Table, packed: np.ndarray, draws: np.ndarray) -> int:
        return play_by_plan(table, packed, self.stubborn, self.heat, draws)


_TIDY = Taste(home=1.0, cell=1.0, last_cell=2.0, column=2.0, run=1.0)
_DIGGER = _TIDY._replace(home=1.5, next_buried=0.7, second_buried=0.3)
_SORTER = _DIGGER._replace(run=0.7, inversion=0.3)
PLAYERS: dict[str, Player] = {
    "tidy": ByEye(_TIDY),
    "digger": ByEye(_DIGGER),
    "digger, two ahead": ByEye(_DIGGER, ahead=2),
    "sorter, two ahead": ByEye(_SORTER, ahead=2, heat=0.3),
    "planner": ByPlan(),
    "digger with second thoughts": ByEye(_DIGGER, second_thoughts=10),
}
LATER = ("digger with second thoughts",)
"""Players that were added after the measures had been chosen."""


def games(
    player: Player, deal: int, count: int, seed: int = 0
) -> Iterator[tuple[np.ndarray, bool]]:
    """Games on a Microsoft deal: the moves of each, and whether it was won."""
    table, draws = new_table(), new_draws(seed, deal)
    packed = pack_board(freecell(deal))
    for _ in range(count):
        moves = table.written[: player.play(table, packed, draws)]
        yield moves, int(table.board.home.sum()) == 52


def share_lost(player: Player, deal: int, count: int) -> float:
    """The share of games that a player loses on a Microsoft deal."""
    return 1 - sum(won for _, won in games(player, deal, count)) / count
