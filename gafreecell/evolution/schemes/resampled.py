"""One population on new deals in every generation."""

from __future__ import annotations

from gafreecell.evolution.generation import Encounter, Moment
from gafreecell.evolution.schemes import Sampled


class Resampled(Sampled):
    """All solvers of a generation meet the same sample; each generation draws a new one."""

    name = "resampled"

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        return self.sampled(moment, solvers)
