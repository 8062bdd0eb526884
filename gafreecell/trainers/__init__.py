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

    A run's state is what ``state`` returns: an object in whose place it is ``restore``d goes
    on alike to the bit. So nothing else may be remembered between generations, and random
    numbers come from the moment's generators alone.
    """

    @abstractmethod
    def found(self, moment: Moment) -> None:
        """Make the first solvers."""

    @abstractmethod
    def ask(self) -> list[Genome]:
        """The solvers to measure in the present generation, as many each time."""

    @abstractmethod
    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        """Learn what became of them, in their order, and make the next ones."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """All that it is between two generations: plain numbers, words, lists and mappings."""

    @abstractmethod
    def restore(self, state: Mapping[str, Any]) -> None:
        """Become what ``state`` described.

        Raises:
            KeyError, TypeError, ValueError: if that cannot be such a state.
        """


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
