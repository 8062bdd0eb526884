"""Comparisons in words and tables: first the finding, then the figures."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from deals.words import plural
from gafreecell.cli.tables import table
from gafreecell.comparison import Comparison, Estimate
from gafreecell.statistics import LEAST, Interval

WIDEST = 100
"""Maximum width of text in columns, however wide the terminal is."""
KEPT = "\u00a0"
"""A no-break space."""


def width() -> int:
    """The width of text in columns: the terminal's, at most ``WIDEST``."""
    return min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)


def paragraph(text: str, indent: str = "") -> str:
    """A text wrapped to the terminal's width; no-break spaces become plain ones afterwards."""
    lines = textwrap.fill(
        text, width(), subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
    return lines.replace(KEPT, " ")


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
    told: dict[tuple[float, ...], str] = {}
    for unit, values in lengths.items():
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
    if typical.value == 1 and found.nodes_p == 1:
        return f"{name} needs as many nodes as {other}, {p_value}; {solved}"
    both = "the deal" if found.both == 1 else f"the {found.both:,} deals"
    text = f"{name} needs {ratio(typical.value)} times the nodes of {other} on {both}"
    interval = f" {bracket(typical.interval).replace(' ', KEPT)}".rstrip()
    sure = found.nodes_p_holm < 0.05
    if not sure or found.better * (1 - typical.value) >= 0:
        return f"{text} both solved{interval}, {p_value} by ranks; {solved}"
    # The ratio is over the deals that both solved; deals which only one solved decided the test.
    does = "better" if found.better > 0 else "worse"
    text += f" both solved{interval}, but does {does} with all deals counted"
    return f"{text}, {p_value} by ranks; {solved}"


def sentences(found: Sequence[Comparison]) -> str:
    """A paragraph for each comparison."""
    return "\n".join(paragraph(sentence(comparison), "  ") for comparison in found)


def pair_table(found: Comparison, penalty: bool) -> str:
    """The figures of one comparison.

    Args:
        found: the comparison.
        penalty: whether to give the paper's ratio with 1000M for unsolved deals, too.
    """
    rows = [
        ["nodes, typical deal", *_cells(found.nodes_typical), p_cell(found.nodes_p_holm)],
        ["nodes, mean", *_cells(found.nodes_mean), ""],
    ]
    if penalty:
        rows.append(["nodes, mean, 1000M if unsolved", ratio(found.penalised), "", ""])
    for unit, estimate in _distinct(found.lengths).items():
        interval = bracket(estimate.interval, difference)
        rows.append([f"length, {unit}", difference(estimate.value), interval, ""])
    counts = f"{found.only:,} to {found.only_against:,}"
    rows.append(["deals which only one solved", counts, "", p_cell(found.solved_p_holm)])
    title = f"{found.solver} against {found.against}, {plural(found.both, 'deal')} solved by both:"
    return f"{title}\n\n{table(['', '', '95 % interval', 'p'], rows)}"


def _distinct(lengths: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Differences by unit, without those that repeat an earlier one."""
    told: dict[tuple[str, ...], str] = {}
    for unit, estimate in lengths.items():
        # As text: a missing interval is NaN, which does not equal itself.
        figures = tuple(f"{x:.6f}" for x in (estimate.value, *estimate.interval))
        told.setdefault(figures, unit)
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
    return paragraph(f"{text}.")


def plain(value: Any) -> Any:
    """A value as JSON can hold it: NaN and infinity become None."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def document(found: Comparison, penalty: bool) -> dict[str, Any]:
    """A comparison as a JSON object."""
    figures = asdict(found)
    if not penalty:
        del figures["penalised"]
    return figures


def _cells(estimate: Estimate) -> list[str]:
    return [ratio(estimate.value), bracket(estimate.interval)]
