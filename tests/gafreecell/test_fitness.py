"""Fitness against the paper's formula (GA-FreeCell 2011, 3.3.4 and 3.4), by hand."""

from __future__ import annotations

from itertools import pairwise
from math import log

import pytest

from gafreecell.evolution.job import Fitness
from gafreecell.evolution.measures import UNSOLVED_NODES, baseline_counts
from gafreecell.evolution.measures.log_nodes import log_score, mean_log_nodes
from gafreecell.evolution.measures.node_reduction import mean_node_reduction, node_reduction
from gafreecell.evolution.schemes.problems import Tally, set_fitness
from gafreecell.evolution.validation import mean_nodes
from gafreecell.solving.features import Scales
from gafreecell.solving.outcome import Nodes, Outcome, Status

SCALES = Scales(nodes=300, moves=200)
FAILED = [status for status in Status if status is not Status.SOLVED]


def solved(generated: int, single: int = 100) -> Outcome:
    # A count of expanded states that would show if it were taken for nodes.
    nodes = Nodes(generated // 3, generated)
    return Outcome(Status.SOLVED, None, {"single": single, "column": single - 7}, nodes, 0.5)


def failed(generated: int, status: Status = Status.NODE_LIMIT) -> Outcome:
    return Outcome(status, None, None, Nodes(generated // 3, generated), 0.5)


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


def test_a_solution_without_reduction_is_worth_less_than_any_whole_percent() -> None:
    assert 0 < node_reduction(solved(1000), 1000) < node_reduction(solved(990), 1000)


def test_fitness_is_the_mean_over_all_twelve_deals() -> None:
    outcomes = [solved(100)] * 6 + [solved(1300)] * 2 + [failed(5)] * 3 + [solved(5000)]
    expected = (6 * 0.9 + 2 * 0.0007 + 0 + 0) / 12
    assert mean_node_reduction(outcomes, [1000] * 12) == pytest.approx(expected, abs=1e-15)


def test_fitness_takes_each_deal_against_its_own_baseline() -> None:
    outcomes = [solved(100), solved(100)]
    assert mean_node_reduction(outcomes, [200, 400]) == pytest.approx((0.5 + 0.75) / 2)


def test_fitness_refuses_deals_without_a_baseline() -> None:
    with pytest.raises(ValueError, match="argument"):
        mean_node_reduction([solved(1), solved(1)], [5])


def test_the_baseline_counts_1000m_where_it_failed() -> None:
    assert baseline_counts([solved(50), failed(77), solved(50)]) == [50, 1_000_000_000, 50]
    assert baseline_counts([failed(77, one) for one in FAILED]) == [1_000_000_000] * len(FAILED)
    assert UNSOLVED_NODES == 1_000_000_000


def test_a_problem_is_as_hard_as_its_nodes_over_the_baselines() -> None:
    # Two deals, two solvers that took 100 + 300 and 20 + 40 nodes: means 200 and 30.
    assert set_fitness(Tally(2, [400, 60], [2, 2]), [1000, 150], 10**9) == pytest.approx(230 / 1150)


def test_a_problem_that_only_some_solved_counts_the_nodes_they_all_spent() -> None:
    # One of three solvers solved the second deal; the others gave up at 900 each.
    fitness = set_fitness(Tally(3, [300, 900 + 900 + 600], [3, 1]), [100, 100], 10**9)
    assert fitness == pytest.approx((100 + 800) / 200)


@pytest.mark.parametrize("penalty", [10**9, 10**6, 1])
def test_a_deal_that_all_failed_counts_the_penalty(penalty: int) -> None:
    fitness = set_fitness(Tally(3, [300, 2700], [3, 0]), [1000, 500], penalty)
    assert fitness == pytest.approx((100 + penalty) / 1500)


def test_six_deals_of_which_every_one_failed_are_no_harder_than_the_baseline_that_failed() -> None:
    assert set_fitness(Tally(1, [5] * 6, [0] * 6), [UNSOLVED_NODES] * 6, UNSOLVED_NODES) == 1


def test_mean_log_nodes_by_hand() -> None:
    value = mean_log_nodes([solved(700, 150), solved(9700, 90)], 50_000, Fitness(), SCALES)
    assert value == pytest.approx((log(1000) + log(10_000)) / 2)
    outcomes = [solved(700, 150), failed(50_000)]
    charged = mean_log_nodes(outcomes, 50_000, Fitness(length=2), SCALES)
    assert charged == pytest.approx((log(1000) + 2 * (1.5 + 2) + log(1_000_000 + 300)) / 2)


def test_mean_nodes_by_hand() -> None:
    assert mean_nodes([solved(700), solved(300)], 50_000, 20) == 500
    assert mean_nodes([solved(700), failed(3), failed(9)], 50_000, 2) == pytest.approx(200_700 / 3)


def test_log_score_runs_from_nothing_solved_to_no_nodes() -> None:
    budget = 10_000
    assert log_score([failed(budget)] * 3, budget, Fitness(), SCALES) == 0
    assert log_score([solved(0)], budget, Fitness(), SCALES) == pytest.approx(1)
    assert log_score([failed(1), solved(0)], budget, Fitness(), SCALES) == pytest.approx(0.5)
    assert log_score([solved(1, 10**9)], budget, Fitness(length=5), SCALES) == 0, (
        "a fitness is never negative"
    )


def test_log_score_gives_every_halving_the_same_worth() -> None:
    worth = [
        log_score([solved(nodes)], 10**6, Fitness(), SCALES)
        for nodes in (2**k * 1000 - 300 for k in range(8))
    ]
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
