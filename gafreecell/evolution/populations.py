"""Individuals and how they breed, on DEAP's toolbox, for solvers and for problems alike.

``toolbox_of`` registers DEAP's operators, and ``vary`` breeds a generation with them. This is
GP-style variation (GA-FreeCell 2011, section 3.3.2): an operator is drawn, and it gets the next
parents. DEAP's ``varOr`` also draws an operator, but it chooses parents without regard to fitness
and drops one of the two children of a crossover.

All of it draws from ``draws.GENERATOR``, DEAP's operators included, within a block of
``operators.global_random``. So a generation's children depend on the run alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, TypeVar

import numpy as np
from deap import base, tools
from numpy.typing import NDArray

from gafreecell.evolution.draws import GENERATOR
from gafreecell.solving.settings import Between, OneOf

Draw = np.random.Generator


One = TypeVar("One", bound="Individual")


@dataclass(frozen=True)
class Birth:
    """What an individual comes from.

    Attributes:
        operator: what made it: ``elite``, ``reproduction``, ``crossover``, ``mutation``,
            ``survival``, or ``sampling``, which needs no parents.
        parents: their places in the generation before.
    """

    operator: str = "sampling"
    parents: tuple[int, ...] = ()


class Fitness(base.Fitness):  # type: ignore[misc]
    """One value, larger is better."""

    weights = (1.0,)


class Individual(list):  # type: ignore[type-arg]
    """A genome with its fitness: the class that ``deap.creator`` would make.

    Attributes:
        fitness: its fitness; invalid until it was measured.
        share: what parents are drawn by, from its fitness and that of all others.
        birth: what it comes from.
    """

    birth = Birth()

    def __init__(self, genes: Iterable[Any] = (), value: float | None = None) -> None:
        super().__init__(genes)
        self.fitness = Fitness(() if value is None else (value,))
        self.share = Fitness()

    @property
    def value(self) -> float:
        """Its fitness as a number."""
        return float(self.fitness.values[0])


def measured(genomes: Iterable[Sequence[Any]], values: Iterable[float]) -> list[Individual]:
    """Individuals with these genes and this fitness."""
    return [Individual(genes, value) for genes, value in zip(genomes, values, strict=True)]


@dataclass(frozen=True)
class Rates:
    """How a population varies.

    Attributes:
        population: individuals (the paper: 40 to 60).
        reproduction, crossover, mutation: probabilities of the operators; they sum to 1. The
            operator is drawn first, then its parents. A crossover has two children, so with the
            defaults 82 % of the bred ones come from crossovers.
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


def sharing(windowed: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for selections that go by ``share``, which it sets.

    DEAP's roulette draws nobody if all values are 0, and goes astray on negative ones.
    """

    def decorated(select: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(select)
        def selected(individuals: Sequence[Individual], k: int, **given: Any) -> Any:
            shares = proportions([one.value for one in individuals], windowed)
            every = np.ones(len(individuals)) if shares is None else shares
            for one, share in zip(individuals, every.tolist(), strict=True):
                one.share.values = (share,)
            return select(individuals, k, **given)

        return selected

    return decorated


def within(
    low: Sequence[float], up: Sequence[float]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for operators: clips the genes of children to their ranges."""

    def decorated(operator: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(operator)
        def clipped(*parents: Any, **given: Any) -> Any:
            children = operator(*parents, **given)
            for child in children:
                child[:] = [min(max(gene, a), b) for gene, a, b in zip(child, low, up, strict=True)]
            return children

        return clipped

    return decorated


def mutUniform(
    individual: One, low: Sequence[float], up: Sequence[float], indpb: float
) -> tuple[One]:
    """Draw each gene anew with probability ``indpb``: DEAP's ``mutUniformInt`` for real numbers."""
    for place, (least, most) in enumerate(zip(low, up, strict=True)):
        if GENERATOR.random() < indpb:
            individual[place] = GENERATOR.uniform(least, most)
    return (individual,)


def toolbox_of(rates: Rates, genes: int) -> base.Toolbox:
    """A DEAP toolbox with a population's ``select`` and ``mate``; ``mutate`` is still to come.

    Args:
        rates: of the operators.
        genes: the length of a genome.
    """
    toolbox = base.Toolbox()
    if rates.selection == "tournament":
        toolbox.register("select", tools.selTournament, tournsize=rates.tournament)
    else:
        toolbox.register("select", tools.selRoulette, fit_attr="share")
        toolbox.decorate("select", sharing(rates.selection == "windowed"))
    if genes > 1:
        toolbox.register("mate", tools.cxOnePoint)
    else:
        # One point cannot cut a single gene; swapping it only reorders the children.
        toolbox.register("mate", tools.cxUniform, indpb=0.5)
    return toolbox


def born(child: One, operator: str, *parents: int) -> One:
    """A child that knows what it comes from."""
    child.birth = Birth(operator, parents)
    return child


def vary(population: Sequence[One], toolbox: base.Toolbox, rates: Rates) -> list[One]:
    """The next population: the elite, then children by drawn operators; all without fitness.

    All parents are selected at once, and the operators take them in turn. They are cloned, since
    selections return the individuals themselves, some of them twice, and operators work in place.

    Args:
        population: individuals with fitness.
        toolbox: has ``clone``, ``select``, ``mate`` and ``mutate``.
        rates: of the operators.
    """
    place = {id(one): number for number, one in enumerate(population)}
    elite = tools.selBest(population, rates.elite)
    children = [born(toolbox.clone(one), "elite", place[id(one)]) for one in elite]
    chosen = toolbox.select(population, 2 * rates.population)
    parents = ((toolbox.clone(one), place[id(one)]) for one in chosen)
    while len(children) < rates.population:
        drawn = GENERATOR.random()
        one, at = next(parents)
        if drawn < rates.reproduction:
            children.append(born(one, "reproduction", at))
        elif drawn < rates.reproduction + rates.crossover:
            other, beside = next(parents)
            children += [born(child, "crossover", at, beside) for child in toolbox.mate(one, other)]
        else:
            children += [born(child, "mutation", at) for child in toolbox.mutate(one)]
    for child in children:
        del child.fitness.values
    return children[: rates.population]


def statistics(key: Callable[[Any], float] = float) -> tools.Statistics:
    """DEAP's statistics of a population: best, mean and the quantiles 5, 25, 50, 75, 95 %.

    Args:
        key: the number of each of its members.
    """
    found = tools.Statistics(key)
    found.register("best", lambda values: float(np.max(values)))
    found.register("mean", lambda values: float(np.mean(values)))
    marks = (0.05, 0.25, 0.5, 0.75, 0.95)
    found.register("quantiles", lambda values: np.quantile(values, marks).tolist())
    return found


def quantiles(values: Sequence[float]) -> dict[str, Any]:
    """Best, mean and the quantiles 5, 25, 50, 75, 95 % of a population's fitness."""
    told: dict[str, Any] = statistics().compile(values)
    return told


def middle_half(values: Sequence[float] | NDArray[np.float64]) -> list[float]:
    """The lower and the upper quartile, between which the middle half of the values lies."""
    low, high = np.quantile(np.asarray(values, float), (0.25, 0.75))
    return [float(low), float(high)]


def logbook(lines: Iterable[Mapping[str, Any]] = ()) -> tools.Logbook:
    """A run's log as a DEAP logbook; the tables of its lines are chapters."""
    book = tools.Logbook()
    book.header = ["generation", "evaluations", "solved", "solvers", "problems"]
    for line in lines:
        record(book, line)
    return book


def record(book: tools.Logbook, line: Mapping[str, Any]) -> None:
    """Enter a line of a run's log into a logbook."""
    plain = {key: line[key] for key in ("generation", "evaluations", "solved", "nodes")}
    chapters = {key: line[key] for key in ("solvers", "problems") if line.get(key)}
    book.record(**plain, **chapters)
    for name in chapters:
        book.chapters[name].header = ["best", "mean"]
