"""Calls operators on copies, checks and clips what they make, and puts them into a toolbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
from deap import base

from deals.words import plural
from gafreecell.evolution.generation import Result
from gafreecell.evolution.job import JobError
from gafreecell.evolution.measures import Measure
from gafreecell.evolution.operators.catalogue import BY_CASES, PROPORTIONATE
from gafreecell.evolution.operators.global_random import global_generators_from
from gafreecell.evolution.populations import Draw, Individual, measured, proportions
from gafreecell.evolution.returned import broken, listed, numbers, rows
from gafreecell.installed.plugins import PluginError
from gafreecell.solving.contract import named_errors
from gafreecell.solving.features import Feature

Cases = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Operator:
    """An operator with its arguments, on the weights of some features.

    Attributes:
        kind: crossover, mutation or selection.
        name: its name, as the job writes it.
        call: the function.
        arguments: the arguments that it gets, by name.
        takes: the names of all its arguments, including those that a job cannot set.
        features: the features whose weights the genes are.
    """

    kind: str
    name: str
    call: Callable[..., Any]
    arguments: Mapping[str, Any]
    takes: frozenset[str]
    features: tuple[Feature, ...]

    @property
    def by_cases(self) -> bool:
        """Whether it is a selection that compares solvers on each deal."""
        return self.name in BY_CASES or "cases" in self.takes

    def mate(self, first: Individual, second: Individual, rng: Draw) -> tuple[Individual, ...]:
        """Two children, as a crossover makes them."""
        return self._children(self._called(rng, _twin(first), _twin(second)), 2)

    def mutate(self, parent: Individual, rng: Draw) -> tuple[Individual, ...]:
        """One mutant."""
        return self._children(self._called(rng, _twin(parent)), 1)

    def choose(self, individuals: Sequence[Any], rng: Draw, cases: Cases | None) -> list[Any]:
        """Choose about half as many parents as there are individuals.

        Args:
            individuals: individuals with fitness.
            rng: for an operator that takes one.
            cases: each individual's values on the deals, larger is better, for selections by
                cases.

        Returns:
            The parents; all individuals if the operator chooses none.
        """
        count = max(len(individuals) // 2, 1)
        if self.by_cases and "cases" not in self.takes:
            assert cases is not None
            # DEAP's fitness computes its values anew at each access; plain objects do not.
            ones = (1.0,) * len(cases[0])
            asked: Sequence[Any] = [
                SimpleNamespace(fitness=SimpleNamespace(weights=ones, values=values))
                for values in cases
            ]
        elif self.name in PROPORTIONATE:
            shares = proportions([one.value for one in individuals])
            if shares is None:
                return list(individuals)
            asked = measured([()] * len(shares), shares.tolist())
        else:
            asked = [_twin(one) for one in individuals]
        places = {id(one): place for place, one in enumerate(asked)}
        wanted = f"the selection {self.name!r} must return some of the individuals that it is given"
        # Like the individuals, the lists are copies, with which the operator may do what it likes.
        values = None if cases is None else list(cases)
        chosen = listed(self._called(rng, list(asked), count, cases=values), wanted)
        for one in asked:
            value = f"the selection {self.name!r} must set finite values as fitness, if any"
            numbers(one.fitness.values, len(one.fitness.values), value)
        if not all(id(one) in places for one in chosen):
            raise broken(wanted, next(one for one in chosen if id(one) not in places))
        return [individuals[places[id(one)]] for one in chosen] or list(individuals)

    def try_out(self, population: int) -> None:
        """Use it on weights from all over their ranges, before any run depends on it.

        Args:
            population: the job's number of solvers; a selection gets so many, at most twenty.

        Raises:
            JobError: if it fails; the message says how.
        """
        rng = np.random.default_rng(0)
        ends = np.array([(feature.low, feature.high) for feature in self.features])
        points = rng.uniform(ends[:, 0], ends[:, 1], size=(20, len(ends)))
        points[0], points[1] = ends.T
        count = min(max(population, 2), len(points))
        individuals = measured(points.tolist()[:count], rng.random(count).tolist())
        for one in individuals:
            one.fitness.crowding_dist = 0.0
        key = f"operators.{self.kind}"
        try:
            with global_generators_from(rng):
                if self.kind == "selection":
                    self.choose(individuals, rng, rng.random((len(individuals), 3)).tolist())
                for first, second in pairwise(individuals):
                    if self.kind == "crossover":
                        self.mate(first, second, rng)
                    elif self.kind == "mutation":
                        self.mutate(first, rng)
        except PluginError as error:
            raise JobError.at(key, f": {error}") from None
        except Exception as error:
            raise JobError.at(
                key,
                f": {self.name} fails on solvers of {plural(len(self.features), 'weight')} with "
                f"{dict(self.arguments)!r:.120}: {type(error).__name__}: {error}",
            ) from error

    def _called(self, rng: Draw, *given: Any, **ours: Any) -> Any:
        ours = {key: one for key, one in {"rng": rng, **ours}.items() if key in self.takes}
        with named_errors(f"the {self.kind} {self.name!r}", PluginError):
            return self.call(*given, **deepcopy(dict(self.arguments)), **ours)

    def _children(self, made: Any, count: int) -> tuple[Individual, ...]:
        who = f"the {self.kind} {self.name!r} must"
        if not isinstance(made, tuple | list) or len(made) != count:
            raise broken(f"{who} return a tuple of {plural(count, 'individual')}", made)
        width = len(self.features)
        asked = f"{who} make {plural(width, 'weight')}, each a finite number"
        return tuple(Individual(self._clipped(numbers(one, width, asked))) for one in made)

    def _clipped(self, genes: Sequence[float]) -> list[float]:
        """Weights within their ranges."""
        return [min(max(gene, f.low), f.high) for gene, f in zip(genes, self.features, strict=True)]


def _twin(one: Any) -> Any:
    """A copy for an operator, with all that it compares, such as crowding distances."""
    twin = copy(one)
    twin.fitness = copy(one.fitness)
    return twin


class Parents:
    """A toolbox's ``select`` that hands out the parents a selection chose, in random order.

    The selection is asked for half as many parents as there are individuals, and again when these
    are used up. So a selection that chooses parents together, such as stochastic universal
    sampling, can do so.
    """

    def __init__(self, operator: Operator, rng: Draw, cases: Cases | None) -> None:
        self._operator, self._rng, self._cases = operator, rng, cases
        self._left: list[Any] = []

    def __call__(self, individuals: Sequence[Any], k: int) -> list[Any]:
        return [self._next(individuals) for _ in range(k)]

    def _next(self, individuals: Sequence[Any]) -> Any:
        if not self._left:
            chosen = self._operator.choose(individuals, self._rng, self._cases)
            self._left = [chosen[i] for i in self._rng.permutation(len(chosen)).tolist()]
        return self._left.pop()


def put_in_place(
    operators: Mapping[str, Operator], toolbox: base.Toolbox, rng: Draw, cases: Cases | None
) -> None:
    """Have a toolbox work with these operators.

    Args:
        operators: the operators by kind.
        toolbox: the toolbox whose ``mate``, ``mutate`` and ``select`` they replace.
        rng: for operators that take one.
        cases: the cases of the individuals to select from, if a selection needs them.
    """
    if "crossover" in operators:
        toolbox.register("mate", operators["crossover"].mate, rng=rng)
    if "mutation" in operators:
        toolbox.register("mutate", operators["mutation"].mutate, rng=rng)
    if "selection" in operators:
        toolbox.register("select", Parents(operators["selection"], rng, cases))


def cases_of(measure: Measure, results: Sequence[Result]) -> Cases:
    """The value of each solver on each deal, for selections by cases.

    Raises:
        PluginError: unless all solvers met the same deals and have a finite value on each.
    """
    deals = {result.encounter.deals for result in results}
    if len(deals) > 1:
        raise PluginError(
            "a selection by cases needs solvers that all meet the same deals: the scheme says that "
            "they do, but they met different ones"
        )
    asked = (
        f"the fitness measure {measure.name!r} must give each solver a finite number for each deal"
    )
    width = len(results[0].encounter.deals)
    return rows(measure.cases(results), len(results), width, asked)
