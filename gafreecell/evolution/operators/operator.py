"""Calls an operator on copies, and checks and clips what it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from deals.words import plural
from gafreecell.evolution.operators.catalogue import BY_CASES, PROPORTIONATE
from gafreecell.evolution.populations import Draw, Individual, proportions
from gafreecell.evolution.returned import broken, listed, numbers
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
        """Whether it is a selection that compares solvers on each problem."""
        return self.name in BY_CASES or "cases" in self.takes

    def mate(self, first: Individual, second: Individual, rng: Draw) -> tuple[Individual, ...]:
        """Two children, as a crossover makes them."""
        inherited = (first.value + second.value) / 2
        made = self._called(rng, _copied(first), _copied(second))
        return self._children(made, 2, inherited)

    def mutate(self, parent: Individual, rng: Draw) -> tuple[Individual, ...]:
        """One mutant."""
        return self._children(self._called(rng, _copied(parent)), 1, parent.value)

    def choose(self, individuals: Sequence[Any], rng: Draw, cases: Cases | None) -> list[Any]:
        """Choose about half as many parents as there are individuals.

        Args:
            individuals: individuals with fitness.
            rng: for an operator that takes one.
            cases: each individual's values on the problems, larger is better, for selections by
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
            asked = [Individual(()) for _ in shares]
            for one, share in zip(asked, shares.tolist(), strict=True):
                one.fitness.values = (share,)
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

    def _called(self, rng: Draw, *given: Any, **ours: Any) -> Any:
        ours = {key: one for key, one in {"rng": rng, **ours}.items() if key in self.takes}
        with named_errors(f"the {self.kind} {self.name!r}", PluginError):
            return self.call(*given, **deepcopy(dict(self.arguments)), **ours)

    def _children(self, made: Any, count: int, inherited: float) -> tuple[Individual, ...]:
        if not isinstance(made, tuple | list) or len(made) != count:
            raise broken(
                f"the {self.kind} {self.name!r} must return a tuple of "
                f"{plural(count, 'individual')}",
                made,
            )
        return tuple(Individual(self._clipped(one), inherited) for one in made)

    def _clipped(self, made: Any) -> list[float]:
        """Weights within their ranges."""
        count = len(self.features)
        asked = f"the {self.kind} {self.name!r} must make {plural(count, 'weight')}"
        genes = numbers(made, count, f"{asked}, each a finite number")
        return [
            min(max(gene, feature.low), feature.high)
            for gene, feature in zip(genes, self.features, strict=True)
        ]


def _copied(one: Individual) -> Individual:
    """A copy that keeps its fitness; a child made of it is an individual of its own."""
    copied = Individual(one, one.value)
    if one.fitness.valid:
        copied.fitness.values = one.fitness.values
    return copied


def _twin(one: Any) -> Any:
    """A copy for a selection, with all that it compares, such as crowding distances."""
    twin = copy(one)
    twin.fitness = copy(one.fitness)
    return twin
