"""CMA-ES as a trainer: it finds what it is sent for, and its state is all there is to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

import numpy as np
import pytest
from cmaes import CMA

from gafreecell.trainers.cma_es import Strategy, begin, draw, follow

TARGET = np.array([0.2, 0.9, 0.5, 0.0])


def fitness(genome: list[float]) -> float:
    """Larger the nearer a genome lies to the target."""
    return -float(((np.array(genome) - TARGET) ** 2).sum())


def generations(count: int, between: Callable[[Strategy], Strategy]) -> Strategy:
    """The strategy after so many generations of ten."""
    strategy = begin([0.5] * 4, 0.3)
    for number in range(count):
        genomes = draw(strategy, 10, np.random.default_rng((1, number)))
        assert all(0 <= gene <= 1 for genome in genomes for gene in genome)
        values = [fitness(genome) for genome in genomes]
        strategy = between(follow(strategy, genomes, values, np.random.default_rng((2, number))))
    return strategy


def test_it_finds_the_best() -> None:
    assert np.array(generations(80, lambda s: s).mean) == pytest.approx(TARGET, abs=0.02)


def test_its_state_survives_json_to_the_bit() -> None:
    kept = generations(25, lambda s: Strategy(**json.loads(json.dumps(asdict(s)))))
    assert kept == generations(25, lambda s: s)
    assert kept.updates == 25


def test_a_restored_strategy_learns_what_one_never_put_away_learns() -> None:
    """The package's object keeps nothing that our state leaves out."""
    bounds = np.array([[0.0, 1.0]] * 4)
    never = CMA(mean=np.full(4, 0.5), sigma=0.3, bounds=bounds, population_size=10, seed=1)
    strategy = begin([0.5] * 4, 0.3)
    for number in range(30):
        genomes = draw(strategy, 10, np.random.default_rng(number))
        values = [fitness(genome) for genome in genomes]
        never.tell([(np.array(g), -value) for g, value in zip(genomes, values, strict=True)])
        strategy = follow(strategy, genomes, values, np.random.default_rng(0))
        assert strategy.mean == pytest.approx(never._mean.tolist(), rel=1e-9, abs=1e-12)
        assert strategy.spread == pytest.approx(float(never._sigma), rel=1e-9)
        assert np.array(strategy.covariance) == pytest.approx(never._C, rel=1e-9, abs=1e-12)
