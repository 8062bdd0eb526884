"""What makes the next solvers of what became of the present ones: a module for each trainer.

A trainer is registered under the entry point group ``gafreecell.trainers``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from gafreecell.generation import Genome, Learnt, Moment, Part, Purpose, Result


class Trainer(Part, ABC):
    """What makes the next solvers.

    ``state`` holds all that is remembered between generations: a trainer that is restored from
    it makes the same solvers, bit-identical. Random numbers come from the moment's generators
    alone. A trainer is restored before it is asked and again before it is told.

    Attributes:
        operators: kinds of operators that it breeds with, which jobs can name: ``crossover``,
            ``mutation``, ``selection``.
        stands: what figures call the solver in ``Learnt.best``: the generation's "best", "centre".
    """

    operators: tuple[str, ...] = ()
    stands: str = "best"

    @abstractmethod
    def found(self, moment: Moment) -> None:
        """Make the first solvers."""

    @abstractmethod
    def ask(self) -> list[Genome]:
        """The solvers to measure in the present generation.

        Returns:
            As many genomes as the job's ``solvers.population``, each with a finite weight for
            each trained feature, within the feature's range.
        """

    @abstractmethod
    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        """Learn what became of the solvers, and make the next ones.

        Args:
            moment: the generation, with its random numbers.
            results: one a solver, in the order of ``ask``.
        """

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """All that it is between two generations: plain numbers, words, lists and mappings."""

    @abstractmethod
    def restore(self, state: Mapping[str, Any]) -> None:
        """Become what ``state`` described.

        Raises:
            KeyError, TypeError, ValueError: if that cannot be such a state.
        """

    @classmethod
    def differences(cls, state: Mapping[str, Any]) -> str:
        """Why a run in such a state does not resume bit-identical here; empty if it does."""
        return ""


class Population(Trainer):
    """A trainer whose state is its solvers.

    Attributes:
        solvers: those of the present generation.
    """

    solvers: Sequence[Genome] = ()

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
