"""The share of deals solved; if two solvers solve equally many, the nodes decide."""

from __future__ import annotations

from collections.abc import Sequence

from gafreecell import Measure, Outcome, Result, Status


class ShareSolved(Measure):
    """The mean worth of deals, between 0 and 1.

    An unsolved deal is worth 0. A solved deal is worth one half, plus the unused share of the
    budget times one half.
    """

    name = "share-solved"
    axis = "share of the deals solved, and of the budget left"

    def fitness(self, results: Sequence[Result]) -> list[float]:
        return [sum(map(self._worth, result.outcomes)) / len(result.outcomes) for result in results]

    def _worth(self, outcome: Outcome) -> float:
        if outcome.status is not Status.SOLVED:
            return 0.0
        return 1 - min(outcome.spent / self.setting.job.limits.nodes, 1.0) / 2
