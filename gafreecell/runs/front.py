"""The Pareto front of a bi-objective run: the solvers that no other dominates."""

from __future__ import annotations

from dataclasses import dataclass, field

from gafreecell.evolution.job import Job
from gafreecell.evolution.measures.log_nodes import unshifted
from gafreecell.installed import plugins
from gafreecell.solving.weights import Weights


@dataclass(frozen=True)
class FrontPoint:
    """A solver of a front, with what it cost on the deals of its generation.

    Attributes:
        log_nodes: mean logarithm of its nodes, to which the fitness measure adds ``shift``.
        length: mean length of its solutions, in the game's first unit; an unsolved deal counts as
            the game's scale says.
        weights: its weights, for the search they evolved in.
        shift: nodes that the fitness measure adds to those of a deal before it takes the logarithm.
    """

    log_nodes: float
    length: float
    weights: Weights = field(repr=False)
    shift: float = 0.0

    @property
    def nodes(self) -> float:
        """Nodes of a typical deal: the shifted geometric mean."""
        return unshifted(self.log_nodes, self.shift)


def with_fronts() -> str:
    """The trainers that log fronts, for messages."""
    return " or ".join(plugins.those("trainer", lambda trainer: trainer.fronts))


def shift_of(job: Job) -> float:
    """Nodes that a job's measure adds to those of a deal before it takes the logarithm.

    Raises:
        BadInput: if the game or the measure is not installed.
    """
    shift: float = plugins.part("measure", job.fitness.measure).shift(job.load_game().scales)
    return shift
