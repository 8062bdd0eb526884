"""Fitness measures, which turn outcomes into the solvers' fitness: one module for each.

A measure is registered under the entry point group ``gafreecell.measures``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from deals.words import plural
from gafreecell.evolution.generation import Encounter, Part, Result, RunWarning, Setting, warn
from gafreecell.solving.features import Scales
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
        nodes, unless the deal has a cost of its own.
        """

    def cases(self, results: Sequence[Result]) -> list[tuple[float, ...]]:
        """The value of each solver on each deal, for selections by cases such as lexicase.

        By default that is its fitness as if this deal were the only one.

        Args:
            results: the results of solvers that all met the same deals.

        Returns:
            For each solver, a value for each deal in their order; larger is better.
        """
        columns = [
            self.fitness(
                [replace(r, encounter=Encounter((deal,)), outcomes=(r.outcomes[place],))
                 for r in results]
            )
            for place, deal in enumerate(results[0].encounter.deals)
        ]  # fmt: skip
        return list(zip(*columns, strict=True))

    @classmethod
    def shift(cls, scales: Scales) -> float:
        """Nodes that are added to those of a deal before their logarithm is taken.

        Args:
            scales: the game's.
        """
        return 0.0


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


class BaselineWarning(RunWarning):
    """The baseline solves so few deals that fitness hardly tells solvers or problems apart."""


class Judge:
    """Warns once, if the baseline solves less than half of a generation's deals.

    Of problems, sets of deals, it also says when the baseline fails in three of four.

    Args:
        setting: the run's.
        effect: what happens to fitness on deals that the baseline fails on, in words.
        instead: an alternative to another baseline, in words, if there is any.
    """

    def __init__(self, setting: Setting, effect: str, instead: str = "") -> None:
        self._setting = setting
        self._effect = effect
        self._instead = instead
        self._warned = False

    def look_at(self, outcomes: Sequence[Outcome]) -> None:
        """Look at the baseline's outcomes on all deals of a generation."""
        solved = _solved(outcomes)
        if self._warned or 2 * solved >= len(outcomes):
            return
        self._warn(
            f"solves only {solved} of the {plural(len(outcomes), 'deal')} of a generation; where "
            f"it fails, {self._effect}",
            self._instead,
        )

    def look_at_sets(self, sets: Sequence[Sequence[Outcome]]) -> None:
        """The baseline's outcomes on the problems of a generation, each a set of deals.

        A failure counts so many nodes that the rest of its set no longer matters.
        """
        whole = sum(_solved(one) == len(one) for one in sets)
        few = 2 * sum(map(_solved, sets)) < sum(map(len, sets))
        # Where it solves few deals at all, ``look_at`` says so.
        if self._warned or few or 4 * whole >= len(sets):
            return
        self._warn(
            f"fails on a deal in {len(sets) - whole} of the {plural(len(sets), 'problem')} of a "
            "generation; such a problem has a fitness near 0, however hard it is",
            ", or lower problems.deals",
        )

    def _warn(self, found: str, instead: str) -> None:
        self._warned = True
        job = self._setting.job
        weighed = [one.name for one in self._setting.game.features if one.baseline]
        what = ""
        if job.fitness.baseline:
            what = f"the preset {job.fitness.baseline}"
        elif job.fitness.weights:
            what = "the weights of fitness.weights"
        elif len(weighed) == 1:
            subject = f"{weighed[0]}, the baseline,"
        elif weighed:
            what = "the baseline weights of the features"
        else:
            what = "weights that are all 0, as no feature has a baseline weight"
        if what:
            subject = f"the baseline ({what})"
        place = ", in place of fitness.weights," if job.fitness.weights else ""
        warn(
            f"{subject} {found}: set fitness.baseline{place} to a preset that solves "
            f"most deals{instead}",
            BaselineWarning,
        )


def _solved(outcomes: Sequence[Outcome]) -> int:
    return sum(outcome.status is Status.SOLVED for outcome in outcomes)
