"""Fitness and rankings by hand: the paper's (GA-FreeCell 2011, 3.3.4 and 3.4), and others."""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from math import log
from types import SimpleNamespace
from typing import get_args, get_type_hints

import numpy as np
import pytest
from outcomes import failed, met, solved
from scipy.stats import pearsonr

from gafreecell.evolution.generation import Encounter, Result
from gafreecell.evolution.job import Fitness, Validation
from gafreecell.evolution.measures import UNSOLVED_NODES, baseline_counts
from gafreecell.evolution.measures.cost_per_solved import CostPerSolved, log_cost_per_solved
from gafreecell.evolution.measures.log_nodes import costs_of, log_score, mean_log_nodes
from gafreecell.evolution.measures.node_reduction import mean_node_reduction, node_reduction
from gafreecell.evolution.measures.relative import (
    complete,
    informativeness,
    log_cost,
    log_costs,
    relative,
)
from gafreecell.evolution.schemes.coevolution import Tally, set_fitness
from gafreecell.evolution.validation import RANKINGS, champion_of, mean_nodes
from gafreecell.solving.features import Scales
from gafreecell.solving.outcome import Nodes, Outcome, Status

SCALES = Scales(nodes=300, moves=200)
FAILED = [status for status in Status if status is not Status.SOLVED]

# Node reduction


@pytest.mark.parametrize(
    ("nodes", "baseline", "fitness"),
    [
        (300, 1000, 0.7),  # the paper's example: 70 % fewer nodes
        (1, 1000, 0.999),
        (999, 1000, 0.001),
        (1000, 1000, 1 / 1000),  # as many nodes: no reduction, no excess
        (1300, 1000, 0.7 / 1000),  # the paper's example: 30 % more nodes
        (1001, 1000, 0.999 / 1000),
        (1999, 1000, 0.001 / 1000),
        (2000, 1000, 0.0),  # an excess of 100 %: fractions above 1 count as 1
        (2001, 1000, 0.0),
        (3001, 1000, 0.0),  # over 200 %, as the paper has it
        (10**9, 1, 0.0),
        (500_000_000, UNSOLVED_NODES, 0.5),  # the paper's example: only the solver solved it
        (2_000_000, UNSOLVED_NODES, 0.998),
    ],
)
def test_fitness_of_a_deal(nodes: int, baseline: int, fitness: float) -> None:
    assert node_reduction(solved(nodes), baseline) == pytest.approx(fitness, abs=1e-15)


@pytest.mark.parametrize("status", FAILED)
@pytest.mark.parametrize("baseline", [1, 10**6, UNSOLVED_NODES])
def test_a_deal_that_is_not_solved_counts_nothing(status: Status, baseline: int) -> None:
    assert node_reduction(failed(10, status), baseline) == 0


def test_fitness_is_the_mean_over_all_deals_each_against_its_own_baseline() -> None:
    outcomes = [solved(100)] * 6 + [solved(1300)] * 2 + [failed(5)] * 3 + [solved(5000)]
    expected = (6 * 0.9 + 2 * 0.0007 + 0 + 0) / 12
    assert mean_node_reduction(outcomes, [1000] * 12) == pytest.approx(expected, abs=1e-15)
    assert mean_node_reduction([solved(100)] * 2, [200, 400]) == pytest.approx((0.5 + 0.75) / 2)
    with pytest.raises(ValueError, match="argument"):
        mean_node_reduction([solved(1), solved(1)], [5])


def test_the_baseline_counts_1000m_where_it_failed() -> None:
    assert baseline_counts([solved(50), failed(77), solved(50)]) == [50, 1_000_000_000, 50]
    assert baseline_counts([failed(77, one) for one in FAILED]) == [1_000_000_000] * len(FAILED)
    assert UNSOLVED_NODES == 1_000_000_000


@pytest.mark.parametrize(
    ("tally", "baseline", "penalty", "hardness"),
    [
        # Two deals, two solvers that took 100 + 300 and 20 + 40 nodes: means 200 and 30.
        (Tally(2, [400, 60], [2, 2]), [1000, 150], 10**9, 230 / 1150),
        # One of three solvers solved the second deal; the others gave up at 900 each.
        (Tally(3, [300, 900 + 900 + 600], [3, 1]), [100, 100], 10**9, (100 + 800) / 200),
        # A deal that all failed counts the penalty.
        *(
            (Tally(3, [300, 2700], [3, 0]), [1000, 500], penalty, (100 + penalty) / 1500)
            for penalty in (10**9, 10**6, 1)
        ),
        # If all failed everywhere, it is no harder than for the baseline that failed, too.
        (Tally(1, [5] * 6, [0] * 6), [UNSOLVED_NODES] * 6, UNSOLVED_NODES, 1),
    ],
)
def test_a_problem_is_as_hard_as_its_nodes_over_the_baselines(
    tally: Tally, baseline: list[int], penalty: int, hardness: float
) -> None:
    assert set_fitness(tally, baseline, penalty) == pytest.approx(hardness)


# Nodes


def test_mean_log_nodes_by_hand() -> None:
    value = mean_log_nodes([solved(700, 150), solved(9700, 90)], 50_000, Fitness(), SCALES)
    assert value == pytest.approx((log(1000) + log(10_000)) / 2)
    outcomes = [solved(700, 150), failed(50_000)]
    charged = mean_log_nodes(outcomes, 50_000, Fitness(length=2), SCALES)
    assert charged == pytest.approx((log(1000) + 2 * (1.5 + 2) + log(1_000_000 + 300)) / 2)


def test_mean_nodes_by_hand() -> None:
    assert mean_nodes([solved(700), solved(300)], 50_000, 20) == 500
    assert mean_nodes([solved(700), failed(3), failed(9)], 50_000, 2) == pytest.approx(200_700 / 3)


@pytest.mark.parametrize(
    ("outcomes", "length", "score"),
    [
        ([failed(10_000)] * 3, 0, 0),
        ([solved(0)], 0, 1),
        ([failed(1), solved(0)], 0, 0.5),
        # A fitness is never negative.
        ([solved(1, 10**9)], 5, 0),
    ],
)
def test_log_score_runs_from_nothing_solved_to_no_nodes(
    outcomes: list[Outcome], length: float, score: float
) -> None:
    found = log_score(outcomes, 10_000, Fitness(length=length), SCALES)
    assert found == pytest.approx(score) and found >= 0


def test_log_score_gives_every_halving_the_same_worth() -> None:
    counts = [2**k * 1000 - 300 for k in range(8)]
    worth = [log_score([solved(nodes)], 10**6, Fitness(), SCALES) for nodes in counts]
    steps = [after - before for before, after in pairwise(worth)]
    assert steps == pytest.approx([steps[0]] * 7)
    assert steps[0] < 0


def test_a_cost_that_is_not_nodes_counts_in_their_place() -> None:
    """Stored positions are worth the regret of a choice, whatever it took to make it."""
    cheap = Outcome(Status.SOLVED, None, {"moves": 1}, Nodes(9, 900), 0.5, cost=0.25)
    assert (cheap.spent, solved(900).spent) == (0.25, 900)
    assert mean_nodes([cheap, cheap], 100, 20) == 0.25
    assert node_reduction(cheap, 1.0) == 0.75
    assert baseline_counts([cheap]) == [0.25]
    free = Outcome(Status.SOLVED, None, {"moves": 1}, Nodes(1, 1), 0.5, cost=0.0)
    assert node_reduction(free, 0.0) == 1 / 1000
    assert node_reduction(cheap, 0.0) == 0
    assert set_fitness(Tally(1, [0.5], [1]), [0.0], 10) == 0.5
    scales = Scales(nodes=1, moves=1)
    assert mean_log_nodes([cheap], 100, Fitness(), scales) == pytest.approx(log(1.25))


def test_equal_lengths_cost_the_same_whatever_the_nodes() -> None:
    """Else a solver that takes more nodes for the same length would not be dominated."""
    found = [costs_of([solved(n), solved(3, 7)], 10**6, Fitness(), SCALES) for n in range(1, 400)]
    assert {moves for _, moves in found} == {53.5}
    assert [nodes for nodes, _ in found] == sorted({nodes for nodes, _ in found})


# The cost of each problem solved


@pytest.mark.parametrize(
    ("outcomes", "rules", "cost"),
    [
        # All nodes, those of failures too, for each one solved.
        ([solved(30)], {}, 30),
        ([solved(30), solved(50)], {}, 40),
        ([solved(30), failed(200), failed(200)], {}, 430),
        ([solved(30), solved(20), failed(200)], {}, 125),
        # Expanded states and scored successors count besides.
        ([solved(30, expanded=10), failed(200, expanded=100)], {"expansion": 0.5}, 285),
        ([solved(30, scored=400), failed(200, scored=1000)], {"scoring": 0.25}, 580),
        (
            [solved(30, expanded=10, scored=40), solved(50, expanded=20, scored=60)],
            {"expansion": 2.0, "scoring": 0.1},
            (80 + 60 + 10) / 2,
        ),
        # Searches that do not expand partially score nothing.
        ([solved(30), failed(10)], {"scoring": 100.0}, 40),
        ([solved(30), failed(10), failed(20)], {"unsolved": 500.0}, 1060),
        # Nothing at all costs as much as one node, and no solution is beyond any price.
        ([solved(0), solved(0)], {}, 0.5),
        ([failed(10), failed(20)], {}, math.inf),
    ],
)
def test_the_cost_of_each_problem_solved(
    outcomes: list[Outcome], rules: dict[str, float], cost: float
) -> None:
    for kind in (Fitness, Validation):
        value = log_cost_per_solved(outcomes, kind(**rules))  # type: ignore[arg-type]
        assert value == pytest.approx(log(cost), abs=1e-12)


def test_a_hundred_moves_of_a_mean_solution_cost_the_charge() -> None:
    """In the unit that the game names first; failures have no moves."""
    outcomes, rules = [solved(30, 80), solved(50, 120), failed(20)], Fitness(length=0.5)
    assert log_cost_per_solved(outcomes, rules) == pytest.approx(log(50) + 0.5 * 1.0)


def fitness(*outcomes: list[Outcome], length: float = 0.0) -> list[float]:
    limits = SimpleNamespace(nodes=1000)
    job = SimpleNamespace(limits=limits, fitness=Fitness("cost-per-solved", length=length))
    measure = CostPerSolved.__new__(CostPerSolved)
    measure.setting = SimpleNamespace(job=job, game=SimpleNamespace(scales=SCALES))  # type: ignore[assignment]
    return measure.fitness([Result((1.0,), Encounter((1,)), tuple(one)) for one in outcomes])


def test_fitness_is_one_for_no_cost_and_none_for_one_of_all() -> None:
    cheap, dear = [solved(1), solved(1)], [solved(1000), failed(1000)]
    half = [solved(math.isqrt(2000)), solved(math.isqrt(2000))]
    values = fitness(cheap, dear, half, [failed(1000), failed(1000)])
    expected = [1.0, 0.0, 1 - log(math.isqrt(2000)) / log(2000), 0.0]
    assert values == pytest.approx(expected, abs=1e-12)


def test_fitness_with_a_charge_for_length() -> None:
    # The worst is 2,000 nodes for one solution as long as the game's scale says.
    worst = log(2000) + 0.5 * 2
    found = fitness([solved(30, 80), solved(50, 120)], length=0.5)
    assert found == pytest.approx([(worst - log(40) - 0.5 * 1) / worst], abs=1e-12)
    # What is worse than that counts nothing.
    assert fitness([solved(1000, 900), failed(1000)], length=0.5) == [0.0]


def test_every_ranking_has_words() -> None:
    _, allowed = get_args(get_type_hints(Validation, include_extras=True)["ranking"])
    assert tuple(RANKINGS) == allowed.words


def test_it_ranks_validation() -> None:
    rules = Validation(ranking="cost-per-solved", scoring=0.1, length=0.5)
    outcomes = [solved(30, 100, scored=100), failed(50, scored=300)]
    champion = champion_of(3, (0.5,), outcomes, rules, 50, SCALES)
    assert champion.value == pytest.approx(log(120) + 0.5)
    assert (champion.generation, champion.solved, champion.nodes) == (3, 1, 30.0)
    # State files hold finite numbers alone.
    none = champion_of(3, (0.5,), [failed(50)], rules, 50, SCALES)
    assert (none.value, none.solved, none.nodes) == (sys.float_info.max, 0, 0.0)
    other = champion_of(3, (0.5,), outcomes, Validation(failure=2.0), 50, SCALES)
    assert other.value == (30 + 2 * 50) / 2


# Costs against the generation's median


def test_a_problem_counts_what_it_cost_beyond_the_median_up_to_the_clip() -> None:
    results = [met(10, 100), met(20, 100), met(40, None)]
    costs = relative(log_costs(results, 1000, Fitness(failure=5.0), SCALES), 0.5)
    half = log(2)
    assert costs == pytest.approx(np.array([[-half, 0.0], [0.0, 0.0], [0.5, 0.5]]))


def test_a_problem_that_some_did_not_meet_has_the_median_of_the_others() -> None:
    results = [met(10, 80), met(20), met(40, 20)]
    costs = relative(log_costs(results, 1000, Fitness(), SCALES), 9)
    assert np.isnan(costs[1, 1]) and not np.isnan(costs[:, 0]).any()
    assert costs[0, 1] == pytest.approx(log(2))
    assert len(complete(costs)) == 2


def test_costs_are_those_of_the_rules() -> None:
    rules = Fitness(failure=5.0, length=0.5, expansion=2.0)
    assert log_cost(solved(40, 150), 100, rules, SCALES) == pytest.approx(log(80) + 0.75)
    assert log_cost(failed(40), 100, rules, SCALES) == pytest.approx(log(500) + 1.0)
    assert log_cost(solved(0, 0), 100, Fitness(), SCALES) == 0.0


def test_informativeness_is_the_correlation_with_all_others() -> None:
    costs = np.random.default_rng(3).normal(size=(12, 5))
    costs[:, 2] += costs.sum(axis=1)
    costs[0, 1] = np.nan
    found, rows = informativeness(costs), costs[1:]
    for place in range(5):
        others = np.delete(rows, place, axis=1).mean(axis=1)
        assert found[place] == pytest.approx(pearsonr(rows[:, place], others).statistic)
    assert informativeness(np.ones((12, 3))) == pytest.approx(np.zeros(3))
