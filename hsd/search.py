"""What a search of this package is: a name, its parameters, and ``run``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from solving.outcome import Limits
from solving.parameters import Parameter, Value
from solving.slices import Found

AUTOMATIC = Parameter("automatic", "safe", "home moves that are forced", choices=("safe", "none"))


class FreeCellSearch(ABC):
    """A search: one instance a thread, its arrays kept from deal to deal."""

    name: ClassVar[str]
    guided: ClassVar[bool]
    """Whether it needs an evaluator."""
    weighs: ClassVar[frozenset[str]] = frozenset()
    """Features it knows that are not read off a board: MovesMade, DeadlockBound."""
    parameters: ClassVar[tuple[Parameter, ...]]

    def needs_weights(self, values: Mapping[str, Value]) -> bool:
        """Whether it needs an evaluator with these parameters."""
        return self.guided

    @abstractmethod
    def run(
        self,
        packed: np.ndarray,
        size: np.ndarray,
        weights: np.ndarray,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        """Search from a position.

        Args:
            packed: the position as ``hsd.board.pack_board`` makes it.
            size: int64[2], cascades and cells.
            weights: float64[25], a weight for each feature of the engine.
            values: a value for each parameter.
            limits: what it may spend.

        Raises:
            Interrupted: if ``solving.runtime.STOP`` is set meanwhile.
        """
