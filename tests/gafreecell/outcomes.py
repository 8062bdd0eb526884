"""Outcomes for tests of what is made of them."""

from __future__ import annotations

from gafreecell.solving.outcome import Nodes, Outcome, Status


def solved(generated: int, single: int = 100, seconds: float = 0.5) -> Outcome:
    lengths = {"single": single, "column": single - 10}
    return Outcome(Status.SOLVED, None, lengths, Nodes(generated // 2, generated), seconds)


def failed(generated: int, status: Status = Status.NODE_LIMIT) -> Outcome:
    return Outcome(status, None, None, Nodes(generated // 2, generated), 0.5)
