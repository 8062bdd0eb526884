"""Players of Klondike with hidden cards, with few samples, so that they play weakly and fast."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gafreecell.solitaire.klondike import GAME
from gafreecell.solitaire.klondike.hidden import play
from gafreecell.solving.parameters import Value


class Player(NamedTuple):
    """A policy of ``gafreecell play`` with its parameters."""

    policy: str
    parameters: Mapping[str, Value]


PLAYERS = {
    "random": Player("random", {}),
    "hop, 2 samples": Player("hop", {"samples": 2}),
    "uct, 30 trajectories": Player("uct", {"trajectories": 30}),
    "best, 20 samples": Player("best", {"samples": 20}),
}
LATER = ("hop, 2 samples", "uct, 30 trajectories")
"""Players that were added after the measure had been chosen."""


def share_lost(player: Player, deal: int, count: int, draw: int) -> float:
    """The share of games that a player loses on a deal, drawing so many cards."""
    board = GAME.vary(draw=draw).deal(deal)
    games = (play(board, *player, place=place) for place in range(count))
    return 1 - sum(game.won for game in games) / count
