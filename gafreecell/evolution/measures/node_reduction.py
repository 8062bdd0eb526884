"""The paper's fitness: nodes against those of a baseline (GA-FreeCell 2011, section 3.3.4).

docs/results/ga-freecell.md says how we resolved the paper's contradictions.
"""

from __future__ import annotations

from collections.abc import Sequence

from gafreecell.evolution.generation import Result, Setting
from gafreecell.evolution.job import Job
from gafreecell.evolution.measures import Judge, Measure, baseline_counts
from gafreecell.solving.outcome import Outcome, Status
from gafreecell.solving.sums import left_to_right

PARTIAL = 1000.0
"""The paper's C: a solution without node reduction scores at most 1 / C."""


class NodeReduction(Measure):
    """The mean over the deals of 1 - nodes / the baseline's nodes.

    Warns:
        BaselineWarning: once, when the baseline solves less than half of what the solvers of a
            generation meet.
    """

    name = "node-reduction"
    baseline = True
    axis = "node reduction: share of the baseline's nodes saved"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._judge = Judge(
            setting, "any solution has a fitness near 1", ", or take fitness.measure = 'log-nodes'"
        )

    @classmethod
    def words(cls, job: Job) -> str:
        baseline = "the game's baseline"
        if job.fitness.baseline:
            baseline = f"the preset {job.fitness.baseline}"
        elif job.fitness.weights:
            weights = ", ".join(f"{name} {one}" for name, one in job.fitness.weights.items())
            baseline = f"the baseline ({weights})"
        return (
            f"A solver's fitness is the share of the nodes of {baseline} that it saves on the "
            "deals it meets."
        )

    def fitness(self, results: Sequence[Result]) -> list[float]:
        deals = list(dict.fromkeys(deal for r in results for deal in r.encounter.deals))
        baseline = self.setting.baseline(deals)
        self._judge.look_at(baseline)
        counts = dict(zip(deals, baseline_counts(baseline), strict=True))
        return [
            mean_node_reduction(r.outcomes, [counts[deal] for deal in r.encounter.deals])
            for r in results
        ]

    def cases(self, results: Sequence[Result]) -> list[tuple[float, ...]]:
        counts = baseline_counts(self.setting.baseline(results[0].encounter.deals))
        return [tuple(map(node_reduction, r.outcomes, counts)) for r in results]


def mean_node_reduction(outcomes: Sequence[Outcome], baseline: Sequence[float]) -> float:
    """The paper's f_s: the mean of f_i over the deals."""
    scores = [node_reduction(o, n) for o, n in zip(outcomes, baseline, strict=True)]
    return left_to_right(scores) / len(scores)


def node_reduction(outcome: Outcome, baseline_nodes: float) -> float:
    """The paper's f_i for one deal, in [0, 1].

    Args:
        outcome: what the solver made of the deal.
        baseline_nodes: what the baseline needed, ``UNSOLVED_NODES`` if it failed.
    """
    if outcome.status is not Status.SOLVED:
        return 0.0
    if not baseline_nodes:
        # A cost that is not nodes can be 0. A cost of 0 is then as good; any other is far worse.
        return 0.0 if outcome.spent else 1 / PARTIAL
    ratio = outcome.spent / baseline_nodes
    if ratio < 1:
        return 1 - ratio
    excess = ratio - 1
    return max((1 - excess) / PARTIAL, 0.0)
