"""Checks that operators keep their contract, on the weights of a small game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from deap import tools

from gafreecell.evolution.generation import trained_features
from gafreecell.evolution.job import JobError
from gafreecell.evolution.job_reading import make_job
from gafreecell.evolution.operators import Operator, operators_of
from gafreecell.evolution.operators.global_random import (
    global_generators_from,
    global_generators_kept,
)
from gafreecell.evolution.populations import Individual
from gafreecell.installed import plugins
from gafreecell.solitaire.declarations import check_word
from gafreecell.testing.contract import require, told_as_breaches
from gafreecell.testing.parts import Sums

ROUNDS, POPULATION = 10, 12
Function = Callable[..., Any]
Arguments = Mapping[str, Any]


def check_crossover(crossover: Function, arguments: Arguments | None = None) -> None:
    """Check that a crossover works in a job.

    It is called with copies of two individuals: lists of weights with an attribute ``value``, the
    fitness. It must return a tuple of two individuals with as many weights, and the same ones
    whenever the random generators are the same.

    Args:
        crossover: the function.
        arguments: its further arguments, by name.

    Raises:
        AssertionError: if the contract is broken, saying what was expected, what came and how to
            mend it.
    """
    with _operator("crossover", crossover, arguments) as operator:
        _check_alike(operator, lambda rng, some: list(operator.mate(some[0], some[1], rng)))


def check_mutation(mutation: Function, arguments: Arguments | None = None) -> None:
    """Check that a mutation works in a job.

    It is called with a copy of an individual. It must return a tuple of one individual with as many
    weights, and the same one whenever the random generators are the same.

    Args:
        mutation: the function.
        arguments: its further arguments, by name.

    Raises:
        AssertionError: if the contract is broken, saying what was expected, what came and how to
            mend it.
    """
    with _operator("mutation", mutation, arguments) as operator:
        _check_alike(operator, lambda rng, some: list(operator.mutate(some[0], rng)))


def check_selection(selection: Function, arguments: Arguments | None = None) -> None:
    """Check that a selection works in a job.

    It is called with individuals and how many to choose. It must return some of them, the same ones
    whenever the random generators are the same.

    Args:
        selection: the function.
        arguments: its further arguments, by name.

    Raises:
        AssertionError: if the contract is broken, saying what was expected, what came and how to
            mend it.
    """
    with _operator("selection", selection, arguments) as operator:

        def chosen(rng: np.random.Generator, population: list[Individual]) -> list[int]:
            cases = [list(one) for one in population]
            places = {id(one): place for place, one in enumerate(population)}
            return [places[id(one)] for one in operator.choose(population, rng, cases)]

        _check_alike(operator, chosen)


@contextmanager
def _operator(kind: str, function: Function, arguments: Arguments | None) -> Iterator[Operator]:
    """The operator as a small job names it."""
    require(callable(function), f"a {kind} must be a function", repr(function), "define one")
    name = getattr(function, "__name__", None)
    with told_as_breaches("its name"):
        check_word(name, f"the name of a {kind}")
    asked = f"a {kind} must have a name that deap.tools does not use"
    require(not hasattr(tools, str(name)), asked, name, "rename it")
    game = Sums()
    table = {
        "name": "check", "generations": 1, "game": game.name, "scheme": "fixed",
        "trained": {"search": "solve"}, "sample": {"deals": 4},
        "solvers": {"population": POPULATION},
        "operators": {kind: name},
        "options": {name: dict(arguments or {})},
    }  # fmt: skip
    with plugins.standing_in("game", game), plugins.standing_in(kind, function):
        try:
            job = make_job(table)
        except JobError as error:
            raise AssertionError(str(error)) from error
        yield operators_of(job, trained_features(job, game))[kind]


def _check_alike(
    operator: Operator, work: Callable[[np.random.Generator, list[Individual]], list[Any]]
) -> None:
    for seed in range(ROUNDS):
        came = []
        for others in (0, 1):
            # An operator with generators or a memory of its own does something else each time.
            with global_generators_kept():
                random.seed(others)
                np.random.seed(others)
                rng = np.random.default_rng(seed)
                weights = rng.uniform((0, -1), (1, 2), size=(POPULATION, 2)).tolist()
                population = [Individual(genes) for genes in weights]
                for one in population:
                    one.fitness.values = (float(rng.random()),)
                with global_generators_from(rng):
                    came.append(work(rng, population))
        require(
            came[0] == came[1],
            f"{operator.name} must do the same whenever the generators are the same, {came[0]}",
            came[1],
            "draw from rng, an argument that it may take, or from random and numpy.random, and "
            "remember nothing",
        )
