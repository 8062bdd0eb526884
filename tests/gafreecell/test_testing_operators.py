"""The conformance checks of operators: each breach of the contract is named."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from operators_brought import any_of_the_best, halfway, step, worst_case

from gafreecell.installed import plugins
from gafreecell.testing import check_crossover, check_mutation, check_selection

OWN = np.random.default_rng(1)
CALLED: list[Any] = []


def test_operators_that_are_brought_keep_their_contract() -> None:
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
    check_crossover(halfway)
    check_mutation(step)
    check_mutation(step, {"size": 0.0})
    check_selection(any_of_the_best, {"share": 0.2})
    check_selection(worst_case)
    assert not plugins._handed
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # type: ignore[index]


def drawn_elsewhere(individual: Any) -> Any:
    return (OWN.uniform(0, 1, len(individual)),)


def remembers(first: Any, second: Any) -> Any:
    CALLED.append(first)
    first[0] = 1 / len(CALLED)
    return first, second


def by_chance(individuals: Any, k: int) -> Any:
    return [individuals[i] for i in OWN.integers(len(individuals), size=k).tolist()]


def drops(individual: Any) -> Any:
    return (individual[1:],)


def selBest(individuals: Any, k: int) -> Any:
    return individuals[:k]


@pytest.mark.parametrize(
    ("check", "brought", "said"),
    [
        (check_mutation, drawn_elsewhere, "drawn_elsewhere must do the same whenever the generat"),
        (check_crossover, remembers, "remembers must do the same .*draw from rng"),
        (check_selection, by_chance, "by_chance must do the same"),
        (check_mutation, drops, "the mutation 'drops' must make 2 weights"),
        (check_mutation, 3, "a mutation must be a function, got 3"),
        (check_crossover, lambda a, b: (a, b), "the name of a crossover must be a word"),
        (check_selection, selBest, "must have a name that deap.tools does not use, got selBest"),
        (check_crossover, step, "no argument|fails on solvers"),
    ],
)
def test_breaches_are_named(check: Callable[..., None], brought: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        check(brought)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(AssertionError, match="step has no argument 'sise'; it takes size"):
        check_mutation(step, {"sise": 1})
