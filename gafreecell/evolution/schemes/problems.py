"""The population of problems: sets of deals, and how hard they are for solvers.

GA-FreeCell (2011, section 3.4) calls it "a population of problems". In Hillis's terms, solvers
are hosts and problems are parasites.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from gafreecell.evolution.populations import Individual
from gafreecell.solitaire.game import Problem
from gafreecell.solving.outcome import Outcome, Status
from gafreecell.solving.sums import left_to_right


@dataclass
class Tally:
    """Counts over all solvers that have met a set of deals.

    Attributes:
        met: how many solvers met it.
        nodes: for each of its deals, nodes (or costs) summed over those solvers.
        solved: for each of its deals, how many of them solved it.
    """

    met: int = 0
    nodes: list[float] = field(default_factory=list)
    solved: list[int] = field(default_factory=list)


class ProblemSet(Individual):
    """An individual of the population of problems: a set of deals that solvers are measured on."""

    def __init__(self, genes: Sequence[Problem], inherited: float = 0.0) -> None:
        super().__init__(genes, inherited)
        self.tally = Tally(0, [0] * len(genes), [0] * len(genes))

    def enter(self, outcomes: Sequence[Outcome]) -> None:
        """Count one solver's outcomes on its deals."""
        self.tally.met += 1
        for place, outcome in enumerate(outcomes):
            self.tally.nodes[place] += outcome.spent
            self.tally.solved[place] += outcome.status is Status.SOLVED

    def as_document(self) -> dict[str, Any]:
        """The set in plain numbers, words, lists and mappings."""
        return {
            "problems": list(self),
            "inherited": self.inherited,
            "fitness": self.value if self.fitness.valid else None,
            "tally": asdict(self.tally),
        }

    @classmethod
    def from_document(cls, kept: Mapping[str, Any]) -> ProblemSet:
        """The set of a document; ``KeyError``, ``TypeError`` or ``ValueError`` if that is wrong."""
        one = cls(kept["problems"], float(kept["inherited"]))
        if kept["fitness"] is not None:
            one.fitness.values = (float(kept["fitness"]),)
        one.tally = Tally(**kept["tally"])
        if not all(isinstance(deal, int | str) for deal in one):
            raise ValueError("a problem must be a number or a name")
        if not len(one.tally.nodes) == len(one.tally.solved) == len(one):
            raise ValueError("a set's tallies must be as long as its list of problems")
        return one


def set_fitness(tally: Tally, baseline: Sequence[float], penalty: int) -> float:
    """How hard a set is: mean nodes of the solvers that met it, divided by the baseline's nodes.

    Args:
        tally: counts of at least one solver.
        baseline: for each deal, the baseline's nodes.
        penalty: nodes that a deal counts if no solver solved it.
    """
    means = [
        total / tally.met if count else float(penalty)
        for total, count in zip(tally.nodes, tally.solved, strict=True)
    ]
    # Costs other than nodes can be 0: then divide by 1.
    return left_to_right(means) / (left_to_right(baseline) or 1)


def virulent(hardness: Sequence[float], virulence: float) -> list[float]:
    """The fitness of problems under reduced virulence, which favours less than the hardest ones.

    Let x be the share of problems that are no harder. Fitness is 2x/v - (x/v)^2, which is largest
    where x equals the virulence v. Cartlidge and Bullock (2004, section 3) use the score relative
    to the best one as x. But hardness varies so much that nearly all of these would be close to 0.

    Args:
        hardness: of each problem, 0 or more.
        virulence: v, above 0 and at most 1.
    """
    # Loading it takes 0.4 s, more than all else that shows a run, and few jobs need it.
    from scipy.stats import rankdata

    shares = rankdata(hardness, "max") / len(hardness) / virulence
    return [max(2 * share - share**2, 0.0) for share in shares.tolist()]
