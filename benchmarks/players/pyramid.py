"""Rough models of people who play Pyramid, by what they like to remove and what they watch for.

The random player behind the grades is not one of them; it has no preferences.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from deals.pyramid_deck import pyramid
from gafreecell.jit.kernels.draws import new_draws
from gafreecell.solitaire.pyramid.kernels.random_games import MOST_REMOVALS
from gafreecell.solitaire.pyramid.position import pack_board
from gafreecell.solitaire.pyramid.shapes import shapes
from players.kernels.pyramid import MOST_STEPS, Taste, play_pyramid


class Player(NamedTuple):
    """A player who removes what it likes best, and draws if it likes nothing better."""

    taste: Taste
    heat: float


_TIDY = Taste(king=3.0, stock_king=1.0, inside=3.0, waste=2.0, stock=2.0, outside=0.0, uncovers=0.7)
_CAREFUL = _TIDY._replace(king=3.0, inside=2.0, uncovers=0.5, strands=-4.0)
_PATIENT = _CAREFUL._replace(stock_king=0.0, inside=3.0, waste=1.0, stock=0.7, outside=-2.0)
PLAYERS = {
    "tidy": Player(_TIDY, 0.5),
    "careful": Player(_CAREFUL, 0.5),
    "patient": Player(_PATIENT, 0.5),
    "sparing": Player(_PATIENT._replace(inside=2.0, waste=0.3, stock=0.3), 0.7),
    "far-sighted": Player(_CAREFUL._replace(leads_on=0.5), 0.5),
}
LATER = ("far-sighted",)
"""Players that were added after the measures had been chosen."""


def games(
    player: Player, deal: int, count: int, seed: int = 0
) -> Iterator[tuple[np.ndarray, bool]]:
    """Games on a deal: the steps of each, and whether it was won."""
    removals, steps = np.zeros(2 * MOST_REMOVALS, np.int64), np.zeros(MOST_STEPS, np.int64)
    draws, upon = new_draws(seed, deal), shapes().upon
    ranks = pack_board(pyramid(deal)).ranks
    for _ in range(count):
        n, won = play_pyramid(ranks, upon, player.taste, player.heat, draws, removals, steps)
        yield steps[:n], won


def share_lost(player: Player, deal: int, count: int) -> float:
    """The share of games that a player loses on a deal."""
    return 1 - sum(won for _, won in games(player, deal, count)) / count
