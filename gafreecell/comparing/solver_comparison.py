"""A comparison of solvers on the same deals as plain data, and its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from deals.words import plural
from gafreecell.comparing import solvers_told as told
from gafreecell.comparing.pairs import Comparison, Summary
from gafreecell.solving.outcome import Limits, Outcome
from gafreecell.solving.parameters import Value
from gafreecell.solving.weights import Weights


@dataclass(frozen=True, repr=False)
class SolverComparison:
    """Solvers on the same deals: what ``gafreecell.evaluate`` returns.

    ``str`` and ``print`` give the report of the command ``gafreecell evaluate``, as wide as the
    terminal, at most 100 columns. A figure that is not known is NaN, such as the ends of an
    interval over fewer than five deals.

    Attributes:
        game: the game's name.
        variant: the options under which all deals were played; those of the numbered deals if
            boards have others.
        title: the game and its options, for people.
        deals: the names of the deals, as given: numbers, ranges, sets.
        count: the number of deals, ``n``.
        solvers: the weights, by the solver's name.
        limits: the limits of each deal, by the solver's name.
        changes: the search parameters set for all solvers, as ``name=value``.
        outcomes: by the solver's name, its ``n`` outcomes in the order of the deals, without the
            moves.
        summaries: each solver by itself, by its name: deals solved, nodes (states generated),
            lengths (moves by unit, and the mean cost of problems with a cost of their own) and
            milliseconds of processor time.
        pairs: every pair of up to three solvers; of more, the first with each other one. Ratios
            of nodes and differences of lengths with 95 % bootstrap intervals, and p-values, which
            are corrected for the number of pairs (Holm) where the name ends in ``_holm``.
        seen: for each solver that is a run, how many of the deals it trained or validated on, if
            any; its figures are then too good.
    """

    game: str
    variant: Mapping[str, Value]
    title: str
    deals: tuple[str, ...]
    count: int
    solvers: Mapping[str, Weights]
    limits: Mapping[str, Limits]
    changes: tuple[str, ...]
    outcomes: Mapping[str, tuple[Outcome, ...]]
    summaries: Mapping[str, Summary]
    pairs: tuple[Comparison, ...]
    seen: Mapping[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return solver_report(self)

    def _repr_html_(self) -> str:
        return told.report_html(repr(self))


def solver_report(found: SolverComparison, penalty: bool = False) -> str:
    """A report on solvers for people: the deals, the findings, the figures and what they mean.

    Args:
        found: the comparison.
        penalty: whether to give the paper's mean with 1000M for unsolved deals, too.
    """
    asked = [told.deals_text(found.count, found.deals), told.budgets(found.limits)]
    asked += [f"--set {change}" for change in found.changes]
    text = told.report(found.summaries, found.pairs, penalty)
    warned = "".join(f"\n\n{told.paragraph(line, '  ')}" for line in cautions(found))
    return f"{told.paragraph(', '.join(asked))}\n{found.title}{warned}\n\n{text}"


def cautions(found: SolverComparison) -> list[str]:
    """Why the figures of a comparison of solvers are not fair, a line for each reason."""
    lines = [
        f"Warning: {name} trained or validated on {seen:,} of the {plural(found.count, 'deal')}, "
        "so its figures here are too good: choose deals that it did not use"
        for name, seen in found.seen.items()
    ]
    if len({limit.nodes for limit in found.limits.values()}) > 1:
        lines.append(
            "Warning: the solvers have different node budgets, so one may solve more deals for "
            "that reason alone: set one for all with --nodes N (nodes=N in Python)"
        )
    return lines
