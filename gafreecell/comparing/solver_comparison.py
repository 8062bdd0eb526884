"""A comparison of solvers on the same deals as plain data, in words and in tables."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from math import isfinite, nan
from typing import Any

from deals.words import plural
from gafreecell.comparing.fairness import uneven_budgets
from gafreecell.comparing.pairs import (
    COST,
    Comparison,
    Estimate,
    Summary,
    figures_of,
    intervals_of,
)
from gafreecell.comparing.statistics import LEAST, Interval, Ranks
from gafreecell.comparing.tabulated import Record, Tables, Tabulated, chosen, noted, spread
from gafreecell.solitaire.game import limits_text
from gafreecell.solving.outcome import Limits, Outcome, Status
from gafreecell.solving.parameters import Value
from gafreecell.solving.weights import Weights
from gafreecell.terminal.tables import rounded, table, tables

WIDEST = 100
"""Maximum width of text in columns, however wide the terminal is."""
KEPT = "\u00a0"
"""A no-break space."""
WARNING = "Warning: "
"""What a reader must know before the figures begins with this."""
FEWER = "fewer nodes: share of deals on which the first needs fewer, ties half"
UNKNOWN = "not known: no deal was solved"
"""What ``-`` stands for in tables over deals."""


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
            lengths (moves by unit, and the mean cost of deals with a cost of their own) and
            milliseconds of processor time.
        pairs: every pair of up to three solvers; of more, the first with each other one. Ratios
            of nodes and differences of lengths with 95 % bootstrap intervals, and p-values, which
            are corrected for the number of pairs (Holm) where the name ends in ``_holm``.
        ranks: three or more solvers, ranked by nodes deal by deal: mean ranks, Friedman's test and
            the critical difference of Nemenyi's; else None.
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
    ranks: Ranks | None = None
    seen: Mapping[str, int] = field(default_factory=dict)

    def table(self, name: str = "solvers") -> Tabulated:
        """A table for a paper.

        Args:
            name: ``solvers``, ``pairs``, ``deals`` or ``ranks``.

        Raises:
            InputError: if there is no such table, or nothing to put in it.
        """
        return chosen(name, _tables_of(self))

    def __repr__(self) -> str:
        return solver_report(self)

    def _repr_html_(self) -> str:
        return report_html(repr(self))


def _tables_of(found: SolverComparison) -> Tables:
    """The tables of a comparison by name."""
    return {
        "solvers": partial(_solvers_table, found),
        "pairs": partial(_pairs_table, found),
        "deals": partial(_deals_table, found),
        "ranks": partial(ranks_table, found.ranks, "solver", "deal"),
    }


def _about(found: SolverComparison) -> str:
    """What the figures of a table are over, for its caption."""
    said = (line.removeprefix(WARNING) for line in cautions(found))
    return "; ".join([f"{deals_text(found.count, found.deals)}, {budgets(found.limits)}", *said])


def _solvers_table(found: SolverComparison) -> Tabulated:
    spreads = {name: intervals_of(outcomes) for name, outcomes in found.outcomes.items()}
    header, *rows = solver_rows(found.summaries, spreads=spreads)
    lengths = {
        name: {unit: Estimate(value, spreads[name][unit]) for unit, value in one.lengths.items()}
        for name, one in found.summaries.items()
    }
    records: list[Record] = [
        {
            "solver": name,
            "deals": one.deals,
            "unsolvable": one.unsolvable,
            "solved": one.solved,
            **spread("share", one.solved / one.deals, one.interval),
            **spread("nodes_mean", one.nodes_mean, spreads[name]["nodes"]),
            "nodes_median": one.nodes_median,
            "nodes_penalised": one.nodes_penalised,
            **length_entries(lengths[name]),
            "milliseconds": one.milliseconds,
        }
        for name, one in found.summaries.items()
    ]
    meaning = solver_explanation(found.summaries).removesuffix(".")
    about = (
        f"{_about(found)}; {meaning[0].lower()}{meaning[1:]}; intervals 95 % over deals (Wilson "
        "for %, else bootstrap)"
    )
    return Tabulated("solvers", noted(about, rows, UNKNOWN), records, header, rows)


def length_entries(told: Mapping[str, Estimate], what: str = "") -> dict[str, float]:
    """Lengths with their intervals, as entries of a record.

    Args:
        told: by unit.
        what: what follows the unit in their names.
    """
    found: dict[str, float] = {}
    for unit, one in told.items():
        found |= spread(f"length_{unit}{what}", one.value, one.interval)
    return found


def _pairs_table(found: SolverComparison) -> Tabulated:
    records, rows = [], []
    units = list(_distinct(found.pairs[0].lengths)) if found.pairs else []
    for one in found.pairs:
        record: dict[str, Any] = {
            "solver": one.solver,
            "against": one.against,
            "deals": one.deals,
            "both": one.both,
            **spread("nodes_ratio", one.nodes_typical.value, one.nodes_typical.interval),
            "nodes_p": one.nodes_p,
            "nodes_p_holm": one.nodes_p_holm,
            **spread("nodes_mean_ratio", one.nodes_mean.value, one.nodes_mean.interval),
            "a12": one.a12,
            "only": one.only,
            "only_against": one.only_against,
            "solved_p": one.solved_p,
            "solved_p_holm": one.solved_p_holm,
        }
        records.append(record | length_entries(one.lengths, "_difference"))
        rows.append(
            [
                f"{one.solver} / {one.against}",
                " ".join(_cells(one.nodes_typical)).strip(),
                p_cell(one.nodes_p_holm),
                share(one.a12),
                f"{one.only:,} to {one.only_against:,}",
                p_cell(one.solved_p_holm),
                *[_change(one.lengths.get(unit, Estimate(nan)), writer(unit)) for unit in units],
            ]
        )
    header = ["pair", "nodes, ratio", "p, nodes", "fewer nodes", "only one solved", "p, solved"]
    header += [label(unit) for unit in units]
    about = (
        f"{_about(found)}; ratios are geometric means and lengths differences, over the deals that "
        f"both solved; intervals 95 % over deals (bootstrap); {FEWER}; p-values corrected by Holm"
    )
    return Tabulated("pairs", noted(about, rows, UNKNOWN), records, header, rows)


def _change(estimate: Estimate, write: Callable[[float], str]) -> str:
    return f"{write(estimate.value)} {bracket(estimate.interval, write)}".strip()


def _deals_table(found: SolverComparison) -> Tabulated:
    records: list[Record] = [
        {
            "solver": name,
            "place": place,
            "status": one.status.value,
            "expanded": one.nodes.expanded,
            "generated": one.nodes.generated,
            "seconds": one.seconds,
            **{f"length_{unit}": value for unit, value in figures_of(one).items()},
        }
        for name, outcomes in found.outcomes.items()
        for place, one in enumerate(outcomes)
    ]
    names = list(dict.fromkeys(key for record in records for key in record))
    rows = [[f"{record.get(name, '-')}" for name in names] for record in records]
    about = noted(_about(found), rows, "the deal was not solved")
    return Tabulated("deals", about, records, names, rows)


def ranks_table(found: Ranks | None, what: str, block: str) -> Tabulated:
    """The ranks of jobs or solvers; without rows if there are none.

    Args:
        found: the ranks.
        what: what is ranked.
        block: what it is ranked over.
    """
    if found is None:
        return Tabulated("ranks", "", [], [], [])
    order = sorted(found.means.items(), key=lambda one: one[1])
    records: list[Record] = [
        {what: name, "rank": rank, "p": found.p, "critical_difference": found.critical}
        for name, rank in order
    ]
    caption = f"Mean ranks by nodes over {plural(found.blocks, block)}"
    caption += f"; Friedman's test: {p_text(found.p)}" if found.p == found.p else ""
    caption += f"; {_nemenyi(found)}"
    rows = [[name, f"{rank:.2f}"] for name, rank in order]
    return Tabulated("ranks", caption, records, [what, "mean rank"], rows)


def _nemenyi(found: Ranks) -> str:
    return f"ranks closer than {found.critical:.2f} cannot be told apart (Nemenyi, 5 %)"


def solver_report(found: SolverComparison, penalty: bool = False) -> str:
    """A report on solvers for people: the deals, the findings, the figures and what they mean.

    Args:
        found: the comparison.
        penalty: whether to give the paper's mean with 1000M for unsolved deals, too.
    """
    asked = [deals_text(found.count, found.deals), budgets(found.limits)]
    asked += [f"--set {change}" for change in found.changes]
    text = report(found.summaries, found.pairs, penalty)
    if found.ranks:
        text = f"{paragraph(ranks_text(found.ranks, 'deals'), '  ')}\n{text}"
    warned = "".join(f"\n\n{paragraph(line, '  ')}" for line in cautions(found))
    return f"{paragraph(', '.join(asked))}\n{found.title}{warned}\n\n{text}"


def cautions(found: SolverComparison) -> list[str]:
    """Why the figures of a comparison of solvers are not fair, a line for each reason."""
    lines = [
        f"{WARNING}{name} trained or validated on {seen:,} of the {plural(found.count, 'deal')}, "
        "so its figures here are too good: choose deals that it did not use"
        for name, seen in found.seen.items()
    ]
    uneven = uneven_budgets(found.limits.values(), "solvers")
    lines += [f"{WARNING}{one}" for one in uneven]
    memories = {limit.memory for limit in found.limits.values()}
    statuses = {one.status for outcomes in found.outcomes.values() for one in outcomes}
    if len(memories) > 1 and Status.MEMORY_LIMIT in statuses:
        lines.append(
            f"{WARNING}the solvers have different memory limits, and a deal met one, so one may "
            "solve more deals for that reason alone: give their weights files the same "
            "limits.memory"
        )
    return lines


def width() -> int:
    """The width of text in columns: the terminal's, at most ``WIDEST``."""
    return min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)


def paragraph(text: str, indent: str = "") -> str:
    """A text wrapped to the terminal's width; no-break spaces become plain ones afterwards."""
    lines = textwrap.fill(
        text, width(), subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
    return lines.replace(KEPT, " ")


def report(
    summaries: Mapping[str, Summary], comparisons: Sequence[Comparison], penalty: bool = False
) -> str:
    """A report on solvers for people: the findings, the figures, and what these mean."""
    findings = [paragraph(sentence(one), "  ") for one in comparisons]
    parts = ["\n".join(findings)] if comparisons else []
    header, *rows = solver_rows(summaries, penalty)
    parts.append(tables(header, rows, width()))
    for one in comparisons:
        header, *rows = pair_rows(one, penalty)
        parts.append(f"{pair_title(one)}:\n\n{table(header, rows)}")
    meaning = paragraph(solver_explanation(summaries, penalty))
    parts.append("\n".join([meaning, *[explanation(comparisons)] * bool(comparisons)]))
    return "\n\n".join(parts)


def report_html(text: str) -> str:
    """A report for notebooks, in a fixed-width font."""
    return f"<pre>{escape(text)}</pre>"


def deals_text(count: int, words: Sequence[str]) -> str:
    """The number of deals, and their names."""
    return f"{plural(count, 'deal')} ({', '.join(words)})"


def budgets(limits: Mapping[str, Limits]) -> str:
    """The budget of a deal in words: one for all solvers if it is the same, else each one's."""
    texts = {name: limits_text(limit) for name, limit in limits.items()}
    if len({limit.memory for limit in limits.values()}) > 1:
        texts = {
            name: f"{text}, {limits[name].memory / 1e6:,.0f} MB" for name, text in texts.items()
        }
    sharing: dict[str, list[str]] = {}
    for name, text in texts.items():
        sharing.setdefault(text, []).append(name)
    if len(sharing) == 1:
        return f"at most {next(iter(sharing))} a deal"
    told = [f"{text} a deal for {', '.join(names)}" for text, names in sharing.items()]
    return f"at most {'; '.join(told)}"


def ratio(value: float) -> str:
    """A ratio, to two or three digits."""
    if not isfinite(value):
        return "-"
    if value >= 99.95:
        return f"{value:,.0f}"
    if value >= 9.995:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.0995 else f"{value:#.2g}"


def difference(value: float) -> str:
    """A difference of lengths, with its sign."""
    return f"{value:+.1f}" if isfinite(value) else "-"


def share(value: float) -> str:
    """An effect size from 0 to 1."""
    return f"{value:.2f}" if isfinite(value) else "-"


def label(unit: str) -> str:
    """What a row of differences is about."""
    return "cost, mean" if unit == COST else f"length, {unit}"


def mean(unit: str, value: float) -> str:
    """A mean length, or a mean cost, which may have any size."""
    return f"{value:,.4g}" if unit == COST else f"{value:.1f}"


def cost_difference(value: float) -> str:
    """A difference of costs, with its sign."""
    return f"{value:+,.3g}" if isfinite(value) else "-"


def writer(unit: str) -> Callable[[float], str]:
    """What writes the differences of a unit of length, or of the cost."""
    return cost_difference if unit == COST else difference


def lower_or_higher(value: float) -> str:
    """A difference of costs in words."""
    return f"is {'lower' if value < 0 else 'higher'} by {abs(value):,.3g}"


def p_text(value: float) -> str:
    """A p-value after the letter: ``p = 0.012``, ``p < 0.001``."""
    return f"p {p_cell(value)}" if value < 0.001 else f"p = {p_cell(value)}"


def p_cell(value: float) -> str:
    """A p-value in a table."""
    if value != value:
        return "-"
    return "< 0.001" if value < 0.001 else f"{value:.2g}"


def count(value: float) -> str:
    """A mean of counts to the unit; ``-`` for none."""
    return f"{value:,.0f}" if value == value else "-"


def bracket(interval: Interval, write: Any = ratio) -> str:
    """An interval; empty if there is none."""
    low, high = interval
    return f"[{write(low)}, {write(high)}]" if isfinite(low) and isfinite(high) else ""


def telling_units(lengths: Mapping[str, Sequence[float]]) -> list[str]:
    """Units of length, without those that differ from an earlier unit by a constant.

    On whole deals of FreeCell, for example, ``manual`` is always ``column`` minus 52.

    Args:
        lengths: by unit, the figures that are shown.
    """
    told: dict[tuple[float | str, ...], str] = {}
    for unit, values in lengths.items():
        if unit == COST:
            told[(COST,)] = COST
            continue
        differences = tuple(round(value - values[0], 6) for value in values)
        told.setdefault(differences if len(values) > 1 else tuple(values), unit)
    return list(told.values())


def sentence(found: Comparison) -> str:
    """The finding of a comparison of two solvers, in words."""
    name, other, typical = found.solver, found.against, found.nodes_typical
    p_value, solved_p = (
        p_text(value).replace(" ", KEPT) for value in (found.nodes_p_holm, found.solved_p_holm)
    )
    solved = (
        f"solved {found.solved:,} against {found.solved_against:,} of {found.deals:,} ({solved_p})"
    )
    if not found.both:
        return f"{name} and {other} solved no deal in common; {solved}"
    if COST in found.lengths:
        cost = found.lengths[COST]
        interval = bracket(cost.interval, cost_difference).replace(" ", KEPT)
        text = f"the mean cost of {name} {lower_or_higher(cost.value)} than that of {other}"
        return f"{text} {interval}".rstrip() + f" on {plural(found.both, 'deal')}; {solved}"
    if typical.value == 1 and found.nodes_p == 1:
        return f"{name} needs as many nodes as {other}, {p_value}; {solved}"
    both = "the deal" if found.both == 1 else f"the {found.both:,} deals"
    text = f"{name} needs {ratio(typical.value)} times the nodes of {other} on {both}"
    interval = f" {bracket(typical.interval).replace(' ', KEPT)}".rstrip()
    # The ratio leaves out the deals that one solver failed; the test counts them.
    failures = ", failures counted" if found.only or found.only_against else ""
    sure = found.nodes_p_holm < 0.05
    if not sure or found.better * (1 - typical.value) >= 0:
        return f"{text} both solved{interval}, {p_value} by ranks{failures}; {solved}"
    # The ratio is over the deals that both solved; deals which only one solved decided the test.
    does = "better" if found.better > 0 else "worse"
    text += f" both solved{interval}, but does {does} with all deals counted"
    return f"{text}, {p_value} by ranks; {solved}"


def ranks_text(found: Ranks, blocks: str) -> str:
    """Who ranks where, for people."""
    order = sorted(found.means.items(), key=lambda one: one[1])
    told = ", ".join(f"{name} {rank:.2f}" for name, rank in order)
    text = f"Mean ranks by nodes over {found.blocks:,} {blocks}: {told}"
    test = f" (Friedman: {p_text(found.p)})" if found.p == found.p else ""
    return f"{text}{test}; {_nemenyi(found)}"


def solver_rows(
    summaries: Mapping[str, Summary],
    penalty: bool = False,
    spreads: Mapping[str, Mapping[str, Interval]] | None = None,
) -> list[list[str]]:
    """The cells of that table: its header, then a row for each solver; the time comes last.

    Args:
        summaries: the solvers.
        penalty: whether the paper's mean with 1000M for unsolved deals is shown.
        spreads: intervals of mean nodes and lengths to show, as ``intervals_of`` gives them.
    """

    def spread_out(name: str, what: str, write: Callable[[float], str]) -> str:
        return f" {bracket(spreads[name].get(what, (nan, nan)), write)}".rstrip() if spreads else ""

    units = _telling_units(summaries)
    proofs = any(summary.unsolvable for summary in summaries.values())
    header = ["solver", "solved", *["no solution"] * proofs, "% [95 % interval]", "nodes, mean"]
    header += ["median", *["with 1000M"] * penalty, *units, "ms"]
    rows = []
    for name, summary in summaries.items():
        lengths = [
            mean(u, summary.lengths[u]) + spread_out(name, u, partial(mean, u))
            if u in summary.lengths
            else "-"
            for u in units
        ]
        row = [name, f"{summary.solved:,}", *[f"{summary.unsolvable:,}"] * proofs, _share(summary)]
        row += [count(summary.nodes_mean) + spread_out(name, "nodes", count)]
        row += [count(summary.nodes_median)]
        row += [count(summary.nodes_penalised)] * penalty
        rows.append([*row, *lengths, rounded(summary.milliseconds)])
    return [header, *rows]


def _telling_units(summaries: Mapping[str, Summary]) -> list[str]:
    """The units of length whose figures are not derived from an earlier unit's."""
    names = dict.fromkeys(unit for summary in summaries.values() for unit in summary.lengths)
    return telling_units(
        {unit: [s.lengths[unit] for s in summaries.values() if unit in s.lengths] for unit in names}
    )


def solver_explanation(
    summaries: Mapping[str, Summary], penalty: bool = False, timed: bool = True
) -> str:
    """What the figures of solvers mean.

    Args:
        summaries: the solvers.
        penalty: whether the paper's mean with 1000M for unsolved deals is shown.
        timed: whether the time is shown.
    """
    units = _telling_units(summaries)
    text = "Nodes, mean and median: states generated on the deals that the solver solved"
    if COST in units:
        units.remove(COST)
        text += "; cost: the mean of what the game counts instead of nodes, less is better"
    if units:
        text += f"; {', '.join(units)}: mean solution length on the same deals"
    if penalty:
        text += "; with 1000M: mean nodes where an unsolved deal counts 1000M"
    if timed:
        text += "; ms: mean processor time over all deals"
    if any(summary.unsolvable for summary in summaries.values()):
        text += "; no solution: deals proved unsolvable"
    return f"{text}."


def _share(summary: Summary) -> str:
    """The share solved in percent, with as many digits as the number of deals supports."""
    digits = 1 if summary.deals < 1000 else 2
    share, low, high = (
        f"{100 * part:.{digits}f}" for part in (summary.solved / summary.deals, *summary.interval)
    )
    return f"{share} [{low}, {high}]"


def pair_title(found: Comparison) -> str:
    """Who is compared, and on how many deals."""
    return f"{found.solver} against {found.against}, {plural(found.both, 'deal')} solved by both"


def pair_rows(found: Comparison, penalty: bool = False) -> list[list[str]]:
    """The cells of one comparison: the header, then a row for each figure."""
    rows = [
        ["nodes, typical deal", *_cells(found.nodes_typical), p_cell(found.nodes_p_holm)],
        ["nodes, mean", *_cells(found.nodes_mean), ""],
        ["fewer nodes, share of deals", share(found.a12), "", ""],
    ]
    if penalty:
        rows.append(["nodes, mean, 1000M if unsolved", ratio(found.penalised), "", ""])
    for unit, estimate in _distinct(found.lengths).items():
        write = writer(unit)
        interval = bracket(estimate.interval, write)
        rows.append([label(unit), write(estimate.value), interval, ""])
    counts = f"{found.only:,} to {found.only_against:,}"
    rows.append(["deals which only one solved", counts, "", p_cell(found.solved_p_holm)])
    return [["", "", "95 % interval", "p"], *rows]


def _distinct(lengths: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Differences by unit, without those that repeat an earlier one."""
    told: dict[tuple[str, ...], str] = {}
    for unit, estimate in lengths.items():
        # As text: a missing interval is NaN, which does not equal itself.
        figures = tuple(f"{x:.6f}" for x in (estimate.value, *estimate.interval))
        told.setdefault((COST,) if unit == COST else figures, unit)
    return {unit: lengths[unit] for unit in told.values()}


def explanation(found: Sequence[Comparison]) -> str:
    """What the figures of comparisons mean."""
    few = ""
    if any(one.both < LEAST for one in found):
        few = f" (only with at least {LEAST} deals)"
    text = (
        "Ratios and differences are over the deals that both solved; typical deal: geometric mean; "
        f"intervals: bootstrap{few}. p: Wilcoxon signed-rank on log nodes, where a deal that only "
        "one solved counts as the largest difference; exact McNemar on deals solved"
    )
    if len(found) > 1:
        text += f"; both corrected for {plural(len(found), 'comparison')} (Holm)"
    return paragraph(f"{text}; {FEWER}.")


def _cells(estimate: Estimate) -> list[str]:
    return [ratio(estimate.value), bracket(estimate.interval)]
