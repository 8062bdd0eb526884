"""Turns actions of K+, most of which imply draws, into moves on the table, draw by draw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gafreecell.solitaire.klondike import moves
from gafreecell.solitaire.klondike.kernels.board import (
    COUNT,
    DRAW,
    HOME_TO_PILE,
    ONE,
    PILE_TO_HOME,
    PILE_TO_PILE,
    SECOND,
    SOURCE,
    TALON_TO_HOME,
    TALON_TO_PILE,
    TARGET,
)
from gafreecell.solitaire.klondike.packed import DRAW_AT, TALON_AT, WASTE_AT

_KINDS = {
    PILE_TO_HOME: moves.PILE_HOME,
    TALON_TO_HOME: moves.WASTE_HOME,
    PILE_TO_PILE: moves.PILE_PILE,
    TALON_TO_PILE: moves.WASTE_DOWN,
    HOME_TO_PILE: moves.HOME_DOWN,
    DRAW: moves.DRAW,
}


def table_moves(packed: np.ndarray, actions: Sequence[int] | np.ndarray) -> np.ndarray:
    """The moves on the table (int64) that carry out actions, one after the other.

    Args:
        packed: the position before the first of them.
        actions: as ``list_actions`` lists them, the two moves of a pair in one.
    """
    count, waste, draw = int(packed[TALON_AT]), int(packed[WASTE_AT]), int(packed[DRAW_AT])
    written: list[int] = []
    for action in np.asarray(actions).tolist():
        for move in (action & ONE, action >> SECOND & ONE):
            if not move:
                continue
            kind, source, target = move & 7, move >> SOURCE & 31, move >> TARGET & 7
            if kind in (TALON_TO_HOME, TALON_TO_PILE):
                written += draws(count, waste, source, draw)
                count, waste, source = count - 1, source, 0
            elif kind == DRAW:
                waste = min(waste + draw, count)
            written.append(
                _KINDS[kind]
                | (source << moves.FROM_SHIFT)
                | (target << moves.TO_SHIFT)
                | ((move >> COUNT & 15) << moves.COUNT_SHIFT)
            )
    return np.array(written, np.int64)


def draws(count: int, waste: int, index: int, draw: int) -> list[int]:
    """The draws and redeals that bring a card of the talon to the top of the waste.

    Args:
        count: cards in the talon.
        waste: how many of them lie in the waste.
        index: the card's place in the talon.
        draw: how many cards a draw turns.
    """
    written: list[int] = []
    # If draws from the cursor do not turn it up, draw through the stock, then start over.
    if index + 1 < waste or ((index + 1 - waste) % draw and index + 1 < count):
        written += [moves.DRAW] * ((count - waste + draw - 1) // draw) + [moves.REDEAL]
        waste = 0
    return written + [moves.DRAW] * ((index + draw - waste) // draw)
