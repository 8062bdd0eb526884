"""The loop of generations, each a pure function of the state, the job and its number.

A generation asks the trainer for solvers and the scheme for the problems they meet, has them
measured, tells both the results, and compares its best solver with the champion. It does not
depend on which trainer, scheme and fitness measure these are.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

import numpy as np

from deals.words import plural
from gafreecell.evolution import returned
from gafreecell.evolution.costs import Ledger
from gafreecell.evolution.earlier_phases import EARLIER, EarlierPhases
from gafreecell.evolution.generation import (
    SCHEME,
    TRAINER,
    Encounter,
    Genome,
    Learnt,
    Moment,
    Result,
    RunWarning,
    Setting,
    warn,
)
from gafreecell.evolution.job import Job, validation_pool
from gafreecell.evolution.log_lines import numbers_of
from gafreecell.evolution.measures import Measure
from gafreecell.evolution.measures.relative import informativeness, log_costs, relative
from gafreecell.evolution.populations import middle_half, quantiles
from gafreecell.evolution.schemes import Scheme, racing
from gafreecell.evolution.trainers import Trainer
from gafreecell.evolution.validation import Champion, champion_of
from gafreecell.installed import plugins
from gafreecell.solitaire.abilities import HasPresets
from gafreecell.solitaire.game import GameError, Problem, able
from gafreecell.solving.outcome import Evaluator, Outcome, Status, Task
from gafreecell.workers.evaluation import Baseline, Evaluation


class OverlapWarning(RunWarning):
    """Deals that train solvers also choose the champion."""


@dataclass(frozen=True)
class State:
    """The whole state of a run between two generations.

    Attributes:
        generation: generations completed.
        trainer: the trainer's state, which includes the solvers to measure next.
        scheme: the scheme's state, which includes the problems they can meet.
        champion: the best weights so far; None before the first generation.
    """

    generation: int
    trainer: Mapping[str, Any] = field(default_factory=dict)
    scheme: Mapping[str, Any] = field(default_factory=dict)
    champion: Champion | None = None

    def __repr__(self) -> str:
        best = f", champion of generation {self.champion.generation}" if self.champion else ""
        return f"<State after {plural(self.generation, 'generation')}{best}>"


@dataclass(frozen=True)
class Asked:
    """What has to be solved in a generation.

    Attributes:
        state: the run's state before the generation.
        solvers: the genomes of the solvers.
        encounters: what each solver meets.
        tasks: one for each problem of each solver, in this order.
        whole: what each solver meets if it stays in the race to the end.
        round: the round of the race, from 1.
    """

    state: State
    solvers: list[Genome]
    encounters: list[Encounter]
    tasks: list[Task]
    whole: list[Encounter]
    round: int = 1


class Evolution:
    """A job with everything that its generations need.

    ``step`` runs a generation. To solve the tasks elsewhere, call ``ask`` and ``tell`` instead;
    ``tell`` takes the outcomes in the order of the tasks. If solvers race, ``further`` says
    between the two what else has to be solved.

    Args:
        job: a job that ``evolution.job_reading.make_job`` has checked.
        evaluation: runs the tasks, including those of the baseline and the validation.
        on_phase: called with the name of what is being computed, for progress.

    Attributes:
        candidate: the best solver of the generation last told, measured on the validation
            problems; None before.
        costs: what the present generation has cost so far, or the last one.
    """

    def __init__(
        self, job: Job, evaluation: Evaluation, on_phase: Callable[[str], None] = lambda phase: None
    ) -> None:
        self.job = job
        self.evaluation = evaluation
        self.on_phase = on_phase
        self.candidate: Champion | None = None
        self.costs = Ledger()
        self._compared: set[Problem] = set()
        self._earlier = EarlierPhases(job, evaluation) if job.phases else None
        self.validation = self._left(validation_pool(job, evaluation.game), "deals.validation")
        self._baseline: Baseline | None = None
        setting = Setting(job, evaluation.game, self._baseline_outcomes, self._left)
        if self._earlier is not None:
            # Computed right away, so that one progress count covers both pools.
            _ = setting.pool
        self.parts = Parts.of(setting)
        self._baseline = _baseline(job, evaluation)

    def found(self) -> State:
        """The state before the first generation.

        Warns:
            OverlapWarning: if training and validation have deals in common.
        """
        moment = Moment(self.job.seed, 0)
        self._warn_of_overlap()
        self.parts.trainer.found(moment.of_part(TRAINER))
        self.parts.scheme.found(moment.of_part(SCHEME))
        return self.parts.state(0, None)

    def step(self, state: State) -> tuple[State, dict[str, Any]]:
        """Run one generation.

        Returns:
            The next state, and what the generation's line of the log says.
        """
        asked = self.ask(state)
        self.on_phase("solvers")
        outcomes = self.evaluation.outcomes(asked.tasks)
        while further := self.further(asked, outcomes):
            asked, outcomes = further, self.evaluation.outcomes(further.tasks)
        return self.tell(asked, outcomes)

    def ask(self, state: State) -> Asked:
        """What has to be solved in the generation after a state, or in its first round."""
        self.costs = Ledger()
        moment = Moment(self.job.seed, state.generation + 1)
        self.parts.restore(state)
        solvers = self.parts.asked()
        whole = self.parts.encounters(moment.of_part(SCHEME), len(solvers))
        rules = self.job.table(racing.Racing)
        lengths = [racing.problems_of_round(1, one, rules) for one in whole]
        return self._asked(state, solvers, whole, lengths, 1)

    def further(self, asked: Asked, outcomes: Sequence[Outcome]) -> Asked | None:
        """What has to be solved in the next round of a race, earlier rounds included.

        Args:
            asked: what ``ask``, or the last call of ``further``, returned.
            outcomes: one for each of its tasks, in their order.

        Returns:
            The tasks of the next round and of all earlier ones; None after the last round.
        """
        rules, number = self.job.table(racing.Racing), asked.round + 1
        if number > rules.rounds:
            return None
        self.parts.restore(asked.state)
        results = _results(asked, outcomes)
        values = racing.ranked_by_round(results, self.parts.measured(results))
        ahead = racing.ahead(results, values, rules.share)
        lengths = [
            racing.problems_of_round(number, whole, rules) if place in ahead else len(met.problems)
            for place, (whole, met) in enumerate(zip(asked.whole, asked.encounters, strict=True))
        ]
        return self._asked(asked.state, asked.solvers, asked.whole, lengths, number)

    def _asked(
        self,
        state: State,
        solvers: list[Genome],
        whole: list[Encounter],
        lengths: Sequence[int],
        number: int,
    ) -> Asked:
        """What has to be solved if each solver meets that many of its problems."""
        encounters = [
            one if length == len(one.problems) else replace(one, problems=one.problems[:length])
            for one, length in zip(whole, lengths, strict=True)
        ]
        setting, search, limits = self.parts.setting, self.job.search, self.job.limits
        tasks = [
            Task(problem, evaluator, search, limits)
            for solver, encounter in zip(solvers, encounters, strict=True)
            for evaluator in (setting.evaluator(solver),)
            for problem in encounter.problems
        ]
        return Asked(state, solvers, encounters, tasks, whole, number)

    def tell(self, asked: Asked, outcomes: Sequence[Outcome]) -> tuple[State, dict[str, Any]]:
        """Finish a generation.

        Args:
            asked: what ``ask`` returned.
            outcomes: one for each of its tasks, in their order.

        Returns:
            The next state, and what the generation's line of the log says.

        Raises:
            ValueError: if there are more or fewer outcomes than tasks.
        """
        state, results = asked.state, _results(asked, outcomes)
        self.costs.enter("solvers", outcomes)
        moment = Moment(self.job.seed, state.generation + 1)
        self.parts.restore(state)
        self.on_phase("baseline")
        values = racing.ranked_by_round(results, self.parts.measured(results))
        results = [replace(r, fitness=value) for r, value in zip(results, values, strict=True)]
        problems = self.parts.told(moment.of_part(SCHEME), results)
        learnt = self.parts.learnt(moment.of_part(TRAINER), results, problems)
        present, best = state.champion, standing_for(results, learnt, self.job.validation.candidate)
        self.candidate = candidate = self._candidate(present, best, moment.generation)
        champion = present if present and present.value <= candidate.value else candidate
        line = {
            "generation": moment.generation,
            "solvers": quantiles(values),
            "problems": problems,
            "best_weights": list(best),
            "nodes": sum(outcome.nodes.generated for outcome in outcomes),
            "solved": sum(outcome.status is Status.SOLVED for outcome in outcomes),
            "evaluations": len(outcomes),
            "met": self._met(results),
            "validation": {
                "generation": champion.generation,
                "value": champion.value,
                "solved": champion.solved,
                "nodes": champion.nodes,
            },
        }
        line |= learnt.log
        return self.parts.state(moment.generation, champion), line

    def _met(self, results: Sequence[Result]) -> dict[str, Any]:
        """Properties of the problems that a generation met, whichever scheme chose them.

        Returns:
            ``problems``: the number of distinct problems. ``hardness``: the median solver's log
            cost, averaged over the problems. ``informativeness``: the mean correlation of a
            problem's relative costs with the solvers' means on all other problems; None if fewer
            than three solvers met all of them. ``middle``: the quartiles over the problems of
            hardness, of informativeness, and of ``price``, the mean nodes of a problem's solvers.
        """
        limits, rules, scales = self.job.limits, self.job.fitness, self.evaluation.game.scales
        costs = log_costs(results, limits.nodes, rules, scales)
        hardness = np.nanmedian(costs, axis=0)
        told = informativeness(relative(costs, rules.clip))
        nodes: dict[Problem, list[int]] = {}
        for result in results:
            for problem, outcome in zip(result.encounter.problems, result.outcomes, strict=True):
                nodes.setdefault(problem, []).append(outcome.nodes.generated)
        prices = [sum(each) / len(each) for each in nodes.values()]
        return {
            "problems": costs.shape[1],
            "hardness": float(hardness.mean()),
            "informativeness": float(told.mean()) if len(told) else None,
            "middle": {
                "hardness": middle_half(hardness),
                "price": middle_half(prices),
                "informativeness": middle_half(told) if len(told) else None,
            },
        }

    def _candidate(self, present: Champion | None, best: Genome, generation: int) -> Champion:
        """The generation's best, measured on the validation problems unless it is the champion."""
        if present is not None and present.weights == best:
            return present
        self.on_phase("validation")
        limits, evaluator = self.job.validation_limits(), self.parts.setting.evaluator(best)
        tasks = [Task(deal, evaluator, self.job.search, limits) for deal in self.validation]
        outcomes = self.evaluation.outcomes(tasks, replayed=True)
        self.costs.enter("validation", outcomes)
        rules, scales = self.job.validation, self.evaluation.game.scales
        found = champion_of(generation, best, outcomes, rules, limits.nodes, scales)
        if not isfinite(found.value):
            raise GameError(
                f"{self.evaluation.game.title}: the validation problems must have finite costs, "
                f"got {found.value}"
            )
        return found

    def _warn_of_overlap(self) -> None:
        """Warn if deals choose the champion that they trained: it then seems better than it is."""
        known = self.parts.setting.known
        both = sum(problem in known for problem in self.validation)
        if both:
            warn(
                f"deals.train and deals.validation have {plural(both, 'deal')} in common, of "
                f"{len(self.validation):,} that choose the champion: solvers seem better on deals "
                "that trained them than on others, so name other ones for validation",
                OverlapWarning,
            )

    def _left(self, problems: Sequence[Problem], key: str = "deals.train") -> Sequence[Problem]:
        """Those of some problems on which the job's earlier phases fail; all without phases."""
        if self._earlier is None:
            return problems
        self.on_phase(EARLIER)
        return self._earlier.left(problems, key)

    def _baseline_outcomes(self, problems: Sequence[Problem]) -> list[Outcome]:
        if self._baseline is None:
            return _no_baseline(problems)
        found = self._baseline.outcomes(problems)
        new = [problem for problem in found if problem not in self._compared]
        self._compared.update(new)
        self.costs.enter("baseline", [found[problem] for problem in new])
        return [found[problem] for problem in problems]


def _results(asked: Asked, outcomes: Sequence[Outcome]) -> list[Result]:
    """Each solver's result; ``ValueError`` if there are more or fewer outcomes than tasks."""
    if len(outcomes) != len(asked.tasks):
        raise ValueError(
            f"expected {plural(len(asked.tasks), 'outcome')}, one a task, got {len(outcomes)}"
        )
    found = iter(outcomes)
    return [
        Result(solver, encounter, tuple(next(found) for _ in encounter.problems))
        for solver, encounter in zip(asked.solvers, asked.encounters, strict=True)
    ]


def standing_for(results: Sequence[Result], learnt: Learnt, candidate: str) -> Genome:
    """The solver that stands for a generation, as the job's ``validation.candidate`` says."""
    if candidate == "trainer":
        return learnt.best
    ranked = sorted(results, key=lambda result: -result.fitness)
    if candidate == "fittest":
        return ranked[0].solver
    half = np.array([result.solver for result in ranked[: (len(ranked) + 1) // 2]])
    return tuple(half.mean(axis=0).tolist())


@dataclass(frozen=True)
class Parts:
    """The parts that run a job; what they return is checked (``returned``)."""

    setting: Setting
    trainer: Trainer
    scheme: Scheme
    measure: Measure

    @classmethod
    def of(cls, setting: Setting) -> Parts:
        """The parts that the setting's job names."""
        job = setting.job
        named = ("trainer", job.trainer), ("scheme", job.scheme), ("measure", job.fitness.measure)
        made: list[Any] = [
            returned.Named(f"the {plugins.title(kind)} {name!r}", plugins.find(kind, name), setting)
            for kind, name in named
        ]
        return cls(setting, *made)

    def restore(self, state: State) -> None:
        """Restore trainer and scheme from a state."""
        # Copies, so that a part cannot change the run's state.
        self.trainer.restore(copy.deepcopy(state.trainer))
        self.scheme.restore(copy.deepcopy(state.scheme))

    def state(self, generation: int, champion: Champion | None) -> State:
        """The run's state from the present trainer and scheme, checked by asking for solvers."""
        self.asked()
        job = self.setting.job
        trainer = _state_of(self.trainer, f"the trainer {job.trainer!r}")
        scheme = _state_of(self.scheme, f"the scheme {job.scheme!r}")
        return State(generation, trainer, scheme, champion)

    def asked(self) -> list[Genome]:
        """The trainer's solvers."""
        return returned.solvers(self.trainer.ask(), self.setting)

    def encounters(self, moment: Moment, solvers: int) -> list[Encounter]:
        """What the scheme has each solver meet."""
        asked, shared = self.scheme.ask(moment, solvers), self.scheme.shares(self.setting.job)
        return returned.encounters(asked, solvers, self.setting, shared)

    def measured(self, results: Sequence[Result]) -> list[float]:
        """The measure's fitness of each result."""
        name = self.setting.job.fitness.measure
        return returned.fitness(self.measure.fitness(_copied(results)), len(results), name)

    def told(self, moment: Moment, results: Sequence[Result]) -> dict[str, Any] | None:
        """What the scheme tells the log of the problems that were met."""
        return returned.told(self.scheme.tell(moment, _copied(results)), self.setting.job.scheme)

    def learnt(
        self, moment: Moment, results: Sequence[Result], problems: Mapping[str, Any] | None
    ) -> Learnt:
        """What the trainer learnt from the results, beside what the scheme tells of problems."""
        found = self.trainer.tell(moment, _copied(results))
        others = [column for column, _ in numbers_of({"problems": problems or {}})]
        return returned.learnt(found, self.setting, others)


def _copied(results: Sequence[Result]) -> list[Result]:
    """Copies for a part: what it does to lengths reaches neither the cache nor other parts."""
    return [
        replace(
            result,
            outcomes=tuple(
                replace(one, lengths=dict(one.lengths)) if one.lengths else one
                for one in result.outcomes
            ),
        )
        for result in results
    ]


def _state_of(part: Trainer | Scheme, who: str) -> dict[str, Any]:
    state = returned.json_of(part.state(), f"the state of {who}")
    if not isinstance(state, dict):
        raise returned.broken(f"the state of {who} must be a mapping", state)
    return state


def _no_baseline(problems: Sequence[Problem]) -> list[Outcome]:
    raise plugins.PluginError(
        "a trainer, scheme or fitness measure asks for the baseline while it is made or "
        "restored: ask for it in found, ask, tell or fitness"
    )


def check_state(job: Job, state: State) -> None:
    """Check that a state fits a job, as far as the job's parts are installed to tell.

    Raises:
        KeyError, TypeError, ValueError: if it cannot.
    """
    genes, champion = len(job.genes), state.champion
    fits = (
        state.generation >= 0
        and (champion is not None) == (state.generation > 0)
        and (champion is None or len(champion.weights) == genes)
    )
    setting = Setting(job, job.load_game(), _no_baseline)
    trainer = _restored("trainer", job.trainer, setting, state.trainer)
    if trainer is not None:
        solvers = trainer.ask()
        fits &= len(solvers) == job.solvers.population
        fits &= all(len(solver) == genes for solver in solvers)
    _restored("scheme", job.scheme, setting, state.scheme)
    if not fits:
        raise ValueError("the state does not fit the job")


def _restored(kind: str, name: str, setting: Setting, state: Mapping[str, Any]) -> Any:
    """A trainer or scheme restored from a state; None if it is not installed."""
    try:
        part = plugins.part(kind, name)
    except plugins.PluginError:
        return None
    # An installed part may raise here: then the state is wrong.
    made = returned.Named(f"the {kind} {name!r}", part, setting)
    made.restore(copy.deepcopy(state))
    return made


def _baseline(job: Job, evaluation: Evaluation) -> Baseline:
    """What node reduction is measured against: a preset, or baseline weights in the search."""
    game, preset = evaluation.game, job.fitness.baseline
    if preset:
        named = able(game, HasPresets, "has no presets").preset(preset)
        return Baseline(evaluation, named.evaluator, named.search, named.limits)
    weights = job.fitness.weights or {f.name: f.baseline for f in game.features if f.baseline}
    evaluator = Evaluator(tuple(weights), tuple(map(float, weights.values())))
    return Baseline(evaluation, evaluator, job.search, job.limits)
