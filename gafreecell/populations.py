"""What both populations have in common: individuals and operators, on DEAP's toolbox.

GP-style variation (GA-FreeCell 2011, section 3.3.2): first an operator is
drawn, then its parents. DEAP's own operators draw from the global random
state; those here take a generator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import numpy as np
from deap import base, tools

from gafreecell.settings import Between, OneOf

Draw = np.random.Generator


One = TypeVar("One", bound="Individual")


class _Value(base.Fitness):  # type: ignore[misc]
    """One value, larger is better."""

    weights = (1.0,)


class Individual(list):  # type: ignore[type-arg]
    """A genome with its fitness, as DEAP's tools expect it."""

    def __init__(self, genes: Sequence[Any], inherited: float = 0.0) -> None:
        super().__init__(genes)
        self.fitness = _Value()
        self.inherited = inherited

    @property
    def value(self) -> float:
        """Its fitness, or what it inherited while it has none of its own."""
        return float(self.fitness.values[0]) if self.fitness.valid else self.inherited


@dataclass(frozen=True)
class Rates:
    """How a population varies.

    Attributes:
        population: individuals.
        reproduction, crossover, mutation: probabilities of the operators; they sum to 1.
        gene_mutation: probability that a mutant's gene changes.
        elite: best individuals that are kept as they are.
        selection: how parents are chosen: ``roulette`` in proportion to fitness
            (the paper's), ``windowed`` in proportion to fitness above the
            population's worst (for fitness values that lie close together), or
            ``tournament`` of ``tournament`` individuals.
        tournament: size of a tournament.
        sigma: standard deviation of Gaussian mutation, as a share of the gene's range; 0
            draws a mutant's gene anew, uniformly (the paper's).
    """

    population: Annotated[int, Between(2, 100_000)] = 50
    reproduction: Annotated[float, Between(0, 1)] = 0.2
    crossover: Annotated[float, Between(0, 1)] = 0.7
    mutation: Annotated[float, Between(0, 1)] = 0.1
    gene_mutation: Annotated[float, Between(0, 1)] = 0.1
    elite: Annotated[int, Between(0, 1000)] = 1
    selection: Annotated[str, OneOf(("roulette", "windowed", "tournament"))] = "roulette"
    tournament: Annotated[int, Between(1, 1000)] = 3
    sigma: Annotated[float, Between(0, 10)] = 0.0


def roulette(individuals: Sequence[Individual], rng: Draw, windowed: bool = False) -> Individual:
    """One individual, drawn in proportion to its fitness; uniformly if every fitness is zero.

    Args:
        individuals: with fitness values that are not negative, unless windowed.
        rng: where the draw comes from.
        windowed: take fitness above the worst individual's instead.
    """
    values = np.array([one.value for one in individuals])
    if windowed:
        values = values - values.min()
    total = values.sum()
    if not total > 0:
        return individuals[int(rng.integers(len(individuals)))]
    at = int(np.searchsorted(np.cumsum(values), rng.random() * total, side="right"))
    return individuals[min(at, len(individuals) - 1)]


def tournament(individuals: Sequence[Individual], rng: Draw, size: int) -> Individual:
    """The best of ``size`` individuals drawn with replacement."""
    drawn = [individuals[int(i)] for i in rng.integers(len(individuals), size=size)]
    return max(drawn, key=lambda one: one.value)


def one_point(first: Individual, second: Individual, rng: Draw) -> Individual:
    """One child: the first parent's genes up to a uniform cut, then the second's.

    Both parents give something, unless there is but one gene, which either may give.
    """
    cut = int(rng.integers(1, len(first))) if len(first) > 1 else int(rng.integers(2))
    return type(first)(first[:cut] + second[cut:], (first.value + second.value) / 2)


def mutate(
    parent: Individual, rng: Draw, rate: float, new_gene: Callable[[Any, int, Draw], Any]
) -> Individual:
    """A copy in which each gene is replaced with probability ``rate``."""
    hit = rng.random(len(parent)) < rate
    genes = [new_gene(gene, i, rng) if hit[i] else gene for i, gene in enumerate(parent)]
    return type(parent)(genes, parent.value)


def clone(one: Individual) -> Individual:
    """A new individual with the same genes, which inherits the fitness."""
    return type(one)(list(one), one.value)


def toolbox_of(rates: Rates, new_gene: Callable[[Any, int, Draw], Any]) -> base.Toolbox:
    """A DEAP toolbox with ``select``, ``mate``, ``mutate`` and ``clone`` of a population."""
    toolbox = base.Toolbox()
    if rates.selection == "tournament":
        toolbox.register("select", tournament, size=rates.tournament)
    else:
        toolbox.register("select", roulette, windowed=rates.selection == "windowed")
    toolbox.register("mate", one_point)
    toolbox.register("mutate", mutate, rate=rates.gene_mutation, new_gene=new_gene)
    toolbox.register("clone", clone)
    return toolbox


def next_generation(
    population: Sequence[One], rates: Rates, toolbox: base.Toolbox, rng: Draw
) -> list[One]:
    """The next population: the elite, then children by drawn operators."""
    children = [toolbox.clone(one) for one in best_of(population, rates.elite)]
    edges = np.cumsum([rates.reproduction, rates.crossover])
    while len(children) < rates.population:
        operator = rng.random()
        parent = toolbox.select(population, rng)
        if operator < edges[0]:
            child = toolbox.clone(parent)
        elif operator < edges[1]:
            child = toolbox.mate(parent, toolbox.select(population, rng), rng)
        else:
            child = toolbox.mutate(parent, rng)
        children.append(child)
    return children


def best_of(population: Sequence[One], count: int) -> list[One]:
    """The ``count`` fittest individuals, the earlier of equals first."""
    return sorted(population, key=lambda one: -one.value)[:count]


def quantiles(values: Sequence[float]) -> dict[str, Any]:
    """Best, mean and the quantiles 5, 25, 50, 75, 95 % of a population's fitness."""
    array = np.array(values, float)
    marks = np.quantile(array, (0.05, 0.25, 0.5, 0.75, 0.95))
    return {
        "best": float(array.max()),
        "mean": float(array.mean()),
        "quantiles": [float(mark) for mark in marks],
    }


def logbook(lines: Sequence[dict[str, Any]]) -> tools.Logbook:
    """A run's log as a DEAP logbook with a chapter for each population."""
    book = tools.Logbook()
    book.header = ["generation", "evaluations", "solved", "solvers", "problems"]
    for line in lines:
        plain = {key: line[key] for key in ("generation", "evaluations", "solved", "nodes")}
        chapters = {key: line[key] for key in ("solvers", "problems") if line.get(key)}
        book.record(**plain, **chapters)
    return book
