"""Outcomes for tests of what is made of them."""

from __future__ import annotations

from collections.abc import Sequence

from gafreecell.evolution.generation import Encounter, Result
from gafreecell.solving.outcome import Nodes, Outcome, Status


def _nodes(generated: int, expanded: int | None, scored: int | None) -> Nodes:
    # A count of expanded states that would show if it were taken for nodes.
    return Nodes(generated // 2 if expanded is None else expanded, generated, scored)


def solved(
    generated: int,
    single: int = 100,
    seconds: float = 0.5,
    expanded: int | None = None,
    scored: int | None = None,
) -> Outcome:
    lengths = {"single": single, "column": single - 10}
    return Outcome(Status.SOLVED, None, lengths, _nodes(generated, expanded, scored), seconds)


def failed(
    generated: int,
    status: Status = Status.NODE_LIMIT,
    expanded: int | None = None,
    scored: int | None = None,
) -> Outcome:
    return Outcome(status, None, None, _nodes(generated, expanded, scored), 0.5)


def met(*nodes: int | None, deals: Sequence[int] = (1, 2, 3, 4)) -> Result:
    """A solver that needed so many nodes of each deal, None where it failed."""
    outcomes = tuple(failed(50) if n is None else solved(n) for n in nodes)
    return Result((0.0,), Encounter(tuple(deals[: len(nodes)])), outcomes)
