"""The Pareto front of a bi-objective run: the solvers that no other dominates."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp

from gafreecell.installed import plugins
from gafreecell.solving.weights import Weights

MOST = 300.0
"""The largest logarithm of a number that figures can draw."""


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
        return typical(self.log_nodes)


def with_fronts() -> str:
    """The trainers that log fronts, for messages."""
    return " or ".join(plugins.those("trainer", lambda trainer: trainer.fronts))


def typical(log_nodes: float) -> float:
    """Nodes from their mean logarithm, kept finite: a trainer of your own may log anything."""
    return exp(min(log_nodes, MOST))
