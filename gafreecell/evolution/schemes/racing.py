"""Racing within a generation: solvers that fall behind on the first deals meet no more of them.

All solvers meet the first part of their problems. The better share of each round goes on to the
next part. (Birattari et al. 2002 race configurations like this, with a test instead of a share.)
A solver that went further ranks above one that fell behind, whatever their fitness: they were
measured on different problems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Annotated, ClassVar

from gafreecell.evolution.generation import Encounter, Result
from gafreecell.evolution.settings import Between


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


def problems_of_round(number: int, encounter: Encounter, rules: Racing) -> int:
    """How many of its problems a solver has met after a round, counted from 1."""
    return ceil(len(encounter.problems) * number / rules.rounds)


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
