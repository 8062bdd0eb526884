"""Prioritized replay of deals, as research on environment design has it.

Part of each generation's deals are new, the others are met again: those that score highest
(prioritized level replay, Jiang and others 2021). The score is *learnability*, p (1 - p) for the
share p of solvers that solve a deal within so many nodes (Rutherford and others 2024), or *regret*,
the mean by which the solvers' log costs exceed that of the best one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gafreecell.evolution.generation import OWN, Encounter, Moment, Result, Setting
from gafreecell.evolution.job import Job
from gafreecell.evolution.measures.relative import log_costs
from gafreecell.evolution.populations import quantiles
from gafreecell.evolution.schemes import Sampled
from gafreecell.evolution.schemes.sample_size import deals_met
from gafreecell.solving.outcome import Status
from gafreecell.solving.parameters import Parameter

REPLAY = OWN


class Replayed(Sampled):
    """Half of the deals are new, the others are known ones, the higher their score the likelier."""

    name = "replayed"
    races = False
    axis = "score of a deal (the higher, the likelier met again)"
    parameters = (
        Parameter(
            "score", "learnability", "why deals are met again", choices=("learnability", "regret")
        ),
        Parameter("within", 20_000, "nodes within which a deal counts as solved", 1, 10**12),
        Parameter("memory", 200, "deals that are remembered", 1, 100_000),
        Parameter("again", 0.5, "share of a generation's deals that are met again", 0.0, 1.0),
        Parameter("temperature", 0.3, "the lower, the likelier are the best scores", 0.1, 10.0),
        Parameter("stale", 0.1, "share of the chances that goes by age", 0.0, 1.0),
    )

    @classmethod
    def words(cls, job: Job) -> str:
        return (
            f"In each generation all solvers meet {deals_met(job)} from the deals "
            f"{job.deals.train}. Some are new; the others have been met before, the likelier the "
            "more they told apart the solvers of then, or cost them."
        )

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._known: dict[Any, tuple[float, int]] = {}

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        size = self.size.of(moment.generation)
        met = self._again(moment, min(round(float(self.values["again"]) * size), len(self._known)))
        new = [one for one in self.drawn(moment, size) if one not in met][: size - len(met)]
        return [Encounter((*met, *new))] * solvers

    def tell(self, moment: Moment, results: Sequence[Result]) -> dict[str, Any]:
        super().tell(moment, results)
        deals = results[0].encounter.deals
        scores = self._scores(results)
        self._known |= {
            deal: (score, moment.generation) for deal, score in zip(deals, scores, strict=True)
        }
        ranked = sorted(self._known, key=lambda deal: -self._known[deal][0])
        self._known = {deal: self._known[deal] for deal in ranked[: int(self.values["memory"])]}
        return quantiles(scores)

    def state(self) -> dict[str, Any]:
        return {**super().state(), "known": [[d, *kept] for d, kept in self._known.items()]}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self._known = {deal: (float(score), int(met)) for deal, score, met in state["known"]}

    def _scores(self, results: Sequence[Result]) -> list[float]:
        """The score of each deal of a generation."""
        scores: list[float]
        if self.values["score"] == "learnability":
            within = int(self.values["within"])
            solved = [
                [o.status is Status.SOLVED and o.spent <= within for o in one.outcomes]
                for one in results
            ]
            share = np.mean(solved, axis=0)
            scores = (share * (1 - share)).tolist()
            return scores
        job, scales = self.setting.job, self.setting.game.scales
        costs = log_costs(results, job.limits.nodes, job.fitness, scales)
        scores = (costs.mean(axis=0) - costs.min(axis=0)).tolist()
        return scores

    def _again(self, moment: Moment, count: int) -> list[Any]:
        """So many of the known deals, which lie in the order of their scores."""
        if not count:
            return []
        deals, ages = list(self._known), np.array([at for _, at in self._known.values()])
        ranks = np.arange(1, len(deals) + 1)
        by_score = (1 / ranks) ** (1 / float(self.values["temperature"]))
        by_age = moment.generation - ages + 0.0
        stale = float(self.values["stale"])
        chances = (1 - stale) * by_score / by_score.sum() + stale * by_age / by_age.sum()
        rng = moment.rng(REPLAY)
        picks = rng.choice(len(deals), size=count, replace=False, p=chances / chances.sum())
        return [deals[i] for i in picks.tolist()]
