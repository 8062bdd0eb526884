"""The Pareto front of a bi-objective run: the solvers that no other dominates."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp

from solving.weights import Weights


@dataclass(frozen=True)
class FrontPoint:
    """A solver of a front, with what it cost on the deals of its generation.

    Attributes:
        log_nodes: mean logarithm of its nodes, as the fitness measure counts them.
        length: mean length of its solutions, in the game's first unit; an unsolved deal counts as
            the game's scale says.
        weights: its weights, for the search they evolved in.
    """

    log_nodes: float
    length: float
    weights: Weights = field(repr=False)

    @property
    def nodes(self) -> float:
        """Nodes of a typical deal: the geometric mean, from the mean logarithm."""
        return exp(self.log_nodes)
