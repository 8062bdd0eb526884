"""What the searches of this package have in common."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solving.parameters import Parameter
from solving.search import GameSearch

AUTOMATIC = Parameter("automatic", "safe", "home moves that are forced", choices=("safe", "none"))


class Position(NamedTuple):
    """A position as searches take it.

    Attributes:
        packed: as ``hsd.board.pack_board`` makes it.
        size: int64[2], cascades and cells.
    """

    packed: np.ndarray
    size: np.ndarray


FreeCellSearch = GameSearch[Position]
