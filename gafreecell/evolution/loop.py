"""The loop of generations: DEAP's idiom, for any trainer, scheme and fitness measure.

A generation is a pure function of the run's state, its job and its number. ``Evolution.step`` runs
one, on a toolbox like that of DEAP's example ``coev/hillis.py``. What is registered here does not
depend on how solvers are made or deals chosen. In a coevolution, ``update`` breeds the solvers
(``trainers.genetic``) and ``learn`` the problems (``schemes.coevolution``), each with a toolbox of
DEAP's operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from deap import base

from gafreecell.evolution.costs import Ledger
from gafreecell.evolution.generation import Genome, Learnt, Moment, Result
from gafreecell.evolution.job import Job
from gafreecell.evolution.measuring import Measuring
from gafreecell.evolution.parts import Parts, State
from gafreecell.evolution.populations import Birth, logbook, record, statistics
from gafreecell.evolution.schemes.racing import Racing, raced
from gafreecell.evolution.validation import Champion, hall_of_fame
from gafreecell.workers.evaluation import Evaluation


class Evolution(Measuring):
    """A job with everything that its generations need.

    Args:
        job: a job that ``evolution.job_reading.make_job`` has checked.
        evaluation: runs the tasks, including those of the baseline and the validation.
        on_phase: called with the name of what is being computed, for progress.

    Attributes:
        parts: the trainer, the scheme and the fitness measure.
        toolbox: what a generation does. To solve the tasks elsewhere, register another ``map``,
            which gets a function and the tasks to call it with.
        statistics: DEAP's statistics of the solvers' fitness.
        candidate: the best solver of the last generation, measured on the validation deals;
            None before.
        results: those of the last generation's solvers.
        births: what the next generation's solvers come from; empty if the trainer does not say.
        logbook: the steps so far, as a DEAP logbook.
    """

    def __init__(
        self, job: Job, evaluation: Evaluation, on_phase: Callable[[str], None] = lambda phase: None
    ) -> None:
        super().__init__(job, evaluation, on_phase)
        self.parts = Parts.of(self.setting)
        self.allow_baseline()
        self.candidate: Champion | None = None
        self.results: list[Result] = []
        self.births: Sequence[Birth] = ()
        self.toolbox = self.registered()
        self.statistics = statistics(lambda solver: solver.fitness.values[0])
        self.logbook = logbook()

    def registered(self) -> base.Toolbox:
        """What a generation does, on a toolbox."""
        toolbox, parts, evaluation = base.Toolbox(), self.parts, self.evaluation
        toolbox.register("generate", parts.generate)
        toolbox.register("meet", parts.meet)
        toolbox.register("tasks", parts.tasks)
        toolbox.register("evaluate", evaluation.evaluate)
        toolbox.register("map", evaluation.map)
        toolbox.register("score", parts.score)
        toolbox.register("learn", parts.learn)
        toolbox.register("update", parts.update)
        return toolbox

    def found(self) -> State:
        """The state before the first generation."""
        return self.parts.found()

    def step(self, state: State) -> tuple[State, dict[str, Any]]:
        """Run one generation.

        Returns:
            The next state, and what the generation's line of the log says.
        """
        toolbox, moment = self.toolbox, Moment(self.job.seed, state.generation + 1)
        self.costs = Ledger()
        self.parts.restore(state)
        solvers = toolbox.generate()
        encounters = toolbox.meet(moment, solvers)

        self.on_phase("solvers")
        results = raced(toolbox, solvers, encounters, self.job.table(Racing))
        self.costs.enter("solvers", [one for result in results for one in result.outcomes])

        self.on_phase("baseline")
        # Whatever a part needs of ``meet`` is in its state or in the encounters.
        self.parts.restore(state)
        for solver, fitness in zip(solvers, toolbox.score(results), strict=True):
            solver.fitness.values = (fitness,)
        results = [
            replace(result, fitness=solver.value)
            for solver, result in zip(solvers, results, strict=True)
        ]
        problems = toolbox.learn(moment, results)
        learnt = toolbox.update(moment, results, problems)
        self.results, self.births = results, self.parts.births()

        best = standing_for(results, learnt, self.job.validation.candidate)
        self.candidate = self.candidate_of(state.champion, best, moment.generation)
        known = [state.champion] if state.champion else []
        (champion,) = hall_of_fame(1, [*known, self.candidate])
        line = {
            "generation": moment.generation,
            "solvers": self.statistics.compile(solvers),
            "problems": problems,
            "best_weights": list(best),
            **self.told_of(results),
            "validation": {key: one for key, one in vars(champion).items() if key != "weights"},
            **learnt.log,
        }
        record(self.logbook, line)
        return self.parts.state(moment.generation, champion), line


def standing_for(results: Sequence[Result], learnt: Learnt, candidate: str) -> Genome:
    """The solver that stands for a generation, as the job's ``validation.candidate`` says."""
    if candidate == "trainer":
        return learnt.best
    ranked = sorted(results, key=lambda result: -result.fitness)
    if candidate == "fittest":
        return ranked[0].solver
    half = np.array([result.solver for result in ranked[: (len(ranked) + 1) // 2]])
    return tuple(half.mean(axis=0).tolist())
