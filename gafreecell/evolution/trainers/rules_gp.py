"""Genetic programming of rules: operators on trees find the structure, CMA-ES the numbers.

The best structure so far is the leader. One part of each generation is drawn from the distribution
of the leader's numbers (``cma_strategy``), whose centre is measured, too. The other part is bred:
structures by DEAP's typed operators (``rule_trees``), numbers by Gaussian steps as wide as the
leader's spread. The fittest of the bred ones goes on trial against the centre for some generations,
both on the same deals if the scheme shares deals. If it stays ahead, it becomes the leader.

Elyasaf, Hauptman and Sipper evolved such policies with tree operators alone ("Evolutionary Design
of FreeCell Solvers", 2012).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from deap import tools

from gafreecell.evolution.generation import Genome, Learnt, Moment, Purpose, Result, Setting
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.operators.global_random import global_generators_from
from gafreecell.evolution.populations import (
    Draw,
    Individual,
    measured,
    toolbox_of,
    vary,
)
from gafreecell.evolution.rule_genes import EVOLVED
from gafreecell.evolution.trainers import Trainer
from gafreecell.evolution.trainers.cma_es import Cma, check_start
from gafreecell.evolution.trainers.cma_strategy import Strategy, begin, draw, follow
from gafreecell.evolution.trainers.rule_trees import MIDDLE, Grammar, Ruled
from gafreecell.solitaire.game import Game
from gafreecell.solving.parameters import Parameter
from gafreecell.solving.sums import left_to_right

LEAST = 8
"""The fewest solvers that it needs: the centre, four drawn around it, and three bred ones."""


class RulesGp(Trainer):
    """Breeds the structure of policies of rules, and has CMA-ES tune the leading one.

    The solvers of a generation are the leader's centre, those drawn around it, and those bred. If
    there is a trial, the first of the bred ones is on trial.
    """

    name = "rules-gp"
    stands = "leader"
    tables: ClassVar = {"cma": Cma}
    unread = ("cma.scale",)
    parameters = (
        Parameter("tuned", 0.6, "share of the solvers drawn around the leading policy", 0.1, 0.9),
        Parameter("trial", 3, "generations that a policy must stay ahead to lead", 1, 1000),
    )
    _leader: Ruled
    _strategy: Strategy
    _drawn: list[list[float]]
    _bred: list[Ruled]
    _trial: list[float] | None

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        job = setting.job
        self._grammar = Grammar(setting.features, job.trained.features, job.rules)

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse jobs without a structure to evolve, and starts beyond the default's weights."""
        if not job.rules.count or job.rules.structure != EVOLVED:
            raise JobError.at(
                "rules",
                f": the trainer {cls.name} evolves the structure of rules: set rules.count to 1 "
                f"or more, and rules.structure to {EVOLVED!r}",
            )
        if job.solvers.population < LEAST:
            raise JobError.at(
                "solvers.population",
                f" must be at least {LEAST} for the trainer {cls.name}, got "
                f"{job.solvers.population}",
            )
        scale = job.table(Cma).scale
        if scale != "linear":
            raise JobError.at(
                "cma.scale", f": the trainer {cls.name} draws on the scale 'linear', got {scale!r}"
            )
        features = job.trained.features
        known = f"{', '.join(features)}; with the trainer {cls.name} all rules start with the "
        check_start(job, game, features, f"{known}default's weights")

    @classmethod
    def words(cls, job: Job) -> str:
        return (
            f"The trainer {cls.name} breeds the conditions of the rules by genetic programming, "
            "and tunes the numbers of the leading policy by CMA-ES."
        )

    @classmethod
    def differences(cls, state: Mapping[str, Any]) -> str:
        return Strategy.from_document(state["strategy"]).differences()

    def found(self, moment: Moment) -> None:
        """Draw structures whose rules all value states nearly as the start does."""
        job, rng = self.setting.job, moment.rng(Purpose.FOUNDING)
        cma = job.table(Cma)
        weights = self.setting.features[: len(job.trained.features)]
        start = tuple(
            (cma.start.get(f.name, (f.low + f.high) / 2) - f.low) / (f.high - f.low)
            for f in weights
        )
        with global_generators_from(rng):
            drawn = [self._grammar.drawn(start) for _ in range(job.solvers.population)]
        self._bred = [
            replace(one, sums=tuple((_offset(cma.sigma, rng), *row[1:]) for row in one.sums))
            for one in drawn[: self._bred_size]
        ]
        self._trial = None
        self._lead(drawn[-1], cma.sigma)
        self._drawn = draw(self._strategy, self._drawn_size, rng)

    def ask(self) -> list[Genome]:
        return [self._grammar.genome(one) for one in self._policies()]

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        rng = moment.rng(Purpose.SOLVER_BREEDING)
        values = [result.fitness for result in results]
        self._look_at(values)
        size = len(self._drawn)
        # Each is an individual of one gene, the whole policy.
        population = measured(([one] for one in self._policies()), values)
        self._strategy = follow(self._strategy, self._drawn, values[1 : size + 1])
        tried = self._tried(population[0], population[size + 1 :])
        self._drawn = draw(self._strategy, size, rng)
        self._bred = self._children(population, tried, rng)
        best = self._grammar.genome(self._leader.with_numbers(self._strategy.mean))
        log = {"leader": str(self._leader.tree), "spread": self._strategy.spread}
        return Learnt(best, log)

    def state(self) -> dict[str, Any]:
        return {
            "leader": self._leader.as_document(),
            "strategy": self._strategy.as_document(),
            "drawn": self._drawn,
            "bred": [one.as_document() for one in self._bred],
            "trial": self._trial,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._leader = self._grammar.read(state["leader"])
        self._strategy = Strategy.from_document(state["strategy"])
        self._drawn = [[float(x) for x in numbers] for numbers in state["drawn"]]
        self._bred = [self._grammar.read(one) for one in state["bred"]]
        trial = state["trial"]
        self._trial = None if trial is None else [float(x) for x in trial]
        size = len(self._leader.numbers)
        if {size} != {len(self._strategy.mean), *map(len, self._drawn)}:
            raise ValueError("its strategy and the leading policy differ in the number of numbers")
        if (len(self._drawn), len(self._bred)) != (self._drawn_size, self._bred_size):
            raise ValueError("it and the job differ in the number of solvers")

    @property
    def _drawn_size(self) -> int:
        population = self.setting.job.solvers.population
        return min(max(round(float(self.values["tuned"]) * population), 4), population - 4)

    @property
    def _bred_size(self) -> int:
        return self.setting.job.solvers.population - 1 - self._drawn_size

    def _lead(self, policy: Ruled, spread: float) -> None:
        """Tune this policy from now on."""
        self._leader, self._strategy = policy, begin(policy.numbers, spread)

    def _policies(self) -> list[Ruled]:
        """The solvers of a generation: the leader's centre, those drawn around it, those bred."""
        tuned = [self._leader.with_numbers(x) for x in (self._strategy.mean, *self._drawn)]
        return [*tuned, *self._bred]

    def _tried(self, centre: Individual, bred: Sequence[Individual]) -> Ruled | None:
        """Continue the trial; returns the policy on trial in the next generation, None for none.

        The generation in which a policy was the fittest does not count, as luck had a part in that.
        """
        first, others = bred[0], bred
        if self._trial is not None:
            self._trial.append(first.value - centre.value)
            ahead = left_to_right(self._trial) > 0
            if ahead and len(self._trial) < int(self.values["trial"]):
                policy: Ruled = first[0]
                return policy
            if ahead:
                self._lead(first[0], self._strategy.spread)
                centre, others = first, bred[1:]
        (best,) = tools.selBest(others, 1)
        self._trial = [] if best.value > centre.value else None
        return None if self._trial is None else best[0]

    def _children(
        self, population: Sequence[Individual], tried: Ruled | None, rng: Draw
    ) -> list[Ruled]:
        """The next bred policies, after the one on trial."""
        grammar, rates, first = self._grammar, self.setting.job.solvers, [tried] if tried else []
        rates = replace(rates, population=self._bred_size - len(first), elite=0)
        toolbox = toolbox_of(rates, 1)
        toolbox.register("clone", lambda one: Individual(one, one.value))
        toolbox.register("mate", lambda *pair: _each(*grammar.crossed(*(one[0] for one in pair))))
        toolbox.register("mutate", lambda one: _each(grammar.mutated(one[0])))
        with global_generators_from(rng):
            children = vary(population, toolbox, rates)
        return [*first, *(self._stepped(child[0], rng) for child in children)]

    def _stepped(self, policy: Ruled, rng: Draw) -> Ruled:
        """A policy some of whose numbers have moved."""
        numbers = np.array(policy.numbers)
        moved = rng.random(numbers.size) < self.setting.job.solvers.gene_mutation
        steps = rng.normal(0, self._strategy.spread, numbers.size)
        return policy.with_numbers((numbers + moved * steps).tolist())


def _each(*policies: Ruled) -> tuple[Individual, ...]:
    return tuple(Individual([policy]) for policy in policies)


def _offset(sigma: float, rng: Draw) -> float:
    """A scaled offset near the one that changes nothing."""
    return float(np.clip(MIDDLE + sigma * rng.normal(), 0, 1))
