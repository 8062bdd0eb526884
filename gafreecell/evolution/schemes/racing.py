"""Racing within a generation: solvers that fall behind on the first deals meet no more of them.

All solvers meet the first part of their deals. The better share of each round goes on to the
next part. (Birattari et al. 2002 race configurations like this, with a test instead of a share.)
A solver that went further ranks above one that fell behind, whatever their fitness: they were
measured on different deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from math import ceil, inf
from typing import Annotated, ClassVar

from deap import base

from deals.words import plural
from gafreecell.evolution.generation import Encounter, Result
from gafreecell.evolution.populations import Individual
from gafreecell.solving.settings import Between


@dataclass(frozen=True)
class Racing:
    """Rounds within a generation: solvers that fall behind on the first deals meet no more.

    Attributes:
        rounds: the number of parts into which the deals are split; 1: no race.
        share: the share of a round's solvers that go on to the next round.
    """

    refused: ClassVar[tuple[str, ...]] = ()
    rounds: Annotated[int, Between(1, 100)] = 1
    share: Annotated[float, Between(0.01, 1)] = 0.5


def deals_of_round(number: int, encounter: Encounter, rules: Racing) -> int:
    """How many of its deals a solver has met after a round, counted from 1."""
    return ceil(len(encounter.deals) * number / rules.rounds)


def ahead(results: Sequence[Result], values: Sequence[float], share: float) -> set[int]:
    """The places of the solvers that go on: the fittest share of those still in the race.

    Of equal solvers, the earlier ones go on.
    """
    most = max(len(result.outcomes) for result in results)
    racing = [place for place, result in enumerate(results) if len(result.outcomes) == most]
    racing.sort(key=lambda place: -values[place])
    return set(racing[: ceil(share * len(racing))])


def finishers(solvers: int, deals: int, rules: Racing) -> int:
    """How many solvers meet all deals, if every solver has the same number of deals."""
    # With more rounds than deals, nobody falls behind in rounds that add no deal.
    for _ in range(min(rules.rounds, deals) - 1):
        solvers = ceil(rules.share * solvers)
    return solvers


def ranked_by_round(results: Sequence[Result], values: Sequence[float]) -> list[float]:
    """Fitness values, lowered for solvers that fell behind so that those that went further lead.

    Differences within a round stay the same, except that no value is lowered below 0, unless
    values of those that went further are negative, too.
    """
    if len({len(result.outcomes) for result in results}) == 1:
        return list(values)
    ranked, ceiling = list(values), inf
    for met in sorted({len(result.outcomes) for result in results}, reverse=True):
        group = [i for i, result in enumerate(results) if len(result.outcomes) == met]
        lowered = max(0.0, max(values[i] for i in group) - ceiling)
        for place in group:
            ranked[place] = values[place] - lowered
            if values[place] >= 0 <= ceiling:
                ranked[place] = max(ranked[place], 0.0)
        ceiling = min(ranked[place] for place in group)
    return ranked


def evaluated(
    toolbox: base.Toolbox, solvers: Sequence[Individual], encounters: Sequence[Encounter]
) -> list[Result]:
    """Each solver's outcomes on what it meets.

    Args:
        toolbox: ``tasks`` lists what a solver has to solve, ``evaluate`` solves a task, and ``map``
            spreads all of them over the workers.
        solvers: the solvers.
        encounters: what each meets.
    """
    asked = [toolbox.tasks(*pair) for pair in zip(solvers, encounters, strict=True)]
    tasks = list(chain.from_iterable(asked))
    found = list(toolbox.map(toolbox.evaluate, tasks))
    if len(found) != len(tasks):
        raise ValueError(f"map must return {plural(len(tasks), 'outcome')}, got {len(found)}")
    outcomes = iter(found)
    return [
        Result(tuple(solver), encounter, tuple(islice(outcomes, len(encounter.deals))))
        for solver, encounter in zip(solvers, encounters, strict=True)
    ]


def raced(
    toolbox: base.Toolbox,
    solvers: Sequence[Individual],
    encounters: Sequence[Encounter],
    rules: Racing,
) -> list[Result]:
    """The results of a race, in which ``score`` of the toolbox says who is ahead.

    A round evaluates earlier rounds' deals again, whose outcomes are cached.
    """
    lengths = [deals_of_round(1, one, rules) for one in encounters]
    for number in range(1, rules.rounds + 1):
        met = [
            replace(one, deals=one.deals[:length])
            for one, length in zip(encounters, lengths, strict=True)
        ]
        results = evaluated(toolbox, solvers, met)
        if number < rules.rounds:
            for place in ahead(results, toolbox.score(results), rules.share):
                lengths[place] = deals_of_round(number + 1, encounters[place], rules)
    return results
