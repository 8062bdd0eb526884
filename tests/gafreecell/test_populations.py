"""The operators by their statistics, a plain twin, and the rules that both populations keep."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from chances import fits
from deap import algorithms, base, tools
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

from gafreecell.evolution.draws import DRAWING, GENERATOR
from gafreecell.evolution.operators.global_random import (
    global_generators_from,
    global_generators_kept,
)
from gafreecell.evolution.populations import (
    Individual,
    Rates,
    logbook,
    measured,
    mutUniform,
    quantiles,
    statistics,
    toolbox_of,
    vary,
    within,
)
from gafreecell.evolution.schemes.coevolution import (
    Problems,
    ProblemSet,
    Tally,
    inheriting,
    problems_toolbox,
)
from gafreecell.evolution.trainers.genetic import solvers_toolbox
from gafreecell.solving.features import Feature

SELECTIONS = ["roulette", "windowed", "tournament"]
FEATURES = [Feature(f"f{low}", "", low=low, high=high) for low, high in ((0, 1), (-3, 2), (5, 9))]
LOW, UP = [one.low for one in FEATURES], [one.high for one in FEATURES]


@pytest.fixture(autouse=True)
def _seeded() -> Iterator[None]:
    """For what is called outside a block; DEAP draws from the module there."""
    with global_generators_kept():
        random.seed(1)
        GENERATOR.seed(1)
        yield


def draw(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def individuals(values: Sequence[float], genes: int = 4) -> list[Individual]:
    """Individuals whose genes tell who they are, with these fitness values."""
    made = [[(number, gene) for gene in range(genes)] for number in range(len(values))]
    return measured(made, values)


def renewed(one: Individual, indpb: float) -> tuple[Individual]:
    """A mutation whose new genes can be told from others."""
    for place in range(len(one)):
        if random.random() < indpb:
            one[place] = ("new", place)
    return (one,)


def counts(drawn: Sequence[Individual], size: int) -> list[int]:
    tally = Counter(one[0][0] for one in drawn)
    return [tally[number] for number in range(size)]


# Selection


@pytest.mark.parametrize(
    ("rates", "values", "expected"),
    [
        # An individual without fitness has no children, unless all are without.
        ({}, [0.5, 0.1, 0.0, 0.3, 0.05], [0.5, 0.1, 0.0, 0.3, 0.05]),
        ({}, [0.0] * 5, [1] * 5),
        # By the distance to the worst, if one is negative or the job says so.
        ({}, [-0.5, 0.5, 0.0, -0.5], [0, 2, 1, 0]),
        ({}, [-0.5] * 3, [1] * 3),
        ({"selection": "windowed"}, [0.90, 0.91, 0.93], [0, 1, 3]),
        ({"selection": "windowed"}, [0.9] * 3, [1] * 3),
        # Two draws with replacement: the k-th best of four wins (2k - 1) / 16.
        ({"selection": "tournament", "tournament": 2}, [0.1, 0.2, 0.3, 0.4], [1, 3, 5, 7]),
    ],
)
def test_parents_are_drawn_as_often_as_they_should(
    rates: dict[str, Any], values: list[float], expected: list[float]
) -> None:
    drawn = toolbox_of(Rates(**rates), 4).select(individuals(values), 20_000)
    assert len(drawn) == 20_000
    assert fits(counts(drawn, len(values)), expected)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(0, 5))
def test_the_elite_is_the_largest_and_the_earlier_of_equals(values: list[float], size: int) -> None:
    rates = Rates(20, 1, 0, 0, elite=size)
    best = vary(individuals(values), toolbox_of(rates, 4), rates)[:size]
    numbers = [one[0][0] for one in best[: len(values)]]
    assert numbers == sorted(range(len(values)), key=lambda number: -values[number])[:size]


# Crossover and mutation


def test_the_cut_is_uniform_and_genes_keep_their_places() -> None:
    toolbox, cuts = toolbox_of(Rates(), 9), Counter[int]()
    for _ in range(8_000):
        child, other = toolbox.mate(*individuals([0.2, 0.4], genes=9))
        assert [gene for _, gene in child] == [gene for _, gene in other] == list(range(9))
        parents = [parent for parent, _ in child]
        cut = parents.count(0)
        assert parents == [0] * cut + [1] * (9 - cut)
        assert [1 - parent for parent, _ in other] == parents, "what one has not, the other has"
        cuts[cut] += 1
    assert sorted(cuts) == list(range(1, 9)), "both parents always give at least one gene"
    assert fits([cuts[i] for i in range(1, 9)], [1] * 8)


def test_crossover_of_single_genes_swaps_them_in_half_of_the_cases() -> None:
    """A job may ask for one feature, or for problems of one deal."""
    toolbox, firsts = toolbox_of(Rates(), 1), Counter[int]()
    for _ in range(4_000):
        children = toolbox.mate(*individuals([0.2, 0.4], genes=1))
        assert sorted(children) == [[(0, 0)], [(1, 0)]]
        firsts[children[0][0][0]] += 1
    assert fits([firsts[0], firsts[1]], [1, 1])


def test_each_gene_of_a_mutant_is_drawn_anew_with_the_same_probability() -> None:
    parent = [0.5, -1.0, 7.0]
    mutants = []
    for _ in range(8_000):
        one = Individual(parent)
        (mutant,) = mutUniform(one, LOW, UP, 0.2)
        assert mutant is one
        mutants.append(list(mutant))
    for place, (low, up) in enumerate(zip(LOW, UP, strict=True)):
        new = [mutant[place] for mutant in mutants if mutant[place] != parent[place]]
        assert fits([len(new), 8_000 - len(new)], [0.2, 0.8])
        assert kstest(new, "uniform", (low, up - low)).pvalue > 1e-4
    # Genes change independently: 0.8^3 of the mutants are their parent's copies.
    copies = mutants.count(parent)
    assert fits([copies, 8_000 - copies], [0.8**3, 1 - 0.8**3])


def test_a_gaussian_step_is_a_share_of_the_weights_range_and_stays_in_it() -> None:
    toolbox = solvers_toolbox(Rates(sigma=0.05, gene_mutation=1), FEATURES)
    middle = [(low + up) / 2 for low, up in zip(LOW, UP, strict=True)]
    steps = np.array([toolbox.mutate(Individual(middle))[0] for _ in range(4_000)]) - middle
    for place, feature in enumerate(FEATURES):
        scale = 0.05 * (feature.high - feature.low)
        assert kstest(steps[:, place], "norm", (0, scale)).pvalue > 1e-4
    ends = np.array([toolbox.mutate(Individual(UP))[0] for _ in range(4_000)])
    assert (ends <= UP).all()
    kept = [int(count) for count in (ends == UP).sum(axis=0)]
    assert all(fits([count, 4_000 - count], [1, 1]) for count in kept)


def test_genes_of_all_children_are_clipped() -> None:
    doubled = within([0.0, -1.0], [1.0, 1.0])(
        lambda *parents: tuple(Individual(2 * gene for gene in one) for one in parents)
    )
    assert doubled([0.25, 0.75], [0.75, -0.75]) == ([0.5, 1.0], [1.0, -1.0])


# Generations


def children_of(
    parents: Sequence[Any], rates: Rates, seed: int = 1, toolbox: base.Toolbox | None = None
) -> list[Any]:
    if toolbox is None:
        toolbox = toolbox_of(rates, len(parents[0]))
        toolbox.register("mutate", renewed, indpb=rates.gene_mutation)
    with global_generators_from(draw(seed)):
        return vary(parents, toolbox, rates)


def bred(rates: Rates, values: Sequence[float], seed: int = 1) -> list[Individual]:
    return children_of(individuals(values), rates, seed)


def test_operators_are_drawn_with_their_probabilities() -> None:
    """A crossover is drawn once for its two children."""
    rates = Rates(population=2000, elite=0)
    toolbox, made = toolbox_of(rates, 4), Counter[str]()

    def noted(name: str) -> Callable[..., Any]:
        def operator(*parents: Individual) -> tuple[Individual, ...]:
            made[name] += 1
            return parents

        return operator

    toolbox.register("mate", noted("crossover"))
    toolbox.register("mutate", noted("mutation"))
    children = children_of(individuals([1.0] * 20), rates, toolbox=toolbox)
    copies = len(children) - 2 * made["crossover"] - made["mutation"]
    # Of the last crossover one child may be too many.
    assert fits([max(copies, 0), made["crossover"], made["mutation"]], [0.2, 0.7, 0.1])


@pytest.mark.parametrize("elite", [0, 1])
@pytest.mark.parametrize("genes", [1, 4])
def test_both_children_of_a_crossover_are_kept(genes: int, elite: int) -> None:
    rates = Rates(21, reproduction=0, crossover=1, mutation=0, elite=elite)
    children = children_of(individuals([1.0, 1.0, 1.0], genes), rates)
    assert len(children) == 21
    children = children[elite:]
    both = list(zip(children[::2], children[1::2], strict=False))
    assert len(both) == 10
    for first, second in both:
        # The parents are made up of both children's genes.
        mothers = [{one[place][0] for one in (first, second)} for place in range(genes)]
        assert all(mother == mothers[0] for mother in mothers)
    assert any(first != second for first, second in both)


def test_both_parents_of_a_crossover_come_from_the_roulette() -> None:
    rates = Rates(4000, reproduction=0, crossover=1, mutation=0, elite=0)
    children = bred(rates, [3.0, 1.0, 0.0])
    pairs = Counter((child[0][0], child[-1][0]) for child in children[::2])
    assert fits([pairs[0, 0], pairs[0, 1], pairs[1, 0], pairs[1, 1]], [9, 3, 3, 1])
    assert sum(pairs.values()) == 2000
    assert [(child[-1][0], child[0][0]) for child in children[1::2]] == [
        (child[0][0], child[-1][0]) for child in children[::2]
    ]


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


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=12),
    st.integers(0, 2**32),
    st.sampled_from(SELECTIONS),
)
def test_genes_only_come_from_the_same_place_of_a_parent_or_are_new(
    values: list[float], seed: int, selection: str
) -> None:
    for child in bred(Rates(population=15, selection=selection), values, seed):
        assert len(child) == 4
        assert all(gene[1] == place for place, gene in enumerate(child))


# Problems


def a_setting(deals: int = 1000) -> Any:
    return SimpleNamespace(pool=range(1, deals + 1))


def problems(*hardness: float) -> list[ProblemSet]:
    """Problems whose genes tell who they are, so hard for those that met them."""
    made = [ProblemSet([10 * i, 10 * i + 1, 10 * i + 2], h) for i, h in enumerate(hardness)]
    for one in made:
        one.fitness.values = (one.hardness,)
        one.tally.met, one.tally.nodes = 5, [9, 9, 9]
    return made


def sets_bred(parents: Sequence[ProblemSet], rates: Problems) -> list[ProblemSet]:
    return children_of(parents, rates, toolbox=problems_toolbox(rates, a_setting()))


def test_problems_stay_problems_and_start_with_an_empty_tally_of_their_own() -> None:
    parents = problems(2.0, 1.0)
    children = sets_bred(parents, Problems(population=12, deals=3))
    assert all(type(child) is ProblemSet for child in children)
    assert all(child.tally == Tally(0, [0, 0, 0], [0, 0, 0]) for child in children)
    children[0].tally.nodes[0] = 1
    assert children[1].tally.nodes[0] == 0
    assert [one.tally.nodes for one in parents] == [[9, 9, 9]] * 2


def test_a_problem_keeps_its_parents_hardness_until_somebody_meets_it() -> None:
    rates = Problems(200, 0.2, 0.5, 0.3, gene_mutation=0.3, deals=3)
    seen = set()
    for child in sets_bred(problems(4.0, 1.0), rates):
        mothers = {gene // 10 for gene in child if gene < 13}
        seen.add((child.hardness, len(mothers)))
        if mothers == {0, 1}:
            assert child.hardness == 2.5
        elif mothers == {0}:
            assert child.hardness in (4.0, 2.5)
        assert child.again().hardness == child.hardness, "it passes on to its own children"
    assert {(4.0, 1), (2.5, 2), (1.0, 1)} <= seen


def test_the_mean_is_of_the_hardness_before_the_crossover() -> None:
    children = inheriting(tools.cxOnePoint)(*problems(4.0, 1.0))
    assert [child.hardness for child in children] == [2.5, 2.5]
    assert sorted(gene for child in children for gene in child) == [0, 1, 2, 10, 11, 12]


def test_a_mutant_gets_any_deal_of_the_pool() -> None:
    toolbox = problems_toolbox(Problems(gene_mutation=1, deals=2), a_setting(5))
    places = Counter(place for _ in range(4_000) for place in toolbox.mutate(ProblemSet([9, 9]))[0])
    assert fits([places[place] for place in range(5)], [1] * 5)
    assert sum(places.values()) == sum(places[place] for place in range(5))


# DEAP


def fitness_of(one: Individual) -> tuple[float]:
    return (float(sum(one)),)


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("kind", ["solvers", "gaussian", "problems"])
def test_deaps_own_algorithms_run_with_our_toolboxes(kind: str, selection: str) -> None:
    if kind == "problems":
        rates = Problems(selection=selection, gene_mutation=0.5, deals=3)
        toolbox, made = problems_toolbox(rates, a_setting()), ProblemSet
        genomes = draw().integers(100, size=(30, 3)).tolist()
    else:
        sigma = 0.2 * (kind == "gaussian")
        solving = Rates(selection=selection, gene_mutation=0.5, sigma=sigma)
        toolbox, made = solvers_toolbox(solving, FEATURES), Individual  # type: ignore[assignment]
        genomes = draw().uniform(LOW, UP, size=(30, 3)).tolist()
    toolbox.register("evaluate", fitness_of)
    population = [made(genome) for genome in genomes]
    for one in population:
        one.fitness.values = toolbox.evaluate(one)
    for varied in (
        algorithms.varAnd(population, toolbox, 0.5, 0.5),
        algorithms.varOr(population, toolbox, 30, 0.5, 0.3),
    ):
        assert len(varied) == 30
        assert all(type(one) is made and len(one) == 3 for one in varied)
        assert any(list(one) not in genomes for one in varied)
    assert [list(one) for one in population] == genomes, "parents stay as they are"
    ended, log = algorithms.eaSimple(
        population, toolbox, 0.6, 0.3, 20, statistics(lambda one: one.value), verbose=False
    )
    assert len(ended) == 30
    assert all(one.fitness.valid for one in ended)
    assert max(map(sum, ended)) > max(map(sum, genomes))
    assert log.select("gen") == list(range(21))
    assert log[-1]["best"] == max(map(sum, ended))


# A plain twin

CHANCE = random.Random()


def plain_spin(shares: Sequence[float]) -> int:
    """Goldberg's wheel as DEAP spins it: the largest share first, until the sum exceeds a draw."""
    ball = CHANCE.random() * sum(shares)
    order = sorted(range(len(shares)), key=lambda number: -shares[number])
    sums = accumulate(shares[number] for number in order)
    return next(number for number, reached in zip(order, sums, strict=True) if reached > ball)


def plain_choice(values: Sequence[float], rates: Rates) -> int:
    if rates.selection == "tournament":
        drawn = [CHANCE.choice(range(len(values))) for _ in range(rates.tournament)]
        return max(drawn, key=lambda number: values[number])
    least = min(values)
    if rates.selection == "roulette" and least >= 0:
        least = 0.0
    shares = [value - least for value in values]
    return plain_spin(shares if any(shares) else [1.0] * len(shares))


def plain_cross(first: list[Any], second: list[Any]) -> list[list[Any]]:
    if len(first) == 1:
        return [second, first] if CHANCE.random() < 0.5 else [first, second]
    cut = CHANCE.randint(1, len(first) - 1)
    return [first[:cut] + second[cut:], second[:cut] + first[cut:]]


def plain_vary(
    genomes: Sequence[list[Any]],
    values: Sequence[float],
    rates: Rates,
    mutant: Callable[[list[Any]], list[Any]],
) -> list[list[Any]]:
    """``vary`` on lists: first all parents are drawn, then for each birth its operator."""
    best = sorted(range(len(values)), key=lambda number: -values[number])[: rates.elite]
    children = [genomes[number] for number in best]
    drawn = [plain_choice(values, rates) for _ in range(2 * rates.population)]
    parents = [genomes[number] for number in drawn]
    while len(children) < rates.population:
        operator = CHANCE.random()
        if operator < rates.reproduction:
            children += [parents.pop(0)]
        elif operator < rates.reproduction + rates.crossover:
            children += plain_cross(parents.pop(0), parents.pop(0))
        else:
            children += [mutant(parents.pop(0))]
    return children[: rates.population]


def plain_weights(rates: Rates) -> Callable[[list[float]], list[float]]:
    def mutant(genes: list[float]) -> list[float]:
        made = []
        for gene, low, up in zip(genes, LOW, UP, strict=False):
            if CHANCE.random() < rates.gene_mutation:
                step = rates.sigma * (up - low)
                gene = gene + CHANCE.gauss(0, step) if step else CHANCE.uniform(low, up)
            made.append(min(max(gene, low), up))
        return made

    return mutant


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("least", [-0.5, 0.0, 0.5])
@pytest.mark.parametrize(("genes", "sigma"), [(1, 0.0), (3, 0.0), (3, 0.4)])
def test_solvers_are_bred_as_a_plain_twin_breeds_them(
    selection: str, least: float, genes: int, sigma: float
) -> None:
    rates = Rates(30, 0.2, 0.5, 0.3, 0.4, 2, selection, sigma=sigma)
    toolbox = solvers_toolbox(rates, FEATURES[:genes])
    for seed in range(5):
        rng = draw(seed)
        genomes = rng.uniform(LOW[:genes], UP[:genes], size=(20, genes)).tolist()
        values = (least + rng.random(20).round(1)).tolist()
        with global_generators_from(draw(seed)):
            CHANCE.setstate(GENERATOR.getstate())
            children = vary(measured(genomes, values), toolbox, rates)
            drawn = GENERATOR.getstate()
        assert plain_vary(genomes, values, rates, plain_weights(rates)) == children
        assert CHANCE.getstate() == drawn, "not one draw more"


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("deals", [1, 4])
def test_problems_are_bred_as_a_plain_twin_breeds_them(selection: str, deals: int) -> None:
    rates = Problems(25, 0.2, 0.5, 0.3, 0.4, selection=selection, deals=deals)

    def mutant(genes: list[int]) -> list[int]:
        return [CHANCE.randint(0, 49) if CHANCE.random() < 0.4 else gene for gene in genes]

    for seed in range(5):
        rng = draw(seed)
        genomes, values = rng.integers(50, size=(20, deals)).tolist(), rng.random(20).tolist()
        parents = list(map(ProblemSet, genomes))
        for parent, value in zip(parents, values, strict=True):
            parent.fitness.values = (value,)
        with global_generators_from(draw(seed)):
            CHANCE.setstate(GENERATOR.getstate())
            children = vary(parents, problems_toolbox(rates, a_setting(50)), rates)
        assert plain_vary(genomes, values, rates, mutant) == children


# Where chance comes from


def states() -> list[Any]:
    return [random.getstate(), *map(str, np.random.get_state())]


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("sigma", [0.0, 0.3])
def test_chance_comes_from_the_runs_generator_alone(selection: str, sigma: float) -> None:
    rates = Rates(20, gene_mutation=0.5, selection=selection, sigma=sigma)
    toolbox = solvers_toolbox(rates, FEATURES)
    genomes = draw().uniform(LOW, UP, size=(20, 3)).tolist()

    def made(seed: int) -> list[Individual]:
        with global_generators_from(draw(seed)):
            inside = states()
            children = vary(measured(genomes, range(20)), toolbox, rates)
            assert states() == inside, "the global generators are not drawn from"
        return children

    first, before = made(1), states()
    assert made(1) == first != made(2)
    assert states() == before, "and they are put back"
    random.seed(99)
    assert made(1) == first


def test_whoever_else_draws_changes_nothing() -> None:
    """As another thread would, in the middle of the breeding of a generation."""
    rates = Rates(20, gene_mutation=0.5)
    toolbox, genomes = solvers_toolbox(rates, FEATURES), draw().uniform(LOW, UP, size=(20, 3))
    alone = children_of(measured(genomes.tolist(), range(20)), rates, toolbox=toolbox)

    def disturbed(one: Individual) -> Individual:
        random.random()
        np.random.random()
        return Individual(one, one.value)

    toolbox.register("clone", disturbed)
    assert children_of(measured(genomes.tolist(), range(20)), rates, toolbox=toolbox) == alone


def test_deaps_modules_are_given_back() -> None:
    with pytest.raises(KeyError), global_generators_from(draw()):
        assert all(vars(module)["random"] is GENERATOR for module in DRAWING)
        raise KeyError
    assert all(vars(module)["random"] is random for module in DRAWING)


# The log


def test_quantiles_of_a_population() -> None:
    found = quantiles([float(i) for i in range(101)])
    assert found == {"best": 100.0, "mean": 50.0, "quantiles": [5.0, 25.0, 50.0, 75.0, 95.0]}
    assert quantiles([0.5]) == {"best": 0.5, "mean": 0.5, "quantiles": [0.5] * 5}


def test_statistics_are_of_what_the_key_says_as_plain_numbers() -> None:
    found = statistics(lambda one: one.value).compile(individuals(range(101)))
    assert found == quantiles(range(101))
    assert {type(number) for number in (found["best"], *found["quantiles"])} == {float}
    assert isinstance(statistics(), tools.Statistics)


def test_the_logbook_has_a_chapter_for_each_population() -> None:
    line = {"generation": 1, "evaluations": 24, "solved": 20, "nodes": 5000}
    first = {**line, "solvers": quantiles([1, 2]), "problems": quantiles([3])}
    second = {**line, "generation": 2, "solvers": quantiles([3]), "problems": None}
    book = logbook([first, second])
    assert book.select("generation") == [1, 2]
    assert book.chapters["solvers"].select("best") == [2.0, 3.0]
    assert book.chapters["problems"].select("mean") == [3.0]


@pytest.mark.parametrize("problems", [None, quantiles([3])])
def test_the_logbook_can_be_printed(problems: Any) -> None:
    line = {"generation": 1, "evaluations": 24, "solved": 20, "nodes": 5000}
    told = str(logbook([{**line, "solvers": quantiles([1, 2]), "problems": problems}]))
    assert "generation" in told and "5000" not in told and ("3" in told) == (problems is not None)
