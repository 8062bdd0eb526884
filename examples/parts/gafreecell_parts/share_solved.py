"""The share of deals solved; between solvers that solve as many, the nodes decide."""

from __future__ import annotations

from collections.abc import Sequence

from gafreecell import Measure, Outcome, Result, Status


class ShareSolved(Measure):
    """1 for a solver of every deal without a node, 0 for a solver of none.

    A deal that is solved counts one half, and as much of the other half as is left of the
    budget.
    """

    name = "share-solved"
    axis = "share of the deals solved, and of the budget left"

    def fitness(self, results: Sequence[Result]) -> list[float]:
        return [sum(map(self._worth, result.outcomes)) / len(result.outcomes) for result in results]

    def _worth(self, outcome: Outcome) -> float:
        if outcome.status is not Status.SOLVED:
            return 0.0
        return 1 - min(outcome.spent / self.setting.job.limits.nodes, 1.0) / 2
