"""What a search of this package is: a name, its parameters, and ``run``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

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
        self, packed: np.ndarray, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a position.

        Args:
            packed: the position, as ``klondike.position`` packs it.
            weights: float64, a weight for each feature of the game.
            values: a value for each parameter.
            limits: what it may spend.

        Raises:
            Interrupted: if ``solving.runtime.STOP`` is set meanwhile.
        """
