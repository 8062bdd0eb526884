"""One population on the same deals in every generation."""

from __future__ import annotations

from gafreecell.generation import Encounter, Moment
from gafreecell.schemes import Sampled


class Fixed(Sampled):
    """All solvers of all generations meet the same sample."""

    name = "fixed"

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        return self.sampled(Moment(moment.seed, 0), solvers)
