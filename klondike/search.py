"""What a search of this package is: a name, its parameters, and ``run``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from deals import KlondikeBoard
from solving.outcome import Limits
from solving.parameters import Parameter, Value
from solving.slices import Found


class KlondikeSearch(ABC):
    """A search: one instance a thread, its arrays kept from deal to deal."""

    name: ClassVar[str]
    guided: ClassVar[bool]
    """Whether it needs an evaluator."""
    parameters: ClassVar[tuple[Parameter, ...]]

    @abstractmethod
    def run(
        self, board: KlondikeBoard, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a position.

        Args:
            board: the position, all its cards known.
            weights: float64, a weight for each feature of the game.
            values: a value for each parameter.
            limits: what it may spend.

        Raises:
            DealError: if a card is unknown.
            Interrupted: if ``solving.runtime.STOP`` is set meanwhile.
        """
