"""Schedules as tests run them, beside their plain reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st
from plain_schedule import FEATURES, PlainSchedule, Whole, weights_of
from plain_staged import Result
from searching import as_plain, check_solution, in_order

from deals import FreeCellBoard
from gafreecell.solving.outcome import (
    BEST_FIRST,
    DEPTH_IN_TURN,
    Evaluator,
    Limits,
    Outcome,
    Phase,
    Search,
)
from hsd import solver

RULES = BEST_FIRST, DEPTH_IN_TURN


class Plan(NamedTuple):
    """A schedule whose coefficients are whole numbers.

    Attributes:
        phases: limits and rules.
        weights: of each phase, in the steps of ``plain_schedule``.
        safe: force safe home moves.
    """

    phases: tuple[Phase, ...]
    weights: tuple[Whole, ...]
    safe: bool

    def __str__(self) -> str:
        phases = zip(self.phases, self.weights, strict=True)
        words = [f"{phase.rule} {phase.nodes} {' '.join(list(w)[:2])}" for phase, w in phases]
        return ", ".join([*words, "safe" if self.safe else "none"])

    @property
    def search(self) -> Search:
        """The search, for solutions exactly as it found them."""
        return Search("schedule", {"automatic": "safe" if self.safe else "none", "shorten": "no"})

    def evaluator(self, cascades: int, cells: int) -> Evaluator:
        """Its weights in a game of this size."""
        rows = [weights_of(whole, cascades, cells) for whole in self.weights]
        return Evaluator(FEATURES, tuple(w for row in rows for w in row), self.phases)

    def solve(self, board: FreeCellBoard, nodes: int = 200_000, **more: float) -> Outcome:
        """The outcome; its solution is checked."""
        limits = Limits(nodes=nodes, **more)  # type: ignore[arg-type]
        evaluator = self.evaluator(len(board.cascades), board.cell_count)
        outcome = solver.run(board, evaluator, self.search, limits)
        check_solution(board, outcome)
        return outcome


def plan(*parts: tuple[int | None, str, Whole], safe: bool = True) -> Plan:
    """A schedule of phases, each with its limit, rule and weights."""
    phases = tuple(Phase(nodes, rule) for nodes, rule, _ in parts)
    return Plan(phases, tuple(whole for *_, whole in parts), safe)


def compare(schedule: Plan, board: FreeCellBoard, limit: int) -> tuple[PlainSchedule, Result]:
    """Run a schedule and its plain reference and compare them; returns the plain one."""
    plain = PlainSchedule(schedule.phases, schedule.weights, schedule.safe, limit)
    expected = plain.run(board)
    outcome = schedule.solve(board, limit)
    assert as_plain(outcome) == in_order(expected)
    assert outcome.nodes.scored == plain.scored
    return plain, expected


WHOLE = st.dictionaries(st.sampled_from(FEATURES), st.integers(-3, 12), max_size=4)


@st.composite
def plans(draw: st.DrawFn, rules: Sequence[str] = RULES) -> Plan:
    """Up to three phases with any few weights."""
    limits = [*draw(st.lists(st.sampled_from([1, 2, 5, 20, 60]), max_size=2)), None]
    parts = [(nodes, draw(st.sampled_from(rules)), draw(WHOLE)) for nodes in limits]
    return plan(*parts, safe=draw(st.booleans()))
