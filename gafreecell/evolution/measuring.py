"""What a run has measured besides its solvers: baseline, validation, earlier phases, and costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

import numpy as np

from gafreecell.evolution.costs import Ledger
from gafreecell.evolution.earlier_phases import EARLIER, EarlierPhases
from gafreecell.evolution.generation import Genome, Result, Setting
from gafreecell.evolution.job import Job, validation_pool
from gafreecell.evolution.measures.relative import informativeness, log_costs, relative
from gafreecell.evolution.parts import no_baseline
from gafreecell.evolution.populations import middle_half
from gafreecell.evolution.validation import Champion, champion_of
from gafreecell.solitaire.abilities import HasPresets
from gafreecell.solitaire.game import Deal, GameError, able
from gafreecell.solving.outcome import Evaluator, Outcome, Status, Task
from gafreecell.workers.evaluation import Baseline, Evaluation


class Measuring:
    """Measures what a job needs besides its solvers.

    Args:
        job: a job that ``evolution.job_reading.make_job`` has checked.
        evaluation: runs the tasks.
        on_phase: called with the name of what is being computed, for progress.

    Attributes:
        costs: what the present generation has cost so far, or the last one.
        setting: what the job's parts work with.
        validation: the deals that choose the champion.
    """

    def __init__(
        self, job: Job, evaluation: Evaluation, on_phase: Callable[[str], None] = lambda phase: None
    ) -> None:
        self.job = job
        self.evaluation = evaluation
        self.on_phase = on_phase
        self.costs = Ledger()
        self._compared: set[Deal] = set()
        self._earlier = EarlierPhases(job, evaluation) if job.phases else None
        self.validation = self._left(validation_pool(job, evaluation.game), "deals.validation")
        self._baseline: Baseline | None = None
        self.setting = Setting(job, evaluation.game, self._baseline_outcomes, self._left)
        if self._earlier is not None:
            # Computed right away, so that one progress count covers both pools.
            _ = self.setting.pool

    def allow_baseline(self) -> None:
        """From now on, parts may ask for the baseline."""
        self._baseline = _baseline(self.job, self.evaluation)

    def candidate_of(self, present: Champion | None, best: Genome, generation: int) -> Champion:
        """The generation's best, measured on the validation deals unless it is the champion."""
        if present is not None and present.weights == best:
            return present
        self.on_phase("validation")
        limits, evaluator = self.job.validation_limits(), self.setting.evaluator(best)
        tasks = [Task(deal, evaluator, self.job.search, limits) for deal in self.validation]
        outcomes = self.evaluation.outcomes(tasks, replayed=True)
        self.costs.enter("validation", outcomes)
        rules, scales = self.job.validation, self.evaluation.game.scales
        found = champion_of(generation, best, outcomes, rules, limits.nodes, scales)
        if not isfinite(found.value):
            raise GameError(
                f"{self.evaluation.game.title}: the validation deals must have finite costs, "
                f"got {found.value}"
            )
        return found

    def told_of(self, results: Sequence[Result]) -> dict[str, Any]:
        """What a generation's solvers did and met, whichever scheme chose it.

        Returns:
            ``nodes``, ``solved`` and ``evaluations`` of all outcomes, and in ``met`` what the
            deals were like. ``deals``: the number of distinct ones. ``hardness``: the median
            solver's log cost, averaged over the deals. ``informativeness``: the mean correlation
            of a deal's relative costs with the solvers' means on all other deals; None if
            fewer than three solvers met all of them. ``middle``: the quartiles over the deals of
            hardness, of informativeness, and of ``price``, the mean nodes of a deal's solvers.
        """
        limits, rules, scales = self.job.limits, self.job.fitness, self.evaluation.game.scales
        costs = log_costs(results, limits.nodes, rules, scales)
        hardness = np.nanmedian(costs, axis=0)
        told = informativeness(relative(costs, rules.clip))
        outcomes = [outcome for result in results for outcome in result.outcomes]
        nodes: dict[Deal, list[int]] = {}
        for result in results:
            for deal, outcome in zip(result.encounter.deals, result.outcomes, strict=True):
                nodes.setdefault(deal, []).append(outcome.nodes.generated)
        prices = [sum(each) / len(each) for each in nodes.values()]
        met = {
            "deals": costs.shape[1],
            "hardness": float(hardness.mean()),
            "informativeness": float(told.mean()) if len(told) else None,
            "middle": {
                "hardness": middle_half(hardness),
                "price": middle_half(prices),
                "informativeness": middle_half(told) if len(told) else None,
            },
        }
        return {
            "nodes": sum(outcome.nodes.generated for outcome in outcomes),
            "solved": sum(outcome.status is Status.SOLVED for outcome in outcomes),
            "evaluations": len(outcomes),
            "met": met,
        }

    def _left(self, deals: Sequence[Deal], key: str = "deals.train") -> Sequence[Deal]:
        """Those of some deals on which the job's earlier phases fail; all without phases."""
        if self._earlier is None:
            return deals
        self.on_phase(EARLIER)
        return self._earlier.left(deals, key)

    def _baseline_outcomes(self, deals: Sequence[Deal]) -> list[Outcome]:
        if self._baseline is None:
            return no_baseline(deals)
        found = self._baseline.outcomes(deals)
        new = [deal for deal in found if deal not in self._compared]
        self._compared.update(new)
        self.costs.enter("baseline", [found[deal] for deal in new])
        return [found[deal] for deal in deals]


def _baseline(job: Job, evaluation: Evaluation) -> Baseline:
    """What node reduction is measured against: a preset, or baseline weights in the search."""
    game, preset = evaluation.game, job.fitness.baseline
    if preset:
        named = able(game, HasPresets, "has no presets").preset(preset)
        return Baseline(evaluation, named.evaluator, named.search, named.limits)
    weights = job.fitness.weights or {f.name: f.baseline for f in game.features if f.baseline}
    evaluator = Evaluator(tuple(weights), tuple(map(float, weights.values())))
    return Baseline(evaluation, evaluator, job.search, job.limits)
