"""The trade-off that a bi-objective run has found: solvers that none beats in both costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp

from solving.weights import Weights


@dataclass(frozen=True)
class FrontPoint:
    """A solver of a front, with what it cost on the deals of its generation.

    Attributes:
        log_nodes: mean logarithm of its nodes, as the fitness measure counts them.
        length: mean length of its solutions, in the unit the game names first; an unsolved deal
            counts as the game's scale says.
        weights: its weights, for the search they evolved in.
    """

    log_nodes: float
    length: float
    weights: Weights = field(repr=False)

    @property
    def nodes(self) -> float:
        """Nodes of a typical deal: what the mean logarithm stands for."""
        return exp(self.log_nodes)
