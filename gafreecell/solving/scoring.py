"""Scores of positions: what an evaluator makes of the values of its features."""

from __future__ import annotations

from collections.abc import Mapping

from deals.checks import shown, whole
from deals.errors import BadInput
from deals.words import plural
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.rules import AND, OVER, Rule
from gafreecell.solving.sums import left_to_right


class ScoreError(BadInput):
    """A position that cannot be scored; the message says why."""


def score_of(evaluator: Evaluator, values: Mapping[str, float], phase: int = 1) -> float:
    """The score of a position; searches try what has a lower one first.

    Args:
        evaluator: a weighted sum, a schedule or rules.
        values: of the features, by name.
        phase: of a schedule, counted from 1.

    Raises:
        ScoreError: if a position has no such feature, or the evaluator no such phase.
    """
    unknown = [name for name in evaluator.features if name not in values]
    if unknown:
        raise ScoreError(
            f"a position alone has no feature {unknown[0]}: weights that rate moves give no score"
        )
    rows, phases = evaluator.rows, max(len(evaluator.phases), 1)
    if whole(phase) is None or not 1 <= phase <= phases:
        raise ScoreError(f"the weights have {plural(phases, 'phase')}, got phase {shown(phase)}")
    row, offset = phase - 1, 0.0
    if evaluator.rules:
        holding = (i for i, rule in enumerate(evaluator.rules) if holds(rule, values))
        row = next(holding, len(evaluator.rules))
        offset = evaluator.offsets[row]
    pairs = zip(rows[row], evaluator.features, strict=True)
    return offset + left_to_right(weight * values[name] for weight, name in pairs)


def holds(rule: Rule, values: Mapping[str, float]) -> bool:
    """Whether the condition of a rule holds."""
    found = [
        (values[one.feature] > one.threshold) == (one.sign == OVER) for one in rule.comparisons
    ]
    return all(found) if rule.joined == AND else any(found)
