"""Comparisons of runs in words and tables: first the findings, then the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from deals.words import plural
from gafreecell.comparing import solvers_told as verdicts
from gafreecell.comparing.pairs import COST
from gafreecell.comparing.seeds import FAILURE, GroupComparison, Measured, Verdict
from gafreecell.comparing.statistics import LEAST
from gafreecell.evolution.costs import MeanCost
from gafreecell.terminal.tables import tables


def single(measured: Mapping[str, Measured]) -> list[str]:
    """What cannot be concluded about jobs that have a single run."""
    return [
        f"{name}: one seed, so nothing can be concluded about the job"
        for name, group in measured.items()
        if len(group.seeds) == 1
    ]


def tabled(rows: Sequence[Sequence[str]]) -> str:
    header, *body = rows
    return tables(header, body, verdicts.width())


def _units(measured: Mapping[str, Measured]) -> list[str]:
    """The units of length whose figures are not derived from an earlier unit's."""
    first = next(iter(measured.values()))
    return verdicts.telling_units(
        {
            unit: [length for group in measured.values() for length in group.lengths[unit]]
            for unit in first.lengths
        }
    )


def sentence(one: GroupComparison, deals: int, found: Mapping[str, Measured], pairs: int) -> str:
    """The finding of a comparison of groups, in words.

    Args:
        one: the comparison.
        deals: how many deals the runs were measured on.
        found: the groups by name.
        pairs: how many pairs are compared.
    """
    nodes, (mine, theirs) = one.nodes, (found[one.group], found[one.against])
    if nodes.difference.value != nodes.difference.value:
        return f"{one.group} and {one.against}: no run solved a deal within its budget"
    seeds = (
        f"{plural(one.seeds, 'seed')} each"
        if one.seeds == one.seeds_against
        else f"{one.seeds} and {plural(one.seeds_against, 'seed')}"
    )
    interval = f" {_interval(nodes)}".rstrip()
    text = (
        f"{one.group} needs {verdicts.ratio(nodes.difference.value)} times the nodes (PAR10) of "
        f"{one.against}{interval}, {verdicts.p_text(nodes.p_holm)} over {seeds}; solved "
        f"{mine.solved_mean.value:,.1f} against {theirs.solved_mean.value:,.1f} of {deals:,} on "
        f"average ({verdicts.p_text(one.solved.p_holm)})"
    )
    if COST in one.lengths:
        cost = one.lengths[COST]
        text += (
            f"; its mean cost {verdicts.lower_or_higher(cost.difference.value)} "
            f"({verdicts.p_text(cost.p_holm)})"
        )
    least = min(1.0, pairs * one.least_p)
    if least > 0.05:
        text += f"; with so few seeds p cannot be below {verdicts.p_cell(least)}"
    return text


def group_rows(found: Mapping[str, Measured]) -> list[list[str]]:
    """A header, then a row for each group: its nodes, deals solved and lengths."""
    units = _units(found)
    header = ["job", "seeds", "nodes, PAR10", "solved", *units]
    rows = []
    for name, group in found.items():
        nodes, solved = group.nodes_mean, group.solved_mean
        row = [
            name,
            f"{len(group.seeds)}",
            f"{verdicts.count(nodes.value)} {verdicts.bracket(nodes.interval, verdicts.count)}",
        ]
        row.append(f"{solved.value:,.1f} {verdicts.bracket(solved.interval, _tenths)}")
        rows.append(
            [*map(str.strip, row), *[verdicts.mean(u, fmean(group.lengths[u])) for u in units]]
        )
    return [header, *rows]


def _interval(verdict: Verdict, write: Any = verdicts.ratio) -> str:
    """The bootstrap interval; for too few seeds that of the paired t-test, which it then names."""
    found = verdicts.bracket(verdict.difference.interval, write)
    if found:
        return found
    by_t = verdicts.bracket(verdict.interval_t, write)
    return f"{by_t} (t)" if by_t else ""


def pair_title(one: GroupComparison) -> str:
    """Who is compared, and how."""
    how = "seed by seed" if one.paired else "not paired: the seeds differ"
    return f"{one.group} against {one.against}, {how}"


def pair_rows(
    one: GroupComparison, measured: Mapping[str, Measured], several: bool
) -> list[list[str]]:
    """The cells of a comparison of groups: the header, then a row for each figure.

    Args:
        one: the comparison.
        measured: the groups by name.
        several: whether there are other pairs, for whose number p is corrected.
    """
    units = _units(measured)

    def row(title: str, verdict: Verdict, write: Any) -> list[str]:
        figure = verdict.difference
        cells = [write(figure.value), _interval(verdict, write) or "-"]
        return [title, *cells, verdicts.p_cell(verdict.p_holm), verdicts.p_cell(verdict.p_t)]

    rows = [
        row("nodes, PAR10", one.nodes, verdicts.ratio),
        row("deals solved", one.solved, verdicts.difference),
    ]
    rows += [row(verdicts.label(u), one.lengths[u], verdicts.writer(u)) for u in units]
    names = ["signed-rank", "t"] if one.paired else ["Mann-Whitney", "Welch"]
    if several:
        names = [f"{names[0]} (Holm)", f"{names[1]} (uncorrected)"]
    return [["", "", "95 % interval", *[f"p, {name}" for name in names]], *rows]


def cost_table(spent: Mapping[str, Mapping[str, MeanCost] | None], last: bool) -> list[str]:
    """A paragraph and a table of what a run of each group cost; empty if no costs are known.

    Args:
        spent: what a run cost on average, by group and purpose.
        last: whether the last generation's weights are compared.
    """
    known = {name: costs for name, costs in spent.items() if costs}
    if not known:
        return []
    header = ["job", "for", "evaluations", "nodes", "seconds"]
    rows = []
    for name, costs in known.items():
        counted = {purpose: cost for purpose, cost in costs.items() if cost.evaluations}
        if len(counted) == 2:
            # The total would repeat the only purpose.
            del counted["total"]
        rows += [
            [
                name,
                purpose,
                f"{cost.evaluations:,.0f}",
                f"{cost.nodes:,.0f}",
                f"{cost.seconds:,.1f}",
            ]
            for purpose, cost in counted.items()
        ]
    validation = " and" if last else ", the validation that chose its best, and"
    text = (
        f"Mean cost of a run: its solvers on the training deals{validation} the baseline. "
        "Seconds are processor time of the searches."
    )
    if last:
        text += " Validation is left out because it did not choose these weights."
    return [verdicts.paragraph(text), tables(header, rows, verdicts.width())]


def explanation(comparisons: Sequence[GroupComparison]) -> str:
    """What the figures of groups and of their comparisons mean."""
    text = (
        "A run is one observation, whatever the number of deals. PAR10: geometric mean of nodes "
        "over the deals that at least one run solved; a deal that a run failed counts "
        f"{FAILURE} times the budget. Lengths: mean over the deals that all runs solved. Intervals "
        "over seeds: Student's t for one job, bootstrap for a comparison of two"
    )
    if any(min(one.seeds, one.seeds_against) < LEAST for one in comparisons):
        text += f" (with fewer than {LEAST} seeds each: paired t, if both have the same seeds)"
    if len(comparisons) > 1:
        pairs = f"{len(comparisons)} pairs (Holm)"
        text += f"; rank tests are corrected for {pairs}, t-tests are not"
    return f"{text}."


def _tenths(value: float) -> str:
    return f"{value:,.1f}"
