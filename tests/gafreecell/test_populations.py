"""The operators by their statistics, and the rules that both populations keep."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from chances import fits
from deap import algorithms
from hypothesis import given
from hypothesis import strategies as st

from gafreecell.evolution.populations import (
    Individual,
    Rates,
    best_of,
    clone,
    logbook,
    mutate,
    next_generation,
    one_point,
    quantiles,
    roulette,
    toolbox_of,
    tournament,
)
from gafreecell.evolution.schemes.coevolution import ProblemSet, Tally


def draw(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def individuals(values: Sequence[float], genes: int = 4) -> list[Individual]:
    """Individuals whose genes tell who they are, with these fitness values."""
    made = [Individual([(number, gene) for gene in range(genes)]) for number in range(len(values))]
    for one, value in zip(made, values, strict=True):
        one.fitness.values = (value,)
    return made


def new_gene(gene: Any, place: int, rng: np.random.Generator) -> Any:
    return ("new", place)


def counts(drawn: list[Individual], size: int) -> list[int]:
    tally = Counter(one[0][0] for one in drawn)
    return [tally[number] for number in range(size)]


@pytest.mark.parametrize(
    ("select", "values", "expected"),
    [
        # An individual without fitness has no children, unless all are without.
        (roulette, [0.5, 0.1, 0.0, 0.3, 0.05], [0.5, 0.1, 0.0, 0.3, 0.05]),
        (roulette, [0.0] * 5, [1] * 5),
        # By the distance to the worst.
        (partial(roulette, windowed=True), [0.90, 0.91, 0.93], [0, 1, 3]),
        (partial(roulette, windowed=True), [0.9] * 3, [1] * 3),
        # Two draws with replacement: the k-th best of four wins (2k - 1) / 16.
        (partial(tournament, size=2), [0.1, 0.2, 0.3, 0.4], [1, 3, 5, 7]),
    ],
)
def test_parents_are_drawn_as_often_as_they_should(
    select: Any, values: list[float], expected: list[float]
) -> None:
    drawn = select(individuals(values), 20_000, rng=draw())
    assert fits(counts(drawn, len(values)), expected)


def test_roulette_counts_what_an_unmeasured_individual_inherited() -> None:
    population = [ProblemSet([0], inherited=3.0), ProblemSet([1], inherited=1.0)]
    drawn = Counter(one[0] for one in roulette(population, 10_000, draw()))
    assert fits([drawn[0], drawn[1]], [3, 1])


def test_the_cut_is_uniform_and_genes_keep_their_places() -> None:
    first, second = individuals([0.2, 0.4], genes=9)
    rng, cuts = draw(), Counter[int]()
    for _ in range(8_000):
        child, other = one_point(first, second, rng)
        assert [gene for _, gene in child] == [gene for _, gene in other] == list(range(9))
        parents = [parent for parent, _ in child]
        cut = parents.count(0)
        assert parents == [0] * cut + [1] * (9 - cut)
        assert [1 - parent for parent, _ in other] == parents, "what one has not, the other has"
        cuts[cut] += 1
    assert sorted(cuts) == list(range(1, 9)), "both parents always give at least one gene"
    assert fits([cuts[i] for i in range(1, 9)], [1] * 8)


def test_a_child_inherits_its_parents_mean() -> None:
    first, second = individuals([0.2, 0.4])
    assert [child.value for child in one_point(first, second, draw())] == pytest.approx([0.3] * 2)
    assert clone(first).value == 0.2
    assert mutate(first, draw(), 0.5, new_gene)[0].value == 0.2


def test_crossover_of_single_genes_gives_one_of_them() -> None:
    """A job may ask for one feature, or for problems of one deal."""
    first, second = individuals([0.2, 0.4], genes=1)
    assert sorted(one_point(first, second, draw())) == [[(0, 0)], [(1, 0)]]


def test_each_gene_of_a_mutant_changes_with_the_same_probability() -> None:
    (parent,), rng = individuals([0.2], genes=9), draw()
    mutants = [mutate(parent, rng, 0.1, new_gene)[0] for _ in range(5_000)]
    changed = [sum(mutant[place] == ("new", place) for mutant in mutants) for place in range(9)]
    kept = [sum(mutant[place] == (0, place) for mutant in mutants) for place in range(9)]
    assert [a + b for a, b in zip(changed, kept, strict=True)] == [5_000] * 9
    assert all(fits([c, 5_000 - c], [0.1, 0.9]) for c in changed)
    # Genes change independently: 0.9^9 of the mutants are their parent's copies.
    copies = sum(mutant == parent for mutant in mutants)
    assert fits([copies, 5_000 - copies], [0.9**9, 1 - 0.9**9])


def children_of(parents: Sequence[Any], rates: Rates, seed: int = 1, gene: Any = new_gene) -> Any:
    rng = draw(seed)
    return next_generation(parents, rates, toolbox_of(rates, gene, rng), rng)


def bred(rates: Rates, values: Sequence[float], seed: int = 1) -> list[Individual]:
    return children_of(individuals(values), rates, seed)  # type: ignore[no-any-return]


def origin(child: Individual) -> str:
    """Which operator made a child, as far as its genes tell (parents are never alike)."""
    if any(gene[0] == "new" for gene in child):
        return "mutation"
    return "reproduction" if len({parent for parent, _ in child}) == 1 else "crossover"


def test_operators_are_drawn_with_their_probabilities() -> None:
    rates = Rates(population=8_001, gene_mutation=1.0)
    size = 20
    made = Counter(map(origin, bred(rates, [1.0] * size)[1:]))
    # A crossover of a parent with itself looks like a reproduction.
    alike = 0.7 / size
    observed = [made["reproduction"], made["crossover"], made["mutation"]]
    assert fits(observed, [0.2 + alike, 0.7 - alike, 0.1])


def test_both_parents_of_a_crossover_come_from_the_roulette() -> None:
    rates = Rates(population=10_001, reproduction=0, crossover=1, mutation=0)
    children = bred(rates, [3.0, 1.0, 0.0])[1:]
    pairs = Counter((child[0][0], child[-1][0]) for child in children)
    assert fits([pairs[0, 0], pairs[0, 1], pairs[1, 0], pairs[1, 1]], [9, 3, 3, 1])
    assert sum(pairs.values()) == 10_000


@pytest.mark.parametrize("elite", [0, 1, 3])
def test_the_elite_is_kept_as_it_is_and_first(elite: int) -> None:
    rates = Rates(20, reproduction=0, crossover=0, mutation=1, gene_mutation=1, elite=elite)
    children = bred(rates, [0.1, 0.9, 0.3, 0.9, 0.5])
    assert len(children) == 20
    expected = [[(number, gene) for gene in range(4)] for number in (1, 3, 4)][:elite]
    assert children[:elite] == expected
    assert all(gene[0] == "new" for child in children[elite:] for gene in child)
    assert all(not child.fitness.valid for child in children), "the elite is evaluated again"


def test_children_share_nothing_with_parents_or_each_other() -> None:
    rates = Rates(population=40)
    parents = individuals([1.0, 2.0, 0.5])
    before = [list(parent) for parent in parents]
    children = children_of(parents, rates)
    assert len({id(one) for one in [*parents, *children]}) == 43
    assert len({id(one.fitness) for one in [*parents, *children]}) == 43
    for child in children:
        child[:] = ["overwritten"] * 4
        child.fitness.values = (99.0,)
    assert [list(parent) for parent in parents] == before
    assert [parent.value for parent in parents] == [1.0, 2.0, 0.5]


def test_problems_stay_problems_and_start_with_an_empty_tally_of_their_own() -> None:
    parents = [ProblemSet([1, 2, 3]), ProblemSet([4, 5, 6])]
    for parent, value in zip(parents, (2.0, 1.0), strict=True):
        parent.fitness.values = (value,)
        parent.tally.met, parent.tally.nodes = 5, [9, 9, 9]
    children = children_of(parents, Rates(population=12), gene=lambda *ignored: 77)
    assert all(isinstance(child, ProblemSet) for child in children)
    assert all(child.tally == Tally(0, [0, 0, 0], [0, 0, 0]) for child in children)
    children[0].tally.nodes[0] = 1
    assert children[1].tally.nodes[0] == 0
    assert parents[0].tally.nodes == [9, 9, 9]


def test_a_problem_keeps_its_parents_value_until_somebody_meets_it() -> None:
    parents = [ProblemSet([1, 2, 3], inherited=0.0), ProblemSet([4, 5, 6])]
    parents[0].fitness.values, parents[1].fitness.values = (4.0,), (1.0,)
    rates = Rates(population=30, mutation=0.3, crossover=0.5)
    children = children_of(parents, rates, gene=lambda *ignored: 77)
    for child in children:
        mothers = {0 if gene < 4 else 1 for gene in child if gene != 77}
        if mothers == {0, 1}:
            assert child.value == pytest.approx(2.5)
        elif mothers and 77 in child:
            assert child.value == (4.0 if mothers == {0} else 1.0)
        elif mothers:
            assert child.value in ((4.0, 2.5) if mothers == {0} else (1.0, 2.5))
    child = children[0]
    child.fitness.values = (0.25,)
    assert child.value == 0.25, "once it was met, only its own value counts"
    # What it inherited passes on to its own children if nobody met it.
    assert clone(children[1]).value == children[1].value


@pytest.mark.parametrize("kind", [Individual, ProblemSet])
@pytest.mark.parametrize("selection", ["roulette", "windowed", "tournament"])
def test_deaps_own_algorithms_run_with_our_toolbox(kind: type[Individual], selection: str) -> None:
    """They unpack what the operators return, and hand them nothing to draw from."""
    random.seed(1)
    rng = draw()
    rates = Rates(selection=selection, gene_mutation=0.5)
    toolbox = toolbox_of(rates, lambda *ignored: 100, rng)
    toolbox.register("evaluate", lambda one: (float(sum(one)),))
    genomes = rng.integers(10, size=(30, 4)).tolist()
    population = [kind(genome) for genome in genomes]
    for one in population:
        one.fitness.values = toolbox.evaluate(one)
    for varied in (
        algorithms.varAnd(population, toolbox, 0.5, 0.5),
        algorithms.varOr(population, toolbox, 30, 0.5, 0.3),
    ):
        assert len(varied) == 30
        assert all(type(one) is kind and len(one) == 4 for one in varied)
        assert {gene for one in varied for gene in one} == {*range(10), 100}
    assert [list(one) for one in population] == genomes, "parents stay as they are"
    ended, log = algorithms.eaSimple(population, toolbox, 0.6, 0.3, 20, verbose=False)
    assert len(ended) == 30
    assert all(one.fitness.valid for one in ended)
    assert max(sum(one) for one in ended) > 100 > max(map(sum, genomes))
    assert len(log) == 21


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(0, 5))
def test_the_best_are_the_largest_and_the_earlier_of_equals(values: list[float], size: int) -> None:
    population = individuals(values)
    best = best_of(population, size)
    assert [one.value for one in best] == sorted(values, reverse=True)[:size]
    keys = [(-one.value, one[0][0]) for one in best]
    assert keys == sorted(keys)


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=12),
    st.integers(0, 2**32),
    st.sampled_from(["roulette", "windowed", "tournament"]),
)
def test_genes_only_come_from_the_same_place_of_a_parent_or_are_new(
    values: list[float], seed: int, selection: str
) -> None:
    for child in bred(Rates(population=15, selection=selection), values, seed):
        assert len(child) == 4
        assert all(gene[1] == place for place, gene in enumerate(child))


def test_quantiles_of_a_population() -> None:
    found = quantiles([float(i) for i in range(101)])
    assert found == {"best": 100.0, "mean": 50.0, "quantiles": [5.0, 25.0, 50.0, 75.0, 95.0]}
    assert quantiles([0.5]) == {"best": 0.5, "mean": 0.5, "quantiles": [0.5] * 5}


def test_the_logbook_has_a_chapter_for_each_population() -> None:
    line = {"generation": 1, "evaluations": 24, "solved": 20, "nodes": 5000}
    first = {**line, "solvers": quantiles([1, 2]), "problems": quantiles([3])}
    second = {**line, "generation": 2, "solvers": quantiles([3]), "problems": None}
    book = logbook([first, second])
    assert book.select("generation") == [1, 2]
    assert book.chapters["solvers"].select("best") == [2.0, 3.0]
    assert book.chapters["problems"].select("mean") == [3.0]
