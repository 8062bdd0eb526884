"""A comparison of runs on the same deals as plain data, in words and in tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import nan
from statistics import fmean
from string import ascii_uppercase
from typing import Any, Literal, TypeAlias

from deals.words import plural
from gafreecell.comparing import solver_comparison as verdicts
from gafreecell.comparing.groups import Group
from gafreecell.comparing.pairs import COST, Comparison, Estimate, Summary
from gafreecell.comparing.seeds import FAILURE, GroupComparison, Measured, Tested
from gafreecell.comparing.statistics import LEAST, Ranks, student, varied
from gafreecell.comparing.tabulated import Record, Tables, Tabulated, chosen, noted, spread
from gafreecell.evolution.costs import MeanCost, Spent, in_all
from gafreecell.solving.outcome import Outcome
from gafreecell.solving.parameters import Value
from gafreecell.terminal.tables import tables

Submitted: TypeAlias = Literal["champion", "last"]
"""Which weights of a run are measured: the champion's or the last generation's candidate's."""
Noun: TypeAlias = Literal["job", "arm"]
"""What a group of runs is called."""
FOLDERS = 3
"""How many folders of a group are named; of more, the first and the last."""
UNKNOWN = "not known, as an interval over one seed or over seeds that are all alike"
"""What ``-`` stands for in tables over seeds."""
A12 = "A12: probability that a run of the first needs fewer nodes (Vargha and Delaney)"
LONGEST = 24
"""Longest name of a group that tables show. If any name is longer, groups are called A, B, ...

JSON keeps the full names, and a single group keeps its name."""


@dataclass(frozen=True, repr=False)
class RunComparison:
    """Runs on the same deals, compared by groups: what ``gafreecell.compare`` returns.

    A *group* is the runs of one job, which differ in nothing but the seed. ``str`` and ``print``
    give the report of the command ``gafreecell compare``, as wide as the terminal, at most 100
    columns. A figure that is not known is NaN, such as the ends of an interval over a single seed.

    Attributes:
        game: the game's name.
        variant: its options.
        title: the game and its options, for people.
        deals: the names of the deals: numbers, ranges, sets.
        count: the number of deals, ``n``.
        seen: how many of them a run trained or validated on; 0 in a fair comparison.
        cautions: what a reader of the figures must know, a main clause each: runs trained on these
            deals, are measured by their last generation's candidate, are missing from the plan, or
            not finished; runs of one group took more than a tenth more evaluations than those of
            another; or they were made by different engines or sources of parts.
        nodes: the node budget of each deal, the same for all runs (nodes are states generated).
        submit: which weights of a run were measured: ``"champion"`` or ``"last"``.
        noun: what a group is called: ``"arm"`` if it is one of a study, else ``"job"``.
        groups: the groups with their runs, in the order in which their jobs were given.
        outcomes: by the run's folder, the ``n`` outcomes of its weights in the order of the
            deals, without the moves.
        summaries: each run by itself, by its folder: deals solved, nodes, lengths (moves by unit)
            and milliseconds of processor time.
        measured: each group, by its name: for each run the nodes a deal (a geometric mean, with a
            failure as ten times the budget), the deals solved and the lengths in moves; the means
            of nodes and of deals solved over the runs with Student's 95 % interval. Single seeds
            have no interval.
        pairs: groups of two or more runs compared over seeds, one run one observation: every pair
            of up to three groups; of more, the first with each other one. The ratio of nodes and
            the differences of deals solved and of lengths, with 95 % bootstrap intervals and
            p-values. Rank tests are corrected for the number of pairs (``p_holm``).
        ranks: three or more groups with the same seeds, ranked by nodes seed by seed: mean ranks,
            Friedman's test and the critical difference of Nemenyi's; else None.
        pairs_by_deal: if every group has a single run: the runs' weights compared with one deal as
            one observation. This says nothing about the jobs, because other seeds may reverse it.
        costs: by group, what a run cost on average, by purpose (``"solvers"``, ``"validation"``,
            ``"baseline"``) and as ``"total"``; None if the log of one of the runs lacks it.
            Where ``submit`` is ``"last"``, the validation is left out: it chose no weights.
    """

    game: str
    variant: Mapping[str, Value]
    title: str
    deals: tuple[str, ...]
    count: int
    seen: int
    nodes: int
    submit: Submitted
    noun: Noun
    cautions: tuple[str, ...]
    groups: tuple[Group, ...]
    outcomes: Mapping[str, tuple[Outcome, ...]]
    summaries: Mapping[str, Summary]
    measured: Mapping[str, Measured]
    pairs: tuple[GroupComparison, ...]
    ranks: Ranks | None
    pairs_by_deal: tuple[Comparison, ...]
    costs: Mapping[str, Mapping[str, MeanCost] | None]

    @property
    def over(self) -> Literal["seeds", "deals"]:
        """What one observation is: a run (``"seeds"``) or, with single runs only, a deal."""
        return "deals" if over_deals(self.groups) else "seeds"

    def table(self, name: str = "groups") -> Tabulated:
        """A table for a paper.

        Args:
            name: ``groups``, ``pairs``, ``runs`` or ``ranks``.

        Raises:
            InputError: if there is no such table, or nothing to put in it.
        """
        return chosen(name, _tables_of(self))

    def __repr__(self) -> str:
        return run_report(self)

    def _repr_html_(self) -> str:
        return verdicts.report_html(repr(self))


def _tables_of(found: RunComparison) -> Tables:
    """The tables of a comparison by name."""
    return {
        "groups": partial(_groups_table, found),
        "pairs": partial(_pairs_table, found),
        "runs": partial(_runs_table, found),
        "ranks": partial(verdicts.ranks_table, found.ranks, found.noun, "seed"),
    }


def _about(found: RunComparison) -> str:
    """What the figures of a table are over, for its caption."""
    return (
        f"{verdicts.deals_text(found.count, found.deals)}, at most {plural(found.nodes, 'node')} a "
        f"deal; nodes are geometric means over the deals that any run solved, a failure {FAILURE} "
        "times the budget; lengths are means over the deals that all runs solved"
        f"{''.join(f'; {one}' for one in found.cautions)}"
    )


def _groups_table(found: RunComparison) -> Tabulated:
    header, *rows = group_rows(found.measured, found.noun, spread_out=True)
    records, cells = [], []
    for (name, group), row in zip(found.measured.items(), rows, strict=True):
        cost = (found.costs[name] or {}).get("total")
        lengths = {unit: _over_seeds(values) for unit, values in group.lengths.items()}
        record: Record = {
            found.noun: name,
            "seeds": len(group.seeds),
            **spread("nodes", group.nodes_mean.value, group.nodes_mean.interval),
            **spread("solved", group.solved_mean.value, group.solved_mean.interval),
            **verdicts.length_entries(lengths),
            **_effort(cost),
        }
        records.append(record)
        cells.append([*row, _evaluations(cost)])
    about = f"{_about(found)}; intervals 95 % over seeds (Student's t); {_counted(found)}"
    about = noted(about, cells, UNKNOWN)
    return Tabulated("groups", about, records, [*header, "evaluations"], cells)


def _over_seeds(values: Sequence[float]) -> Estimate:
    """The mean of runs with Student's 95 % interval."""
    return Estimate(fmean(values), varied(student(values)))


def _effort(cost: Spent | None) -> dict[str, float]:
    """What training cost, as entries of a record."""
    return {
        "training_evaluations": cost.evaluations if cost else nan,
        "training_nodes": cost.nodes if cost else nan,
        "training_seconds": cost.seconds if cost else nan,
    }


def _evaluations(cost: Spent | None) -> str:
    return f"{cost.evaluations:,.0f}" if cost else "-"


def _counted(found: RunComparison) -> str:
    """Which evaluations a table shows, for its caption."""
    if found.submit == "last":
        return "evaluations are all of a run but its validation"
    return "evaluations are all of a run, its validation and baseline included"


def _pairs_table(found: RunComparison) -> Tabulated:
    units = _units(found.measured)
    records, cells = [], []
    for one in found.pairs:
        record: dict[str, Any] = {
            found.noun: one.group,
            "against": one.against,
            "seeds": one.seeds,
            "seeds_against": one.seeds_against,
            "paired": one.paired,
            **_tested("nodes_ratio", one.nodes),
            **spread("a12", one.a12.value, one.a12.interval),
            **_tested("solved_difference", one.solved),
        }
        for unit, length in one.lengths.items():
            record |= _tested(f"length_{unit}_difference", length)
        records.append(record)
        cells.append(
            [
                f"{one.group} / {one.against}",
                _change(one.nodes, verdicts.ratio),
                verdicts.p_cell(one.nodes.p_holm),
                effect(one),
                _change(one.solved, verdicts.difference),
                verdicts.p_cell(one.solved.p_holm),
                *[_change(one.lengths[unit], verdicts.writer(unit)) for unit in units],
            ]
        )
    header = ["pair", "nodes, ratio", "p, nodes", "A12", "deals solved", "p, solved"]
    header += [verdicts.label(unit) for unit in units]
    about = f"{_about(found)}; deals solved and lengths are differences; intervals 95 % over seeds "
    about += f"(bootstrap; Newcombe's for A12); {A12}; p-values of rank tests, corrected by Holm"
    if any(cell.endswith("(t)") for row in cells for cell in row):
        about += "; (t): interval of the paired t-test, for few seeds"
    return Tabulated("pairs", noted(about, cells, UNKNOWN), records, header, cells)


def _change(verdict: Tested, write: Callable[[float], str]) -> str:
    """A difference with its interval."""
    return f"{write(verdict.difference.value)} {_interval(verdict, write)}".strip()


def effect(one: GroupComparison) -> str:
    """The effect size of a pair with its interval."""
    interval = verdicts.bracket(one.a12.interval, verdicts.share)
    return f"{verdicts.share(one.a12.value)} {interval}".strip()


def _tested(key: str, verdict: Tested) -> dict[str, float]:
    low_t, high_t = verdict.interval_t
    return {
        **spread(key, verdict.difference.value, verdict.difference.interval),
        f"{key}_low_t": low_t,
        f"{key}_high_t": high_t,
        f"{key}_p": verdict.p,
        f"{key}_p_holm": verdict.p_holm,
        f"{key}_p_t": verdict.p_t,
    }


def _runs_table(found: RunComparison) -> Tabulated:
    units = _units(found.measured)
    last = found.submit == "last"
    records: list[Record] = []
    cells = []
    for (name, group), members in zip(found.measured.items(), found.groups, strict=True):
        for place, (seed, run) in enumerate(zip(group.seeds, members.runs, strict=True)):
            nodes, solved = group.nodes[place], group.solved[place]
            generation = run.generation if last else run.best.generation
            cost = in_all(run.costs, last) if run.costs else None
            lengths = {unit: values[place] for unit, values in group.lengths.items()}
            records.append(
                {
                    found.noun: name,
                    "seed": seed,
                    "nodes": nodes,
                    "solved": solved,
                    **{f"length_{unit}": value for unit, value in lengths.items()},
                    "generation": generation,
                    "generations": run.generation,
                    **_effort(cost),
                    "folder": str(run.folder),
                }
            )
            told = [verdicts.mean(unit, lengths[unit]) for unit in units]
            told += [f"{generation:,} of {run.generation:,}", _evaluations(cost)]
            cells.append([name, f"{seed}", verdicts.count(nodes), f"{solved:,}", *told])
    header = [found.noun, "seed", "nodes", "solved", *units, "generation", "evaluations"]
    about = f"{_about(found)}; generation: the one whose weights are measured; {_counted(found)}"
    return Tabulated("runs", noted(about, cells, UNKNOWN), records, header, cells)


def over_deals(groups: Sequence[Group]) -> bool:
    """Whether the deals are the only observations: there is one seed each."""
    return len(groups) > 1 and all(len(group.runs) == 1 for group in groups)


def run_report(found: RunComparison) -> str:
    """A report on runs for people: the deals, the runs, the findings, the figures, the costs."""
    full = found.groups
    if len(full) > 1 and max(len(group.name) for group in full) > LONGEST:
        found = _by_letters(found)
    last = found.submit == "last"
    budget = f"at most {plural(found.nodes, 'node')}"
    about = f"{verdicts.deals_text(found.count, found.deals)}, {budget} a deal"
    head = [verdicts.paragraph(about), f"{found.title}\n", *warnings_of(found.cautions)]
    head += [_members(group, one.name) for group, one in zip(found.groups, full, strict=True)]
    text = _report_by_deal(found) if found.over == "deals" else _report_by_seed(found)
    return "\n\n".join(["\n".join(head), text, *cost_table(found.costs, last)])


def warnings_of(cautions: Sequence[str]) -> list[str]:
    """Paragraphs that warn a reader of the figures, and an empty line."""
    found = [verdicts.paragraph(f"{verdicts.WARNING}{one}", "  ") for one in cautions]
    return [*found, ""] if found else []


def _by_letters(found: RunComparison) -> RunComparison:
    """The same comparison, with letters for the groups' names."""
    names = {group.name: _letter(place) for place, group in enumerate(found.groups)}
    return replace(
        found,
        groups=tuple(replace(group, name=names[group.name]) for group in found.groups),
        measured={names[name]: one for name, one in found.measured.items()},
        pairs=tuple(
            replace(pair, group=names[pair.group], against=names[pair.against])
            for pair in found.pairs
        ),
        ranks=found.ranks
        and replace(
            found.ranks, means={names[name]: mean for name, mean in found.ranks.means.items()}
        ),
        pairs_by_deal=tuple(
            replace(pair, solver=names[pair.solver], against=names[pair.against])
            for pair in found.pairs_by_deal
        ),
        costs={names[name]: cost for name, cost in found.costs.items()},
    )


def _letter(place: int) -> str:
    """A to Z, then AA, AB and so on."""
    before = _letter(place // 26 - 1) if place >= 26 else ""
    return before + ascii_uppercase[place % 26]


def _members(group: Group, name: str) -> str:
    """A group and its runs, for people; with the letter that stands for its name, if any."""
    seeds = "seed" if len(group.runs) == 1 else "seeds"
    text = f"{group.name}: {name}, " if group.name != name else f"{name}: "
    text += f"{seeds} {', '.join(map(str, group.seeds))}"
    folders = [str(run.folder) for run in group.runs]
    if len(folders) > FOLDERS:
        folders[1:-1] = ["..."]
    text += f" ({', '.join(folders)})"
    return verdicts.paragraph(text, "  ")


def _report_by_deal(found: RunComparison) -> str:
    """The report on single runs: one observation is a deal."""
    warning = verdicts.paragraph(
        "One seed each: nothing can be concluded about the jobs, because other seeds may reverse "
        "the result. The comparison below is of the weights of these runs, deal by deal."
    )
    summaries = {group.name: found.summaries[str(group.runs[0].folder)] for group in found.groups}
    return f"{warning}\n\n{verdicts.report(summaries, found.pairs_by_deal)}"


def _report_by_seed(found: RunComparison) -> str:
    """The report on groups: one observation is a run."""
    measured, pairs = found.measured, found.pairs
    # Holm's correction multiplies the smallest p-value by the number of pairs.
    parts = [
        verdicts.paragraph(sentence(one, found.count, measured, len(pairs)), "  ") for one in pairs
    ]
    parts += map(verdicts.paragraph, single(measured))
    if found.ranks:
        parts.append(verdicts.paragraph(verdicts.ranks_text(found.ranks, "seeds"), "  "))
    shown = [tabled(group_rows(measured, found.noun))]
    for one in pairs:
        rows = pair_rows(one, measured, len(pairs) > 1)
        shown.append(f"{pair_title(one)}:\n\n{tabled(rows)}")
    return "\n\n".join(
        [*["\n".join(parts)] * bool(parts), *shown, verdicts.paragraph(explanation(pairs))]
    )


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
        f"{one.group} needs {verdicts.ratio(nodes.difference.value)} times the nodes of "
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


def group_rows(
    found: Mapping[str, Measured], noun: Noun = "job", spread_out: bool = False
) -> list[list[str]]:
    """A header, then a row for each group: its nodes, deals solved and lengths.

    Args:
        found: the groups by name.
        noun: what a group is called.
        spread_out: whether lengths have intervals, too, which makes a table too wide for a screen.
    """
    units = _units(found)
    header = [noun, "seeds", "nodes", "solved", *units]
    rows = []
    for name, group in found.items():
        seeds = len(group.seeds)
        nodes = _mean(group.nodes_mean, verdicts.count, seeds)
        solved = _mean(group.solved_mean, _tenths, seeds)
        means = {unit: _over_seeds(group.lengths[unit]) for unit in units}
        if spread_out:
            lengths = [_mean(means[unit], partial(verdicts.mean, unit), seeds) for unit in units]
        else:
            lengths = [verdicts.mean(unit, means[unit].value) for unit in units]
        rows.append([name, f"{seeds}", nodes, solved, *lengths])
    return [header, *rows]


def _mean(one: Estimate, write: Callable[[float], str], seeds: int) -> str:
    """A mean over seeds with its interval; a few that are all alike do not have one."""
    alike = " (all alike)" if seeds > 1 and one.value == one.value else ""
    interval = verdicts.bracket(one.interval, write)
    return f"{write(one.value)} {interval}" if interval else f"{write(one.value)}{alike}"


def _interval(verdict: Tested, write: Any = verdicts.ratio) -> str:
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

    def row(title: str, verdict: Tested, write: Any) -> list[str]:
        figure = verdict.difference
        cells = [write(figure.value), _interval(verdict, write) or "-"]
        return [title, *cells, verdicts.p_cell(verdict.p_holm), verdicts.p_cell(verdict.p_t)]

    rows = [
        row("nodes", one.nodes, verdicts.ratio),
        [
            "A12, fewer nodes",
            verdicts.share(one.a12.value),
            verdicts.bracket(one.a12.interval, verdicts.share) or "-",
            "",
            "",
        ],
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
        "Seconds are processor time of the searches; outcomes that a run remembered count again."
    )
    if last:
        text += " Validation is left out because it did not choose these weights."
    return [verdicts.paragraph(text), tables(header, rows, verdicts.width())]


def explanation(comparisons: Sequence[GroupComparison]) -> str:
    """What the figures of groups and of their comparisons mean."""
    text = (
        "A run is one observation, whatever the number of deals. Nodes: geometric mean over the "
        f"deals that at least one run solved; a deal that a run failed counts {FAILURE} times the "
        "budget. Lengths: mean over the deals that all runs solved. Intervals over seeds: "
        "Student's t for one job, bootstrap for a comparison of two"
    )
    effect = f" {A12}, with Newcombe's interval for independent runs"
    if any(min(one.seeds, one.seeds_against) < LEAST for one in comparisons):
        text += (
            f" (with fewer than {LEAST} seeds each: paired t, marked (t), if both have the same "
            "seeds)"
        )
    if len(comparisons) > 1:
        pairs = f"{len(comparisons)} pairs (Holm)"
        text += f"; rank tests are corrected for {pairs}, t-tests are not"
    return f"{text}.{effect}." if comparisons else f"{text}."


def _tenths(value: float) -> str:
    return f"{value:,.1f}"
