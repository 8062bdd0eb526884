"""What trainers, schemes and fitness measures are given, and where their random numbers come from.

A generation is a pure function of a run's state, its job and the generation's number: its
random numbers come from ``SeedSequence(seed, spawn_key=(purpose, generation))``, so nothing
of a generator needs to be saved for an exact resume.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gafreecell.game import Game, Problem
from gafreecell.job import Job, training_pool
from gafreecell.rule_genes import genes_of
from solving.features import Feature
from solving.outcome import Evaluator, Outcome
from solving.parameters import Parameter, Value, read_parameters

Genome = tuple[float, ...]
_OURS = str(Path(__file__).parent) + os.sep


class RunWarning(UserWarning):
    """Something about a run that its owner should know; the command line says it in a line."""


def warn(message: str, kind: type[RunWarning]) -> None:
    """Warn of something; the place shown is the line outside this package that began it all."""
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_code.co_filename.startswith(_OURS):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)


class Purpose(IntEnum):
    """What random numbers are for: the first part of the spawn key.

    Each purpose has a stream of its own, so that further draws for one leave the others as
    they are. A part of your own takes the purpose that fits, or numbers from ``OWN`` on, one for
    each place where it draws. Trainer and scheme each have streams of their own for the latter.
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
"""Whose moment it is."""


@dataclass(frozen=True)
class Moment:
    """A generation of a run, 0 before the first, and its random numbers.

    Attributes:
        seed: the job's.
        generation: its number.
        part: whose streams from ``OWN`` on these are: the trainer's or the scheme's.
    """

    seed: int
    generation: int
    part: int = 0
    _streams: dict[tuple[int, ...], np.random.Generator] = field(
        default_factory=dict, repr=False, compare=False
    )

    def rng(self, purpose: int) -> np.random.Generator:
        """The generator of a purpose, a ``Purpose`` or ``OWN`` and more: always the same one."""
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
        job: what to do.
        game: in its variant.
        baseline: the baseline's outcome on each of some problems: status and counts alone.
        left: those of some problems on which the job's earlier phases fail; all of them if
            it has none.
    """

    job: Job
    game: Game
    baseline: Callable[[Sequence[Problem]], Sequence[Outcome]]
    left: Callable[[Sequence[Problem]], Sequence[Problem]] = tuple

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The features whose weights evolve, in the order of the genes, with the job's ranges."""
        return trained_features(self.job, self.game)

    @cached_property
    def pool(self) -> Sequence[Problem]:
        """The problems to train on."""
        pool = training_pool(self.job, self.game)
        return self.left(pool) if self.job.phases else pool

    @cached_property
    def known(self) -> Container[Problem]:
        """The same problems, for asking whether one is among them."""
        return self.pool if isinstance(self.pool, range) else frozenset(self.pool)

    def options(self, name: str, known: tuple[Parameter, ...]) -> dict[str, Value]:
        """The options that the job gives one of its parts, the defaults filled in."""
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

    Of policies of rules it is all their numbers, each as if it were a feature's weight.
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
        problems: that it is measured on.
        met: whatever the scheme needs to know them by.
    """

    problems: tuple[Problem, ...]
    met: tuple[int, ...] = ()


@dataclass(frozen=True)
class Result:
    """What came of one solver in a generation.

    Attributes:
        solver: its genome.
        encounter: what it met.
        outcomes: one for each problem.
        fitness: the measure's value; larger is better.
    """

    solver: Genome
    encounter: Encounter
    outcomes: tuple[Outcome, ...]
    fitness: float = 0.0


@dataclass(frozen=True)
class Learnt:
    """What a trainer made of a generation.

    Attributes:
        best: the solver that stands for the generation: the validation problems compare
            it with the best so far.
        log: what the generation's line of the log says besides.
    """

    best: Genome
    log: dict[str, Any] = field(default_factory=dict)


class Part:
    """A part of a run that can be brought: a trainer, a scheme or a fitness measure.

    Attributes:
        name: as jobs write it.
        parameters: what the job's table ``[options.<name>]`` can set.
        setting: what it works with.
        values: a value for each parameter.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.values = setting.options(self.name, self.parameters)

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Raise ``BadInput`` unless the job can be done with it."""
        return
