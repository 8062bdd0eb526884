"""Individuals and operators of both populations, on DEAP's toolbox.

GP-style variation (GA-FreeCell 2011, section 3.3.2): first an operator is drawn, then its
parents. DEAP's own operators draw from the global random state; ``evolution.operators`` has them
for jobs that ask for them. The operators here take a generator, which the toolbox passes to them.
They return what DEAP's operators return: ``select`` a list, ``mate`` and ``mutate`` a tuple.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import numpy as np
from deap import base, tools
from numpy.typing import NDArray

from gafreecell.evolution.settings import Between, OneOf

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
        self.worth: float | None = None

    @property
    def rank(self) -> float:
        """The value it is selected by: its worth if that is set, else its fitness."""
        return self.value if self.worth is None else self.worth

    @property
    def value(self) -> float:
        """Its fitness, or the inherited fitness while it has none of its own."""
        return float(self.fitness.values[0]) if self.fitness.valid else self.inherited


def measured(genomes: Iterable[Sequence[Any]], values: Iterable[float]) -> list[Individual]:
    """Individuals with these genes and this fitness."""
    population = [Individual(genes) for genes in genomes]
    for one, value in zip(population, values, strict=True):
        one.fitness.values = (value,)
    return population


@dataclass(frozen=True)
class Rates:
    """How a population varies.

    Attributes:
        population: individuals (the paper: 40 to 60).
        reproduction, crossover, mutation: probabilities of the operators; they sum to 1. The
            operator is drawn first, then its parents.
        gene_mutation: probability that each gene of a mutant is replaced.
        elite: the number of best individuals that are kept unchanged (and evaluated again).
        selection: ``roulette``: in proportion to fitness, as in the paper; above the population's
            worst in generations in which a fitness is negative. ``windowed``: always in proportion
            to fitness above the population's worst, for values that lie close together.
            ``tournament``: the best of ``tournament`` drawn individuals.
        tournament: size of a tournament.
        sigma: (``[solvers]``) standard deviation of Gaussian mutation, as a share of the
            weight's range; 0 draws a mutant's weight anew, uniformly, as in the paper.
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


def proportions(values: Sequence[float], windowed: bool = False) -> NDArray[np.float64] | None:
    """What parents are drawn in proportion to; None if all have the same chance.

    Args:
        values: the fitness of each individual. If any is negative, all count above the worst, as
            otherwise one parent would win every draw.
        windowed: whether they count above the worst in any case.
    """
    fitness = np.array(values)
    shares: NDArray[np.float64] = fitness - (fitness.min() if windowed else min(fitness.min(), 0.0))
    return shares if shares.sum() > 0 else None


def roulette(individuals: Sequence[One], k: int, rng: Draw, windowed: bool = False) -> list[One]:
    """Individuals drawn in proportion to their fitness, as ``proportions`` takes it.

    Args:
        individuals: individuals with fitness.
        k: how many to draw, with replacement.
        rng: draws them.
        windowed: use the fitness above the worst individual's instead.
    """
    shares = proportions([one.rank for one in individuals], windowed)
    if shares is None:
        return [individuals[i] for i in rng.integers(len(individuals), size=k).tolist()]
    drawn = np.searchsorted(np.cumsum(shares), rng.random(k) * shares.sum(), side="right")
    return [individuals[i] for i in np.minimum(drawn, len(individuals) - 1).tolist()]


def tournament(individuals: Sequence[One], k: int, rng: Draw, size: int) -> list[One]:
    """The winners of ``k`` tournaments: each the best of ``size`` drawn with replacement."""
    rounds = rng.integers(len(individuals), size=(k, size)).tolist()
    return [max((individuals[i] for i in drawn), key=lambda one: one.rank) for drawn in rounds]


def one_point(first: One, second: One, rng: Draw) -> tuple[One, One]:
    """Two children: one parent's genes up to a uniform cut, then the other's.

    Each child has genes of both parents; a single gene comes from either parent.
    """
    cut = int(rng.integers(1, len(first))) if len(first) > 1 else int(rng.integers(2))
    kind, inherited = type(first), (first.value + second.value) / 2
    return kind(first[:cut] + second[cut:], inherited), kind(second[:cut] + first[cut:], inherited)


def mutate(
    parent: One, rng: Draw, rate: float, new_gene: Callable[[Any, int, Draw], Any]
) -> tuple[One]:
    """A copy in which each gene is replaced with probability ``rate``."""
    hit = rng.random(len(parent)) < rate
    genes = [new_gene(gene, i, rng) if hit[i] else gene for i, gene in enumerate(parent)]
    return (type(parent)(genes, parent.value),)


def clone(one: One) -> One:
    """A new individual with the same genes, which inherits the parent's fitness."""
    return type(one)(list(one), one.value)


def toolbox_of(rates: Rates, new_gene: Callable[[Any, int, Draw], Any], rng: Draw) -> base.Toolbox:
    """A DEAP toolbox with a population's ``select``, ``mate``, ``mutate`` and ``clone``.

    Args:
        rates: of the operators.
        new_gene: makes a mutant's new gene from the old one and its place.
        rng: the operators draw from it.
    """
    toolbox = base.Toolbox()
    if rates.selection == "tournament":
        toolbox.register("select", tournament, rng=rng, size=rates.tournament)
    else:
        toolbox.register("select", roulette, rng=rng, windowed=rates.selection == "windowed")
    toolbox.register("mate", one_point, rng=rng)
    toolbox.register("mutate", mutate, rng=rng, rate=rates.gene_mutation, new_gene=new_gene)
    toolbox.register("clone", clone)
    return toolbox


def next_generation(
    population: Sequence[One], rates: Rates, toolbox: base.Toolbox, rng: Draw
) -> list[One]:
    """The next population: the elite, then children by drawn operators.

    Args:
        population: individuals with fitness.
        rates: of the operators.
        toolbox: the operators.
        rng: chooses the operators.
    """
    children = [toolbox.clone(one) for one in best_of(population, rates.elite)]
    edges = np.cumsum([rates.reproduction, rates.crossover])
    while len(children) < rates.population:
        operator = rng.random()
        (parent,) = toolbox.select(population, 1)
        if operator < edges[0]:
            child = toolbox.clone(parent)
        elif operator < edges[1]:
            (other,) = toolbox.select(population, 1)
            child, _ = toolbox.mate(parent, other)
        else:
            (child,) = toolbox.mutate(parent)
        children.append(child)
    return children


def best_of(population: Sequence[One], count: int) -> list[One]:
    """The ``count`` fittest individuals, best first; of equals, the earlier first."""
    return sorted(population, key=lambda one: -one.rank)[:count]


def quantiles(values: Sequence[float]) -> dict[str, Any]:
    """Best, mean and the quantiles 5, 25, 50, 75, 95 % of a population's fitness."""
    array = np.array(values, float)
    marks = np.quantile(array, (0.05, 0.25, 0.5, 0.75, 0.95))
    return {
        "best": float(array.max()),
        "mean": float(array.mean()),
        "quantiles": [float(mark) for mark in marks],
    }


def middle_half(values: Sequence[float] | NDArray[np.float64]) -> list[float]:
    """The lower and the upper quartile, between which the middle half of the values lies."""
    low, high = np.quantile(np.asarray(values, float), (0.25, 0.75))
    return [float(low), float(high)]


def logbook(lines: Sequence[dict[str, Any]]) -> tools.Logbook:
    """A run's log as a DEAP logbook with a chapter for each population."""
    book = tools.Logbook()
    book.header = ["generation", "evaluations", "solved", "solvers", "problems"]
    for line in lines:
        plain = {key: line[key] for key in ("generation", "evaluations", "solved", "nodes")}
        chapters = {key: line[key] for key in ("solvers", "problems") if line.get(key)}
        book.record(**plain, **chapters)
    return book
