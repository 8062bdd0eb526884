"""What a run has cost: its solvers, its validation and its baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from solving.outcome import Outcome

PURPOSES = "solvers", "validation", "baseline"
"""The purposes for which tasks are solved."""


@dataclass(frozen=True)
class Spent:
    """The cost of some tasks.

    Attributes:
        evaluations: solver-problem pairs.
        nodes: states generated.
        seconds: processor time of the searches; outcomes from the cache count again.
    """

    evaluations: int = 0
    nodes: int = 0
    seconds: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.evaluations + other.evaluations,
            self.nodes + other.nodes,
            self.seconds + other.seconds,
        )

    @classmethod
    def on(cls, outcomes: Sequence[Outcome]) -> Spent:
        """The cost of some outcomes."""
        return cls(
            len(outcomes),
            sum(outcome.nodes.generated for outcome in outcomes),
            round(sum(outcome.seconds for outcome in outcomes), 6),
        )


class Ledger:
    """What a generation spends, by purpose."""

    def __init__(self) -> None:
        self.spent = {purpose: Spent() for purpose in PURPOSES}

    def enter(self, purpose: str, outcomes: Sequence[Outcome]) -> None:
        """Add the cost of some outcomes."""
        self.spent[purpose] += Spent.on(outcomes)

    def document(self) -> dict[str, dict[str, float]]:
        """The costs for the log. Seconds depend on the machine, the baseline on interruptions."""
        return {purpose: asdict(spent) for purpose, spent in self.spent.items()}


def costs_of(lines: Sequence[Mapping[str, Any]]) -> dict[str, Spent] | None:
    """The cost of a log's generations, by purpose; None if an older version wrote any of them."""
    total = {purpose: Spent() for purpose in PURPOSES}
    for line in lines:
        told = line.get("machine", {}).get("costs")
        if told is None:
            return None
        for purpose in PURPOSES:
            total[purpose] += Spent(**told[purpose])
    return total
