"""Fitness and ranking by the cost of each problem solved, by hand."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import pytest

from gafreecell.evolution.generation import Encounter, Result
from gafreecell.evolution.job import Fitness, Validation
from gafreecell.evolution.measures.cost_per_solved import CostPerSolved, log_cost_per_solved
from gafreecell.evolution.validation import RANKINGS, champion_of
from gafreecell.solving.features import Scales
from gafreecell.solving.outcome import Nodes, Outcome, Status

SCALES = Scales(nodes=300, moves=200)


def solved(nodes: int, single: int = 100, expanded: int = 0, scored: int | None = None) -> Outcome:
    lengths = {"single": single, "column": 7}
    return Outcome(Status.SOLVED, None, lengths, Nodes(expanded, nodes, scored), 0.5)


def failed(nodes: int, expanded: int = 0, scored: int | None = None) -> Outcome:
    return Outcome(Status.NODE_LIMIT, None, None, Nodes(expanded, nodes, scored), 0.5)


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
        # Nothing at all costs as much as one node.
        ([solved(0), solved(0)], {}, 0.5),
    ],
)
def test_the_cost_of_each_problem_solved(
    outcomes: list[Outcome], rules: dict[str, float], cost: float
) -> None:
    for kind in (Fitness, Validation):
        value = log_cost_per_solved(outcomes, kind(**rules))  # type: ignore[arg-type]
        assert value == pytest.approx(math.log(cost), abs=1e-12)


def test_a_hundred_moves_of_a_mean_solution_cost_the_charge() -> None:
    """In the unit that the game names first; failures have no moves."""
    outcomes = [solved(30, single=80), solved(50, single=120), failed(20)]
    assert log_cost_per_solved(outcomes, Fitness(length=0.5)) == pytest.approx(
        math.log(50) + 0.5 * 1.0
    )
    # Half as many nodes are worth as much as log(2) / 0.5 hundred moves.
    longer = [solved(25, single=100 + round(200 * math.log(2)))]
    assert log_cost_per_solved(longer, Fitness(length=0.5)) == pytest.approx(
        log_cost_per_solved([solved(50, single=100)], Fitness(length=0.5)), abs=0.003
    )


def test_where_nothing_is_solved_it_is_infinite() -> None:
    assert log_cost_per_solved([failed(10), failed(20)], Fitness()) == math.inf


def fitness(*outcomes: list[Outcome], nodes: int = 1000, length: float = 0.0) -> list[float]:
    limits, rules = SimpleNamespace(nodes=nodes), Fitness(measure="cost-per-solved", length=length)
    setting: Any = SimpleNamespace(
        job=SimpleNamespace(limits=limits, fitness=rules),
        game=SimpleNamespace(scales=SCALES),
    )
    measure = CostPerSolved.__new__(CostPerSolved)
    measure.setting = setting
    results = [Result((1.0,), Encounter(tuple(range(len(o)))), tuple(o)) for o in outcomes]
    return measure.fitness(results)


def test_fitness_is_one_for_no_cost_and_none_for_one_of_all() -> None:
    cheap, dear = [solved(1), solved(1)], [solved(1000), failed(1000)]
    half = [solved(math.isqrt(2000)), solved(math.isqrt(2000))]
    values = fitness(cheap, dear, half, [failed(1000), failed(1000)])
    assert values == pytest.approx(
        [1.0, 0.0, 1 - math.log(math.isqrt(2000)) / math.log(2000), 0.0], abs=1e-12
    )


def test_fitness_with_a_charge_for_length() -> None:
    # The worst is 2,000 nodes for one solution as long as the game's scale says.
    worst = math.log(2000) + 0.5 * 2
    value = math.log(40) + 0.5 * 1
    found = fitness([solved(30, 80), solved(50, 120)], length=0.5)
    assert found == pytest.approx([(worst - value) / worst], abs=1e-12)
    # What is worse than that counts nothing.
    assert fitness([solved(1000, 900), failed(1000)], length=0.5) == [0.0]


def test_every_ranking_has_words() -> None:
    _, allowed = get_args(get_type_hints(Validation, include_extras=True)["ranking"])
    assert tuple(RANKINGS) == allowed.words


def test_it_ranks_validation() -> None:
    rules = Validation(ranking="cost-per-solved", scoring=0.1, length=0.5)
    outcomes = [solved(30, 100, scored=100), failed(50, scored=300)]
    champion = champion_of(3, (0.5,), outcomes, rules, 50, SCALES)
    assert champion.value == pytest.approx(math.log(120) + 0.5)
    assert (champion.generation, champion.solved, champion.nodes) == (3, 1, 30.0)
    # State files hold finite numbers alone.
    none = champion_of(3, (0.5,), [failed(50)], rules, 50, SCALES)
    assert (none.value, none.solved, none.nodes) == (sys.float_info.max, 0, 0.0)
    other = champion_of(3, (0.5,), outcomes, Validation(failure=2.0), 50, SCALES)
    assert other.value == (30 + 2 * 50) / 2
