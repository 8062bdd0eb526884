"""What the searches of this package have in common."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from deals.microsoft import shuffled_deck
from hsd.kernels.packed import pack_cascades
from hsd.kernels.replay import Root
from solving.parameters import Parameter, Value
from solving.search import GameSearch

AUTOMATIC = Parameter("automatic", "safe", "home moves that are forced", choices=("safe", "none"))


class Position(NamedTuple):
    """A position as searches take it.

    Attributes:
        board: uint64[16], as ``hsd.kernels.packed.pack_board`` makes it; None for a deal.
        cascades, cells: the game's size.
        number: of the deal, where there is no board.
    """

    board: np.ndarray | None
    cascades: int
    cells: int
    number: int = 0

    @property
    def packed(self) -> np.ndarray:
        """The packed board (uint64[16])."""
        return _packed_deal(self.number, self.cascades) if self.board is None else self.board

    def root(self, values: Mapping[str, Value]) -> Root:
        """Where a search with these parameters starts."""
        automatic = values[AUTOMATIC.name] == "safe"
        return Root(self.packed, self.cascades, self.cells, automatic)


@lru_cache(maxsize=50_000)
def _packed_deal(number: int, cascades: int) -> np.ndarray:
    deck = shuffled_deck(number)
    return pack_cascades([deck[i::cascades] for i in range(cascades)])


FreeCellSearch = GameSearch[Position]
