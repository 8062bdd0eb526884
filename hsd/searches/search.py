"""What the searches of this package have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from hsd.kernels.replay import Root
from solving.parameters import Parameter, Value
from solving.search import GameSearch

AUTOMATIC = Parameter("automatic", "safe", "home moves that are forced", choices=("safe", "none"))


class Position(NamedTuple):
    """A position as searches take it.

    Attributes:
        packed: uint64[16], as ``hsd.kernels.packed.pack_board`` makes it.
        cascades, cells: the game's size.
    """

    packed: np.ndarray
    cascades: int
    cells: int

    def root(self, values: Mapping[str, Value]) -> Root:
        """Where a search with these parameters starts."""
        automatic = values[AUTOMATIC.name] == "safe"
        return Root(self.packed, self.cascades, self.cells, automatic)


FreeCellSearch = GameSearch[Position]
