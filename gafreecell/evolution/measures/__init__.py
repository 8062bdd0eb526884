"""Fitness measures, which turn outcomes into the solvers' fitness: one module for each.

A measure is registered under the entry point group ``gafreecell.measures``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from gafreecell.evolution.generation import Encounter, Part, Result
from gafreecell.solving.outcome import Outcome, Status

UNSOLVED_NODES = 1_000_000_000
"""The baseline's nodes on a deal that it did not solve: the paper's 1000M."""


class Measure(Part, ABC):
    """How outcomes become fitness.

    Attributes:
        axis: the label of a figure's axis, in some fifty letters.
    """

    axis: str = "fitness"

    @abstractmethod
    def fitness(self, results: Sequence[Result]) -> list[float]:
        """The fitness of each solver of a generation: finite numbers, larger is better.

        Let 0 be the least: roulette draws in proportion to fitness, and in generations with a
        negative one in proportion to the fitness above the worst. A measure gets all solvers at
        once, so that it can compare them. Take the cost of an outcome from ``Outcome.spent``: the
        nodes, unless the problem has a cost of its own.
        """

    def cases(self, results: Sequence[Result]) -> list[tuple[float, ...]]:
        """The value of each solver on each problem, for selections by cases such as lexicase.

        By default that is its fitness as if this problem were the only one.

        Args:
            results: the results of solvers that all met the same problems.

        Returns:
            For each solver, a value for each problem in their order; larger is better.
        """
        columns = [
            self.fitness(
                [replace(r, encounter=Encounter((problem,)), outcomes=(r.outcomes[place],))
                 for r in results]
            )
            for place, problem in enumerate(results[0].encounter.problems)
        ]  # fmt: skip
        return list(zip(*columns, strict=True))


class Costs(Measure):
    """A measure that also gives two costs to weigh against each other, as NSGA-II does."""

    @abstractmethod
    def costs(self, results: Sequence[Result]) -> list[tuple[float, float]]:
        """Two costs of each solver of a generation, in logarithms of nodes and in moves."""


def baseline_counts(outcomes: Sequence[Outcome]) -> list[float]:
    """The baseline's nodes on each deal, ``UNSOLVED_NODES`` where it failed."""
    return [
        outcome.spent if outcome.status is Status.SOLVED else UNSOLVED_NODES for outcome in outcomes
    ]
