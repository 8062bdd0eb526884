"""The parts that run a job, their state, and what they do in a generation.

What parts return is checked (``returned``). They get copies, so nothing that they do to these
reaches the run's state, the cache or other parts.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from deals.words import plural
from gafreecell.evolution import returned
from gafreecell.evolution.generation import (
    SCHEME,
    TRAINER,
    Encounter,
    Learnt,
    Moment,
    Result,
    Setting,
)
from gafreecell.evolution.job import Job
from gafreecell.evolution.log_lines import numbers_of
from gafreecell.evolution.measures import Measure
from gafreecell.evolution.populations import Birth, Individual
from gafreecell.evolution.schemes import Scheme
from gafreecell.evolution.schemes.racing import ranked_by_round
from gafreecell.evolution.trainers import Trainer
from gafreecell.evolution.validation import Champion
from gafreecell.installed import plugins
from gafreecell.solitaire.game import Deal
from gafreecell.solving.outcome import Outcome, Task


@dataclass(frozen=True)
class State:
    """The whole state of a run between two generations.

    Attributes:
        generation: generations completed.
        trainer: the trainer's state, which includes the solvers to measure next.
        scheme: the scheme's state, which includes the deals they can meet.
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
class Parts:
    """The parts that run a job."""

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

    def found(self) -> State:
        """The state before the first generation."""
        moment = Moment(self.setting.job.seed, 0)
        self.trainer.found(moment.of_part(TRAINER))
        self.scheme.found(moment.of_part(SCHEME))
        return self.state(0, None)

    def restore(self, state: State) -> None:
        """Restore trainer and scheme from a state."""
        self.trainer.restore(copy.deepcopy(state.trainer))
        self.scheme.restore(copy.deepcopy(state.scheme))

    def state(self, generation: int, champion: Champion | None) -> State:
        """The run's state from the present trainer and scheme, checked by asking for solvers."""
        self.generate()
        job = self.setting.job
        trainer = _state_of(self.trainer, f"the trainer {job.trainer!r}")
        scheme = _state_of(self.scheme, f"the scheme {job.scheme!r}")
        return State(generation, trainer, scheme, champion)

    def generate(self) -> list[Individual]:
        """The solvers of a generation, from the trainer."""
        return list(map(Individual, returned.solvers(self.trainer.ask(), self.setting)))

    def meet(self, moment: Moment, solvers: Sequence[Individual]) -> list[Encounter]:
        """What each solver meets, from the scheme."""
        asked = self.scheme.ask(moment.of_part(SCHEME), len(solvers))
        shared = self.scheme.shares(self.setting.job)
        return returned.encounters(asked, len(solvers), self.setting, shared)

    def tasks(self, solver: Individual, encounter: Encounter) -> list[Task]:
        """What has to be solved to measure a solver on what it meets."""
        job, evaluator = self.setting.job, self.setting.evaluator(tuple(solver))
        return [Task(deal, evaluator, job.search, job.limits) for deal in encounter.deals]

    def score(self, results: Sequence[Result]) -> list[float]:
        """The fitness of each result, from the measure."""
        name = self.setting.job.fitness.measure
        values = returned.fitness(self.measure.fitness(_copied(results)), len(results), name)
        return ranked_by_round(results, values)

    def learn(self, moment: Moment, results: Sequence[Result]) -> dict[str, Any] | None:
        """Have the scheme learn from the results; returns what it tells the log of problems."""
        told = self.scheme.tell(moment.of_part(SCHEME), _copied(results))
        return returned.told(told, self.setting.job.scheme)

    def update(
        self, moment: Moment, results: Sequence[Result], problems: Mapping[str, Any] | None
    ) -> Learnt:
        """Have the trainer learn from the results, and make the next solvers."""
        found = self.trainer.tell(moment.of_part(TRAINER), _copied(results))
        others = [column for column, _ in numbers_of({"problems": problems or {}})]
        return returned.learnt(found, self.setting, others)

    def births(self) -> list[Birth]:
        """What the next solvers come from, from the trainer; empty if it does not say."""
        return list(self.trainer.births())


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


def no_baseline(deals: Sequence[Deal]) -> list[Outcome]:
    """In place of the baseline, while there is none yet."""
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
    setting = Setting(job, job.load_game(), no_baseline)
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
