"""PySol FC's deals as packed positions, made in a kernel.

``deals.klondike_board`` is the plain twin.
"""

from __future__ import annotations

import numpy as np

from deals.cards import DECK
from deals.klondike_board import PILES_DEALT
from gafreecell.jit import kernel
from gafreecell.jit.kernels.shuffles import Shuffled, shuffle_pysol
from gafreecell.solitaire.klondike.packed import BIT_OF, CARDS_AT, DEALT_SIZES

# For each place of a packed deal, the index in the shuffled deck of the card that lies there.
_TURN = np.array(
    [*np.argsort(PILES_DEALT, kind="stable"), *range(len(PILES_DEALT), len(DECK))], np.int64
)
_SIZES = np.array(DEALT_SIZES, np.int64)


@kernel
def deal(number: int, packed: np.ndarray, shuffled: Shuffled) -> None:
    """Write the packed position of a deal of the usual game.

    Args:
        number: 1 to 2^63 - 1.
        packed: int64[74], receives it (``klondike.packed``).
        shuffled: scratch.
    """
    shuffle_pysol(number, shuffled)
    for i in range(CARDS_AT):
        packed[i] = _SIZES[i]
    for i in range(len(DECK)):
        packed[CARDS_AT + i] = BIT_OF[shuffled.deck[_TURN[i]]]
