"""What trainers, schemes and fitness measures are given, and where their random numbers come from.

A generation is a pure function of a run's state, its job and the generation's number. Its
random numbers come from ``SeedSequence(seed, spawn_key=(purpose, generation))``, so an exact
resume needs no saved generators.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gafreecell.evolution.job import Job, training_pool
from gafreecell.evolution.rule_genes import genes_of
from gafreecell.solitaire.game import Deal, Game, members
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Evaluator, Outcome
from gafreecell.solving.parameters import Parameter, Value, read_parameters

Genome = tuple[float, ...]
_OURS = str(Path(__file__).parents[1]) + os.sep


class RunWarning(UserWarning):
    """Something that the owner of a run should know; the command line prints it in one line."""


def warn(message: str, kind: type[RunWarning]) -> None:
    """Warn; the place shown is the line outside this package that made the call."""
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_code.co_filename.startswith(_OURS):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)


class Purpose(IntEnum):
    """What random numbers are for: the first part of the spawn key.

    Each purpose has its own stream, so more draws for one do not change the others. A part of
    your own uses the purpose that fits, or numbers from ``OWN`` on, one for each place where it
    draws. From ``OWN`` on, trainer and scheme have separate streams.
    """

    FOUNDING = 0
    MEETING = 1
    SOLVER_BREEDING = 2
    PROBLEM_BREEDING = 3
    SAMPLING = 4
    LEARNING = 5
    # 6 is ``rule_genes.STREAM``.


OWN = 100
TRAINER, SCHEME = 1, 2
"""Which part a moment is for."""


@dataclass(frozen=True)
class Moment:
    """A generation of a run (0 before the first) and its random numbers.

    Attributes:
        seed: the job's.
        generation: its number.
        part: the owner of the streams from ``OWN`` on: ``TRAINER`` or ``SCHEME``.
    """

    seed: int
    generation: int
    part: int = 0
    _streams: dict[tuple[int, ...], np.random.Generator] = field(
        default_factory=dict, repr=False, compare=False
    )

    def rng(self, purpose: int) -> np.random.Generator:
        """The generator of a purpose (a ``Purpose``, or ``OWN`` and above); each call the same."""
        own = (self.part,) if purpose >= OWN else ()
        key = (int(purpose), self.generation, *own)
        if key not in self._streams:
            self._streams[key] = np.random.default_rng(
                np.random.SeedSequence(self.seed, spawn_key=key)
            )
        return self._streams[key]

    def of_part(self, part: int) -> Moment:
        """The same moment for one of the run's parts."""
        return replace(self, part=part)


@dataclass(frozen=True)
class Setting:
    """What a run's parts work with.

    Attributes:
        job: the job.
        game: the game in its variant.
        baseline: returns the baseline's outcome on each of some deals: only status and counts.
        left: returns those of some deals on which the job's earlier phases fail; all of them
            if the job has none.
    """

    job: Job
    game: Game
    baseline: Callable[[Sequence[Deal]], Sequence[Outcome]]
    left: Callable[[Sequence[Deal]], Sequence[Deal]] = tuple

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The features whose weights evolve, in the order of the genes, with the job's ranges."""
        return trained_features(self.job, self.game)

    @cached_property
    def pool(self) -> Sequence[Deal]:
        """The deals to train on."""
        pool = training_pool(self.job, self.game)
        left = self.left(pool) if self.job.phases else pool
        # Whatever order a scheme wants, it cannot change this one, which a resumed run begins with.
        return left if isinstance(left, range) else tuple(left)

    @cached_property
    def known(self) -> Container[Deal]:
        """The same deals, as a container for quick membership tests."""
        return members(self.pool)

    @cached_property
    def place_of(self) -> Callable[[Deal], int]:
        """Returns the place of a deal in the pool; ``KeyError`` or ``ValueError`` if none."""
        pool: Any = self.pool
        if isinstance(pool, range):
            return pool.index  # type: ignore[return-value]
        return {deal: place for place, deal in enumerate(pool)}.__getitem__

    def options(self, name: str, known: tuple[Parameter, ...]) -> dict[str, Value]:
        """The options that the job gives one of its parts, with defaults filled in."""
        return read_parameters(name, known, self.job.options.get(name, {}), "option")

    def evaluator(self, genome: Sequence[float]) -> Evaluator:
        """The evaluator that a genome stands for."""
        return self.job.trained_evaluator(genome)

    def uniform(self, count: int, rng: np.random.Generator) -> list[Genome]:
        """Genomes with weights drawn uniformly from their ranges."""
        low = [feature.low for feature in self.features]
        high = [feature.high for feature in self.features]
        drawn = rng.uniform(low, high, size=(count, len(self.features)))
        return [tuple(genome) for genome in drawn.tolist()]


def trained_features(job: Job, game: Game) -> tuple[Feature, ...]:
    """A job's features in the order of the genes, with the ranges that it gives their weights.

    For policies of rules these are all their numbers, each as if it were a feature's weight.
    """
    by_name = {feature.name: feature for feature in game.features}
    found = []
    for name in job.trained.features:
        feature = by_name[name]
        low, high = job.trained.ranges.get(name, (feature.low, feature.high))
        found.append(replace(feature, low=float(low), high=float(high)))
    return genes_of(found, job.rules)


@dataclass(frozen=True)
class Encounter:
    """What one solver meets in a generation.

    Attributes:
        deals: the deals it is measured on.
        met: numbers by which the scheme knows what was met.
    """

    deals: tuple[Deal, ...]
    met: tuple[int, ...] = ()


@dataclass(frozen=True)
class Result:
    """A solver's result in a generation.

    Attributes:
        solver: its genome.
        encounter: what it met.
        outcomes: one for each deal.
        fitness: the measure's value; larger is better.
    """

    solver: Genome
    encounter: Encounter
    outcomes: tuple[Outcome, ...]
    fitness: float = 0.0


@dataclass(frozen=True)
class Learnt:
    """What a trainer learnt from a generation.

    Attributes:
        best: the solver that stands for the generation: the validation deals compare
            it with the best so far.
        log: further keys for the generation's line of the log.
    """

    best: Genome
    log: dict[str, Any] = field(default_factory=dict)


class Part:
    """A replaceable part of a run: a trainer, a scheme or a fitness measure.

    Attributes:
        name: its name in jobs.
        tables: the tables of keys that it reads besides those of every job, by name: frozen
            dataclasses with a default for each key. Their class attribute ``refused`` names the
            keys that jobs with other parts cannot set; without it, these are all keys.
        unread: paths of keys in these tables that it does not read.
        baseline: whether it compares with the job's baseline.
        parameters: what the job's table ``[options.<name>]`` can set.
        setting: what it works with.
        values: the value of each parameter.
    """

    name: str
    tables: ClassVar[Mapping[str, type[Any]]] = {}
    unread: tuple[str, ...] = ()
    baseline = False
    parameters: tuple[Parameter, ...] = ()

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.values = setting.options(self.name, self.parameters)

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Raise ``BadInput`` unless this part suits the job."""
        return

    @classmethod
    def suits(cls, job: Job, game: Game) -> None:
        """``check``, and whatever all parts of its kind need."""
        cls.check(job, game)

    @classmethod
    def words(cls, job: Job) -> str:
        """What it does in a job, in sentences for reports; empty for those of its docstring."""
        return ""
