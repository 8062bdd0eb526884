"""The features of the complete search's move ordering."""

from __future__ import annotations

import numpy as np

from gafreecell.solving.features import Feature

_MEANINGS = (
    ("OrderHome", "the move sends a card home"),
    ("OrderTurns", "it turns a card up"),
    ("OrderFaceDown", "face-down cards in the pile where it turns a card up, / 6"),
    ("OrderTurnedReady", "the card turned up can go home at once"),
    ("OrderTurnedFits", "the card turned up can be laid on another at once"),
    ("OrderTurnedRank", "rank of the card turned up, / 13"),
    ("OrderEmpties", "it empties a pile"),
    ("OrderTalon", "it takes a card from the talon"),
    ("OrderTalonPlace", "the card's place in the talon, / 24"),
    ("OrderRank", "rank of the card that moves, / 13"),
    ("OrderBack", "cards that must come back from their foundations for it"),
    ("OrderRedeal", "it costs one of a limited number of redeals"),
)
ORDER = tuple(Feature(name, f"move ordering: {meaning}", -1.0, 1.0) for name, meaning in _MEANINGS)
"""The features of move ordering. Their baselines are 0, which keeps the order of the list."""
_UNIT = 1 << 20
_SCALES = np.array([1, 1, 6, 1, 1, 13, 1, 1, 24, 13, 1, 1])


def order_weights(weights: np.ndarray) -> np.ndarray:
    """Scale weights (float64[12]) and round them to integers (int64[12]): their sums are exact."""
    whole: np.ndarray = np.rint(weights * _UNIT / _SCALES).astype(np.int64)
    return whole
