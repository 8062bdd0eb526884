"""Trainers, which make the next solvers from the results of the present ones: one module for each.

A trainer is registered under the entry point group ``gafreecell.trainers``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gafreecell.evolution.generation import (
    Genome,
    Learnt,
    Moment,
    Part,
    Purpose,
    Result,
    RunWarning,
    warn,
)
from gafreecell.evolution.operators import PROPORTIONATE
from gafreecell.evolution.populations import Birth, Individual


class NegativeFitnessWarning(RunWarning):
    """Parents are drawn in proportion to fitness, but some fitness is negative."""


class Trainer(Part, ABC):
    """What makes the next solvers.

    ``state`` holds all that it remembers between generations. A trainer that is restored from it
    makes bit-identical solvers. Random numbers come from the moment's generators alone. A trainer
    is restored before ``ask`` and again before ``tell``.

    Attributes:
        operators: the kinds of operators that it breeds with and that jobs can name:
            ``crossover``, ``mutation``, ``selection``.
        fronts: whether it has two objectives and logs their front.
        stands: the word for ``Learnt.best`` in figures, such as "best" or "centre".
    """

    operators: tuple[str, ...] = ()
    fronts = False
    stands: str = "best"
    _warned = False

    @abstractmethod
    def found(self, moment: Moment) -> None:
        """Make the first solvers."""

    @abstractmethod
    def ask(self) -> list[Genome]:
        """The solvers to measure in this generation.

        Returns:
            As many genomes as the job's ``solvers.population``, each with a finite weight for
            each trained feature, within the feature's range.
        """

    @abstractmethod
    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        """Learn from the solvers' results, and make the next solvers.

        Args:
            moment: the generation, with its random numbers.
            results: one for each solver, in the order of ``ask``.
        """

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """All that it remembers between generations: plain numbers, strings, lists and mappings."""

    @abstractmethod
    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a state that ``state`` returned.

        Raises:
            KeyError, TypeError, ValueError: if it is not such a state.
        """

    def _look_at(self, fitness: Sequence[float]) -> None:
        """Warn once if parents are drawn in proportion to a fitness that may be negative."""
        job = self.setting.job
        selection = job.operators.selection or job.solvers.selection
        if self._warned or selection not in ("roulette", *PROPORTIONATE) or min(fitness) >= 0:
            return
        self._warned = True
        warn(
            f"the fitness measure {job.fitness.measure!r} is negative, {min(fitness):g} at worst, "
            f"and {selection} draws parents in proportion to fitness: in such generations it draws "
            "in proportion to the fitness above the worst (solvers.selection = 'windowed' always "
            "does, 'tournament' takes any fitness)",
            NegativeFitnessWarning,
        )

    def births(self) -> Sequence[Birth]:
        """What each of the solvers comes from that ``tell`` has just made; empty if unknown."""
        return ()

    @classmethod
    def differences(cls, state: Mapping[str, Any]) -> str:
        """Why a run in this state would not resume bit-identically here; empty if it would."""
        return ""


class Population(Trainer):
    """A trainer whose state is its solvers.

    Attributes:
        solvers: the solvers of this generation.
    """

    solvers: Sequence[Genome] = ()
    _births: Sequence[Birth] = ()

    def bear(self, children: Iterable[Individual]) -> None:
        """Take children as the next solvers."""
        born = list(children)
        self.solvers = [tuple(child) for child in born]
        self._births = [child.birth for child in born]

    def births(self) -> Sequence[Birth]:
        return self._births

    def found(self, moment: Moment) -> None:
        """Draw solvers uniformly from the ranges of their weights."""
        self.solvers = self.setting.uniform(
            self.setting.job.solvers.population, moment.rng(Purpose.FOUNDING)
        )

    def ask(self) -> list[Genome]:
        return list(self.solvers)

    def state(self) -> dict[str, Any]:
        return {"solvers": [list(solver) for solver in self.solvers]}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.solvers = [tuple(float(gene) for gene in genes) for genes in state["solvers"]]
