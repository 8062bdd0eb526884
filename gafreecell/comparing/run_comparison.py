"""A comparison of runs on the same deals as plain data, and its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Literal, TypeAlias

from deals.words import plural
from gafreecell.comparing import jobs_told as told
from gafreecell.comparing import solvers_told as verdicts
from gafreecell.comparing.groups import Group
from gafreecell.comparing.pairs import Comparison, Summary
from gafreecell.comparing.seeds import GroupComparison, Measured
from gafreecell.evolution.costs import MeanCost
from gafreecell.solving.outcome import Outcome
from gafreecell.solving.parameters import Value

Submitted: TypeAlias = Literal["champion", "last"]
"""Which weights of a run are measured: the champion's or the last generation's candidate's."""
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
        nodes: the node budget of each deal, the same for all runs (nodes are states generated).
        submit: which weights of a run were measured: ``"champion"`` or ``"last"``.
        groups: the groups with their runs, in the order in which their jobs were given.
        outcomes: by the run's folder, the ``n`` outcomes of its weights in the order of the
            deals, without the moves.
        summaries: each run by itself, by its folder: deals solved, nodes, lengths (moves by unit)
            and milliseconds of processor time.
        measured: each group, by its name: for each run the nodes a deal (PAR10, a geometric mean),
            the deals solved and the lengths in moves; the means of nodes and of deals solved over
            the runs with Student's 95 % interval. Single seeds have no interval.
        pairs: groups of two or more runs compared over seeds, one run one observation: every pair
            of up to three groups; of more, the first with each other one. The ratio of nodes and
            the differences of deals solved and of lengths, with 95 % bootstrap intervals and
            p-values. Rank tests are corrected for the number of pairs (``p_holm``).
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
    groups: tuple[Group, ...]
    outcomes: Mapping[str, tuple[Outcome, ...]]
    summaries: Mapping[str, Summary]
    measured: Mapping[str, Measured]
    pairs: tuple[GroupComparison, ...]
    pairs_by_deal: tuple[Comparison, ...]
    costs: Mapping[str, Mapping[str, MeanCost] | None]

    @property
    def over(self) -> Literal["seeds", "deals"]:
        """What one observation is: a run (``"seeds"``) or, with single runs only, a deal."""
        return "deals" if over_deals(self.groups) else "seeds"

    def __repr__(self) -> str:
        return run_report(self)

    def _repr_html_(self) -> str:
        return verdicts.report_html(repr(self))


def over_deals(groups: Sequence[Group]) -> bool:
    """Whether the deals are the only observations: there is one seed each."""
    return len(groups) > 1 and all(len(group.runs) == 1 for group in groups)


def run_report(found: RunComparison) -> str:
    """A report on runs for people: the deals, the runs, the findings, the figures, the costs."""
    full = found.groups
    if len(full) > 1 and max(len(group.name) for group in full) > LONGEST:
        found = _by_letters(found)
    last = found.submit == "last"
    used = f"; runs trained or validated on {found.seen:,} of them" if found.seen else ""
    budget = f"at most {plural(found.nodes, 'node')}"
    about = f"{verdicts.deals_text(found.count, found.deals)}, {budget} a deal{used}"
    head = [verdicts.paragraph(about)]
    if last:
        head.append(
            verdicts.paragraph(
                "Each run is measured by the candidate of its last generation (--submit last), not "
                "by its best weights."
            )
        )
    head.append(f"{found.title}\n")
    head += [_members(group, one.name) for group, one in zip(found.groups, full, strict=True)]
    text = _report_by_deal(found) if found.over == "deals" else _report_by_seed(found)
    return "\n\n".join(["\n".join(head), text, *told.cost_table(found.costs, last)])


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
    text += f" ({', '.join(str(run.folder) for run in group.runs)})"
    cut = [run for run in group.runs if not run.finished]
    for run in cut:
        done = f"{run.generation} of {plural(run.job.generations, 'generation')}"
        text += f"; seed {run.job.seed} has done {done}"
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
        verdicts.paragraph(told.sentence(one, found.count, measured, len(pairs)), "  ")
        for one in pairs
    ]
    parts += map(verdicts.paragraph, told.single(measured))
    tabled = [told.tabled(told.group_rows(measured))]
    for one in pairs:
        rows = told.pair_rows(one, measured, len(pairs) > 1)
        tabled.append(f"{told.pair_title(one)}:\n\n{told.tabled(rows)}")
    return "\n\n".join(
        [*["\n".join(parts)] * bool(parts), *tabled, verdicts.paragraph(told.explanation(pairs))]
    )
