"""Operators in a trainer's toolbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from deap import base

from gafreecell.evolution.generation import Result
from gafreecell.evolution.measures import Measure
from gafreecell.evolution.operators.global_random import global_generators_from
from gafreecell.evolution.operators.operator import Cases, Operator
from gafreecell.evolution.populations import Draw
from gafreecell.evolution.returned import rows
from gafreecell.installed.plugins import PluginError


class Parents:
    """A toolbox's ``select`` that hands out the parents a selection chose, in random order.

    The selection is asked for half as many parents as there are individuals, and again when these
    are used up. So a selection that chooses parents together, such as stochastic universal
    sampling, can do so.
    """

    def __init__(self, operator: Operator, rng: Draw, cases: Cases | None) -> None:
        self._operator, self._rng, self._cases = operator, rng, cases
        self._left: list[Any] = []

    def __call__(self, individuals: Sequence[Any], k: int) -> list[Any]:
        return [self._next(individuals) for _ in range(k)]

    def _next(self, individuals: Sequence[Any]) -> Any:
        if not self._left:
            chosen = self._operator.choose(individuals, self._rng, self._cases)
            self._left = [chosen[i] for i in self._rng.permutation(len(chosen)).tolist()]
        return self._left.pop()


@contextmanager
def in_place(
    operators: Mapping[str, Operator], toolbox: base.Toolbox, rng: Draw, cases: Cases | None
) -> Iterator[None]:
    """A context in which a toolbox works with these operators.

    No task is being solved meanwhile: a trainer breeds when all outcomes are there, in the thread
    that runs the evolution.

    Args:
        operators: the operators by kind; without any, nothing is drawn or changed.
        toolbox: the toolbox whose ``mate``, ``mutate`` and ``select`` they replace.
        rng: the source of all their random numbers.
        cases: the cases of the individuals to select from, if a selection needs them.
    """
    if not operators:
        yield
        return
    if "crossover" in operators:
        toolbox.register("mate", operators["crossover"].mate, rng=rng)
    if "mutation" in operators:
        toolbox.register("mutate", operators["mutation"].mutate, rng=rng)
    if "selection" in operators:
        toolbox.register("select", Parents(operators["selection"], rng, cases))
    with global_generators_from(rng):
        yield


def cases_of(measure: Measure, results: Sequence[Result]) -> Cases:
    """The value of each solver on each problem, for selections by cases.

    Raises:
        PluginError: unless all solvers met the same problems and have a finite value on each.
    """
    problems = {result.encounter.problems for result in results}
    if len(problems) > 1:
        raise PluginError(
            "a selection by cases needs solvers that all meet the same deals: the scheme says that "
            "they do, but they met different ones"
        )
    asked = (
        f"the fitness measure {measure.name!r} must give each solver a finite number for each "
        "problem"
    )
    width = len(results[0].encounter.problems)
    return rows(measure.cases(results), len(results), width, asked)
